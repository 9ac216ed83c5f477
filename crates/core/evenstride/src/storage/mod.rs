//! Containers: they know no rule of the game.
//!
//! Entries of a [`pool`] are named by four bytes and never move. [`ids`] finds rows by entity, [`keys`] name bodies for hosts, [`timeouts`] hold
//! deadlines, and [`parking`] holds updates that came before their entity.

pub(crate) mod ids;
pub(crate) mod keys;
pub(crate) mod list;
pub(crate) mod memory;
pub(crate) mod parking;
pub(crate) mod pool;
pub(crate) mod timeouts;
