//! A world, a virtual clock and a simulated server, for tests of motion.
//!
//! [`Stage`] holds any number of entities, and [`Actor`] makes the messages about one of them.
//! [`Rig`] is a stage with one body on it, and verbs for that body. Coordinates are metres from the
//! south-west corner of the landblock [`HOME`], at a height of 10 m unless a call says otherwise.
//!
//! ```
//! use evenstride::Config;
//! use evenstride_testkit::{Actor, Stage};
//!
//! let mut stage = Stage::new(Config::RETAIL);
//! let mut drudge = Actor::new(0x8000_0001);
//! let _ = stage.says(&drudge.created(90.0, 90.0));
//! stage.drive(0.1);
//! let _ = stage.says(&drudge.position(90.0, 92.0));
//! stage.drive(2.0);
//! assert!(stage.at(drudge.id).y > 91.9);
//! ```
//!
//! Errors panic, because a test that cannot be set up has failed.

mod actor;
mod backwards;
#[cfg(feature = "browser")]
pub mod browser;
mod busy;
mod careless;
mod debian;
mod player;
mod rig;
mod stage;
pub mod tools;

use evenstride_types::{CellId, Placement, Pose, Rotation, Vec3};

pub use self::{
    actor::{Actor, under_way},
    backwards::Backwards,
    busy::{busy_plain_world, busy_worlds},
    careless::{CarelessGround, with_careless_host},
    debian::{ensure_packages, has_program},
    player::{RUNNING, STANDING, played, played_in},
    rig::{Rig, WHO},
    stage::Stage,
};

/// The outdoor cell whose landblock all coordinates are measured in.
pub const HOME: u32 = 0xA9B4_0001;

/// Returns the place at these home coordinates, at a height of 10 m, facing north.
pub fn at(x: f32, y: f32) -> Placement {
    place(HOME, Vec3::new(x, y, 10.0))
}

/// Returns a place facing north. `origin` is in metres from the corner of the landblock of `cell`,
/// and the result is in the cell that contains it.
///
/// # Panics
///
/// If the cell is invalid, or the origin is not finite or is off the map.
pub fn place(cell: u32, origin: Vec3) -> Placement {
    let place = Placement::new(CellId::new(cell).unwrap(), Pose::new(origin, Rotation::IDENTITY).unwrap());
    place.settled().unwrap()
}

/// Converts a place to home coordinates, in metres.
pub fn home(place: &Placement) -> Vec3 {
    at_corner().offset_to(place)
}

/// Returns the longest distance between two successive frames of a track, in metres.
pub fn longest_stride(track: &[Vec3]) -> f32 {
    track.windows(2).map(|pair| pair[1].distance(pair[0])).fold(0.0, f32::max)
}

fn at_corner() -> Placement {
    Placement::new(CellId::new(HOME).unwrap(), Pose::IDENTITY)
}

/// Runs the code in documents as documentation tests. These documents belong to no package.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../../README.md")]
    struct Readme;

    #[doc = include_str!("../../../../docs/dat.md")]
    struct Dat;
}
