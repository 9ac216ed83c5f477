//! Nanoseconds per entity in Rust, without the C functions. `cargo xtask native-bench` runs it together
//! with the same measurements in C and C#.

use std::{hint::black_box, time::Instant};

use evenstride::{Config, Drawn, MotionWorld, OpenField};
use evenstride_types::{
    CellId, EntityId, Placement, Pose, Rotation, SimTime, Stamp, Vec3,
    update::{PositionPack, PositionUpdate, Update},
};

const ENTITIES: u32 = 10_000;
const FRAMES: u32 = 240;
const PASSES: u32 = 11;

fn main() {
    let mut world = MotionWorld::new(Config::SPECTATOR, SimTime::ZERO);
    let mut drawn = vec![Drawn::EMPTY; ENTITIES as usize];
    let (mut advance, mut handle, mut draw) = (Vec::new(), Vec::new(), Vec::new());
    let mut moved = 0.0;
    for frame in 0..FRAMES {
        let now = SimTime::from_secs(f64::from(frame) / 60.0).unwrap_or(SimTime::ZERO);
        advance.push(timed(|| {
            world.advance(now, &OpenField);
        }));
        if frame % 12 == 0 {
            let updates: Vec<Update> = (0..ENTITIES).map(|index| position(index, frame / 12)).collect();
            handle.push(timed(|| {
                world.handle_all(now, &updates, &OpenField, |_, answer| {
                    let _ = black_box(answer);
                })
            }));
        }
        draw.push(timed(|| {
            let count = world.drawn_into(now, &mut drawn);
            moved +=
                f64::from(drawn[..count].iter().map(|body| body.place.pose.origin().x).fold(0.0, f32::max));
        }));
    }
    let one_by_one = || {
        for index in 0..ENTITIES {
            let body = world.get(EntityId::new(0x8000_0000 + index));
            let _ = black_box(body.map(|body| (body.view(), body.drawn(world.now()))));
        }
    };
    let mut single: Vec<f64> = (0..PASSES).map(|_| timed(one_by_one)).collect();
    assert!(moved > 0.0, "nothing was drawn");
    println!(
        "Rust  advance {:5.1}  handle {:5.1}  draw, batch {:5.1}  body, single {:5.1}",
        mean(&advance),
        median(&mut handle),
        median(&mut draw),
        median(&mut single)
    );
}

/// Returns the position of an entity that walks east, in a round of positions.
fn position(index: u32, round: u32) -> Update {
    let origin = Vec3::new((index % 50) as f32 + round as f32 * 0.8, (index / 60) as f32, 10.0);
    let place = CellId::new(0xA9B4_0001)
        .ok()
        .zip(Pose::new(origin, Rotation::IDENTITY).ok())
        .and_then(|(cell, pose)| Placement::new(cell, pose).settled().ok());
    let Some(place) = place else { unreachable!("all places are on the map") };
    let pack = PositionPack::standing(&place, Stamp::new(0), Stamp::new(round as u16 + 1));
    Update::Position(PositionUpdate { entity: EntityId::new(0x8000_0000 + index), pack })
}

/// Returns the nanoseconds per entity of a call.
fn timed(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64() * 1e9 / f64::from(ENTITIES)
}

/// Returns the median.
fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Returns the mean. Only every second frame is a step, so the median of frames would mean little.
fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}
