//! Rivals: what people use today, all fed the same messages.
//!
//! `feed.rs` is what they share: which positions are newer, how fast an entity says it moves. Each rival is one file.

mod buffer;
mod chase;
mod feed;
mod hermite;
mod snap;
mod soft;

use evenstride_types::{EntityId, Vec3, update::Update};

pub(crate) use self::feed::shown;
pub use self::{
    buffer::{AdaptiveBuffer, FixedBuffer},
    chase::SingleChase,
    hermite::HermiteBuffer,
    snap::HardSnap,
    soft::SoftReckoning,
};

/// Where something is drawn: metres in the axes of the scene, degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// Where.
    pub at: Vec3,
    /// Which way.
    pub heading: f32,
}

/// Somebody who claims to show entities move.
pub trait Rival {
    /// A short name.
    fn name(&self) -> &'static str;

    /// A message has arrived.
    fn hear(&mut self, now: f64, update: &Update);

    /// Where an entity is drawn. Called once a frame for everybody, with times that do not go back.
    fn show(&mut self, entity: EntityId, now: f64) -> Option<Shown>;

    /// How many seconds ago what it shows was: legs that it shows are as late.
    fn delay(&self, _entity: EntityId) -> f64 {
        0.0
    }
}

/// Everybody who takes part, as they are when nothing has happened yet.
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
