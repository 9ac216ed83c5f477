//! The value types that all parts of Evenstride share, for places, times, message order and
//! messages.
//!
//! | to express | use |
//! |---|---|
//! | which entity | [`EntityId`] |
//! | which patch of the world | [`CellId`], [`LandblockId`] |
//! | where and which way, inside one landblock | [`Pose`] = origin + [`Rotation`], [`Heading`] |
//! | where in the world | [`Placement`] = cell + pose |
//! | which of two messages is newer | [`Stamp`], [`StampKind`], [`StampTable`] |
//! | when | [`SimTime`], [`SimDuration`] |
//! | a message that was received or will be sent | [`update`] |
//!
//! Everything here is a plain value, without a clock, IO or randomness. Constructors reject invalid
//! cell ids, components that are not finite, and quaternions that do not have unit length. Their
//! errors name the field and the value. Untrusted input stays unchanged in a [`RawPlacement`] until
//! [`RawPlacement::check`] converts it to a [`Placement`].
//!
//! "The client" is the Asheron's Call client of September 2013 (build 11.4186). A `Retail:` line
//! names the function of the client that an item follows, with its address. A `Disputed:` line
//! names a program that differs, such as the server [ACE](https://github.com/ACEmulator/ACE).
//!
//! The modules build on each other in the order `ids`, `cell`, `vector`, `heading`, `rotation`,
//! `pose`, `placement`. `stamp` and `time` stand alone, and `update` uses most of them.
//!
//! ```
//! use evenstride_types::{CellId, Heading, Placement, Pose, Rotation, Vec3};
//!
//! // Two creatures on either side of a landblock edge, 4 m apart.
//! let west = Placement::new(CellId::new(0xA9B4_003D)?, Pose::new(Vec3::new(190.0, 100.0, 0.0), Rotation::IDENTITY)?);
//! let east = Placement::new(CellId::new(0xAAB4_0005)?, Pose::new(Vec3::new(2.0, 100.0, 0.0), Rotation::IDENTITY)?);
//! assert_eq!(west.distance(&east), 4.0);
//! assert_eq!(west.heading_to(&east), Heading::EAST);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Arithmetic
//!
//! Values are stored as `f32` and computed in `f64`, as in the client, whose FPU ran at 53 bits.
//! Functions that return a distance return the `f64` that the client would have had in a register.
//!
//! Transcendental functions come from `libm` only. Of `glam`, only `+`, `-`, `*`, `/`, `dot` and
//! operations on single components are used. The same inputs therefore give the same bits on every
//! target, whichever features other crates in the build enable.
//!
//! Vectors are `glam` types, re-exported here. A host with another version of `glam`, or without
//! it, uses arrays instead.
//!
//! ```
//! use evenstride_types::{Pose, Rotation};
//!
//! let pose = Pose::new([84.0, 90.0, 10.0], Rotation::IDENTITY)?;
//! let origin: [f32; 3] = pose.origin().into();
//! assert_eq!(origin, [84.0, 90.0, 10.0]);
//! # Ok::<(), evenstride_types::PoseError>(())
//! ```
//!
//! # Features
//!
//! - `serde` serializes every type except errors. Checked types are checked again when they are
//!   deserialized.
//! - `arbitrary` makes values for fuzzing and property tests. It needs `std`.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;
// The derive macro of `arbitrary` counts its recursion in a thread-local variable.
#[cfg(feature = "arbitrary")]
extern crate std;

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod cell;
mod convert;
mod heading;
mod ids;
mod placement;
mod pose;
mod rotation;
mod stamp;
mod state_hash;
mod time;
pub mod update;
mod vector;

pub use cell::{
    CELL_SIZE, CELLS_PER_BLOCK, CellClass, CellError, CellId, LAND_CELLS, LANDBLOCK_SIZE, LandCoord,
    LandblockError, LandblockId,
};
pub use glam::{DVec3, Vec3, Vec3A};
pub use heading::{Heading, HeadingError};
pub use ids::{EntityClass, EntityId};
pub use placement::{
    Cylinder, OffMapError, Placement, PlacementError, RawPlacement, RawValidity, settle_outdoors,
};
pub use pose::{COORDINATE_LIMIT, Pose, PoseError};
pub use rotation::{Basis, Rotation, RotationError, UNIT_TOLERANCE};
pub use stamp::{Stamp, StampKind, StampOrder, StampTable};
pub use state_hash::StateHash;
pub use time::{SimDuration, SimTime, TIME_LIMIT_SECS, TimeError};
pub use vector::{
    EPSILON, compare_length, is_nearly_zero, length, length_squared, nearly_equal, unit_vector,
};
