//! How a body under server control steers.

use evenstride_types::update::MotionCommand;

/// Direction in which a body turns during a move-to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "aux_command")]
#[non_exhaustive]
pub enum Steering {
    /// The body does not turn.
    Straight,
    /// The body turns counter-clockwise.
    Left,
    /// The body turns clockwise.
    Right,
}

impl Steering {
    /// Converts a turn command. Every other command counts as straight.
    pub(crate) const fn of(motion: MotionCommand) -> Self {
        match motion {
            MotionCommand::TURN_LEFT => Self::Left,
            MotionCommand::TURN_RIGHT => Self::Right,
            _ => Self::Straight,
        }
    }
}
