//! The error for an invalid speed factor, and the limit.

/// An invalid speed factor in a movement, a description or a host's setup.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{field}: {value} is not a valid speed factor (finite, with a magnitude of at most {SPEED_LIMIT})")]
#[non_exhaustive]
pub struct SpeedError {
    /// Name of the invalid factor.
    pub field: &'static str,
    /// The rejected value, which is not finite or exceeds [`SPEED_LIMIT`].
    pub value: f32,
}

/// Largest absolute speed factor of a motion.
///
/// This is a safety bound (S4). The largest factor that the game uses is 4.5, and the client has no
/// limit.
pub const SPEED_LIMIT: f32 = 1000.0;
