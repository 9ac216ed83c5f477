//! The motion core and replays for JavaScript.
//!
//! ```text
//! messages ─► World  ─► draw ─► ids, poses, hidden   a client's own world
//! script   ─► Replay ─► draw ─► ids, poses, hidden   a recording, which can be scrubbed
//! capture  ─► Viewer ─► Drawing ─► bodies, errors    what a page shows of a recording
//! ```
//!
//! | file | content |
//! |---|---|
//! | `call.rs` | what every call goes through, and what happens after a panic |
//! | `input.rs` | checks of values from JavaScript |
//! | `drawn.rs` | arrays without copies |
//! | `world.rs`, `ground.rs` | `World` |
//! | `replay.rs`, `tracks.rs` | `Replay` |
//! | `viewer.rs`, `drawing.rs`, `view_track.rs` | `Viewer`, `Drawing`, `ViewTrack` |
//! | `shares.rs` | what lets go of a recording while it changes |
//!
//! `cargo xtask web` builds the crate for wasm32 and makes the npm package `evenstride` and the blob that
//! the program embeds. `docs/browser.md` is the documentation for users.

#![deny(missing_docs)]
// Views of the module's memory are the only unsafe code.
#![expect(unsafe_code, reason = "views without copies, see drawn.rs")]

mod call;
mod drawing;
mod drawn;
mod ground;
mod input;
mod replay;
mod shares;
mod tracks;
mod view_track;
mod viewer;
mod world;

use serde_json::Value;
use wasm_bindgen::prelude::*;

use crate::call::Sentence;
pub use crate::{
    drawing::Drawing,
    replay::Replay,
    tracks::{RivalTrack, Track},
    view_track::ViewTrack,
    viewer::Viewer,
    world::World,
};

/// Returns the version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Converts JSON to a JavaScript value.
fn to_js(value: &Value) -> Result<JsValue, Sentence> {
    js_sys::JSON::parse(&value.to_string()).map_err(|_| "the result is not JSON".to_owned())
}

/// Returns a hash in hexadecimal, because JavaScript's numbers have 53 bits.
fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A happening. The fields besides these depend on its kind, see docs/codes.md. */
export interface Decision {
    /** Seconds. */
    time: number;
    kind: string;
    code: number;
    /** A sentence. */
    words: string;
    [field: string]: unknown;
}

/** A happening, and the entity that it happened to in hexadecimal. */
export interface WorldEvent extends Decision {
    entity: string;
}

/** What a person would notice. The fields are those of `evenstride moments --json`. */
export interface Moment {
    entity: string;
    name: string | null;
    kind: string;
    from: number;
    to: number;
    words: string;
    decisions: Decision[];
    [field: string]: unknown;
}

/** Hashes of a whole replay, in hexadecimal. */
export interface Fingerprints {
    frames: number;
    state: string;
    drawing: string;
    drawn: string;
}
"#;
