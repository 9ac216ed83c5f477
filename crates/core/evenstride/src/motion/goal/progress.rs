//! The check for headway in a move-to.
//!
//! A failed check never cancels a move-to, but arrival is not noticed without headway. Distances
//! come from `MoveTo::distance`, and times from the clock of the world.

/// Lowest closing speed that counts as headway, in metres per second.
///
/// Retail: `MoveToManager::CheckProgressMade` (11.4186 @ 0x005290F0)
const HEADWAY: f64 = 0.25;

/// Age in seconds up to which a measurement is not judged. Until then every step counts as headway.
///
/// Retail: `MoveToManager::CheckProgressMade` (11.4186 @ 0x005290F0)
const WINDOW_SECS: f64 = 1.0;

/// Two measured distances and their times. One is from the last window, and one from the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Distance in metres at the last window that passed.
    pub distance: f32,
    /// Time of that measurement, in seconds.
    pub at: f64,
    /// Distance in metres at the start.
    pub first_distance: f32,
    /// Time of the start, in seconds.
    pub first_at: f64,
}

impl Progress {
    /// Starts measuring at a distance in metres.
    pub const fn from(distance: f32, now: f64) -> Self {
        Self { distance, at: now, first_distance: distance, first_at: now }
    }

    /// Starts measuring without a distance, after the target was reported elsewhere. Any distance
    /// that is measured next counts as nearer.
    ///
    /// A body that moves away cannot make headway from there. After a second its arrival goes
    /// unnoticed until the next report of the target, as in the client.
    pub const fn unknown(now: f64) -> Self {
        Self::from(f32::MAX, now)
    }

    /// Checks a new distance, and returns whether there is headway both since the last window and
    /// since the start.
    ///
    /// A failed window is kept and grows, so a later burst must make up for it. A failure since the
    /// start lasts one step only, because a new window begins with it. Every step of a body that
    /// goes to its goal calls this.
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

    /// Limits both times to `now`, after the time of the world went back.
    pub fn bring_forward(&mut self, now: f64) {
        self.at = self.at.min(now);
        self.first_at = self.first_at.min(now);
    }
}
