//! From keys to a gait.

use evenstride_types::update::{HoldKey, MotionCommand, RawAxis, RawState};

use crate::gait::{Gait, SIDESTEP_SPEED, WALK_SPEED};

/// Radians a second of turning at speed 1: what the client's turning cycles come to.
pub const TURN_SPEED: f32 = core::f32::consts::FRAC_PI_2;

/// Walking backwards is this much slower.
///
/// Retail: `CMotionInterp::adjust_motion` (11.4186 @ 0x00528010)
pub const BACKWARDS_FACTOR: f32 = 0.65;

/// Stepping sideways is half as fast as walking.
///
/// Retail: `CMotionInterp::adjust_motion` (11.4186 @ 0x00528010)
pub const SIDESTEP_FACTOR: f32 = WALK_SPEED / SIDESTEP_SPEED * 0.5;

/// Whoever runs turns this much faster.
///
/// Retail: `CMotionInterp::apply_run_to_command` (11.4186 @ 0x00527BE0)
pub(crate) const RUN_TURN: f32 = 1.5;

/// Fastest sidestep of a runner.
///
/// Retail: `CMotionInterp::apply_run_to_command` (11.4186 @ 0x00527BE0)
pub const MAX_RUN_SIDESTEP: f32 = 3.0;

/// The keys that are down.
///
/// ```
/// use evenstride::{Ahead, Controls};
/// let running = Controls { ahead: Some(Ahead::Forward), run: true, ..Controls::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Controls {
    /// Forward or back.
    pub ahead: Option<Ahead>,
    /// A step aside.
    pub aside: Option<Side>,
    /// A turn.
    pub turn: Option<Side>,
    /// Running instead of walking.
    pub run: bool,
    /// Stance.
    pub style: MotionCommand,
}

/// Forward or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// Where the player faces.
    Forward,
    /// The other way.
    Back,
}

/// Left or right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
}

impl Default for Controls {
    fn default() -> Self {
        Self { ahead: None, aside: None, turn: None, run: false, style: MotionCommand::NON_COMBAT }
    }
}

impl Controls {
    /// Whether a key that moves is down that was not.
    pub(super) fn presses_more_than(&self, had: &Self) -> bool {
        (self.ahead.is_some() && self.ahead != had.ahead)
            || (self.aside.is_some() && self.aside != had.aside)
            || (self.turn.is_some() && self.turn != had.turn)
    }

    /// The keys as they are sent: what has its default is left out.
    pub fn raw(&self) -> RawState {
        let axis = |command| RawAxis { command, ..RawAxis::default() };
        RawState {
            hold_key: self.run.then_some(HoldKey::RUN),
            style: (self.style != MotionCommand::NON_COMBAT).then_some(self.style),
            forward: axis(self.ahead.map(|ahead| match ahead {
                Ahead::Forward => MotionCommand::WALK_FORWARD,
                Ahead::Back => MotionCommand::WALK_BACKWARDS,
            })),
            sidestep: axis(self.aside.map(|side| match side {
                Side::Left => MotionCommand::SIDESTEP_LEFT,
                Side::Right => MotionCommand::SIDESTEP_RIGHT,
            })),
            turn: axis(self.turn.map(|side| match side {
                Side::Left => MotionCommand::TURN_LEFT,
                Side::Right => MotionCommand::TURN_RIGHT,
            })),
            ..RawState::default()
        }
    }

    /// What the legs do: left is right at a negative speed, back is forward at a negative speed, and running makes all of it faster.
    ///
    /// Retail: `CMotionInterp::adjust_motion` (11.4186 @ 0x00528010)
    /// Retail: `CMotionInterp::apply_run_to_command` (11.4186 @ 0x00527BE0)
    pub(crate) fn gait(&self, run_rate: f32, present: &Gait) -> Gait {
        let rate = if self.run { run_rate } else { 1.0 };
        let (forward, forward_speed) = match self.ahead {
            None => (MotionCommand::READY, 1.0),
            Some(Ahead::Back) => (MotionCommand::WALK_FORWARD, -BACKWARDS_FACTOR * rate),
            Some(Ahead::Forward) if self.run => (MotionCommand::RUN_FORWARD, run_rate),
            Some(Ahead::Forward) => (MotionCommand::WALK_FORWARD, 1.0),
        };
        let sideways = (SIDESTEP_FACTOR * rate).clamp(-MAX_RUN_SIDESTEP, MAX_RUN_SIDESTEP);
        let turning = if self.run { RUN_TURN } else { 1.0 };
        Gait {
            style: self.style,
            forward,
            forward_speed,
            sidestep: self.aside.map(|_| MotionCommand::SIDESTEP_RIGHT),
            sidestep_speed: if self.aside == Some(Side::Left) { -sideways } else { sideways },
            turn: self.turn.map(|_| MotionCommand::TURN_RIGHT),
            turn_speed: if self.turn == Some(Side::Left) { -turning } else { turning },
            run_rate,
            speed_factor: present.speed_factor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNNING: Controls = Controls {
        ahead: Some(Ahead::Forward),
        aside: None,
        turn: None,
        run: true,
        style: MotionCommand::NON_COMBAT,
    };

    #[test]
    fn keys_become_the_gait_the_client_makes_of_them() {
        let gait = |controls: Controls| controls.gait(2.5, &Gait::STANDING);
        assert_eq!((gait(RUNNING).forward, gait(RUNNING).forward_speed), (MotionCommand::RUN_FORWARD, 2.5));
        let walking = Controls { run: false, ..RUNNING };
        assert_eq!((gait(walking).forward, gait(walking).forward_speed), (MotionCommand::WALK_FORWARD, 1.0));
        let back = gait(Controls { ahead: Some(Ahead::Back), ..RUNNING });
        assert_eq!((back.forward, back.forward_speed), (MotionCommand::WALK_FORWARD, -0.65 * 2.5));
        let left = gait(Controls { aside: Some(Side::Left), turn: Some(Side::Left), ..walking });
        assert!((left.leg_velocity().x + 1.56).abs() < 1e-6, "{}", left.leg_velocity());
        let fast = gait(Controls { aside: Some(Side::Right), turn: Some(Side::Right), ..RUNNING });
        assert_eq!((fast.sidestep_speed, fast.turn_speed), (3.0, 1.5));
    }

    #[test]
    fn keys_are_sent_as_the_recorded_client_sent_them() {
        // Run key down: hold key 2, forward 0x45000005, nothing else.
        let raw = RUNNING.raw();
        assert_eq!((raw.hold_key, raw.forward.command), (Some(HoldKey(2)), Some(MotionCommand(0x4500_0005))));
        assert_eq!((raw.style, raw.sidestep, raw.turn), (None, RawAxis::default(), RawAxis::default()));
        let turning = Controls { turn: Some(Side::Left), ahead: None, ..RUNNING }.raw();
        assert_eq!(turning.turn.command, Some(MotionCommand(0x6500_000E)));
        assert_eq!(turning.forward, RawAxis::default());
    }
}
