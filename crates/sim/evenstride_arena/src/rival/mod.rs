//! Rivals: common ways to draw remote entities, all given the same messages.
//!
//! `feed.rs` is the part they share. It decides which positions are newer, and which speed the
//! messages state. Each rival is one file.

mod buffer;
mod chase;
mod drawn;
mod feed;
mod hermite;
mod snap;
mod soft;

use evenstride_types::{EntityId, Vec3, update::Update};

pub(crate) use self::feed::{between_headings, shown};
pub use self::{
    buffer::{AdaptiveBuffer, FixedBuffer},
    chase::SingleChase,
    drawn::{DrawnTrack, DrawnTrackError, MAX_GAP_SECS, place_at},
    hermite::HermiteBuffer,
    snap::HardSnap,
    soft::SoftReckoning,
};

/// A drawn place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// Metres in the axes of the scene.
    pub at: Vec3,
    /// Heading in degrees.
    pub heading: f32,
}

/// A way to draw remote entities.
pub trait Rival {
    /// Returns a short name.
    fn name(&self) -> &'static str;

    /// Handles a message that arrives at `now`, in seconds.
    fn hear(&mut self, now: f64, update: &Update);

    /// Returns the place where an entity is drawn. Called once per frame and entity, with times
    /// that never decrease.
    fn show(&mut self, entity: EntityId, now: f64) -> Option<Shown>;

    /// Returns the age in seconds of the state that is drawn (default: 0). Legs are shown with the
    /// same delay.
    fn delay(&self, _entity: EntityId) -> f64 {
        0.0
    }

    /// Returns a copy in the same state, from which it can go on later.
    fn boxed_clone(&self) -> Box<dyn Rival>;
}

/// Returns all rivals in their initial state.
pub fn rivals() -> Vec<Box<dyn Rival>> {
    vec![
        Box::new(HardSnap::default()),
        Box::new(SoftReckoning::default()),
        Box::new(SingleChase::default()),
        Box::new(FixedBuffer::default()),
        Box::new(AdaptiveBuffer::default()),
        Box::new(HermiteBuffer::default()),
    ]
}
