//! Rows of bodies, and the access to them.
//!
//! | file | contents |
//! |---|---|
//! | `rows.rs`, `flags.rs` | one row of each column, and the flags of a body |
//! | `store.rs` | all columns and pools, and what a round does first for each body |
//! | `rest.rs` | bodies at rest, which rounds do not look at |
//! | `cull.rs` | distances from the viewpoint, and which bodies are near enough to be stepped |
//! | `body_mut.rs`, `context.rs` | one body with all that a rule may touch, and rule arguments |
//! | `locomotion.rs` | the trait through which a step and a move-to use animations |
//! | `animated.rs` | its implementation by animations |
//! | `observers.rs` | lists of observers and targets, and notices that wait for delivery |
//! | `hold_links.rs` | links between holders and held bodies |
//! | `local_player.rs` | state that only the local player has |
//! | `changed.rs` | bodies that a host has to draw again |
//! | `setup.rs` | description of a body that a host inserts |
//!
//! Rules are elsewhere. Messages change rows in `inbound/`, steps in `step/`, and goals in
//! `moveto/`. This folder must not use those folders.

pub(crate) mod animated;
pub(crate) mod body_mut;
pub(crate) mod changed;
pub(crate) mod context;
pub(crate) mod cull;
pub(crate) mod flags;
pub(crate) mod hold_links;
pub(crate) mod local_player;
pub(crate) mod locomotion;
pub(crate) mod observers;
pub(crate) mod rest;
pub(crate) mod rows;
pub(crate) mod setup;
pub(crate) mod store;
