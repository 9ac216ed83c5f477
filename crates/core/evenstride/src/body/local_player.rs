//! State that only the local player has.
//!
//! The body of the local player is a row like any other. `player/` holds the rules, from keys to
//! outgoing messages.

use evenstride_types::{EntityId, Placement, SimTime, Vec3};

use crate::{
    body::{body_mut::BodyMut, flags::Flags, locomotion::Locomotion, store::Store},
    motion::controls::Input,
};

/// The side that decides where the local player is.
///
/// Retail: `UsePositionFromServer` (11.4186 @ 0x006B3B40)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "autonomy_level")]
pub enum Autonomy {
    /// The server decides. The player walks to received positions and takes on received velocities.
    /// Level 0.
    Server,
    /// The server decides, but the player keeps its own heading. Level 1.
    ServerButHeading,
    /// The player decides, within its tether, as in the shipped client. Level 2.
    #[default]
    Player,
}

/// The source of the commands that move the local player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controller {
    /// The player's own keys.
    Keys,
    /// The last movement from the server.
    ///
    /// It lasts until another key is pressed. If a key is still held down when the movement is
    /// done, control returns to the keys.
    Server,
}

/// State of the local player besides its row.
///
/// It exists as soon as the entity is known, even before that entity has a body.
#[derive(Clone, Debug)]
pub struct LocalPlayer {
    /// Entity of the local player. It may have no body yet.
    pub(crate) entity: EntityId,
    /// Keys that are down, as the host last set them.
    pub(crate) input: Input,
    /// The side that decides the position (default: the player).
    pub(crate) autonomy: Autonomy,
    /// The present source of commands. Keys take over when one is pressed.
    pub(crate) controller: Controller,
    /// Time at which charging a jump began, or `None`.
    pub(crate) charging_since: Option<SimTime>,
    /// Whether a teleport was announced and has not ended.
    pub(crate) awaits_teleport: bool,
    /// Time of the last sent message that contained a position.
    pub(crate) sent: SimTime,
    /// Contents of the last position report, or `None` if the next one is due at once.
    pub(crate) reported: Option<Reported>,
    /// Place that the server last sent for the player.
    pub(crate) heard: Option<Placement>,
    /// Place before the last step. Used only if the player is interpolated and other bodies are
    /// not.
    pub(crate) previous: Placement,
}

/// Contents of a position report that later positions are compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reported {
    /// Reported place. Another cell makes the next report due at once.
    pub(crate) place: Placement,
    /// Unit normal of the surface that the player stood on. Another surface makes a report due at
    /// once.
    pub(crate) normal: Vec3,
}

/// Returns one body with everything that a rule may touch.
///
/// The store keeps previous places only if all bodies are interpolated. If only the local player is
/// interpolated, its own previous place is used.
#[inline]
pub(crate) fn body_of<'a, L: Locomotion>(
    store: &'a mut Store<L>,
    player: &'a mut Option<LocalPlayer>,
    slot: usize,
) -> BodyMut<'a, L> {
    let mut body = store.body_mut(slot);
    if body.previous.is_none() && body.hot.flags.contains(Flags::LOCAL) {
        body.previous = player.as_mut().map(|player| &mut player.previous);
    }
    body
}
