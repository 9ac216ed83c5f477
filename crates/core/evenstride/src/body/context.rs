//! The arguments that everything needs.

use evenstride_types::SimTime;

use crate::config::Config;

/// The arguments that everything needs.
pub struct Context<'a, S: ?Sized> {
    pub now: SimTime,
    pub config: &'a Config,
    pub surroundings: &'a S,
}

impl<S: ?Sized> Clone for Context<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

// Not derived: that would ask the surroundings to be `Copy` too.
impl<S: ?Sized> Copy for Context<'_, S> {}
