//! Motion tables and animations as text (TOML), for games and tests without the game's archives.
//!
//! ```
//! let library = evenstride_tables::parse(
//!     r#"
//!     [animation.stand]
//!     frames = 30
//!
//!     [animation.stride]          # 2 m/s: 15 keyframes, each carries the root 2/30 m ahead
//!     frames = 15
//!     each = [0.0, 0.0667, 0.0]
//!
//!     [table.0x09000100]
//!     default_style = "NonCombat"
//!
//!     [table.0x09000100.style.NonCombat]
//!     default = "Ready"
//!     cycle.Ready = { clips = [{ animation = "stand" }] }
//!     cycle.Walk = { clips = [{ animation = "stride", rate = 30.0 }] }
//!     link.Ready.Walk = { clips = [{ animation = "stride", last = 3 }] }
//!     "#,
//! )?;
//! assert!(library.table(0x0900_0100).is_some());
//! # Ok::<(), evenstride_tables::TableError>(())
//! ```
//!
//! Motions have names (`Ready`, `Walk`, `Run`, `TurnRight`, `SidestepRight`, `Falling`, `Dead`,
//! `NonCombat`, `HandCombat` …). The game's own numbers (`0x41000003`) are valid too. Every error
//! names its line.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod names;
mod text;

pub use names::{index_name, motion, motion_name};
pub use text::{TableError, parse, parse_into};
