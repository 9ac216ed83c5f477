//! How a move-to ended.

use core::fmt;

use crate::outcome::MotionError;

/// How a movement under server control ended. Hosts see it in events and explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveToEnd {
    /// The body arrived at its goal, or faces it.
    Done,
    /// The target was the body itself, so the move-to was done at once.
    IsTarget,
    /// Another movement, a key or a new animation library took over.
    Interrupted,
    /// The target left the world or was placed elsewhere after the body had set out.
    TargetGone,
    /// No notice of the target came in time, or the target left before the body could set out.
    TargetUnknown,
    /// The body itself was placed elsewhere, or left the world.
    Teleported,
    /// The body went farther from its start than the move-to allows.
    TooFar,
    /// The motion interpreter refused a motion that the move-to needs.
    Refused(MotionError),
}

impl MoveToEnd {
    /// Returns the client's error number, or 0 for success.
    pub const fn client_code(self) -> u32 {
        match self {
            Self::Done | Self::IsTarget => 0,
            Self::Interrupted => 0x36,
            Self::TargetGone => 0x37,
            Self::TargetUnknown => 0x38,
            Self::Teleported => 0x3C,
            Self::TooFar => 0x3D,
            Self::Refused(refused) => refused.client_code(),
        }
    }
}

impl fmt::Display for MoveToEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("done"),
            Self::IsTarget => f.write_str("its target is itself"),
            Self::Interrupted => f.write_str("another movement began"),
            Self::TargetGone => f.write_str("its target left, or was placed elsewhere"),
            Self::TargetUnknown => f.write_str("its target stayed unknown"),
            Self::Teleported => f.write_str("it was placed elsewhere"),
            Self::TooFar => f.write_str("it went farther than its limit"),
            Self::Refused(refused) => write!(f, "the motion was refused: {refused}"),
        }
    }
}
