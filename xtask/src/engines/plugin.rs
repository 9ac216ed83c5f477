//! The plugin for Bevy, without a window.

use super::{BEVY, check};
use crate::report::Findings;

/// Lints, tests and documents the plugin. It needs a small part of the engine.
pub(crate) fn run() -> Findings {
    check(BEVY, "bevy")
}
