//! Arithmetic of headings, in degrees.

use evenstride_types::{EPSILON, update::MotionCommand};

/// How far clockwise from `from` to `to`, from 0 to 360.
pub(crate) fn clockwise(to: f32, from: f32) -> f32 {
    let turn = to - from;
    if turn.abs() < EPSILON {
        0.0
    } else if turn < -EPSILON {
        turn + 360.0
    } else {
        turn
    }
}

/// How far from `from` to `to`, the way this motion turns.
///
/// Retail: `heading_diff` (11.4186 @ 0x00528FB0)
pub fn turn_left_to_do(to: f32, from: f32, motion: MotionCommand) -> f32 {
    let turn = clockwise(to, from);
    if turn > EPSILON && motion != MotionCommand::TURN_RIGHT { 360.0 - turn } else { turn }
}

/// Whether a turn by this motion has come past its goal; to the left, reaching it is enough.
///
/// Retail: `heading_greater` (11.4186 @ 0x00528F60)
pub fn is_past(heading: f32, goal: f32, motion: MotionCommand) -> bool {
    let is_greater = if (heading - goal).abs() <= 180.0 { heading > goal } else { goal > heading };
    is_greater == (motion == MotionCommand::TURN_RIGHT)
}

/// One turn taken off, if there is one.
pub(crate) fn less_a_turn(degrees: f32) -> f32 {
    if degrees >= 360.0 { degrees - 360.0 } else { degrees }
}
