//! How a body that goes somewhere steers.

use evenstride_types::update::MotionCommand;

/// What a body that goes somewhere does about its heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "aux_command")]
pub enum Steering {
    /// Straight on.
    Straight,
    /// A turn to the left.
    Left,
    /// A turn to the right.
    Right,
}

impl Steering {
    pub(crate) const fn of(motion: MotionCommand) -> Self {
        match motion {
            MotionCommand::TURN_LEFT => Self::Left,
            MotionCommand::TURN_RIGHT => Self::Right,
            _ => Self::Straight,
        }
    }
}
