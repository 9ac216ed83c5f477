//! The next time at which a world has something to do.

use evenstride_types::SimTime;

use crate::{
    body::{cull::Cull, flags::Flags, rows::HotRow},
    config::{Gate, MIN_STEP_SECS},
    world::MotionWorld,
};

impl MotionWorld {
    /// Returns the earliest time at which [`advance`](Self::advance) may change something. Returns
    /// `None` if only a message, a key or a command can.
    ///
    /// A host that need not draw every frame, such as a server or a recorder, can sleep until then.
    /// With [`Gate::Fixed`], a world that is advanced only when it is due ends with the same bits
    /// as one that is advanced every frame. Give every call the present time, and the world skips
    /// the time in which nothing happened.
    ///
    /// With the other gates, rounds also keep the clocks of resting bodies. Such a world is due at
    /// every round while a body is near the viewpoint. With a local player, any world is due at
    /// every round, because the player's reports depend on time.
    ///
    /// With [`DrawMode::Gliding`](crate::config::DrawMode::Gliding), a world whose poses still move is
    /// due at once, which means at the host's next frame.
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
        if self.store.glides.awake.contains(&true) {
            return Some(self.clock.now);
        }
        self.due(self.store.targets.has_changes() || self.is_viewpoint_new, true)
    }

    /// Returns the next time at which something happens by itself, without regard to changes that
    /// only the next round has to take note of.
    pub(crate) fn due_by_itself(&self) -> Option<SimTime> {
        // No time is known for a new viewpoint, so the next round measures from it.
        self.due(false, !self.is_viewpoint_new)
    }

    /// Returns the next time at which something happens. `has_changes` makes the next round due, and
    /// with `measures` so does a body whose distance or activity has changed.
    fn due(&self, has_changes: bool, measures: bool) -> Option<SimTime> {
        let deadlines = self.parking.deadlines().into_iter().chain([&self.leaving]);
        let deadline = deadlines.filter_map(|timeouts| timeouts.first()).fold(f64::INFINITY, f64::min);
        // Only rounds check deadlines.
        let deadline = match self.config.gate {
            _ if deadline == f64::INFINITY => deadline,
            Gate::Fixed => self.clock.next_tick(deadline),
            Gate::Shared => deadline.max(after(self.clock.base, |since| since >= MIN_STEP_SECS)),
            Gate::PerBody => deadline,
        };
        let due = self.next_round(has_changes, measures).unwrap_or(f64::INFINITY).min(deadline);
        let due = if self.replay.is_empty() { due } else { self.clock.now.as_secs() };
        // Nothing is due in the past.
        (due < f64::INFINITY).then(|| SimTime::from_secs(due.max(self.clock.now.as_secs())).ok()).flatten()
    }

    /// Returns the time of the next round that steps a body, in seconds. `None` if all bodies rest.
    fn next_round(&self, has_changes: bool, measures: bool) -> Option<f64> {
        let cull = Cull::new(self.viewpoint(), self.config.no_viewpoint);
        let is_fixed = self.config.gate == Gate::Fixed;
        let restless = (0..self.store.len())
            .map(|slot| self.store.row(slot))
            .filter(|body| needs_rounds(body, is_fixed) || (measures && is_noticed(body, &cull)));
        // A body counts from its own clock on, which may be ahead of the world's if it is new.
        let oldest = restless.map(|body| body.updated).fold(f64::INFINITY, f64::min);
        let now = self.clock.now.as_secs();
        let oldest = if has_changes || self.player.is_some() { oldest.min(now) } else { oldest };
        if oldest == f64::INFINITY {
            return None;
        }
        Some(match self.config.gate {
            Gate::Fixed => self.clock.next_tick(oldest.next_up()),
            Gate::Shared => after(self.clock.base, |since| since >= MIN_STEP_SECS),
            Gate::PerBody if has_changes => now,
            Gate::PerBody => after(oldest, |since| since >= MIN_STEP_SECS),
        })
    }
}

/// Returns whether a round steps a body, or keeps its clock.
///
/// Unless the gate is fixed, a body at rest counts too, because rounds keep its clock.
fn needs_rounds(body: &HotRow, is_fixed: bool) -> bool {
    let is_restless = body.flags.intersects(Flags::RESTLESS | Flags::OBSERVATION);
    body.flags.contains(Flags::ACTIVE) && (is_restless || !is_fixed)
}

/// Returns whether a round finds a body at another distance, or makes it active or inactive. Both decide
/// whether the body is stepped, and how its positions are handled.
fn is_noticed(body: &HotRow, cull: &Cull) -> bool {
    let (distance, is_active) = cull.look_at(body);
    distance.to_bits() != body.distance.to_bits() || is_active != body.flags.contains(Flags::ACTIVE)
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
