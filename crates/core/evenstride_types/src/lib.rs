//! The values that every part of Evenstride shares, for places, times, order and messages.
//!
//! | to express | use |
//! |---|---|
//! | which entity | [`EntityId`] |
//! | which patch of the world | [`CellId`], [`LandblockId`] |
//! | where and which way, inside one landblock | [`Pose`] = origin + [`Rotation`], [`Heading`] |
//! | where in the world | [`Placement`] = cell + pose |
//! | which of two messages is newer | [`Stamp`], [`StampKind`], [`StampTable`] |
//! | when | [`SimTime`], [`SimDuration`] |
//! | what arrived or is to be sent | [`update`] |
//!
//! Everything here is a value, without clock, IO or randomness. Constructors reject invalid input
//! with an error that names field and value. Rejected are cells outside every class, components
//! that are not finite, and quaternions off unit length. Input from outside is kept whole in a
//! [`RawPlacement`] until [`RawPlacement::check`] makes it a [`Placement`].
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
//! target, whatever features other crates of a build switch on.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;

mod cell;
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
pub use glam::{DVec3, Vec3};
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
