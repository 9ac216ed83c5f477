//! Promises of the types over random input.

use evenstride_types::{
    CellId, Heading, LandCoord, LandblockId, Placement, Pose, RawPlacement, Rotation, Stamp, StampOrder,
    Vec3, length, nearly_equal, settle_outdoors, update::SparseQuaternion,
};
use proptest::prelude::*;

fn component() -> impl Strategy<Value = f32> {
    -1.0f32..1.0
}

fn rotation() -> impl Strategy<Value = Rotation> {
    [component(), component(), component(), component()]
        .prop_filter_map("too short to scale", |wxyz| Rotation::normalized(wxyz).ok())
}

fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
    [-reach..reach, -reach..reach, -reach..reach].prop_map(Vec3::from_array)
}

fn pose(reach: f32) -> impl Strategy<Value = Pose> {
    (vector(reach), rotation()).prop_map(|(origin, rotation)| Pose::new(origin, rotation).unwrap())
}

fn cell() -> impl Strategy<Value = CellId> {
    (0u8..255, 0u8..255, prop_oneof![1u16..=0x40, 0x100u16..=0xFFFD, Just(0xFFFF)])
        .prop_map(|(x, y, number)| LandblockId::new(x, y).unwrap().cell(number).unwrap())
}

/// A cell at most four landblocks away on each axis: farther away, f32 metres are the error, not the maths.
fn near(cell: CellId) -> impl Strategy<Value = CellId> {
    let block = cell.landblock();
    let around = |c: u8| c.saturating_sub(4)..c.saturating_add(4).clamp(1, 254);
    (around(block.x()), around(block.y()), 1u16..=0x40)
        .prop_map(|(x, y, number)| LandblockId::new(x, y).unwrap().cell(number).unwrap())
}

fn neighbours() -> impl Strategy<Value = (Placement, Placement)> {
    cell()
        .prop_flat_map(|a| (Just(a), near(a), pose(192.0), pose(192.0)))
        .prop_map(|(a, b, pose_a, pose_b)| (Placement::new(a, pose_a), Placement::new(b, pose_b)))
}

fn is_finite(pose: &Pose) -> bool {
    pose.origin().is_finite() && Rotation::new(pose.rotation().to_wxyz()).is_ok()
}

/// Same place within a millimetre a kilometre, same rotation up to sign.
fn agree(a: &Pose, b: &Pose, reach: f32) -> bool {
    let dot: f32 = a.rotation().to_wxyz().iter().zip(b.rotation().to_wxyz()).map(|(p, q)| p * q).sum();
    (a.origin() - b.origin()).abs().max_element() <= reach * 1e-6 && 1.0 - dot.abs() < 1e-5
}

proptest! {
    #[test]
    fn before_undoes_combine(a in pose(500.0), offset in pose(500.0)) {
        let back = a.combine(&offset).before(&offset);
        prop_assert!(agree(&back, &a, 2000.0), "{back:?} {a:?}");
    }

    #[test]
    fn combine_undoes_relative_to(a in pose(500.0), base in pose(500.0)) {
        let back = base.combine(&a.relative_to(&base));
        prop_assert!(agree(&back, &a, 2000.0), "{back:?} {a:?}");
    }

    #[test]
    fn combine_undoes_relative_to_across_landblocks((a, base) in neighbours()) {
        let moved = base.pose.combine(&a.relative_to(&base));
        let there = Placement::new(base.cell, moved);
        prop_assert!(there.distance(&a) < 2e-3, "{} m", there.distance(&a));
    }

    #[test]
    fn global_and_local_points_are_inverse(a in pose(500.0), point in vector(500.0)) {
        prop_assert!(nearly_equal(a.to_local(a.to_global(point)) / 10.0, point / 10.0));
    }

    #[test]
    fn headings_come_back(r in rotation(), degrees in 0.0f32..360.0) {
        let heading = Heading::from_degrees(degrees).unwrap();
        let back = r.with_heading(heading).heading();
        prop_assert!(heading.turn_to(back).abs() < 1e-3, "{heading} {back}");
    }

    #[test]
    fn upright_headings_come_back_tightly(degrees in 0.0f32..360.0) {
        let heading = Heading::from_degrees(degrees).unwrap();
        let back = Rotation::facing(heading).heading();
        prop_assert!(heading.turn_to(back).abs() < 5e-5, "{heading} {back}");
        prop_assert!((0.0..360.0).contains(&back.degrees()));
    }

    #[test]
    fn offsets_are_antisymmetric_across_landblocks((a, b) in neighbours()) {
        prop_assert_eq!(a.offset_to(&b), -b.offset_to(&a));
        prop_assert_eq!(a.distance(&b), b.distance(&a));
        prop_assert_eq!(a.cell.landblock().offset_to(b.cell.landblock()), -b.cell.landblock().offset_to(a.cell.landblock()));
    }

    #[test]
    fn opposite_headings_are_half_a_turn_apart((a, b) in neighbours()) {
        prop_assume!(a.distance_on_map(&b) > 0.1);
        let turn = a.heading_to(&b).turn_to(b.heading_to(&a)).abs();
        prop_assert!((turn - 180.0).abs() < 1e-3, "{turn}");
    }

    #[test]
    fn stamps_are_antisymmetric_except_at_the_tie(a: u16, b: u16) {
        let (a, b) = (Stamp::new(a), Stamp::new(b));
        if a != b {
            prop_assert_ne!(a.is_newer_than(b), b.is_newer_than(a));
        } else {
            prop_assert_eq!(a.order_against(b), StampOrder::Same);
        }
        prop_assert!(a.next().is_newer_than(a));
    }

    #[test]
    fn at_the_tie_the_smaller_number_is_newer(a in 0u16..0x8000) {
        let (low, high) = (Stamp::new(a), Stamp::new(a + 0x8000));
        prop_assert!(low.is_newer_than(high) && !high.is_newer_than(low));
    }

    #[test]
    fn settling_moves_nothing(cell in cell(), point in vector(2000.0)) {
        if let Ok((settled, origin)) = settle_outdoors(cell.raw(), point) {
            let moved = cell.landblock().offset_to(settled.landblock()) + origin - point;
            prop_assert!(length(moved) < 1e-3, "{moved}");
            prop_assert!((0.0..=192.0).contains(&origin.x) && (0.0..=192.0).contains(&origin.y));
            let LandCoord { x, y } = settled.land_coord().unwrap();
            prop_assert_eq!((x & 7, y & 7), ((origin.x / 24.0).floor().min(7.0) as i32, (origin.y / 24.0).floor().min(7.0) as i32));
        }
    }

    #[test]
    fn poses_stay_finite(start in pose(1e7), steps in prop::collection::vec((pose(1e6), vector(1e6), any::<f32>()), 1..32)) {
        let mut at = start;
        for (offset, spin, part) in steps {
            let heading = Heading::from_degrees(part).unwrap_or(Heading::NORTH);
            for next in [
                at.combine(&offset), at.before(&offset), at.relative_to(&offset), at.spun_globally(spin),
                at.spun_locally(spin), at.with_heading(heading), at.blended(&offset, part),
                at.with_rotation(at.rotation().looking_along(spin)),
            ] {
                prop_assert!(is_finite(&next), "{next:?}");
            }
            at = at.combine(&offset).spun_globally(spin);
        }
    }

    #[test]
    fn whatever_arrives_is_a_place_or_an_error(cell: u32, bits: [u32; 7]) {
        let f = bits.map(f32::from_bits);
        let raw = RawPlacement { cell, origin: Vec3::new(f[0], f[1], f[2]), wxyz: [f[3], f[4], f[5], f[6]] };
        match raw.check() {
            Ok(place) => prop_assert!(is_finite(&place.pose)),
            Err(reason) => prop_assert!(!reason.to_string().is_empty()),
        }
        let _ = settle_outdoors(cell, raw.origin);
        let _ = (raw.validity(), SparseQuaternion::packed(raw.wxyz));
    }

    #[test]
    fn whatever_is_normalised_is_unit_or_an_error(bits: [u32; 4]) {
        if let Ok(unit) = Rotation::normalized(bits.map(f32::from_bits)) {
            prop_assert!(Rotation::new(unit.to_wxyz()).is_ok());
        }
    }
}
