//! Storage: ghost and pose of the bodies that have any.

use alloc::vec::Vec;

use crate::{
    config::GlideParts,
    glide::{Arriving, Glide, LONG_AGO},
    storage::pool::{Pool, PoolIndex},
};

/// Ghost and pose of all bodies. A body that has not moved of late has none, unless positions alone
/// tell its velocity.
///
/// The columns have one entry per body, or none at all if bodies do not glide.
#[derive(Clone, Debug)]
pub(crate) struct Glides {
    /// Whether bodies glide, and with which parts. Both follow from the configuration and never
    /// change.
    pub(crate) is_on: bool,
    pub(crate) parts: GlideParts,
    /// Seconds for which a body without an animation goes on at the velocity that its positions tell,
    /// however rare they are. The generic API sets it. `None` if rare positions tell no velocity.
    pub(crate) coast_secs: Option<f32>,
    /// What a plain world knows about the position that it handles at the moment.
    pub(crate) arriving: Arriving,
    /// Entry of each body in the pool, by slot.
    pub(crate) links: Vec<PoolIndex>,
    /// Whether the next frame has to move the pose of a body, by slot.
    pub(crate) awake: Vec<bool>,
    /// Whether the next frame of a body may be a straight one (`straight.rs`), by slot. It follows from
    /// ghost and pose, and is not saved.
    pub(crate) straight: Vec<bool>,
    /// Ghosts and poses.
    pub(crate) pool: Pool<Glide>,
    /// Time of the last frame in seconds. `None` before the first one.
    pub(crate) last: Option<f64>,
    /// Time at which anything was last received, and the mean gap between any two positions, in
    /// seconds.
    pub(crate) heard_at: f64,
    pub(crate) heard_gap: f32,
}

/// Weight of a new gap between any two positions, and the longest gap that counts, in seconds.
const LINK_TRUST: f32 = 0.05;
const LINK_GAP_SECS: f32 = 0.5;

impl Glides {
    /// Makes an empty storage. Without parts, bodies do not glide.
    pub(crate) fn new(parts: Option<GlideParts>) -> Self {
        Self {
            is_on: parts.is_some(),
            parts: parts.unwrap_or(GlideParts::empty()),
            coast_secs: None,
            arriving: Arriving::PLAIN,
            links: Vec::new(),
            awake: Vec::new(),
            straight: Vec::new(),
            pool: Pool::new(),
            last: None,
            heard_at: LONG_AGO,
            heard_gap: LINK_GAP_SECS,
        }
    }

    /// Adds a body.
    pub(crate) fn push(&mut self) {
        if self.is_on {
            self.links.push(PoolIndex::NONE);
            self.awake.push(true);
            self.straight.push(false);
        }
    }

    /// Removes a body. The last one moves into its slot.
    pub(crate) fn swap_remove(&mut self, slot: usize) {
        if self.is_on {
            let mut link = self.links.swap_remove(slot);
            self.pool.remove(&mut link);
            self.awake.swap_remove(slot);
            self.straight.swap_remove(slot);
        }
    }

    /// Has the next frame move the pose of a body.
    #[inline]
    pub(crate) fn wake(&mut self, slot: usize) {
        if let Some(awake) = self.awake.get_mut(slot) {
            *awake = true;
        }
    }

    /// Returns ghost and pose of a body, if it has any.
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> Option<&Glide> {
        self.pool.get(*self.links.get(slot)?)
    }

    /// Returns ghost and pose of a body to be changed, if it has any. The next frame is a general one.
    #[inline]
    pub(crate) fn get_mut(&mut self, slot: usize) -> Option<&mut Glide> {
        *self.straight.get_mut(slot)? = false;
        self.pool.get_mut(*self.links.get(slot)?)
    }

    /// Returns ghost and pose of a body, and makes them if it has none. The next frame is a general one.
    pub(crate) fn get_or_new(&mut self, slot: usize) -> Option<&mut Glide> {
        *self.straight.get_mut(slot)? = false;
        let link = self.links.get_mut(slot)?;
        if !link.is_some() {
            *link = self.pool.insert(Glide::NEW);
        }
        self.pool.get_mut(*link)
    }

    /// Removes ghost and pose of a body, which is drawn where it is from then on.
    pub(crate) fn release(&mut self, slot: usize) {
        if let Some(link) = self.links.get_mut(slot) {
            self.straight[slot] = false;
            self.pool.remove(link);
        }
    }

    /// Notes that a position was received.
    pub(crate) fn hear(&mut self, now: f64) {
        let gap = ((now - self.heard_at) as f32).clamp(0.0, LINK_GAP_SECS);
        self.heard_gap += LINK_TRUST * (gap - self.heard_gap);
        self.heard_at = now;
    }

    /// Returns whether nothing at all has arrived for much longer than usual.
    pub(crate) fn is_link_silent(&self, now: f64) -> bool {
        (now - self.heard_at) as f32 > 4.0 * self.heard_gap + 0.05
    }
}
