//! Following, which for one second keeps a body near another and facing it.
//!
//! A follow begins with a movement message that names a target, or as a move-to arrives. Its offset
//! overrides root motion and route, and the tether still shortens it. `moveto/follow.rs` ends
//! follows and passes on reports of the target.

use evenstride_types::{Cylinder, EPSILON, EntityId, Heading, Placement, Pose, SimTime, Vec3, unit_vector};

/// Gap that a follower keeps, in metres between surfaces.
///
/// Retail: `StickyManager::adjust_offset` (11.4186 @ 0x00555430)
pub const FOLLOW_GAP_M: f32 = 0.3;

/// Closing speed, in metres per second, at which a body that cannot run follows another.
///
/// Retail: `StickyManager::adjust_offset` (11.4186 @ 0x00555430)
pub const FALLBACK_FOLLOW_SPEED: f32 = 15.0;

/// Returns the closing speed of a follow in metres per second.
///
/// It is five times the top speed, or [`FALLBACK_FOLLOW_SPEED`] if that is below [`EPSILON`]. The
/// top speed follows from the run rate, regardless of the present motion.
///
/// Retail: `StickyManager::adjust_offset` (11.4186 @ 0x00555430)
pub(crate) fn follow_speed(max_speed: f64) -> f64 {
    let speed = 5.0 * max_speed;
    if speed < f64::from(EPSILON) { f64::from(FALLBACK_FOLLOW_SPEED) } else { speed }
}

/// Duration of a follow in seconds. A follow is never extended, only begun again.
///
/// Retail: `StickyManager::StickTo` (11.4186 @ 0x00555710)
pub const FOLLOW_SECS: f64 = 1.0;

/// A follow of one body, which lives in a pool.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "StickyManager")]
pub struct Follow {
    /// The followed body. For a held item it is the outermost holder.
    pub target: EntityId,
    /// Radius of the target in metres, at the beginning of the follow.
    pub target_radius: f32,
    /// Place where the target was last reported. `None` until the first report, which comes at once
    /// if the target is in the world.
    ///
    /// It is used only while the target's own place is unknown.
    pub heard: Option<Placement>,
    /// Time in seconds at which the follow ends.
    pub until: f64,
}

impl Follow {
    /// Begins a follow. It moves nothing until the target is reported.
    ///
    /// Retail: `StickyManager::StickTo` (11.4186 @ 0x00555710)
    pub fn begin(target: EntityId, target_radius: f32, now: SimTime) -> Self {
        let until = now.as_secs() + FOLLOW_SECS;
        Self { target, target_radius, heard: None, until }
    }

    /// Returns whether the time is up. Each step checks this last.
    ///
    /// Retail: `StickyManager::UseTime` (11.4186 @ 0x00555610)
    pub fn is_over(&self, now: SimTime) -> bool {
        now.as_secs() > self.until
    }

    /// Returns the offset of a step towards or away from the target, with a turn to face it.
    ///
    /// The turn is complete within one step. Pitch and roll come from `offset`, which is the offset
    /// so far. Height differences are ignored, because the ground decides the height. Returns
    /// `None` before the first report of the target. `target_now` is the target's own place, if it
    /// is known. Contact with the ground is not required.
    ///
    /// Retail: `StickyManager::adjust_offset` (11.4186 @ 0x00555430)
    pub fn offset(
        &self,
        here: &Placement,
        radius: f32,
        target_now: Option<&Placement>,
        speed: f64,
        secs: f32,
        offset: &Pose,
    ) -> Option<Pose> {
        let heard = self.heard?;
        let target = target_now.unwrap_or(&heard);
        let gap = Cylinder::reach(radius, here, self.target_radius, target) - f64::from(FOLLOW_GAP_M);
        let towards = here.pose.rotation().basis().to_local(here.offset_to(target)).with_z(0.0);
        let reach = speed * f64::from(secs);
        // A gap within reach is closed exactly, backwards too. A larger overlap is a negative gap,
        // and yet the body steps towards the target, as in the client.
        let step = if reach >= gap.abs() { gap } else { reach };
        let origin = unit_vector(towards).map_or(Vec3::ZERO, |unit| (unit.as_dvec3() * step).as_vec3());
        let turned = Pose::new(origin, offset.rotation()).unwrap_or(Pose::IDENTITY);
        Some(turned.with_heading(turn_between(here.pose.heading(), here.heading_to(target))))
    }
}

/// Returns the heading of `to` relative to `from`.
fn turn_between(from: Heading, to: Heading) -> Heading {
    let turn = to.degrees() - from.degrees();
    let turn = if turn.abs() < EPSILON { 0.0 } else { turn };
    Heading::from_degrees(turn).unwrap_or(Heading::NORTH)
}
