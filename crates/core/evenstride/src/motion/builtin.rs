//! Motion without any game files: invented animations with the client's speeds.
//!
//! Nothing here was taken from the game's archives. Speeds are those the client itself computes with; lengths of clips and how they begin
//! and end are made up to look sensible, and so that a recorded run comes out about as long as it was (`tests` below).

use alloc::{vec, vec::Vec};

use evenstride_types::{Pose, Rotation, Vec3, update::MotionCommand};

use crate::motion::{
    Animation, Clip, Motion, MotionLibrary, MotionTable,
    interpreter::{RUN_SPEED, SIDESTEP_SPEED, TURN_SPEED, WALK_SPEED},
};

/// The built-in table for people. It has the number that the game's own table for people has, which takes its place if it is there.
pub const BUILT_IN_HUMANOID: u32 = 0x0900_0001;

/// The built-in table for everybody else whose own is not there. The game has none of this number.
pub const BUILT_IN_CREATURE: u32 = 0x0900_0000;

/// Keyframes a second.
const RATE: f32 = 30.0;

/// How far a stride sways to either side, in metres: what recorded creatures do too.
const SWAY: f32 = 0.01;

/// Numbers of the invented animations; the game's own begin with 03.
const FIRST_ANIMATION: u32 = 0xEA00_0000;

const STYLES: [u32; 13] = [0x3C, 0x3D, 0x3E, 0x3F, 0x40, 0x41, 0x43, 0x44, 0x45, 0x46, 0x47, 0x49, 0x138];

impl MotionLibrary {
    /// Animations and tables that need no game files: [`BUILT_IN_HUMANOID`] and [`BUILT_IN_CREATURE`].
    pub fn built_in() -> Self {
        let mut library = Self::default();
        let people = Figure { stride_frames: 20, walk_frames: 30, styles: &STYLES };
        let creatures =
            Figure { stride_frames: 16, walk_frames: 24, styles: &[0x3C, 0x3D, 0x3E, 0x3F, 0x48] };
        for (number, figure) in [(BUILT_IN_HUMANOID, people), (BUILT_IN_CREATURE, creatures)] {
            let table = figure.table(&mut library);
            library.add_built_in_table(number, table);
        }
        library
    }
}

/// What a table is made from.
struct Figure {
    stride_frames: u32,
    walk_frames: u32,
    styles: &'static [u32],
}

impl Figure {
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
        // From standing to a stride: half its speed on average. From a stride to standing: what momentum is left.
        let start_walk = add(library, 6, ramp(6, Vec3::Y * (WALK_SPEED / RATE), Ramp::Up));
        let start_run = add(library, 8, ramp(8, Vec3::Y * (RUN_SPEED / RATE), Ramp::Up));
        let stop_walk = add(library, 6, ramp(6, Vec3::Y * (WALK_SPEED / RATE), Ramp::Down));
        let stop_run = add(library, 12, ramp(12, Vec3::Y * (RUN_SPEED / RATE), Ramp::Down));
        let change = add(library, 10, Vec::new());
        let act = add(library, 30, Vec::new());

        for &index in self.styles {
            let style = style_of(index);
            let key = |motion| MotionTable::key(style, motion);
            table.set_style_default(style, MotionCommand::READY);
            table.set_cycle(key(MotionCommand::READY), clip(still));
            table.set_cycle(key(MotionCommand::WALK_FORWARD), clip(walk));
            table.set_cycle(key(MotionCommand::RUN_FORWARD), clip(run));
            // On the spot these are motions of their own; on the way they come on top of others.
            let only = Motion::FROM_DEFAULT_ONLY;
            table.set_cycle(key(MotionCommand::SIDESTEP_RIGHT), Motion { bits: only, ..clip(aside) });
            table.set_cycle(key(MotionCommand::TURN_RIGHT), Motion { bits: only, ..turning(clip(turn)) });
            for posture in [MotionCommand::FALLING, MotionCommand::DEAD] {
                table.set_cycle(key(posture), Motion { bits: Motion::NO_MODIFIERS, ..clip(pose) });
            }
            table.set_link(key(MotionCommand::READY), MotionCommand::WALK_FORWARD, clip(start_walk));
            table.set_link(key(MotionCommand::READY), MotionCommand::RUN_FORWARD, clip(start_run));
            table.set_link(key(MotionCommand::WALK_FORWARD), MotionCommand::READY, clip(stop_walk));
            table.set_link(key(MotionCommand::RUN_FORWARD), MotionCommand::READY, clip(stop_run));
        }
        // Found from every stance.
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

/// Postures that go round without going anywhere: crouching, sitting, sleeping, lying, aiming, casting, eating, reading.
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

/// Actions, first and last: blows, shots, staggers and spells; gestures.
const ACTIONS: [(u32, u32); 2] = [(0x1000_004A, 0x1000_0078), (0x1300_0079, 0x1300_00E7)];

enum Ramp {
    Up,
    Down,
}

fn add(library: &mut MotionLibrary, frames: u32, root: Vec<Pose>) -> u32 {
    let number = FIRST_ANIMATION + library.len();
    if let Ok(animation) = Animation::new(frames, root) {
        library.add_animation(number, animation);
    }
    number
}

fn clip(animation: u32) -> Motion {
    Motion { clips: vec![Clip { animation, low: 0, high: -1, rate: RATE }], ..Motion::default() }
}

fn turning(motion: Motion) -> Motion {
    // To the right is clockwise, seen from above.
    Motion { omega: Vec3::new(0.0, 0.0, -TURN_SPEED), ..motion }
}

/// An even stride that sways: as far to one side as back again, so that it goes straight on. Played forward the first keyframe counts
/// twice and the last never; neither sways.
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

/// From nothing to a stride in equal steps, or the other way round.
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

fn at(origin: Vec3) -> Pose {
    Pose::new(origin, Rotation::IDENTITY).unwrap_or(Pose::IDENTITY)
}
