#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

use evenstride::Threads;
use rayon::prelude::*;

/// The threads of `rayon`, which are those of the pool that a call runs in, or else those of the global
/// pool.
///
/// ```
/// use evenstride::{Config, MotionWorld, OpenField, types::SimTime};
/// use evenstride_parallel::Rayon;
///
/// let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
/// let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
/// let advanced = pool.install(|| world.advance_with(SimTime::ZERO, &OpenField, &Rayon));
/// # let _ = advanced;
/// # Ok::<(), rayon::ThreadPoolBuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Rayon;

impl Threads for Rayon {
    fn run<P: Send>(&self, parts: &mut [P], work: impl Fn(&mut P) + Sync) {
        parts.par_iter_mut().for_each(&work);
    }
}
