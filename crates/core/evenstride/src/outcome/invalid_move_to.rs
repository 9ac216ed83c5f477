//! Why a body cannot be sent somewhere.

/// An invalid number in a move-to.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{field}: {value} is not valid in a move-to")]
pub struct InvalidMoveTo {
    /// Which.
    pub field: &'static str,
    /// As given.
    pub value: f32,
}
