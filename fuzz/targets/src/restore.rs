//! Any bytes as a saved world: refused with a reason, or a world that can be stepped and saved again.

use evenstride::{FlatGround, MotionWorld, SAVE_VERSION, reseal};
use evenstride_types::{SimDuration, SimTime};

/// x
pub fn restore(data: &[u8]) {
    // The header is no obstacle: what is behind it is of interest.
    let mut bytes = b"EVSTRIDE".to_vec();
    bytes.extend(SAVE_VERSION.to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend(data);
    reseal(&mut bytes);
    let Ok(mut world) = MotionWorld::restore(&bytes) else { return };
    let mut now = world.now();
    for _ in 0..40 {
        now += SimDuration::from_secs(0.04).unwrap_or_default();
        let _ = world.advance(SimTime::from_secs(now.as_secs()).unwrap_or(now), &FlatGround { z: 0.0 });
        for entity in world.entities() {
            let place = world.drawn(entity, now);
            assert!(place.is_none_or(|place| place.pose.origin().is_finite()));
        }
    }
    let again = MotionWorld::restore(&world.save()).expect("what was saved can be restored");
    assert_eq!(again.state_hash(), world.state_hash());
}
