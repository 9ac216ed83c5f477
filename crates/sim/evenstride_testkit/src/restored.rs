//! Checks that a restored world is as good as any other, whatever its bytes were.

use std::sync::Arc;

use evenstride::{
    FlatGround, MotionWorld, OpenField, Surroundings,
    animation::MotionLibrary,
    generic::{PlainPose, PlainUpdate, PlainWorld},
    surroundings::Heightfield,
};
use evenstride_types::{LandblockId, Rotation, SimTime, update::Update};

/// Frames for which a restored world is stepped.
const FRAMES: usize = 42;

/// Frames after which the world is compared with its own save.
const FRAMES_AFTER: usize = 4;

/// Largest number of entities that are looked at in each frame.
const LOOKED_AT: usize = 64;

/// Steps a world for 42 frames in three kinds of surroundings, and handles updates in between. Then
/// saves and restores it, and compares the two.
///
/// # Panics
///
/// If a pose is not finite, or the restored world differs.
pub fn assert_world_lives_on(world: &mut MotionWorld, library: &Arc<MotionLibrary>, updates: &[Update]) {
    let hills = hills();
    let grounds: [&dyn Surroundings; 3] = [&OpenField, &FlatGround { z: 0.0 }, &hills];
    for frame in 0..FRAMES {
        let ground = grounds[frame * grounds.len() / FRAMES];
        let now = next_frame(world.now());
        let _ = world.advance(now, ground);
        if let Some(update) = updates.get(frame / 3).filter(|_| frame % 3 == 1) {
            let _ = world.handle(now, update, ground);
        }
        assert_drawn(world, now);
    }
    let saved = world.save();
    let mut again = MotionWorld::restore_with(&saved, Arc::clone(library)).expect("its own save is accepted");
    again.restore_drawing(&world.save_drawing()).expect("its own drawing is accepted");
    assert!(again.save() == saved, "saved again, it is another file");
    for _ in 0..FRAMES_AFTER {
        let now = next_frame(world.now());
        let _ = (world.advance(now, &OpenField), again.advance(now, &OpenField));
        assert_eq!(again.state_hash(), world.state_hash(), "it continues like the original");
        assert_eq!(again.drawing_hash(), world.drawing_hash(), "it is drawn like the original");
    }
}

/// Steps a plain world for 42 frames in three kinds of surroundings, and handles updates in between.
/// Then saves and restores it, and compares the two.
///
/// # Panics
///
/// If a pose is not finite, or the restored world differs.
pub fn assert_plain_world_lives_on(
    world: &mut PlainWorld,
    library: &Arc<MotionLibrary>,
    updates: &[(u64, PlainUpdate)],
) {
    let hills = hills();
    let grounds: [&dyn Surroundings; 3] = [&OpenField, &FlatGround { z: 0.0 }, &hills];
    for frame in 0..FRAMES {
        let ground = grounds[frame * grounds.len() / FRAMES];
        let now = next_frame(world.motion().now());
        let _ = world.advance_in(now, ground);
        if let Some((entity, update)) = updates.get(frame / 3).filter(|_| frame % 3 == 1) {
            let _ = world.update_in(now, *entity, update, ground);
        }
        for entity in world.entities().take(LOOKED_AT).collect::<Vec<_>>() {
            assert!(world.drawn(entity, now).is_none_or(is_finite), "{entity}");
        }
    }
    let saved = world.save();
    let mut again = PlainWorld::restore_with(&saved, Arc::clone(library)).expect("its own save is accepted");
    again.restore_drawing(&world.save_drawing()).expect("its own drawing is accepted");
    assert!(again.save() == saved, "saved again, it is another file");
    for _ in 0..FRAMES_AFTER {
        let now = next_frame(world.motion().now());
        let _ = (world.advance(now), again.advance(now));
        assert_eq!(
            again.motion().state_hash(),
            world.motion().state_hash(),
            "it continues like the original"
        );
        assert_eq!(
            again.motion().drawing_hash(),
            world.motion().drawing_hash(),
            "it is drawn like the original"
        );
    }
}

fn assert_drawn(world: &MotionWorld, now: SimTime) {
    for entity in world.entities().take(LOOKED_AT) {
        let place = world.body(entity).and_then(|body| body.place);
        for pose in [place, world.drawn(entity, now)].into_iter().flatten().map(|place| place.pose) {
            let is_usable = pose.origin().is_finite() && Rotation::new(pose.rotation().to_wxyz()).is_ok();
            assert!(is_usable, "{entity}: {pose:?}");
        }
    }
}

fn is_finite(pose: PlainPose) -> bool {
    pose.position.iter().all(|part| part.is_finite()) && pose.rotation.iter().all(|part| part.is_finite())
}

/// Returns the time of the next frame, 40 ms later or the next that a number can tell.
fn next_frame(now: SimTime) -> SimTime {
    let secs = now.as_secs();
    SimTime::from_secs((secs + 0.04).max(secs.next_up())).unwrap_or(now)
}

/// Returns hilly ground that covers two landblocks at the usual place.
fn hills() -> Heightfield {
    let heights = (0..9 * 17).map(|number| (number % 7) as f32).collect();
    Heightfield::new(LandblockId::new(0xA9, 0xB4).unwrap(), 24.0, 17, heights).unwrap()
}
