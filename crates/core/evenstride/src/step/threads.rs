//! Rounds on several threads.
//!
//! Only short steps run at the same time. Each works on the rows of its own body, so columns are cut into
//! parts that share nothing. Animations are in a pool, in which neighbours are far apart. Threads
//! therefore only read them, and what the steps change is stored afterwards. Everything else happens on
//! the calling thread, in storage order, as without threads. The result does not depend on the number of
//! threads.

use alloc::{vec, vec::Vec};

use evenstride_types::SimTime;

use crate::{
    body::{
        context::Context,
        locomotion::{Locomotion, Stride},
    },
    clock::Advanced,
    config::RootMotionMode,
    journal::Journal,
    motion::MotionLibrary,
    step::{
        rounds::{StepBy, Stepper},
        rows::{Pass, Rows, Unended, Walked},
        short::Legs,
    },
    storage::pool::PoolIndex,
    surroundings::Surroundings,
    world::MotionWorld,
};

/// Number of bodies in a part of a round.
const PART: usize = 4_096;

/// A way to do several things at once. The crate `evenstride_parallel` has one that uses `rayon`.
pub trait Threads {
    /// Calls `work` once for each part, in any order and on any thread. Returns after the last call.
    fn run<P: Send>(&self, parts: &mut [P], work: impl Fn(&mut P) + Sync);
}

impl MotionWorld {
    /// Moves time to `now` like [`advance`](Self::advance), with several threads.
    ///
    /// The result has the same bits as that of `advance`, for any number of threads. It pays for worlds
    /// with many thousands of moving bodies. Poses of [`Config::GLIDE`](crate::Config::GLIDE) are moved by
    /// one thread.
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
    rows: Rows<'a, SharedLegs<'a, L>>,
    /// Bodies that do not rest, 64 in each word.
    awake: &'a [u64],
    walked: &'a mut [Walked],
    unended: Vec<Unended>,
}

/// Animations that are changed after all short steps.
struct SharedLegs<'a, L> {
    locomotion: &'a L,
    library: &'a MotionLibrary,
    strides: Vec<(PoolIndex, Stride)>,
}

impl<L: Locomotion> Legs for SharedLegs<'_, L> {
    #[inline(always)]
    fn stride(&self, animator: PoolIndex, scale: f32, secs: f32, mode: RootMotionMode) -> Option<Stride> {
        self.locomotion.stride(animator, scale, secs, mode, self.library)
    }

    #[inline(always)]
    fn touch(&self, animators: &[PoolIndex]) {
        self.locomotion.touch(animators);
    }

    #[inline(always)]
    fn set_stride(&mut self, animator: PoolIndex, stride: &Stride) {
        self.strides.push((animator, *stride));
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
        self.pass_with(&pass, context, threads, journal);
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
        let mut parts = self.parts(&mut walked);
        threads.run(&mut parts, |part| {
            let Part { rows, awake, walked, unended } = part;
            for (block, (awake, walked)) in awake.iter().zip(walked.iter_mut()).enumerate() {
                *walked = rows.walk(block, *awake, pass, context, |of| unended.push(of));
            }
        });
        let left: Vec<_> = parts.into_iter().map(|part| (part.unended, part.rows.legs.strides)).collect();
        let mut unended = Vec::new();
        for (of_part, strides) in left {
            unended.extend(of_part);
            strides.iter().for_each(|(link, stride)| self.store.locomotion.set_stride(*link, stride));
        }
        let mut unended = unended.into_iter();
        for (block, walked) in walked.into_iter().enumerate() {
            self.finish_reached(block, walked, |_| unended.next(), pass, context, journal);
        }
    }

    /// Cuts all columns into parts.
    fn parts<'a>(&'a mut self, walked: &'a mut [Walked]) -> Vec<Part<'a, L>> {
        let store = &mut *self.store;
        let mut previous = store.previous.chunks_mut(PART);
        let mut glides = store.glides.awake.chunks_mut(PART);
        let columns = (store.hot.chunks_mut(PART).zip(store.moving.chunks_mut(PART)))
            .zip(store.routes.chunks_mut(PART))
            .zip(store.changed.words.chunks_mut(PART / 64))
            .zip(store.rest.awake().chunks(PART / 64))
            .zip(walked.chunks_mut(PART / 64));
        let (locomotion, library) = (&store.locomotion, &*store.library);
        columns
            .enumerate()
            .map(|(part, (((((hot, moving), routes), changed), awake), walked))| {
                let legs = SharedLegs { locomotion, library, strides: Vec::new() };
                let (previous, glides) =
                    (previous.next().unwrap_or_default(), glides.next().unwrap_or_default());
                let rows = Rows { first: part * PART, hot, moving, routes, previous, changed, glides, legs };
                Part { rows, awake, walked, unended: Vec::new() }
            })
            .collect()
    }
}
