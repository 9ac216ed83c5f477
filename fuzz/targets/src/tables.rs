//! Any text as motion tables: an error with its line, or tables that move a body by finite steps.

use std::sync::Arc;

use evenstride::animation::{MotionLibrary, Treadmill};
use evenstride_tables::parse_into;
use evenstride_types::update::MotionCommand;

/// Motions that bodies perform.
const MOTIONS: [MotionCommand; 5] = [
    MotionCommand::RUN_FORWARD,
    MotionCommand::TURN_RIGHT,
    MotionCommand::WALK_FORWARD,
    MotionCommand::SIDESTEP_RIGHT,
    MotionCommand::READY,
];

/// Parses any text as motion tables, and plays them.
pub fn tables(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match parse_into(text, MotionLibrary::default()) {
        Ok(library) => play(&Arc::new(library), text),
        Err(error) => {
            assert!((1..=text.split('\n').count()).contains(&error.line), "{error}");
            assert!(!error.what.trim().is_empty());
            assert_eq!(parse_into(text, MotionLibrary::default()).err(), Some(error));
        }
    }
}

/// Plays every table whose number stands in the text.
fn play(library: &Arc<MotionLibrary>, text: &str) {
    let is_number = |word: &&str| word.len() == 10 && word.starts_with("0x");
    let words = text.split(|character: char| !character.is_ascii_alphanumeric()).filter(is_number);
    let numbers = words.filter_map(|word| u32::from_str_radix(&word[2..], 16).ok());
    for number in numbers.take(8) {
        let Some(mut legs) = Treadmill::new(Arc::clone(library), number) else { continue };
        for motion in MOTIONS {
            let _ = legs.begin(motion, 1.5);
            for _ in 0..10 {
                assert!(legs.play(0.04, |_| {}).origin().is_finite());
            }
        }
    }
}
