//! The audit: whether a mover makes headway. Nothing is ever cancelled because of it, but arrival is not noticed without headway.

/// Metres a second that count as headway.
///
/// Retail: `MoveToManager::CheckProgressMade` (11.4186 @ 0x005290F0)
const HEADWAY: f64 = 0.25;

/// How long, in seconds, everything counts as headway.
///
/// Retail: `MoveToManager::CheckProgressMade` (11.4186 @ 0x005290F0)
const WINDOW_SECS: f64 = 1.0;

/// Distances that were measured, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    pub distance: f32,
    pub at: f64,
    pub first_distance: f32,
    pub first_at: f64,
}

impl Progress {
    /// Begins at a distance.
    pub const fn from(distance: f32, now: f64) -> Self {
        Self { distance, at: now, first_distance: distance, first_at: now }
    }

    /// Begins without one: whatever is measured next is nearer. A fleeing body is never far enough then.
    pub const fn unknown(now: f64) -> Self {
        Self::from(f32::MAX, now)
    }

    /// Whether there is headway since the last window, and since the beginning.
    ///
    /// Retail: `MoveToManager::CheckProgressMade` (11.4186 @ 0x005290F0)
    pub fn check(&mut self, distance: f32, is_away: bool, now: f64) -> bool {
        let secs = now - self.at;
        if secs <= WINDOW_SECS {
            return true;
        }
        let gained = |from: f32| {
            let nearer = f64::from(from) - f64::from(distance);
            if is_away { -nearer } else { nearer }
        };
        if gained(self.distance) / secs < HEADWAY {
            return false;
        }
        (self.distance, self.at) = (distance, now);
        gained(self.first_distance) / (now - self.first_at) >= HEADWAY
    }

    /// Time went back to `now`.
    pub fn bring_forward(&mut self, now: f64) {
        self.at = self.at.min(now);
        self.first_at = self.first_at.min(now);
    }
}
