//! Scenarios: what a server says in a few lines, and what a body does with it.

#[path = "../rig/mod.rs"]
mod rig;

mod airborne;
mod deviations;
mod following;
mod safety;
mod sparse_updates;
mod trouble;
