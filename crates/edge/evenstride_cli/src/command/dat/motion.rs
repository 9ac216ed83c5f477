//! `dat FILE root-motion TABLE`: the path of the root in a motion, step by step.

use std::{collections::BTreeSet, fs::File, path::Path, sync::Arc};

use anyhow::{Context, Result, anyhow, bail};
use evenstride::{
    animation::{Hook, MotionLibrary, Played, Treadmill},
    limits::BACKWARDS_FACTOR,
};
use evenstride_dat::{Archive, LibraryLoader, MotionTable, RecordId};
use evenstride_tables::motion_name;
use evenstride_types::{Pose, Vec3, length, update::MotionCommand};

use super::{motion_text, show::found};
use crate::{
    args::DatRootMotionArgs,
    library,
    output::{nearest_first, warn},
};

/// Seconds over which a cycle is measured.
const STEADY_SECS: f64 = 20.0;

/// Keyframes and hooks that are kept per step. A sensible table has a few.
const MAX_PASSED: usize = 100;

/// Most steps that are played.
const MAX_STEPS: f64 = 200_000.0;

/// Length of the game's steps in seconds.
const STEP_SECS: f64 = 1.0 / 30.0;

/// A motion that was played.
pub(super) struct Motion {
    pub(super) title: String,
    /// A further remark, or empty.
    pub(super) note: String,
    pub(super) steps: Vec<Step>,
    /// Length of a step in seconds.
    pub(super) step: f64,
    pub(super) steady: Steady,
}

/// A step of a motion.
pub(super) struct Step {
    /// Seconds since the start, at the end of the step.
    pub(super) time: f64,
    /// Place of the root at the end of the step, in metres to the right, ahead and up of the start.
    pub(super) at: [f64; 3],
    /// Heading at the end of the step, in degrees clockwise.
    pub(super) heading: f64,
    /// Speed in this step in metres per second, in any direction.
    pub(super) speed: f64,
    /// Turn in this step in degrees per second, clockwise.
    pub(super) turn: f64,
    /// Animation and keyframe being played, if any.
    pub(super) playing: Option<(RecordId, f64)>,
    /// Whether the keyframe changed in this step.
    pub(super) is_marked: bool,
    /// Keyframes that were left.
    pub(super) left: Vec<i32>,
    pub(super) hooks: Vec<Hook>,
    /// Number of animations before the cycle that ended.
    pub(super) ended: u32,
}

/// Average of a motion over a long time.
pub(super) struct Steady {
    /// Metres per second to the right and ahead, in the body's own axes.
    pub(super) right: f64,
    pub(super) ahead: f64,
    /// Degrees per second, clockwise.
    pub(super) turn: f64,
}

pub(super) fn run(archive: &Archive<File>, args: &DatRootMotionArgs, file: &Path) -> Result<u64> {
    library::expect_portal(archive, file)?;
    let format = motion_text::format(args, file)?;
    let (_, disorder) = found(archive, args.table)?;
    if disorder > 0 {
        bail!("the directory is out of order, so the table is not played; `check` shows details");
    }
    let table: MotionTable = archive.read(args.table)?;
    let (library, faults) = library_of(archive, args.table);
    let style = args.style.unwrap_or(MotionCommand(table.default_style));
    let mut legs = standing(&library, args.table, style).with_context(|| stances(&table, style))?;
    let asked = args.command.unwrap_or_else(|| usual(&legs));
    if let Some(from) = args.from {
        begin(&mut legs, from, 1.0).with_context(|| known(&table, style, from))?;
        legs.skip_links();
    }
    // This turns -0 into 0.
    let speed = args.speed + 0.0;
    let began = begin(&mut legs, asked, speed).with_context(|| known(&table, style, asked))?;
    let step = args.step.unwrap_or(STEP_SECS);
    if args.seconds / step > MAX_STEPS {
        bail!(
            "{:.0} steps are too many (at most {MAX_STEPS:.0}); use fewer --seconds or a longer --step",
            args.seconds / step
        );
    }
    let motion = Motion {
        title: title(args, style, asked, &began),
        note: note(&legs, began.0),
        steady: Steady::of(legs.clone()),
        steps: play(&mut legs, args.seconds, step),
        step,
    };
    motion_text::write(&motion, format, args.output.as_deref())?;
    Ok(faults)
}

impl Steady {
    /// Plays the cycle for a while and returns its average.
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

    /// Returns the speed in metres per second, in any direction.
    pub(super) fn speed(&self) -> f64 {
        self.right.hypot(self.ahead)
    }

    /// Returns the average in words, or `stands`.
    pub(super) fn words(&self) -> String {
        let parts = [
            (self.ahead, "m/s ahead", "m/s back"),
            (self.right, "m/s to the right", "m/s to the left"),
            (self.turn, "°/s clockwise", "°/s counter-clockwise"),
        ];
        let moving = parts.into_iter().filter(|(amount, ..)| amount.abs() >= 0.005);
        let words: Vec<String> =
            moving.map(|(amount, one, other)| motion_text::signed(amount, 2, one, other)).collect();
        if words.is_empty() { "stands".to_owned() } else { words.join(", ") }
    }
}

/// Returns a table of the archive with its animations, and the number of unreadable ones.
/// Unreadable and missing animations are reported.
pub(super) fn library_of(archive: &Archive<File>, table: RecordId) -> (Arc<MotionLibrary>, u64) {
    let mut loader = LibraryLoader::new(archive, MotionLibrary::default());
    loader.table(table);
    let loaded = loader.finish();
    loaded.faults.iter().for_each(|fault| warn(&format!("{fault}")));
    for missing in &loaded.missing_animations {
        warn(&format!(
            "{missing} is not in the archive; a motion without any other animation repeats the link that led to it"
        ));
    }
    (Arc::new(loaded.library), loaded.faults.len() as u64)
}

/// Returns a treadmill that stands in a stance.
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

/// Returns the default motion: a run, else a walk, else standing.
fn usual(legs: &Treadmill) -> MotionCommand {
    let has = |motion: &MotionCommand| legs.clone().begin(*motion, 1.0).is_ok();
    [MotionCommand::RUN_FORWARD, MotionCommand::WALK_FORWARD]
        .into_iter()
        .find(has)
        .unwrap_or(MotionCommand::READY)
}

/// Begins a motion. As in the client, backward and left motions play forward and right ones at a
/// negative speed, whatever the table has. Returns the motion begun, and its speed.
fn begin(legs: &mut Treadmill, motion: MotionCommand, speed: f32) -> Result<(MotionCommand, f32)> {
    let (played, speed) = match motion {
        MotionCommand::WALK_BACKWARDS => (MotionCommand::WALK_FORWARD, speed * -BACKWARDS_FACTOR),
        MotionCommand::TURN_LEFT => (MotionCommand::TURN_RIGHT, -speed),
        MotionCommand::SIDESTEP_LEFT => (MotionCommand::SIDESTEP_RIGHT, -speed),
        motion => (motion, speed),
    };
    match legs.begin(played, speed) {
        Ok(()) => Ok((played, speed)),
        Err(_) => bail!("there is no {} in this stance", name(played)),
    }
}

/// Returns the turn of a movement in degrees clockwise.
fn turn_of(way: &Pose) -> f64 {
    let heading = f64::from(way.heading().degrees());
    if heading > 180.0 { heading - 360.0 } else { heading }
}

fn play(legs: &mut Treadmill, seconds: f64, step: f64) -> Vec<Step> {
    let count = (seconds / step).round().max(1.0) as usize;
    // Long runs exceed the precision of a pose, so the path is summed here.
    let (mut at, mut facing) = ([0.0; 3], Pose::IDENTITY);
    let keyframe =
        |legs: &Treadmill| legs.playing().map(|playing| (playing.animation, playing.frame.floor()));
    let mut before = keyframe(legs);
    let one = |number: usize| {
        let (mut left, mut hooks, mut ended) = (Vec::new(), Vec::new(), 0);
        let way = legs.play(step as f32, |played| match played {
            Played::Keyframe { frame, .. } if left.len() < MAX_PASSED => left.push(frame),
            Played::Hook(hook) if hooks.len() < MAX_PASSED => hooks.push(hook),
            Played::Ended => ended += 1,
            Played::Keyframe { .. } | Played::Hook(_) => {}
        });
        let moved = facing.to_global(way.origin()).to_array();
        at = std::array::from_fn(|axis| at[axis] + f64::from(moved[axis]));
        facing = facing.combine(&way).with_origin(Vec3::ZERO).unwrap_or(facing);
        let now = keyframe(legs);
        Step {
            time: (number + 1) as f64 * step,
            at,
            heading: f64::from(facing.heading().degrees()),
            speed: length(way.origin()) / step,
            turn: turn_of(&way) / step,
            playing: legs.playing().map(|playing| (RecordId(playing.animation), playing.frame)),
            is_marked: std::mem::replace(&mut before, now) != now || !left.is_empty(),
            left,
            hooks,
            ended,
        }
    };
    (0..count).map(one).collect()
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
        format!(" (played as {} at {:.3})", name(began.0), began.1 + 0.0)
    };
    let speed = args.speed + 0.0;
    format!("{}: {from}{} at speed {speed} in {}{instead}", args.table, name(asked), name(style))
}

/// Returns a remark if the motion played is not simply the one begun.
fn note(legs: &Treadmill, began: MotionCommand) -> String {
    let (_, posture) = legs.posture();
    if began.is_cycle() && !began.is_modifier() && posture != began {
        return format!(
            "the body does not stay in {}, because the table returns to {}",
            name(began),
            name(posture)
        );
    }
    let on_top: Vec<String> = legs.modifiers().iter().map(|(motion, _)| name(*motion)).collect();
    if on_top.is_empty() {
        String::new()
    } else {
        format!("{}, with {} on top", name(posture), on_top.join(", "))
    }
}

/// Returns the name of a motion, or its number.
pub(super) fn name(motion: MotionCommand) -> String {
    motion_name(motion).map_or_else(|| format!("0x{:08X}", motion.0), str::to_owned)
}

/// Returns the name of the motion with this index, or its number.
pub(super) fn index_words(index: u16) -> String {
    evenstride_tables::index_name(index).map_or_else(|| format!("0x{index:04X}"), str::to_owned)
}

/// Returns the stances of a table in words, those with names like the wanted one first.
fn stances(table: &MotionTable, wanted: MotionCommand) -> String {
    let styles: Vec<String> =
        table.style_defaults.iter().map(|(style, _)| name(MotionCommand(*style))).collect();
    let styles = nearest_first(&name(wanted), styles.iter().map(String::as_str));
    format!(
        "{} has {}",
        table.id,
        if styles.is_empty() { "no stances".to_owned() } else { styles.join(", ") }
    )
}

/// Returns the motions of a stance in words, those with names like the wanted one first. The motions
/// of the default stance are included, because they serve every stance.
fn known(table: &MotionTable, style: MotionCommand, wanted: MotionCommand) -> String {
    let styles = [style.0 & 0xFFFF, table.default_style & 0xFFFF];
    let keys = table.cycles.iter().map(|motion| motion.key).filter(|key| styles.contains(&(key >> 16)));
    let cycles: BTreeSet<u16> = keys.map(|key| key as u16).collect();
    let words: Vec<String> = cycles.into_iter().map(index_words).collect();
    let words = nearest_first(&name(wanted), words.iter().map(String::as_str));
    format!("{}: {} has {}", table.id, name(style), words.join(", "))
}
