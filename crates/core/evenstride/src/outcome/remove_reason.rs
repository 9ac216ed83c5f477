//! Why an entity is gone.

/// Why an entity is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemoveReason {
    /// The server said so.
    Deleted,
    /// A new life of it, or a new description, takes its place.
    Replaced,
    /// It had been made by a position, and is made anew because it is described now. Who watched it goes on.
    Described,
    /// It was nowhere for too long.
    Forgotten,
    /// The host said so.
    ByHost,
}
