//! Where an accepted position went.

/// Where an accepted position went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "InterpolationManager")]
#[doc(alias = "InterpolateTo")]
#[doc(alias = "position_queue")]
pub enum Enqueued {
    /// To the end of the route.
    Near,
    /// To the end of the route, which will be given up for a snap in the next step: too far to walk.
    Far,
    /// Nowhere: the body is there already.
    AlreadyThere,
}
