//! How fast a body moves by its own legs: the slice of the motion interpreter that routes and jumps need.

use evenstride_types::{
    EPSILON, Vec3, length,
    update::{CommandIndex, CommandTable, InterpretedState, MotionCommand},
};

/// Metres a second of walking at speed 1.
///
/// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
pub const WALK_SPEED: f32 = 3.12;

/// Metres a second of running at speed 1.
///
/// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
pub const RUN_SPEED: f32 = 4.0;

/// Metres a second of stepping sideways at speed 1.
///
/// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
pub const SIDESTEP_SPEED: f32 = 1.25;

/// Largest speed factor an update may carry. A safety bound: the largest the game uses is 4.5, the client has no limit.
pub const SPEED_LIMIT: f32 = 1000.0;

/// Commands and speeds of the three axes, and how fast the body can run.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "CMotionInterp")]
pub struct Gait {
    /// Stance.
    pub style: MotionCommand,
    /// Forward axis.
    pub forward: MotionCommand,
    /// Its speed.
    pub forward_speed: f32,
    /// Sideways axis, if it is in use.
    pub sidestep: Option<MotionCommand>,
    /// Its speed.
    pub sidestep_speed: f32,
    /// Turning axis, if it is in use.
    pub turn: Option<MotionCommand>,
    /// Its speed.
    pub turn_speed: f32,
    /// How many times faster than the slowest runner.
    pub run_rate: f32,
    /// Divides the running speed. 1 in the client, and written nowhere.
    pub speed_factor: f32,
}

impl Gait {
    /// Standing.
    pub const STANDING: Self = Self {
        style: MotionCommand::NON_COMBAT,
        forward: MotionCommand::READY,
        forward_speed: 1.0,
        sidestep: None,
        sidestep_speed: 1.0,
        turn: None,
        turn_speed: 1.0,
        run_rate: 1.0,
        speed_factor: 1.0,
    };

    /// The state a movement message of type 0 says, and the run rate it implies.
    ///
    /// # Errors
    /// [`InvalidSpeed`] when a speed is not finite or beyond [`SPEED_LIMIT`].
    ///
    /// Retail: `CMotionInterp::move_to_interpreted_state` (11.4186 @ 0x005289C0)
    pub(crate) fn after(&self, state: &InterpretedState, table: CommandTable) -> Result<Self, InvalidSpeed> {
        let command = |index| MotionCommand::from_index(index, table);
        let mut next = Self {
            style: state.style.and_then(command).unwrap_or(MotionCommand::NON_COMBAT),
            forward: state.forward.and_then(command).unwrap_or(MotionCommand::READY),
            forward_speed: checked_speed("forward_speed", state.forward_speed)?,
            sidestep: state.sidestep.and_then(command),
            sidestep_speed: checked_speed("sidestep_speed", state.sidestep_speed)?,
            turn: state.turn.and_then(command),
            turn_speed: checked_speed("turn_speed", state.turn_speed)?,
            ..*self
        };
        if next.forward == MotionCommand::RUN_FORWARD {
            next.run_rate = next.forward_speed;
        }
        Ok(next)
    }

    /// Standing, in the same stance.
    ///
    /// Retail: `CMotionInterp::StopCompletely` (11.4186 @ 0x00527E40)
    pub(crate) fn stopped(&self) -> Self {
        let forward = MotionCommand::READY;
        Self { forward, forward_speed: 1.0, sidestep: None, turn: None, ..*self }
    }

    /// In another stance, standing if that is a change. Index 0 is no stance: servers send it for "as it is".
    pub(crate) fn in_style(&self, style: CommandIndex, table: CommandTable) -> Self {
        match MotionCommand::from_index(style, table) {
            Some(style) if style != self.style && style.index() != CommandIndex(0) && style.is_style() => {
                Self { style, forward: MotionCommand::READY, ..*self }
            }
            _ => *self,
        }
    }

    /// The same gait with another run rate, as move-to messages bring one.
    ///
    /// # Errors
    /// [`InvalidSpeed`] when the rate is not finite or beyond [`SPEED_LIMIT`].
    pub(crate) fn with_run_rate(&self, run_rate: f32) -> Result<Self, InvalidSpeed> {
        Ok(Self { run_rate: checked_speed("run_rate", Some(run_rate))?, ..*self })
    }

    /// Whether every speed of it can be one.
    ///
    /// # Errors
    /// [`InvalidSpeed`] naming the first that cannot.
    pub fn check(&self) -> Result<(), InvalidSpeed> {
        checked_speed("forward_speed", Some(self.forward_speed))?;
        checked_speed("sidestep_speed", Some(self.sidestep_speed))?;
        checked_speed("turn_speed", Some(self.turn_speed))?;
        checked_speed("run_rate", Some(self.run_rate))?;
        // It divides: nothing near zero.
        if self.speed_factor.abs() < EPSILON {
            return Err(InvalidSpeed { field: "speed_factor", value: self.speed_factor });
        }
        checked_speed("speed_factor", Some(self.speed_factor)).map(|_| ())
    }

    /// The fastest the body runs, in metres a second, whatever it is doing.
    ///
    /// Retail: `CMotionInterp::get_max_speed` (11.4186 @ 0x00527CB0)
    #[doc(alias = "get_max_speed")]
    #[inline]
    pub fn top_speed(&self) -> f64 {
        f64::from(RUN_SPEED) * f64::from(self.run_rate)
    }

    /// The same, but the speed it runs at if it is running.
    ///
    /// Retail: `CMotionInterp::get_adjusted_max_speed` (11.4186 @ 0x00527D00)
    #[doc(alias = "get_adjusted_max_speed")]
    #[inline]
    pub fn present_top_speed(&self) -> f64 {
        if self.forward == MotionCommand::RUN_FORWARD {
            f64::from(RUN_SPEED) * (f64::from(self.forward_speed) / f64::from(self.speed_factor))
        } else {
            self.top_speed()
        }
    }

    /// Velocity of the legs on the ground, own axes. Unlike the velocity at take-off it has no limit.
    pub(crate) fn leg_velocity(&self) -> Vec3 {
        let ahead = match self.forward {
            MotionCommand::WALK_FORWARD => WALK_SPEED * self.forward_speed,
            MotionCommand::RUN_FORWARD => RUN_SPEED * self.forward_speed,
            _ => 0.0,
        };
        let aside = match self.sidestep {
            Some(MotionCommand::SIDESTEP_RIGHT) => SIDESTEP_SPEED * self.sidestep_speed,
            _ => 0.0,
        };
        Vec3::new(aside, ahead, 0.0)
    }

    /// Velocity of walking, running and stepping sideways, in the body's own axes; never faster than it can run.
    ///
    /// Retail: `CMotionInterp::get_state_velocity` (11.4186 @ 0x00527D50)
    #[doc(alias = "get_state_velocity")]
    pub fn velocity(&self) -> Vec3 {
        let velocity = self.leg_velocity();
        let (speed, top) = (length(velocity), self.top_speed());
        // A body at rest is never scaled: a negative run rate would make that 0/0 (the client's NaN, refused here).
        if speed > top && speed > 0.0 { (velocity.as_dvec3() * (top / speed)).as_vec3() } else { velocity }
    }

    /// Velocity with which the body leaves the ground, in its own axes; `None` when the gait has nothing to say and the body
    /// keeps what it has.
    ///
    /// Retail: `CMotionInterp::get_leave_ground_velocity` (11.4186 @ 0x005280C0)
    pub(crate) fn leave_ground_velocity(&self) -> Option<Vec3> {
        let velocity = self.velocity();
        (!evenstride_types::is_nearly_zero(velocity)).then_some(velocity)
    }
}

impl Default for Gait {
    fn default() -> Self {
        Self::STANDING
    }
}

/// A speed that cannot be meant.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{field}: {value} is not a speed factor (finite, at most {SPEED_LIMIT} either way)")]
pub struct InvalidSpeed {
    /// Which.
    pub field: &'static str,
    /// As given.
    pub value: f32,
}

fn checked_speed(field: &'static str, speed: Option<f32>) -> Result<f32, InvalidSpeed> {
    let value = speed.unwrap_or(1.0);
    if value.abs() <= SPEED_LIMIT { Ok(value) } else { Err(InvalidSpeed { field, value }) }
}

/// Twice the present top speed; a body that cannot move by itself is moved at [`FALLBACK_CHASE_SPEED`].
///
/// Retail: `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
#[inline]
pub(crate) fn chase_speed(gait: &Gait) -> f32 {
    or_fallback(2.0 * gait.present_top_speed(), FALLBACK_CHASE_SPEED) as f32
}

/// Five times the top speed; a body that cannot move by itself is moved at [`FALLBACK_FOLLOW_SPEED`].
///
/// Retail: `StickyManager::adjust_offset` (11.4186 @ 0x00555430)
pub(crate) fn follow_speed(gait: &Gait) -> f64 {
    or_fallback(5.0 * gait.top_speed(), FALLBACK_FOLLOW_SPEED)
}

/// Closing speed on a route, in m/s, when the gait yields none. A fallback, not a ceiling.
///
/// Retail: `MAX_INTERPOLATED_VELOCITY`, read by `InterpolationManager::adjust_offset` (11.4186 @ 0x00555D30)
/// Disputed: the acclient notes have it as a ceiling.
pub const FALLBACK_CHASE_SPEED: f32 = 7.5;

/// Closing speed of a follow, in m/s, when the gait yields none.
///
/// Retail: `StickyManager::adjust_offset` (11.4186 @ 0x00555430)
pub const FALLBACK_FOLLOW_SPEED: f32 = 15.0;

#[inline]
fn or_fallback(speed: f64, fallback: f32) -> f64 {
    if speed < f64::from(EPSILON) { f64::from(fallback) } else { speed }
}

#[cfg(test)]
mod tests {
    use evenstride_types::{nearly_equal, update::CommandIndex};

    use super::*;

    fn state(forward: u16, forward_speed: f32) -> InterpretedState {
        InterpretedState {
            forward: Some(CommandIndex(forward)),
            forward_speed: Some(forward_speed),
            ..InterpretedState::default()
        }
    }

    #[test]
    fn worked_speeds() {
        let walk_aside = Gait {
            forward: MotionCommand::WALK_FORWARD,
            sidestep: Some(MotionCommand::SIDESTEP_RIGHT),
            sidestep_speed: 1.248,
            ..Gait::STANDING
        };
        assert!(nearly_equal(walk_aside.velocity(), Vec3::new(1.56, 3.12, 0.0)));
        let run_aside = Gait { forward: MotionCommand::RUN_FORWARD, ..walk_aside };
        assert!(nearly_equal(run_aside.velocity(), Vec3::new(1.4534, 3.7266, 0.0)));
    }

    #[test]
    fn running_sets_the_run_rate_and_walking_keeps_it() {
        let running = Gait::STANDING.after(&state(7, 2.5), CommandTable::Final).unwrap();
        assert_eq!((running.forward, running.run_rate), (MotionCommand::RUN_FORWARD, 2.5));
        let walking = running.after(&state(5, 1.0), CommandTable::Final).unwrap();
        assert_eq!((walking.run_rate, walking.present_top_speed()), (2.5, 10.0));
        let standing = walking.after(&InterpretedState::default(), CommandTable::Final).unwrap();
        assert_eq!((standing.forward, standing.leave_ground_velocity()), (MotionCommand::READY, None));
    }

    #[test]
    fn broken_speeds_are_refused_by_name() {
        use alloc::string::ToString;
        for broken in [f32::NAN, f32::INFINITY, 1e30] {
            assert!(Gait::STANDING.after(&state(7, broken), CommandTable::Final).is_err());
        }
        let error = Gait::STANDING.after(&state(7, f32::NAN), CommandTable::Final).unwrap_err();
        assert!(error.to_string().starts_with("forward_speed: NaN is not a speed factor"));
    }

    #[test]
    fn a_negative_run_rate_yields_no_nan() {
        let odd = Gait { run_rate: -1.0, ..Gait::STANDING };
        assert!(odd.velocity().is_finite());
    }

    #[test]
    fn who_cannot_run_is_last_velocity_the_fallback() {
        let lame = Gait { run_rate: 0.0, ..Gait::STANDING };
        assert_eq!((chase_speed(&lame), follow_speed(&lame)), (7.5, 15.0));
    }
}
