//! Threads change nothing but the time that a round takes.

use evenstride::{
    Config, FlatGround, MotionWorld, OpenField,
    generic::{PlainConfig, PlainPose, PlainUpdate, PlainWorld},
    surroundings::Surroundings,
};
use evenstride_parallel::Rayon;
use evenstride_testkit::{Actor, CarelessGround, at, with_careless_host};
use evenstride_types::{
    EntityId, SimTime,
    update::{MoveToParams, MovementKind},
};
use rayon::ThreadPoolBuilder;

/// Enough bodies for five parts.
const BODIES: u32 = 5_000;

fn time(secs: f64) -> SimTime {
    SimTime::from_secs(secs).unwrap()
}

fn spot(number: u32) -> (f32, f32) {
    (20.0 + (number % 150) as f32, 20.0 + (number / 150) as f32 * 4.0)
}

/// A crowd in which bodies stand, run, walk a route, fly, and chase another.
fn crowd(config: Config, ground: &impl Surroundings) -> (MotionWorld, Vec<Actor>) {
    let mut world = MotionWorld::new(config, SimTime::ZERO);
    world.set_viewpoint(Some(at(96.0, 96.0)));
    let mut actors: Vec<Actor> = (0..BODIES).map(|number| Actor::new(0x8000_0001 + number)).collect();
    for (number, actor) in (0..).zip(&mut actors) {
        let (x, y) = spot(number);
        let _ = world.handle(SimTime::ZERO, &actor.created(x, y), ground);
    }
    world.advance(time(0.05), ground);
    for (number, actor) in (0u32..).zip(&mut actors) {
        let (x, y) = spot(number);
        let update = match number % 5 {
            0 => actor.runs(0.5),
            1 => actor.position(x, y + 5.0),
            2 => actor.velocity([0.5, 1.0, 4.0]),
            3 => actor.runs(1.5),
            _ if number % 15 == 4 => actor.ordered(MovementKind::MoveToObject {
                target: EntityId::new(0x8000_0001 + number - 4),
                cell: at(x, y).cell.raw(),
                origin: at(x, y).pose.origin(),
                params: MoveToParams::default(),
                run_rate: 1.0,
            }),
            _ => continue,
        };
        let _ = world.handle(time(0.05), &update, ground);
    }
    (world, actors)
}

/// Advances both worlds to the same times, and compares everything that a host sees.
fn compare(config: Config, ground: &(impl Surroundings + Sync), threads: usize) {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (mut one, mut actors) = crowd(config, ground);
    let mut many = one.clone();
    for frame in 1..60u32 {
        let now = time(0.05 + f64::from(frame) / 45.0);
        let advanced = one.advance(now, ground);
        assert_eq!(pool.install(|| many.advance_with(now, ground, &Rayon)), advanced);
        for (number, actor) in (0u32..).zip(&mut actors).filter(|(number, _)| number % 7 == frame % 7) {
            let (x, y) = spot(number);
            let update = actor.position(x, y + frame as f32 / 10.0);
            assert_eq!(one.handle(now, &update, ground), many.handle(now, &update, ground));
        }
        assert_eq!(one.state_hash(), many.state_hash(), "{threads} threads, frame {frame}");
        assert_eq!(one.drawing_hash(), many.drawing_hash(), "{threads} threads, frame {frame}");
        assert!(one.changed().eq(many.changed()));
        one.forget_changed();
        many.forget_changed();
    }
    assert_eq!(one.stats(), many.stats());
    while let Some(event) = one.poll_event() {
        assert_eq!(many.poll_event(), Some(event));
    }
    assert_eq!(many.poll_event(), None);
}

#[test]
fn any_number_of_threads_gives_the_bits_of_one() {
    for threads in [1, 2, 3, 8] {
        compare(Config::RETAIL, &OpenField, threads);
    }
}

#[test]
fn every_profile_and_ground_gives_the_same_bits() {
    for config in [Config::RETAIL, Config::ACDREAM, Config::SMOOTH, Config::GLIDE] {
        compare(config, &FlatGround { z: 10.0 }, 2);
        compare(config, &OpenField, 2);
    }
}

#[test]
fn a_plain_world_has_the_same_bits_too() {
    let worlds = [0, 1].map(|_| PlainWorld::new(PlainConfig::default(), SimTime::ZERO));
    let [mut one, mut many] = worlds;
    for frame in 0..90u32 {
        let now = time(f64::from(frame) / 30.0);
        assert_eq!(one.advance(now), many.advance_with(now, &OpenField, &Rayon));
        if frame % 30 == 0 {
            for entity in 0..3_000u64 {
                let pose = PlainPose::at([entity as f64 * 2.0, f64::from(frame) / 10.0, 0.0]);
                let update = PlainUpdate::new(pose).numbered(u64::from(frame)).moving([0.0, 3.0, 0.0]);
                for world in [&mut one, &mut many] {
                    let _ = world.update(now, entity, &update).unwrap();
                }
            }
        }
    }
    assert_eq!(one.motion().state_hash(), many.motion().state_hash());
    assert_eq!(one.motion().drawing_hash(), many.motion().drawing_hash());
}

/// A panic of the surroundings on any thread reaches the host, and leaves a world that goes on.
#[test]
fn a_world_goes_on_after_surroundings_panicked_on_a_thread() {
    let (mut world, _) = crowd(Config::RETAIL, &FlatGround { z: 10.0 });
    for panics_in in [1, 700, 2_500] {
        let now = time(world.now().as_secs() + 0.04);
        let mut ground = CarelessGround::new(FlatGround { z: 10.0 });
        ground.panics_in = Some(panics_in);
        assert!(with_careless_host(|| world.advance_with(now, &ground, &Rayon)).is_none(), "no panic");
        let restored = MotionWorld::restore(&world.save()).unwrap();
        assert_eq!(restored.state_hash(), world.state_hash());
    }
    for frame in 1..10 {
        let now = time(world.now().as_secs() + 0.04);
        let places: Vec<_> = world.entities().map(|entity| world.body(entity).unwrap().place).collect();
        world.advance_with(now, &FlatGround { z: 10.0 }, &Rayon);
        let moved = world
            .entities()
            .zip(places)
            .filter(|(entity, before)| world.body(*entity).is_some_and(|body| body.place != *before));
        assert!(moved.count() > BODIES as usize / 3, "frame {frame}");
    }
}
