//! A speed that is not valid.

/// An invalid speed factor.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{field}: {value} is not a speed factor (finite, at most {SPEED_LIMIT} either way)")]
pub struct InvalidSpeed {
    /// Which.
    pub field: &'static str,
    /// As given.
    pub value: f32,
}

/// Largest speed factor of a motion, either way. A safety bound: the largest the game uses is 4.5, the client has no limit.
pub const SPEED_LIMIT: f32 = 1000.0;
