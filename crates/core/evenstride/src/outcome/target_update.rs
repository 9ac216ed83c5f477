//! Notices from an observed target to its observers.
//!
//! `moveto/observers.rs` makes them, `body/observers.rs` queues them, and a move-to or a follow
//! reads them.

use evenstride_types::{EntityId, Placement};

/// One notice to one observer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetUpdate {
    /// Target that the notice is about.
    pub about: EntityId,
    /// Whether the target can still be observed.
    pub status: TargetStatus,
    /// Place of the target at its last step. A notice of a timeout carries the observer's own
    /// place.
    pub at: Placement,
    /// Place where the target will be after the observer's look-ahead time, at its present
    /// velocity.
    ///
    /// Only this place is compared with the last one told, to decide whether the next notice is
    /// due.
    pub expected: Placement,
}

/// Status of a target, by the client's numbers. Any status but `Ok` ends a move-to.
///
/// Retail: `TargetManager::SendVoyeurUpdate` (11.4186 @ 0x0051A4F0)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetStatus {
    /// The target is in the world at the place given.
    Ok = 1,
    /// The target left the world. The observer stops observing it.
    Left = 2,
    /// The target was placed elsewhere by a teleport, or entered the world.
    Teleported = 3,
    /// No notice came within [`TARGET_TIMEOUT_SECS`](crate::limits::TARGET_TIMEOUT_SECS), or the
    /// target id is 0.
    TimedOut = 6,
}
