//! Arithmetic of headings in degrees, with the client's tolerances.
//!
//! All headings are at least 0 and below 360, clockwise from north. Differences within `EPSILON`
//! count as 0.

use evenstride_types::{EPSILON, update::MotionCommand};

/// Returns the angle from `from` clockwise to `to`, at least 0 and below 360.
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

/// Returns the angle that is left from `from` to `to`, in the direction in which `motion` turns.
///
/// Every motion but a turn to the right counts as a turn to the left.
///
/// Retail: `heading_diff` (11.4186 @ 0x00528FB0)
pub fn turn_left_to_do(to: f32, from: f32, motion: MotionCommand) -> f32 {
    let turn = clockwise(to, from);
    if turn > EPSILON && motion != MotionCommand::TURN_RIGHT { 360.0 - turn } else { turn }
}

/// Returns whether a turn by this motion has passed its goal.
///
/// A turn to the right must go past the goal. A turn to the left is done as soon as it reaches the
/// goal. The shorter arc decides which side is past.
///
/// Retail: `heading_greater` (11.4186 @ 0x00528F60)
pub fn is_past(heading: f32, goal: f32, motion: MotionCommand) -> bool {
    let is_greater = if (heading - goal).abs() <= 180.0 { heading > goal } else { goal > heading };
    is_greater == (motion == MotionCommand::TURN_RIGHT)
}

/// Subtracts 360 degrees once, if the angle is that large.
pub(crate) fn less_a_turn(degrees: f32) -> f32 {
    if degrees >= 360.0 { degrees - 360.0 } else { degrees }
}
