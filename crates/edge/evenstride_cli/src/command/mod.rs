//! The commands.

pub(crate) mod archive;
pub(crate) mod conform;
pub(crate) mod dat;
pub(crate) mod demo;
pub(crate) mod explain;
pub(crate) mod inspect;
pub(crate) mod join;
pub(crate) mod man;
pub(crate) mod moments;
pub(crate) mod relay;
pub(crate) mod replay;
pub(crate) mod scenarios;
pub(crate) mod score;
pub(crate) mod serve;
pub(crate) mod simulate;
pub(crate) mod watch;
