//! Times of sending, limits and silence in the generic API.

use evenstride::{
    Disposition, Happening,
    generic::{Order, PlainConfig, PlainError, PlainLimits, PlainPose, PlainUpdate, PlainWorld, SenderClock},
    types::SimTime,
};

const ROVER: u64 = 7;

fn secs(secs: f64) -> SimTime {
    SimTime::from_secs(secs).unwrap()
}

/// A rover on a circle of 20 m at 6 m/s, whose updates come late.
struct Drive {
    world: PlainWorld,
    /// Updates per second.
    rate: u32,
    /// Zero of the sender's clock by the clock of the world.
    zero: f64,
    /// Latency of the update with this number.
    latency: fn(u32) -> f64,
    has_velocity: bool,
}

fn truth(at: f64) -> [f64; 2] {
    let (sin, cos) = libm::sincos(0.3 * at);
    [20.0 * cos, 20.0 * sin]
}

impl Drive {
    fn new(clock: SenderClock) -> Self {
        let config = PlainConfig::default().with(|config| config.sender_clock = clock);
        let world = PlainWorld::new(config, SimTime::ZERO);
        Self { world, rate: 5, zero: 0.0, latency: |_| 0.15, has_velocity: false }
    }

    fn update(&self, number: u32) -> PlainUpdate {
        let sent = f64::from(number) / f64::from(self.rate);
        let [x, y] = truth(sent);
        // It faces along the circle, counter-clockwise.
        let (sin, cos) = libm::sincos(0.15 * sent);
        let pose = PlainPose { position: [x, y, 0.0], rotation: [0.0, 0.0, sin as f32, cos as f32] };
        let velocity = self.has_velocity.then_some([-0.3 * y as f32, 0.3 * x as f32, 0.0]);
        PlainUpdate { velocity, ..PlainUpdate::new(pose).sent_at(secs(sent + self.zero)) }
    }

    /// Drives for half a minute, and returns the mean error after the first five seconds.
    fn error(mut self) -> f64 {
        let mut waiting: Vec<(f64, u32)> = (0..30 * self.rate)
            .map(|number| (f64::from(number) / f64::from(self.rate) + (self.latency)(number), number))
            .collect();
        waiting.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut errors = Vec::new();
        for frame in 0..1_800u32 {
            let now = f64::from(frame) / 60.0;
            self.world.advance(secs(now));
            while let Some((_, number)) = waiting.pop_if(|(arrives, _)| *arrives <= now) {
                let _ = self.world.update(secs(now), ROVER, &self.update(number)).unwrap();
            }
            if now > 5.0 {
                let drawn = self.world.drawn(ROVER, secs(now)).unwrap().position;
                let [x, y] = truth(now);
                errors.push(libm::hypot(drawn[0] - x, drawn[1] - y));
            }
        }
        errors.iter().sum::<f64>() / errors.len() as f64
    }
}

#[test]
fn a_shared_clock_compensates_the_latency() {
    for has_velocity in [false, true] {
        let error = |clock| Drive { has_velocity, ..Drive::new(clock) }.error();
        let (late, now) = (error(SenderClock::OrderOnly), error(SenderClock::Shared));
        // 0.15 s at 6 m/s are 0.9 m.
        assert!(late > 0.8, "velocity {has_velocity}: {late} m off without compensation");
        assert!(now < 0.35, "velocity {has_velocity}: {now} m off with it");
    }
}

#[test]
fn a_clock_of_its_own_compensates_the_jitter() {
    // Every third update takes 0.15 s longer.
    let jitter = |number: u32| if number.is_multiple_of(3) { 0.2 } else { 0.05 };
    for zero in [0.0, -1e6, 1.7e9] {
        let drive = |clock| Drive { zero, latency: jitter, ..Drive::new(clock) };
        let (order, own) = (drive(SenderClock::OrderOnly).error(), drive(SenderClock::Own).error());
        // The least latency is 0.05 s, which are 0.3 m at 6 m/s.
        assert!((0.2..0.4).contains(&own), "zero at {zero} s: {own} m off");
        assert!(own < 0.8 * order, "zero at {zero} s: {own} m off, and {order} m by order alone");
    }
}

#[test]
fn clocks_may_be_synchronized_later() {
    let mut drive = Drive { has_velocity: true, ..Drive::new(SenderClock::OrderOnly) };
    drive.world.set_sender_clock(SenderClock::Shared, 0.5);
    let restored = PlainWorld::restore(&drive.world.save()).unwrap();
    for world in [drive.world.clone(), restored] {
        let drive = Drive { world, has_velocity: true, ..Drive::new(SenderClock::OrderOnly) };
        let error = drive.error();
        assert!(error < 0.35, "{error} m off");
    }
}

#[test]
fn a_lead_is_bounded() {
    let drive = || Drive { latency: |_| 2.0, has_velocity: true, ..Drive::new(SenderClock::Shared) };
    // A quarter of a second of 2 s is compensated.
    let error = drive().error();
    assert!((9.0..11.0).contains(&error), "{error} m");
    for bad in [f64::NAN, -1.0] {
        let config = PlainConfig::default().with(|config| {
            (config.sender_clock, config.max_lead_secs) = (SenderClock::Shared, bad);
        });
        let error = Drive { world: PlainWorld::new(config, SimTime::ZERO), ..drive() }.error();
        assert!(error > 10.0, "{bad} counts as 0: {error} m");
    }
}

#[test]
fn a_clock_that_runs_ahead_or_is_set_anew_does_no_harm() {
    // Shared clocks that differ: updates from the future have no age.
    let ahead = Drive { zero: 9.0, has_velocity: true, ..Drive::new(SenderClock::Shared) };
    assert!((0.8..1.2).contains(&ahead.error()));
    let behind = Drive { zero: -100.0, ..Drive::new(SenderClock::Shared) };
    assert!(behind.error() < 40.0, "it is bounded by the circle");
    let mut world =
        PlainWorld::new(PlainConfig::default().with(|c| c.sender_clock = SenderClock::Own), SimTime::ZERO);
    for (now, sent) in [(1.0, 1.0), (2.0, 1.5), (3.0, 1_000.0), (4.0, 1_001.0), (5.0, 1e11)] {
        world.advance(secs(now));
        let update = PlainUpdate::new(PlainPose::at([now, 0.0, 0.0])).sent_at(secs(sent));
        let answer = world.update(secs(now), ROVER, &update).unwrap();
        assert!(!matches!(answer, Disposition::Ignored(_)), "{answer}");
        assert!(world.drawn(ROVER, secs(now)).unwrap().position[0].abs() < 10.0);
    }
}

/// Returns a world whose senders have clocks of that sort.
fn world_of(clock: SenderClock) -> PlainWorld {
    PlainWorld::new(PlainConfig::default().with(|config| config.sender_clock = clock), SimTime::ZERO)
}

/// Has a world hear that the rover is at `x`, and returns the answer.
fn hear(world: &mut PlainWorld, now: f64, sent: f64, x: f64) -> Result<Disposition, PlainError> {
    world.advance(secs(now));
    world.update(secs(now), ROVER, &PlainUpdate::new(PlainPose::at([x, 0.0, 0.0])).sent_at(secs(sent)))
}

#[test]
fn a_sender_whose_clock_is_set_back_is_not_silenced() {
    for clock in [SenderClock::OrderOnly, SenderClock::Own] {
        let mut world = world_of(clock);
        // A drone that has been on for an hour is switched on again after the third report.
        for (tick, sent) in [3_600.0, 3_600.5, 3_601.0, 0.2, 0.7, 1.2, 1.7].into_iter().enumerate() {
            let now = 0.5 * tick as f64;
            let answer = hear(&mut world, now, sent, now).unwrap();
            assert!(!matches!(answer, Disposition::Ignored(_)), "{clock:?}: {answer} of {sent} s");
        }
        let late = hear(&mut world, 3.1, 1.4, 0.0).unwrap();
        assert!(matches!(late, Disposition::Ignored(_)), "{clock:?}: {late} of a late update");
        let x = world.drawn(ROVER, secs(3.1)).unwrap().position[0];
        assert!((2.0..4.5).contains(&x), "{clock:?}: {x} m");
    }
}

#[test]
fn one_wrong_time_in_the_future_does_not_silence_an_entity() {
    for clock in [SenderClock::OrderOnly, SenderClock::Own, SenderClock::Shared] {
        let mut world = world_of(clock);
        let _ = hear(&mut world, 0.5, 0.4, 0.5).unwrap();
        for (now, wrong) in [(1.0, 1e11), (2.0, 7.0)] {
            let answer = hear(&mut world, now, wrong, now);
            if clock == SenderClock::Shared && wrong > 1e9 {
                let error = answer.unwrap_err();
                assert!(matches!(error, PlainError::SentAhead { ahead_secs, .. } if ahead_secs > 1e10));
                assert!(error.to_string().starts_with("time of sending: 99999999999 s after"), "{error}");
            } else {
                assert!(!matches!(answer, Ok(Disposition::Ignored(_)) | Err(_)), "{clock:?}: {answer:?}");
            }
            let next = hear(&mut world, now + 0.5, now + 0.4, now + 0.5).unwrap();
            assert!(!matches!(next, Disposition::Ignored(_)), "{clock:?}: {next} after {wrong} s");
        }
    }
}

#[test]
fn a_shared_clock_keeps_updates_out_that_are_late() {
    let mut world = world_of(SenderClock::Shared);
    let _ = hear(&mut world, 9.0, 8.9, 9.0).unwrap();
    for (now, sent) in [(9.1, 8.8), (9.2, 5.0)] {
        let answer = hear(&mut world, now, sent, 0.0).unwrap();
        assert!(matches!(answer, Disposition::Ignored(_)), "{answer} of {sent} s");
    }
    // The clock of the game begins again, for example in the next match.
    let answer = hear(&mut world, 1.0, 0.9, 9.0).unwrap();
    assert!(!matches!(answer, Disposition::Ignored(_)), "{answer}");
}

/// Drives at 6 m/s along x, with one update per second whose sender's clock is `skew` of the time
/// behind. Returns how far ahead of the last received place the rover is drawn right after the update
/// of some second.
fn lead_after(skew: fn(f64) -> f64, second: u32) -> f64 {
    let mut world = world_of(SenderClock::Own);
    for tick in 0..=second {
        let now = f64::from(tick);
        world.advance(secs(now));
        let update = PlainUpdate::new(PlainPose::at([6.0 * now, 0.0, 0.0])).moving([6.0, 0.0, 0.0]);
        let _ = world.update(secs(now), ROVER, &update.sent_at(secs(100.0 + now - skew(now)))).unwrap();
        track(&mut world, now, now + 0.95);
    }
    world.drawn(ROVER, secs(f64::from(second) + 0.95)).unwrap().position[0] - 6.0 * (f64::from(second) + 0.95)
}

#[test]
fn a_small_step_of_a_clock_does_not_lead_for_minutes() {
    let step = |now: f64| if now >= 5.0 { 1.5 } else { 0.0 };
    // 0.25 s at 6 m/s are 1.5 m.
    let soon = lead_after(step, 8);
    assert!(soon > 1.0, "{soon} m ahead: the step is taken for an age at first");
    let later = lead_after(step, 35);
    assert!(later < 0.2, "{later} m ahead after half a minute");
}

#[test]
fn jitter_at_a_low_rate_does_not_move_the_offset_of_the_clocks() {
    // Every second update is 0.2 s late, which is compensated.
    let late = |now: f64| if now % 2.0 > 0.5 { 0.2 } else { 0.0 };
    let lead = lead_after(late, 41);
    assert!((0.9..1.25).contains(&lead), "{lead} m of 1.2 m");
}

#[test]
fn a_clock_of_its_own_begins_when_it_is_chosen() {
    let mut world = world_of(SenderClock::OrderOnly);
    let mut hear = |now: f64| {
        world.advance(secs(now));
        let update = PlainUpdate::new(PlainPose::at([6.0 * now, 0.0, 0.0])).moving([6.0, 0.0, 0.0]);
        // Its clock is 1 s behind, which is no age.
        let _ = world.update(secs(now), ROVER, &update.sent_at(secs(now - 1.0))).unwrap();
        track(&mut world, now, now + 0.5);
        if now == 2.0 {
            world.set_sender_clock(SenderClock::Own, 0.25);
        }
        world.drawn(ROVER, secs(now + 0.5)).unwrap().position[0] - 6.0 * (now + 0.5)
    };
    for tick in 2..=8u32 {
        let ahead = hear(f64::from(tick) / 2.0);
        assert!(ahead.abs() < 0.2, "{ahead} m ahead in update {tick}");
    }
}

#[test]
fn a_compensated_latency_does_not_snap() {
    // 15 m/s with a latency of 0.25 s, which are 3.75 m, and positions alone ten times per second.
    let mut world = world_of(SenderClock::Shared);
    world.set_limits(ROVER, PlainLimits::NONE.snap_distance(2.0));
    let ride = |world: &mut PlainWorld, seconds: core::ops::Range<u32>, leap: f64| {
        for frame in 60 * seconds.start..60 * seconds.end {
            let now = f64::from(frame) / 60.0;
            world.advance(secs(now));
            if frame % 6 == 0 {
                let _ = hear(world, now, now - 0.25, 15.0 * (now - 0.25) + leap).unwrap();
            }
        }
        let events = core::iter::from_fn(|| world.poll_event());
        events.filter(|event| matches!(event.kind, Happening::Snapped { .. })).count()
    };
    let begins = ride(&mut world, 1..4, 0.0);
    assert!(begins <= 2, "it begins with {begins} snaps, while nothing tells its velocity yet");
    assert_eq!(ride(&mut world, 4..10, 0.0), 0, "it drives on");
    let now = 599.0 / 60.0;
    let ahead = world.drawn(ROVER, secs(now)).unwrap().position[0] - 15.0 * now;
    assert!(ahead.abs() < 0.5, "{ahead} m off");
    let leaps = ride(&mut world, 10..16, 10.0);
    assert!((1..=3).contains(&leaps), "it is elsewhere, which is {leaps} snaps");
}

fn stand(world: &mut PlainWorld, limits: PlainLimits) {
    world.set_limits(ROVER, limits);
    let _ = world.update(SimTime::ZERO, ROVER, &PlainUpdate::new(PlainPose::IDENTITY)).unwrap();
}

/// Runs frames until `to`, and returns the drawn x of each.
fn track(world: &mut PlainWorld, from: f64, to: f64) -> Vec<f64> {
    (1..=((to - from) * 60.0).round() as u32)
        .map(|frame| {
            let now = secs(from + f64::from(frame) / 60.0);
            world.advance(now);
            world.drawn(ROVER, now).unwrap().position[0]
        })
        .collect()
}

#[test]
fn a_top_speed_bounds_what_is_believed() {
    let limits = PlainLimits::NONE.top_speed(4.0);
    let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
    stand(&mut world, limits);
    track(&mut world, 0.0, 0.1);
    let fast = PlainUpdate::new(PlainPose::IDENTITY).moving([50.0, 0.0, 0.0]);
    let _ = world.update(secs(0.1), ROVER, &fast).unwrap();
    let x = *track(&mut world, 0.1, 2.1).last().unwrap();
    assert!((7.0..8.5).contains(&x), "{x} m in 2 s at 4 m/s");
    // Positions alone, one of which is 12 m off.
    let ride = |limits| {
        let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
        stand(&mut world, limits);
        for tick in 1..=20u32 {
            let now = f64::from(tick) / 5.0;
            let outlier = if tick == 15 { 12.0 } else { 0.0 };
            let pose = PlainPose::at([0.6 * f64::from(tick) + outlier, 0.0, 0.0]);
            let _ = world.update(secs(now), ROVER, &PlainUpdate::new(pose)).unwrap();
            track(&mut world, now, now + 0.2);
            if tick == 15 {
                return *track(&mut world, now + 0.2, now + 0.6).last().unwrap() - 10.8;
            }
        }
        unreachable!("the outlier returns")
    };
    let (free, limited) = (ride(PlainLimits::NONE), ride(limits));
    assert!(limited < 0.8 * free, "{limited} m off instead of {free} m");
}

#[test]
fn a_snap_distance_places_at_once() {
    for (distance, snaps) in [(0.5, true), (1.5, false), (f32::NAN, false), (-1.0, false)] {
        let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
        stand(&mut world, PlainLimits::NONE.snap_distance(distance));
        track(&mut world, 0.0, 0.5);
        let _ = world.update(secs(0.5), ROVER, &PlainUpdate::new(PlainPose::at([1.0, 0.0, 0.0]))).unwrap();
        let x = track(&mut world, 0.5, 0.52)[0];
        assert_eq!(x == 1.0, snaps, "{distance} m: {x} m");
        let mut events = core::iter::from_fn(|| world.poll_event());
        assert_eq!(events.any(|event| matches!(event.kind, Happening::Snapped { .. })), snaps);
    }
}

#[test]
fn a_turn_rate_bounds_what_positions_show() {
    let bend = |limits| {
        let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
        stand(&mut world, limits);
        for tick in 1..=20u32 {
            let now = f64::from(tick) / 5.0;
            // 90° per second.
            let (sin, cos) = libm::sincos(0.5 * now * 90f64.to_radians());
            let rotation = [0.0, 0.0, sin as f32, cos as f32];
            let position = [0.6 * f64::from(tick), 0.0, 0.0];
            let _ =
                world.update(secs(now), ROVER, &PlainUpdate::new(PlainPose { position, rotation })).unwrap();
            track(&mut world, now, now + 0.2);
        }
        let before = world.drawn(ROVER, secs(4.2)).unwrap().rotation;
        track(&mut world, 4.2, 4.3);
        let after = world.drawn(ROVER, secs(4.3)).unwrap().rotation;
        before.iter().zip(after).map(|(a, b)| (a - b) * (a - b)).sum::<f32>()
    };
    assert!(bend(PlainLimits::NONE.turn_rate_deg(5.0)) < 0.5 * bend(PlainLimits::NONE));
}

#[test]
fn a_fast_vehicle_with_many_updates_is_not_held_back_by_its_body() {
    // The body reaches a waypoint per step at most, so it falls behind and snaps.
    for velocity in [None, Some([15.0, 0.0, 0.0])] {
        let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
        let (mut last, mut number) = (0.0, 0u32);
        for frame in 0..1_800u32 {
            let now = f64::from(frame) / 60.0;
            world.advance(secs(now));
            // A little less than 20 per second, with 15 m/s.
            while f64::from(number) / 19.0 <= now {
                let pose = PlainPose::at([15.0 * f64::from(number) / 19.0, 0.0, 0.0]);
                let update = PlainUpdate { velocity, ..PlainUpdate::new(pose) };
                let _ = world.update(secs(now), ROVER, &update).unwrap();
                number += 1;
            }
            let x = world.drawn(ROVER, secs(now)).unwrap().position[0];
            if frame > 120 {
                let stride = x - last;
                assert!((0.1..0.4).contains(&stride), "{velocity:?}: {stride} m in frame {frame}");
                assert!((x - 15.0 * now).abs() < 1.5, "{velocity:?}: at {x} m after {now} s");
            }
            last = x;
        }
    }
}

#[test]
fn limits_belong_to_an_entity_and_go_with_it() {
    let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
    let moving = PlainUpdate::new(PlainPose::IDENTITY).moving([3.0, 0.0, 0.0]);
    // The limit is there before the entity is.
    world.set_limits(ROVER, PlainLimits::NONE.top_speed(0.0));
    let _ = world.update(SimTime::ZERO, ROVER, &moving).unwrap();
    assert_eq!(*track(&mut world, 0.0, 1.0).last().unwrap(), 0.0);
    assert!(world.remove(ROVER));
    let _ = world.update(secs(1.0), ROVER, &moving).unwrap();
    assert!(*track(&mut world, 1.0, 2.0).last().unwrap() > 2.5, "the next one has no limits");
    world.set_limits(ROVER, PlainLimits::NONE.top_speed(1.0));
    world.reset_limits(ROVER);
    assert_eq!(world.limits_of(ROVER), PlainLimits::NONE);
    // An entity that never came leaves none either.
    world.set_limits(8, PlainLimits::NONE.top_speed(0.0));
    assert!(!world.remove(8));
    assert_eq!(world.limits_of(8), PlainLimits::NONE);
}

#[test]
fn silence_is_told_of_an_entity_without_velocities_that_moved() {
    for moves in [false, true] {
        let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
        for tick in 0..5u32 {
            let x = if moves { f64::from(tick) } else { 0.0 };
            let update = PlainUpdate::new(PlainPose::at([x, 0.0, 0.0]));
            let _ = world.update(secs(f64::from(tick)), ROVER, &update).unwrap();
            track(&mut world, f64::from(tick), f64::from(tick) + 1.0);
        }
        track(&mut world, 5.0, 6.9);
        let silent = |world: &mut PlainWorld| {
            core::iter::from_fn(|| world.poll_event()).any(|event| event.kind == Happening::WentSilent)
        };
        assert!(!silent(&mut world), "3 s have not passed");
        track(&mut world, 6.9, 7.1);
        assert_eq!(silent(&mut world), moves);
    }
}

#[test]
fn settings_limits_and_clocks_are_saved() {
    let config = PlainConfig::default().with(|config| {
        (config.sender_clock, config.max_lead_secs) = (SenderClock::Own, 0.4);
        config.limits = PlainLimits::NONE.top_speed(3.0);
    });
    let mut world = PlainWorld::new(config, SimTime::ZERO);
    let hear = |world: &mut PlainWorld, now: f64, x: f64| {
        world.advance(secs(now));
        let update = PlainUpdate::new(PlainPose::at([x, 0.0, 0.0])).sent_at(secs(50.0 + 0.9 * now));
        let _ = world.update(secs(now), ROVER, &update).unwrap();
    };
    hear(&mut world, 0.0, 0.0);
    world.set_limits(ROVER, PlainLimits::NONE.top_speed(2.0));
    hear(&mut world, 0.5, 2.0);
    let mut copy = PlainWorld::restore(&world.save()).unwrap();
    copy.restore_drawing(&world.save_drawing()).unwrap();
    for world in [&mut world, &mut copy] {
        hear(world, 1.0, 4.0);
        world.remove(99);
        let _ = world.update(secs(1.0), 8, &PlainUpdate::default().moving([9.0, 0.0, 0.0])).unwrap();
    }
    assert_eq!(track(&mut world, 1.0, 2.0), track(&mut copy, 1.0, 2.0));
    assert_eq!(world.save(), copy.save());
    assert_eq!(world.save_drawing(), copy.save_drawing());
    let order = Order::Time(secs(50.5));
    let stale = world.update(secs(2.0), ROVER, &PlainUpdate { order, ..PlainUpdate::default() });
    assert!(matches!(stale, Ok(Disposition::Ignored(_))));
}
