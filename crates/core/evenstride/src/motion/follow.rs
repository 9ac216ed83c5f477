//! Following: for a second, a body keeps up with another, facing it.

use evenstride_types::{Cylinder, EPSILON, EntityId, Heading, Placement, Pose, SimTime, Vec3, unit_vector};

/// Gap that a follower keeps, in metres between surfaces.
///
/// Retail: `StickyManager::adjust_offset` (11.4186 @ 0x00555430)
pub const FOLLOW_GAP_M: f32 = 0.3;

/// Closing speed of a follow, in metres per second, of a body that cannot run.
///
/// Retail: `StickyManager::adjust_offset` (11.4186 @ 0x00555430)
pub const FALLBACK_FOLLOW_SPEED: f32 = 15.0;

/// Returns the closing speed of a follow: five times the top speed, or else [`FALLBACK_FOLLOW_SPEED`].
///
/// Retail: `StickyManager::adjust_offset` (11.4186 @ 0x00555430)
pub(crate) fn follow_speed(max_speed: f64) -> f64 {
    let speed = 5.0 * max_speed;
    if speed < f64::from(EPSILON) { f64::from(FALLBACK_FOLLOW_SPEED) } else { speed }
}

/// How long a follow lasts. It is never extended, only begun anew.
///
/// Retail: `StickyManager::StickTo` (11.4186 @ 0x00555710)
pub const FOLLOW_SECS: f64 = 1.0;

/// Whom a body follows.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "StickyManager")]
pub struct Follow {
    pub target: EntityId,
    pub target_radius: f32,
    /// Where the target was when the follow began or the target was last heard of; while the target is in the world, its own
    /// place is used instead.
    pub heard: Option<Placement>,
    pub until: f64,
}

impl Follow {
    /// Begins; nothing happens until the target was heard of.
    ///
    /// Retail: `StickyManager::StickTo` (11.4186 @ 0x00555710)
    pub fn begin(target: EntityId, target_radius: f32, now: SimTime) -> Self {
        let until = now.as_secs() + FOLLOW_SECS;
        Self { target, target_radius, heard: None, until }
    }

    /// Whether time has run out.
    ///
    /// Retail: `StickyManager::UseTime` (11.4186 @ 0x00555610)
    pub fn is_over(&self, now: SimTime) -> bool {
        now.as_secs() > self.until
    }

    /// Overwrites an offset with a step towards (or away from) the target and a turn to face it; `None` before the target was
    /// heard of. `target_now` is where the target is, if it is known.
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
        // A gap within reach is closed exactly, backwards too; one farther off is always approached, even from inside.
        let step = if reach >= gap.abs() { gap } else { reach };
        let origin = unit_vector(towards).map_or(Vec3::ZERO, |unit| (unit.as_dvec3() * step).as_vec3());
        let turned = Pose::new(origin, offset.rotation()).unwrap_or(Pose::IDENTITY);
        Some(turned.with_heading(turn_between(here.pose.heading(), here.heading_to(target))))
    }
}

/// The heading, relative to `from`, at which `to` lies.
fn turn_between(from: Heading, to: Heading) -> Heading {
    let turn = to.degrees() - from.degrees();
    let turn = if turn.abs() < EPSILON { 0.0 } else { turn };
    Heading::from_degrees(turn).unwrap_or(Heading::NORTH)
}
