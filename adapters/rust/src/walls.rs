//! The surroundings in which traces were recorded, and the words of the traces for answers.

use evenstride::{
    Disposition, Surroundings,
    outcome::{Enqueued, IgnoreReason, PlaceReason},
    surroundings::{Contact, Placed, Placing, Sweep, Swept},
};

/// Surroundings without geometry, with walls where a trace asks for them.
pub(crate) struct Walls {
    /// Share of every movement that succeeds, 0 to 1.
    pub(crate) freedom: f32,
    /// Whether placements fail.
    pub(crate) refuses: bool,
}

impl Surroundings for Walls {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        let mut to = sweep.to;
        let (from, wanted) = (sweep.from.pose.origin(), to.pose.origin());
        if self.freedom < 1.0 {
            to.pose = to.pose.with_origin(from + (wanted - from) * self.freedom).unwrap_or(to.pose);
        }
        match to.settled() {
            Ok(at) if self.freedom > 0.0 => Swept::Moved { at, contact: Contact::Kept, ran_into: None },
            _ => Swept::Blocked,
        }
    }

    fn place(&self, placing: &Placing) -> Placed {
        match placing.at.settled() {
            Ok(at) if !self.refuses => Placed::At { at, contact: Contact::Kept },
            _ => Placed::Refused,
        }
    }
}

/// Returns the traces' word for how a position was handled.
pub(crate) fn route_of(disposition: Disposition) -> &'static str {
    match disposition {
        Disposition::Parked(_) | Disposition::Dropped(_) => "instance_newer",
        Disposition::Ignored(IgnoreReason::OlderInstance) => "instance_stale",
        Disposition::Ignored(IgnoreReason::StalePosition) => "position_stale",
        Disposition::Ignored(IgnoreReason::StalePositionNewerTeleport) => "position_stale_teleport_newer",
        Disposition::Ignored(IgnoreReason::StaleTeleport) => "teleport_stale",
        Disposition::Ignored(IgnoreReason::Airborne) => "airborne_ignored",
        Disposition::Placed { reason: PlaceReason::Teleport, .. } => "teleport",
        Disposition::Placed { .. } => "slide_snap",
        Disposition::Queued(Enqueued::Near) => "interp_enqueue",
        Disposition::Queued(Enqueued::AlreadyThere) => "interp_close_snap",
        Disposition::Queued(Enqueued::Far) => "interp_far_enqueue",
        _ => "other",
    }
}
