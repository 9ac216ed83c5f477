//! Bodies at rest, which rounds do not look at.
//!
//! A round changes nothing about a body that stands, or that is too far away to be stepped, except
//! its clock, its distance, and whether an inert item dozes. All three follow from the round itself.
//! So the body *rests*. Rounds skip its row, and the three values are computed when something asks
//! for them (`Store::row`). Before something changes a body, they are stored, and the next round
//! looks at the body again (`Store::settle`). `Store::body_mut` does that by itself.
//!
//! The viewpoint may move on meanwhile. A body rests only if the viewpoint has to go far before the
//! body is on the other side of the active radius. The distance that the viewpoint has travelled is added
//! up, and bodies are looked at again in time. Up to the speed of a runner, this is one of 64 groups of
//! bodies per round.

use alloc::vec::Vec;

use crate::{
    body::{
        cull::{ACTIVE_RADIUS_M, Cull},
        flags::Flags,
        locomotion::Locomotion,
        rows::HotRow,
        store::{SliceTime, Store},
    },
    config::MissingViewpoint,
};

/// Distance in metres that the viewpoint travels before resting bodies are looked at again. Their
/// rounds are spread, so they begin at half of it.
///
/// A runner covers it in three seconds. A larger value keeps more bodies awake, which are those within
/// this distance of the active radius.
const LOOK_AGAIN_M: f64 = 12.0;

/// Distance in metres that covers rounding errors of all distances.
const MARGIN_M: f32 = 0.1;

/// Number of groups of bodies, of which one is looked at per round. A group consists of every 64th
/// word of bits.
const GROUPS: usize = 64;

/// The bodies that rest, and the rounds that they have missed.
#[derive(Clone, Debug)]
pub struct Rest {
    /// One bit for each slot, which is set unless the body rests. Bits of empty slots are set.
    awake: Vec<u64>,
    /// The last round that is complete.
    last: Round,
    /// The round in progress. It counts for slots before `at`, which it has passed.
    present: Round,
    /// Slot that the round in progress has reached, 0 between rounds. After a panic in surroundings it
    /// stays where it was.
    at: usize,
    /// Distance in metres that the viewpoint has travelled since the first round.
    travelled: f64,
    /// That distance when each group was last looked at.
    looked: [f64; GROUPS],
    /// Whether bodies may rest in this round.
    is_allowed: bool,
}

/// What a resting body has to know of a round.
#[derive(Clone, Debug)]
struct Round {
    /// Time of the round in seconds, NaN before the first round.
    time: f64,
    /// Number of the round.
    number: u64,
    /// Viewpoint of the round.
    cull: Cull,
}

impl Default for Rest {
    fn default() -> Self {
        let before_all = Round { time: f64::NAN, number: 0, cull: Cull::new(None, MissingViewpoint::AllFar) };
        Self {
            awake: Vec::new(),
            last: before_all.clone(),
            present: before_all,
            at: 0,
            travelled: 0.0,
            looked: [0.0; GROUPS],
            is_allowed: false,
        }
    }
}

impl Rest {
    /// Makes room for `bodies` bodies, all of which are awake.
    pub fn of(bodies: usize) -> Self {
        Self { awake: alloc::vec![u64::MAX; bodies.div_ceil(64)], ..Self::default() }
    }

    /// Adds a body in the last slot, which is awake.
    pub fn push(&mut self, slot: usize) {
        if slot / 64 == self.awake.len() {
            self.awake.push(u64::MAX);
        }
        self.wake(slot);
    }

    #[inline(always)]
    fn is_resting(&self, slot: usize) -> bool {
        self.awake.get(slot / 64).is_some_and(|word| word >> (slot % 64) & 1 == 0)
    }

    #[inline(always)]
    fn wake(&mut self, slot: usize) {
        if let Some(word) = self.awake.get_mut(slot / 64) {
            *word |= 1 << (slot % 64);
        }
    }

    /// Returns the last round that has passed a slot.
    #[inline]
    const fn round_of(&self, slot: usize) -> &Round {
        if slot < self.at { &self.present } else { &self.last }
    }

    /// Returns the bits of 64 bodies that do not rest, and notes that the round has reached them. Bits
    /// beyond the last body are set.
    #[inline(always)]
    pub fn reach_block(&mut self, block: usize) -> u64 {
        self.at = block * 64;
        self.awake.get(block).copied().unwrap_or(0)
    }

    /// Returns the first slot from `from` on in its block that neither rests nor is `done`, and notes that
    /// the round has reached it. The slot may be beyond the last body.
    #[inline(always)]
    pub fn next_in_block(&mut self, from: usize, done: u64) -> Option<usize> {
        let word = *self.awake.get(from / 64)? & !done & u64::MAX << (from % 64);
        if word == 0 {
            return None;
        }
        self.at = from / 64 * 64 + word.trailing_zeros() as usize;
        Some(self.at)
    }

    /// Returns the bits of bodies that do not rest, 64 in each word. Bits beyond the last body are set.
    pub fn awake(&self) -> &[u64] {
        &self.awake
    }

    /// Completes the round in progress.
    pub fn end_round(&mut self) {
        self.last = self.present.clone();
        self.at = 0;
    }
}

impl<L: Locomotion> Store<L> {
    /// Returns the row of a body, with the values that it would have if it did not rest.
    #[inline]
    pub fn row(&self, slot: usize) -> HotRow {
        let mut row = self.hot[slot];
        if self.rest.is_resting(slot) {
            let round = self.rest.round_of(slot);
            row.distance = round.cull.look_at(&row).0;
            if row.flags.contains(Flags::ACTIVE) {
                row.updated = round.time;
                toggle_in_odd_rounds(&mut row, round.number);
            }
        }
        row
    }

    /// Returns the clock of a body in seconds, as of [`row`](Self::row).
    #[inline]
    pub fn updated(&self, slot: usize) -> f64 {
        if self.rest.is_resting(slot) { self.row(slot).updated } else { self.hot[slot].updated }
    }

    /// Returns the row of a body that is about to change, after its rest has ended.
    ///
    /// Only `TRACED` and `LINKED` may be changed without this, because they do not decide what a resting
    /// body misses.
    #[inline]
    pub fn hot_mut(&mut self, slot: usize) -> &mut HotRow {
        self.settle(slot);
        &mut self.hot[slot]
    }

    /// Ends the rest of a body, because it is about to change. The next round looks at it again.
    #[inline(always)]
    pub fn settle(&mut self, slot: usize) {
        if self.rest.is_resting(slot) {
            self.settle_resting(slot);
        }
    }

    #[inline(never)]
    fn settle_resting(&mut self, slot: usize) {
        self.hot[slot] = self.row(slot);
        self.rest.wake(slot);
    }

    /// Ends the rest of all bodies.
    pub fn settle_all(&mut self) {
        (0..self.rest.awake.len()).for_each(|word| self.settle_word(word));
    }

    fn settle_word(&mut self, word: usize) {
        let mut resting = !self.rest.awake[word];
        while resting != 0 {
            self.settle_resting(word * 64 + resting.trailing_zeros() as usize);
            resting &= resting - 1;
        }
    }

    /// Begins a round, and ends the rest of bodies that this round has to look at.
    ///
    /// These are all of them if the time since the last round is not that of one slice, if a viewpoint
    /// has appeared or disappeared, if surroundings panicked in the last round, or if bodies may not rest
    /// at all.
    pub fn begin_round(&mut self, cull: Cull, now: f64, slice: SliceTime, may_rest: bool) {
        let way = self.rest.last.cull.way_to(&cull);
        let passed = now - self.rest.last.time;
        let is_regular = may_rest && self.rest.at == 0 && passed > slice.min && passed <= slice.max;
        match way {
            Some(way) if is_regular => self.look_again(f64::from(way)),
            _ => self.settle_all(),
        }
        let rest = &mut self.rest;
        (rest.at, rest.is_allowed) = (0, may_rest);
        rest.present = Round { time: now, number: rest.last.number.wrapping_add(1), cull };
    }

    /// Ends the rest of groups of bodies that may soon be on the other side of the active radius. `way`
    /// is the distance in metres that the viewpoint has travelled since the last round.
    fn look_again(&mut self, way: f64) {
        if way == 0.0 {
            return;
        }
        self.rest.travelled += way;
        let turn = self.rest.last.number as usize % GROUPS;
        for group in 0..GROUPS {
            let since = self.rest.travelled - self.rest.looked[group];
            let is_far = since > LOOK_AGAIN_M;
            if is_far || (group == turn && since > LOOK_AGAIN_M / 2.0) {
                self.rest.looked[group] = self.rest.travelled;
                (group..self.rest.awake.len()).step_by(GROUPS).for_each(|word| self.settle_word(word));
            }
        }
    }

    /// Lets a body rest after the round in progress has looked at it, if it may.
    ///
    /// The body is inactive, or idle with its clock at the time of the round. The local player never
    /// rests, because it is active at any distance.
    #[inline(never)]
    pub fn let_rest(&mut self, slot: usize) {
        let row = &mut self.hot[slot];
        let from_edge = (row.distance - ACTIVE_RADIUS_M).abs();
        let is_safe = from_edge > LOOK_AGAIN_M as f32 + MARGIN_M || !self.rest.present.cull.has_viewpoint();
        if self.rest.is_allowed && is_safe && !row.flags.contains(Flags::LOCAL) {
            if row.flags.contains(Flags::ACTIVE) {
                toggle_in_odd_rounds(row, self.rest.present.number);
            }
            self.rest.awake[slot / 64] &= !(1 << (slot % 64));
        }
    }
}

/// Toggles whether an inert item dozes, in rounds with an odd number.
///
/// Each round toggles it. If a body is toggled in this way when it begins to rest and again when it
/// ends, the result is that of all rounds between.
#[inline]
fn toggle_in_odd_rounds(row: &mut HotRow, number: u64) {
    if number % 2 == 1 && row.flags.contains(Flags::INERT | Flags::WALKABLE) {
        row.flags.toggle(Flags::DOZES);
    }
}
