//! What each command does.

pub(crate) mod conform;
pub(crate) mod explain;
pub(crate) mod inspect;
pub(crate) mod replay;
