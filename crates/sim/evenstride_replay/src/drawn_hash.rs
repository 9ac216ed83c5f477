//! One hash over everything that a replay draws.

use evenstride_types::StateHash;

use crate::replay::{Frame, ReplayObserver};

/// Hashes time, entity and place of every drawn body in every frame. Two replays with the same hash
/// drew the same, on any machine.
///
/// ```
/// use evenstride_replay::{DrawnHash, ReplayOptions, replay, sample};
///
/// let hash = |seconds| {
///     let mut hash = DrawnHash::default();
///     let _ = replay(&sample::crowd(2, seconds), &ReplayOptions::default(), &mut hash);
///     hash.finish()
/// };
/// assert_eq!(hash(1), hash(1));
/// assert_ne!(hash(1), hash(2));
/// ```
#[derive(Clone, Debug, Default)]
pub struct DrawnHash(StateHash);

impl DrawnHash {
    /// Returns the hash of all frames so far.
    pub const fn finish(&self) -> u64 {
        self.0.finish()
    }
}

impl ReplayObserver for DrawnHash {
    fn frame(&mut self, frame: &Frame<'_>) {
        self.0.double(frame.time);
        frame.world.drawn_each(frame.now, |drawn| {
            self.0.word(drawn.entity.raw());
            self.0.placement(&drawn.place);
            self.0.word(u32::from(drawn.is_hidden));
        });
    }
}
