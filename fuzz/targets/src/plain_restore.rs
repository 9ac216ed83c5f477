//! Any bytes as a saved plain world: refused with a reason, or a plain world that lives on like any other.
//!
//! ```text
//! choice          u8   whether the world has a library of its own
//! drawing length  u16
//! drawing              saved poses without their header
//! parts length    u16
//! parts                the parts that only a plain world has
//! motion               a saved world without its header
//! ```

use std::sync::Arc;

use evenstride::generic::PlainWorld;
use evenstride_damage::Input;
use evenstride_swarm::{draw::Draw, ground::Ground, play::play_on, script::after_plain_restore};

use crate::restore::{library, sealed, sized};

/// Restores any bytes as a plain world.
pub fn plain_restore(data: &[u8]) {
    let mut input = Input::new(data);
    let library = library(&mut input);
    let drawing = sealed(*b"EVSDRAWN", sized(&mut input));
    let parts = sized(&mut input);
    let motion = sealed(*b"EVSTRIDE", input.take(usize::MAX));
    let saved = sealed(*b"EVSPLAIN", &[parts, &motion].concat());
    let Ok(mut world) = PlainWorld::restore_with(&saved, Arc::clone(&library)) else { return };
    let before = world.motion().drawing_hash();
    if world.restore_drawing(&drawing).is_err() {
        assert_eq!(world.motion().drawing_hash(), before, "refused poses change nothing");
    }
    // The last bytes choose what happens to it.
    let mut draw = Draw::from_bytes(&data[data.len().saturating_sub(200)..]);
    let (ground, ops) = (Ground::draw(&mut draw), after_plain_restore(&mut draw, &world));
    if let Err(broken) = play_on(world, ground, &ops) {
        panic!("{broken}");
    }
}
