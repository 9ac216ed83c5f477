//! Driver `math_calls`, for which each line calls one pure function of space or stamps.

use evenstride_types::{Cylinder, Heading, Pose, Rotation, Stamp, Vec3, settle_outdoors};
use serde_json::{Map, Value, json};

use super::answer;
use evenstride_trace::{Driver, Fields, Line, LineKind, Malformed};

pub(super) struct MathCalls;

impl Driver for MathCalls {
    fn apply(&mut self, line: &Line) -> Result<Map<String, Value>, Malformed> {
        let LineKind::Call(op) = &line.kind else {
            return Err(Malformed::at(line.number, "type: math_calls has only calls"));
        };
        let args = Fields::new(&line.fields, line.number).object("args")?;
        call(op, &args)
    }
}

fn call(op: &str, args: &Fields<'_>) -> Result<Map<String, Value>, Malformed> {
    let pose = |name| args.object(name)?.pose();
    let place = |name| args.object(name)?.placement();
    let v = || args.vector("v");
    Ok(match op {
        "combine" => pose_answer(&pose("a")?.combine(&pose("b")?)),
        "subtract1" => pose_answer(&pose("a")?.before(&pose("b")?)),
        "subtract2" => pose_answer(&pose("a")?.relative_to(&pose("b")?)),
        "pos_subtract2" => pose_answer(&place("a")?.relative_to(&place("b")?)),
        "get_heading" => value(f64::from(pose("a")?.heading().degrees())),
        "set_heading" => {
            let heading = Heading::from_degrees(args.f32("degrees")?);
            let heading = heading.map_err(|reason| args.malformed("degrees", &reason.to_string()))?;
            pose_answer(&pose("a")?.with_heading(heading))
        }
        "set_vector_heading" => turned(&pose("a")?, |rotation| Ok(rotation.looking_along(v()?)))?,
        "rotate" => pose_answer(&pose("a")?.spun_locally(v()?)),
        "grotate" => pose_answer(&pose("a")?.spun_globally(v()?)),
        "globaltolocal" => vector(pose("a")?.to_local(v()?)),
        "globaltolocalvec" => vector(pose("a")?.rotation().basis().to_local(v()?)),
        "localtoglobalvec" => vector(pose("a")?.rotation().basis().to_global(v()?)),
        "localtolocal" => vector(place("a")?.local_point_of(&place("b")?, v()?)),
        "get_offset" => vector(place("a")?.offset_to(&place("b")?)),
        "distance" => value(place("a")?.distance(&place("b")?)),
        "heading" => value(f64::from(place("a")?.heading_to(&place("b")?).degrees())),
        "cylinder_distance_no_z" => {
            value(Cylinder::reach(args.f32("r1")?, &place("a")?, args.f32("r2")?, &place("b")?))
        }
        "adjust_to_outside" => {
            let raw = args.object("a")?.raw_placement()?;
            let (ok, cell, origin) = match settle_outdoors(raw.cell, raw.origin) {
                Ok((cell, origin)) => (1, cell.raw(), origin),
                Err(_) => (0, 0, raw.origin),
            };
            answer(json!({"ok": ok, "cell": format!("0x{cell:08X}"), "vec": origin.to_array()}))
        }
        "is_newer" => {
            let (seen, incoming) = (Stamp::new(args.u16("timestamp")?), Stamp::new(args.u16("new_time")?));
            answer(json!({"ok": incoming.is_newer_than(seen)}))
        }
        _ => return Err(args.malformed("op", &format!("\"{op}\" is not a function of math_calls"))),
    })
}

fn turned(
    pose: &Pose,
    turn: impl FnOnce(Rotation) -> Result<Rotation, Malformed>,
) -> Result<Map<String, Value>, Malformed> {
    Ok(pose_answer(&pose.with_rotation(turn(pose.rotation())?)))
}

fn pose_answer(pose: &Pose) -> Map<String, Value> {
    answer(json!({"pos": pose.origin().to_array(), "quat": pose.rotation().to_wxyz()}))
}

fn vector(v: Vec3) -> Map<String, Value> {
    answer(json!({"vec": v.to_array()}))
}

fn value(number: f64) -> Map<String, Value> {
    answer(json!({"value": number}))
}
