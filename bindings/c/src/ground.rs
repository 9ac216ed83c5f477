//! Surroundings, which are built in or answer by callbacks.

use std::{cell::Cell, ffi::c_void};

use evenstride::{
    FlatGround, OpenField, Surroundings,
    surroundings::{Contact, Footing, GroundBelow, Heightfield, Placed, Placing, Sweep, Swept},
};
use evenstride_types::Placement;

use crate::{
    place::{EvPlace, EvVec3, landblock},
    pointers::In,
    status::{Done, EvStatus, Fault},
};

/// Question how far a body gets in one step.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvSweep {
    /// Entity of the body. For `EvPlainWorld` it is the core's own number.
    pub entity: u32,
    /// Contact before the step: `EV_AIRBORNE`, `EV_LEAVING` or `EV_GROUNDED`.
    pub footing: u32,
    /// Place before the step.
    pub from: EvPlace,
    /// Place that the body would reach, in the cell of `from`. Coordinates may lie outside its landblock.
    pub to: EvPlace,
    /// Physics state bits.
    pub state: u32,
    /// Radius in metres.
    pub radius: f32,
    /// Height in metres from the origin up.
    pub height: f32,
    /// Size factor, already in radius and height.
    pub scale: f32,
    /// Unit normal of the last contact, if `has_normal` is 1.
    pub last_normal: EvVec3,
    /// 1 if `last_normal` is known.
    pub has_normal: u32,
    /// Source of `ground_z`: 0 unknown, 1 height of the take-off, 2 height in a message.
    pub ground: u32,
    /// Height of the ground below a body in the air, in metres.
    pub ground_z: f32,
    /// 1 for the local player.
    pub is_local_player: u32,
}

/// Answer to an `EvSweep`. Before the callback runs, it says that the body reaches `to` and keeps its
/// contact.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvSwept {
    /// New place. An outdoor cell is corrected to fit the coordinates.
    pub at: EvPlace,
    /// Surface after the step: `EV_CONTACT_KEPT`, `EV_CONTACT_LOST` or `EV_CONTACT_ON`.
    pub contact: u32,
    /// Normal of that surface, of any length.
    pub normal: EvVec3,
    /// 1 if the body bounces off an obstacle.
    pub has_obstacle: u32,
    /// Normal of the obstacle, of any length.
    pub obstacle: EvVec3,
}

/// Question whether a body fits somewhere.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvPlacing {
    /// Entity of the body. For `EvPlainWorld` it is the core's own number.
    pub entity: u32,
    /// 1 if the caller knows that the body stands on the ground there.
    pub grounded: u32,
    /// Requested place. Its cell need not fit its coordinates.
    pub at: EvPlace,
    /// Physics state bits.
    pub state: u32,
    /// Radius in metres.
    pub radius: f32,
    /// Height in metres from the origin up.
    pub height: f32,
    /// Size factor, already in radius and height.
    pub scale: f32,
}

/// Answer to an `EvPlacing`. Before the callback runs, it has the requested place, and contact with level
/// ground if `grounded` is 1.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvPlaced {
    /// New place. An outdoor cell is corrected to fit the coordinates.
    pub at: EvPlace,
    /// Surface there: `EV_CONTACT_KEPT`, `EV_CONTACT_LOST` or `EV_CONTACT_ON`.
    pub contact: u32,
    /// Normal of that surface, of any length.
    pub normal: EvVec3,
}

/// The body touches nothing.
pub const EV_AIRBORNE: u32 = 0;
/// The body touches a surface, and its velocity points away from it.
pub const EV_LEAVING: u32 = 1;
/// The body touches a surface and stays on it.
pub const EV_GROUNDED: u32 = 2;

/// The contact is the same as before.
pub const EV_CONTACT_KEPT: u32 = 0;
/// The body touches nothing.
pub const EV_CONTACT_LOST: u32 = 1;
/// The body touches a surface with the given normal.
pub const EV_CONTACT_ON: u32 = 2;

/// The body stays where it was, or does not fit.
pub const EV_BLOCKED: u32 = 0;
/// The body moved, or fits.
pub const EV_MOVED: u32 = 1;

/// Answers a sweep with `EV_MOVED` or `EV_BLOCKED`.
pub type EvSweepCallback =
    Option<unsafe extern "C-unwind" fn(user: *mut c_void, sweep: *const EvSweep, swept: *mut EvSwept) -> u32>;

/// Answers a placing with `EV_MOVED` or `EV_BLOCKED`.
pub type EvPlaceCallback = Option<
    unsafe extern "C-unwind" fn(user: *mut c_void, placing: *const EvPlacing, placed: *mut EvPlaced) -> u32,
>;

/// Answers 1 if the ground at a place is unknown, so that only messages tell of a landing, and 0 if not.
pub type EvLandsByUpdateCallback =
    Option<unsafe extern "C-unwind" fn(user: *mut c_void, at: *const EvPlace) -> u32>;

/// The host's geometry. The answers must depend on the arguments alone if runs are to be repeatable.
///
/// An answer with an invalid number, place or contact counts as `EV_BLOCKED`. The call then takes effect
/// and is answered with `EV_STATUS_BAD_ANSWER`. A callback that calls the same world gets
/// `EV_STATUS_BUSY` there. A Rust panic out of a callback poisons the world.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct EvSurroundings {
    /// First argument of each callback. It must stay valid as long as the surroundings are in use.
    pub user: *mut c_void,
    /// How far a body gets. Must not be null.
    pub sweep: EvSweepCallback,
    /// Whether a body fits. Must not be null.
    pub place: EvPlaceCallback,
    /// Whether only messages tell of landings. Null means no.
    pub lands_by_update: EvLandsByUpdateCallback,
}

/// The ground of a world.
#[derive(Clone, Debug)]
pub(crate) enum Ground {
    Open,
    Flat(FlatGround),
    Heights(Box<Heightfield>),
    Callbacks(Callbacks),
}

/// Callbacks of the host, and the number of their invalid answers.
#[derive(Clone, Debug)]
pub(crate) struct Callbacks {
    of: EvSurroundings,
    bad_answers: Cell<u32>,
}

// A world moves between threads with its callbacks. The rules for callers ask as much of their pointer.
// SAFETY: the pointer is only passed on to callbacks, within calls on the world.
unsafe impl Send for Callbacks {}

impl Ground {
    pub(crate) fn callbacks(of: EvSurroundings) -> Result<Self, Fault> {
        match (of.sweep, of.place) {
            (None, _) => Err(Fault::null("sweep")),
            (_, None) => Err(Fault::null("place")),
            _ => Ok(Self::Callbacks(Callbacks { of, bad_answers: Cell::new(0) })),
        }
    }

    pub(crate) fn flat(z: f32) -> Result<Self, Fault> {
        if z.is_finite() {
            return Ok(Self::Flat(FlatGround { z }));
        }
        Err(Fault::invalid("z", format!("{z} is not a height in metres")))
    }

    pub(crate) fn heights(
        corner: u32,
        spacing: f32,
        columns: u32,
        heights: &In<'_, f32>,
    ) -> Result<Self, Fault> {
        let (corner, heights) = (landblock(corner)?, heights.all("heights")?.to_vec());
        let field = Heightfield::new(corner, spacing, columns as usize, heights);
        Ok(Self::Heights(Box::new(field.map_err(|error| Fault::invalid("heightfield", error))?)))
    }

    /// Returns the fault for invalid answers since the last call.
    pub(crate) fn faults(&self) -> Done {
        match self {
            Self::Callbacks(callbacks) => match callbacks.bad_answers.take() {
                0 => Ok(()),
                count => Err(Fault::new(
                    EvStatus::BadAnswer,
                    format!("{count} answers of callbacks were invalid, and counted as blocked"),
                )),
            },
            _ => Ok(()),
        }
    }
}

impl Callbacks {
    fn bad_answer<T>(&self, instead: T) -> T {
        self.bad_answers.set(self.bad_answers.get().saturating_add(1));
        instead
    }

    fn sweep(&self, sweep: &Sweep) -> Swept {
        let Some(callback) = self.of.sweep else { return Swept::Blocked };
        let question = EvSweep::from(sweep);
        let mut swept = EvSwept { at: question.to, ..EvSwept::default() };
        // SAFETY: both structs live until the callback returns, and it keeps the contract of its type.
        let answer = unsafe { callback(self.of.user, &raw const question, &raw mut swept) };
        if answer == EV_BLOCKED {
            return Swept::Blocked;
        }
        let at = settled(&swept.at, &sweep.to);
        match (answer, at, contact(swept.contact, swept.normal)) {
            (EV_MOVED, Some(at), Some(contact)) => {
                let ran_into = (swept.has_obstacle != 0).then(|| swept.obstacle.into());
                Swept::Moved { at, contact, ran_into }
            }
            _ => self.bad_answer(Swept::Blocked),
        }
    }

    fn place(&self, placing: &Placing) -> Placed {
        let Some(callback) = self.of.place else { return Placed::Refused };
        let question = EvPlacing::from(placing);
        let contact_before = if placing.grounded { EV_CONTACT_ON } else { EV_CONTACT_LOST };
        let normal = EvVec3 { x: 0.0, y: 0.0, z: 1.0 };
        let mut placed = EvPlaced { at: question.at, contact: contact_before, normal };
        // SAFETY: as in `sweep`.
        let answer = unsafe { callback(self.of.user, &raw const question, &raw mut placed) };
        if answer == EV_BLOCKED {
            return Placed::Refused;
        }
        let at = settled(&placed.at, &placing.at);
        match (answer, at, contact(placed.contact, placed.normal)) {
            (EV_MOVED, Some(at), Some(contact)) => Placed::At { at, contact },
            _ => self.bad_answer(Placed::Refused),
        }
    }

    fn lands_by_update(&self, at: &Placement) -> bool {
        let Some(callback) = self.of.lands_by_update else { return false };
        let at = EvPlace::from(*at);
        // SAFETY: as in `sweep`.
        match unsafe { callback(self.of.user, &raw const at) } {
            0 => false,
            1 => true,
            _ => self.bad_answer(false),
        }
    }
}

/// Returns a place of a callback, in the cell that fits its coordinates. A rotation that was left alone
/// keeps its bits.
fn settled(answer: &EvPlace, asked: &Placement) -> Option<Placement> {
    let asked_raw = EvPlace::from(*asked);
    let place = if *answer == asked_raw { *asked } else { kept(answer, &asked_raw, asked)? };
    place.settled().ok()
}

fn kept(answer: &EvPlace, asked_raw: &EvPlace, asked: &Placement) -> Option<Placement> {
    let rotation = |place: &EvPlace| [place.qw, place.qx, place.qy, place.qz];
    if rotation(answer) == rotation(asked_raw) && answer.cell == asked_raw.cell {
        let pose = asked.pose.with_origin(answer.raw().origin).ok()?;
        return Some(Placement::new(asked.cell, pose));
    }
    answer.check("at").ok()
}

fn contact(number: u32, normal: EvVec3) -> Option<Contact> {
    match number {
        EV_CONTACT_KEPT => Some(Contact::Kept),
        EV_CONTACT_LOST => Some(Contact::Lost),
        EV_CONTACT_ON => Some(Contact::On(normal.into())),
        _ => None,
    }
}

impl From<&Sweep> for EvSweep {
    fn from(sweep: &Sweep) -> Self {
        let (ground, ground_z) = match sweep.ground {
            GroundBelow::TookOff(z) => (1, z),
            GroundBelow::Heard(z) => (2, z),
            _ => (0, 0.0),
        };
        Self {
            entity: sweep.entity.raw(),
            footing: match sweep.footing {
                Footing::Leaving => EV_LEAVING,
                Footing::Grounded => EV_GROUNDED,
                _ => EV_AIRBORNE,
            },
            from: sweep.from.into(),
            to: sweep.to.into(),
            state: sweep.state.bits(),
            radius: sweep.radius,
            height: sweep.height,
            scale: sweep.scale,
            last_normal: sweep.last_normal.map(EvVec3::from).unwrap_or_default(),
            has_normal: sweep.last_normal.is_some().into(),
            ground,
            ground_z,
            is_local_player: sweep.is_local_player.into(),
        }
    }
}

impl From<&Placing> for EvPlacing {
    fn from(placing: &Placing) -> Self {
        Self {
            entity: placing.entity.raw(),
            grounded: placing.grounded.into(),
            at: placing.at.into(),
            state: placing.state.bits(),
            radius: placing.radius,
            height: placing.height,
            scale: placing.scale,
        }
    }
}

/// Passes each question to the ground of the world.
macro_rules! each {
    ($ground:expr, $of:ident => $answer:expr) => {
        match $ground {
            Ground::Open => {
                let $of = &OpenField;
                $answer
            }
            Ground::Flat($of) => $answer,
            Ground::Heights($of) => $answer,
            Ground::Callbacks($of) => $answer,
        }
    };
}

impl Surroundings for Ground {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        each!(self, of => of.sweep(sweep))
    }

    fn place(&self, placing: &Placing) -> Placed {
        each!(self, of => of.place(placing))
    }

    fn lands_by_update(&self, at: &Placement) -> bool {
        each!(self, of => of.lands_by_update(at))
    }

    fn is_open(&self) -> bool {
        matches!(self, Self::Open)
    }
}
