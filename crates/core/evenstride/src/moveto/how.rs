//! What was asked for, and which command that comes to.

use evenstride_types::{
    EPSILON,
    update::{HoldKey, MotionCommand, MoveToFlags, MoveToParams, TurnToParams},
};

use crate::gait::SPEED_LIMIT;

/// How to go somewhere.
///
/// Retail: `MovementParameters::MovementParameters` (11.4186 @ 0x00524380)
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "MovementParameters")]
pub(crate) struct How {
    pub(crate) flags: MoveToFlags,
    /// Near enough, in metres.
    pub(crate) near: f32,
    /// Far enough away.
    pub(crate) far: f32,
    /// Degrees.
    pub(crate) heading: f32,
    pub(crate) speed: f32,
    /// How far from the start to give up.
    pub(crate) fail_distance: f32,
    /// Farther to go than this: run.
    pub(crate) run_threshold: f32,
    pub(crate) hold_key: HoldKey,
}

/// A command for the legs, chosen by distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Choice {
    /// What to do, and whether that leads away; nothing, if the body is where it should be.
    pub(crate) command: Option<(MotionCommand, bool)>,
    /// Whether to run.
    pub(crate) hold_key: HoldKey,
}

impl How {
    /// What is not said. The junk bits that real traffic has are not among the flags.
    pub(crate) const DEFAULT: Self = Self {
        flags: MoveToFlags::from_bits_retain(0x1_EE0F),
        near: 0.6,
        far: 0.0,
        heading: 0.0,
        speed: 1.0,
        fail_distance: f32::MAX,
        run_threshold: 15.0,
        hold_key: HoldKey::INVALID,
    };

    /// # Errors
    /// [`InvalidMoveTo`] naming the first number that cannot be.
    pub(crate) fn going(params: &MoveToParams) -> Result<Self, InvalidMoveTo> {
        let how = Self {
            flags: params.flags.meaningful(),
            near: params.distance_to_object,
            far: params.min_distance,
            heading: params.desired_heading_deg,
            speed: params.speed,
            fail_distance: params.fail_distance,
            run_threshold: params.walk_run_threshold,
            hold_key: HoldKey::INVALID,
        };
        how.check()
    }

    /// # Errors
    /// [`InvalidMoveTo`] naming the first number that cannot be.
    pub(crate) fn turning(params: &TurnToParams) -> Result<Self, InvalidMoveTo> {
        let how = Self {
            flags: params.flags.meaningful(),
            heading: params.desired_heading_deg,
            speed: params.speed,
            ..Self::DEFAULT
        };
        how.check()
    }

    /// Distances may be without limit, but must be comparable; what turns or moves a body must be finite.
    fn check(self) -> Result<Self, InvalidMoveTo> {
        let distances = [
            ("distance_to_object", self.near),
            ("min_distance", self.far),
            ("fail_distance", self.fail_distance),
            ("walk_run_threshold", self.run_threshold),
        ];
        let heading = ("desired_heading", self.heading);
        let numbers = distances.map(|(field, value)| (field, value, !value.is_nan()));
        let numbers = numbers.into_iter().chain([
            (heading.0, heading.1, heading.1.is_finite()),
            ("speed", self.speed, self.speed.abs() <= SPEED_LIMIT),
        ]);
        for (field, value, is_possible) in numbers {
            if !is_possible {
                return Err(InvalidMoveTo { field, value });
            }
        }
        Ok(self)
    }

    pub(crate) const fn has(&self, flags: MoveToFlags) -> bool {
        self.flags.contains(flags)
    }

    /// What to do at this distance. The answer is always to walk: running is holding a key down.
    ///
    /// Retail: `MovementParameters::get_command` (11.4186 @ 0x0052AA00)
    /// Disputed: ACE ignores that a mover can charge, and runs from 1 m on.
    pub(crate) fn choose(&self, distance: f32) -> Choice {
        let towards = self.has(MoveToFlags::MOVE_TOWARDS);
        let away = self.has(MoveToFlags::MOVE_AWAY);
        let command = if towards && away {
            self.choose_both_ways(distance)
        } else if away {
            (distance < self.far).then_some((MotionCommand::WALK_FORWARD, true))
        } else {
            (distance > self.near).then_some((MotionCommand::WALK_FORWARD, false))
        };
        let may_run = self.has(MoveToFlags::CAN_RUN)
            && (!self.has(MoveToFlags::CAN_WALK) || distance - self.near > self.run_threshold);
        let runs = self.has(MoveToFlags::CAN_CHARGE) || may_run;
        Choice { command, hold_key: if runs { HoldKey::RUN } else { HoldKey::NONE } }
    }

    /// Retail: `MovementParameters::towards_and_away` (11.4186 @ 0x0052A9A0)
    fn choose_both_ways(&self, distance: f32) -> Option<(MotionCommand, bool)> {
        if distance > self.near {
            Some((MotionCommand::WALK_FORWARD, false))
        } else if distance - self.far < EPSILON {
            Some((MotionCommand::WALK_BACKWARDS, true))
        } else {
            None
        }
    }
}

/// Which way to face while doing so, in degrees from where the target lies.
///
/// Retail: `MovementParameters::get_desired_heading` (11.4186 @ 0x0052AAD0)
pub(crate) const fn facing(command: MotionCommand, is_away: bool) -> f32 {
    let turned = match command {
        MotionCommand::WALK_FORWARD | MotionCommand::RUN_FORWARD => is_away,
        MotionCommand::WALK_BACKWARDS => !is_away,
        _ => false,
    };
    if turned { 180.0 } else { 0.0 }
}

/// A number that going somewhere cannot be done with.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{field}: {value} is no number to go somewhere by")]
pub struct InvalidMoveTo {
    /// Which.
    pub field: &'static str,
    /// As given.
    pub value: f32,
}
