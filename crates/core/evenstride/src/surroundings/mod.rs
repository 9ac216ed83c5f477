//! The world around bodies, as far as motion asks about it.
//!
//! The core knows no geometry. When a body wants to go somewhere it asks how far it gets ([`Surroundings::sweep`]), and when it is to
//! be put somewhere it asks whether it fits ([`Surroundings::place`]). The answers are the only thing that changes whether a body
//! touches the ground.

mod flat_ground;
mod heightfield;
mod open_field;

use evenstride_types::{EntityId, Placement, Vec3, update::PhysicsState};
pub use flat_ground::FlatGround;
pub use heightfield::{Cut, Cuts, Heightfield, InvalidHeightfield};
pub use open_field::OpenField;

/// Least z of the normal of ground a body can stand on: slopes up to about 48.4°.
///
/// The odd number is the client's: an angle in degrees went through a cosine that takes radians.
///
/// Retail: `CPhysicsObj::SetPositionInternal` (11.4186 @ 0x00515330)
pub const WALKABLE_NORMAL_Z: f32 = 0.664_174_14;

/// Answers what stands in a body's way.
#[doc(alias = "CTransition")]
pub trait Surroundings {
    /// How far a body gets.
    fn sweep(&self, sweep: &Sweep) -> Swept;

    /// Whether a body can be put somewhere.
    fn place(&self, placing: &Placing) -> Placed;

    /// Returns whether the ground there is unknown, so that only messages tell of a landing (default: `false`).
    ///
    /// A body in the air that hears of a place on the ground then has that height in [`Sweep::ground`], and [`sweep`](Self::sweep) lands it
    /// there. A body that is already below it, or gets there all the same, is placed.
    fn lands_by_update(&self, _at: &Placement) -> bool {
        false
    }
}

/// A body wants to go somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// Which.
    pub entity: EntityId,
    /// From here.
    pub from: Placement,
    /// To there. The cell is still the old one, so coordinates may lie outside its landblock.
    pub to: Placement,
    /// What it stands on as it sets out.
    pub footing: Footing,
    /// What messages tell of the ground below it, while it is in the air.
    pub ground: GroundBelow,
    /// How it takes part in the physical world.
    pub state: PhysicsState,
    /// How wide it is, in metres.
    pub radius: f32,
    /// Whether it is the local player, of whose landing nobody will tell.
    pub is_local_player: bool,
}

/// What messages tell of the ground below a body in the air: for surroundings that do not know it themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum GroundBelow {
    /// Nothing.
    #[default]
    Unknown,
    /// The body took off from this height, in metres.
    TookOff(f32),
    /// The server says that the body stands at this height, in metres.
    Heard(f32),
}

/// What a body stands on as it sets out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Footing {
    /// Nothing.
    Airborne,
    /// Ground, which it is leaving: its velocity points away from the surface. Counts as nothing.
    ///
    /// Retail: `CPhysicsObj::check_contact` (11.4186 @ 0x0050F5B0)
    Leaving,
    /// Ground.
    Grounded,
}

/// How far a body got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Swept {
    /// Here, perhaps not as far as it wanted.
    Moved {
        /// Where, in a cell that fits.
        at: Placement,
        /// What it touches now.
        contact: Contact,
        /// Normal of what it ran into, if it is to bounce off that.
        ran_into: Option<Vec3>,
    },
    /// Nowhere: it stays where it was, but may turn.
    Blocked,
}

/// A body is to be put somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placing {
    /// Which.
    pub entity: EntityId,
    /// Where.
    pub at: Placement,
    /// Whether whoever asks knows that it stands there on the ground.
    pub grounded: bool,
    /// How it takes part in the physical world.
    pub state: PhysicsState,
    /// How wide it is, in metres.
    pub radius: f32,
}

/// Whether a body could be put somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Placed {
    /// Yes.
    At {
        /// Where, in a cell that fits.
        at: Placement,
        /// What it touches there.
        contact: Contact,
    },
    /// No: it stays where it was.
    Refused,
}

/// What a body touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contact {
    /// The same as before.
    Kept,
    /// Nothing.
    Lost,
    /// A surface with this normal.
    On(Vec3),
}

/// The ground under a place: its height there, and its normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ground {
    pub(crate) z: f32,
    pub(crate) normal: Vec3,
}

/// A body that walks stays on ground that falls away by no more than this in a step.
const STEP_DOWN: f32 = 1.5;

/// Sweeps over ground known at every point, with nothing standing on it.
pub(crate) fn sweep_over(sweep: &Sweep, ground: impl Fn(&Placement) -> Option<Ground>) -> Swept {
    let Ok(mut at) = sweep.to.settled() else { return Swept::Blocked };
    let Some(ground) = ground(&at) else {
        let contact = if sweep.footing == Footing::Grounded { Contact::Kept } else { Contact::Lost };
        return Swept::Moved { at, contact, ran_into: None };
    };
    let above = at.pose.origin().z - ground.z;
    let stays_down = sweep.footing == Footing::Grounded && above <= STEP_DOWN;
    if above > 0.0 && !stays_down {
        return Swept::Moved { at, contact: Contact::Lost, ran_into: None };
    }
    let Ok(pose) = at.pose.with_origin(at.pose.origin().with_z(ground.z)) else { return Swept::Blocked };
    at.pose = pose;
    let ran_into = (sweep.footing != Footing::Grounded).then_some(ground.normal);
    Swept::Moved { at, contact: Contact::On(ground.normal), ran_into }
}

/// Places a body over ground known at every point: within reach of the ground it stands on it.
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
