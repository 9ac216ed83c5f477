//! How a movement under the server's control ended.

use core::fmt;

use crate::outcome::MotionRefused;

/// How a movement under the server's control ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveToEnd {
    /// It is done.
    Done,
    /// It was to go to itself.
    IsTarget,
    /// Something else was to be done.
    Interrupted,
    /// The target left or was put elsewhere.
    TargetGone,
    /// The target was never heard of.
    TargetUnknown,
    /// It was put elsewhere itself.
    Teleported,
    /// It went farther than it was to.
    TooFar,
    /// Its legs cannot do it.
    Refused(MotionRefused),
}

impl MoveToEnd {
    /// The client's number for it; 0 when all is well.
    pub const fn code(self) -> u32 {
        match self {
            Self::Done | Self::IsTarget => 0,
            Self::Interrupted => 0x36,
            Self::TargetGone => 0x37,
            Self::TargetUnknown => 0x38,
            Self::Teleported => 0x3C,
            Self::TooFar => 0x3D,
            Self::Refused(refused) => refused.code(),
        }
    }
}

impl fmt::Display for MoveToEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("done"),
            Self::IsTarget => f.write_str("it was to go to itself"),
            Self::Interrupted => f.write_str("something else was to be done"),
            Self::TargetGone => f.write_str("its target left, or was put elsewhere"),
            Self::TargetUnknown => f.write_str("nothing was heard of its target"),
            Self::Teleported => f.write_str("it was put elsewhere itself"),
            Self::TooFar => f.write_str("it went farther than it was to"),
            Self::Refused(refused) => write!(f, "its legs refused: {refused}"),
        }
    }
}
