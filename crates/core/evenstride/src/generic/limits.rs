//! Limits of what is believed of an entity, in the game's units.

use evenstride_types::{Placement, SimTime, Vec3, length};

use crate::{
    generic::{Heard, PlainWorld},
    glide::Arriving,
};

/// Limits of one entity, or of all entities. They keep outliers and impossible values from being drawn.
///
/// ```
/// use evenstride::generic::{PlainConfig, PlainLimits, PlainPose, PlainUpdate, PlainWorld};
/// use evenstride::types::SimTime;
///
/// let mut world = PlainWorld::new(PlainConfig::default(), SimTime::ZERO);
/// let rover = 7;
/// // It is never believed to be faster than 4 m/s, and is placed if it is drawn more than 10 m off.
/// world.set_limits(rover, PlainLimits::NONE.top_speed(4.0).snap_distance(10.0));
/// let update = PlainUpdate::new(PlainPose::IDENTITY).moving([50.0, 0.0, 0.0]);
/// let _ = world.update(SimTime::ZERO, rover, &update)?;
/// let now = SimTime::from_secs(1.0)?;
/// world.advance(now);
/// assert!(world.drawn(rover, now).ok_or("gone")?.position[0] < 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlainLimits {
    /// Highest speed that an entity is believed to have by itself, in game units per second (default:
    /// infinite).
    ///
    /// A higher velocity of an update, or of the estimate from positions, is shortened to it. The way
    /// to correct an error may be faster. A thrown entity has no limit. Negative values and NaN count
    /// as infinite.
    pub top_speed: f32,
    /// Highest turn rate that positions are believed to show, in degrees per second (default:
    /// infinite). Negative values and NaN count as infinite.
    pub turn_rate_deg: f32,
    /// Distance in game units between the drawn and the received place, beyond which the entity is
    /// placed instead of moving there (default: infinite).
    ///
    /// If the latency is compensated, it is the distance from the way between the received place and
    /// the one that the entity has reached since. An entity without velocities is placed at each
    /// update if the distance is below its way between two of them.
    ///
    /// Beyond 100 m it is always placed. Negative values and NaN count as infinite.
    pub snap_distance: f32,
}

impl PlainLimits {
    /// No limits.
    pub const NONE: Self =
        Self { top_speed: f32::INFINITY, turn_rate_deg: f32::INFINITY, snap_distance: f32::INFINITY };

    /// Returns the limits with another top speed, in game units per second.
    #[must_use]
    pub const fn top_speed(self, top_speed: f32) -> Self {
        Self { top_speed, ..self }
    }

    /// Returns the limits with another turn rate, in degrees per second.
    #[must_use]
    pub const fn turn_rate_deg(self, turn_rate_deg: f32) -> Self {
        Self { turn_rate_deg, ..self }
    }

    /// Returns the limits with another snap distance, in game units.
    #[must_use]
    pub const fn snap_distance(self, snap_distance: f32) -> Self {
        Self { snap_distance, ..self }
    }

    /// Returns the limits without invalid values.
    pub(super) fn checked(self) -> Self {
        let valid = |limit: f32| if limit >= 0.0 { limit } else { f32::INFINITY };
        Self {
            top_speed: valid(self.top_speed),
            turn_rate_deg: valid(self.turn_rate_deg),
            snap_distance: valid(self.snap_distance),
        }
    }

    /// Returns a velocity in metres per second, shortened to the top speed.
    pub(super) fn slowed(&self, velocity: Vec3, units_per_metre: f64) -> Vec3 {
        let (speed, most) = (length(velocity), f64::from(self.top_speed) / units_per_metre);
        if speed > most { velocity * ((most / speed) as f32) } else { velocity }
    }

    /// Returns whether an entity that is placed has not leapt itself. It was drawn elsewhere, for example
    /// because nothing tells its velocity yet.
    pub(super) fn is_near(&self, before: Option<&Heard>, heard: &Heard, units_per_metre: f64) -> bool {
        let most = f64::from(self.snap_distance) / units_per_metre;
        before.is_some_and(|before| before.place.distance(&heard.place) <= most)
    }

    /// Returns the limits as gliding poses use them, in metres.
    pub(super) fn arriving(&self, units_per_metre: f64) -> Arriving {
        Arriving {
            top_speed: (f64::from(self.top_speed) / units_per_metre) as f32,
            turn_rate: self.turn_rate_deg,
            ..Arriving::PLAIN
        }
    }
}

impl Default for PlainLimits {
    fn default() -> Self {
        Self::NONE
    }
}

impl PlainWorld {
    /// Gives an entity limits of its own, in place of those of the configuration. They apply from its
    /// next update on, also if that is its first one. [`remove`](Self::remove) takes them away.
    pub fn set_limits(&mut self, entity: u64, limits: PlainLimits) {
        self.own_limits.insert(entity, limits.checked());
    }

    /// Takes the limits of an entity away, so that those of the configuration apply.
    pub fn reset_limits(&mut self, entity: u64) {
        self.own_limits.remove(&entity);
    }

    /// Returns the limits of an entity.
    pub fn limits_of(&self, entity: u64) -> PlainLimits {
        self.own_limits.get(&entity).copied().unwrap_or(self.limits)
    }

    /// Returns whether a received place is so far from the drawn one that the entity is put there.
    ///
    /// An entity may be drawn anywhere on the way from its received place to the place that it has
    /// reached since.
    pub(super) fn snaps(
        &self,
        now: SimTime,
        slot: usize,
        place: &Placement,
        ahead: Vec3,
        limits: &PlainLimits,
    ) -> bool {
        if limits.snap_distance == f32::INFINITY {
            return false;
        }
        let most = f64::from(limits.snap_distance) / self.units_per_metre;
        let Some(drawn) = self.motion.drawn(self.motion.store.hot[slot].id, now) else { return false };
        let (off, way) = (place.origin_of(&drawn) - place.pose.origin(), length(ahead));
        let part = if way > 0.0 { (f64::from(off.dot(ahead)) / (way * way)).clamp(0.0, 1.0) } else { 0.0 };
        length(off - ahead * (part as f32)) > most
    }
}
