//! What there is of each body, and how everything else gets at it.
//!
//! `store.rs` holds the columns, `locomotion.rs` what a step and a move-to know of animations, `animated.rs` the animations themselves.

pub(crate) mod animated;
pub(crate) mod body_mut;
pub(crate) mod changed;
pub(crate) mod context;
pub(crate) mod flags;
pub(crate) mod hold_links;
pub(crate) mod local_player;
pub(crate) mod locomotion;
pub(crate) mod observers;
pub(crate) mod rows;
pub(crate) mod setup;
pub(crate) mod store;
