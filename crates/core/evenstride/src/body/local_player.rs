//! What the local player has that other bodies do not.

use evenstride_types::{EntityId, Placement, SimTime, Vec3};

use crate::{
    body::{body_mut::BodyMut, flags::Flags, locomotion::Locomotion, store::Store},
    motion::controls::Input,
};

/// Who decides where the local player is.
///
/// Retail: `UsePositionFromServer` (11.4186 @ 0x006B3B40)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "autonomy_level")]
pub enum Autonomy {
    /// The server: its positions are walked to, its velocities obeyed. Level 0.
    Server,
    /// The server, but the player faces where it wants. Level 1.
    ServerButHeading,
    /// The player, on a tether: the shipped client. Level 2.
    #[default]
    Player,
}

/// Whose commands move the local player at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controller {
    /// Its own keys.
    Keys,
    /// The server's last movement: until a key changes, or until that is done if a key is held down all the while.
    Server,
}

/// Everything about the local player that other bodies do not have.
#[derive(Clone, Debug)]
pub struct LocalPlayer {
    pub(crate) entity: EntityId,
    pub(crate) input: Input,
    pub(crate) autonomy: Autonomy,
    pub(crate) controller: Controller,
    /// When a jump began to be charged.
    pub(crate) charging_since: Option<SimTime>,
    pub(crate) awaits_teleport: bool,
    /// When the last message with a position was sent.
    pub(crate) sent: SimTime,
    /// What the last report of a position said.
    pub(crate) reported: Option<Reported>,
    /// Where the server last said it is.
    pub(crate) heard: Option<Placement>,
    /// Where the step before the last left it, if it is drawn between steps and others are not.
    pub(crate) previous: Placement,
}

/// A report of the player's position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reported {
    pub(crate) place: Placement,
    /// Of what it stood on.
    pub(crate) normal: Vec3,
}

/// One body with everything it may touch. The local player may be drawn between steps when others are not.
#[inline]
pub(crate) fn body_of<'a, L: Locomotion>(
    store: &'a mut Store<L>,
    player: &'a mut Option<LocalPlayer>,
    slot: usize,
) -> BodyMut<'a, L> {
    let mut body = store.body_mut(slot);
    if body.previous.is_none() && body.body.flags.contains(Flags::LOCAL) {
        body.previous = player.as_mut().map(|player| &mut player.previous);
    }
    body
}
