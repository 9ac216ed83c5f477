//! Motion without any game files, from invented animations with the client's speeds.
//!
//! Nothing here was taken from the game's archives. Speeds are those that the client itself
//! computes with. The lengths of clips, and their starts and stops, are made up to look sensible. A
//! replayed run covers about the same distance as in its recording. The test
//! `a_recorded_run_comes_out_as_long_as_it_was` in `tests/scenarios` measures that. Archives and
//! text replace these tables through [`MotionLibrary`].

use alloc::{vec, vec::Vec};

use evenstride_types::{Pose, Rotation, Vec3, update::MotionCommand};

use crate::motion::{
    Animation, Clip, Motion, MotionLibrary, MotionTable,
    interpreter::{RUN_SPEED, SIDESTEP_SPEED, TURN_SPEED, WALK_SPEED},
};

/// Number of the built-in table for players. The game's own table for people has the same number,
/// and replaces this one when it is added.
pub const BUILT_IN_HUMANOID: u32 = 0x0900_0001;

/// Number of the built-in table for every other body whose own table is missing. The game has no
/// table with this number.
pub const BUILT_IN_CREATURE: u32 = 0x0900_0000;

/// Rate of all invented animations, in keyframes per second.
const RATE: f32 = 30.0;

/// Distance that a stride sways to either side, in metres. Recorded creatures sway too.
const SWAY: f32 = 0.01;

/// Number of the first invented animation. The game's own numbers begin with 03.
const FIRST_ANIMATION: u32 = 0xEA00_0000;

/// Stances of the humanoid table, as indices of style commands.
const STYLES: [u32; 13] = [0x3C, 0x3D, 0x3E, 0x3F, 0x40, 0x41, 0x43, 0x44, 0x45, 0x46, 0x47, 0x49, 0x138];

impl MotionLibrary {
    /// Returns a library that needs no game files. It has the tables [`BUILT_IN_HUMANOID`] and
    /// [`BUILT_IN_CREATURE`], and no models.
    pub fn built_in() -> Self {
        Self::built_in_with_ramps(1.0)
    }

    /// Returns the built-in library with starts and stops that take `factor` times as long (default:
    /// 1).
    ///
    /// With 0, bodies start and stop at once. Factors outside 0 to 100 are clamped, and NaN counts
    /// as 1. Use it to test how motion looks if the recorded animations differ from the played
    /// ones.
    ///
    /// ```
    /// use evenstride::animation::{BUILT_IN_HUMANOID, MotionLibrary, Treadmill};
    /// use evenstride::types::update::MotionCommand;
    ///
    /// let first_half_second = |factor| {
    ///     let library = MotionLibrary::built_in_with_ramps(factor).into();
    ///     let mut legs = Treadmill::new(library, BUILT_IN_HUMANOID)?;
    ///     legs.begin(MotionCommand::RUN_FORWARD, 1.0).ok()?;
    ///     Some((0..15).map(|_| legs.play(1.0 / 30.0, |_| {}).origin().y).sum::<f32>())
    /// };
    /// assert!(first_half_second(0.0) > first_half_second(1.0));
    /// assert!(first_half_second(1.0) > first_half_second(1.4));
    /// ```
    pub fn built_in_with_ramps(factor: f32) -> Self {
        let mut library = Self::default();
        let ramp_factor = if factor.is_nan() { 1.0 } else { factor.clamp(0.0, 100.0) };
        let people = Figure { stride_frames: 20, walk_frames: 30, styles: &STYLES, ramp_factor };
        let creatures = Figure {
            stride_frames: 16,
            walk_frames: 24,
            styles: &[0x3C, 0x3D, 0x3E, 0x3F, 0x48],
            ramp_factor,
        };
        for (number, figure) in [(BUILT_IN_HUMANOID, people), (BUILT_IN_CREATURE, creatures)] {
            let table = figure.table(&mut library);
            library.add_built_in_table(number, table);
        }
        library
    }
}

/// The dimensions of a built-in table.
struct Figure {
    /// Keyframes of one running stride.
    stride_frames: u32,
    /// Keyframes of one walking stride and of one sidestep.
    walk_frames: u32,
    /// Stances of the table, as indices of style commands.
    styles: &'static [u32],
    /// Factor on the duration of starts and stops, 0 to 100.
    ramp_factor: f32,
}

impl Figure {
    /// Builds the table, and adds its animations to the library.
    fn table(&self, library: &mut MotionLibrary) -> MotionTable {
        let style_of = |index: u32| MotionCommand(0x8000_0000 | index);
        let mut table = MotionTable::new(MotionCommand::NON_COMBAT);
        let still = add(library, 30, Vec::new());
        let pose = add(library, 15, Vec::new());
        let turn = add(library, 24, Vec::new());
        let walk = add(library, self.walk_frames, stride(self.walk_frames, Vec3::Y * (WALK_SPEED / RATE)));
        let run = add(library, self.stride_frames, stride(self.stride_frames, Vec3::Y * (RUN_SPEED / RATE)));
        let aside =
            add(library, self.walk_frames, stride(self.walk_frames, Vec3::X * (SIDESTEP_SPEED / RATE)));
        // A start averages half the speed of its stride. A stop uses up the remaining momentum.
        let mut ramps = |frames: u32, speed: f32, way: Ramp| {
            // At most 1200 keyframes.
            let frames = libm::roundf(frames as f32 * self.ramp_factor) as u32;
            (frames > 0).then(|| add(library, frames, ramp(frames, Vec3::Y * (speed / RATE), way)))
        };
        let start_walk = ramps(6, WALK_SPEED, Ramp::Up);
        let start_run = ramps(8, RUN_SPEED, Ramp::Up);
        let stop_walk = ramps(6, WALK_SPEED, Ramp::Down);
        let stop_run = ramps(12, RUN_SPEED, Ramp::Down);
        let change = add(library, 10, Vec::new());
        let act = add(library, 30, Vec::new());

        for &index in self.styles {
            let style = style_of(index);
            let key = |motion| MotionTable::key(style, motion);
            table.set_style_default(style, MotionCommand::READY);
            table.set_cycle(key(MotionCommand::READY), clip(still));
            table.set_cycle(key(MotionCommand::WALK_FORWARD), clip(walk));
            table.set_cycle(key(MotionCommand::RUN_FORWARD), clip(run));
            // From the default posture these are cycles of their own. While the body moves they
            // become modifiers.
            let only = Motion::FROM_DEFAULT_ONLY;
            table.set_cycle(key(MotionCommand::SIDESTEP_RIGHT), Motion { bits: only, ..clip(aside) });
            table.set_cycle(key(MotionCommand::TURN_RIGHT), Motion { bits: only, ..turning(clip(turn)) });
            for posture in [MotionCommand::FALLING, MotionCommand::DEAD] {
                table.set_cycle(key(posture), Motion { bits: Motion::NO_MODIFIERS, ..clip(pose) });
            }
            for (from, to, ramp) in [
                (MotionCommand::READY, MotionCommand::WALK_FORWARD, start_walk),
                (MotionCommand::READY, MotionCommand::RUN_FORWARD, start_run),
                (MotionCommand::WALK_FORWARD, MotionCommand::READY, stop_walk),
                (MotionCommand::RUN_FORWARD, MotionCommand::READY, stop_run),
            ] {
                if let Some(ramp) = ramp {
                    table.set_link(key(from), to, clip(ramp));
                }
            }
        }
        // The player falls back to this stance for cycles that another stance lacks.
        for posture in POSTURES {
            table.set_cycle(MotionTable::key(MotionCommand::NON_COMBAT, MotionCommand(posture)), clip(pose));
        }
        for (first, last) in ACTIONS {
            table.set_any_link(MotionCommand(first), MotionCommand(last), clip(act));
        }
        table.set_any_link(MotionCommand(0x8000_0000), MotionCommand(0x8000_FFFF), clip(change));
        let bare = |motion: MotionCommand| motion.0 & 0x00FF_FFFF;
        table.set_modifier(bare(MotionCommand::TURN_RIGHT), turning(Motion::default()));
        let velocity = Vec3::X * SIDESTEP_SPEED;
        table.set_modifier(bare(MotionCommand::SIDESTEP_RIGHT), Motion { velocity, ..Motion::default() });
        table
    }
}

/// Postures that repeat on the spot, such as crouching, sitting, sleeping, lying, aiming, casting,
/// eating and reading.
const POSTURES: [u32; 14] = [
    0x4000_0008,
    0x4100_0012,
    0x4100_0013,
    0x4100_0014,
    0x4000_0016,
    0x4000_0018,
    0x4000_001A,
    0x4000_001B,
    0x4000_001C,
    0x4000_001E,
    0x4000_002B,
    0x4000_002C,
    0x4000_0030,
    0x4000_0039,
];

/// First and last command of each range of actions. The first range has blows, shots, staggers and
/// spells, and the second has gestures.
const ACTIONS: [(u32, u32); 2] = [(0x1000_004A, 0x1000_0078), (0x1300_0079, 0x1300_00E7)];

/// The direction of a [`ramp`].
enum Ramp {
    /// From standing to a stride.
    Up,
    /// From a stride to standing.
    Down,
}

/// Adds an animation, and returns its number.
fn add(library: &mut MotionLibrary, frames: u32, root: Vec<Pose>) -> u32 {
    let number = FIRST_ANIMATION + library.len();
    if let Ok(animation) = Animation::new(frames, root) {
        library.add_animation(number, animation);
    }
    number
}

/// Returns a motion of one whole animation.
fn clip(animation: u32) -> Motion {
    Motion { clips: vec![Clip { animation, low: 0, high: -1, rate: RATE }], ..Motion::default() }
}

/// Returns a motion with the spin of a turn to the right.
fn turning(motion: Motion) -> Motion {
    // A turn to the right is clockwise from above, which is a negative spin.
    Motion { omega: Vec3::new(0.0, 0.0, -TURN_SPEED), ..motion }
}

/// Returns the root motion of an even stride that sways to one side and back by the same distance.
///
/// Played forward, the first keyframe counts twice and the last never. Neither of them sways, so
/// the stride goes straight on.
fn stride(frames: u32, each: Vec3) -> Vec<Pose> {
    let side = if each.x == 0.0 { Vec3::X } else { Vec3::Y };
    (0..frames)
        .map(|frame| {
            let inner = frames - 2;
            let sway = match frame.checked_sub(1) {
                Some(place) if place < inner => {
                    if place * 2 < inner {
                        1.0
                    } else {
                        -1.0
                    }
                }
                _ => 0.0,
            };
            at(each + side * (sway * SWAY / inner as f32 * 2.0))
        })
        .collect()
}

/// Returns the root motion that grows from nothing to a stride in equal steps, or shrinks to
/// nothing.
fn ramp(frames: u32, each: Vec3, way: Ramp) -> Vec<Pose> {
    (0..frames)
        .map(|frame| {
            let done = (frame as f32 + 0.5) / frames as f32;
            at(each
                * match way {
                    Ramp::Up => done,
                    Ramp::Down => 1.0 - done,
                })
        })
        .collect()
}

/// Returns a pose that only moves.
fn at(origin: Vec3) -> Pose {
    Pose::new(origin, Rotation::IDENTITY).unwrap_or(Pose::IDENTITY)
}
