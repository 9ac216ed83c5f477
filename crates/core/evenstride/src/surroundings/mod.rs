//! The world around bodies, as motion sees it.
//!
//! The core has no geometry. A step asks how far a body gets ([`Surroundings::sweep`]), and a
//! placement asks whether a body fits ([`Surroundings::place`]). The contact of a body with the
//! ground changes only through the answers.
//!
//! [`OpenField`], [`FlatGround`] and [`Heightfield`] are implementations without walls. Games with
//! geometry implement [`Surroundings`] themselves. The core never treats bodies as obstacles to
//! each other.

mod flat_ground;
mod heightfield;
mod open_field;

use evenstride_types::{EntityId, Placement, Vec3, update::PhysicsState};
pub use flat_ground::FlatGround;
pub use heightfield::{Cut, Cuts, Heightfield, HeightfieldError};
pub use open_field::OpenField;

/// Smallest z of the normal of walkable ground, which allows slopes up to about 48.4°.
///
/// The odd value is the client's, which passes an angle in degrees to a cosine that expects
/// radians.
///
/// Retail: `CPhysicsObj::SetPositionInternal` (11.4186 @ 0x00515330)
pub const WALKABLE_NORMAL_Z: f32 = 0.664_174_14;

/// Decides how far bodies get and where they fit.
///
/// The answers must depend on the arguments alone if runs are to be repeatable. Bodies are asked for in no
/// particular order. A host passes the surroundings to every call that may move a body, and may pass
/// different ones each time.
///
/// Normals need not have unit length, because they are scaled to it. A normal that is shorter than
/// [`EPSILON`](crate::types::EPSILON) or not finite has no direction. As a contact it means
/// [`Contact::Kept`], and as an obstacle it means no bounce. The [crate documentation](crate) says
/// what a panic leaves behind.
///
/// ```
/// use evenstride::surroundings::{Contact, Placed, Placing, Surroundings, Sweep, Swept};
/// use evenstride::types::Vec3;
///
/// /// A corridor with a ceiling 2 m above the ground, which is at 0 everywhere.
/// struct Corridor;
///
/// impl Surroundings for Corridor {
///     fn sweep(&self, sweep: &Sweep) -> Swept {
///         let Ok(at) = sweep.to.settled() else { return Swept::Blocked };
///         if at.pose.origin().z + sweep.height > 2.0 {
///             return Swept::Blocked;
///         }
///         let contact = if at.pose.origin().z > 0.0 { Contact::Lost } else { Contact::On(Vec3::Z) };
///         Swept::Moved { at, contact, ran_into: None }
///     }
///
///     fn place(&self, placing: &Placing) -> Placed {
///         match placing.at.settled() {
///             Ok(at) if placing.height <= 2.0 => Placed::At { at, contact: Contact::On(Vec3::Z) },
///             _ => Placed::Refused,
///         }
///     }
/// }
/// ```
#[doc(alias = "CTransition")]
pub trait Surroundings {
    /// Returns how far a body gets in one step.
    ///
    /// A step calls it at most once, after all motion of the step is added up. It is not called for
    /// a body that stays in place. The returned place must lie in a cell that fits its coordinates.
    /// A place beyond the coordinate limit counts as blocked.
    fn sweep(&self, sweep: &Sweep) -> Swept;

    /// Returns whether a body can be placed, and what it touches there.
    ///
    /// It is called for teleports, corrections, snaps, landings,
    /// [`set_place`](crate::MotionWorld::set_place) and bodies that enter the world.
    fn place(&self, placing: &Placing) -> Placed;

    /// Returns whether the ground at a place is unknown, so that only messages tell of a landing
    /// (default: `false`).
    ///
    /// If it is unknown, a grounded position for a body in the air stores its height in
    /// [`Sweep::ground`]. [`sweep`](Self::sweep) then lands the body at that height. A body that is
    /// already below it, or falls past it without landing, is placed.
    fn lands_by_update(&self, _at: &Placement) -> bool {
        false
    }

    /// Returns whether nothing ever stands in the way and no ground is known (default: `false`).
    ///
    /// A sweep with [`Footing::Grounded`], or in the air above [`GroundBelow::Unknown`], must then be answered
    /// with `to.settled()` and [`Contact::Kept`]. Steps may skip the question. They always do so indoors, and
    /// mostly within an outdoor cell. A host that changes indoor cells must therefore return `false`.
    ///
    /// [`DrawMode::Gliding`](crate::config::DrawMode::Gliding) asks nothing, which saves two calls per moving
    /// body and frame.
    fn is_open(&self) -> bool {
        false
    }
}

/// The question how far a body gets in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sweep {
    /// The moving body's entity, for surroundings that treat bodies differently.
    pub entity: EntityId,
    /// Place before the step.
    pub from: Placement,
    /// Place that the body would reach. The cell is still that of `from`, so coordinates may lie
    /// outside its landblock.
    pub to: Placement,
    /// Ground contact before the step.
    pub footing: Footing,
    /// Ground height known from messages or from the take-off, while the body is in the air.
    pub ground: GroundBelow,
    /// Physics state bits. Surroundings decide what ethereal bodies and bodies that ignore
    /// collisions pass through.
    pub state: PhysicsState,
    /// Radius in metres, scale included.
    pub radius: f32,
    /// Height in metres from the origin up, scale included.
    pub height: f32,
    /// Size factor of the body, already in radius and height.
    pub scale: f32,
    /// Unit normal of the body's last contact. `None` in the air, and for an unknown surface.
    pub last_normal: Option<Vec3>,
    /// Whether the body is the local player's. The server does not tell of its landings.
    pub is_local_player: bool,
}

/// Height of the ground below a body in the air, as far as it is known.
///
/// Only surroundings that do not know the ground need it. A landing, a grounded placement or a
/// placement 10 m or more away resets it to `Unknown`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum GroundBelow {
    /// No message gave a height, and the body did not take off from the ground.
    #[default]
    Unknown,
    /// Height from which the body took off, in metres. Once the body has fallen past this height, a
    /// lower position in the air replaces it.
    TookOff(f32),
    /// Height in metres of the last grounded position from the server.
    Heard(f32),
}

/// Ground contact of a body before a step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Footing {
    /// The body touches nothing.
    Airborne,
    /// The body touches a surface, but its velocity points away from it. It counts as airborne.
    ///
    /// Retail: `CPhysicsObj::check_contact` (11.4186 @ 0x0050F5B0)
    Leaving,
    /// The body touches a surface and stays on it.
    Grounded,
}

/// The answer to a [`Sweep`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Swept {
    /// The body moved, perhaps less far than it tried to.
    Moved {
        /// New place, in a cell that fits the coordinates.
        at: Placement,
        /// Surface that the body touches after the step.
        contact: Contact,
        /// Normal of an obstacle to bounce off, of any length. `None` means no bounce.
        ran_into: Option<Vec3>,
    },
    /// The body stays where it was, but may turn. Its contact does not change.
    Blocked,
}

/// The question whether a body fits somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Placing {
    /// The entity of the body to be placed.
    pub entity: EntityId,
    /// Requested place. Its cell need not fit its coordinates.
    pub at: Placement,
    /// Whether the caller knows that the body stands on the ground there.
    pub grounded: bool,
    /// Physics state bits of the body.
    pub state: PhysicsState,
    /// Radius in metres, scale included.
    pub radius: f32,
    /// Height in metres from the origin up, scale included.
    pub height: f32,
    /// Size factor of the body, already in radius and height.
    pub scale: f32,
}

/// The answer to a [`Placing`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Placed {
    /// The body fits.
    At {
        /// New place, in a cell that fits the coordinates.
        at: Placement,
        /// Surface that the body touches there.
        contact: Contact,
    },
    /// The body does not fit, and stays where it was.
    Refused,
}

/// Surface that a body touches after a sweep or a placement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contact {
    /// The contact is the same as before.
    Kept,
    /// The body touches nothing.
    Lost,
    /// The body touches a surface with this normal, which may have any length. It can stand there if
    /// the z of the unit normal is at least [`WALKABLE_NORMAL_Z`]. A normal without a direction
    /// counts as [`Kept`](Self::Kept).
    On(Vec3),
}

/// The ground under one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ground {
    /// Height in metres.
    pub(crate) z: f32,
    /// Unit vector that points up from the surface.
    pub(crate) normal: Vec3,
}

/// Largest drop in metres that a walking body follows downwards in one step. Beyond it, the body
/// falls. The same height decides whether a grounded placement stands.
const STEP_DOWN: f32 = 1.5;

/// Sweeps over ground without obstacles.
///
/// `ground` returns the surface under a point, or `None` where it is unknown. There, a grounded
/// body keeps its contact and any other body has none. A grounded body follows ground that falls
/// away by at most [`STEP_DOWN`]. A body that ends at or below the ground is put onto it, and
/// bounces if it came from the air. Only the end of the displacement is examined.
pub(crate) fn sweep_over(
    to: &Placement,
    footing: Footing,
    ground: impl Fn(&Placement) -> Option<Ground>,
) -> Swept {
    let Ok(mut at) = to.settled() else { return Swept::Blocked };
    let Some(ground) = ground(&at) else {
        let contact = if footing == Footing::Grounded { Contact::Kept } else { Contact::Lost };
        return Swept::Moved { at, contact, ran_into: None };
    };
    let above = at.pose.origin().z - ground.z;
    let stays_down = footing == Footing::Grounded && above <= STEP_DOWN;
    if above > 0.0 && !stays_down {
        return Swept::Moved { at, contact: Contact::Lost, ran_into: None };
    }
    let Ok(pose) = at.pose.with_origin(at.pose.origin().with_z(ground.z)) else { return Swept::Blocked };
    at.pose = pose;
    let ran_into = (footing != Footing::Grounded).then_some(ground.normal);
    Swept::Moved { at, contact: Contact::On(ground.normal), ran_into }
}

/// Places a body over ground without obstacles.
///
/// A body below the ground is lifted onto it. A body above the ground stands on it only if
/// `grounded` is set and the drop is at most [`STEP_DOWN`]. Where the ground is unknown, `grounded`
/// decides the contact.
pub(crate) fn place_over(placing: &Placing, ground: impl Fn(&Placement) -> Option<Ground>) -> Placed {
    let Ok(mut at) = placing.at.settled() else { return Placed::Refused };
    let Some(ground) = ground(&at) else {
        return Placed::At {
            at,
            contact: if placing.grounded { Contact::On(Vec3::Z) } else { Contact::Lost },
        };
    };
    let above = at.pose.origin().z - ground.z;
    if above > STEP_DOWN || (above > 0.0 && !placing.grounded) {
        return Placed::At { at, contact: Contact::Lost };
    }
    match at.pose.with_origin(at.pose.origin().with_z(ground.z)) {
        Ok(pose) => {
            at.pose = pose;
            Placed::At { at, contact: Contact::On(ground.normal) }
        }
        Err(_) => Placed::Refused,
    }
}
