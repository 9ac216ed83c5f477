//! Short steps of many bodies.
//!
//! Short steps (`short.rs`) work on plain columns. This file takes them for blocks of 64 bodies, and reports
//! the work that is left for each block. `rounds.rs` does the rest, in storage order. Short steps note
//! nothing, and bodies that are not linked cannot influence each other. The result is therefore that of
//! one body after the other.

use core::{hint::black_box, ops::Range};

use evenstride_types::{Placement, SimTime, TIME_LIMIT_SECS};

use crate::{
    body::{
        context::Context,
        cull::Cull,
        flags::Flags,
        locomotion::Locomotion,
        rows::{HotRow, MotionRow},
        store::{SliceTime, Store},
    },
    config::MIN_STEP_SECS,
    motion::route::Route,
    step::{
        rounds::StepBy,
        short::{Answer, OwnedPools, Short, Slice, StepPools, fly, is_flying, is_ordinary, stride, walk},
    },
    storage::pool::PoolIndex,
    surroundings::Surroundings,
};

/// Facts that all bodies of a round share.
#[derive(Clone, Copy)]
pub(super) struct Pass {
    pub cull: Cull,
    /// Time since a body's last step that makes one slice.
    pub slice: SliceTime,
    pub by: StepBy,
}

/// Rows of consecutive bodies. The first slot is a multiple of 64.
pub(super) struct Rows<'a, S> {
    /// Slot of the first body.
    pub first: usize,
    pub hot: &'a mut [HotRow],
    pub moving: &'a mut [MotionRow],
    pub routes: &'a mut [Route],
    /// Empty unless bodies are drawn between steps.
    pub previous: &'a mut [Placement],
    /// Marks of changed bodies, 64 in each word.
    pub changed: &'a mut [u64],
    /// Whether poses have to move. Empty unless bodies glide.
    pub glides: &'a mut [bool],
    pub pools: S,
}

/// Work that a pass has done for a block of 64 bodies, one bit for each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Walked {
    /// Bodies that have taken a short step. All others are left.
    pub stepped: u64,
    /// Bodies whose short step has not ended.
    pub unended: u64,
    /// Bodies whose short step gave up. They take the general step.
    pub gave_up: u64,
}

impl Walked {
    /// Returns the bodies for which nothing is left to do.
    pub(super) const fn done(&self) -> u64 {
        self.stepped & !self.unended
    }
}

/// A short step that has not ended.
pub(super) struct Unended {
    pub slot: usize,
    /// Length of the step in seconds.
    pub secs: f32,
    /// Answer of the surroundings, if it is an unusual one.
    pub answer: Option<Answer>,
}

impl<L: Locomotion> Store<L> {
    /// Returns the rows of a range of bodies, whose start is a multiple of 64.
    #[inline(always)]
    pub(super) fn rows(&mut self, range: Range<usize>) -> Rows<'_, OwnedPools<'_, L>> {
        Rows {
            first: range.start,
            changed: &mut self.changed.words[range.start / 64..range.end.div_ceil(64)],
            previous: if self.keeps_previous { &mut self.previous[range.clone()] } else { &mut [] },
            glides: if self.glides.is_on { &mut self.glides.awake[range.clone()] } else { &mut [] },
            moving: &mut self.moving[range.clone()],
            routes: &mut self.routes[range.clone()],
            hot: &mut self.hot[range],
            pools: OwnedPools {
                locomotion: &mut self.locomotion,
                library: &self.library,
                flights: &mut self.flights,
            },
        }
    }
}

impl<S: StepPools> Rows<'_, S> {
    /// Takes the short steps of a block of 64 bodies. `awake` has a bit for each body that does not rest.
    ///
    /// `keep` gets the steps that have not ended, in order. A body that may move is marked as changed before
    /// its step, because surroundings may panic.
    #[inline(always)]
    pub(super) fn walk(
        &mut self,
        block: usize,
        awake: u64,
        pass: &Pass,
        context: Context<'_, impl Surroundings + ?Sized>,
        mut keep: impl FnMut(Unended),
    ) -> Walked {
        let Self { first, hot, moving, routes, previous, changed, glides, pools } = self;
        // With one length for all columns, one check of the row is enough.
        let rows = hot.len();
        let (moving, routes) = (&mut moving[..rows], &mut routes[..rows]);
        let mut walked = Walked::default();
        let mut left = awake;
        while left != 0 {
            let (row, bit) = (block * 64 + left.trailing_zeros() as usize, left & left.wrapping_neg());
            left ^= bit;
            if row >= rows {
                break;
            }
            let (hot, moving, route) = (&mut hot[row], &mut moving[row], &mut routes[row]);
            let flags = hot.flags;
            let Some(slice) = slice_of(hot, pass, context.now) else { continue };
            if let Some(word) = changed.get_mut(block) {
                *word |= bit;
            }
            if let Some(awake) = glides.get_mut(row) {
                *awake = true;
            }
            let (previous, mut answer) = (previous.get_mut(row), None);
            let short = if flags.contains(Flags::STRIDES) {
                stride(hot, moving, route, previous, pools, slice, context, &mut answer)
            } else if flags.contains(Flags::CONTACT) {
                walk(hot, moving, route, previous, slice, context, &mut answer)
            } else if let Some(flight) = pools.flight(hot.flight) {
                fly(hot, moving, flight, previous, slice, context, &mut answer)
            } else {
                Short::GaveUp
            };
            match short {
                Short::GaveUp => {
                    walked.gave_up |= bit;
                    continue;
                }
                Short::Moved if !flags.contains(Flags::MOVES_TO) => {}
                Short::Moved | Short::Answered => {
                    walked.unended |= bit;
                    keep(Unended { slot: *first + row, secs: slice.secs, answer });
                }
            }
            walked.stepped |= bit;
        }
        walked
    }

    /// Takes the short step of one body that [is ordinary](is_ordinary).
    pub(super) fn short_step(
        &mut self,
        row: usize,
        slice: Slice,
        context: Context<'_, impl Surroundings + ?Sized>,
        answer: &mut Option<Answer>,
    ) -> Short {
        let (hot, moving, route) = (&mut self.hot[row], &mut self.moving[row], &mut self.routes[row]);
        let previous = self.previous.get_mut(row);
        if hot.flags.contains(Flags::STRIDES) {
            stride(hot, moving, route, previous, &mut self.pools, slice, context, answer)
        } else {
            walk(hot, moving, route, previous, slice, context, answer)
        }
    }
}

/// Touches rows and animations of the bodies that are stepped next, about 64 of them. Returns the first block
/// that has not been touched.
///
/// Animations of neighbours are far apart in memory, and so are the rows of the few bodies that do not rest in
/// a quiet world. One step after another would wait for each of them. `awake` has a bit for each body that
/// does not rest.
#[inline(never)]
pub(super) fn touch_rows(
    from: usize,
    awake: &[u64],
    (hot, moving, routes): (&[HotRow], &[MotionRow], &[Route]),
    touch_animators: impl FnOnce(&[PoolIndex]),
) -> usize {
    let (mut animators, mut strides, mut bodies, mut block) = ([PoolIndex::NONE; 64], 0, 0, from);
    for word in awake.get(from..).unwrap_or_default() {
        bodies += word.count_ones();
        if bodies > 64 && block > from {
            break;
        }
        let (mut left, is_sparse) = (*word, word.count_ones() < 32);
        while left != 0 {
            let slot = block * 64 + left.trailing_zeros() as usize;
            left &= left - 1;
            let Some(row) = hot.get(slot) else { break };
            // Rows of neighbours need not be touched.
            if is_sparse {
                black_box(moving.get(slot).map(|row| row.chase_speed));
                black_box(routes.get(slot).map(|route| route.audit_steps));
            }
            if row.flags.contains(Flags::STRIDES) {
                animators[strides] = row.animator;
                strides += 1;
            }
        }
        block += 1;
    }
    if strides > 1 {
        touch_animators(&animators[..strides]);
    }
    block
}

/// Returns the slice that a body is due for, and updates its distance from the viewpoint.
///
/// Returns `None` for a body that is linked or idle, does anything unusual, becomes inactive, or is due for
/// no slice or for several. Bodies that hold others are left to the round too, which marks all of them as
/// changed before the step.
#[inline(always)]
fn slice_of(hot: &mut HotRow, pass: &Pass, now: SimTime) -> Option<Slice> {
    let is_left = hot.flags.intersects(Flags::LINKED | Flags::OBSERVATION | Flags::HOLDS);
    if is_left || hot.is_at_rest() || !(is_ordinary(hot) || is_flying(hot)) {
        return None;
    }
    let (distance, is_active) = pass.cull.look_at(hot);
    let passed = now.as_secs() - hot.updated;
    if !(is_active && passed > pass.slice.min && passed <= pass.slice.max) {
        return None;
    }
    hot.distance = distance;
    Some(match pass.by {
        StepBy::Tick => Slice { secs: MIN_STEP_SECS as f32, clock: now.as_secs() },
        // As in `slices`.
        StepBy::Elapsed => Slice { secs: passed as f32, clock: (hot.updated + passed).min(TIME_LIMIT_SECS) },
    })
}
