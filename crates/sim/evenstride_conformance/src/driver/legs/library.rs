//! Animations and tables from a header.

use evenstride::animation::{Animation, Clip, Motion, MotionLibrary, MotionTable};
use evenstride_trace::{Fields, Header, Malformed};
use evenstride_types::{Pose, Rotation, Vec3, update::MotionCommand};
use serde_json::{Map, Value};

/// Returns a library of animations, each with its number.
pub(crate) fn animations<'a>(
    list: impl Iterator<Item = (u32, &'a Value)>,
) -> Result<MotionLibrary, Malformed> {
    let mut library = MotionLibrary::default();
    for (number, value) in list {
        let animation =
            animation(value).map_err(|why| Malformed::at(1, format!("anims: {number}: {why}")))?;
        library.add_animation(number, animation);
    }
    Ok(library)
}

/// Returns the animations by number, in the format of the headers of `motion_table` traces.
pub(super) fn numbered(header: &Header) -> Result<MotionLibrary, Malformed> {
    let fields = header.fields.get("anims").and_then(Value::as_object);
    let fields = fields.ok_or_else(|| Malformed::at(1, "anims: not an object"))?;
    let parsed: Result<Vec<(u32, &Value)>, Malformed> = fields
        .iter()
        .map(|(name, value)| {
            let number =
                name.parse().map_err(|_| Malformed::at(1, format!("anims: {name} is not a number")))?;
            Ok((number, value))
        })
        .collect();
    animations(parsed?.into_iter())
}

fn animation(value: &Value) -> Result<Animation, String> {
    let frames = value["num_frames"].as_u64().and_then(|n| u32::try_from(n).ok()).ok_or("num_frames")?;
    let root = match value["pos_frames"].as_array() {
        None => Vec::new(),
        Some(list) => list.iter().map(pose).collect::<Option<Vec<Pose>>>().ok_or("pos_frames")?,
    };
    Animation::new(frames, root).map_err(|why| why.to_string())
}

fn pose(value: &Value) -> Option<Pose> {
    let numbers = |value: &Value| -> Option<Vec<f32>> {
        value.as_array()?.iter().map(|number| number.as_f64().map(|n| n as f32)).collect()
    };
    let origin: [f32; 3] = numbers(&value[0])?.try_into().ok()?;
    let wxyz: [f32; 4] = numbers(&value[1])?.try_into().ok()?;
    Pose::new(Vec3::from_array(origin), Rotation::normalized(wxyz).ok()?).ok()
}

/// Returns the table of a header.
pub(super) fn table(header: &Header) -> Result<MotionTable, Malformed> {
    let fields = Fields::new(&header.fields, 1).object("table")?;
    let mut table = MotionTable::new(MotionCommand(fields.hex("default_style")?));
    let defaults = header.fields["table"]["style_defaults"].as_object();
    for (style, posture) in defaults.ok_or_else(|| fields.malformed("style_defaults", "not an object"))? {
        let number = |text: Option<&str>| text.and_then(|text| u32::from_str_radix(text.get(2..)?, 16).ok());
        match (number(Some(style)), number(posture.as_str())) {
            (Some(style), Some(posture)) => {
                table.set_style_default(MotionCommand(style), MotionCommand(posture));
            }
            _ => return Err(fields.malformed("style_defaults", "not commands")),
        }
    }
    for entry in objects(fields.list("cycles")?)? {
        table.set_cycle(entry.hex("key")?, motion(&entry)?);
    }
    for entry in objects(fields.list("modifiers")?)? {
        table.set_modifier(entry.hex("key")?, motion(&entry)?);
    }
    for entry in objects(fields.list("links")?)? {
        table.set_link(entry.hex("key")?, MotionCommand(entry.hex("to")?), motion(&entry)?);
    }
    Ok(table)
}

fn objects(list: &[Value]) -> Result<Vec<Fields<'_>>, Malformed> {
    let object = |value| Value::as_object(value).ok_or_else(|| Malformed::at(1, "table: not an object"));
    list.iter().map(|value| object(value).map(|map: &Map<String, Value>| Fields::new(map, 1))).collect()
}

fn motion(entry: &Fields<'_>) -> Result<Motion, Malformed> {
    let clip = |value: &Value| {
        Some(Clip {
            animation: u32::try_from(value[0].as_u64()?).ok()?,
            low: i32::try_from(value[1].as_i64()?).ok()?,
            high: i32::try_from(value[2].as_i64()?).ok()?,
            rate: value[3].as_f64()? as f32,
        })
    };
    let clips: Option<Vec<Clip>> = entry.list("anims")?.iter().map(clip).collect();
    Ok(Motion {
        clips: clips.ok_or_else(|| entry.malformed("anims", "not clips"))?,
        bits: entry.u32("bitfield")? as u8,
        velocity: entry.vector("velocity")?,
        omega: entry.vector("omega")?,
    })
}
