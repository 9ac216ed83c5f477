//! Conversion of happenings, outcomes and reasons into English sentences.
//!
//! The sentences are part of the public interface. Tools print them, and tests compare some of
//! them. None ends with a full stop, so that hosts can join them. A sentence speaks of its entity
//! as `it`, because the host adds the name. This file only formats, and allocates nothing.

use core::fmt;

use evenstride_types::{
    SimTime,
    update::{CommandIndex, CommandTable, MotionCommand},
};

use crate::{
    explain::decision::Entry,
    journal::Happening,
    motion::{
        BUILT_IN_HUMANOID,
        goal::MoveToView,
        route::{AUDIT_STEPS, MAX_STALLED_WAYPOINTS},
    },
    outcome::{
        Disposition, DropReason, Enqueued, Heard, IgnoreReason, MoveToEnd, Outcome, ParkReason, PlaceReason,
        RemoveReason, Steering, TableOrigin,
    },
};

/// One decision about one entity.
///
/// Its `Display` text is a sentence after the time in seconds.
///
/// ```text
/// 12.33 s: position 512 accepted, 34.2 m from you, queued (3 waiting)
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// Time of the decision.
    pub at: SimTime,
    /// Decision that was made.
    pub decision: Happening,
}

impl From<&Entry> for Explanation {
    fn from(entry: &Entry) -> Self {
        Self { at: entry.at, decision: entry.decision }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} s: {}", self.at.as_secs(), self.decision)
    }
}

/// Writes the sentence of a happening, without a time.
///
/// Commands are read by the numbering of the last client. Motions without a name of their own are
/// written as hexadecimal numbers.
impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Position { stamp, outcome, waiting, metres } => {
                write!(f, "position {stamp} ")?;
                position(f, outcome, waiting, metres)
            }
            Self::Movement { stamp, outcome, forward, speed } => {
                write!(f, "movement {stamp} ")?;
                outcome.fmt(f)?;
                if matches!(outcome, Outcome::Applied | Outcome::AppliedInPart) && forward != 0 {
                    write!(f, ": {}", Legs { forward, speed })?;
                }
                Ok(())
            }
            Self::Vector { stamp, outcome, rise } => {
                write!(f, "velocity {stamp} ")?;
                outcome.fmt(f)?;
                if outcome == Outcome::Applied { write!(f, ", {rise:.1} m/s upwards") } else { Ok(()) }
            }
            Self::Legs { table, own, origin: TableOrigin::Added } if table == own => {
                write!(f, "plays its own motion table {own:08X}")
            }
            Self::Legs { table, own, origin } => {
                let name = if table == BUILT_IN_HUMANOID { "people" } else { "creatures" };
                match origin {
                    TableOrigin::BuiltIn => {
                        write!(f, "plays the built-in motion table for {name}")?;
                    }
                    TableOrigin::Added => write!(f, "plays motion table {table:08X}, for {name}")?,
                }
                if own == 0 { Ok(()) } else { write!(f, ": its own, {own:08X}, is not loaded") }
            }
            Self::OtherLegs { meant, does } => {
                let does = CommandIndex(does);
                match MotionCommand::from_index(does, CommandTable::Final) {
                    Some(MotionCommand::READY) => f.write_str("plays standing")?,
                    Some(MotionCommand::TURN_RIGHT) => f.write_str("plays turning")?,
                    _ => write!(f, "plays motion 0x{:04X}", does.0)?,
                }
                match MotionCommand::from_index(CommandIndex(meant), CommandTable::Final) {
                    Some(MotionCommand::RUN_FORWARD) => f.write_str(" instead of running")?,
                    Some(MotionCommand::WALK_FORWARD) => f.write_str(" instead of walking")?,
                    _ => write!(f, " instead of motion 0x{meant:04X}")?,
                }
                f.write_str(": the motion table has no such motion from here, or restores another one")
            }
            Self::Heard { what, outcome } => write!(f, "{what} {outcome}"),
            Self::Attached { holder, .. } => write!(f, "held by {holder}, and drawn with it"),
            Self::FollowBegan { target } => write!(f, "follows {target} for one second"),
            Self::Removed(reason) => f.write_str(match reason {
                RemoveReason::Deleted => "removed: the server deleted it",
                RemoveReason::Replaced => "removed: a new body replaces it",
                RemoveReason::Described => "replaced: its description arrived",
                RemoveReason::Forgotten => "removed: it was outside the world for too long",
                RemoveReason::ByHost => "removed by the host",
            }),
            Self::Detached => f.write_str("no longer held"),
            Self::Replayed { count: 1 } => f.write_str("an update that came too early is handled"),
            Self::Replayed { count } => write!(f, "{count} updates that came too early are handled"),
            Self::Reached { left: 0 } => f.write_str("queue empty"),
            Self::Reached { left } => write!(f, "reached a waypoint, {left} to go"),
            Self::GivenUp { headway, given_up } => {
                let percent = headway * 100.0;
                write!(
                    f,
                    "stalled: {percent:.0} % of expected progress over {AUDIT_STEPS} steps, waypoint dropped, "
                )?;
                match given_up {
                    0..=MAX_STALLED_WAYPOINTS => write!(f, "failure {given_up} of {MAX_STALLED_WAYPOINTS}"),
                    _ => write!(f, "one failure too many"),
                }
            }
            Self::Snapped { reason: PlaceReason::GaveUp, metres } => {
                write!(f, "snapped {metres:.1} m to the newest position")
            }
            Self::Snapped { reason: PlaceReason::LandingOverdue, metres } => {
                write!(f, "placed {metres:.1} m away: its flight should have ended a second ago")
            }
            Self::Snapped { metres, .. } => {
                write!(f, "snapped {metres:.1} m to the last position it had given up")
            }
            Self::DescriptionWanted => f.write_str("updates wait for its description"),
            Self::ParkedExpired { count } => {
                write!(f, "{count} updates waited too long for it and were dropped")
            }
            Self::Appeared => f.write_str("appears"),
            Self::LeftWorld => f.write_str("left the world"),
            Self::Hidden(true) => f.write_str("is hidden"),
            Self::Hidden(false) => f.write_str("is visible again"),
            Self::SnapToNewest => f.write_str("its route failed: it snaps to the newest position"),
            Self::SnapToGivenUp => f.write_str("its route failed: it snaps to the last position given up"),
            Self::SnapBeforeVelocity => {
                f.write_str("its route failed: it snaps to the last position before a velocity")
            }
            Self::VelocityTaken => f.write_str("takes on the velocity of a waypoint"),
            Self::Placed { metres } => write!(f, "placed {metres:.1} m away"),
            Self::Hook { kind, value } => write!(f, "animation hook {kind}: {value}"),
            Self::ActionDone { action, is_complete: true } => write!(f, "finished action {:08X}", action.0),
            Self::ActionDone { action, is_complete: false } => {
                write!(f, "did not finish action {:08X}", action.0)
            }
            Self::FollowEnded => f.write_str("its follow ended"),
            Self::TeleportBegan => f.write_str("a teleport begins"),
            Self::TeleportEnded => f.write_str("the teleport is over"),
            Self::ControlLost => f.write_str("the server moves it from now on"),
            Self::ControlTaken => f.write_str("the player's keys move it again"),
            Self::WentSilent => f.write_str("stopped: no update for too long"),
            Self::PlacementRefused => f.write_str("the surroundings refused the placement"),
            Self::NewestReplaced => {
                f.write_str("its newest waypoint was replaced by a position that is nearly the same")
            }
            Self::OldestDropped => f.write_str("the route was full, so its oldest waypoint was dropped"),
            Self::RanDry => f.write_str("still moving, without a new position"),
            Self::FollowTimedOut => f.write_str("its follow timed out after one second"),
            Self::SetOut { target: Some(target) } => write!(f, "sent to {target} by the server"),
            Self::SetOut { target: None } => f.write_str("sent on its way by the server"),
            Self::OnItsWay { target, metres, steering, is_running, is_away } => MoveToView {
                target: (target.raw() != 0).then_some(target),
                towards: None,
                metres: Some(metres),
                is_away,
                is_going: true,
                is_running,
                steering,
                stalled: 0,
            }
            .fmt(f),
            Self::Turns { steering: Steering::Left, heading } => write!(f, "turns left to {heading:.0}°"),
            Self::Turns { heading, .. } => write!(f, "turns right to {heading:.0}°"),
            Self::NoHeadway => f.write_str("makes no headway in its move-to"),
            Self::MoveToEnded { end: MoveToEnd::Done, metres } => {
                // Bodies that overlap have a negative distance.
                write!(f, "finished its move-to, {:.1} m from the target", metres.max(0.0))
            }
            Self::MoveToEnded { end, .. } => write!(f, "move-to ended: {end}"),
            Self::TookOff { rise } => write!(f, "left the ground, {rise:.1} m/s upwards"),
            Self::Landed { speed } => write!(f, "landed at {speed:.1} m/s"),
        }
    }
}

/// Writes the outcome of a position, after its stamp.
///
/// `waiting` and `metres` are those of [`Happening::Position`]. A distance of 0 or `f32::MAX` is
/// unknown and left out.
fn position(f: &mut fmt::Formatter<'_>, outcome: Outcome, waiting: u8, metres: f32) -> fmt::Result {
    match outcome {
        Outcome::Queued(enqueued) => {
            f.write_str("accepted, ")?;
            if metres > 0.0 && metres < f32::MAX {
                write!(f, "{metres:.1} m from you, ")?;
            }
            match enqueued {
                Enqueued::Near => write!(f, "queued ({waiting} waiting)"),
                Enqueued::Far => write!(f, "too far to walk: queued ({waiting} waiting), a snap follows"),
                Enqueued::AlreadyThere => f.write_str("it is there already"),
            }
        }
        Outcome::Placed(PlaceReason::EntersWorld) => write!(f, "{outcome}"),
        Outcome::Placed(reason) => write!(f, "accepted, placed {metres:.1} m away: {reason}"),
        other => write!(f, "{other}"),
    }
}

/// Writes the outcome of a message, after its kind. The reason for a refusal is not kept, so the
/// text has none.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Applied => f.write_str("accepted"),
            Self::AppliedInPart => f.write_str("accepted in part (unknown movement type)"),
            Self::Queued(_) => f.write_str("queued"),
            Self::Placed(reason) => write!(f, "accepted, placed: {reason}"),
            Self::NotPlaced(reason) => write!(f, "accepted ({reason}), but the surroundings refused"),
            Self::Created => f.write_str("accepted: it appears"),
            Self::Adopted => f.write_str("accepted: it appears, without a description"),
            Self::Merged => f.write_str("merged into the known entity"),
            Self::Removed => f.write_str("accepted: it is removed"),
            Self::Ignored(reason) => write!(f, "ignored: {reason}"),
            Self::Parked(reason) => write!(f, "waits: {reason}"),
            Self::Dropped(reason) => write!(f, "lost: {reason}"),
            Self::Refused => f.write_str("refused: invalid value"),
        }
    }
}

/// Writes the outcome of a message with all details. Unlike [`Outcome`], it names the reason for a
/// refusal.
impl fmt::Display for Disposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(reason) => write!(f, "refused: {reason}"),
            Self::Queued(Enqueued::Near) => f.write_str("queued"),
            Self::Queued(Enqueued::Far) => f.write_str("queued, but too far to walk: a snap follows"),
            Self::Queued(Enqueued::AlreadyThere) => f.write_str("accepted: it is there already"),
            other => Outcome::from(other).fmt(f),
        }
    }
}

/// Writes the kind of a message as a noun.
impl fmt::Display for Heard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Create => "description",
            Self::Delete => "removal",
            Self::Hold => "attachment",
            Self::Pickup => "pickup",
            Self::State => "state",
            Self::Teleport => "start of a teleport",
        })
    }
}

/// Writes the reason for a placement, to stand after a colon.
impl fmt::Display for PlaceReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Teleport => "a teleport",
            Self::EntersWorld => "it was outside the world",
            Self::FarFromViewpoint => "96 m or more from the viewpoint",
            Self::DistanceUnknown => "its distance is unknown (no viewpoint, or no step since it appeared)",
            Self::Landing => "it was in the air and touches the ground",
            Self::Corrected => "a correction by the server",
            Self::GaveUp => "its route failed, to the newest position",
            Self::GaveUpLast => "its route failed, to the last position given up",
            Self::LandingOverdue => "its flight should have ended a second ago",
        })
    }
}

/// Writes the reason for which a message had no effect, to stand after a colon.
impl fmt::Display for IgnoreReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OlderInstance => "about an earlier life of the entity",
            Self::StalePosition => "not newer than the last position",
            Self::StalePositionNewerTeleport => {
                "not newer than the last position, although its teleport is newer"
            }
            Self::StaleTeleport => "sent before the last teleport",
            Self::Airborne => "in the air, where its own flight decides its place",
            Self::StaleVector => "not newer than the last velocity",
            Self::StaleMovement => "not newer than the last movement",
            Self::StaleServerControl => "sent before the server last took control",
            Self::StaleState => "not newer than the last state",
            Self::Echo => "an echo of the local player's own command",
            Self::PlayerDecides => "the local player decides its own place, within its tether",
            Self::PlayerNowhere => "the local player is outside the world, and only a teleport brings it in",
            Self::LocalPlayerStays => "the local player cannot be removed",
            Self::PlayerKnown => "the world already has a local player",
            Self::NoLocalPlayer => "the world has no local player",
            Self::NotUnderstood => "unknown message type",
            Self::Suspended => "the host moves the body itself",
        })
    }
}

/// Writes the reason for which a message is parked, to stand after a colon.
impl fmt::Display for ParkReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownEntity => "its entity is unknown",
            Self::NewerInstance => "about a later life of the entity",
            Self::UnknownHolder => "its holder is unknown",
        })
    }
}

/// Writes the reason for which a message is lost, to stand after a colon.
impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OldBodyStillThere => "about a later life of the entity, while the earlier one is present",
            Self::NoRoom => "it exceeds the parking limits",
        })
    }
}

/// A motion in words, for the sentence of a movement.
struct Legs {
    /// Command index of the motion.
    forward: u16,
    /// Signed speed factor. A negative one means backwards, or to the left.
    speed: f32,
}

impl fmt::Display for Legs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let command = MotionCommand::from_index(CommandIndex(self.forward), CommandTable::Final);
        match command {
            Some(MotionCommand::READY) => f.write_str("stands"),
            Some(MotionCommand::WALK_FORWARD) if self.speed < 0.0 => {
                write!(f, "walks backwards at speed {:.2}", -self.speed)
            }
            Some(MotionCommand::WALK_FORWARD) => write!(f, "walks at speed {:.2}", self.speed),
            Some(MotionCommand::RUN_FORWARD) => write!(f, "runs at speed {:.2}", self.speed),
            Some(MotionCommand::TURN_RIGHT) => {
                let side = if self.speed < 0.0 { "left" } else { "right" };
                write!(f, "turns {side} at speed {:.2}", self.speed.abs())
            }
            Some(MotionCommand::DEAD) => f.write_str("is dead"),
            _ => write!(f, "motion 0x{:04X} at speed {:.2}", self.forward, self.speed),
        }
    }
}
