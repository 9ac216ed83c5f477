//! `dat FILE show ID`: what a record says.

use std::{
    fmt::Write as _,
    fs::File,
    io::{BufWriter, Write},
    process::ExitCode,
};

use anyhow::{Context, Result, bail};
use evenstride_dat::{
    Animation, Archive, DatError, Entry, Iterations, LandBlock, MotionData, MotionTable, Record, RecordId,
    RecordKind, Region, Setup,
};
use evenstride_types::update::MotionCommand;
use serde::Serialize;

use super::motion::{Steady, library_of, name, standing};
use crate::{args::DatShowArgs, library};

/// Bytes of a record that nobody understands, as many as are shown.
const BYTES_SHOWN: usize = 256;

pub(super) fn run(archive: &Archive<File>, args: &DatShowArgs) -> Result<ExitCode> {
    let Some(entry) = archive.find(args.id)? else {
        bail!("there is no record {}; `ls` lists what there is", args.id)
    };
    if args.raw {
        let mut out = std::io::stdout();
        out.write_all(&archive.bytes(&entry)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let shown = Shown { archive, args };
    let text = match archive.kind_of(args.id) {
        RecordKind::Setup => shown.record(setup)?,
        RecordKind::Animation => shown.record(animation)?,
        RecordKind::MotionTable => shown.record(|table: &MotionTable| motion_table(archive, table))?,
        RecordKind::Region => shown.record(region)?,
        RecordKind::LandBlock => {
            let heights = match &args.portal {
                Some(portal) => {
                    let region: Region = library::open(portal)?
                        .read(RecordId::REGION)
                        .with_context(|| portal.display().to_string())?;
                    Some(region)
                }
                None => None,
            };
            shown.record(|block: &LandBlock| landblock(block, heights.as_ref()))?
        }
        RecordKind::Iterations => shown.record(|iterations: &Iterations| format!("{iterations:?}\n"))?,
        kind => other(archive, &entry, kind, args.json)?,
    };
    let mut out = BufWriter::new(std::io::stdout());
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

struct Shown<'a> {
    archive: &'a Archive<File>,
    args: &'a DatShowArgs,
}

impl Shown<'_> {
    fn record<R: Record + Serialize>(&self, text: impl FnOnce(&R) -> String) -> Result<String> {
        let record: R = self.archive.read(self.args.id)?;
        if self.args.json {
            return Ok(serde_json::to_string(&record)? + "\n");
        }
        Ok(text(&record))
    }
}

fn setup(setup: &Setup) -> String {
    let mut text = format!("setup {}\n\n", setup.id);
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<20} {value}");
    };
    let own = |id: RecordId| if id.0 == 0 { "none".to_owned() } else { id.to_string() };
    line("parts", setup.parts.len().to_string());
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
    let keys = |keys: Vec<u32>| keys.iter().map(|key| format!("{key:X}")).collect::<Vec<_>>().join(" ");
    line("placements", keys(setup.placements.iter().map(|of| of.key).collect()));
    line("holding locations", keys(setup.holding.iter().map(|of| of.key).collect()));
    line("lights", setup.lights.len().to_string());
    line("flags", format!("{:X}", setup.flags));
    text
}

fn animation(animation: &Animation) -> String {
    let mut text = format!("animation {}\n\n", animation.id);
    let _ = writeln!(text, "keyframes   {}", animation.frames);
    let _ = writeln!(text, "parts       {}", animation.parts);
    if animation.root.is_empty() {
        text.push_str("root        stays where it is\n");
    } else {
        let sum = animation.root.iter().fold([0.0; 3], |sum: [f32; 3], frame| {
            std::array::from_fn(|axis| sum[axis] + frame.origin[axis])
        });
        let _ = writeln!(
            text,
            "root        {:.4} m right, {:.4} m ahead, {:.4} m up in all\n",
            sum[0], sum[1], sum[2]
        );
        text.push_str("keyframe    right, m  ahead, m     up, m   rotation w x y z\n");
        for (number, frame) in animation.root.iter().enumerate() {
            let ([x, y, z], [w, i, j, k]) = (frame.origin, frame.rotation);
            let _ = writeln!(text, "{number:>8} {x:>11.4} {y:>9.4} {z:>9.4}   {w:.4} {i:.4} {j:.4} {k:.4}");
        }
    }
    if !animation.hooks.is_empty() {
        text.push_str("\nat          what happens\n");
        for (frame, hook) in &animation.hooks {
            // Numbers of records are read in hexadecimal, and so are small ones.
            let _ = writeln!(text, "{frame:>8}    {:X?}, {:?}", hook.action, hook.direction);
        }
    }
    text
}

fn motion_table(archive: &Archive<File>, table: &MotionTable) -> String {
    let mut text = format!("motion table {}\n\n", table.id);
    let _ = writeln!(text, "begins in   {}", name(MotionCommand(table.default_style)));
    for (style, posture) in &table.style_defaults {
        let _ =
            writeln!(text, "stance      {}: {}", name(MotionCommand(*style)), name(MotionCommand(*posture)));
    }
    let (library, _) = library_of(archive, table.id);
    text.push_str("\nwhat goes round\n");
    for motion in &table.cycles {
        // Legs that are put into it, and kept there: how fast it is in the long run.
        let (style, command) = parts_of(table, motion.key);
        let steady = style.zip(command).and_then(|(style, command)| {
            let mut legs = standing(&library, table.id, style).ok()?;
            legs.begin(command, 1.0).ok()?;
            Some(Steady::of(legs).words())
        });
        let _ = writeln!(text, "  {:<34} {}", keyed(motion.key), made_of(motion));
        if let Some(steady) = steady {
            let _ = writeln!(text, "  {:<34} {steady}", "");
        }
    }
    if !table.modifiers.is_empty() {
        text.push_str("\nwhat comes on top\n");
        for motion in &table.modifiers {
            let _ = writeln!(text, "  {:<34} {}", keyed(motion.key), made_of(motion));
        }
    }
    if !table.links.is_empty() {
        text.push_str("\nwhat leads from one to another\n");
        for group in &table.links {
            for motion in &group.to {
                let to = format!("{} to {}", keyed(group.from), name(MotionCommand(motion.key)));
                let _ = writeln!(text, "  {to:<34} {}", made_of(motion));
            }
        }
    }
    text
}

/// Stance and motion of a key, as whole commands: those that the table and the client know.
fn parts_of(table: &MotionTable, key: u32) -> (Option<MotionCommand>, Option<MotionCommand>) {
    let style =
        table.style_defaults.iter().map(|(style, _)| *style).find(|style| style << 16 == key & 0xFFFF_0000);
    let command =
        evenstride_tables::index_name(key as u16).and_then(|name| evenstride_tables::motion(name).ok());
    (style.map(MotionCommand), command)
}

/// A key in words: stance, and motion.
fn keyed(key: u32) -> String {
    let part = |index: u16| match evenstride_tables::index_name(index) {
        Some(name) => name.to_owned(),
        None => format!("0x{index:04X}"),
    };
    match ((key >> 16) as u16, key as u16) {
        (0, motion) => format!("any stance: {}", part(motion)),
        (style, 0) => format!("{}: anything", part(style)),
        (style, motion) => format!("{}: {}", part(style), part(motion)),
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
        words.push("only from the stance's own posture".to_owned());
    }
    if words.is_empty() { "nothing".to_owned() } else { words.join("; ") }
}

fn region(region: &Region) -> String {
    let name = String::from_utf8_lossy(&region.name);
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

/// The posts as on a map: north is up.
fn landblock(block: &LandBlock, region: Option<&Region>) -> String {
    let unit = if region.is_some() {
        "height of each post, m"
    } else {
        "height step of each post (--portal FILE for metres)"
    };
    let mut text = format!("landblock {}\n\n{unit}; north is up, posts are 24 m apart\n\n", block.id);
    let known = region.map(Region::known_heights);
    for north in (0..LandBlock::SIDE).rev() {
        let posts: Vec<String> = (0..LandBlock::SIDE)
            .map(|east| {
                let step = block.step(east, north).unwrap_or_default();
                match &known {
                    Some(known) => metres(known[usize::from(step)]),
                    None => format!("{step:>4}"),
                }
            })
            .collect();
        let _ = writeln!(text, "  {}", posts.join(" "));
    }
    let objects = if block.has_objects == 0 { "nothing stands on it" } else { "something stands on it" };
    let _ = writeln!(text, "\n{objects}");
    text
}

fn metres(height: Option<f32>) -> String {
    height.map_or_else(|| format!("{:>7}", "-"), |height| format!("{height:>7.2}"))
}

/// A record of a kind that is not understood: its bytes.
fn other(archive: &Archive<File>, entry: &Entry, kind: RecordKind, json: bool) -> Result<String, DatError> {
    let bytes = archive.bytes(entry)?;
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    if json {
        let object = serde_json::json!({
            "id": entry.id.to_string(), "kind": kind.name(), "bytes": bytes.len(), "head": hex(&bytes[..bytes.len().min(BYTES_SHOWN)]),
        });
        return Ok(format!("{object}\n"));
    }
    let mut text = format!(
        "{} {}: {} bytes, of which nothing is understood (--raw writes them)\n\n",
        kind.name(),
        entry.id,
        bytes.len()
    );
    for (row, bytes) in bytes[..bytes.len().min(BYTES_SHOWN)].chunks(16).enumerate() {
        let _ = writeln!(text, "{:06x}  {}", row * 16, hex(bytes));
    }
    if bytes.len() > BYTES_SHOWN {
        text.push_str("…\n");
    }
    Ok(text)
}
