//! The frame of an entity that walks straight on, which is the usual one.
//!
//! Nothing turns, brakes, arrives or was heard of it, and its pose faces where it goes. Most of the
//! general frame (`ghost.rs`) then has no effect. This frame is the rest of it, with the same bits,
//! over fewer facts. Anything unusual is left to the general frame before the first write.
//!
//! A property restores the drawing before every frame, which always leads to the general frame, and
//! compares all bits (`tests/worlds.rs`).

use evenstride_types::Vec3A;

use crate::glide::{Beat, Carried, Glide, pose::is_upright, turned_by};

/// Least and greatest speed of a straight walk on the map in metres per second. A slower animation may
/// be shown standing, and a faster one is absurd.
const MIN_SPEED: f32 = 0.2;
const MAX_SPEED: f32 = 300.0;

/// Distance in metres of ghost, pose and last step from the body along each axis, up to which all are
/// near. With the greatest speed and the longest frame, all stay nearer than the general frame's limits.
const NEAR_METRES: f32 = 6.0;

impl Glide {
    /// Returns whether the next frame may be a straight one, as far as ghost and pose decide that.
    pub(crate) fn goes_straight(&self) -> bool {
        self.carried == Carried::ByLegs
            && is_walk(self.legs)
            && self.bias == Vec3A::ZERO
            && self.turn_rate == 0.0
            && self.recent < MAX_SPEED
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
    #[inline(always)]
    pub(crate) fn straight_frame(&mut self, place: Vec3A, root: Vec3A, beat: &Beat) -> bool {
        let legs = self.on_the_slope(turned_by(root, self.nose));
        let near = Vec3A::splat(NEAR_METRES);
        // A number that is not finite fails each comparison.
        let is_near = (self.ghost - place).abs().cmplt(near)
            & (self.pose - place).abs().cmplt(near)
            & (self.body_place - place).abs().cmplt(near);
        let is_straight = is_walk(legs) && is_near.all();
        if !is_straight {
            return false;
        }
        self.body_place = place;
        let before = self.velocity;
        self.carry_by(legs, legs, beat);
        self.pursue(false, false, before, beat);
        true
    }
}

/// Returns whether legs move an entity at a speed of a straight frame.
#[inline]
fn is_walk(legs: Vec3A) -> bool {
    let flat = legs.x * legs.x + legs.y * legs.y;
    flat > MIN_SPEED * MIN_SPEED && flat + legs.z * legs.z < MAX_SPEED * MAX_SPEED
}
