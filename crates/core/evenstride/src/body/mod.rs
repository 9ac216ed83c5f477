//! What there is of each body, and how everything else gets at it.

pub(crate) mod changed;
pub(crate) mod locomotion;
pub(crate) mod setup;
pub(crate) mod store;
