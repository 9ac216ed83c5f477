//! Any bytes as places, offsets and angles: no panic, and whatever was accepted stays finite.

use evenstride_types::{Cylinder, Heading, Placement, Pose, RawPlacement, Rotation, Vec3, settle_outdoors};

/// Reads any bytes as places, and combines them.
pub fn space(data: &[u8]) {
    let mut numbers = data.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]));
    let mut next = || numbers.next();
    let mut places: Vec<Placement> = Vec::new();
    while let Some(cell) = next() {
        let mut float = || next().map_or(0.0, f32::from_bits);
        let raw = RawPlacement {
            cell,
            origin: Vec3::new(float(), float(), float()),
            wxyz: [float(), float(), float(), float()],
        };
        let spin = Vec3::new(float(), float(), float());
        let (degrees, part) = (float(), float());
        let _ = settle_outdoors(raw.cell, raw.origin);
        let Ok(mut place) = raw.check() else { continue };
        place.pose = place.pose.spun_globally(spin).spun_locally(spin);
        place.pose = place.pose.with_rotation(place.pose.rotation().looking_along(spin));
        if let Ok(heading) = Heading::from_degrees(degrees) {
            place.pose = place.pose.with_heading(heading);
        }
        assert_usable(&place.pose);
        for other in &places {
            let body = Cylinder { radius: 0.5, height: 2.0 };
            assert!(body.gap(&place, body, other).is_finite());
            assert_usable(&place.relative_to(other));
            assert_usable(&place.pose.combine(&other.pose));
            assert_usable(&place.pose.before(&other.pose));
            assert_usable(&place.pose.blended(&other.pose, part));
            assert!((0.0..360.0).contains(&place.heading_to(other).degrees()));
        }
        if places.len() < 8 {
            places.push(place);
        }
    }
}

fn assert_usable(pose: &Pose) {
    assert!(pose.origin().is_finite(), "{pose:?}");
    assert!(Rotation::new(pose.rotation().to_wxyz()).is_ok(), "{pose:?}");
}
