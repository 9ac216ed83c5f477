//! Read-only views of a body, for hosts.
//!
//! A view is a copy that `world.rs` makes on request from the columns of the store. It does not
//! change with the body.

use evenstride_types::{Placement, Vec3, update::PhysicsState};

use crate::{
    body::hold_links::HeldBy,
    glide::DrawnMotion,
    journal::Counters,
    motion::{gait::Gait, goal::MoveToView, playing::PlayingView},
};

/// State of one body after its last step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[doc(alias = "CPhysicsObj")]
pub struct BodyView {
    /// Place after the last step, or `None` while the body is outside the world, in a pack or in a
    /// hand.
    pub place: Option<Placement>,
    /// Velocity of the last step in metres per second, world axes. It is zero after a blocked step.
    pub velocity: Vec3,
    /// Source of the body's next step.
    pub moved_by: MovedBy,
    /// The move-to under way, or `None` if the body has no goal.
    pub move_to: Option<MoveToView>,
    /// Number of waypoints not yet reached.
    pub waypoints: usize,
    /// Whether the body touches a surface, walkable or not.
    pub in_contact: bool,
    /// Whether the body is stepped. A body is not stepped if it is frozen, suspended by the host,
    /// outside the world, or more than 96 m from the viewpoint. The local player is stepped at any
    /// distance.
    pub is_active: bool,
    /// Distance from the viewpoint in metres at the last round, or `None` if it is not known yet.
    pub distance: Option<f32>,
    /// Physics state bits from the last message.
    pub state: PhysicsState,
    /// Whether the body is invisible, by its own state or by that of a holder.
    pub is_hidden: bool,
    /// Holder of the body and the place on it, or `None` if the body is not held.
    pub held_by: Option<HeldBy>,
    /// Radius in metres, scale included.
    pub radius: f32,
    /// Height in metres from the origin up, scale included.
    pub height: f32,
    /// Counts of the outcomes of messages about this body.
    pub counters: Counters,
}

/// Source of a body's next displacement. Velocity, gravity and spin are added to it.
///
/// A follow takes precedence over a route, and a route over root motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MovedBy {
    /// The body rests, or is outside the world without a holder.
    Nothing,
    /// The body walks to its waypoints. It must be in contact with a surface.
    Route,
    /// The body keeps up with a target.
    Follow,
    /// Root motion from the body's own animations.
    Legs,
    /// Velocity alone, in the air.
    Flight,
    /// The body is held, and goes where its holder goes.
    Holder,
}

/// Everything that a host needs to animate a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[doc(alias = "CPartArray")]
pub struct AnimationView {
    /// Id of the model in the game's archives, or `None` if no message named one.
    pub setup: Option<u32>,
    /// Id of the motion table in the game's archives, or `None` if neither a message nor the model
    /// named one.
    pub motion_table: Option<u32>,
    /// Index of the pose for an object without animations.
    pub placement_frame: u32,
    /// Commands and speeds of the body's motion, for hosts that blend animations.
    pub gait: Gait,
    /// Animation to show for the drawn body, which may differ from the body's own
    /// ([`DrawMode::Gliding`](crate::config::DrawMode::Gliding)).
    pub drawn: DrawnMotion,
    /// The current animation, or `None` if the body has only stood so far.
    pub playing: Option<PlayingView>,
    /// Whether gravity acts on the body and it does not stand on walkable ground. A host then draws
    /// it falling, regardless of the gait.
    pub is_airborne: bool,
    /// Holder of the body and the place on it, or `None` if the body is not held.
    pub held_by: Option<HeldBy>,
}

impl AnimationView {
    /// A placeholder to be overwritten. It describes a standing body without model or motion table.
    pub const EMPTY: Self = Self {
        setup: None,
        motion_table: None,
        placement_frame: 0,
        gait: Gait::STANDING,
        drawn: DrawnMotion::PLAIN,
        playing: None,
        is_airborne: false,
        held_by: None,
    };
}
