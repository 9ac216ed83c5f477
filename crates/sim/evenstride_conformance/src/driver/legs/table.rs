//! Driver `motion_table`, for the animations that make up a motion.

use crate::probe::{InterpreterProbe, ProbeBody};
use serde_json::{Map, Value, json};

use super::{hex, library, played_block, table_block};
use evenstride_trace::{Driver, Fields, Header, Line, LineKind, Malformed};

pub(in crate::driver) struct TableDriver {
    probe: InterpreterProbe,
}

impl TableDriver {
    pub(in crate::driver) fn start(header: &Header) -> Result<Self, Malformed> {
        let settings = Fields::new(&header.settings, 1);
        let table = if settings.flag("table_present")? { Some(library::table(header)?) } else { None };
        Ok(Self { probe: InterpreterProbe::new(library::numbered(header)?, table, &ProbeBody::STANDING) })
    }

    /// Applies an event. Returns the answer of the call, and a link if the event asks for one.
    fn event(&mut self, kind: &str, event: &Fields<'_>) -> Result<Map<String, Value>, Malformed> {
        let mut ret = Value::Null;
        let mut out = Map::new();
        match kind {
            "initialize" => self.probe.initialize(),
            "do_motion" => ret = self.probe.table_begin(event.hex("motion")?, event.f32("speed")?).into(),
            "stop_motion" => ret = self.probe.table_end(event.hex("motion")?).into(),
            "stop_completely" => ret = self.probe.table_end_all().into(),
            "animation_done" => self.probe.animation_ended(event.flag("value")?),
            "check_completed" => self.probe.check_done(),
            "enter_world" => self.probe.enter_world(),
            "exit_world" => self.probe.abandon(),
            "get_link" => {
                let from = (event.hex("from")?, event.f32("from_speed")?);
                let to = (event.hex("to")?, event.f32("to_speed")?);
                let link = self.probe.link_key(event.hex("style")?, from, to);
                out.insert(
                    "link".into(),
                    link.map_or(Value::Null, |(outer, inner)| json!([hex(outer), hex(inner)])),
                );
            }
            _ => return Err(event.malformed("kind", &format!("\"{kind}\" is not an event of this driver"))),
        }
        out.insert("ret".into(), ret);
        Ok(out)
    }
}

impl Driver for TableDriver {
    fn apply(&mut self, line: &Line) -> Result<Map<String, Value>, Malformed> {
        let fields = Fields::new(&line.fields, line.number);
        self.probe.begin_line();
        let mut out = match &line.kind {
            LineKind::Event(kind) => self.event(kind, &fields)?,
            LineKind::Tick => {
                let played = self.probe.play(fields.f64("dt")? as f32);
                (0..played.ended).for_each(|_| self.probe.animation_ended(true));
                self.probe.check_done();
                played_block(&played, 1.0)
            }
            LineKind::Call(_) => return Err(Malformed::at(line.number, "type: this driver has no calls")),
        };
        out.extend(table_block(&self.probe.read_table()));
        Ok(out)
    }
}
