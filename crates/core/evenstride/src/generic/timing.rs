//! The age of updates, by the sender's clock.
//!
//! An update is as old as its way through the network took. With a time of sending, that age can be
//! known, and the entity is drawn where it must be by now.

use evenstride_types::{Placement, SimTime, Vec3};

use crate::generic::{Heard, Order, PlainError, PlainWorld};

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
    ///
    /// A time that is more than 2 s older than the newest one tells that the sender's clock was set
    /// back, for example by a restart. It counts as newer.
    #[default]
    OrderOnly,
    /// Each entity's sender has a clock of its own, whose zero is unknown. Jitter is compensated, and
    /// entities are drawn late by the least latency alone.
    ///
    /// A clock that is set back counts as under [`OrderOnly`](Self::OrderOnly). A clock that is set by
    /// less than 2 s, and a longer route, are taken over within half a minute.
    Own,
    /// Senders use the clock of `now`, for example a synchronized network time. The whole latency is
    /// compensated.
    ///
    /// A time of sending more than 10 s after `now` is rejected ([`PlainError::SentAhead`]). A nearer one
    /// has no age. A newest time more than 2 s after `now` keeps out no update whose time has come.
    Shared,
}

/// Age of an update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Age {
    /// Seconds since the entity was there, at least 0.
    pub(super) secs: f64,
    /// Seconds by which the entity is drawn ahead of the update.
    pub(super) lead_secs: f64,
    /// Smallest recent difference between the times of arrival and of sending, in seconds. `None` if
    /// times of sending mean nothing by themselves.
    pub(super) clock_offset: Option<f64>,
}

/// Seconds per second by which the smallest difference of two clocks may grow, so that clocks of
/// different speed are followed.
const DRIFT: f64 = 0.005;

/// Seconds in which the smallest difference of two clocks approaches a greater one that lasts, so that
/// longer routes and small steps of a clock are followed.
const SETTLE_SECS: f64 = 5.0;

/// Seconds beyond which a difference tells that a clock has been set.
const CLOCK_LEAP_SECS: f64 = 2.0;

/// Longest lead in seconds.
const MAX_LEAD_SECS: f64 = 10.0;

/// Largest difference in seconds, in both directions, that is believed of a shared clock.
const MAX_SHARED_SECS: f64 = 10.0;

impl PlainWorld {
    /// Changes the meaning of times of sending, and the longest lead in seconds, for example once the
    /// clocks of a game are synchronized. They apply from the next updates on.
    ///
    /// A negative lead and NaN count as 0, and a lead beyond 10 s as 10.
    pub fn set_sender_clock(&mut self, clock: SenderClock, max_lead_secs: f64) {
        self.sender_clock = clock;
        self.max_lead_secs = checked_lead(max_lead_secs);
    }

    /// Rejects a time of sending that no shared clock can have had yet.
    ///
    /// Such a time would keep every later update out until it has come.
    pub(super) fn check_order(&self, now: SimTime, order: Order) -> Result<(), PlainError> {
        let Order::Time(sent) = order else { return Ok(()) };
        let ahead_secs = sent.as_secs() - now.as_secs();
        if self.sender_clock == SenderClock::Shared && ahead_secs > MAX_SHARED_SECS {
            return Err(PlainError::SentAhead { ahead_secs, limit_secs: MAX_SHARED_SECS });
        }
        Ok(())
    }

    /// Returns whether an update counts as newer than the newest one so far.
    ///
    /// A clock that was set back, or one wrong time in the future, must not silence an entity.
    pub(super) fn counts_as_newer(&self, now: SimTime, order: Order, newest: Order) -> bool {
        if order.is_newer_than(newest) {
            return true;
        }
        let (Order::Time(sent), Order::Time(newest)) = (order, newest) else { return false };
        match self.sender_clock {
            SenderClock::OrderOnly | SenderClock::Own => (newest - sent).as_secs() > CLOCK_LEAP_SECS,
            SenderClock::Shared => {
                let is_ahead = |time: SimTime| (time - now).as_secs() > CLOCK_LEAP_SECS;
                is_ahead(newest) && !is_ahead(sent)
            }
        }
    }

    /// Returns the age of an update.
    pub(super) fn age(&self, now: SimTime, order: Order, before: Option<&Heard>) -> Age {
        let Order::Time(sent) = order else { return Age::UNKNOWN };
        let difference = now.as_secs() - sent.as_secs();
        match self.sender_clock {
            SenderClock::OrderOnly => Age::UNKNOWN,
            SenderClock::Shared => self.aged(difference.clamp(0.0, MAX_SHARED_SECS), None),
            SenderClock::Own => {
                let offset = before.and_then(|before| before.offset_at(sent, difference));
                let least = offset.map_or(difference, |offset| difference.min(offset));
                self.aged(difference - least, Some(least))
            }
        }
    }

    fn aged(&self, secs: f64, clock_offset: Option<f64>) -> Age {
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

    /// Returns the way in metres by which an entity is drawn ahead of an update, by its known velocity or
    /// by the estimated one.
    pub(super) fn way_ahead(&self, slot: usize, velocity: Option<Vec3>, age: &Age) -> Vec3 {
        let secs = age.lead_secs as f32;
        velocity.map_or_else(
            || self.motion.store.glides.get(slot).map_or(Vec3::ZERO, |glide| glide.way_in(secs).into()),
            |velocity| velocity * secs,
        )
    }
}

impl Heard {
    /// Returns the smallest difference of two clocks as it may have grown until another update, whose
    /// difference is given. `None` if it is unknown, or the sender's clock has been set.
    ///
    /// Time passes by the sender's clock, which jitter does not touch.
    fn offset_at(&self, sent: SimTime, difference: f64) -> Option<f64> {
        let (Order::Time(before), Some(offset)) = (self.order, self.clock_offset) else { return None };
        let (passed, excess) = ((sent - before).as_secs(), difference - offset);
        if passed < 0.0 || excess > CLOCK_LEAP_SECS {
            return None;
        }
        Some(offset + passed * (DRIFT + excess.max(0.0) / SETTLE_SECS))
    }
}

/// Returns a lead in seconds, 0 to 10.
pub(super) const fn checked_lead(secs: f64) -> f64 {
    // NaN fails the comparison.
    if secs >= 0.0 { secs.min(MAX_LEAD_SECS) } else { 0.0 }
}

impl Age {
    const UNKNOWN: Self = Self { secs: 0.0, lead_secs: 0.0, clock_offset: None };
}
