//! What each command does.

pub(crate) mod conform;
