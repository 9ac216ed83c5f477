//! The turn that corrects the course of a body on its way to a goal.
//!
//! A body aims at its goal before it goes. On the way it turns only if the aim is off by more than
//! 20°. Every step of every such body needs this, so a test without arc tangents comes first.

use evenstride_types::{Placement, update::MotionCommand};

use crate::motion::{
    goal::{
        choice::facing,
        turns::{clockwise, less_a_turn},
    },
    interpreted_motion::NONE,
};

/// Deviation from the aim, in degrees, up to which a body goes straight on.
///
/// Retail: `MoveToManager::HandleMoveToPosition` (11.4186 @ 0x00529D80)
const DEAD_ZONE_DEG: f32 = 20.0;

/// Squared cosine of 19.5°. Above it the aim is certainly within the dead zone.
const SURELY_STRAIGHT: f64 = 0.888_573_0;
/// Squared cosine of 20.5°. Below it the aim is certainly outside the dead zone.
const SURELY_ASTRAY: f64 = 0.877_354_8;

/// Returns the turn towards a place for a body whose motion is `command`, or `NONE` to go straight
/// on.
pub(crate) fn steer(
    here: &Placement,
    towards: &Placement,
    command: MotionCommand,
    is_away: bool,
) -> MotionCommand {
    let facing = facing(command, is_away);
    at_a_glance(here, towards, facing).unwrap_or_else(|| exactly(here, towards, facing))
}

/// Returns the turn by the client's arithmetic, in degrees and with two arc tangents.
fn exactly(here: &Placement, towards: &Placement, facing: f32) -> MotionCommand {
    let aim = less_a_turn(here.heading_to(towards).degrees() + facing);
    correction(clockwise(aim, here.pose.heading().degrees()))
}

/// Returns the turn for an aim that lies `turn` degrees clockwise. The body turns the shorter way,
/// and to the left at exactly 180°.
pub(crate) fn correction(turn: f32) -> MotionCommand {
    match turn {
        turn if turn <= DEAD_ZONE_DEG || turn >= 360.0 - DEAD_ZONE_DEG => NONE,
        turn if turn < 180.0 => MotionCommand::TURN_RIGHT,
        _ => MotionCommand::TURN_LEFT,
    }
}

/// Returns the same turn as `exactly`, without arc tangents. Returns `None` where rounding could
/// change the result.
///
/// This is the case within half a degree of a limit, straight behind, and within a centimetre of
/// the goal. A test compares both functions over all directions.
fn at_a_glance(here: &Placement, towards: &Placement, facing: f32) -> Option<MotionCommand> {
    // The body's own +Y, seen from above.
    let [w, x, y, z] = here.pose.rotation().to_wxyz().map(f64::from);
    let (east, north) = (2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z));
    let way = here.offset_to(towards).as_dvec3() * if facing == 0.0 { 1.0 } else { -1.0 };
    let along = east * way.x + north * way.y;
    let across = east * way.y - north * way.x;
    let lengths = (east * east + north * north) * (way.x * way.x + way.y * way.y);
    if lengths < 1e-4 {
        return None;
    }
    if along > 0.0 && along * along > SURELY_STRAIGHT * lengths {
        return Some(NONE);
    }
    let is_astray = along < 0.0 || along * along < SURELY_ASTRAY * lengths;
    // Straight behind, rounding decides between left and right.
    let has_a_side = across * across > 1e-4 * lengths;
    match is_astray && has_a_side {
        true if across < 0.0 => Some(MotionCommand::TURN_RIGHT),
        true => Some(MotionCommand::TURN_LEFT),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use evenstride_types::{CellId, Heading, Pose, Rotation, Vec3};

    use super::*;

    #[test]
    fn a_glance_never_differs_from_the_exact_answer() {
        let at = |x: f32, y: f32, degrees: f32| {
            let rotation = Rotation::facing(Heading::from_degrees(degrees).unwrap());
            let pose = Pose::new(Vec3::new(x, y, 3.0), rotation).unwrap();
            Placement::new(CellId::new(0xA9B4_0001).unwrap(), pose)
        };
        let (mut seen, mut exact) = (0, 0);
        for own in 0..120u16 {
            for bearing in 0..720u16 {
                for metres in [0.005, 0.3, 7.0, 90.0] {
                    let towards = Heading::from_degrees(f32::from(bearing) * 0.5).unwrap().direction();
                    let here = at(100.0, 100.0, f32::from(own) * 3.0);
                    let there = at(100.0 + towards.x * metres, 100.0 + towards.y * metres, 0.0);
                    for facing in [0.0, 180.0] {
                        match at_a_glance(&here, &there, facing) {
                            Some(answer) => {
                                assert_eq!(
                                    answer,
                                    exactly(&here, &there, facing),
                                    "{own} {bearing} {metres}"
                                );
                                seen += 1;
                            }
                            None => exact += 1,
                        }
                    }
                }
            }
        }
        assert!(seen > 2 * exact, "{seen} {exact}");
    }
}
