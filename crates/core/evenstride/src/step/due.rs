//! The next time at which a world has something to do.

use evenstride_types::SimTime;

use crate::{
    body::{flags::Flags, rows::HotRow},
    config::{Gate, MIN_STEP_SECS, MissingViewpoint},
    world::MotionWorld,
};

impl MotionWorld {
    /// Returns the earliest time at which [`advance`](Self::advance) may change something. `None` if
    /// it cannot before the next message, key or command.
    ///
    /// A host that need not draw every frame, such as a server or a recorder, can sleep until then.
    /// With [`Gate::Fixed`], a world that is advanced only when it is due ends with the same bits as
    /// one that is advanced every frame. A world with a local player is due at every round, because
    /// the player's reports depend on time.
    ///
    /// The call looks at every body, so ask once after each `advance`.
    ///
    /// ```
    /// use evenstride::{BodySetup, Config, MotionWorld, types::{EntityId, SimTime, CellId, Placement, Pose}};
    ///
    /// let place = Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY);
    /// let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
    /// assert_eq!(world.next_due(), None);
    /// world.insert(SimTime::ZERO, EntityId::new(7), &BodySetup::at(place))?;
    /// // A new body is measured in its first round, a thirtieth of a second later.
    /// let first = world.next_due().ok_or("nothing to do")?;
    /// assert!((first.as_secs() - 1.0 / 30.0).abs() < 1e-9);
    /// world.advance(first, &evenstride::OpenField);
    /// assert_eq!(world.next_due(), None, "it stands");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "poll_timeout")]
    #[doc(alias = "poll_at")]
    pub fn next_due(&self) -> Option<SimTime> {
        let deadlines = self.parking.deadlines().into_iter().chain([&self.leaving]);
        let deadline = deadlines.filter_map(|timeouts| timeouts.first()).fold(f64::INFINITY, f64::min);
        // Deadlines are looked at in rounds only.
        let deadline = match self.config.gate {
            _ if deadline == f64::INFINITY => deadline,
            Gate::Fixed => self.clock.next_tick(deadline),
            Gate::Shared => deadline.max(after(self.clock.base, |since| since >= MIN_STEP_SECS)),
            Gate::PerBody => deadline,
        };
        let due = self.next_round().unwrap_or(f64::INFINITY).min(deadline);
        let due = if self.replay.is_empty() { due } else { self.clock.now.as_secs() };
        // Nothing is due in the past.
        (due < f64::INFINITY).then(|| SimTime::from_secs(due.max(self.clock.now.as_secs())).ok()).flatten()
    }

    /// Returns the time of the next round that steps a body, in seconds. `None` if all bodies rest.
    fn next_round(&self) -> Option<f64> {
        let measures = self.viewpoint().is_some() || self.config.no_viewpoint == MissingViewpoint::AllNear;
        let mut restless = self.store.hot.iter().filter(|body| needs_rounds(body, measures)).peekable();
        let has_changes = self.store.targets.has_changes() || self.player.is_some() || self.is_viewpoint_new;
        if restless.peek().is_none() && !has_changes {
            return None;
        }
        Some(match self.config.gate {
            Gate::Fixed => self.clock.next_tick(f64::NEG_INFINITY),
            Gate::Shared => after(self.clock.base, |since| since >= MIN_STEP_SECS),
            Gate::PerBody => {
                let oldest = restless.map(|body| body.updated).fold(f64::INFINITY, f64::min);
                if has_changes {
                    self.clock.now.as_secs()
                } else {
                    after(oldest, |since| since >= MIN_STEP_SECS)
                }
            }
        })
    }
}

/// Returns whether a round may change a body.
///
/// A body that was never measured counts, because its distance decides how positions are handled.
fn needs_rounds(body: &HotRow, measures: bool) -> bool {
    let is_stepped = body.flags.contains(Flags::ACTIVE);
    let is_restless = !body.links.are_still() || body.flags.intersects(Flags::RESTLESS | Flags::OBSERVATION);
    let is_new = measures && body.flags.contains(Flags::HAS_CELL) && body.distance == f32::MAX;
    (is_stepped && is_restless) || is_new
}

/// Returns the first time, about 1/30 s after `start`, at which the time since `start` is enough.
///
/// The sum may be rounded down, so that it is not enough yet.
fn after(start: f64, is_enough: impl Fn(f64) -> bool) -> f64 {
    let mut time = start + MIN_STEP_SECS;
    while time.is_finite() && !is_enough(time - start) {
        time = time.next_up();
    }
    time
}
