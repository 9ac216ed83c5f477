//! Remotes beside the physics of avian. `tests/avian.rs` is all of it.
