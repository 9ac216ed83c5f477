//! Arguments that most rules need.

use evenstride_types::SimTime;

use crate::config::Config;

/// Arguments that most rules need. It is cheap to copy, because it holds only a time and
/// references.
pub struct Context<'a, S: ?Sized> {
    /// Time of the round or of the message. Slices of one body lie before it.
    pub now: SimTime,
    /// Switches of the world.
    pub config: &'a Config,
    /// Surroundings that answer sweeps and placements. The host passes them with every call.
    pub surroundings: &'a S,
}

impl<S: ?Sized> Clone for Context<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

// A derived `Copy` would require that the surroundings are `Copy` too.
impl<S: ?Sized> Copy for Context<'_, S> {}
