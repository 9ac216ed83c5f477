//! `dat FILE root-motion TABLE`: where a motion carries the root, step by step.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
    process::ExitCode,
    sync::Arc,
};

use anyhow::{Context, Result, anyhow, bail};
use evenstride::{Hook, MotionLibrary, Played, Treadmill};
use evenstride_dat::{Archive, LibraryLoader, MotionTable, RecordId};
use evenstride_tables::motion_name;
use evenstride_types::{Pose, length, update::MotionCommand};

use super::plot;
use crate::{
    args::{DatRootMotionArgs, MotionFormat},
    output::tell,
};

/// Seconds over which what goes round is measured.
const STEADY_SECS: f64 = 60.0;

/// The game's steps.
const STEP_SECS: f64 = 1.0 / 30.0;

pub(super) fn run(archive: &Archive<File>, args: &DatRootMotionArgs) -> Result<ExitCode> {
    let table: MotionTable = archive.read(args.table)?;
    let (library, faults) = library_of(archive, args.table);
    let style = args.style.unwrap_or(MotionCommand(table.default_style));
    let mut legs = standing(&library, args.table, style)
        .with_context(|| format!("{}: {}", args.table, stances(&table)))?;
    let asked = args.command.unwrap_or_else(|| usual(&legs));
    if let Some(from) = args.from {
        begin(&mut legs, from, 1.0).with_context(|| known(&table, style))?;
        legs.skip_links();
    }
    let began = begin(&mut legs, asked, args.speed).with_context(|| known(&table, style))?;
    let step = args.step.unwrap_or(STEP_SECS);
    let steady = Steady::of(legs.clone());
    let played = Motion {
        title: title(args, style, asked, &began),
        steps: play(&mut legs, args.seconds, step),
        step,
        steady,
    };
    write(&played, args)?;
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// A motion that was played.
pub(super) struct Motion {
    pub(super) title: String,
    pub(super) steps: Vec<Step>,
    /// Seconds of a step.
    pub(super) step: f64,
    pub(super) steady: Steady,
}

/// A step of it.
pub(super) struct Step {
    /// Seconds since it began, at the end of the step.
    pub(super) time: f64,
    /// Where the root is then, seen from where it began.
    pub(super) at: Pose,
    /// Metres a second in this step, whichever way.
    pub(super) speed: f64,
    /// Degrees a second in this step, clockwise.
    pub(super) turn: f64,
    /// Animation and keyframe, as far as it is.
    playing: Option<(RecordId, f64)>,
    /// Whether it is at another keyframe than before.
    pub(super) is_at_another: bool,
    /// Keyframes that were left.
    left: Vec<i32>,
    hooks: Vec<Hook>,
    /// Animations before the one that goes round that were finished.
    pub(super) ended: u32,
}

/// What comes of a motion in the long run.
pub(super) struct Steady {
    /// Metres a second to the right and ahead, of a body that does not turn meanwhile.
    right: f64,
    ahead: f64,
    /// Degrees a second, clockwise.
    turn: f64,
}

impl Steady {
    /// Plays what goes round for a while.
    pub(super) fn of(mut legs: Treadmill) -> Self {
        legs.skip_links();
        let steps = (STEADY_SECS / STEP_SECS) as u32;
        let mut sums = [0.0; 3];
        for _ in 0..steps {
            let way = legs.play(STEP_SECS as f32, |_| {});
            sums[0] += f64::from(way.origin().x);
            sums[1] += f64::from(way.origin().y);
            sums[2] += turn_of(&way);
        }
        let [right, ahead, turn] = sums.map(|sum| sum / STEADY_SECS);
        Self { right, ahead, turn }
    }

    /// In words; nothing for what stands.
    pub(super) fn words(&self) -> String {
        let parts = [
            (self.ahead, "m/s ahead", "m/s back"),
            (self.right, "m/s to the right", "m/s to the left"),
            (self.turn, "°/s clockwise", "°/s counter-clockwise"),
        ];
        let moving = parts.into_iter().filter(|(amount, ..)| amount.abs() >= 0.005);
        let words: Vec<String> = moving
            .map(|(amount, one, other)| {
                format!("{:.2} {}", amount.abs(), if amount < 0.0 { other } else { one })
            })
            .collect();
        if words.is_empty() { "stands".to_owned() } else { words.join(", ") }
    }
}

/// A table of the archive, with the animations it plays; and how many things could not be read, which are told.
pub(super) fn library_of(archive: &Archive<File>, table: RecordId) -> (Arc<MotionLibrary>, usize) {
    let mut loader = LibraryLoader::new(archive, MotionLibrary::default());
    loader.table(table);
    let loaded = loader.finish();
    loaded.faults.iter().for_each(|fault| tell(&format!("evenstride: {fault}")));
    for missing in &loaded.missing {
        tell(&format!("evenstride: {missing} is not in the archive: what plays it stands instead"));
    }
    (Arc::new(loaded.library), loaded.faults.len())
}

/// Legs that stand in a stance.
pub(super) fn standing(
    library: &Arc<MotionLibrary>,
    table: RecordId,
    style: MotionCommand,
) -> Result<Treadmill> {
    let mut legs =
        Treadmill::new(Arc::clone(library), table.0).ok_or_else(|| anyhow!("{table} cannot be played"))?;
    if legs.posture().0 != style {
        legs.begin(style, 1.0).map_err(|_| anyhow!("there is no stance {}", name(style)))?;
        legs.skip_links();
    }
    Ok(legs)
}

/// What is shown if nobody says what: a run, or the most that there is.
fn usual(legs: &Treadmill) -> MotionCommand {
    let has = |motion: &MotionCommand| legs.clone().begin(*motion, 1.0).is_ok();
    [MotionCommand::RUN_FORWARD, MotionCommand::WALK_FORWARD]
        .into_iter()
        .find(has)
        .unwrap_or(MotionCommand::READY)
}

/// Begins a motion; what tables do not have is what the client makes of it. Answers what was begun, and how fast.
fn begin(legs: &mut Treadmill, motion: MotionCommand, speed: f32) -> Result<(MotionCommand, f32)> {
    // The client walks backwards at 0.65 of the speed of walking.
    let instead = match motion {
        MotionCommand::WALK_BACKWARDS => Some((MotionCommand::WALK_FORWARD, speed * -0.65)),
        MotionCommand::TURN_LEFT => Some((MotionCommand::TURN_RIGHT, -speed)),
        MotionCommand::SIDESTEP_LEFT => Some((MotionCommand::SIDESTEP_RIGHT, -speed)),
        _ => None,
    };
    for (motion, speed) in [Some((motion, speed)), instead].into_iter().flatten() {
        if legs.begin(motion, speed).is_ok() {
            return Ok((motion, speed));
        }
    }
    bail!("there is no {} in this stance", name(motion))
}

/// How far a way turns, in degrees clockwise.
fn turn_of(way: &Pose) -> f64 {
    let heading = f64::from(way.heading().degrees());
    if heading > 180.0 { heading - 360.0 } else { heading }
}

fn play(legs: &mut Treadmill, seconds: f64, step: f64) -> Vec<Step> {
    let count = (seconds / step).round().max(1.0) as usize;
    let mut at = Pose::IDENTITY;
    let keyframe =
        |legs: &Treadmill| legs.playing().map(|playing| (playing.animation, playing.frame.floor()));
    let mut before = keyframe(legs);
    let one = |number: usize| {
        let (mut left, mut hooks, mut ended) = (Vec::new(), Vec::new(), 0);
        let way = legs.play(step as f32, |played| match played {
            Played::Keyframe { frame, .. } => left.push(frame),
            Played::Hook(hook) => hooks.push(hook),
            Played::Ended => ended += 1,
        });
        at = at.combine(&way);
        Step {
            time: (number + 1) as f64 * step,
            at,
            speed: length(way.origin()) / step,
            turn: turn_of(&way) / step,
            playing: legs.playing().map(|playing| (RecordId(playing.animation), playing.frame)),
            is_at_another: std::mem::replace(&mut before, keyframe(legs)) != keyframe(legs),
            left,
            hooks,
            ended,
        }
    };
    (0..count).map(one).collect()
}

fn write(motion: &Motion, args: &DatRootMotionArgs) -> Result<()> {
    let format = args.format.unwrap_or_else(|| format_of(args.output.as_deref()));
    let text = match format {
        MotionFormat::Table => table(motion),
        MotionFormat::Csv => csv(motion),
        MotionFormat::Svg => plot::svg(motion).map_err(|error| anyhow!("the plot: {error}"))?,
    };
    match &args.output {
        Some(path) => {
            std::fs::write(path, &text).with_context(|| path.display().to_string())?;
            tell(&format!("{}: {} bytes", path.display(), text.len()));
        }
        None => {
            let mut out = BufWriter::new(std::io::stdout());
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
    }
    Ok(())
}

fn format_of(output: Option<&Path>) -> MotionFormat {
    let extension = output.and_then(Path::extension).map(|extension| extension.to_ascii_lowercase());
    match extension.as_ref().and_then(|extension| extension.to_str()) {
        Some("csv") => MotionFormat::Csv,
        Some("svg") => MotionFormat::Svg,
        _ => MotionFormat::Table,
    }
}

fn table(motion: &Motion) -> String {
    let mut text = format!(
        "{}\n\n   time, s      x, m      y, m      z, m  heading, °  speed, m/s  animation   keyframe  what happens\n",
        motion.title
    );
    for step in &motion.steps {
        let [x, y, z] = step.at.origin().to_array();
        let heading = step.at.heading().degrees();
        let (animation, frame) = match step.playing {
            Some((animation, frame)) => (animation.to_string(), format!("{frame:.3}")),
            None => ("-".to_owned(), String::new()),
        };
        let line = format!(
            "{:>10.4} {x:>9.4} {y:>9.4} {z:>9.4} {heading:>11.2} {:>11.3}  {animation:<10} {frame:>9}  {}",
            step.time,
            step.speed,
            happens(step).join(", ")
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let (last, total) = (motion.steps.last(), motion.steps.len() as f64 * motion.step);
    let [x, y, _] = last.map_or([0.0; 3], |step| step.at.origin().to_array());
    text.push_str(&format!(
        "\nafter {total:.4} s it is {y:.4} m ahead and {x:.4} m to the right; in the long run: {}\n",
        motion.steady.words()
    ));
    text
}

fn happens(step: &Step) -> Vec<String> {
    let mut words = Vec::new();
    if step.ended > 0 {
        words.push("animation done".to_owned());
    }
    words.extend(step.hooks.iter().map(|hook| format!("hook {} ({:08X})", hook.kind, hook.value)));
    words
}

fn csv(motion: &Motion) -> String {
    let mut text = "time,x,y,z,heading,speed,turn,animation,frame,left,ended,hooks\n".to_owned();
    for step in &motion.steps {
        let [x, y, z] = step.at.origin().to_array();
        let (animation, frame) = match step.playing {
            Some((animation, frame)) => (animation.to_string(), frame.to_string()),
            None => Default::default(),
        };
        let heading = step.at.heading().degrees();
        let list = |words: Vec<String>| words.join(" ");
        let left = list(step.left.iter().map(ToString::to_string).collect());
        let hooks = list(step.hooks.iter().map(|hook| hook.kind.to_string()).collect());
        text.push_str(&format!(
            "{:.6},{x},{y},{z},{heading},{:.6},{:.6},{animation},{frame},{left},{},{hooks}\n",
            step.time, step.speed, step.turn, step.ended
        ));
    }
    text
}

fn title(
    args: &DatRootMotionArgs,
    style: MotionCommand,
    asked: MotionCommand,
    began: &(MotionCommand, f32),
) -> String {
    let from = args.from.map_or_else(String::new, |from| format!("{} to ", name(from)));
    let instead = if began.0 == asked {
        String::new()
    } else {
        format!(" (played as {} at {:.3})", name(began.0), began.1)
    };
    format!("{}: {from}{} at speed {} in {}{instead}", args.table, name(asked), args.speed, name(style))
}

/// What a motion is called, or its number.
pub(super) fn name(motion: MotionCommand) -> String {
    motion_name(motion).map_or_else(|| format!("0x{:08X}", motion.0), str::to_owned)
}

/// Which stances a table has, in words.
fn stances(table: &MotionTable) -> String {
    let styles: Vec<String> =
        table.style_defaults.iter().map(|(style, _)| name(MotionCommand(*style))).collect();
    format!("it has the stances {}", styles.join(", "))
}

/// Which motions a stance has, in words.
fn known(table: &MotionTable, style: MotionCommand) -> String {
    let of_style = |key: &u32| key >> 16 == style.0 & 0xFFFF;
    let index = |key: u32| evenstride_tables::index_name(key as u16).map(str::to_owned);
    let cycles: Vec<String> = table
        .cycles
        .iter()
        .map(|motion| motion.key)
        .filter(of_style)
        .map(|key| index(key).unwrap_or_else(|| format!("0x{:04X}", key as u16)))
        .collect();
    format!("{}: {} has {}", table.id, name(style), cycles.join(", "))
}
