//! Damaged saves of worlds, plain worlds and poses. They are refused with a reason, or are worlds that live on like any other.

use std::sync::Arc;

use evenstride::{Config, MotionWorld, RestoreError, animation::MotionLibrary, generic::PlainWorld, reseal};
use evenstride_damage::{Choice, Dice, Flips, Series, assert_peak_memory, bytes_of, damage, originals};
use evenstride_swarm::{
    draw::Draw,
    ground::Ground,
    play::play_on,
    script::{after_plain_restore, after_restore},
};
use evenstride_testkit::{busy_plain_world, busy_worlds};

/// Bytes before the contents of a save.
const HEADER_BYTES: usize = 20;

/// A saved world with its poses.
struct Original {
    kind: Kind,
    world: Vec<u8>,
    drawing: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Motion,
    Plain,
}

fn saves(library: &Arc<MotionLibrary>) -> Vec<Original> {
    let mut saves = Vec::new();
    for (_, config) in Config::PROFILES {
        for world in busy_worlds(config, library) {
            saves.push(Original { kind: Kind::Motion, world: world.save(), drawing: world.save_drawing() });
        }
        let world = busy_plain_world(config, library);
        saves.push(Original { kind: Kind::Plain, world: world.save(), drawing: world.save_drawing() });
    }
    saves
}

/// Returns damaged bytes. With a seal, the fingerprints are right again.
fn damaged(dice: &mut Dice, saved: &[u8], is_sealed: bool) -> Vec<u8> {
    let mut spots = originals(saved);
    if dice.below(2) == 0 {
        damage(dice, &mut spots, if is_sealed { HEADER_BYTES } else { 0 }, Flips::Any);
    } else {
        // The length stays, so that most of the save is still read.
        for _ in 0..=dice.below(3) {
            let at = HEADER_BYTES + dice.below(spots.len() - HEADER_BYTES);
            spots[at].0 = [0, 1, 0x7F, 0x80, 0xFF, dice.garbage()][dice.below(6)];
        }
    }
    let mut bytes = bytes_of(&spots);
    if is_sealed {
        // A plain world contains another save.
        if let Some(at) = bytes.windows(8).position(|window| window == b"EVSTRIDE") {
            reseal(&mut bytes[at..]);
        }
        reseal(&mut bytes);
    }
    bytes
}

/// Restores damaged bytes, and plays on with the world if there is one.
fn restored(
    original: &Original,
    [bytes, drawing]: &[Vec<u8>; 2],
    library: &Arc<MotionLibrary>,
    draw: &mut Draw<'_>,
) -> Result<(), RestoreError> {
    match original.kind {
        Kind::Motion => {
            let mut world = MotionWorld::restore_with(bytes, Arc::clone(library))?;
            let _ = world.restore_drawing(drawing);
            let (ground, ops) = (Ground::draw(draw), after_restore(draw, &world));
            play_on(world, ground, &ops).unwrap_or_else(|broken| panic!("{broken}"));
        }
        Kind::Plain => {
            let mut world = PlainWorld::restore_with(bytes, Arc::clone(library))?;
            let _ = world.restore_drawing(drawing);
            let (ground, ops) = (Ground::draw(draw), after_plain_restore(draw, &world));
            play_on(world, ground, &ops).unwrap_or_else(|broken| panic!("{broken}"));
        }
    }
    Ok(())
}

/// `cargo xtask test --long` restores many more.
#[test]
fn damaged_saves_are_refused_or_live_on() {
    let series = Series::from_env("EVENSTRIDE_DAMAGED_SAVES", 600);
    let library = Arc::new(MotionLibrary::built_in());
    let originals = saves(&library);
    let (mut accepted, mut refused) = (0, 0);
    for number in 0..series.count {
        let mut dice = series.dice(number);
        let original = &originals[dice.below(originals.len())];
        let is_sealed = number % 4 != 0;
        let files = [&original.world, &original.drawing].map(|saved| damaged(&mut dice, saved, is_sealed));
        let name = series.name(number, &format!("{:?}", original.kind));
        let draw = &mut Draw::seeded(number as u64);
        match series.timed(&name, || restored(original, &files, &library, draw)) {
            Ok(()) => {
                accepted += 1;
                assert!(is_sealed || files[0] == original.world, "{name}: damage is not noticed");
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    println!("damaged saves: {accepted} accepted, {refused} refused");
    assert!(
        accepted >= series.count / 50 && refused >= series.count / 50,
        "{accepted} accepted, {refused} refused"
    );
    assert_peak_memory("damaged saves");
}

/// The next notice rounded the look-ahead to infinity, and the world's own save was refused.
#[test]
fn a_look_ahead_beyond_any_f32_is_refused() {
    let library = Arc::new(MotionLibrary::built_in());
    let originals = saves(&library);
    let mut refused = 0;
    for original in originals.iter().filter(|original| matches!(original.kind, Kind::Motion)) {
        // The look-ahead of a follower is half a second.
        let half = 0.5f64.to_le_bytes();
        let places: Vec<usize> =
            (0..original.world.len() - 8).filter(|at| original.world[*at..*at + 8] == half).collect();
        for at in places {
            let mut bytes = original.world.clone();
            bytes[at..at + 8].copy_from_slice(&1e300f64.to_le_bytes());
            reseal(&mut bytes);
            let result =
                restored(original, &[bytes, original.drawing.clone()], &library, &mut Draw::seeded(1));
            let what = "a target with an invalid number";
            refused += usize::from(result == Err(RestoreError::Inconsistent { what }));
        }
    }
    assert!(refused > 0, "no world has a follower");
}
