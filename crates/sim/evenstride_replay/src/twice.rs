//! Compares two replays of the same script. A difference in a single bit is a bug.

use crate::{
    drawn_hash::DrawnHash,
    replay::{Frame, ReplayObserver, ReplayOptions, Still, replay},
    script::Script,
};

/// Time of every frame in seconds, and a hash of the world's state after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fingerprints(pub Vec<(f64, u64)>);

impl ReplayObserver for Fingerprints {
    fn frame(&mut self, frame: &Frame<'_>) {
        self.0.push((frame.time, frame.world.state_hash()));
    }

    fn still(&mut self, still: &Still<'_>) {
        // The state is the same in all of them.
        still.frames().next_back().iter().for_each(|frame| self.frame(frame));
    }
}

/// Time of every frame in seconds, with hashes of the world's state, of its gliding poses, and of all
/// drawn places. Frames in which nothing moves count too.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameHashes(pub Vec<(f64, [u64; 3])>);

impl ReplayObserver for FrameHashes {
    fn frame(&mut self, frame: &Frame<'_>) {
        let mut drawn = DrawnHash::default();
        drawn.frame(frame);
        let hashes = [frame.world.state_hash(), frame.world.drawing_hash(), drawn.finish()];
        self.0.push((frame.time, hashes));
    }
}

/// Replays a script without a sync test, and returns the time and the state hash of every frame.
pub fn fingerprints(script: &Script, options: &ReplayOptions) -> Fingerprints {
    let mut fingerprints = Fingerprints::default();
    let options = ReplayOptions { sync_test: None, ..options.clone() };
    let _ = replay(script, &options, &mut fingerprints);
    fingerprints
}

/// Returns the time in seconds of the first frame in which two replays differ, or `None` if they
/// are equal.
pub fn first_difference(one: &Fingerprints, other: &Fingerprints) -> Option<f64> {
    let pairs = one.0.iter().zip(&other.0);
    let differing = pairs.into_iter().find(|(one, other)| one != other).map(|(one, _)| one.0);
    let (shorter, longer) = if one.0.len() < other.0.len() { (one, other) } else { (other, one) };
    differing.or_else(|| longer.0.get(shorter.0.len()).map(|(time, _)| *time))
}
