//! The frame of an entity that walks straight on, which is the usual one.
//!
//! Nothing turns, brakes, arrives or was heard of it, and its pose faces where it goes. Most of the
//! general frame (`ghost.rs`) then has no effect. This frame is the rest of it, with the same bits,
//! over fewer facts. Anything unusual is left to the general frame before the first write.
//!
//! A property restores the drawing before every frame, which always leads to the general frame, and
//! compares all bits (`tests/worlds.rs`).

use evenstride_types::Vec3;

use crate::glide::{
    Beat, Carried, Glide,
    ghost::{LEAD_METRES, LEAP_METRES},
    pose::is_upright,
    turned_by,
};

/// Least speed of a straight walk on the map in metres per second. A slower animation may be shown
/// standing.
const MIN_SPEED: f32 = 0.2;

/// Distance in metres of a pose from its body up to which it is near.
const NEAR_METRES: f32 = 100.0;

impl Glide {
    /// Returns whether the next frame may be a straight one, as far as ghost and pose decide that.
    pub(crate) fn goes_straight(&self) -> bool {
        self.carried == Carried::ByLegs
            && is_walk(self.legs)
            && self.bias == Vec3::ZERO
            && self.turn_rate == 0.0
            && self.facing == self.heading
            && self.spin == 0.0
            && is_upright(self.rotation)
            && is_upright(self.body_rotation)
            && !(self.has_arrived || self.is_braked || self.is_turned || self.is_going)
            && !self.stream.is_sparse
    }

    /// Moves ghost and pose of an entity that walks straight on. `place` is that of its body, and
    /// `root` the velocity of its animation in the body's own axes. Returns `false`, with nothing
    /// changed, if the entity does not walk straight on.
    #[inline]
    pub(crate) fn straight_frame(&mut self, place: Vec3, root: Vec3, beat: &Beat) -> bool {
        let legs = self.on_the_slope(turned_by(root, self.nose));
        let lead = self.ghost - place;
        let off = self.pose - place;
        let leap = place - self.body_place;
        let is_straight = is_walk(legs)
            && lead.dot(lead) < LEAD_METRES * LEAD_METRES
            && off.dot(off) < NEAR_METRES * NEAR_METRES
            && leap.dot(leap) < LEAP_METRES * LEAP_METRES;
        if !is_straight {
            return false;
        }
        self.body_place = place;
        let before = self.velocity;
        self.carry_by(legs, legs, beat);
        self.pursue(false, before, beat);
        true
    }
}

/// Returns whether legs move an entity fast enough for a straight frame.
#[inline]
fn is_walk(legs: Vec3) -> bool {
    legs.x * legs.x + legs.y * legs.y > MIN_SPEED * MIN_SPEED
}
