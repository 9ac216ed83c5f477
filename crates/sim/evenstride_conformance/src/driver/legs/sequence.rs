//! Driver `sequence`, for animations one after the other.

use crate::probe::{InterpreterProbe, ProbeBody};
use serde_json::{Map, Value, json};

use super::{animations, played_block};
use crate::driver::answer;
use evenstride_trace::{Driver, Fields, Header, Line, LineKind, Malformed};

pub(in crate::driver) struct SequenceDriver {
    probe: InterpreterProbe,
    /// Fields of the body that the traces repeat and no event here changes.
    body: Map<String, Value>,
}

/// Applies a sequence event. Returns `false` if `kind` is not one.
pub(in crate::driver) fn sequence_event(
    probe: &mut InterpreterProbe,
    kind: &str,
    event: &Fields<'_>,
) -> Result<bool, Malformed> {
    match kind {
        "seq_append" => {
            let (low, high) = (event.i32("low")?, event.i32("high")?);
            // Numbers start at 1 in a library, and at 0 in a list.
            probe.append(event.u32("anim")? + 1, low, high, event.f32("framerate")?);
        }
        "seq_clear_anims" => probe.clear_animations(),
        "seq_velocity" => probe.set_drift(Some(event.vector("value")?), None),
        "seq_omega" => probe.set_drift(None, Some(event.vector("value")?)),
        "seq_remove_cyclic" => probe.remove_cyclic(),
        "seq_remove_links" => probe.remove_links(event.u32("value")?),
        "seq_remove_all_links" => probe.remove_all_links(),
        "seq_multiply" => probe.multiply(event.f32("value")?),
        _ => return Ok(false),
    }
    Ok(true)
}

impl SequenceDriver {
    pub(in crate::driver) fn start(header: &Header) -> Result<Self, Malformed> {
        let settings = Fields::new(&header.settings, 1);
        let list = settings.list("anims")?;
        let library = animations((1..).zip(list))?;
        let pos = settings.object("pos")?;
        let raw = pos.raw_placement()?;
        let stamps = settings.object("stamps")?;
        let stamps = [
            stamps.u16("instance")?,
            stamps.u16("position")?,
            stamps.u16("teleport")?,
            stamps.u16("vector")?,
        ];
        let body = answer(json!({
            "queue": 0, "fail": 0, "stamps": stamps, "cell": format!("0x{:08X}", raw.cell),
            "pos": raw.origin.to_array(), "quat": raw.wxyz, "constraint": [0, 0], "sticky": [0, 0], "ev": [],
        }));
        Ok(Self { probe: InterpreterProbe::new(library, None, &ProbeBody::STANDING), body })
    }
}

impl Driver for SequenceDriver {
    fn apply(&mut self, line: &Line) -> Result<Map<String, Value>, Malformed> {
        let fields = Fields::new(&line.fields, line.number);
        match &line.kind {
            LineKind::Event(kind) => {
                if !sequence_event(&mut self.probe, kind, &fields)? {
                    return Err(
                        fields.malformed("kind", &format!("\"{kind}\" is not an event of this driver"))
                    );
                }
                let mut out = self.body.clone();
                out.insert("route".into(), kind.as_str().into());
                Ok(out)
            }
            LineKind::Tick => {
                let played = self.probe.play(fields.f64("dt")? as f32);
                let reading = self.probe.read_table();
                let mut out = played_block(&played, 1.0);
                let number = reading.node.and_then(|place| reading.nodes.get(place)).map(|node| node.0 - 1);
                out.extend(answer(json!({
                    "frame_number": reading.frame,
                    "node": reading.node.map_or(-1, |place| place as i64),
                    "nodes": reading.nodes.len(),
                    "anim_id": number.map_or(-1, i64::from),
                    "hooks": [played.forward, played.backward],
                })));
                Ok(out)
            }
            LineKind::Call(_) => Err(Malformed::at(line.number, "type: this driver has no calls")),
        }
    }
}
