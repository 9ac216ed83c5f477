//! The age of updates, by the sender's clock.
//!
//! An update is as old as its way through the network took. With a time of sending, that age can be
//! known, and the entity is drawn where it must be by now.

use evenstride_types::{Placement, SimTime, Vec3};

use crate::generic::{Heard, Order, PlainWorld};

/// Decides what the time of sending in updates means ([`Order::Time`]).
///
/// ```
/// use evenstride::generic::{PlainConfig, PlainPose, PlainUpdate, PlainWorld, SenderClock};
/// use evenstride::types::SimTime;
///
/// let config = PlainConfig::default().with(|config| config.sender_clock = SenderClock::Shared);
/// let mut world = PlainWorld::new(config, SimTime::ZERO);
/// let secs = SimTime::from_secs;
/// // Sent 0.1 s ago by something that moves at 5 m/s.
/// let update = PlainUpdate::new(PlainPose::IDENTITY).moving([5.0, 0.0, 0.0]).sent_at(secs(0.9)?);
/// let _ = world.update(secs(1.0)?, 7, &update)?;
/// let drawn = world.drawn(7, secs(1.0)?).ok_or("gone")?;
/// assert!((drawn.position[0] - 0.5).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SenderClock {
    /// Times of sending only decide the order (default). Entities are drawn late by the latency.
    #[default]
    OrderOnly,
    /// Each entity's sender has a clock of its own, whose zero is unknown. Jitter is compensated, and
    /// entities are drawn late by the least latency alone.
    Own,
    /// Senders use the clock of `now`, for example a synchronized network time. The whole latency is
    /// compensated.
    Shared,
}

/// Age of an update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Age {
    /// Seconds since the entity was there, at least 0.
    pub(super) secs: f64,
    /// Seconds by which the entity is drawn ahead of the update.
    pub(super) lead_secs: f64,
    /// Smallest recent difference between the times of arrival and of sending, in seconds.
    pub(super) clock_offset: f64,
}

/// Seconds per second by which the smallest difference of two clocks may grow, so that clocks of
/// different speed and longer routes are followed.
const DRIFT: f64 = 0.005;

/// Age in seconds beyond which a sender's clock has been set again.
const CLOCK_LEAP_SECS: f64 = 2.0;

/// Largest age in seconds that is believed of a shared clock.
const OLDEST_SECS: f64 = 10.0;

impl PlainWorld {
    /// Changes the meaning of times of sending, and the longest lead in seconds, for example once the
    /// clocks of a game are synchronized. They apply from the next updates on.
    ///
    /// A negative lead and NaN count as 0, and a lead beyond 10 s as 10.
    pub fn set_sender_clock(&mut self, clock: SenderClock, max_lead_secs: f64) {
        self.sender_clock = clock;
        self.max_lead_secs = checked_lead(max_lead_secs);
    }

    /// Returns the age of an update.
    pub(super) fn age(&self, now: SimTime, order: Order, before: Option<&Heard>) -> Age {
        let Order::Time(sent) = order else { return Age::UNKNOWN };
        let difference = now.as_secs() - sent.as_secs();
        let (secs, clock_offset) = match self.sender_clock {
            SenderClock::OrderOnly => return Age::UNKNOWN,
            SenderClock::Shared => (difference.clamp(0.0, OLDEST_SECS), 0.0),
            SenderClock::Own => {
                let least = before.map_or(difference, |before| {
                    let passed = (now - before.at).as_secs().max(0.0);
                    difference.min(before.clock_offset + DRIFT * passed)
                });
                let age = difference - least;
                if age <= CLOCK_LEAP_SECS { (age, least) } else { (0.0, difference) }
            }
        };
        Age { secs, lead_secs: secs.min(self.max_lead_secs), clock_offset }
    }

    /// Returns the place that an entity with a known velocity has reached since the update.
    pub(super) fn led(&self, place: Placement, velocity: Option<Vec3>, age: &Age) -> Placement {
        let Some(velocity) = velocity.filter(|_| age.lead_secs > 0.0) else { return place };
        let origin = place.pose.origin() + velocity * (age.lead_secs as f32);
        // Beyond the map, the place of the update is good enough.
        let led = place.pose.with_origin(origin).map(|pose| Placement::new(place.cell, pose));
        led.ok().and_then(|led| led.settled_outdoors().ok()).unwrap_or(place)
    }
}

/// Returns a lead in seconds, 0 to 10.
pub(super) const fn checked_lead(secs: f64) -> f64 {
    // NaN fails the comparison.
    if secs >= 0.0 { secs.min(OLDEST_SECS) } else { 0.0 }
}

impl Age {
    const UNKNOWN: Self = Self { secs: 0.0, lead_secs: 0.0, clock_offset: 0.0 };
}
