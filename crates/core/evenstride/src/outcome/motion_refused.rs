//! Why a motion is not done.

/// Why a motion is not done, by the client's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MotionRefused {
    /// Nothing knows how it moves.
    #[error("it has no motion table")]
    NoTable,
    /// It is in the air.
    #[error("it is in the air")]
    InTheAir,
    /// Not in a stance of combat.
    #[error("it cannot crouch in combat")]
    CrouchInCombat,
    /// Not in a stance of combat.
    #[error("it cannot sit in combat")]
    SitInCombat,
    /// Not in a stance of combat.
    #[error("it cannot lie down in combat")]
    LieInCombat,
    /// Not in a stance of combat.
    #[error("it cannot gesture in combat")]
    EmoteInCombat,
    /// Its motion table has nothing for it.
    #[error("its motion table has nothing for it")]
    NoMotion,
    /// Six wait already.
    #[error("too many actions wait already")]
    TooManyActions,
    /// Nothing can be moved, or something else is wrong.
    #[error("it cannot be done")]
    Failed,
    /// Not out of this position.
    #[error("it cannot jump out of this position")]
    CannotJump,
    /// It carries too much.
    #[error("it carries too much to jump")]
    Overloaded,
}

impl MotionRefused {
    /// The client's number for it.
    pub const fn code(self) -> u32 {
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
