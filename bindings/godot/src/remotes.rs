//! The motion of all bodies of a world, without the engine.

use std::collections::{HashMap, HashSet};

use evenstride::{
    Disposition, Happening,
    generic::{Axes, PlainConfig, PlainError, PlainLimits, PlainPose, PlainUpdate, PlainWorld, SenderClock},
    outcome::IgnoreReason,
    types::SimTime,
};

/// Settings of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Whether bodies are those of a flat game, with y down.
    pub is_flat: bool,
    /// Game units per metre.
    pub units_per_metre: f64,
    /// Seconds for which a silent body goes on.
    pub max_coast_secs: f64,
    /// Meaning of the times of sending.
    pub sender_clock: SenderClock,
}

/// Something that happened to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyEvent {
    /// It got its first update.
    Appeared,
    /// It was placed, with the distance in game units.
    Snapped(f32),
    /// It left the ground, with the upward speed in game units per second.
    TookOff(f32),
    /// It reached the ground, with its speed in game units per second.
    Landed(f32),
    /// It was stopped, because updates stopped.
    Stalled,
    /// An update arrived after a stall.
    Resumed,
}

/// The bodies of one world, by keys that are never used again.
#[derive(Debug)]
pub struct Remotes {
    world: PlainWorld,
    now: SimTime,
    last_key: u64,
    keys: HashSet<u64>,
    events: HashMap<u64, Vec<BodyEvent>>,
    stalled: HashSet<u64>,
    counts: Counts,
}

/// Counters of bad input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of updates and throws that were refused.
    pub refused: u64,
    /// Number of updates that were ignored, because a newer one was there, or an equal one.
    pub ignored: u64,
}

impl Remotes {
    /// Makes an empty world whose time starts at zero.
    pub fn new(settings: Settings) -> Self {
        let config = PlainConfig::default().with(|config| {
            config.axes = if settings.is_flat { Axes::XRightYDown } else { Axes::YUpMinusZForward };
            config.units_per_metre = settings.units_per_metre;
            config.max_coast_secs = settings.max_coast_secs;
            config.sender_clock = settings.sender_clock;
        });
        Self {
            world: PlainWorld::new(config, SimTime::ZERO),
            now: SimTime::ZERO,
            last_key: 0,
            keys: HashSet::new(),
            events: HashMap::new(),
            stalled: HashSet::new(),
            counts: Counts::default(),
        }
    }

    /// Changes the meaning of times of sending, from the next updates on.
    pub fn set_sender_clock(&mut self, clock: SenderClock) {
        self.world.set_sender_clock(clock, PlainConfig::default().max_lead_secs);
    }

    /// Changes the limits of a body, from its next update on.
    pub fn set_limits(&mut self, key: u64, limits: PlainLimits) {
        if self.keys.contains(&key) {
            self.world.set_limits(key, limits);
        }
    }

    /// Returns the counters of bad input.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// Counts an update that was refused before it came here.
    pub const fn count_refused(&mut self) {
        self.counts.refused += 1;
    }

    /// Returns the key of a new body, which appears with its first update.
    pub fn add(&mut self, limits: PlainLimits) -> u64 {
        self.last_key += 1;
        self.keys.insert(self.last_key);
        self.world.set_limits(self.last_key, limits);
        self.last_key
    }

    /// Removes a body.
    pub fn remove(&mut self, key: u64) {
        self.world.remove(key);
        self.keys.remove(&key);
        self.events.remove(&key);
        self.stalled.remove(&key);
    }

    /// Returns the present time in seconds.
    pub fn secs(&self) -> f64 {
        self.now.as_secs()
    }

    /// Moves time to a moment in seconds. Returns `false`, and changes nothing, if it is not a number
    /// within ±10¹².
    pub fn advance_to(&mut self, secs: f64) -> bool {
        let Ok(now) = SimTime::from_secs(secs) else { return false };
        self.now = now;
        self.world.advance(now);
        self.sort_events();
        true
    }

    /// Handles an update of a body.
    ///
    /// # Errors
    /// [`PlainError`] if a value is invalid, or the body was removed. Nothing has changed then.
    pub fn update(&mut self, key: u64, update: &PlainUpdate) -> Result<(), PlainError> {
        let answer = if self.keys.contains(&key) {
            self.world.update(self.now, key, update)
        } else {
            Err(PlainError::UnknownEntity { entity: key })
        };
        let answer = answer.inspect_err(|_| self.counts.refused += 1)?;
        if answer == Disposition::Ignored(IgnoreReason::StalePosition) {
            self.counts.ignored += 1;
        } else if self.stalled.remove(&key) {
            self.keep(key, BodyEvent::Resumed);
        }
        self.sort_events();
        Ok(())
    }

    /// Throws a body with a velocity in game units per second.
    ///
    /// # Errors
    /// [`PlainError`] if the velocity is invalid, or the body has had no update yet.
    pub fn throw(&mut self, key: u64, velocity: [f32; 3]) -> Result<(), PlainError> {
        self.world.throw(self.now, key, velocity).inspect_err(|_| self.counts.refused += 1)
    }

    /// Returns the pose of a body, or `None` before its first update.
    pub fn drawn(&self, key: u64) -> Option<PlainPose> {
        self.world.drawn(key, self.now)
    }

    /// Returns what happened to a body since the last call.
    pub fn take_events(&mut self, key: u64) -> Vec<BodyEvent> {
        self.events.remove(&key).unwrap_or_default()
    }

    /// Keeps what happened for the body that it happened to.
    fn sort_events(&mut self) {
        while let Some(event) = self.world.poll_event() {
            let kind = match event.kind {
                Happening::Appeared => BodyEvent::Appeared,
                Happening::Snapped { metres, .. } => BodyEvent::Snapped(metres),
                Happening::TookOff { rise } => BodyEvent::TookOff(rise),
                Happening::Landed { speed } => BodyEvent::Landed(speed),
                Happening::WentSilent => BodyEvent::Stalled,
                _ => continue,
            };
            // The event may be older than the removal of its body.
            if self.keys.contains(&event.entity) {
                if kind == BodyEvent::Stalled {
                    self.stalled.insert(event.entity);
                }
                self.keep(event.entity, kind);
            }
        }
    }

    /// Keeps an event until its body reads it. A node that is not processed does not, so there are at
    /// most [`MAX_EVENTS`].
    fn keep(&mut self, key: u64, event: BodyEvent) {
        let events = self.events.entry(key).or_default();
        if events.len() < MAX_EVENTS {
            events.push(event);
        }
    }
}

/// Largest number of events that wait for a body.
const MAX_EVENTS: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings {
        is_flat: false,
        units_per_metre: 1.0,
        max_coast_secs: 3.0,
        sender_clock: SenderClock::OrderOnly,
    };

    fn at(x: f64) -> PlainUpdate {
        PlainUpdate::new(PlainPose::at([x, 0.0, 0.0]))
    }

    fn run(remotes: &mut Remotes, secs: f64) {
        let from = remotes.secs();
        for frame in 1..=(secs * 60.0).round() as u32 {
            assert!(remotes.advance_to(from + f64::from(frame) / 60.0));
        }
    }

    #[test]
    fn a_body_moves_between_updates_and_tells_what_happens() {
        let mut remotes = Remotes::new(SETTINGS);
        let key = remotes.add(PlainLimits::NONE);
        assert_eq!((remotes.drawn(key), remotes.take_events(key)), (None, vec![]));
        for second in 0..5u8 {
            remotes.update(key, &at(3.0 * f64::from(second))).unwrap();
            run(&mut remotes, 1.0);
        }
        let x = remotes.drawn(key).unwrap().position[0];
        assert!((x - 15.0).abs() < 1.0, "{x} m");
        assert_eq!(remotes.take_events(key), [BodyEvent::Appeared]);
        run(&mut remotes, 4.0);
        assert_eq!(remotes.take_events(key), [BodyEvent::Stalled]);
        remotes.update(key, &at(20.0).teleporting()).unwrap();
        let events = remotes.take_events(key);
        assert!(matches!(events[..], [BodyEvent::Resumed, BodyEvent::Snapped(_)]), "{events:?}");
    }

    #[test]
    fn removed_bodies_and_invalid_values_are_refused() {
        let mut remotes = Remotes::new(SETTINGS);
        let key = remotes.add(PlainLimits::NONE);
        assert!(remotes.throw(key, [0.0; 3]).is_err(), "it has had no update");
        assert!(remotes.update(key, &at(f64::NAN)).is_err());
        assert!(!remotes.advance_to(f64::NAN) && !remotes.advance_to(f64::INFINITY));
        remotes.update(key, &at(1.0)).unwrap();
        remotes.remove(key);
        assert!(remotes.update(key, &at(1.0)).is_err());
        assert_ne!(remotes.add(PlainLimits::NONE), key);
    }

    #[test]
    fn limits_hold_from_the_first_update_on() {
        let mut remotes = Remotes::new(SETTINGS);
        let key = remotes.add(PlainLimits::NONE.top_speed(2.0));
        remotes.update(key, &at(0.0).moving([50.0, 0.0, 0.0])).unwrap();
        run(&mut remotes, 1.0);
        let x = remotes.drawn(key).unwrap().position[0];
        assert!((1.0..2.2).contains(&x), "{x} m in a second at 2 m/s");
    }

    #[test]
    fn events_of_a_body_that_is_not_processed_are_bounded() {
        let mut remotes = Remotes::new(SETTINGS);
        let key = remotes.add(PlainLimits::NONE);
        for jump in 0..1_000u16 {
            remotes.update(key, &at(f64::from(jump % 2) * 50.0).teleporting()).unwrap();
        }
        assert_eq!(remotes.take_events(key).len(), MAX_EVENTS);
        // Stalls and their ends too.
        for _ in 0..MAX_EVENTS {
            remotes.update(key, &at(0.0).moving([1.0, 0.0, 0.0])).unwrap();
            assert!(remotes.advance_to(remotes.secs() + 10.0));
        }
        assert_eq!(remotes.take_events(key).len(), MAX_EVENTS);
    }

    #[test]
    fn a_body_that_goes_as_it_stalls_is_not_remembered() {
        let mut remotes = Remotes::new(SETTINGS);
        let key = remotes.add(PlainLimits::NONE);
        remotes.update(key, &at(0.0).moving([1.0, 0.0, 0.0])).unwrap();
        // Its stall waits in the world when it is removed.
        let _ = remotes.world.advance(SimTime::from_secs(60.0).unwrap());
        remotes.remove(key);
        remotes.sort_events();
        assert!(remotes.stalled.is_empty() && remotes.events.is_empty());
    }

    #[test]
    fn updates_that_change_nothing_are_counted() {
        let mut remotes = Remotes::new(SETTINGS);
        let key = remotes.add(PlainLimits::NONE);
        remotes.update(key, &at(0.0).numbered(5)).unwrap();
        remotes.update(key, &at(1.0).numbered(4)).unwrap();
        assert!(remotes.update(key, &at(f64::NAN)).is_err());
        remotes.count_refused();
        assert_eq!(remotes.counts(), Counts { refused: 2, ignored: 1 });
    }

    #[test]
    fn limits_and_the_clock_may_change_while_bodies_move() {
        let mut remotes = Remotes::new(SETTINGS);
        let key = remotes.add(PlainLimits::NONE);
        let go = |remotes: &mut Remotes, late: f64| {
            let sent = SimTime::from_secs(remotes.secs() - late).unwrap();
            remotes.update(key, &at(0.0).moving([10.0, 0.0, 0.0]).sent_at(sent).teleporting()).unwrap();
            remotes.drawn(key).unwrap().position[0]
        };
        assert_eq!(go(&mut remotes, 0.2), 0.0);
        run(&mut remotes, 1.0);
        remotes.set_sender_clock(SenderClock::Shared);
        let x = go(&mut remotes, 0.2);
        assert!((x - 2.0).abs() < 1e-3, "{x} m, led by 0.2 s");
        run(&mut remotes, 1.0);
        remotes.set_limits(key, PlainLimits::NONE.top_speed(1.0));
        let x = go(&mut remotes, 0.2);
        assert!((x - 0.2).abs() < 1e-3, "{x} m at 1 m/s");
    }
}
