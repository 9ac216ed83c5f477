//! The error for an invalid move-to.

/// An invalid number in a move-to. The message is refused before any state changes.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{field}: {value} is not valid in a move-to")]
#[non_exhaustive]
pub struct MoveToError {
    /// Name of the invalid parameter.
    pub field: &'static str,
    /// The rejected value.
    pub value: f32,
}
