//! The same thing twice: a replay that is not the same bit for bit is a bug, and this finds it.

use crate::{
    replay::{Frame, ReplayObserver, ReplayOptions, replay},
    script::Script,
};

/// The state of the world after every frame, as a number: time and fingerprint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fingerprints(pub Vec<(f64, u64)>);

impl ReplayObserver for Fingerprints {
    fn frame(&mut self, frame: &Frame<'_>) {
        self.0.push((frame.time, frame.world.state_hash()));
    }
}

/// Replays a script, and keeps the fingerprint of every frame.
pub fn fingerprints(script: &Script, options: &ReplayOptions) -> Fingerprints {
    let mut fingerprints = Fingerprints::default();
    let _ = replay(script, options, &mut fingerprints);
    fingerprints
}

/// The first frame in which two replays differ; `None` if none does.
pub fn first_difference(one: &Fingerprints, other: &Fingerprints) -> Option<f64> {
    let pairs = one.0.iter().zip(&other.0);
    let differing = pairs.into_iter().find(|(one, other)| one != other).map(|(one, _)| one.0);
    let (shorter, longer) = if one.0.len() < other.0.len() { (one, other) } else { (other, one) };
    differing.or_else(|| longer.0.get(shorter.0.len()).map(|(time, _)| *time))
}
