//! Any bytes as a saved world: refused with a reason, or a world that lives on like any other.
//!
//! ```text
//! choice          u8   whether the world has a library of its own
//! drawing length  u16
//! drawing              saved poses without their header
//! world                a saved world without its header
//! ```
//!
//! Headers are no obstacle, because everything of interest is behind them.

use std::sync::Arc;

use evenstride::{MotionWorld, SAVE_VERSION, animation::MotionLibrary, reseal};
use evenstride_damage::Input;
use evenstride_swarm::{draw::Draw, ground::Ground, play::play_on, script::after_restore};

/// Restores any bytes as a world.
pub fn restore(data: &[u8]) {
    let mut input = Input::new(data);
    let library = library(&mut input);
    let drawing = sealed(*b"EVSDRAWN", sized(&mut input));
    let rest = input.take(usize::MAX);
    let Ok(mut world) = MotionWorld::restore_with(&sealed(*b"EVSTRIDE", rest), Arc::clone(&library)) else {
        return;
    };
    let before = world.drawing_hash();
    if world.restore_drawing(&drawing).is_err() {
        assert_eq!(world.drawing_hash(), before, "refused poses change nothing");
    }
    // The last bytes choose what happens to it.
    let mut draw = Draw::from_bytes(&rest[rest.len().saturating_sub(200)..]);
    let (ground, ops) = (Ground::draw(&mut draw), after_restore(&mut draw, &world));
    if let Err(broken) = play_on(world, ground, &ops) {
        panic!("{broken}");
    }
}

/// Returns the library that the first byte chooses.
pub(crate) fn library(input: &mut Input<'_>) -> Arc<MotionLibrary> {
    let is_built_in = input.take(1).first().is_none_or(|choice| choice.is_multiple_of(2));
    Arc::new(if is_built_in { MotionLibrary::built_in() } else { own_library() })
}

/// Returns a library with a table of its own.
///
/// # Panics
///
/// If the text is invalid.
pub fn own_library() -> MotionLibrary {
    evenstride_tables::parse(include_str!("own_library.toml")).expect("it is valid")
}

/// Returns contents with a valid header before them.
pub(crate) fn sealed(magic: [u8; 8], contents: &[u8]) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    bytes.extend(SAVE_VERSION.to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend(contents);
    reseal(&mut bytes);
    bytes
}

/// Takes a length, and that many bytes.
pub(crate) fn sized<'a>(input: &mut Input<'a>) -> &'a [u8] {
    let length = input.take(2).iter().rev().fold(0, |length, byte| length << 8 | usize::from(*byte));
    input.take(length)
}
