//! Looks at bodies.

use evenstride_types::{Placement, Vec3, update::PhysicsState};

use crate::{
    body::hold_links::HeldBy,
    journal::Counters,
    motion::{gait::Gait, goal::MoveToView, playing::PlayingView},
};

/// A look at one body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[doc(alias = "CPhysicsObj")]
pub struct BodyView {
    /// Where its last step left it; `None` while it is nowhere: in a pack, or in a hand.
    pub place: Option<Placement>,
    /// How fast its last step moved it, world axes.
    pub velocity: Vec3,
    /// What moves it.
    pub moved_by: MovedBy,
    /// Where the server has sent it, if it is under way.
    pub move_to: Option<MoveToView>,
    /// Waypoints it has not reached yet.
    pub waypoints: usize,
    /// Whether it touches something.
    pub in_contact: bool,
    /// Whether it is stepped: within 96 m of the viewpoint.
    pub is_active: bool,
    /// From the viewpoint, in metres, as of its last step; `None` if nobody has measured it.
    pub distance: Option<f32>,
    /// How it takes part in the physical world.
    pub state: PhysicsState,
    /// Whether it is not to be seen: hidden itself, or in the hand of somebody who is.
    pub is_hidden: bool,
    /// Who holds it.
    pub held_by: Option<HeldBy>,
    /// Width, in metres, scaled.
    pub radius: f32,
    /// In metres, from the origin up, scaled.
    pub height: f32,
    /// How updates about it fared.
    pub counters: Counters,
}

/// What moves a body: where its next step takes its way from. Velocity, gravity and spin come on top of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MovedBy {
    /// Nothing.
    Nothing,
    /// The waypoints on its route.
    Route,
    /// Whom it follows.
    Follow,
    /// Its legs.
    Legs,
    /// Velocity alone: it is in the air.
    Flight,
    /// Whoever holds it.
    Holder,
}

/// What a host needs to draw a body's legs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[doc(alias = "CPartArray")]
pub struct AnimationView {
    /// Model record, if one was named.
    pub setup: Option<u32>,
    /// Motion table record, if one was named.
    pub motion_table: Option<u32>,
    /// Pose of a thing that has no animation.
    pub placement_frame: u32,
    /// What its legs do: the inputs of a blend.
    pub gait: Gait,
    /// Which animation they play; `None` while they have never done anything but stand.
    pub playing: Option<PlayingView>,
    /// Whether it is in the air: falling is drawn, whatever the gait says.
    pub is_airborne: bool,
    /// Who holds it, and in which hand.
    pub held_by: Option<HeldBy>,
}
