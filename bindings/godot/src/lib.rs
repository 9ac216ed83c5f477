//! Remote bodies that move smoothly from sparse updates, as nodes of Godot.
//!
//! ```text
//! RemoteWorld          time, units, and the motion of all bodies below it
//! └─ RemoteBody3D      receives updates, and moves itself
//! ```
//!
//! `remotes.rs` has everything that needs no engine, with its tests. The nodes are thin shells around
//! it.

#[expect(missing_docs, reason = "the macro makes accessors of properties without documentation")]
mod body_2d;
#[expect(missing_docs, reason = "the macro makes accessors of properties without documentation")]
mod body_3d;
mod remotes;
#[expect(missing_docs, reason = "the macro makes accessors of properties without documentation")]
mod world;

use godot::prelude::*;

pub use self::{
    body_2d::RemoteBody2D,
    body_3d::RemoteBody3D,
    remotes::{BodyEvent, Counts, Remotes, Settings},
    world::{RemoteClock, RemoteWorld},
};

/// Entry point of the extension.
struct Evenstride;

// SAFETY: this is the only entry point of the library, and it changes no default.
#[gdextension]
unsafe impl ExtensionLibrary for Evenstride {}
