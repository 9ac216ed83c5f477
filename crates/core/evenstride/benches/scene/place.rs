//! Where bodies and the viewpoint are, and in which order updates arrive.

use std::ops::Range;

use evenstride::types::{CellId, Heading, LandblockId, Placement, Pose, Rotation, SimTime, Vec3};

use super::Kind;

/// Returns the place of a body, on a grid of 40 m by 40 m. Each body looks its own way.
pub fn place(number: u32) -> Placement {
    let (x, y) = (number % 100, number / 100 % 100);
    let degrees = (number.wrapping_mul(0x9E37_79B9) >> 16) % 360;
    let heading = Heading::from_degrees(degrees as f32).expect("finite");
    at(76.0 + x as f32 * 0.4, 76.0 + y as f32 * 0.4, Rotation::facing(heading))
}

/// Returns the place that distances are measured from. All bodies are within 96 m of it, except in the scene that says otherwise.
///
/// A moving viewpoint goes to and fro at 4 m/s, the pace of a runner. The far one goes to and fro where half of the crowd crosses the
/// line of 96 m.
pub fn viewpoint(kind: Kind, now: SimTime) -> Placement {
    let walked = now.as_secs() * 4.0;
    let to_and_fro = |length: f64| (length - (walked % (2.0 * length) - length).abs()) as f32;
    match kind {
        Kind::IdleMovingView | Kind::SparseMovingView => {
            at(76.0 + to_and_fro(40.0), 96.0, Rotation::IDENTITY)
        }
        Kind::SparseCrossingView => at(to_and_fro(20.0), 96.0, Rotation::IDENTITY),
        _ => at(76.0, 76.0, Rotation::IDENTITY),
    }
}

fn at(x: f32, y: f32, rotation: Rotation) -> Placement {
    let block = LandblockId::new(0xA9, 0xB4).expect("on the map");
    let cell: CellId = block.cell(0x001C).expect("an outdoor cell");
    let pose = Pose::new(Vec3::new(x, y, 10.0), rotation).expect("finite");
    Placement::new(cell, pose).settled_outdoors().expect("on the map")
}

/// Puts items into an order that has nothing to do with the one they had, the same in each run.
pub fn shuffle<T>(items: &mut [T]) {
    let mut state = 0x2013_0911u64;
    for last in (1..items.len()).rev() {
        // Splitmix64, whose high bits scale to the range without a visible bias.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut random = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        random = (random ^ (random >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        random ^= random >> 31;
        items.swap(last, ((u128::from(random) * (last as u128 + 1)) >> 64) as usize);
    }
}

/// Returns the part of `count` items whose turn it is in a round. In `period` rounds each has one turn.
pub fn turn(count: usize, period: u32, round: u32) -> Range<usize> {
    let (period, phase) = (u64::from(period), u64::from(round % period));
    let bound = |part: u64| (count as u64 * part / period) as usize;
    bound(phase)..bound(phase + 1)
}
