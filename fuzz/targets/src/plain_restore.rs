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

use evenstride::generic::{PlainPose, PlainUpdate, PlainWorld};
use evenstride_damage::Input;
use evenstride_testkit::assert_plain_world_lives_on;

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
    let updates = updates(&world, data);
    assert_plain_world_lives_on(&mut world, &library, &updates);
}

/// Returns updates about entities of the world and about a new one. The last bytes make them.
fn updates(world: &PlainWorld, data: &[u8]) -> Vec<(u64, PlainUpdate)> {
    let mut input = Input::new(&data[data.len().saturating_sub(100)..]);
    let mut entities: Vec<u64> = world.entities().take(4).collect();
    entities.push(0xE7E2);
    let mut updates = Vec::new();
    for (number, entity) in entities.iter().cycle().take(12).enumerate() {
        let mut float = || f32::from_bits(input.word());
        let near = [number as f64, 1.0, 0.5];
        let far = [f64::from(float()), f64::from(float()), 0.0];
        let update = PlainUpdate::new(PlainPose::at(if number % 3 == 0 { far } else { near }));
        let update = if number % 2 == 0 { update } else { update.moving([float(), 1.0, 0.0]) };
        updates.push((*entity, PlainUpdate { teleports: number % 5 == 4, ..update }));
    }
    updates
}
