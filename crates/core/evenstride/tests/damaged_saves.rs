//! Damaged saves of worlds, plain worlds and poses. They are refused with a reason, or are worlds that live on like any other.

use std::{sync::Arc, time::Duration};

use evenstride::{Config, MotionWorld, RestoreError, animation::MotionLibrary, generic::PlainWorld, reseal};
use evenstride_damage::{Choice, Dice, Flips, assert_peak_memory, bytes_of, damage, originals, within};
use evenstride_testkit::{assert_plain_world_lives_on, assert_world_lives_on, busy_plain_world, busy_worlds};

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

/// Restores damaged bytes, and uses the world if there is one.
fn restored(
    original: &Original,
    [bytes, drawing]: &[Vec<u8>; 2],
    library: &Arc<MotionLibrary>,
) -> Result<(), RestoreError> {
    match original.kind {
        Kind::Motion => {
            let mut world = MotionWorld::restore_with(bytes, Arc::clone(library))?;
            let _ = world.restore_drawing(drawing);
            assert_world_lives_on(&mut world, library, &[]);
        }
        Kind::Plain => {
            let mut world = PlainWorld::restore_with(bytes, Arc::clone(library))?;
            let _ = world.restore_drawing(drawing);
            assert_plain_world_lives_on(&mut world, library, &[]);
        }
    }
    Ok(())
}

fn try_saves(count: usize, seed: u64, longest: Duration) {
    let library = Arc::new(MotionLibrary::built_in());
    let originals = saves(&library);
    let (mut accepted, mut refused) = (0, 0);
    for number in 0..count {
        let mut dice = Dice::new(seed, number as u64);
        let original = &originals[dice.below(originals.len())];
        let is_sealed = number % 4 != 0;
        let files = [&original.world, &original.drawing].map(|saved| damaged(&mut dice, saved, is_sealed));
        let what = format!("save {number} of seed {seed} ({:?})", original.kind);
        match within(longest, &what, || restored(original, &files, &library)) {
            Ok(()) => {
                accepted += 1;
                assert!(is_sealed || files[0] == original.world, "{what}: damage is not noticed");
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    println!("damaged saves: {accepted} accepted, {refused} refused");
    assert!(accepted >= count / 50 && refused >= count / 50, "{accepted} accepted, {refused} refused");
    assert_peak_memory("damaged saves");
}

/// Number of saves, unless `EVENSTRIDE_DAMAGED_SAVES` gives another one. `cargo xtask test --long` does,
/// and then no save may take longer than two seconds.
const SAVES: usize = 600;

#[test]
fn damaged_saves_are_refused_or_live_on() {
    match std::env::var("EVENSTRIDE_DAMAGED_SAVES") {
        Ok(count) => try_saves(count.parse().unwrap(), 2, Duration::from_secs(2)),
        Err(_) => try_saves(SAVES, 1, Duration::MAX),
    }
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
            let result = restored(original, &[bytes, original.drawing.clone()], &library);
            let what = "a target with an invalid number";
            refused += usize::from(result == Err(RestoreError::Inconsistent { what }));
        }
    }
    assert!(refused > 0, "no world has a follower");
}
