//! Stable numbers of outcomes, for hosts that are not written in Rust.
//!
//! A number never changes its meaning and is never reused. New variants get new numbers.
//! `cargo xtask docs` writes the table to `docs/codes.md`, and `cargo xtask test` compares it.

use alloc::vec::Vec;

use crate::outcome::{
    CreateHow, Disposition, DropReason, Enqueued, IgnoreReason, MoveToEnd, ParkReason, PartReason,
    PlaceReason, RefuseReason, RemoveReason, Steering, TableOrigin,
};

/// Error for a number that no variant of a type has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code} is not a code of {type_name}")]
#[non_exhaustive]
pub struct CodeError {
    /// Name of the type.
    pub type_name: &'static str,
    /// Number that was given.
    pub code: u16,
}

/// Stable numbers of the variants of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodeTable {
    /// Name of the type.
    pub type_name: &'static str,
    /// Each variant with its number.
    pub codes: &'static [(&'static str, u16)],
}

/// Gives an enum its numbers. With `both ways`, numbers convert back too.
macro_rules! codes {
    ($type:ident { $($variant:ident = $code:literal),* $(,)? }) => {
        impl $type {
            /// Stable numbers of all variants.
            pub const CODES: $crate::outcome::CodeTable = $crate::outcome::codes::table(
                stringify!($type),
                &[$((stringify!($variant), $code)),*],
            );

            /// Returns the stable number of the variant, for hosts in other languages.
            pub const fn code(&self) -> u16 {
                match self { $(Self::$variant { .. } => $code),* }
            }
        }
    };
    (both ways $type:ident { $($variant:ident = $code:literal),* $(,)? }) => {
        $crate::outcome::codes::codes!($type { $($variant = $code),* });

        impl $type {
            /// Returns the variant of a number from [`code`](Self::code).
            ///
            /// # Errors
            /// [`CodeError`](crate::outcome::CodeError) if no variant has this number.
            pub const fn from_code(code: u16) -> Result<Self, $crate::outcome::CodeError> {
                match code {
                    $($code => Ok(Self::$variant),)*
                    _ => Err($crate::outcome::codes::no_code(stringify!($type), code)),
                }
            }
        }
    };
}
pub(crate) use codes;

codes!(Disposition {
    Applied = 1,
    AppliedInPart = 2,
    Queued = 3,
    Placed = 4,
    Created = 5,
    Merged = 6,
    Removed = 7,
    Ignored = 8,
    Parked = 9,
    Dropped = 10,
    Refused = 11,
});
codes!(both ways Enqueued { Near = 1, Far = 2, AlreadyThere = 3 });
codes!(both ways PartReason { UnknownMovement = 1 });
codes!(both ways CreateHow { New = 1, Replaced = 2, Adopted = 3 });
codes!(both ways PlaceReason {
    Teleport = 1,
    EntersWorld = 2,
    FarFromViewpoint = 3,
    DistanceUnknown = 4,
    Landing = 5,
    Corrected = 6,
    GaveUp = 7,
    GaveUpLast = 8,
    LandingOverdue = 9,
});
codes!(both ways IgnoreReason {
    OlderInstance = 1,
    StalePosition = 2,
    StalePositionNewerTeleport = 3,
    StaleTeleport = 4,
    Airborne = 5,
    StaleVector = 6,
    StaleMovement = 7,
    StaleServerControl = 8,
    StaleState = 9,
    Echo = 10,
    PlayerDecides = 11,
    PlayerNowhere = 12,
    LocalPlayerStays = 13,
    PlayerKnown = 14,
    NoLocalPlayer = 15,
    NotUnderstood = 16,
    Suspended = 17,
});
codes!(both ways ParkReason { UnknownEntity = 1, NewerInstance = 2, UnknownHolder = 3 });
codes!(both ways DropReason { OldBodyStillThere = 1, NoRoom = 2 });
codes!(RefuseReason {
    Position = 1,
    Vector = 2,
    Speed = 3,
    MoveTo = 4,
    Setup = 5,
    HoldsItself = 6,
    HeldTooDeep = 7,
});
codes!(both ways RemoveReason { Deleted = 1, Replaced = 2, Described = 3, Forgotten = 4, ByHost = 5 });
codes!(MoveToEnd {
    Done = 1,
    IsTarget = 2,
    Interrupted = 3,
    TargetGone = 4,
    TargetUnknown = 5,
    Teleported = 6,
    TooFar = 7,
    Refused = 8,
});
codes!(both ways Steering { Straight = 1, Left = 2, Right = 3 });
codes!(both ways TableOrigin { BuiltIn = 1, Added = 2 });

impl Disposition {
    /// Returns the stable number of the reason, or 0 if there is none.
    ///
    /// The number belongs to the type of the reason, such as [`IgnoreReason`]. For
    /// [`Disposition::Merged`] it is the bit set of the parts.
    ///
    /// ```
    /// use evenstride::{Disposition, outcome::IgnoreReason};
    ///
    /// let answer = Disposition::Ignored(IgnoreReason::Echo);
    /// assert_eq!((answer.code(), answer.reason_code()), (8, 10));
    /// assert_eq!(IgnoreReason::from_code(10), Ok(IgnoreReason::Echo));
    /// assert_eq!(IgnoreReason::from_code(99).unwrap_err().to_string(), "99 is not a code of IgnoreReason");
    /// ```
    pub const fn reason_code(&self) -> u16 {
        match self {
            Self::Applied | Self::Removed => 0,
            Self::AppliedInPart(reason) => reason.code(),
            Self::Queued(enqueued) => enqueued.code(),
            Self::Placed { reason, .. } => reason.code(),
            Self::Created { how } => how.code(),
            Self::Merged(parts) => parts.bits() as u16,
            Self::Ignored(reason) => reason.code(),
            Self::Parked(reason) => reason.code(),
            Self::Dropped(reason) => reason.code(),
            Self::Refused(reason) => reason.code(),
        }
    }
}

/// Returns the stable numbers of all outcomes, without those of
/// [`Happening::CODES`](crate::Happening::CODES).
pub fn code_tables() -> Vec<CodeTable> {
    [
        Disposition::CODES,
        Enqueued::CODES,
        PartReason::CODES,
        CreateHow::CODES,
        PlaceReason::CODES,
        IgnoreReason::CODES,
        ParkReason::CODES,
        DropReason::CODES,
        RefuseReason::CODES,
        RemoveReason::CODES,
        MoveToEnd::CODES,
        Steering::CODES,
        TableOrigin::CODES,
    ]
    .into()
}

/// Makes a table, for the macro.
pub(crate) const fn table(type_name: &'static str, codes: &'static [(&'static str, u16)]) -> CodeTable {
    CodeTable { type_name, codes }
}

/// Makes the error for a number that no variant has, for the macro.
pub(crate) const fn no_code(type_name: &'static str, code: u16) -> CodeError {
    CodeError { type_name, code }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;
    use crate::journal::Happening;

    #[test]
    fn no_number_is_zero_or_used_twice() {
        for CodeTable { type_name, codes } in code_tables().into_iter().chain([Happening::CODES]) {
            let numbers: BTreeSet<u16> = codes.iter().map(|(_, code)| *code).collect();
            let names: BTreeSet<&str> = codes.iter().map(|(name, _)| *name).collect();
            assert!(!numbers.contains(&0), "{type_name}");
            assert_eq!([numbers.len(), names.len()], [codes.len(); 2], "{type_name}");
        }
    }
}
