//! Why the motion interpreter does not begin a motion.

/// Why a motion does not begin. Each reason has the client's error number
/// ([`MotionError::client_code`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MotionError {
    /// The body has no motion table.
    #[error("it has no motion table")]
    NoTable,
    /// The body is in the air, and the motion is an action or a jump.
    #[error("it is in the air")]
    InTheAir,
    /// Crouching is possible only in the peace stance.
    #[error("it cannot crouch in combat")]
    CrouchInCombat,
    /// Sitting is possible only in the peace stance.
    #[error("it cannot sit in combat")]
    SitInCombat,
    /// Lying down is possible only in the peace stance.
    #[error("it cannot lie down in combat")]
    LieInCombat,
    /// Gestures are possible only in the peace stance.
    #[error("it cannot gesture in combat")]
    EmoteInCombat,
    /// The motion table has neither the motion nor a link to it.
    #[error("its motion table has no such motion")]
    NoMotion,
    /// Six actions are already pending.
    #[error("too many actions are pending")]
    TooManyActions,
    /// The body has no parts to move, is at the end of its tether, lacks stamina for a jump, or
    /// another reason applies.
    #[error("the motion is not possible")]
    Failed,
    /// The body cannot jump from its current motion, such as sitting, aiming or casting.
    #[error("it cannot jump from this posture")]
    CannotJump,
    /// The body carries too much to jump.
    #[error("it carries too much to jump")]
    Overloaded,
}

impl MotionError {
    /// Returns the client's error number.
    pub const fn client_code(self) -> u32 {
        match self {
            Self::NoTable => 0x07,
            Self::InTheAir => 0x24,
            Self::CrouchInCombat => 0x3F,
            Self::SitInCombat => 0x40,
            Self::LieInCombat => 0x41,
            Self::EmoteInCombat => 0x42,
            Self::NoMotion => 0x43,
            Self::TooManyActions => 0x45,
            Self::Failed => 0x47,
            Self::CannotJump => 0x48,
            Self::Overloaded => 0x49,
        }
    }

    /// Converts the jump error of a pending motion. Returns `None` for 0, which allows the jump.
    ///
    /// Pending motions store only these few numbers. Every other one becomes
    /// [`MotionError::Failed`].
    pub(crate) const fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            0 => return None,
            0x24 => Self::InTheAir,
            0x48 => Self::CannotJump,
            0x49 => Self::Overloaded,
            _ => Self::Failed,
        })
    }
}
