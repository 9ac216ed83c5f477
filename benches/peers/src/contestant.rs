//! What every contestant can do.

use crate::traffic::Heard;

/// A method of moving remote entities.
///
/// A round consists of [`prepare`](Self::prepare) and [`ingest`](Self::ingest) for each batch of updates, then
/// [`advance`](Self::advance), [`draw`](Self::draw) and [`settle`](Self::settle).
pub trait Contestant {
    /// Returns what a reader has to know to compare numbers.
    fn facts(&self) -> Facts;

    /// Puts updates into the contestant's own form. It is not timed, because decoding belongs to the host.
    fn prepare(&mut self, heard: &[Heard]);

    /// Takes the prepared updates in.
    fn ingest(&mut self);

    /// Moves all entities to the time of a round.
    fn advance(&mut self, round: u32);

    /// Collects the places to draw, if [`advance`](Self::advance) has not left them where a host can read them.
    fn draw(&mut self) {}

    /// Does what a host does at the end of a frame. Its time belongs to [`advance`](Self::advance).
    fn settle(&mut self) {}

    /// Returns the place of an entity in metres, which shows that the contestant does what it says.
    fn place(&self, number: u32) -> [f32; 3];
}

/// What a reader has to know to compare numbers.
pub struct Facts {
    /// Short name.
    pub name: &'static str,
    /// Work that its time pays for.
    pub does: &'static str,
    /// Work of this library that it leaves out.
    pub does_not: &'static str,
    /// How updates find their entity.
    pub ingests: Ingests,
    /// Whether it hears of the runners at all, so that its places can be compared with theirs.
    pub follows_truth: bool,
}

/// How updates find their entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ingests {
    /// By the server's id.
    ById,
    /// The caller already has the entity.
    ByHandle,
    /// The contestant takes no updates.
    Nothing,
}
