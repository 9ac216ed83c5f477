//! Curves instead of lines, and a little extrapolation.

use evenstride_types::{EntityId, Vec3, update::Update};

use super::{
    Rival, Shown,
    buffer::{between, usual_interval},
    feed::Feed,
};

/// Longest extrapolation beyond the newest position, in seconds.
const EXTRAPOLATED_SECS: f64 = 0.25;

/// Draws one interval in the past, on curves through received positions, at most 0.25 s beyond the
/// newest.
#[derive(Clone, Debug, Default)]
pub struct HermiteBuffer(Feed);

impl Rival for HermiteBuffer {
    fn name(&self) -> &'static str {
        "hermite, 0.25 s ahead"
    }

    fn boxed_clone(&self) -> Box<dyn Rival> {
        Box::new(self.clone())
    }

    fn hear(&mut self, now: f64, update: &Update) {
        let _ = self.0.hear(now, update);
    }

    fn show(&mut self, entity: EntityId, now: f64) -> Option<Shown> {
        let known = self.0.known.get(&entity)?;
        let interval = usual_interval(entity);
        let time = now - interval;
        let heard = &known.heard;
        let straight = between(heard, now, interval)?;
        let Some(next) = heard.iter().position(|heard| heard.time > time) else {
            let newest = known.newest()?;
            let secs = (time - newest.time).clamp(0.0, EXTRAPOLATED_SECS) as f32;
            return Some(Shown { at: newest.shown.at + known.seen_velocity(now) * secs, ..straight });
        };
        if next == 0 {
            return Some(straight);
        }
        let slope = |index: usize| -> Vec3 {
            let (before, after) = (heard[index.saturating_sub(1)], heard[(index + 1).min(heard.len() - 1)]);
            let secs = (after.time - before.time) as f32;
            if !(0.01..=3.0).contains(&secs) { Vec3::ZERO } else { (after.shown.at - before.shown.at) / secs }
        };
        let (before, after) = (heard[next - 1], heard[next]);
        // A gap a little longer than the interval means a late position. The extrapolation has
        // covered it.
        let is_late = after.time - before.time <= interval + EXTRAPOLATED_SECS;
        let begins = if is_late { before.time } else { after.time - interval };
        let secs = (after.time - begins).max(1e-6) as f32;
        let t = ((time - begins) as f32 / secs).clamp(0.0, 1.0);
        let (t2, t3) = (t * t, t * t * t);
        let at = before.shown.at * (2.0 * t3 - 3.0 * t2 + 1.0)
            + slope(next - 1) * ((t3 - 2.0 * t2 + t) * secs)
            + after.shown.at * (3.0 * t2 - 2.0 * t3)
            + slope(next) * ((t3 - t2) * secs);
        Some(Shown { at, ..straight })
    }

    fn delay(&self, entity: EntityId) -> f64 {
        usual_interval(entity)
    }
}
