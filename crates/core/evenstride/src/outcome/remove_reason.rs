//! Why a body was removed.

/// Why a body was removed from the world for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RemoveReason {
    /// The server deleted the entity.
    Deleted,
    /// A new life or a recreation of the entity takes its place.
    Replaced,
    /// An adopted body is replaced because its description arrived. Its observers keep observing
    /// the new body.
    Described,
    /// The body lost its holder, or a new description put it outside the world. No place followed
    /// for [`PARKING_SECS`](crate::limits::PARKING_SECS) seconds.
    Forgotten,
    /// The host called [`MotionWorld::remove`](crate::MotionWorld::remove), or its surroundings
    /// panicked while the body was created.
    ByHost,
}
