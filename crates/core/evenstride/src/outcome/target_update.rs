//! What an observed body tells its observers.

use evenstride_types::{EntityId, Placement};

/// What an observer is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetUpdate {
    pub about: EntityId,
    pub status: TargetStatus,
    /// Where it is.
    pub at: Placement,
    /// Where it will be, as far ahead as the observer wants to know.
    pub expected: Placement,
}

/// How it is with a target.
///
/// Retail: `TargetManager::SendVoyeurUpdate` (11.4186 @ 0x0051A4F0)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetStatus {
    /// It is where it says.
    Ok = 1,
    /// It left the world.
    Left = 2,
    /// It was put elsewhere.
    Teleported = 3,
    /// Nothing was heard of it for too long.
    TimedOut = 6,
}
