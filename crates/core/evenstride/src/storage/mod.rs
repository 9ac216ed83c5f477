//! Containers that know no rule of the game.
//!
//! Everything here is plain data without pointers. A clone is independent of its original, and the
//! same calls give the same contents on every target.
//!
//! | file | container | cost of a call |
//! |---|---|---|
//! | `pool.rs` | entries of one size, named by four bytes, which never move | constant |
//! | `list.rs` | doubly linked lists through the entries of a pool | constant |
//! | `keys.rs` | generational keys, by which hosts name bodies | constant |
//! | `ids.rs` | hash tables by entity | constant on average |
//! | `timeouts.rs` | deadlines that all lie equally far ahead | constant, amortised |
//! | `parking.rs` | updates that arrived before their entity | constant per update |
//! | `spares.rs` | heap parts of such updates, for the next ones | constant per update |
//! | `memory.rs` | bytes that each part of a world holds | linear in the number of parts |
//!
//! None of them allocates once it has grown to its working size.
//!
//! Rows of bodies are not in this folder. They hold types of `motion/`, which uses these
//! containers, and therefore stand in `body/`.

pub(crate) mod ids;
pub(crate) mod keys;
pub(crate) mod list;
pub(crate) mod memory;
pub(crate) mod parking;
pub(crate) mod pool;
pub(crate) mod spares;
pub(crate) mod timeouts;
