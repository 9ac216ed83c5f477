//! How a motion or a move-to is to be done.

use evenstride_types::update::{HoldKey, MotionCommand, MoveToFlags, MoveToParams, TurnToParams};

use crate::{
    motion::items::Item,
    outcome::{InvalidMoveTo, SPEED_LIMIT},
};

/// Parameters of a single motion or of a whole move-to; the client has one type for both.
///
/// Retail: `MovementParameters::MovementParameters` (11.4186 @ 0x00524380)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovementParams {
    pub flags: MoveToFlags,
    /// Arrival distance in metres (default: 0.6).
    pub near: f32,
    /// Distance to keep at least, in metres (default: 0).
    pub far: f32,
    /// Degrees (default: 0).
    pub heading: f32,
    /// Speed factor (default: 1).
    pub speed: f32,
    /// Distance from the start, in metres, at which a move-to is given up (default: unlimited).
    pub fail_distance: f32,
    /// Remaining distance in metres above which a body runs (default: 15).
    pub run_threshold: f32,
    /// Walk or run (default: not said).
    pub hold_key: HoldKey,
    /// Caller's number, returned when the motion is done (default: 0).
    pub context: u32,
    /// Order among actions (default: 0).
    pub stamp: u32,
}

impl MovementParams {
    /// The client's defaults, without the junk bits of real traffic.
    pub const DEFAULT: Self = Self {
        flags: MoveToFlags::CAN_WALK
            .union(MoveToFlags::CAN_RUN)
            .union(MoveToFlags::CAN_SIDESTEP)
            .union(MoveToFlags::CAN_WALK_BACKWARDS)
            .union(MoveToFlags::MOVE_TOWARDS)
            .union(MoveToFlags::USE_SPHERES)
            .union(MoveToFlags::SET_HOLD_KEY)
            .union(MoveToFlags::MODIFY_RAW_STATE)
            .union(MoveToFlags::MODIFY_INTERPRETED_STATE)
            .union(MoveToFlags::CANCEL_MOVE_TO)
            .union(MoveToFlags::STOP_COMPLETELY),
        near: 0.6,
        far: 0.0,
        heading: 0.0,
        speed: 1.0,
        fail_distance: f32::MAX,
        run_threshold: 15.0,
        hold_key: HoldKey::INVALID,
        context: 0,
        stamp: 0,
    };

    /// Parameters for motions that a move-to begins and ends: they do not cancel it.
    pub const OF_MOVE_TO: Self =
        Self { flags: Self::DEFAULT.flags.difference(MoveToFlags::CANCEL_MOVE_TO), ..Self::DEFAULT };

    /// Parameters for doing the current state again: it stays as it is.
    ///
    /// Retail: `CMotionInterp::apply_interpreted_movement` (11.4186 @ 0x00528600)
    pub const OF_CURRENT_STATE: Self = Self {
        flags: Self::OF_MOVE_TO
            .flags
            .difference(MoveToFlags::SET_HOLD_KEY)
            .difference(MoveToFlags::MODIFY_INTERPRETED_STATE),
        ..Self::DEFAULT
    };

    /// Converts the parameters of a message of type 6 or 7.
    ///
    /// # Errors
    /// [`InvalidMoveTo`] naming the first invalid number.
    pub fn going(params: &MoveToParams) -> Result<Self, InvalidMoveTo> {
        let params = Self {
            flags: params.flags.meaningful(),
            near: params.distance_to_object,
            far: params.min_distance,
            heading: params.desired_heading_deg,
            speed: params.speed,
            fail_distance: params.fail_distance,
            run_threshold: params.walk_run_threshold,
            ..Self::DEFAULT
        };
        params.checked()
    }

    /// Converts the parameters of a message of type 8 or 9.
    ///
    /// # Errors
    /// [`InvalidMoveTo`] naming the first invalid number.
    pub fn turning(params: &TurnToParams) -> Result<Self, InvalidMoveTo> {
        let params = Self {
            flags: params.flags.meaningful(),
            heading: params.desired_heading_deg,
            speed: params.speed,
            ..Self::DEFAULT
        };
        params.checked()
    }

    /// Distances may be unlimited, but must be comparable. Heading and speed must be finite.
    fn checked(self) -> Result<Self, InvalidMoveTo> {
        let distances = [
            ("distance_to_object", self.near),
            ("min_distance", self.far),
            ("fail_distance", self.fail_distance),
            ("walk_run_threshold", self.run_threshold),
        ];
        let numbers = distances.map(|(field, value)| (field, value, !value.is_nan()));
        let numbers = numbers.into_iter().chain([
            ("desired_heading", self.heading, self.heading.is_finite()),
            ("speed", self.speed, self.speed.abs() <= SPEED_LIMIT),
        ]);
        for (field, value, is_valid) in numbers {
            if !is_valid {
                return Err(InvalidMoveTo { field, value });
            }
        }
        Ok(self)
    }

    pub const fn has(&self, flags: MoveToFlags) -> bool {
        self.flags.contains(flags)
    }

    pub const fn sets_hold_key(&self) -> bool {
        self.has(MoveToFlags::SET_HOLD_KEY)
    }

    /// Returns the same parameters with another speed.
    pub const fn at(self, speed: f32) -> Self {
        Self { speed, ..self }
    }

    /// Returns the same parameters with a flag set or cleared.
    pub fn with(self, flag: MoveToFlags, is_set: bool) -> Self {
        let mut flags = self.flags;
        flags.set(flag, is_set);
        Self { flags, ..self }
    }

    /// Returns the entry of an action that is done with these parameters.
    pub(super) const fn action(&self, motion: MotionCommand) -> Item {
        let is_autonomous = self.has(MoveToFlags::AUTONOMOUS);
        Item::new(motion, self.speed, self.stamp, is_autonomous as u32)
    }
}

/// Speed and key of the motions of one step.
///
/// Several motions of a step share one pace, and each changes it. After a turn to the left the speed is negative, and the next motion may
/// be another than was meant. The client is like that.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub speed: f32,
    pub hold_key: HoldKey,
}
