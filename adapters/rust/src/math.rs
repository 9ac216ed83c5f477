//! Pure functions of space and stamps, which are methods of the types.

use evenstride_types::{CellId, Cylinder, Heading, Placement, Pose, Rotation, Stamp, Vec3, settle_outdoors};
use serde_json::{Value, json};

use crate::{Answer, Stop, cell, number, numbers, object, unsupported};

pub(crate) fn call(question: &Value) -> Answer {
    let args = &question["args"];
    let (a, b) = (|| pose(&args["a"]), || pose(&args["b"]));
    let (from, to) = (|| place(&args["a"]), || place(&args["b"]));
    let v = || numbers(args, "v").map(Vec3::from_array);
    let r = |name: &str| number(args, name).map(|n| n as f32);
    let degrees = |heading: Heading| value(heading.degrees().into());
    let stamp = |name: &str| number(args, name).map(|n| Stamp::new(n as u16));
    let turned = |rotation: Rotation| a().map(|pose| pose_of(&pose.with_rotation(rotation)));
    Ok(object(match question["op"].as_str().unwrap_or_default() {
        "combine" => pose_of(&a()?.combine(&b()?)),
        "subtract1" => pose_of(&a()?.before(&b()?)),
        "subtract2" => pose_of(&a()?.relative_to(&b()?)),
        "pos_subtract2" => pose_of(&from()?.relative_to(&to()?)),
        "get_heading" => degrees(a()?.heading()),
        "set_heading" => pose_of(&a()?.with_heading(Heading::from_degrees(r("degrees")?).map_err(wrong)?)),
        "set_vector_heading" => turned(a()?.rotation().looking_along(v()?))?,
        "rotate" => pose_of(&a()?.spun_locally(v()?)),
        "grotate" => pose_of(&a()?.spun_globally(v()?)),
        "globaltolocal" => vector(a()?.to_local(v()?)),
        "globaltolocalvec" => vector(a()?.rotation().basis().to_local(v()?)),
        "localtoglobalvec" => vector(a()?.rotation().basis().to_global(v()?)),
        "localtolocal" => vector(from()?.local_point_of(&to()?, v()?)),
        "get_offset" => vector(from()?.offset_to(&to()?)),
        "distance" => value(from()?.distance(&to()?)),
        "heading" => degrees(from()?.heading_to(&to()?)),
        "cylinder_distance_no_z" => value(Cylinder::reach(r("r1")?, &from()?, r("r2")?, &to()?)),
        "adjust_to_outside" => {
            let (cell, origin) = (cell(&args["a"])?, Vec3::from_array(numbers(&args["a"], "pos")?));
            match settle_outdoors(cell, origin) {
                Ok((cell, at)) => json!({ "ok": 1, "cell": cell.to_string(), "vec": at.to_array() }),
                Err(_) => json!({ "ok": 0, "cell": "0x00000000", "vec": origin.to_array() }),
            }
        }
        "is_newer" => json!({ "ok": stamp("new_time")?.is_newer_than(stamp("timestamp")?) }),
        op => return unsupported(&format!("function {op}")),
    }))
}

/// Returns the pose of a frame. Its cell need not be valid.
fn pose(frame: &Value) -> Result<Pose, Stop> {
    let rotation = Rotation::new(numbers(frame, "quat")?).map_err(wrong)?;
    Pose::new(Vec3::from_array(numbers(frame, "pos")?), rotation).map_err(wrong)
}

/// Returns the place of a frame with a valid cell.
pub(crate) fn place(frame: &Value) -> Result<Placement, Stop> {
    Ok(Placement::new(CellId::new(cell(frame)?).map_err(wrong)?, pose(frame)?))
}

pub(crate) fn wrong(why: impl std::fmt::Display) -> Stop {
    Stop::Malformed(why.to_string())
}

fn pose_of(pose: &Pose) -> Value {
    json!({ "pos": pose.origin().to_array(), "quat": pose.rotation().to_wxyz() })
}

fn vector(v: Vec3) -> Value {
    json!({ "vec": v.to_array() })
}

fn value(number: f64) -> Value {
    json!({ "value": number })
}
