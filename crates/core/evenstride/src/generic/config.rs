//! Settings of a plain world, and its errors.

use evenstride_types::RotationError;

use crate::{
    config::Config,
    generic::{Axes, PlainLimits, SenderClock},
    motion::RUN_SPEED,
    outcome::{InsertError, SPEED_LIMIT},
};

/// Settings of a plain world. Unlike [`Config`], whose default is the client's behaviour, the
/// default here is smooth motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlainConfig {
    /// Settings of the motion world underneath (default: [`Config::GLIDE`]).
    pub motion: Config,
    /// Directions of the game's axes (default: x right, y forward, z up).
    pub axes: Axes,
    /// Game units per metre (default: 1). Unreal uses 100. Zero, negative and non-finite values
    /// count as 1.
    ///
    /// The core measures in metres. A body snaps to a position more than 100 m away, and sleeps
    /// beyond 96 m from a viewpoint. This factor therefore also scales those distances and the size
    /// of the map.
    pub units_per_metre: f64,
    /// Seconds for which an entity keeps moving after its last update (default: 3).
    ///
    /// The entity then stops, and [`Happening::WentSilent`](crate::Happening::WentSilent) is reported as an event. An entity without
    /// velocities in its updates stops after 2.2 of its usual gaps, at least one second, if that is
    /// sooner. Its event comes after these seconds too, if its last two updates show motion. Negative
    /// values and NaN count as 0.
    pub max_coast_secs: f64,
    /// Meaning of the times of sending in updates (default: they only decide the order).
    pub sender_clock: SenderClock,
    /// Longest time in seconds by which an entity is drawn ahead of its last update to compensate the
    /// latency (default: 0.25). Negative values and NaN count as 0.
    ///
    /// It is the time within which an entity may stop or turn without notice, so a high value
    /// overshoots. Only [`sender_clock`](Self::sender_clock) makes use of it.
    pub max_lead_secs: f64,
    /// Limits of all entities (default: none).
    /// [`set_limits`](super::PlainWorld::set_limits) gives an entity its own.
    pub limits: PlainLimits,
}

impl PlainConfig {
    /// Returns the settings with some fields changed.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl Default for PlainConfig {
    fn default() -> Self {
        Self {
            motion: Config::GLIDE,
            axes: Axes::default(),
            units_per_metre: 1.0,
            max_coast_secs: 3.0,
            sender_clock: SenderClock::OrderOnly,
            max_lead_secs: 0.25,
            limits: PlainLimits::NONE,
        }
    }
}

/// Why a call was rejected. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlainError {
    /// A coordinate is too far from the game's origin, or not a number.
    #[error("position.{axis}: {value} is not a number within {limit} game units of the origin")]
    OffMap {
        /// Name of the coordinate in the game's axes.
        axis: &'static str,
        /// The rejected coordinate in game units.
        value: f64,
        /// Largest distance from the origin along this axis, in game units.
        limit: f64,
    },
    /// The rotation is not finite or has no length.
    #[error(transparent)]
    Rotation(#[from] RotationError),
    /// The velocity is too large, or not a number.
    #[error("velocity: {metres_a_second} m/s is invalid; use a finite speed of at most {} m/s", RUN_SPEED * SPEED_LIMIT)]
    Velocity {
        /// The rejected speed in metres per second.
        metres_a_second: f64,
    },
    /// The time of sending lies after the present time, although the clock is a shared one.
    #[error(
        "time of sending: {ahead_secs} s after the present time; a shared clock is believed up to {limit_secs} s ahead. Send its time, or use `SenderClock::Own`"
    )]
    SentAhead {
        /// Seconds from the present time to the rejected one.
        ahead_secs: f64,
        /// Most seconds that are believed.
        limit_secs: f64,
    },
    /// The entity has had no update yet, or was removed.
    #[error("entity {entity:#x} is unknown: no update mentioned it, or it was removed")]
    UnknownEntity {
        /// The entity that was given.
        entity: u64,
    },
    /// The body is invalid, or the world is full.
    #[error(transparent)]
    Insert(#[from] InsertError),
}
