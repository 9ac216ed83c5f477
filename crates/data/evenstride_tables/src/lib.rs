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
//! Motions have names, such as `Ready`, `Walk`, `Run`, `TurnRight`, `SidestepRight`, `Falling`,
//! `Dead`, `NonCombat` and `HandCombat`. The game's own numbers, such as `0x41000003`, are valid
//! too. Every error names its line.
//!
//! | key | value |
//! |---|---|
//! | `animation.NAME.frames` | number of keyframes |
//! | `animation.NAME.each` | root motion of every keyframe, `[x, y, z]` in metres |
//! | `animation.NAME.root` | a list with the root motion of each keyframe, instead of `each` |
//! | `animation.NAME.hooks` | a list of events at keyframes |
//! | `table.NUMBER.default_style` | stance of a new body |
//! | `table.NUMBER.modifier.MOTION` | a motion on top of a cycle, in every stance |
//! | `table.NUMBER.style.STANCE.default` | default motion of the stance, which must have a cycle |
//! | `table.NUMBER.style.STANCE.cycle.MOTION` | a motion that repeats |
//! | `table.NUMBER.style.STANCE.modifier.MOTION` | a motion on top of a cycle, in this stance |
//! | `table.NUMBER.style.STANCE.link.FROM.TO` | a motion that leads from `FROM` or `any` to `TO` |
//!
//! All keys of a motion are optional. `clips` is a list, which plays in order. `velocity` is in
//! metres per second and `omega` in radians per second, both in the body's own axes (default:
//! zero). `no_modifiers` ends and refuses modifiers (default: false). `from_default_only` allows
//! the motion only from the stance's default motion (default: false).
//!
//! A clip has `animation`, `first` (default: 0), `last` (default: −1, the last keyframe) and `rate`
//! in keyframes per second (default: 30). A hook has `frame`, `kind`, `value` (default: 0) and
//! `direction`, which is `both` (default), `forward` or `backward`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod names;
mod text;

pub use names::{index_name, motion, motion_name};
pub use text::{TableError, parse, parse_into};
