//! Driver `moveto`, for several bodies that the server moves, and for the functions that decide
//! about their motion.

use evenstride::outcome::{MotionError, MoveToEnd};
use evenstride_trace::{Driver, Fields, Header, Line, LineKind, Malformed};
use evenstride_types::{
    Cylinder, EntityId, Placement,
    update::{HoldKey, MotionCommand},
};
use serde_json::{Map, Value, json};

use super::{answer, scripted::Scripted};
use crate::probe::{DoubleSetup, MoveToProbe, ProbeCall, ProbeGoal, ProbeMoveTo, pure};

pub(super) struct MoveTo {
    probe: MoveToProbe,
    /// Bodies whose whole state is in the trace.
    movers: Vec<EntityId>,
    blocks: Vec<(EntityId, f32)>,
}

impl MoveTo {
    pub(super) fn start(header: &Header) -> Result<Self, Malformed> {
        let settings = Fields::new(&header.settings, 1);
        let mut probe = MoveToProbe::new(settings.time("t0")?);
        let mut movers = Vec::new();
        let objects = settings.list("objects")?;
        let objects = objects.iter().map(|object| {
            let object =
                object.as_object().ok_or_else(|| settings.malformed("objects", "not a list of objects"))?;
            Ok(Fields::new(object, 1))
        });
        let objects = objects.collect::<Result<Vec<_>, Malformed>>()?;
        // Holders come first, because a held body needs a holder.
        for wants_holder in [false, true] {
            for object in &objects {
                let setup = setup_of(object)?;
                if setup.holder.is_some() == wants_holder {
                    probe.insert(&setup);
                }
                if object.flag("mover")? && !wants_holder {
                    movers.push(setup.entity);
                }
            }
        }
        Ok(Self { probe, movers, blocks: Vec::new() })
    }

    fn event(&mut self, kind: &str, event: &Fields<'_>) -> Result<(), Malformed> {
        let entity = EntityId::new(event.u32("object")?);
        let motions = || -> Result<_, Malformed> {
            let axis = |command: &str, speed: &str| -> Result<_, Malformed> {
                Ok((MotionCommand(event.hex(command)?), event.f32(speed)?))
            };
            Ok((axis("forward_command", "forward_speed")?, axis("turn_command", "turn_speed")?))
        };
        let value = || event.u32("value");
        match kind {
            "perform" => {
                let goal = goal_of(event)?;
                let target = EntityId::new(event.u32("top_level_id")?);
                self.probe.perform(entity, &ProbeGoal { target, ..goal });
            }
            "net" => {
                let goal = goal_of(event)?;
                let run_rate = matches!(goal.number, 6 | 7).then(|| event.f32("run_rate")).transpose()?;
                self.probe.net(entity, &goal, run_rate, event.f32("heading")?);
            }
            "net_state" => {
                let (forward, turn) = motions()?;
                self.probe.cancel(entity, MoveToEnd::Interrupted);
                self.probe.unstick(entity);
                if forward.0 == MotionCommand::RUN_FORWARD {
                    self.probe.set_run_rate(entity, forward.1);
                }
                self.probe.set_motion(entity, forward, turn);
                match EntityId::new(event.u32("stick_id")?) {
                    target if target.raw() != 0 && self.probe.is_known(target) => {
                        self.probe.stick(entity, target);
                    }
                    _ => {}
                }
            }
            "motion" => {
                let (forward, turn) = motions()?;
                self.probe.set_motion_quietly(entity, forward, turn);
            }
            "do_motion" => {
                let motion = MotionCommand(event.hex("motion")?);
                self.probe.do_motion(entity, motion, event.f32("speed")?, event.flag("cancel_moveto")?);
            }
            "stop" => self.probe.stop(entity),
            "cancel" => {
                let end = end_of(event.hex("value").or_else(|_| value())?);
                self.probe.cancel(entity, end.ok_or_else(|| event.malformed("value", "not a known reason"))?);
            }
            "unstick" => self.probe.unstick(entity),
            "contact" => {
                self.probe.set_contact(entity, event.flag("contact")?, event.flag("on_walkable")?);
            }
            "place" => self.probe.place(entity, event.placement()?),
            "teleport" => self.probe.teleport(entity, event.placement()?),
            "delete" => self.probe.delete(entity),
            "create" => self.probe.insert(&DoubleSetup {
                entity,
                place: event.placement()?,
                size: size_of(event)?,
                contact: true,
                walkable: true,
                holder: None,
                run_rate: 1.0,
                reported_run_rate: None,
                has_game: true,
                is_creature: true,
                hold_key: HoldKey::NONE,
                link_ticks: 0,
            }),
            "suspend" => self.probe.suspend(entity, event.flag("value")?),
            "block" => {
                self.blocks.retain(|(blocked, _)| *blocked != entity);
                self.blocks.push((entity, event.f32("value")?));
            }
            "pending" => self.probe.set_pending(entity, value()?),
            "interpolating" => self.probe.set_on_route(entity, event.flag("value")?),
            "run_rate" => self.probe.set_run_rate(entity, event.f32("value")?),
            "hold_key" => self.probe.set_hold_key(entity, HoldKey(value()?)),
            "motion_error" => {
                let motion = MotionCommand(event.hex("motion")?);
                self.probe.set_motion_error(entity, motion, event.hex("value").or_else(|_| value())?);
            }
            _ => return Err(event.malformed("kind", &format!("\"{kind}\" is not an event of this driver"))),
        }
        Ok(())
    }

    /// Returns the state of all bodies, one field for each value, like `1.pos`.
    fn state(&mut self) -> Map<String, Value> {
        let calls = self.probe.take_calls();
        let mut out = Map::new();
        for entity in self.probe.entities() {
            let reading = self.probe.read(entity);
            let mut fields = all_bodies(&reading);
            if self.movers.contains(&entity) {
                fields.extend(mover(&reading));
                let asked = || calls.iter().filter(|(by, _)| *by == entity).map(|(_, call)| call);
                let words: Vec<Value> = asked().filter_map(call_words).collect();
                let ends: Vec<Value> = asked().filter_map(end_word).collect();
                if !words.is_empty() {
                    fields.insert("calls".into(), words.into());
                }
                if !ends.is_empty() {
                    fields.insert("end".into(), ends.into());
                }
            }
            out.extend(fields.into_iter().map(|(name, value)| (format!("{}.{name}", entity.raw()), value)));
        }
        let messages: Vec<Value> = calls.iter().filter_map(|(_, call)| message(call)).collect();
        if !messages.is_empty() {
            out.insert("msgs".into(), messages.into());
        }
        out
    }
}

impl Driver for MoveTo {
    fn apply(&mut self, line: &Line) -> Result<Map<String, Value>, Malformed> {
        let fields = Fields::new(&line.fields, line.number);
        match &line.kind {
            LineKind::Event(kind) => {
                self.event(kind, &fields)?;
                Ok(self.state())
            }
            LineKind::Tick => {
                self.probe.tick(fields.time("t")?, &Walls(&self.blocks));
                Ok(self.state())
            }
            LineKind::Call(op) => call(op, &fields.object("args")?),
        }
    }
}

fn setup_of(object: &Fields<'_>) -> Result<DoubleSetup, Malformed> {
    let [contact, walkable] = object.flags("contact")?;
    let holder = object.u32("parent")?;
    Ok(DoubleSetup {
        entity: EntityId::new(object.u32("id")?),
        place: object.placement()?,
        size: size_of(object)?,
        contact,
        walkable,
        holder: (holder != 0).then_some(EntityId::new(holder)),
        run_rate: object.f32("my_run_rate")?,
        reported_run_rate: object.f32_or_null("inq_run_rate")?,
        has_game: object.flag("weenie")?,
        is_creature: object.flag("creature")?,
        hold_key: HoldKey(object.u32("hold_key")?),
        link_ticks: object.u32("link_ticks")?,
    })
}

fn size_of(object: &Fields<'_>) -> Result<Cylinder, Malformed> {
    Ok(Cylinder { radius: object.f32("radius")?, height: object.f32("height")? })
}

fn goal_of(event: &Fields<'_>) -> Result<ProbeGoal, Malformed> {
    let number = event.u32("movement_type")?;
    let place = if event.hex("cell")? == 0 { None } else { Some(event.placement()?) };
    // A message does not contain a size, so the target's own size is used.
    let size = size_of(event).unwrap_or(Cylinder { radius: 0.0, height: 0.0 });
    let target = EntityId::new(event.u32("object_id")?);
    Ok(ProbeGoal { number, target, size, place, ..params_of(&event.object("params")?)? })
}

fn params_of(params: &Fields<'_>) -> Result<ProbeGoal, Malformed> {
    Ok(ProbeGoal {
        flags: params.hex("flags")?,
        near: params.f32("distance_to_object")?,
        far: params.f32("min_distance")?,
        heading: params.f32("desired_heading")?,
        speed: params.f32("speed")?,
        fail_distance: params.f32("fail_distance")?,
        run_threshold: params.f32("walk_run_threshhold")?,
        hold_key: HoldKey(params.u32("hold_key_to_apply")?),
        ..ProbeGoal::default_goal()
    })
}

/// The traces' status of a target without any update.
const TIMED_OUT: u8 = 6;

fn hex(number: u32) -> String {
    format!("0x{number:08X}")
}

fn all_bodies(reading: &ProbeMoveTo) -> Map<String, Value> {
    let mut fields = answer(json!({
        "cell": reading.place.cell.to_string(),
        "pos": reading.place.pose.origin().to_array(),
        "h": pure::heading(&reading.place).degrees(),
    }));
    if !reading.observers.is_empty() {
        let observers = reading.observers.iter().map(|observer| {
            let said = observer.said.pose.origin().to_array();
            json!([observer.observer.raw(), observer.radius, observer.quantum, said])
        });
        fields.insert("voy".into(), observers.collect());
    }
    fields
}

fn mover(reading: &ProbeMoveTo) -> Map<String, Value> {
    let steps = reading.steps.iter().map(|step| match step {
        Some(heading) => json!([9, heading]),
        None => json!([7, 0]),
    });
    let mut fields = answer(json!({
        "cvel": reading.velocity.to_array(),
        "fwd": [json!(hex(reading.forward.0.0)), json!(reading.forward.1)],
        "turn": [json!(hex(reading.turn.0.0)), json!(reading.turn.1)],
        "pend": reading.pending,
        "mt": reading.number,
        "nodes": steps.collect::<Vec<Value>>(),
        "cmd": hex(reading.command.0),
        "aux": hex(reading.steering.0),
        "away": reading.is_away,
        "fpc": reading.stalled,
        "sticky": [
            reading.follows.map_or(0, |(target, _)| target.raw()),
            u32::from(reading.follows.is_some_and(|(_, is_heard)| is_heard)),
        ],
    }));
    if reading.number != 0 {
        let [(pd, pdt), (od, odt)] = reading.progress;
        let origin = |place: Option<Placement>| place.map_or([0.0; 3], |at| at.pose.origin().to_array());
        fields.extend(answer(json!({
            "hold": reading.hold_key.0,
            "init": reading.is_begun,
            "top": reading.top,
            "pd": pd, "pdt": pdt, "od": od, "odt": odt, "ph": reading.turned,
            "tp": origin(reading.towards),
            "tc": reading.towards.map_or_else(|| hex(0), |at| at.cell.to_string()),
            "sp": origin(reading.expected),
            "tq": reading.quantum,
        })));
    }
    fields
}

fn call_words(call: &ProbeCall) -> Option<Value> {
    Some(match *call {
        ProbeCall::Do { motion, speed, code } => json!(["do", hex(motion.0), speed, code]),
        ProbeCall::Stop { motion, speed, code } => json!(["stop", hex(motion.0), speed, code]),
        ProbeCall::StopCompletely => json!(["stop_completely"]),
        ProbeCall::SetHeading(degrees) => json!(["set_heading", degrees]),
        ProbeCall::SetTarget { entity, radius, quantum } => {
            json!(["set_target", entity.raw(), radius, quantum])
        }
        ProbeCall::ClearTarget => json!(["clear_target"]),
        ProbeCall::SetQuantum(quantum) => json!(["set_quantum", quantum]),
        ProbeCall::Stick { entity, radius } => json!(["stick", entity.raw(), radius]),
        ProbeCall::Unstick => json!(["unstick"]),
        ProbeCall::Tell { .. } | ProbeCall::End(_) => return None,
    })
}

fn end_word(call: &ProbeCall) -> Option<Value> {
    let ProbeCall::End(end) = call else { return None };
    Some(match end {
        MoveToEnd::Done => "done".into(),
        MoveToEnd::IsTarget => "self".into(),
        other => format!("0x{:02X}", other.client_code()).into(),
    })
}

fn message(call: &ProbeCall) -> Option<Value> {
    let ProbeCall::Tell { from, to, status, at, expected, quantum } = *call else { return None };
    // The place of a target without any update is zero.
    if status == TIMED_OUT {
        return Some(json!([from.raw(), to.raw(), status, hex(0), [0, 0, 0], [0, 0, 0], quantum]));
    }
    let [here, there] = [at, expected].map(|place| place.pose.origin().to_array());
    Some(json!([from.raw(), to.raw(), status, at.cell.to_string(), here, there, quantum]))
}

fn end_of(code: u32) -> Option<MoveToEnd> {
    let known = [
        MoveToEnd::Interrupted,
        MoveToEnd::TargetGone,
        MoveToEnd::TargetUnknown,
        MoveToEnd::Teleported,
        MoveToEnd::TooFar,
        MoveToEnd::Refused(MotionError::InTheAir),
        MoveToEnd::Refused(MotionError::NoMotion),
        MoveToEnd::Refused(MotionError::Failed),
    ];
    known.into_iter().find(|end| end.client_code() == code)
}

/// The scripted surroundings, with a wall for each body that has one.
struct Walls<'a>(&'a [(EntityId, f32)]);

impl evenstride::Surroundings for Walls<'_> {
    fn sweep(&self, sweep: &evenstride::surroundings::Sweep) -> evenstride::surroundings::Swept {
        let wall = self.0.iter().find(|(entity, _)| *entity == sweep.entity);
        Scripted { freedom: wall.map_or(1.0, |(_, freedom)| *freedom), refuses: false }.sweep(sweep)
    }

    fn place(&self, placing: &evenstride::surroundings::Placing) -> evenstride::surroundings::Placed {
        Scripted { freedom: 1.0, refuses: false }.place(placing)
    }
}

fn call(op: &str, args: &Fields<'_>) -> Result<Map<String, Value>, Malformed> {
    let motion = |name: &str| args.hex(name).map(MotionCommand);
    let value = |value: f64| answer(json!({ "value": value }));
    Ok(match op {
        "get_command" => {
            let params = params_of(&args.object("params")?)?;
            let (command, hold, away) = params.choose(args.f32("distance")?);
            let away = away.map_or(-1, i32::from);
            answer(json!({ "cmd": hex(command), "hold": hold, "away": away }))
        }
        "desired_heading" => {
            value(pure::desired_heading(motion("command")?, args.flag("moving_away")?).into())
        }
        "heading_diff" => value(pure::heading_diff(args.f32("x")?, args.f32("y")?, motion("motion")?).into()),
        "heading_greater" => {
            let ok = pure::heading_greater(args.f32("x")?, args.f32("y")?, motion("motion")?);
            answer(json!({ "ok": ok }))
        }
        "cylinder_distance" => {
            let body = |radius: &str, height: &str, at: &'static str| -> Result<_, Malformed> {
                let size = Cylinder { radius: args.f32(radius)?, height: args.f32(height)? };
                Ok((size, args.object(at)?.placement()?))
            };
            value(pure::cylinder_distance(body("r1", "h1", "a")?, body("r2", "h2", "b")?))
        }
        "adjust_motion" => {
            let (command, speed) = pure::adjust_motion(
                motion("motion")?,
                args.f32("speed")?,
                HoldKey(args.u32("hold_key")?),
                args.f32("my_run_rate")?,
                HoldKey(args.u32("current_holdkey")?),
                args.flag("creature")?,
            );
            answer(json!({ "cmd": hex(command.0), "speed": speed }))
        }
        "defaults" => {
            let default = ProbeGoal::default_goal();
            answer(json!({
                "flags": format!("0x{:X}", default.flags),
                "internal_flags": format!("0x{:X}", pure::internal_flags()),
                "value": [
                    default.near, default.far, default.heading, default.speed, default.fail_distance,
                    default.run_threshold,
                ],
                "hold": default.hold_key.0,
            }))
        }
        "check_progress" => {
            let stored = [
                (args.f32("previous_distance")?, args.f64("previous_distance_time")?),
                (args.f32("original_distance")?, args.f64("original_distance_time")?),
            ];
            let (ok, pd, pdt) = pure::check_progress(
                stored,
                args.flag("moving_away")?,
                args.f64("now")?,
                args.f32("distance")?,
            );
            answer(json!({ "ok": ok, "pd": pd, "pdt": pdt }))
        }
        _ => return Err(args.malformed("op", &format!("\"{op}\" is not a call of this driver"))),
    })
}
