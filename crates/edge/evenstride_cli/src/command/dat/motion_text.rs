//! Output of a played motion: as a table, as CSV, as JSON or as a picture.

use std::{io::Write, path::Path};

use anyhow::{Result, anyhow, bail};
use evenstride::animation::Hook;
use evenstride_dat::HookAction;
use serde_json::json;

use super::{
    motion::{Motion, Step},
    plot,
};
use crate::{
    args::{DatRootMotionArgs, MotionFormat},
    output::{self, Cell, Column, Inputs, OutputFile, Table, Tone, count, is_dash, tell, width},
};

/// Returns the output format. Fails if the output would overwrite the archive.
pub(super) fn format(args: &DatRootMotionArgs, archive: &Path) -> Result<MotionFormat> {
    let Some(path) = args.output.as_deref().filter(|path| !is_dash(path)) else {
        return Ok(args.format.unwrap_or(MotionFormat::Table));
    };
    Inputs::default().with("the archive", archive).check([path])?;
    if let Some(format) = args.format {
        return Ok(format);
    }
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("csv") => Ok(MotionFormat::Csv),
        Some("svg") => Ok(MotionFormat::Svg),
        Some("json") => Ok(MotionFormat::Json),
        Some("txt") => Ok(MotionFormat::Table),
        _ => bail!(
            "{}: unknown output format. Name it .svg for a picture, .csv or .json for programs, .txt for a table, or use --format",
            path.display()
        ),
    }
}

pub(super) fn write(motion: &Motion, format: MotionFormat, output: Option<&Path>) -> Result<()> {
    let output = output.filter(|path| !is_dash(path));
    let text = match (format, output) {
        (MotionFormat::Table, None) => return print_table(motion),
        (MotionFormat::Table, Some(_)) => table_text(motion),
        (MotionFormat::Csv, _) => csv(motion),
        (MotionFormat::Json, _) => json(motion),
        (MotionFormat::Svg, _) => {
            plot::svg(motion).map_err(|error| anyhow!("the plot could not be drawn: {error}"))?
        }
    };
    match output {
        Some(path) => {
            OutputFile::write_whole(path, text.as_bytes())?;
            tell(&format!("{}: {}", path.display(), count(text.len() as u64, "byte", "bytes")));
        }
        None => {
            let mut out = if format == MotionFormat::Json { output::json() } else { output::text() };
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
    }
    Ok(())
}

/// Returns an amount in words, with `one` or `other` by its sign.
pub(super) fn signed(amount: f64, digits: usize, one: &str, other: &str) -> String {
    format!("{:.digits$} {}", amount.abs(), if amount < 0.0 { other } else { one })
}

/// Prints the table, as wide as the terminal.
fn print_table(motion: &Motion) -> Result<()> {
    let (mut out, width) = (output::text(), width());
    out.paragraph(Tone::Heading, &motion.title, width, 2)?;
    if !motion.note.is_empty() {
        out.paragraph(Tone::Plain, &motion.note, width, 2)?;
    }
    writeln!(out)?;
    table(motion).write(&mut out, width, "--format csv has all columns")?;
    writeln!(out)?;
    out.paragraph(Tone::Plain, &ending(motion), width, 2)?;
    out.flush()?;
    Ok(())
}

/// Returns the whole table as text.
fn table_text(motion: &Motion) -> String {
    let note = if motion.note.is_empty() { String::new() } else { format!("{}\n", motion.note) };
    format!("{}\n{note}\n{}\n{}\n", motion.title, table(motion).to_text(), ending(motion))
}

fn table(motion: &Motion) -> Table {
    let number = |heading, width| Column::number(heading).at_least(width).gap(1);
    let mut table = Table::new([
        number("time, s", 10),
        number("x, m", 9).rank(2),
        number("y, m", 9).rank(1),
        number("z, m", 9).rank(4),
        number("heading, °", 11).rank(3),
        number("speed, m/s", 11),
        Column::text("animation").at_least(10).rank(5),
        number("keyframe", 9).rank(5),
        Column::text("events"),
    ]);
    for step in &motion.steps {
        let [x, y, z] = step.at.map(|metres| Cell::from(format!("{metres:.4}")));
        let (animation, frame) = match step.playing {
            // The frame is truncated, because 3.9998 is still the last of four.
            Some((animation, frame)) => {
                (animation.to_string(), format!("{:.3}", (frame * 1e3).floor() / 1e3))
            }
            None => ("-".to_owned(), String::new()),
        };
        table.row([
            format!("{:.4}", step.time).into(),
            x,
            y,
            z,
            format!("{:.2}", step.heading).into(),
            format!("{:.3}", step.speed).into(),
            animation.into(),
            frame.into(),
            happens(step).join(", ").into(),
        ]);
    }
    table
}

/// Returns the place at the end, and the average motion, in words.
fn ending(motion: &Motion) -> String {
    let [x, y, _] = motion.steps.last().map_or([0.0; 3], |step| step.at);
    format!(
        "after {:.4} s it is {} and {}; in the long run: {}",
        motion.steps.len() as f64 * motion.step,
        signed(y, 4, "m ahead", "m back"),
        signed(x, 4, "m to the right", "m to the left"),
        motion.steady.words()
    )
}

fn happens(step: &Step) -> Vec<String> {
    let mut words = Vec::new();
    if step.ended > 0 {
        words.push("animation done".to_owned());
    }
    words.extend(step.hooks.iter().map(hook));
    words
}

/// Returns the effect of a hook in words, as far as the core keeps it: a record, a number or a
/// measure.
fn hook(hook: &Hook) -> String {
    let name = HookAction::kind_name(hook.kind);
    match hook.kind {
        0 | 4 | 17 => name.to_owned(),
        1 | 13 | 19 | 21 | 26 => format!("{name} 0x{:08X}", hook.value),
        8 | 10 | 12 | 20 | 22 | 23 => format!("{name} {}", f32::from_bits(hook.value)),
        _ => format!("{name} {}", hook.value),
    }
}

fn csv(motion: &Motion) -> String {
    let mut text = "time,x,y,z,heading,speed,turn,animation,frame,left,ended,hooks\n".to_owned();
    for step in &motion.steps {
        let [x, y, z] = step.at;
        let (animation, frame) = match step.playing {
            Some((animation, frame)) => (animation.to_string(), frame.to_string()),
            None => Default::default(),
        };
        let left: Vec<String> = step.left.iter().map(ToString::to_string).collect();
        let hooks: Vec<String> =
            step.hooks.iter().map(|hook| format!("{}:{:08X}", hook.kind, hook.value)).collect();
        text.push_str(&format!(
            "{:.6},{x:.6},{y:.6},{z:.6},{},{:.6},{:.6},{animation},{frame},{},{},{}\n",
            step.time,
            step.heading,
            step.speed,
            step.turn,
            left.join(" "),
            step.ended,
            hooks.join(" ")
        ));
    }
    text
}

fn json(motion: &Motion) -> String {
    let steps: Vec<_> = motion
        .steps
        .iter()
        .map(|step| {
            let hooks: Vec<_> =
                step.hooks.iter().map(|hook| json!({ "kind": hook.kind, "value": hook.value })).collect();
            json!({
                "time": step.time,
                "at": step.at,
                "heading": step.heading,
                "speed": step.speed,
                "turn": step.turn,
                "animation": step.playing.map(|(animation, _)| animation),
                "frame": step.playing.map(|(_, frame)| frame),
                "left": step.left,
                "ended": step.ended,
                "hooks": hooks,
            })
        })
        .collect();
    let steady = &motion.steady;
    let object = json!({
        "title": motion.title,
        "note": motion.note,
        "step": motion.step,
        "long_run": { "right": steady.right, "ahead": steady.ahead, "turn": steady.turn },
        "steps": steps,
    });
    format!("{object}\n")
}
