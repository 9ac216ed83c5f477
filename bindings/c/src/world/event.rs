//! Happenings as plain structs.

use evenstride::Happening;
use evenstride_types::SimTime;

/// Something that happened to an entity. `code` decides which other fields have a meaning.
///
/// | happening | reason | other | value | number |
/// |---|---|---|---|---|
/// | removed, snapped, move-to ended | number of the reason | | | metres |
/// | attached | | holder | location | |
/// | hidden | 1 hidden, 0 visible | | | |
/// | took off, landed | | | | metres per second |
/// | hook | | kind | argument | |
/// | action done | 1 if played to its end | | motion command | |
/// | follow began, set out | | target | | |
/// | parked updates expired or replayed | | | number of updates | |
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvEvent {
    /// Seconds.
    pub time: f64,
    /// Entity that it happened to. It may be gone.
    pub entity: u32,
    /// Number of the happening (`docs/codes.md`, `evenstride_codes.h`).
    pub code: u16,
    /// See the table above.
    pub reason: u16,
    /// See the table above.
    pub other: u32,
    /// See the table above.
    pub value: u32,
    /// See the table above.
    pub number: f32,
    /// Not used, 0.
    pub reserved: u32,
}

impl EvEvent {
    pub(crate) fn of(at: SimTime, entity: u32, happening: &Happening) -> Self {
        let Details { reason, other, value, number } = Details::of(happening);
        let (time, code) = (at.as_secs(), happening.code());
        Self { time, entity, code, reason, other, value, number, reserved: 0 }
    }
}

/// The fields of a happening, besides its time and its entity.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Details {
    pub(crate) reason: u16,
    pub(crate) other: u32,
    pub(crate) value: u32,
    pub(crate) number: f32,
}

impl Details {
    pub(crate) fn of(happening: &Happening) -> Self {
        let none = Self::default();
        match *happening {
            Happening::Position { stamp, waiting, metres, .. } => {
                Self { value: stamp.raw().into(), other: waiting.into(), number: metres, ..none }
            }
            Happening::Movement { stamp, forward, speed, .. } => {
                Self { value: stamp.raw().into(), other: forward.into(), number: speed, ..none }
            }
            Happening::Vector { stamp, rise, .. } => Self { value: stamp.raw().into(), number: rise, ..none },
            Happening::Replayed { count } | Happening::ParkedExpired { count } => {
                Self { value: count, ..none }
            }
            Happening::Removed(reason) => Self { reason: reason.code(), ..none },
            Happening::Attached { holder, location } => Self { other: holder.raw(), value: location, ..none },
            Happening::Hidden(is_hidden) => Self { reason: is_hidden.into(), ..none },
            Happening::Reached { left } => Self { value: left.into(), ..none },
            Happening::GivenUp { headway, given_up } => {
                Self { value: given_up.into(), number: headway, ..none }
            }
            Happening::Placed { metres } => Self { number: metres, ..none },
            Happening::Snapped { reason, metres } => Self { reason: reason.code(), number: metres, ..none },
            Happening::TookOff { rise } => Self { number: rise, ..none },
            Happening::Landed { speed } => Self { number: speed, ..none },
            Happening::Legs { table, own, origin } => {
                Self { reason: origin.code(), other: table, value: own, ..none }
            }
            Happening::OtherLegs { meant, does } => Self { other: meant.into(), value: does.into(), ..none },
            Happening::Hook { kind, value } => Self { other: kind, value, ..none },
            Happening::ActionDone { action, is_complete } => {
                Self { reason: is_complete.into(), value: action.0, ..none }
            }
            Happening::FollowBegan { target } => Self { other: target.raw(), ..none },
            Happening::SetOut { target } => Self { other: target.map_or(0, |target| target.raw()), ..none },
            Happening::OnItsWay { target, metres, steering, .. } => {
                Self { reason: steering.code(), other: target.raw(), number: metres, ..none }
            }
            Happening::Turns { steering, heading } => {
                Self { reason: steering.code(), number: heading, ..none }
            }
            Happening::MoveToEnded { end, metres } => Self { reason: end.code(), number: metres, ..none },
            _ => none,
        }
    }
}
