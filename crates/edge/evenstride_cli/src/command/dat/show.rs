//! `dat FILE show ID`: the contents of a record.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs::File,
    io::{IsTerminal, Write},
    path::Path,
};

use anyhow::{Context, Result, anyhow, bail};
use evenstride_dat::{
    Animation, Archive, Cursor, Entry, Iterations, LandBlock, MotionData, MotionTable, Record, RecordId,
    RecordKind, Region, Setup,
};
use evenstride_types::{Pose, update::MotionCommand};
use serde::Serialize;
use serde_json::json;

use super::{
    motion::{Steady, index_words, library_of, name, standing},
    motion_text::signed,
};
use crate::{
    args::DatShowArgs,
    library,
    output::{count, warn},
};

/// Motions of a table whose speed is measured. The game's tables have a few hundred.
const MAX_MEASURED: usize = 2_000;

/// Bytes shown of a record of an unknown kind.
const BYTES_SHOWN: usize = 256;

pub(super) fn run(archive: &Archive<File>, args: &DatShowArgs) -> Result<u64> {
    let (entry, disorder) = found(archive, args.id)?;
    let kind = archive.kind_of(args.id);
    if args.portal.is_some() && kind != RecordKind::LandBlock {
        bail!("--portal is only for landblocks, and the kind of {} is {kind}", args.id);
    }
    if args.raw {
        let mut out = std::io::stdout();
        if out.is_terminal() {
            bail!("raw bytes are not written to a terminal; use `show {} --raw > FILE`", args.id);
        }
        out.write_all(&archive.bytes(&entry)?)?;
        out.flush()?;
        return Ok(disorder);
    }
    let bytes = archive.bytes(&entry)?;
    let mut shown = Shown { id: args.id, bytes: &bytes, json: args.json, faults: disorder };
    let text = match kind {
        RecordKind::Setup => shown.record(|of: &Setup| Ok(setup(of)), to_json)?,
        RecordKind::Animation => shown.record(|of: &Animation| Ok(animation(of)), to_json)?,
        RecordKind::MotionTable => {
            let mut faults = 0;
            let words = |table: &MotionTable| {
                let (text, unread) = motion_table(archive, table);
                faults = unread;
                Ok(text)
            };
            let text = shown.record(words, to_json)?;
            shown.faults += faults;
            text
        }
        RecordKind::Region => shown.record(|of: &Region| Ok(region(of)), to_json)?,
        RecordKind::LandBlock => {
            let portal = args.portal.as_deref().map(heights_of).transpose()?;
            let heights = portal.map(|(heights, _)| heights);
            shown.faults += portal.map_or(0, |(_, cut_short)| cut_short);
            let words = |of: &LandBlock| Ok(landblock(of, heights.as_ref()));
            shown.record(words, |block| {
                let metres = heights.map(|known| block.heights.map(|step| known[usize::from(step)]).to_vec());
                to_json(&LandInMetres { block, metres })
            })?
        }
        RecordKind::Iterations => shown.record(|of: &Iterations| Ok(iterations(of)), to_json)?,
        _ => other(&entry, &bytes, kind, args.json),
    };
    let mut out = if args.json { crate::output::json() } else { crate::output::text() };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(shown.faults)
}

/// Records that are named instead of a missing one.
const NEAR_SHOWN: usize = 3;

/// Returns the entry of a record. If only a full scan finds it, the entry comes with 1, and the
/// disorder is reported.
pub(super) fn found(archive: &Archive<File>, id: RecordId) -> Result<(Entry, u64)> {
    if let Some(entry) = archive.find(id)? {
        return Ok((entry, 0));
    }
    // A directory that is out of order may still have the record.
    let Some(entry) = archive.entries().filter_map(Result::ok).find(|entry| entry.id == id) else {
        bail!("there is no record {id}; `ls` lists all records{}", near(archive, id))
    };
    warn(&format!(
        "the directory is out of order: {id} was found by a full scan, but the game would not find it"
    ));
    Ok((entry, 1))
}

/// Returns a clause with the records whose ids are nearest, or nothing for an archive without
/// records.
fn near(archive: &Archive<File>, id: RecordId) -> String {
    let mut ids: Vec<RecordId> = archive.entries().filter_map(Result::ok).map(|entry| entry.id).collect();
    ids.sort_by_key(|other| other.0.abs_diff(id.0));
    let words: Vec<String> = ids.iter().take(NEAR_SHOWN).map(ToString::to_string).collect();
    if words.is_empty() { String::new() } else { format!(", and the nearest are {}", words.join(", ")) }
}

/// Returns the heights in a portal archive's region, and 1 if the archive is cut short.
fn heights_of(portal: &Path) -> Result<([Option<f32>; 256], u64)> {
    let (archive, cut_short) = library::open(portal)?;
    library::expect_portal(&archive, portal)?;
    let region: Region = archive.read(RecordId::REGION).with_context(|| portal.display().to_string())?;
    Ok((region.known_heights(), cut_short))
}

/// Serializes directly. A `Value` would print 0.05 as 0.05000000074505806.
fn to_json(record: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(record)?)
}

/// A landblock, and its heights in metres if known.
#[derive(Serialize)]
struct LandInMetres<'a> {
    #[serde(flatten)]
    block: &'a LandBlock,
    #[serde(skip_serializing_if = "Option::is_none")]
    metres: Option<Vec<Option<f32>>>,
}

struct Shown<'a> {
    id: RecordId,
    bytes: &'a [u8],
    json: bool,
    faults: u64,
}

impl Shown<'_> {
    /// Returns a record in words or as JSON. Errors in it are reported.
    fn record<R: Record>(
        &mut self,
        words: impl FnOnce(&R) -> Result<String>,
        json: impl FnOnce(&R) -> Result<String>,
    ) -> Result<String> {
        let mut cursor = Cursor::new(self.bytes);
        let record = R::parse(&mut cursor).map_err(|error| anyhow!("{}: {error}", self.id))?;
        if record.id() != self.id {
            self.odd(&format!("its id field says {}", record.id()));
        }
        if cursor.left() > 0 && R::KIND != RecordKind::Region {
            self.odd(&format!(
                "{} after the end of the record",
                count(cursor.left() as u64, "byte", "bytes")
            ));
        }
        if self.json { Ok(json(&record)? + "\n") } else { words(&record) }
    }

    fn odd(&mut self, what: &str) {
        self.faults += 1;
        warn(&format!("{}: {what}", self.id));
    }
}

fn setup(setup: &Setup) -> String {
    let mut text = format!("setup {}\n\n", setup.id);
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<20} {value}");
    };
    let own = |id: RecordId| if id.0 == 0 { "none".to_owned() } else { id.to_string() };
    let meshes: Vec<String> = setup.parts.iter().map(|mesh| format!("0x{mesh:08X}")).collect();
    line(
        "parts",
        format!("{}: {}", meshes.len(), if meshes.is_empty() { "none".to_owned() } else { meshes.join(" ") }),
    );
    line("height", format!("{} m", setup.height));
    line("radius", format!("{} m", setup.radius));
    line("steps", format!("{} m up, {} m down", setup.step_up, setup.step_down));
    line("motion table", own(setup.motion_table));
    line("animation", own(setup.animation));
    line("script", own(setup.script));
    line("sound table", own(setup.sound_table));
    line("script table", own(setup.script_table));
    for of in &setup.cylspheres {
        line("cylinder", format!("radius {} m, height {} m, at {:?}", of.radius, of.height, of.low));
    }
    for of in &setup.spheres {
        line("sphere", format!("radius {} m, at {:?}", of.radius, of.centre));
    }
    line("sorting sphere", format!("radius {} m, at {:?}", setup.sorting.radius, setup.sorting.centre));
    line("selection sphere", format!("radius {} m, at {:?}", setup.selection.radius, setup.selection.centre));
    let keys = |keys: Vec<u32>| match keys.as_slice() {
        [] => "none".to_owned(),
        keys => {
            let words: Vec<String> = keys.iter().map(|key| format!("0x{key:X}")).collect();
            format!("{} (key {})", keys.len(), words.join(", "))
        }
    };
    line("placements", keys(setup.placements.iter().map(|of| of.key).collect()));
    line("holding locations", keys(setup.holding.iter().map(|of| of.key).collect()));
    line("lights", setup.lights.len().to_string());
    let flags = [(1, "parents"), (2, "scales"), (4, "free heading"), (8, "physics tree")];
    let set: Vec<&str> =
        flags.iter().filter(|(bit, _)| setup.flags & bit != 0).map(|(_, name)| *name).collect();
    line("flags", format!("0x{:X} {}", setup.flags, set.join(", ")).trim_end().to_owned());
    text
}

fn animation(animation: &Animation) -> String {
    let mut text = format!("animation {}\n\n", animation.id);
    let _ = writeln!(text, "keyframes   {}", animation.frames);
    let _ = writeln!(text, "parts       {}", animation.parts);
    if animation.root.is_empty() {
        text.push_str("root        does not move\n");
    } else {
        // Each pose is applied in the direction to which the earlier ones have turned.
        let poses = animation.root.iter().filter_map(|frame| frame.to_pose().ok());
        let sum = poses.fold(Pose::IDENTITY, |sum, pose| sum.combine(&pose));
        let [x, y, z] = sum.origin().to_array().map(f64::from);
        let _ = writeln!(
            text,
            "root        {}, {}, {} in total, then facing {:.1}°\n",
            signed(y, 4, "m ahead", "m back"),
            signed(x, 4, "m to the right", "m to the left"),
            signed(z, 4, "m up", "m down"),
            sum.heading().degrees()
        );
        text.push_str("keyframe    right, m  ahead, m     up, m   rotation w x y z\n");
        for (number, frame) in animation.root.iter().enumerate() {
            let ([x, y, z], [w, i, j, k]) = (frame.origin, frame.rotation);
            let _ = writeln!(text, "{number:>8} {x:>11.4} {y:>9.4} {z:>9.4}   {w:.4} {i:.4} {j:.4} {k:.4}");
        }
    }
    if !animation.hooks.is_empty() {
        text.push_str("\nkeyframe    hook\n");
        for (frame, hook) in &animation.hooks {
            let _ = writeln!(text, "{frame:>8}    {}, {}", hook.action, hook.direction);
        }
    }
    text
}

/// Returns a motion table in words, and the number of its unreadable animations.
fn motion_table(archive: &Archive<File>, table: &MotionTable) -> (String, u64) {
    let mut text = format!("motion table {}\n\n", table.id);
    let _ = writeln!(text, "begins in   {}", name(MotionCommand(table.default_style)));
    for (style, posture) in &table.style_defaults {
        let _ =
            writeln!(text, "stance      {}: {}", name(MotionCommand(*style)), name(MotionCommand(*posture)));
    }
    let (library, faults) = library_of(archive, table.id);
    let mut measured = BTreeSet::new();
    text.push_str("\ncycles\n");
    for motion in &table.cycles {
        // The average speed of the motion, once the body is in it.
        let (style, command) = parts_of(table, motion.key);
        let is_new = measured.len() < MAX_MEASURED && measured.insert(motion.key);
        let steady = style.zip(command).filter(|_| is_new).and_then(|(style, command)| {
            let mut legs = standing(&library, table.id, style).ok()?;
            legs.begin(command, 1.0).ok()?;
            Some(Steady::of(legs).words())
        });
        let _ = writeln!(text, "  {:<34} {}", keyed(motion.key), made_of(motion));
        if let Some(steady) = steady {
            let _ = writeln!(text, "  {:<34} {steady}", "");
        }
        if command.is_some_and(MotionCommand::is_modifier) && motion.bits & 2 == 0 {
            let _ = writeln!(text, "  {:<34} may begin during any motion; a running body stops running", "");
        }
    }
    if !table.modifiers.is_empty() {
        text.push_str("\nmodifiers\n");
        for motion in &table.modifiers {
            let _ = writeln!(text, "  {:<34} {}", keyed(motion.key), made_of(motion));
        }
    }
    if !table.links.is_empty() {
        text.push_str("\nlinks\n");
        for group in &table.links {
            for motion in &group.to {
                let to = format!("{} to {}", keyed(group.from), name(MotionCommand(motion.key)));
                let _ = writeln!(text, "  {to:<34} {}", made_of(motion));
            }
        }
    }
    (text, faults)
}

/// Returns the stance and motion of a key as whole commands, if the table and the client know them.
fn parts_of(table: &MotionTable, key: u32) -> (Option<MotionCommand>, Option<MotionCommand>) {
    let style =
        table.style_defaults.iter().map(|(style, _)| *style).find(|style| style << 16 == key & 0xFFFF_0000);
    let command =
        evenstride_tables::index_name(key as u16).and_then(|name| evenstride_tables::motion(name).ok());
    (style.map(MotionCommand), command)
}

/// Returns a key in words: stance and motion.
fn keyed(key: u32) -> String {
    match ((key >> 16) as u16, key as u16) {
        (0, motion) => format!("any stance: {}", index_words(motion)),
        (style, 0) => format!("{}: any motion", index_words(style)),
        (style, motion) => format!("{}: {}", index_words(style), index_words(motion)),
    }
}

fn made_of(motion: &MotionData) -> String {
    let mut words: Vec<String> = motion
        .clips
        .iter()
        .map(|clip| {
            let high = if clip.high < 0 { "end".to_owned() } else { clip.high.to_string() };
            format!("{} {}..{high} at {}/s", clip.animation, clip.low, clip.rate)
        })
        .collect();
    if let Some([x, y, z]) = motion.velocity {
        words.push(format!("velocity {x} {y} {z} m/s"));
    }
    if let Some([x, y, z]) = motion.omega {
        words.push(format!("omega {x} {y} {z} rad/s"));
    }
    if motion.bits & 1 != 0 {
        words.push("no modifiers".to_owned());
    }
    if motion.bits & 2 != 0 {
        words.push("only from the stance's default motion".to_owned());
    }
    if words.is_empty() { "nothing".to_owned() } else { words.join("; ") }
}

fn region(region: &Region) -> String {
    let name = region.name();
    let mut text = format!("region {} {}, {name}\n\n", region.id, region.number);
    let [wide, high] = region.blocks;
    let _ = writeln!(text, "map         {wide} by {high} landblocks, posts every {} m", region.spacing);
    text.push_str("\nheight steps, m\n");
    let known = region.known_heights();
    for (row, heights) in known.chunks(8).enumerate() {
        let heights: Vec<String> = heights.iter().map(|height| metres(*height)).collect();
        let _ = writeln!(text, "{:>4}  {}", row * 8, heights.join(" "));
    }
    text
}

fn iterations(iterations: &Iterations) -> String {
    let runs: Vec<String> = iterations
        .runs
        .iter()
        .map(|(first, count)| format!("{first} to {}", i64::from(*first) + i64::from(*count) - 1))
        .collect();
    format!("patches     {}\nruns        {}\n", iterations.total, runs.join(", "))
}

/// Returns the heights in the layout of a map, with north at the top.
fn landblock(block: &LandBlock, known: Option<&[Option<f32>; 256]>) -> String {
    let unit = match known {
        Some(_) => "height of each post, m",
        None => "height step of each post (--portal FILE for metres)",
    };
    let mut text = format!("landblock {}\n\n{unit}; north is up, posts are 24 m apart\n\n", block.id);
    for north in (0..LandBlock::SIDE).rev() {
        let posts: Vec<String> = (0..LandBlock::SIDE)
            .map(|east| {
                let step = block.step(east, north).unwrap_or_default();
                match known {
                    Some(known) => metres(known[usize::from(step)]),
                    None => format!("{step:>4}"),
                }
            })
            .collect();
        let _ = writeln!(text, "  {}", posts.join(" "));
    }
    let objects = if block.has_objects == 0 { "nothing stands on it" } else { "something stands on it" };
    let _ = writeln!(text, "\n{objects}; --json has terrain and roads too");
    text
}

fn metres(height: Option<f32>) -> String {
    height.map_or_else(|| format!("{:>7}", "-"), |height| format!("{height:>7.2}"))
}

/// Returns the bytes of a record of an unknown kind.
fn other(entry: &Entry, bytes: &[u8], kind: RecordKind, is_json: bool) -> String {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    let head = &bytes[..bytes.len().min(BYTES_SHOWN)];
    if is_json {
        let object = json!({ "id": entry.id, "kind": kind.name(), "bytes": bytes.len(), "head": hex(head) });
        return format!("{object}\n");
    }
    let mut text = format!(
        "{} {}: {} of an unknown format (--raw writes them)\n\n",
        kind.name(),
        entry.id,
        count(bytes.len() as u64, "byte", "bytes")
    );
    for (row, bytes) in head.chunks(16).enumerate() {
        let _ = writeln!(text, "{:06x}  {}", row * 16, hex(bytes));
    }
    if bytes.len() > BYTES_SHOWN {
        text.push_str("…\n");
    }
    text
}
