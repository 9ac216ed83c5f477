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
    output::{self, Inputs, OutputFile, tell},
};

/// Returns the output format. Fails if the output would overwrite the archive.
pub(super) fn format(args: &DatRootMotionArgs, archive: &Path) -> Result<MotionFormat> {
    let Some(path) = args.output.as_deref().filter(|path| !is_stdout(path)) else {
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

fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

pub(super) fn write(motion: &Motion, format: MotionFormat, output: Option<&Path>) -> Result<()> {
    let text = match format {
        MotionFormat::Table => table(motion),
        MotionFormat::Csv => csv(motion),
        MotionFormat::Json => json(motion),
        MotionFormat::Svg => {
            plot::svg(motion).map_err(|error| anyhow!("the plot could not be drawn: {error}"))?
        }
    };
    match output.filter(|path| !is_stdout(path)) {
        Some(path) => {
            OutputFile::write_whole(path, text.as_bytes())?;
            tell(&format!("{}: {} bytes", path.display(), text.len()));
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

fn table(motion: &Motion) -> String {
    let mut text = format!("{}\n", motion.title);
    if !motion.note.is_empty() {
        text.push_str(&format!("{}\n", motion.note));
    }
    text.push_str(
        "\n   time, s      x, m      y, m      z, m  heading, °  speed, m/s  animation   keyframe  events\n",
    );
    for step in &motion.steps {
        let [x, y, z] = step.at;
        let (animation, frame) = match step.playing {
            // The frame is truncated, because 3.9998 is still the last of four.
            Some((animation, frame)) => {
                (animation.to_string(), format!("{:.3}", (frame * 1e3).floor() / 1e3))
            }
            None => ("-".to_owned(), String::new()),
        };
        let line = format!(
            "{:>10.4} {x:>9.4} {y:>9.4} {z:>9.4} {:>11.2} {:>11.3}  {animation:<10} {frame:>9}  {}",
            step.time,
            step.heading,
            step.speed,
            happens(step).join(", ")
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let [x, y, _] = motion.steps.last().map_or([0.0; 3], |step| step.at);
    text.push_str(&format!(
        "\nafter {:.4} s it is {} and {}; in the long run: {}\n",
        motion.steps.len() as f64 * motion.step,
        signed(y, 4, "m ahead", "m back"),
        signed(x, 4, "m to the right", "m to the left"),
        motion.steady.words()
    ));
    text
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
