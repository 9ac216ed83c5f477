//! The motion of all bodies of a world, without the engine.

use std::collections::{HashMap, HashSet};

use evenstride::{
    Disposition, Happening,
    generic::{Axes, PlainConfig, PlainError, PlainLimits, PlainPose, PlainUpdate, PlainWorld, SenderClock},
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
    /// Whether times of sending are those of the world's clock.
    pub has_shared_clock: bool,
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
}

impl Remotes {
    /// Makes an empty world whose time starts at zero.
    pub fn new(settings: Settings) -> Self {
        let config = PlainConfig::default().with(|config| {
            config.axes = if settings.is_flat { Axes::XRightYDown } else { Axes::YUpMinusZForward };
            config.units_per_metre = settings.units_per_metre;
            config.max_coast_secs = settings.max_coast_secs;
            if settings.has_shared_clock {
                config.sender_clock = SenderClock::Shared;
            }
        });
        Self {
            world: PlainWorld::new(config, SimTime::ZERO),
            now: SimTime::ZERO,
            last_key: 0,
            keys: HashSet::new(),
            events: HashMap::new(),
            stalled: HashSet::new(),
        }
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
        if !self.keys.contains(&key) {
            return Err(PlainError::UnknownEntity { entity: key });
        }
        let answer = self.world.update(self.now, key, update)?;
        if !matches!(answer, Disposition::Ignored(_)) && self.stalled.remove(&key) {
            self.events.entry(key).or_default().push(BodyEvent::Resumed);
        }
        self.sort_events();
        Ok(())
    }

    /// Throws a body with a velocity in game units per second.
    ///
    /// # Errors
    /// [`PlainError`] if the velocity is invalid, or the body has had no update yet.
    pub fn throw(&mut self, key: u64, velocity: [f32; 3]) -> Result<(), PlainError> {
        self.world.throw(self.now, key, velocity)
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
            if kind == BodyEvent::Stalled {
                self.stalled.insert(event.entity);
            }
            if self.keys.contains(&event.entity) {
                let events = self.events.entry(event.entity).or_default();
                // A node that is not processed does not read them.
                if events.len() < MAX_EVENTS {
                    events.push(kind);
                }
            }
        }
    }
}

/// Largest number of events that wait for a body.
const MAX_EVENTS: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings =
        Settings { is_flat: false, units_per_metre: 1.0, max_coast_secs: 3.0, has_shared_clock: false };

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
    }
}
