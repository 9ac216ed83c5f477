//! The runners that all contestants hear of.

use std::ops::Range;

/// Rounds between two positions of one runner, two and a half per second.
pub const PERIOD: u32 = 12;
/// Seconds from one round to the next, a thirtieth and a bit.
pub const ROUND_SECS: f64 = 0.034;
/// Metres from one position to the next, at 6.6 m/s. A route at 8 m/s takes 11 of 12 rounds to walk it, and so never grows. Legs alone
/// make 4 m/s.
const STRIDE: f32 = 2.7;
/// Positions on each side of the square that a runner runs round.
const SIDE: u32 = 4;

/// A received position.
#[derive(Clone, Copy, Debug)]
pub struct Heard {
    /// Number of the entity, from 0, for contestants without ids.
    pub number: u32,
    /// The server's id of the entity.
    pub id: u32,
    /// Round in which it arrives.
    pub round: u32,
    /// Number of this position among those of its entity, from 1.
    pub nth: u32,
    /// Where the entity is, in metres.
    pub position: [f32; 3],
    /// Where it looks, as a unit quaternion.
    pub wxyz: [f32; 4],
}

/// All positions of a run. In each round one in twelve entities is heard of, in an order that has nothing to do with their numbers.
pub struct Traffic {
    order: Vec<u32>,
}

impl Traffic {
    pub fn new(entities: u32) -> Self {
        let mut order: Vec<u32> = (0..entities).collect();
        shuffle(&mut order);
        Self { order }
    }

    /// Returns the positions that arrive in a round.
    pub fn of_round(&self, round: u32) -> impl Iterator<Item = Heard> {
        let bound = |part: u32| (self.order.len() as u64 * u64::from(part) / u64::from(PERIOD)) as usize;
        let whose: Range<usize> = bound(round % PERIOD)..bound(round % PERIOD + 1);
        self.order[whose].iter().map(move |&number| heard(number, round))
    }
}

/// Returns the id of an entity. Ids are spread as a server's are, not 0, 1, 2.
pub const fn id(number: u32) -> u32 {
    0x8000_0000 | number.wrapping_mul(0x0100_0193) >> 1
}

/// Returns where an entity starts, on a grid of 40 m by 40 m.
pub fn start(number: u32) -> [f32; 3] {
    let (x, y) = (number % 100, number / 100 % 100);
    [76.0 + x as f32 * 0.4, 76.0 + y as f32 * 0.4, 10.0]
}

/// Returns the way that an entity looks at first, as a unit quaternion.
pub fn first_wxyz(number: u32) -> [f32; 4] {
    wxyz(first_angle(number))
}

/// Returns the position of a runner that arrives in a round.
pub fn heard(number: u32, round: u32) -> Heard {
    let nth = round / PERIOD + 1;
    let (quarter, step) = (nth / SIDE % 4, nth % SIDE);
    let angle = first_angle(number);
    let turned = |quarters: u32| angle + quarters as f32 * core::f32::consts::FRAC_PI_2;
    // Two opposite sides of the square cancel out, so no more than two have to be added up.
    let corners: &[u32] = [&[][..], &[0], &[0, 1], &[1]][quarter as usize];
    let sides = corners.iter().map(|corner| (*corner, SIDE)).chain([(quarter, step)]);
    let mut position = start(number);
    for (side, steps) in sides {
        let (sin, cos) = turned(side).sin_cos();
        position[0] -= sin * STRIDE * steps as f32;
        position[1] += cos * STRIDE * steps as f32;
    }
    Heard { number, id: id(number), round, nth, position, wxyz: wxyz(turned(quarter)) }
}

fn first_angle(number: u32) -> f32 {
    ((number.wrapping_mul(0x9E37_79B9) >> 16) % 360) as f32 * (core::f32::consts::PI / 180.0)
}

fn wxyz(angle: f32) -> [f32; 4] {
    let (sin, cos) = (angle / 2.0).sin_cos();
    [cos, 0.0, 0.0, sin]
}

/// Puts numbers into a random order, the same in each run.
fn shuffle(items: &mut [u32]) {
    let mut state = 0x2013_0911u64;
    for last in (1..items.len()).rev() {
        // Splitmix64.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut random = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        random = (random ^ (random >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        random ^= random >> 31;
        items.swap(last, ((u128::from(random) * (last as u128 + 1)) >> 64) as usize);
    }
}
