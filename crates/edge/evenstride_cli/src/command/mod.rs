//! What each command does.

pub(crate) mod conform;
pub(crate) mod inspect;
