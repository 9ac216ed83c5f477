//! First light is a scripted capture of two minutes, written with the real codec.
//!
//! Vesper stands in a field and records. Ilse walks, runs, jumps, takes a portal and runs from a
//! drudge, which catches her and hits her twice. Later Vesper takes a walk of her own.
//!
//! The server sends the same messages as recorded servers, with the same timing. A player's
//! positions are sent at most once per second, and her movements at once. A creature's positions
//! are sent five times per second while it moves, and never while it follows.

mod cast;
mod crowd;

use cast::{Drudge, Player};
pub use crowd::crowd;
use evenstride_types::{
    CellId, EntityId, Heading, Placement, Pose, Rotation, Vec3,
    update::{MotionCommand, Update},
};
use evenstride_wire::Message;

use crate::Tape;

/// The player whose client records.
pub const VESPER: EntityId = EntityId::new(0x5000_0001);
/// The player in view.
pub const ILSE: EntityId = EntityId::new(0x5000_0002);
/// The creature that chases Ilse.
pub const DRUDGE: EntityId = EntityId::new(0x8000_0010);

/// Steps of the script per second.
const RATE: u32 = 60;

/// Length in seconds.
const SECONDS: u32 = 120;

/// Returns the capture as the bytes of a pcap file.
///
/// # Errors
/// Never in practice, because the file is in memory and all places are on the map.
pub fn first_light() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut tape = Tape::new()?;
    let mut vesper = Player::new(VESPER, "Vesper", at(96.0, 84.0, 0.0)?);
    let mut ilse = Player::new(ILSE, "Ilse", at(90.0, 100.0, 90.0)?);
    let mut drudge = Drudge::new(DRUDGE, "Drudge Skulker", at(70.0, 130.0, 180.0)?);

    tape.server(&[
        Message::Update(Update::LocalPlayer(VESPER)),
        vesper.created(),
        ilse.created(),
        drudge.created(),
    ])?;
    for step in 1..=SECONDS * RATE {
        tape.time = f64::from(step) / f64::from(RATE);
        // The cues of this step.
        let cue = |seconds: f64| step == (seconds * f64::from(RATE)) as u32;
        if cue(1.0) {
            vesper.keys(MotionCommand::READY, 1.0, 0.0);
        } else if cue(3.0) {
            ilse.keys(MotionCommand::WALK_FORWARD, 1.0, 0.0);
        } else if cue(9.0) {
            ilse.keys(MotionCommand::READY, 1.0, 0.0);
        } else if cue(11.0) {
            ilse.keys(MotionCommand::READY, 1.0, -1.5);
        } else if cue(11.5) {
            ilse.keys(MotionCommand::RUN_FORWARD, 1.5, 0.0);
        } else if cue(14.0) {
            ilse.keys(MotionCommand::RUN_FORWARD, 1.5, 1.5);
        } else if cue(15.5) {
            ilse.keys(MotionCommand::RUN_FORWARD, 1.5, 0.0);
        } else if cue(19.5) {
            ilse.jump(4.6);
        } else if cue(23.0) || cue(43.5) || cue(53.0) || cue(90.0) {
            ilse.keys(MotionCommand::READY, 1.0, 0.0);
        } else if cue(26.0) {
            ilse.jump(3.5);
        } else if cue(32.0) {
            ilse.teleport(at(124.0, 98.0, 250.0)?);
        } else if cue(38.0) {
            ilse.keys(MotionCommand::WALK_FORWARD, 1.0, 0.0);
        } else if cue(47.0) {
            ilse.keys(MotionCommand::READY, 1.0, 1.0);
        } else if cue(48.0) {
            ilse.keys(MotionCommand::WALK_FORWARD, -0.65, 0.0);
        } else if cue(56.0) {
            drudge.chases(&ilse);
        } else if cue(60.0) {
            ilse.keys(MotionCommand::RUN_FORWARD, 1.5, 0.0);
        } else if cue(64.0) || cue(72.0) || cue(80.0) {
            ilse.keys(MotionCommand::RUN_FORWARD, 1.5, -1.5);
        } else if cue(65.2) || cue(73.4) || cue(81.0) {
            ilse.keys(MotionCommand::RUN_FORWARD, 1.5, 0.0);
        } else if cue(95.0) || cue(97.5) {
            drudge.strikes(&ilse);
        } else if cue(100.0) {
            vesper.keys(MotionCommand::WALK_FORWARD, 1.0, 0.0);
        } else if cue(103.0) {
            vesper.keys(MotionCommand::WALK_FORWARD, 1.0, 1.0);
        } else if cue(105.0) {
            vesper.keys(MotionCommand::READY, 1.0, 0.0);
        } else if cue(110.0) {
            drudge.dies();
        }
        vesper.step(tape.time);
        ilse.step(tape.time);
        drudge.step(tape.time, &ilse);
        let (said, echoed) = vesper.speak(tape.time, true);
        tape.client(&said)?;
        let mut sent = echoed;
        sent.extend(ilse.speak(tape.time, false).1);
        sent.extend(drudge.speak(tape.time));
        if cue(114.0) {
            sent.push(drudge.deleted());
        } else if cue(118.0) {
            sent.push(ilse.deleted());
        }
        tape.server(&sent)?;
    }
    Ok(tape.finish()?)
}

/// Returns a place on the flat field of the sample.
fn at(x: f32, y: f32, heading: f32) -> Result<Placement, Box<dyn std::error::Error>> {
    let pose = Pose::new(Vec3::new(x, y, 12.0), Rotation::facing(Heading::from_degrees(heading)?))?;
    Ok(Placement::new(CellId::new(0xA9B4_0001)?, pose).settled_outdoors()?)
}
