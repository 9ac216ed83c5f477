//! Drivers `internal`, `update_object` and `use_time`, for one body that receives events. Each
//! driver steps it in another way.

use evenstride::{
    BodySetup, Config, Disposition, Happening,
    animation::{InterpretedMotion, MotionAxis},
    outcome::{Enqueued, IgnoreReason},
};
use evenstride_trace::{Driver, Fields, Header, Line, LineKind, Malformed};
use evenstride_types::{
    EntityId, Heading, SimTime, Stamp, StampKind, StampTable,
    update::{MotionCommand, PhysicsState, PositionPack, SparseQuaternion},
};
use serde_json::{Map, Value, json};

use super::{answer, scripted::Scripted};
use crate::probe::{Probe, ProbeSetup, ProbeWaypoint, Reading};

/// The effect of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ticking {
    /// One step of the tick's length.
    Step,
    /// The body's own time slicing.
    Update,
    /// The shared gate, then the body's own time slicing.
    Advance,
}

pub(super) struct Body {
    probe: Probe,
    surroundings: Scripted,
    ticking: Ticking,
    /// The run rate that the game object reports, if there is one. It takes precedence over the run
    /// rate from messages.
    reported_run_rate: Option<f32>,
}

impl Body {
    pub(super) fn start(header: &Header, ticking: Ticking) -> Result<Self, Malformed> {
        let settings = Fields::new(&header.settings, 1);
        // Numbers start at 1 in a library, and at 0 in a list.
        let list = header.settings.get("anims").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let library = super::legs::animations((1..).zip(list))?;
        let [contact, walkable] = settings.flags("contact")?;
        let reported_run_rate = if settings.flag("weenie")? {
            settings.f32_or_null("inq_run_rate")?
        } else {
            // Without a game object the run rate is 1.
            Some(1.0)
        };
        let mut stamps = StampTable::default();
        let initial = settings.object("stamps")?;
        for (name, kind) in [
            ("instance", StampKind::Instance),
            ("position", StampKind::Position),
            ("teleport", StampKind::Teleport),
            ("vector", StampKind::Vector),
        ] {
            stamps.set(kind, Stamp::new(initial.u16(name)?));
        }
        let forward = MotionCommand(settings.u32("forward_command")?);
        let motion = InterpretedMotion {
            forward: MotionAxis::new(forward, settings.f32("forward_speed")?),
            run_rate: reported_run_rate.unwrap_or(settings.f32("my_run_rate")?),
            ..InterpretedMotion::STANDING
        };
        let setup = BodySetup {
            state: PhysicsState::from_bits_retain(settings.u32("state")?),
            motion,
            stamps,
            scale: settings.f32("scale")?,
            radius: settings.f32("radius")?,
            ..BodySetup::at(settings.object("pos")?.placement()?)
        };
        let viewpoint = settings.object_or_null("player")?.map(|player| player.placement()).transpose()?;
        let max_step_secs = settings.f64("max_quantum")?;
        let probe = Probe::new(&ProbeSetup {
            config: Config::RETAIL.with(|config| config.max_step_secs = max_step_secs),
            start: settings.time("t0")?,
            setup,
            contact,
            walkable,
            friction: settings.f32_or_null("friction")?,
            viewpoint_distance: settings.f32_or_null("player_distance")?,
            viewpoint,
            has_cell: settings.flag("has_cell")?,
            velocity: settings.vector("velocity")?,
            omega: settings.vector("omega")?,
            speed_factor: settings.f32("speed_factor")?,
            library,
        });
        let surroundings = Scripted { freedom: 1.0, refuses: false };
        Ok(Self { probe, surroundings, ticking, reported_run_rate })
    }

    /// Applies an event. Returns the trace's word for the outcome.
    fn event(&mut self, kind: &str, event: &Fields<'_>) -> Result<&'static str, Malformed> {
        let now = event.time("t")?;
        let entity = || event.u32("object_id").map(EntityId::new);
        match kind {
            "position" => return self.position(now, event),
            "vector" => {
                let stamp = Stamp::new(event.u16("vector_ts")?);
                let (velocity, omega) = (event.vector("velocity")?, event.vector("omega")?);
                return Ok(match self.probe.vector(now, velocity, omega, stamp) {
                    Disposition::Applied => "vector_applied",
                    Disposition::Ignored(IgnoreReason::StaleVector) => "vector_stale",
                    _ => "vector_refused",
                });
            }
            "interpolate" => {
                let keep = event.flag("keep_heading")?;
                return Ok(enqueued_word(self.probe.interpolate(now, event.placement()?, keep)));
            }
            "motion" => {
                let (forward, speed) =
                    (MotionCommand(event.u32("forward_command")?), event.f32("forward_speed")?);
                let heard = if forward == MotionCommand::RUN_FORWARD { speed } else { self.run_rate() };
                self.probe.set_motion(forward, speed, self.reported_run_rate.unwrap_or(heard));
            }
            "contact" => self.probe.set_contact(event.flag("contact")?, event.flag("on_walkable")?),
            "moving_to" => self.probe.set_moves_to(event.flag("value")?),
            "stick" => self.probe.stick(now, entity()?, event.f32("radius")?),
            "unstick" => self.probe.unstick(),
            "target_update" => {
                let place = if event.u32("status")? == 1 { Some(event.placement()?) } else { None };
                self.probe.target_heard(entity()?, place);
            }
            "object" => {
                let place = if event.flag("exists")? { Some(event.placement()?) } else { None };
                self.probe.other(entity()?, place);
            }
            "player" => self.probe.set_viewpoint(Some(event.placement()?)),
            "player_distance" => self.probe.set_viewpoint_distance(event.f32("value")?),
            "constrain" => {
                let (start, max) = (event.f32("start")?, event.f32("max")?);
                self.probe.constrain(now, &event.placement()?, start, max);
            }
            "unconstrain" => self.probe.unconstrain(),
            "node" => {
                let kind = match event.u32("node_type")? {
                    1 => ProbeWaypoint::Reach,
                    2 => ProbeWaypoint::Jump,
                    3 => ProbeWaypoint::SetVelocity(event.vector("velocity")?),
                    other => {
                        return Err(
                            event.malformed("node_type", &format!("{other} is unknown; use 1, 2 or 3"))
                        );
                    }
                };
                self.probe.push_waypoint(now, event.placement()?, kind);
            }
            "stop_interp" => self.probe.stop_route(),
            "velocity" => self.probe.set_velocity(now, event.vector("value")?),
            "omega" => self.probe.set_omega(event.vector("value")?),
            "heading" => {
                let heading = Heading::from_degrees(event.f32("value")?);
                self.probe.set_heading(heading.map_err(|why| event.malformed("value", &why.to_string()))?);
            }
            "set_position" => {
                self.probe.put(now, event.placement()?, &self.surroundings);
            }
            "setpos_result" => self.surroundings.refuses = event.flag("value")?,
            "block" => self.surroundings.freedom = event.f32("value")?,
            "has_cell" => self.probe.set_has_cell(event.flag("value")?),
            "seq_velocity" => self.probe.set_drift(Some(event.vector("value")?), None),
            "seq_omega" => self.probe.set_drift(None, Some(event.vector("value")?)),
            "seq_append" => {
                let (low, high) = (event.i32("low")?, event.i32("high")?);
                self.probe.append(event.u32("anim")? + 1, low, high, event.f32("framerate")?);
            }
            "seq_clear_anims" => self.probe.clear_animations(),
            "seq_remove_cyclic" => self.probe.remove_cyclic(),
            "seq_remove_links" => self.probe.remove_links(event.u32("value")?),
            "seq_remove_all_links" => self.probe.remove_links(u32::MAX),
            "seq_multiply" => self.probe.multiply(event.f32("value")?),
            _ => return Err(event.malformed("kind", &format!("\"{kind}\" is not an event of this driver"))),
        }
        Ok("")
    }

    fn position(&mut self, now: SimTime, event: &Fields<'_>) -> Result<&'static str, Malformed> {
        let raw = event.raw_placement()?;
        let pack = PositionPack {
            cell: raw.cell,
            origin: raw.origin,
            rotation: SparseQuaternion::full(raw.wxyz),
            velocity: Some(event.vector("velocity")?),
            placement_frame: None,
            has_contact: event.flag("has_contact")?,
            other_flags: 0,
            instance: Stamp::new(event.u16("instance")?),
            position: Stamp::new(event.u16("position_ts")?),
            teleport: Stamp::new(event.u16("teleport_ts")?),
            force_position: Stamp::new(event.u16("force_position_ts")?),
        };
        Ok(position_word(self.probe.position(now, &pack, &self.surroundings)))
    }

    fn tick(&mut self, tick: &Fields<'_>) -> Result<(), Malformed> {
        let now = tick.time("t")?;
        match self.ticking {
            Ticking::Step => self.probe.step(now, tick.f64("dt")? as f32, &self.surroundings),
            Ticking::Update => self.probe.update(now, &self.surroundings),
            Ticking::Advance => self.probe.advance(now, &self.surroundings),
        }
        Ok(())
    }

    fn run_rate(&mut self) -> f32 {
        self.probe.run_rate()
    }
}

impl Driver for Body {
    fn apply(&mut self, line: &Line) -> Result<Map<String, Value>, Malformed> {
        let fields = Fields::new(&line.fields, line.number);
        match &line.kind {
            LineKind::Event(kind) => {
                let word = self.event(kind, &fields)?;
                let log = self.probe.take_log();
                let mut out = event_answer(&self.probe.read(), &log.notes);
                out.insert("route".into(), if word.is_empty() { kind.as_str() } else { word }.into());
                Ok(out)
            }
            LineKind::Tick => {
                self.tick(&fields)?;
                let log = self.probe.take_log();
                let mut out = tick_answer(&self.probe.read(), &log.notes, &log.slices);
                if line.fields.contains_key("frame_number") {
                    let (frame, node) = self.probe.frame();
                    out.insert("frame_number".into(), frame.into());
                    out.insert("node".into(), node.map_or(-1, |place| place as i64).into());
                }
                Ok(out)
            }
            LineKind::Call(_) => Err(Malformed::at(line.number, "type: this driver has no calls")),
        }
    }
}

fn event_answer(reading: &Reading, notes: &[Happening]) -> Map<String, Value> {
    answer(json!({
        "queue": reading.waypoints,
        "fail": reading.given_up,
        "stamps": reading.stamps,
        "cell": reading.place.cell.to_string(),
        "pos": reading.place.pose.origin().to_array(),
        "quat": reading.place.pose.rotation().to_wxyz(),
        "constraint": [f32::from(reading.tether_on), reading.tether_travelled],
        "sticky": [reading.follow_target.map_or(0, EntityId::raw), u32::from(reading.follow_heard)],
        "ev": note_words(notes),
    }))
}

fn tick_answer(reading: &Reading, notes: &[Happening], slices: &[f32]) -> Map<String, Value> {
    let mut out = event_answer(reading, notes);
    // Only events compare stamps.
    out.remove("stamps");
    out.extend(answer(json!({
        "quanta": slices,
        "vel": reading.velocity.to_array(),
        "cvel": reading.last_velocity.to_array(),
        "contact": [reading.contact, reading.walkable],
        "active": reading.active,
        "fc": reading.audit_steps,
        "pq": reading.audit_secs,
        "od": reading.audit_distance,
        "kh": reading.keeps_heading,
        "moving_to": reading.moves_to,
        "pd": reading.viewpoint_distance,
    })));
    out
}

fn position_word(disposition: Disposition) -> &'static str {
    use evenstride::outcome::{ParkReason, PlaceReason};
    match disposition {
        Disposition::Parked(ParkReason::NewerInstance) => "instance_newer",
        Disposition::Ignored(IgnoreReason::OlderInstance) => "instance_stale",
        Disposition::Ignored(IgnoreReason::StalePosition) => "position_stale",
        Disposition::Ignored(IgnoreReason::StalePositionNewerTeleport) => "position_stale_teleport_newer",
        Disposition::Ignored(IgnoreReason::StaleTeleport) => "teleport_stale",
        Disposition::Ignored(IgnoreReason::Airborne) => "airborne_ignored",
        Disposition::Placed { reason: PlaceReason::Teleport | PlaceReason::EntersWorld, .. } => "teleport",
        Disposition::Placed {
            reason: PlaceReason::FarFromViewpoint | PlaceReason::DistanceUnknown, ..
        } => "slide_snap",
        Disposition::Queued(enqueued) => enqueued_word(enqueued),
        _ => "other",
    }
}

const fn enqueued_word(enqueued: Enqueued) -> &'static str {
    match enqueued {
        Enqueued::Near => "interp_enqueue",
        Enqueued::AlreadyThere => "interp_close_snap",
        Enqueued::Far => "interp_far_enqueue",
        _ => "other",
    }
}

/// Returns notes in the traces' words. Notes that traces lack are left out.
fn note_words(notes: &[Happening]) -> Vec<&'static str> {
    notes
        .iter()
        .filter_map(|note| {
            Some(match note {
                Happening::Reached { .. } => "node_ok",
                Happening::GivenUp { .. } => "node_fail",
                Happening::SnapToNewest => "blip_tail",
                Happening::SnapToGivenUp => "blip_saved",
                Happening::SnapBeforeVelocity => "blip_vel",
                Happening::VelocityTaken => "vel_node",
                Happening::Placed { .. } => "setpos",
                Happening::PlacementRefused => "setpos_fail",
                Happening::NewestReplaced => "tail_prune",
                Happening::OldestDropped => "head_drop",
                Happening::FollowTimedOut => "sticky_timeout",
                _ => return None,
            })
        })
        .collect()
}
