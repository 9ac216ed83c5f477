//! The motion core for C, and for every language that calls C.
//!
//! `include/evenstride.h` is made of this crate by `cargo xtask header`. `docs/openac.md` shows the two
//! places at which a client plugs the library in.
//!
//! | file | content |
//! |---|---|
//! | `status.rs` | status numbers, and the text of the last error |
//! | `guard.rs` | the one entry that every function goes through |
//! | `pointers.rs` | checked access to the caller's memory |
//! | `place.rs`, `layout.rs` | plain structs, and the promise of their layout |
//! | `config.rs`, `library.rs` | settings, and motion tables |
//! | `ground.rs` | surroundings, built in or by callbacks |
//! | `world.rs`, `world/` | `EvWorld` |
//! | `plain.rs`, `plain_out.rs` | `EvPlainWorld`, for games other than Asheron's Call |
//!
//! # Rules for callers
//!
//! - **Status.** Every function that can fail returns an [`EvStatus`]. Outputs are written only with
//!   `EV_STATUS_OK`, unless the function says otherwise. `ev_last_error` has a sentence about the last
//!   failure in the same thread.
//! - **Pointers.** A pointer is null or valid for its type and length. Null is answered with
//!   `EV_STATUS_NULL`, unless the function allows it. A null array of length 0 is empty.
//! - **Buffers.** The caller owns all memory. If a buffer is too short, the answer is
//!   `EV_STATUS_TOO_SHORT`, and the count output has the length that suffices. Nothing is consumed then.
//! - **Texts** are UTF-8 and end with a NUL byte. The length that is reported excludes it, so a buffer
//!   needs one more byte.
//! - **Threads.** A handle may move between threads. Two calls at the same time on one handle are
//!   answered with `EV_STATUS_BUSY`, and so is a call on a world from one of its own callbacks.
//! - **Panics** never leave the library. The answer is `EV_STATUS_PANICKED`. The handle is poisoned then,
//!   and answers everything but its release with `EV_STATUS_POISONED`.
//! - **Callbacks.** A foreign exception, such as one of C++, must not leave a callback. The process
//!   aborts otherwise. `evenstride.hpp` and the C# package catch exceptions, finish the call, and throw
//!   them again from it.
//!
//! A warm world allocates nothing in a call, except for texts of errors, descriptions of entities and
//! movements with actions (`tests/allocation.rs`).

#![deny(missing_docs)]
#![expect(unsafe_code, reason = "C has pointers")]
#![expect(clippy::missing_safety_doc, reason = "the rules above hold for every function")]

mod config;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod ground;
mod guard;
mod layout;
mod library;
mod place;
mod plain;
mod plain_out;
mod pointers;
mod status;
mod world;

pub use crate::{
    config::*, ground::*, layout::*, library::*, place::*, plain::*, plain_out::*, status::*, world::*,
};
