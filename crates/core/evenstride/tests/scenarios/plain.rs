//! The plain door: games that are not Asheron's Call.

use evenstride::{
    Disposition, Happening, RestoreError,
    generic::{Axes, Order, PlainConfig, PlainError, PlainPose, PlainUpdate, PlainWorld},
    outcome::{CreateHow, IgnoreReason, PlaceReason},
    types::SimTime,
};

const ROVER: u64 = 7;

struct Game {
    world: PlainWorld,
    now: f64,
}

impl Game {
    fn new(config: PlainConfig) -> Self {
        Self { world: PlainWorld::new(config, SimTime::ZERO), now: 0.0 }
    }

    fn time(&self) -> SimTime {
        SimTime::from_secs(self.now).unwrap()
    }

    fn hears(&mut self, update: &PlainUpdate) -> Result<Disposition, PlainError> {
        self.world.update(self.time(), ROVER, update)
    }

    fn drive(&mut self, secs: f64) -> Vec<[f64; 3]> {
        (0..(secs * 60.0).round() as usize)
            .map(|_| {
                self.now += 1.0 / 60.0;
                self.world.advance(self.time());
                self.world.drawn(ROVER, self.time()).unwrap().position
            })
            .collect()
    }
}

fn update(position: [f64; 3], velocity: [f32; 3], number: u64) -> PlainUpdate {
    let pose = PlainPose { position, rotation: [0.0, 0.0, 0.0, 1.0] };
    PlainUpdate { pose, velocity: Some(velocity), order: Order::Sequence(number), teleports: false }
}

#[test]
fn once_a_second_is_enough_for_an_even_ride_in_any_engine() {
    for (axes, units) in [
        (Axes::ZUpYForward, 1.0),
        (Axes::YUpMinusZForward, 1.0),
        (Axes::YUpZForward, 1.0),
        (Axes::ZUpXForward, 100.0),
    ] {
        let mut game = Game::new(PlainConfig::default().with(|config| {
            config.axes = axes;
            config.units_per_metre = units;
        }));
        // 5 m/s along the engine's first axis, heard once a second.
        let mut track = Vec::new();
        for second in 0..20u32 {
            let x = f64::from(second) * 5.0 * units;
            let velocity = [5.0 * units as f32, 0.0, 0.0];
            let _ = game.hears(&update([x, 0.0, 0.0], velocity, u64::from(second) + 1)).unwrap();
            track.extend(game.drive(1.0));
        }
        let strides: Vec<f64> = track.windows(2).map(|pair| (pair[1][0] - pair[0][0]) / units).collect();
        let (least, most) =
            strides[30..].iter().fold((f64::MAX, f64::MIN), |(l, m), s| (l.min(*s), m.max(*s)));
        // A twelfth of a metre a frame, and never a standstill.
        assert!(least > 0.04 && most < 0.17, "{axes:?}: strides from {least} to {most} m");
        assert!(track.iter().all(|at| at[1].abs() < 1e-3 * units && at[2].abs() < 1e-3 * units), "{axes:?}");
    }
}

#[test]
fn late_and_repeated_updates_are_ignored_however_the_game_counts() {
    let mut game = Game::new(PlainConfig::default());
    let created = Disposition::Created { how: CreateHow::New };
    assert_eq!(game.hears(&update([0.0; 3], [0.0; 3], 10)), Ok(created));
    game.drive(0.1);
    let stale = Ok(Disposition::Ignored(IgnoreReason::StalePosition));
    for number in [10, 9, 0] {
        assert_eq!(game.hears(&update([5.0, 0.0, 0.0], [0.0; 3], number)), stale);
    }
    assert!(matches!(game.hears(&update([5.0, 0.0, 0.0], [0.0; 3], 11)), Ok(Disposition::Queued(_))));
    let timed = |secs: f64| PlainUpdate {
        order: Order::Time(SimTime::from_secs(secs).unwrap()),
        ..update([6.0, 0.0, 0.0], [0.0; 3], 0)
    };
    let mut game = Game::new(PlainConfig::default());
    let _ = game.hears(&timed(5.0));
    game.drive(0.1);
    assert_eq!(game.hears(&timed(4.9)), stale);
    // As it comes, everything is new.
    let mut game = Game::new(PlainConfig::default());
    for _ in 0..3 {
        let answer = game.hears(&PlainUpdate { order: Order::Arrival, ..timed(0.0) });
        assert!(!matches!(answer, Ok(Disposition::Ignored(_))), "{answer:?}");
        game.drive(0.1);
    }
}

#[test]
fn teleports_throws_and_removals_work_without_stamps() {
    let mut game = Game::new(PlainConfig::default());
    let _ = game.hears(&update([0.0; 3], [0.0; 3], 1));
    game.drive(0.1);
    let away = PlainUpdate { teleports: true, ..update([50.0, 0.0, 0.0], [0.0; 3], 2) };
    let placed = Ok(Disposition::Placed { reason: PlaceReason::Teleport, done: true });
    assert_eq!(game.hears(&away), placed);
    assert_eq!(game.world.drawn(ROVER, game.time()).unwrap().position[0], 50.0);
    game.world.throw(game.time(), ROVER, [0.0, 0.0, 4.0]).unwrap();
    let apex = game.drive(0.6).iter().map(|at| at[2]).fold(0.0, f64::max);
    assert!((0.6..1.1).contains(&apex), "{apex}");
    assert!(game.world.remove(ROVER) && !game.world.remove(ROVER));
    assert_eq!(game.world.drawn(ROVER, game.time()), None);
    // Heard of again, it is there again.
    assert!(matches!(game.hears(&update([1.0, 0.0, 0.0], [0.0; 3], 1)), Ok(Disposition::Created { .. })));
}

#[test]
fn what_is_thrown_flies_as_it_is_thrown() {
    let mut game = Game::new(PlainConfig::default());
    // Rolling east while facing north.
    let _ = game.hears(&update([0.0; 3], [3.0, 0.0, 0.0], 1));
    game.drive(0.2);
    let from = game.world.drawn(ROVER, game.time()).unwrap().position;
    game.world.throw(game.time(), ROVER, [0.0, 5.0, 4.0]).unwrap();
    let to = *game.drive(0.5).last().unwrap();
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    assert!(x.abs() < 0.2 && (y - 2.5).abs() < 0.3, "flew {x} m east and {y} m north");
}

#[test]
fn a_restored_game_goes_on_where_it_was() {
    let config = PlainConfig::default().with(|config| config.axes = Axes::YUpZForward);
    let mut game = Game::new(config);
    let _ = game.hears(&update([0.0; 3], [3.0, 0.0, 0.0], 5));
    game.drive(0.3);
    let mut copy = Game { world: PlainWorld::restore(&game.world.save()).unwrap(), now: game.now };
    copy.world.restore_drawing(&game.world.save_drawing()).unwrap();
    // An update from before the save is still old.
    let stale = Ok(Disposition::Ignored(IgnoreReason::StalePosition));
    for game in [&mut game, &mut copy] {
        assert_eq!(game.hears(&update([9.0, 0.0, 0.0], [0.0; 3], 4)), stale);
        let _ = game.hears(&update([2.0, 0.0, 0.0], [3.0, 0.0, 0.0], 6));
    }
    assert_eq!(game.drive(1.0), copy.drive(1.0));
    assert_eq!(game.world.save(), copy.world.save());
    // Every bit counts, those of the plain door too.
    let saved = game.world.save();
    for place in 0..saved.len() {
        let mut damaged = saved.clone();
        damaged[place] ^= 1;
        assert!(PlainWorld::restore(&damaged).is_err(), "byte {place}");
    }
    assert_eq!(PlainWorld::restore(&saved[..40]).unwrap_err(), RestoreError::Fingerprint);
    let other_kind = PlainWorld::restore(&game.world.motion().save()).unwrap_err();
    assert_eq!(other_kind, RestoreError::NotAPlainSave);
    assert_eq!(evenstride::MotionWorld::restore(&saved).unwrap_err(), RestoreError::NotASave);
    // A world without a viewpoint stays near.
    game.world.set_viewpoint(None).unwrap();
    assert!(matches!(game.hears(&update([2.5, 0.0, 0.0], [0.0; 3], 7)), Ok(Disposition::Queued(_))));
}

#[test]
fn what_is_not_heard_of_coasts_for_a_while_and_stops() {
    let mut game = Game::new(PlainConfig::default());
    let _ = game.hears(&update([0.0; 3], [5.0, 0.0, 0.0], 1));
    game.drive(2.9);
    let silent = |game: &mut Game| {
        std::iter::from_fn(|| game.world.motion_mut().poll_event())
            .filter(|event| event.kind == Happening::WentSilent)
            .count()
    };
    assert_eq!(silent(&mut game), 0);
    let stopped = game.drive(3.0);
    assert_eq!(silent(&mut game), 1);
    let far = stopped.last().unwrap()[0];
    assert!((14.0..15.5).contains(&far), "{far} m");
}

#[test]
fn games_that_send_no_velocity_do_not_fall_behind() {
    let mut game = Game::new(PlainConfig::default());
    let mut worst = 0.0f64;
    for second in 0..30u32 {
        let x = f64::from(second) * 15.0;
        let update = PlainUpdate { velocity: None, ..update([x, 0.0, 0.0], [0.0; 3], u64::from(second) + 1) };
        let _ = game.hears(&update);
        let at = game.drive(1.0).last().unwrap()[0];
        worst = if second > 3 { worst.max(x - at) } else { worst };
    }
    assert!(worst < 0.2, "{worst} m behind after a second");
}

#[test]
fn late_updates_are_counted_and_explained() {
    let mut game = Game::new(PlainConfig::default());
    assert_eq!(game.world.trace(ROVER), Err(PlainError::UnknownEntity { entity: ROVER }));
    let _ = game.hears(&update([0.0; 3], [0.0; 3], 5));
    game.world.trace(ROVER).unwrap();
    let _ = game.hears(&update([1.0, 0.0, 0.0], [0.0; 3], 4));
    assert_eq!(game.world.motion().stats().heard.stale, 1);
    let why = game.world.explain(ROVER).next_back().unwrap().to_string();
    assert!(why.contains("ignored: not newer than the last position"), "{why}");
}

#[test]
fn numbers_that_cannot_be_are_refused_with_a_sentence() {
    let mut game = Game::new(PlainConfig::default());
    let says = |game: &mut Game, update: PlainUpdate| game.hears(&update).unwrap_err().to_string();
    assert_eq!(
        says(&mut game, update([30_000.0, 0.0, 0.0], [0.0; 3], 1)),
        "position.x: 30000 is not a number within 24384 game units of the origin"
    );
    assert!(says(&mut game, update([0.0, f64::NAN, 0.0], [0.0; 3], 1)).starts_with("position.y: NaN is not"));
    assert!(says(&mut game, update([0.0; 3], [f32::INFINITY, 0.0, 0.0], 1)).starts_with("velocity: inf m/s"));
    // In the game's own axes and units.
    let unity = PlainConfig::default().with(|config| {
        config.axes = Axes::YUpZForward;
        config.units_per_metre = 100.0;
    });
    assert_eq!(
        says(&mut Game::new(unity), update([0.0, 0.0, -3e6], [0.0; 3], 1)),
        "position.z: -3000000 is not a number within 2438400 game units of the origin"
    );
    let broken = PlainPose { position: [0.0; 3], rotation: [0.0; 4] };
    let message = says(&mut game, PlainUpdate { pose: broken, ..update([0.0; 3], [0.0; 3], 1) });
    assert!(message.contains("rotation"), "{message}");
    assert!(game.world.motion().is_empty(), "nothing was changed");
}

/// Two entities whose ids differ only above bit 31, and one that takes over another's slot in the core.
#[test]
fn ids_have_64_bits_and_events_name_the_entity_they_happened_to() {
    let mut game = Game::new(PlainConfig::default());
    let (low, high) = (5u64, 5u64 | 1 << 40);
    for (entity, x) in [(low, 1.0), (high, 2.0)] {
        let pose = PlainPose::at([x, 0.0, 0.0]);
        let _ = game.world.update(game.time(), entity, &PlainUpdate::new(pose)).unwrap();
    }
    assert!(game.world.entities().eq([low, high]));
    let key = game.world.key(high).unwrap();
    assert_eq!(game.world.drawn(high, game.time()).unwrap().position, [2.0, 0.0, 0.0]);
    game.world.trace(low).unwrap();
    let _ = game.world.update(game.time(), low, &PlainUpdate::new(PlainPose::at([1.5, 0.0, 0.0]))).unwrap();
    assert!(game.world.explain(low).count() > 0);
    assert!(game.world.remove(low) && !game.world.remove(low));
    let third = u64::MAX;
    let _ = game.world.update(game.time(), third, &PlainUpdate::default()).unwrap();
    assert_eq!(game.world.explain(third).count(), 0, "its predecessor's decisions are not its own");
    let events: Vec<_> = std::iter::from_fn(|| game.world.poll_event()).collect();
    let appeared = |entity| events.iter().any(|e| e.entity == entity && e.kind == Happening::Appeared);
    assert!(appeared(low) && appeared(high) && appeared(third), "{events:?}");
    let removed: Vec<u64> =
        events.iter().filter(|e| matches!(e.kind, Happening::Removed(_))).map(|e| e.entity).collect();
    assert_eq!(removed, [low]);
    // Saved and restored, ids are the same.
    let mut copy = PlainWorld::restore(&game.world.save()).unwrap();
    assert!(copy.entities().eq(game.world.entities()));
    assert_eq!((copy.entity(key), copy.key(low)), (Some(high), None));
    let unknown = copy.throw(game.time(), low, [0.0, 0.0, 1.0]).unwrap_err();
    assert_eq!(unknown.to_string(), "entity 0x5 is unknown: no update mentioned it, or it was removed");
}

#[test]
fn distances_of_events_are_in_the_games_units() {
    let mut game = Game::new(PlainConfig::default().with(|config| config.units_per_metre = 100.0));
    let _ = game.hears(&update([0.0; 3], [0.0; 3], 1)).unwrap();
    game.drive(0.1);
    let jump = PlainUpdate { teleports: true, ..update([500.0, 0.0, 0.0], [0.0; 3], 2) };
    let _ = game.hears(&jump).unwrap();
    let snapped = std::iter::from_fn(|| game.world.poll_event()).find_map(|event| match event.kind {
        Happening::Snapped { metres, .. } => Some(metres),
        _ => None,
    });
    assert!((snapped.unwrap() - 500.0).abs() < 0.1, "{snapped:?}");
}

#[test]
fn a_plain_world_is_due_when_a_coasting_entity_must_stop() {
    let mut game =
        Game::new(PlainConfig::default().with(|config| config.motion = evenstride::Config::SMOOTH));
    assert_eq!(game.world.next_due(), None);
    let _ = game.hears(&update([0.0; 3], [3.0, 0.0, 0.0], 1)).unwrap();
    let mut advances = 0;
    while let Some(due) = game.world.next_due() {
        game.world.advance(due);
        advances += 1;
        assert!(advances < 200, "{due:?}");
    }
    // Three seconds of ticks, the end of the coasting, and a last step or two.
    assert!((90..100).contains(&advances), "{advances}");
}

#[test]
fn a_bad_coordinate_is_reported_with_its_sign_in_every_game() {
    for axes in
        [Axes::ZUpYForward, Axes::YUpMinusZForward, Axes::YUpZForward, Axes::ZUpXForward, Axes::XRightYDown]
    {
        let mut game = Game::new(PlainConfig::default().with(|config| config.axes = axes));
        for axis in 0..3 {
            let mut position = [0.0; 3];
            position[axis] = -1e9;
            let error = game.hears(&update(position, [0.0; 3], 1)).unwrap_err();
            let PlainError::OffMap { axis: name, value, .. } = error else { panic!("{error}") };
            assert_eq!((name, value), (["x", "y", "z"][axis], -1e9), "{axes:?}");
        }
    }
}

#[test]
fn an_entity_of_which_only_positions_are_known_glides_from_the_second_one_on() {
    let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
    let mut drawn = Vec::new();
    for frame in 0..=300u32 {
        let now = SimTime::from_secs(f64::from(frame) / 60.0).unwrap();
        world.advance(now);
        if frame % 60 == 0 {
            let pose = PlainPose::at([f64::from(frame) / 20.0, 0.0, 0.0]);
            let _ = world.update(now, 7, &PlainUpdate::new(pose).numbered(u64::from(frame))).unwrap();
        }
        drawn.push(world.drawn(7, now).unwrap().position[0]);
    }
    // A second after the second position it is where the entity is, and stays there.
    for (frame, x) in drawn.iter().enumerate().skip(120) {
        let truth = frame as f64 / 20.0;
        assert!((x - truth).abs() < 0.3, "frame {frame}: {x} instead of {truth}");
    }
}
