//! Driver `motion_interp`, for requested motions and the motions that they result in.

use crate::probe::{InterpreterProbe, InterpreterReading, ProbeBody, ProbeGame, ProbeItem, ProbeParams};
use evenstride_types::update::{CommandIndex, CommandTable, InterpretedState, MotionCommand, MovementKind};
use evenstride_wire::decode_movement;
use serde_json::{Map, Value, json};

use super::{hex, items, library, played_block, table_block};
use crate::driver::answer;
use evenstride_trace::{Driver, Fields, Header, Line, LineKind, Malformed};

const GRAVITY: u32 = 0x400;
const HIDDEN: u32 = 0x4000;

pub(in crate::driver) struct InterpreterDriver {
    probe: InterpreterProbe,
    scale: f32,
    state: u32,
    has_manager: bool,
}

impl InterpreterDriver {
    pub(in crate::driver) fn start(header: &Header) -> Result<Self, Malformed> {
        let settings = Fields::new(&header.settings, 1);
        let table = if settings.flag("table_present")? { Some(library::table(header)?) } else { None };
        let [contact, walkable] = settings.flags("contact")?;
        let state = settings.u32("state")?;
        let (has_parts, has_manager) = (settings.flag("part_array")?, settings.flag("table_manager")?);
        let being = ProbeBody {
            has_parts,
            has_manager,
            contact,
            walkable,
            has_gravity: state & GRAVITY != 0,
            has_cell: settings.flag("cell")?,
            rotation: settings.rotation("quat")?,
            velocity: settings.vector("velocity")?,
            autonomous: settings.flag("autonomous")?,
            speed_factor: settings.f32("speed_factor")?,
            run_rate: settings.f32("my_run_rate")?,
            action_stamp: settings.u16("server_stamp")?,
            game: game(&settings.object("weenie")?)?,
        };
        let probe = InterpreterProbe::new(library::numbered(header)?, table, &being);
        Ok(Self { probe, scale: settings.f32("scale")?, state, has_manager: has_parts && has_manager })
    }

    fn event(&mut self, kind: &str, event: &Fields<'_>) -> Result<Map<String, Value>, Malformed> {
        let probe = &mut self.probe;
        let mut ret = Value::Null;
        let mut out = Map::new();
        match kind {
            "create" => (0..event.u32("times")?).for_each(|_| probe.enter_default()),
            "perform" => {
                let params = event.object("params")?;
                let params = ProbeParams {
                    bits: params.u32("bits")?,
                    speed: params.f32("speed")?,
                    hold_key: params.u32("hold_key")?,
                    context: params.u32("context")?,
                    stamp: params.u32("stamp")?,
                };
                ret = probe.perform(event.u32("move_type")?, event.hex("motion")?, &params).into();
            }
            "movement" => {
                let bytes = bytes(event.text("hex")?).ok_or_else(|| event.malformed("hex", "not bytes"))?;
                let (body, consumed) =
                    decode_movement(&bytes).map_err(|why| event.malformed("hex", &why.to_string()))?;
                if let Some(answer) = probe.movement(event.flag("autonomous")?, &body) {
                    ret = answer.into();
                }
                let state = match &body.kind {
                    MovementKind::Interpreted { state, .. } => Some(state),
                    _ => None,
                };
                // For other kinds only the stance matters here.
                if state.is_some() {
                    out.insert("decoded".into(), decoded(body.style, state));
                    out.insert("consumed".into(), consumed.into());
                }
            }
            "move_to_state" => {
                let axis = |name: &str| -> Result<(u32, f32), Malformed> {
                    pair(event.list(name)?).ok_or_else(|| event.malformed(name, "not a command and a speed"))
                };
                let actions: Option<Vec<(u32, f32, u16, bool)>> =
                    event.list("actions")?.iter().map(action).collect();
                let actions = actions.ok_or_else(|| event.malformed("actions", "not actions"))?;
                probe.on_state(event.hex("style")?, [axis("fwd")?, axis("side")?, axis("turn")?], &actions);
            }
            "set_hold_run" => probe.set_hold_run(event.flag("value")?, event.flag("cancel")?),
            "set_hold_key" => probe.set_hold_key(event.u32("value")?, event.flag("cancel")?),
            "jump" => ret = probe.jump(event.f32("extent")?).into(),
            "charge_jump" => ret = probe.charge_jump().into(),
            "contact" => probe.set_contact(event.flag("contact")?, event.flag("on_walkable")?),
            "hit_ground" => probe.hit_ground(),
            "leave_ground" => probe.leave_ground(),
            "report_exhaustion" => probe.apply_current(false),
            "enter_default" => probe.enter_default(),
            "enter_world" => probe.enter_world(),
            "exit_world" => probe.exit_world(),
            "weenie" => probe.set_game(game(event)?),
            "set_weenie" => {
                probe.set_game(game(event)?);
                probe.apply_current(true);
            }
            "velocity" => probe.set_velocity(event.vector("value")?),
            "frame" => probe.set_rotation(event.rotation("value")?),
            "cell" => probe.set_has_cell(event.flag("value")?),
            "state" => {
                self.state = event.u32("value")?;
                probe.set_has_gravity(self.state & GRAVITY != 0);
            }
            "constrained" => probe.set_constrained(event.flag("value")?),
            "autonomous" => probe.set_autonomous(event.flag("value")?),
            "standing_longjump" => probe.set_standing_long_jump(event.flag("value")?),
            "adjust_motion" => {
                let (motion, speed) =
                    probe.adjust(event.hex("motion")?, event.f32("speed")?, event.u32("hold_key")?);
                out.insert("adjusted".into(), json!([hex(motion), speed]));
            }
            "motion_allows_jump" => ret = InterpreterProbe::motion_allows_jump(event.hex("motion")?).into(),
            "contact_allows_move" => ret = u32::from(probe.contact_allows(event.hex("motion")?)).into(),
            _ => return Err(event.malformed("kind", &format!("\"{kind}\" is not an event of this driver"))),
        }
        out.insert("ret".into(), ret);
        out.extend(interpreter_block(&self.probe.read_interpreter()));
        Ok(out)
    }

    fn tick(&mut self, secs: f32) -> Map<String, Value> {
        let mut played =
            crate::probe::Played { way: evenstride_types::Pose::IDENTITY, forward: 0, backward: 0, ended: 0 };
        if self.state & HIDDEN == 0 {
            played = self.probe.play(secs);
        }
        let scale = if self.probe.is_walkable() { self.scale } else { 0.0 };
        if self.has_manager {
            (0..played.ended).for_each(|_| self.probe.animation_ended(true));
            self.probe.check_done();
        }
        let mut out = played_block(&played, scale);
        let reading = self.probe.read_interpreter();
        out.extend(answer(json!({
            "pm": pending(&reading.pending),
            "int_actions": actions(&reading.actions),
            "raw_actions": actions(&reading.raw_actions),
            "jump_code": reading.jump_code,
            "unsticks": reading.unsticks,
        })));
        out
    }
}

impl Driver for InterpreterDriver {
    fn apply(&mut self, line: &Line) -> Result<Map<String, Value>, Malformed> {
        let fields = Fields::new(&line.fields, line.number);
        self.probe.begin_line();
        let mut out = match &line.kind {
            LineKind::Event(kind) => self.event(kind, &fields)?,
            LineKind::Tick => self.tick(fields.f64("dt")? as f32),
            LineKind::Call(_) => return Err(Malformed::at(line.number, "type: this driver has no calls")),
        };
        out.extend(table_block(&self.probe.read_table()));
        Ok(out)
    }
}

fn game(fields: &Fields<'_>) -> Result<Option<ProbeGame>, Malformed> {
    if !fields.flag("present")? {
        return Ok(None);
    }
    Ok(Some(ProbeGame {
        creature: fields.flag("creature")?,
        player: fields.flag("player")?,
        run_rate: fields.f32_or_null("run_rate")?,
        can_jump: fields.flag("can_jump")?,
        jump_velocity: fields.f32_or_null("jump_velocity")?,
        stamina: fields.flag("stamina")?,
    }))
}

fn interpreter_block(reading: &InterpreterReading) -> Map<String, Value> {
    let raw = |place: usize| {
        let (command, hold_key, speed) = reading.raw[place];
        json!([hex(command), hold_key, speed])
    };
    let axis = |place: usize| json!([hex(reading.axes[place].0), reading.axes[place].1]);
    answer(json!({
        "raw": {
            "hold": reading.hold_key, "style": hex(reading.raw_style),
            "fwd": raw(0), "side": raw(1), "turn": raw(2), "actions": actions(&reading.raw_actions),
        },
        "interp": {
            "style": hex(reading.style),
            "fwd": axis(0), "side": axis(1), "turn": axis(2), "actions": actions(&reading.actions),
        },
        "pm": pending(&reading.pending),
        "slj": u32::from(reading.standing_long_jump),
        "server_stamp": reading.action_stamp,
        "initted": u32::from(reading.is_ready),
        "cancels": reading.cancels,
        "unsticks": reading.unsticks,
        "stick": reading.stick,
        "contact": [u32::from(reading.contact), u32::from(reading.walkable)],
        "my_run_rate": reading.run_rate,
        "jump_extent": reading.jump_extent,
        "max_speed": reading.max_speed,
        "adj_max_speed": reading.adjusted_max_speed,
        "state_vel": reading.state_velocity.to_array(),
        "leave_vel": reading.leave_velocity.to_array(),
        "pvel": reading.velocity.to_array(),
        "jump_vz": reading.jump_speed,
        "jump_code": reading.jump_code,
        "charge_code": reading.charge_code,
    }))
}

fn actions(list: &[ProbeItem]) -> Vec<Value> {
    items(list, |(motion, speed, stamp, autonomous)| json!([hex(*motion), speed, stamp, autonomous]))
}

fn pending(list: &[ProbeItem]) -> Vec<Value> {
    items(list, |(motion, _, context, code)| json!([context, hex(*motion), code]))
}

fn decoded(style: CommandIndex, state: Option<&InterpretedState>) -> Value {
    let command = |index: CommandIndex| {
        hex(MotionCommand::from_index(index, CommandTable::Client2013)
            .map_or(0x8000_0000, |command| command.0))
    };
    let Some(state) = state else { return json!({ "header_style": command(style) }) };
    let axis = |index: Option<CommandIndex>, speed: Option<f32>, default: &str| {
        json!([index.map_or_else(|| default.to_owned(), command), speed.unwrap_or(1.0)])
    };
    json!({
        "header_style": command(style),
        "style": state.style.map_or_else(|| "0x8000003D".to_owned(), command),
        "fwd": axis(state.forward, state.forward_speed, "0x41000003"),
        "side": axis(state.sidestep, state.sidestep_speed, "0x00000000"),
        "turn": axis(state.turn, state.turn_speed, "0x00000000"),
        "actions": state.actions.iter().map(|action| {
            json!([command(action.command), action.speed, action.stamp, u32::from(action.autonomous)])
        }).collect::<Vec<_>>(),
    })
}

fn pair(list: &[Value]) -> Option<(u32, f32)> {
    Some((number(list.first()?)?, list.get(1)?.as_f64()? as f32))
}

fn action(value: &Value) -> Option<(u32, f32, u16, bool)> {
    let stamp = u16::try_from(value[2].as_u64()?).ok()?;
    Some((number(&value[0])?, value[1].as_f64()? as f32, stamp, value[3].as_u64()? != 0))
}

fn number(value: &Value) -> Option<u32> {
    u32::from_str_radix(value.as_str()?.strip_prefix("0x")?, 16).ok()
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    hex.as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(core::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}
