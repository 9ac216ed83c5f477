//! Driver `render38`, for a body that only its velocity moves and that is drawn between its last
//! two steps.

use evenstride::drawing::{FrameOutcome, RenderGate};
use evenstride_trace::{Driver, Fields, Header, Line, LineKind, Malformed};
use evenstride_types::{Placement, update::PhysicsState};
use serde_json::{Map, Value, json};

use super::answer;
use crate::probe::Projectile;

pub(super) struct Render {
    gate: RenderGate,
    body: Projectile,
    stamps: Value,
}

impl Render {
    pub(super) fn start(header: &Header) -> Result<Self, Malformed> {
        let settings = Fields::new(&header.settings, 1);
        let state = PhysicsState::from_bits_retain(settings.u32("state")?);
        let stands = settings.flags("contact")? == [true, true];
        let is_falling = !stands && state.contains(PhysicsState::GRAVITY);
        let initial = settings.object("stamps")?;
        let stamps = ["instance", "position", "teleport", "vector"].map(|name| initial.u16(name));
        let [instance, position, teleport, vector] = stamps;
        Ok(Self {
            gate: RenderGate::new(settings.object("pos")?.placement()?, settings.f32("max_quantum")?),
            body: Projectile::new(settings.vector("velocity")?, settings.vector("omega")?, is_falling, state),
            stamps: json!([instance?, position?, teleport?, vector?]),
        })
    }

    fn event(&mut self, kind: &str, event: &Fields<'_>) -> Result<Map<String, Value>, Malformed> {
        let mut notes: &[&str] = &[];
        match kind {
            "set_position" => {
                self.gate.reset(event.placement()?);
                notes = &["setpos"];
            }
            "velocity" => self.body.set_velocity(event.vector("value")?),
            _ => return Err(event.malformed("kind", &format!("\"{kind}\" is not an event of this driver"))),
        }
        let at = self.gate.current();
        // The traces have a route, a tether and a follow here too. This body has none.
        Ok(answer(json!({
            "route": kind,
            "queue": 0,
            "fail": 0,
            "stamps": self.stamps,
            "cell": at.cell.to_string(),
            "pos": at.pose.origin().to_array(),
            "quat": at.pose.rotation().to_wxyz(),
            "constraint": [0, 0],
            "sticky": [0, 0],
            "ev": notes,
        })))
    }

    fn tick(&mut self, tick: &Fields<'_>) -> Result<Map<String, Value>, Malformed> {
        let body = &mut self.body;
        let outcome = self
            .gate
            .frame(tick.f64("dt")? as f32, |at, secs| Placement::new(at.cell, body.carry(at.pose, secs)));
        let steps: Vec<f32> = match outcome {
            FrameOutcome::Stepped(secs) => vec![secs],
            _ => Vec::new(),
        };
        Ok(answer(json!({
            "pos": self.gate.current().pose.origin().to_array(),
            "vel": self.body.velocity().to_array(),
            "render": self.gate.drawn().pose.origin().to_array(),
            "accum": self.gate.gathered_secs(),
            "alpha": self.gate.part(),
            "ticked": steps.len(),
            "huge": outcome == FrameOutcome::Dropped,
            "quanta": steps,
        })))
    }
}

impl Driver for Render {
    fn apply(&mut self, line: &Line) -> Result<Map<String, Value>, Malformed> {
        let fields = Fields::new(&line.fields, line.number);
        match &line.kind {
            LineKind::Event(kind) => self.event(kind, &fields),
            LineKind::Tick => self.tick(&fields),
            LineKind::Call(_) => Err(Malformed::at(line.number, "type: this driver has no calls")),
        }
    }
}
