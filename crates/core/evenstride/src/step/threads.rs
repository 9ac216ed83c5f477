//! Rounds on several threads.
//!
//! Only short steps run at the same time. Each works on the rows of its own body, so columns are cut
//! into parts that share nothing. Animations are in a pool, in which neighbours are far apart. Threads
//! therefore only read them, and the calling thread stores their progress afterwards. Flights are in a
//! pool too, and bodies in flight are left to the calling thread. All other work happens on the calling
//! thread, in storage order, as without threads. The result does not depend on the number of threads.

use alloc::{vec, vec::Vec};

use evenstride_types::SimTime;

use crate::{
    body::{
        context::Context,
        locomotion::{AnimationProgress, Locomotion, Stride},
    },
    clock::Advanced,
    config::RootMotionMode,
    journal::Journal,
    motion::{MotionLibrary, flight::Flight},
    step::{
        rounds::{StepBy, Stepper},
        rows::{Pass, Rows, Unended, Walked, touch_rows},
        short::StepPools,
    },
    storage::pool::PoolIndex,
    surroundings::Surroundings,
    world::MotionWorld,
};

/// Largest number of parts of a round.
const MAX_PARTS: usize = 256;

/// Runs the parts of a round, possibly on several threads.
///
/// The crate `evenstride_parallel` has an implementation that uses `rayon`.
///
/// ```
/// use evenstride::{Config, MotionWorld, OpenField, Threads, types::SimTime};
///
/// /// One thread of the standard library for each part.
/// struct Scoped;
///
/// impl Threads for Scoped {
///     fn run<P: Send>(&self, parts: &mut [P], work: impl Fn(&mut P) + Sync) {
///         let work = &work;
///         std::thread::scope(|scope| {
///             for part in parts {
///                 scope.spawn(move || work(part));
///             }
///         });
///     }
/// }
///
/// let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
/// let _ = world.advance_with(SimTime::ZERO, &OpenField, &Scoped);
/// ```
pub trait Threads {
    /// Calls `work` once for each part, in any order and on any thread. Returns after the last call.
    ///
    /// Bodies of a part without a call are stepped by the calling thread. A second call does nothing.
    fn run<P: Send>(&self, parts: &mut [P], work: impl Fn(&mut P) + Sync);

    /// Returns the number of bodies in a part of a small world, rounded up to a multiple of 64 (default:
    /// 1,024). The last part may be smaller. A world with at most this many bodies is stepped by the calling
    /// thread alone.
    ///
    /// A part of 1,024 moving bodies takes about 50 microseconds, which is much longer than a thread needs
    /// to begin it.
    fn min_part(&self) -> usize {
        1_024
    }
}

impl MotionWorld {
    /// Moves time to `now` like [`advance`](Self::advance), with several threads.
    ///
    /// The result has the same bits as that of `advance`, for any number of threads. Threads pay for
    /// worlds with many thousands of bodies that walk or run. Bodies in flight are stepped by the
    /// calling thread. Poses of [`Config::GLIDE`](crate::Config::GLIDE) are moved by one thread. Each
    /// round allocates a few short lists.
    ///
    /// If the surroundings panic, every body may lose the end of its step and the progress of its
    /// animation. The world goes on with the next call.
    pub fn advance_with(
        &mut self,
        now: SimTime,
        surroundings: &(impl Surroundings + Sync + ?Sized),
        threads: &impl Threads,
    ) -> Advanced {
        self.replay_all(now, surroundings);
        let advanced = self.advance_by(now, |world, now, by| {
            let (mut stepper, record) = world.stepper();
            stepper.step_all_with(now, surroundings, by, threads, record);
        });
        self.move_poses(now, surroundings);
        advanced
    }
}

/// Rows that one thread at a time steps.
struct Part<'a, L> {
    rows: Rows<'a, DeferredPools<'a, L>>,
    /// Bodies that do not rest, 64 in each word.
    awake: &'a [u64],
    walked: &'a mut [Walked],
    unended: Vec<Unended>,
    is_done: bool,
}

impl<L: Locomotion> Part<'_, L> {
    /// Takes the short steps of all bodies.
    fn walk(&mut self, pass: &Pass, context: Context<'_, impl Surroundings + ?Sized>) {
        if core::mem::replace(&mut self.is_done, true) {
            return;
        }
        let mut touched = 0;
        for (block, (awake, walked)) in self.awake.iter().zip(self.walked.iter_mut()).enumerate() {
            if block == touched {
                let Rows { hot, moving, routes, pools, .. } = &self.rows;
                touched =
                    touch_rows(block, self.awake, (hot, moving, routes), |of| pools.locomotion.touch(of));
            }
            if *awake != 0 {
                *walked = self.rows.walk(block, *awake, pass, context, |of| self.unended.push(of));
            }
        }
    }
}

/// Pools that threads only read. The progress of animations is stored after all short steps.
struct DeferredPools<'a, L> {
    locomotion: &'a L,
    library: &'a MotionLibrary,
    progress: &'a mut Vec<(PoolIndex, AnimationProgress)>,
}

impl<L: Locomotion> StepPools for DeferredPools<'_, L> {
    #[inline(always)]
    fn stride(&self, animator: PoolIndex, scale: f32, secs: f32, mode: RootMotionMode) -> Option<Stride> {
        self.locomotion.stride(animator, scale, secs, mode, self.library)
    }

    fn flight(&mut self, _: PoolIndex) -> Option<&mut Flight> {
        None
    }

    #[inline(always)]
    fn set_progress(&mut self, animator: PoolIndex, progress: AnimationProgress) {
        self.progress.push((animator, progress));
    }
}

impl<L: Locomotion + Sync> Stepper<'_, L> {
    /// Steps every body that needs it, as [`step_all`](Self::step_all) does.
    fn step_all_with(
        &mut self,
        now: SimTime,
        surroundings: &(impl Surroundings + Sync + ?Sized),
        by: StepBy,
        threads: &impl Threads,
        journal: &mut impl Journal,
    ) {
        let pass = self.begin(now, by, journal);
        let context = Context { now, config: self.config, surroundings };
        if self.store.len() <= threads.min_part() || journal.keeps_slices() || !journal.takes_short_steps() {
            self.pass(&pass, context, journal);
        } else {
            self.pass_with(&pass, context, threads, journal);
        }
        self.end(context, by, journal);
    }

    /// Steps all bodies that are not linked. The short steps of all of them come first.
    fn pass_with(
        &mut self,
        pass: &Pass,
        context: Context<'_, impl Surroundings + Sync + ?Sized>,
        threads: &impl Threads,
        journal: &mut impl Journal,
    ) {
        let mut walked = vec![Walked::default(); self.store.len().div_ceil(64)];
        let mut progress = core::mem::take(&mut self.store.progress);
        let mut parts = self.parts(&mut walked, &mut progress, threads.min_part());
        threads.run(&mut parts, |part| part.walk(pass, context));
        // A host may have ordered the parts differently.
        parts.sort_unstable_by_key(|part| part.rows.first);
        let unended: Vec<Unended> = parts.into_iter().flat_map(|part| part.unended).collect();
        for (animator, progress) in progress.iter_mut().flat_map(|of_part| of_part.drain(..)) {
            self.store.locomotion.set_progress(animator, progress);
        }
        self.store.progress = progress;
        let mut unended = unended.into_iter().peekable();
        for (block, walked) in walked.into_iter().enumerate() {
            let ending = |slot: usize| {
                // A block that panicked leaves steps behind, if the host's threads caught the panic.
                while unended.next_if(|of| of.slot < slot).is_some() {}
                unended.next_if(|of| of.slot == slot)
            };
            self.finish_reached(block, walked, ending, pass, context, journal);
        }
    }

    /// Cuts all columns into parts.
    fn parts<'a>(
        &'a mut self,
        walked: &'a mut [Walked],
        progress: &'a mut Vec<Vec<(PoolIndex, AnimationProgress)>>,
        min_part: usize,
    ) -> Vec<Part<'a, L>> {
        let store = &mut *self.store;
        let each = store.len().div_ceil(MAX_PARTS).max(min_part.clamp(1, 1 << 30)).next_multiple_of(64);
        progress.resize_with(store.len().div_ceil(each), Vec::new);
        let mut previous = store.previous.chunks_mut(each);
        let mut glides = store.glides.awake.chunks_mut(each);
        let columns = (store.hot.chunks_mut(each).zip(store.moving.chunks_mut(each)))
            .zip(store.routes.chunks_mut(each))
            .zip(store.changed.words.chunks_mut(each / 64))
            .zip(store.rest.awake().chunks(each / 64))
            .zip(walked.chunks_mut(each / 64))
            .zip(progress);
        let (locomotion, library) = (&store.locomotion, &*store.library);
        columns
            .enumerate()
            .map(|(part, ((((((hot, moving), routes), changed), awake), walked), progress))| {
                let pools = DeferredPools { locomotion, library, progress };
                let (previous, glides) =
                    (previous.next().unwrap_or_default(), glides.next().unwrap_or_default());
                let rows = Rows { first: part * each, hot, moving, routes, previous, changed, glides, pools };
                Part { rows, awake, walked, unended: Vec::new(), is_done: false }
            })
            .collect()
    }
}
