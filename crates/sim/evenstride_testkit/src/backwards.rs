//! Threads in a fixed order, for tests without threads.

use evenstride::Threads;

/// Reverses the parts of a round, and takes them on the calling thread. Parts are as small as they can
/// be, so that every world has several.
#[derive(Clone, Copy, Debug)]
pub struct Backwards;

impl Threads for Backwards {
    fn run<P: Send>(&self, parts: &mut [P], work: impl Fn(&mut P) + Sync) {
        parts.reverse();
        parts.iter_mut().for_each(work);
    }

    fn min_part(&self) -> usize {
        0
    }
}
