//! The parameters of a motion or of a move-to.
//!
//! The client has one type for both, and so does this crate. Move-to messages (types 6 to 9) carry
//! parameters. Keys and the steps of a move-to use constants. The interpreter reads flags, speed
//! and hold key. A move-to reads the rest.

use evenstride_types::update::{HoldKey, MotionCommand, MoveToFlags, MoveToParams, TurnToParams};

use crate::{
    motion::items::Item,
    outcome::{MoveToError, SPEED_LIMIT},
};

/// Parameters of a single motion or of a whole move-to.
///
/// Retail: `MovementParameters::MovementParameters` (11.4186 @ 0x00524380)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovementParams {
    /// Permissions and side effects. Bits without a meaning are cleared.
    pub flags: MoveToFlags,
    /// Arrival distance in metres (default: 0.6).
    pub near: f32,
    /// Smallest distance in metres that a body keeps when it moves away (default: 0).
    pub far: f32,
    /// Final heading in degrees (default: 0). If the target is a body, it is relative to the
    /// direction of the target.
    pub heading: f32,
    /// Speed factor of every motion (default: 1).
    pub speed: f32,
    /// Distance from the start, in metres, beyond which a move-to is given up (default: unlimited).
    pub fail_distance: f32,
    /// Remaining distance to `near`, in metres, above which a body runs (default: 15).
    pub run_threshold: f32,
    /// Walk or run (default: invalid, which means that the raw motion decides).
    pub hold_key: HoldKey,
    /// Caller's number, kept with the pending motion (default: 0).
    pub context: u32,
    /// Stamp of an action (default: 0).
    pub stamp: u32,
}

impl MovementParams {
    /// The client's defaults. Bits that the client takes from uninitialized memory are 0.
    pub const DEFAULT: Self = Self {
        flags: MoveToFlags::CLIENT_DEFAULT,
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

    /// Parameters of the motions that a move-to begins and ends. They do not cancel it.
    pub const OF_MOVE_TO: Self =
        Self { flags: Self::DEFAULT.flags.difference(MoveToFlags::CANCEL_MOVE_TO), ..Self::DEFAULT };

    /// Parameters for applying the current state again. They change neither the interpreted motion
    /// nor the hold key.
    ///
    /// Retail: `CMotionInterp::apply_interpreted_movement` (11.4186 @ 0x00528600)
    pub const OF_CURRENT_STATE: Self = Self {
        flags: Self::OF_MOVE_TO
            .flags
            .difference(MoveToFlags::SET_HOLD_KEY)
            .difference(MoveToFlags::MODIFY_INTERPRETED_STATE),
        ..Self::DEFAULT
    };

    /// Converts the parameters of a move-to message (type 6 or 7). Fields that are missing in the
    /// message have their defaults.
    ///
    /// # Errors
    /// [`MoveToError`] naming the first invalid number.
    pub fn going(params: &MoveToParams) -> Result<Self, MoveToError> {
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

    /// Converts the parameters of a turn-to message (type 8 or 9). It has only flags, heading and
    /// speed.
    ///
    /// # Errors
    /// [`MoveToError`] naming the first invalid number.
    pub fn turning(params: &TurnToParams) -> Result<Self, MoveToError> {
        let params = Self {
            flags: params.flags.meaningful(),
            heading: params.desired_heading_deg,
            speed: params.speed,
            ..Self::DEFAULT
        };
        params.checked()
    }

    /// Checks all numbers. Distances may be unlimited but not NaN. The heading must be finite, and
    /// the speed within `SPEED_LIMIT`.
    fn checked(self) -> Result<Self, MoveToError> {
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
                return Err(MoveToError { field, value });
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

    /// Returns the queue entry of an action that is done with these parameters.
    pub(super) const fn action(&self, motion: MotionCommand) -> Item {
        let is_autonomous = self.has(MoveToFlags::AUTONOMOUS);
        Item::new(motion, self.speed, self.stamp, is_autonomous as u32)
    }
}

/// Speed and hold key of the motions of one step of a move-to.
///
/// Several motions of a step share one pace, and each changes it. After a turn to the left the
/// speed is negative, so the next motion may differ from the intended one, as in the client.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Speed factor. Each motion replaces it by that of its canonical form.
    pub speed: f32,
    /// Walk or run, the same for all motions of the step.
    pub hold_key: HoldKey,
}
