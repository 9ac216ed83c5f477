//! Surroundings that are one level plane.

use evenstride_types::Vec3;

use crate::surroundings::{Ground, Placed, Placing, Surroundings, Sweep, Swept, place_over, sweep_over};

/// Level ground at one height everywhere, indoors too.
///
/// Bodies take off from it and land on it without help from messages. It suits tests,
/// demonstrations and games on a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatGround {
    /// Height of the ground in metres.
    pub z: f32,
}

impl FlatGround {
    /// Returns the plane as the ground under any point.
    const fn ground(self) -> Ground {
        Ground { z: self.z, normal: Vec3::Z }
    }
}

impl Surroundings for FlatGround {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        sweep_over(&sweep.to, sweep.footing, |_| Some(self.ground()))
    }

    fn place(&self, placing: &Placing) -> Placed {
        place_over(placing, |_| Some(self.ground()))
    }
}
