//! Promises of the world over random input.

use evenstride::{
    Config, Disposition, OpenField,
    limits::MAX_FAR_WAYPOINTS,
    types::{Rotation, SimTime, Stamp, Vec3, update::SparseQuaternion},
};
use evenstride_testkit::{HOME, Rig};
use proptest::prelude::*;

/// Something that may happen to a body.
#[derive(Clone, Debug)]
enum Op {
    Hear { x: f32, y: f32, z: f32, contact: bool },
    HearAnything { cell: u32, origin: [u32; 3], wxyz: [u32; 4], stamps: [u16; 3] },
    Teleport { x: f32, y: f32 },
    Velocity([f32; 3]),
    VelocityBits([u32; 3]),
    Run(f32),
    Stand,
    Drive { secs: f64 },
    JumpTo { secs: f64 },
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => (0.0f32..192.0, 0.0f32..192.0, -50.0f32..50.0, any::<bool>())
            .prop_map(|(x, y, z, contact)| Op::Hear { x, y, z, contact }),
        1 => (any::<u32>(), any::<[u32; 3]>(), any::<[u32; 4]>(), any::<[u16; 3]>())
            .prop_map(|(cell, origin, wxyz, stamps)| Op::HearAnything { cell, origin, wxyz, stamps }),
        1 => (0.0f32..192.0, 0.0f32..192.0).prop_map(|(x, y)| Op::Teleport { x, y }),
        1 => [-60.0f32..60.0, -60.0f32..60.0, -60.0f32..60.0].prop_map(Op::Velocity),
        1 => any::<[u32; 3]>().prop_map(Op::VelocityBits),
        1 => any::<f32>().prop_map(Op::Run),
        1 => Just(Op::Stand),
        4 => (0.0f64..2.0).prop_map(|secs| Op::Drive { secs }),
        1 => prop_oneof![-10.0f64..10.0, Just(-1e12), Just(1e12), Just(0.0)].prop_map(|secs| Op::JumpTo { secs }),
    ]
}

fn apply(rig: &mut Rig, op: &Op) -> Option<Disposition> {
    Some(match *op {
        Op::Hear { x, y, z, contact: true } => rig.hears_at(Vec3::new(x, y, z)),
        Op::Hear { x, y, z, contact: false } => rig.hears_in_the_air(Vec3::new(x, y, z)),
        Op::HearAnything { cell, origin, wxyz, stamps } => {
            let kept = rig.pack.clone();
            rig.pack.cell = cell;
            rig.pack.origin = Vec3::from_array(origin.map(f32::from_bits));
            rig.pack.rotation = SparseQuaternion::full(wxyz.map(f32::from_bits));
            [rig.pack.instance, rig.pack.position, rig.pack.teleport] = stamps.map(Stamp::new);
            let disposition = rig.send();
            rig.pack = kept;
            disposition
        }
        Op::Teleport { x, y } => rig.teleports_to(x, y),
        Op::Velocity(v) => rig.gets_velocity(Vec3::from_array(v)),
        Op::VelocityBits(v) => rig.gets_velocity(Vec3::from_array(v.map(f32::from_bits))),
        Op::Run(speed) => rig.runs(speed),
        Op::Stand => rig.stands(),
        Op::Drive { secs } => {
            rig.drive(secs);
            return None;
        }
        Op::JumpTo { secs } => {
            rig.now = (rig.now + secs).clamp(-9e11, 9e11);
            let _ = rig.stage.world.advance(rig.stage.time(), &OpenField);
            return None;
        }
    })
}

fn any_profile() -> impl Strategy<Value = Config> {
    (0usize..Config::PROFILES.len()).prop_map(|index| Config::PROFILES[index].1)
}

proptest! {
    #[test]
    fn poses_stay_finite_and_routes_bounded(config in any_profile(), ops in prop::collection::vec(op(), 1..60)) {
        let mut rig = Rig::new(config);
        for op in &ops {
            let _ = apply(&mut rig, op);
            let place = rig.place();
            let drawn = rig.world.drawn(evenstride_testkit::WHO, rig.time()).unwrap();
            for pose in [place.pose, drawn.pose] {
                prop_assert!(pose.origin().is_finite(), "{op:?}: {pose:?}");
                prop_assert!(Rotation::new(pose.rotation().to_wxyz()).is_ok(), "{op:?}: {pose:?}");
            }
            prop_assert!(rig.body().velocity.is_finite(), "{op:?}");
            prop_assert!(rig.body().waypoints <= usize::from(MAX_FAR_WAYPOINTS) + 1);
        }
    }

    #[test]
    fn the_same_input_gives_the_same_bits(config in any_profile(), ops in prop::collection::vec(op(), 1..40)) {
        let run = || {
            let mut rig = Rig::new(config);
            let answers: Vec<_> = ops.iter().map(|op| format!("{:?}", apply(&mut rig, op))).collect();
            (answers, rig.world.state_hash())
        };
        prop_assert_eq!(run(), run());
    }

    /// Within 40 s of the last update, a standing body in contact is there: it walks, or gives up and is put there.
    #[test]
    fn a_standing_body_reaches_the_last_update(places in prop::collection::vec((20.0f32..172.0, 20.0f32..172.0, 0.0f64..1.5), 1..30)) {
        let mut rig = Rig::new(Config::RETAIL);
        // The middle of the block, so that nothing is ever farther than 96 m from the viewpoint but in a corner.
        rig.world.set_viewpoint(Some(evenstride_testkit::place(HOME, Vec3::new(96.0, 96.0, 10.0))));
        for &(x, y, secs) in &places {
            let (x, y) = (96.0 + (x - 96.0) * 0.8, 96.0 + (y - 96.0) * 0.8);
            let _ = rig.hears(x, y);
            rig.drive(secs);
        }
        rig.drive(40.0);
        let (x, y, _) = places[places.len() - 1];
        let goal = Vec3::new(96.0 + (x - 96.0) * 0.8, 96.0 + (y - 96.0) * 0.8, 10.0);
        prop_assert!(rig.at().distance(goal) < 0.2, "{} is {} m from {goal}", rig.at(), rig.at().distance(goal));
        prop_assert_eq!(rig.body().waypoints, 0);
    }

    /// Short hops at a walking distance: within 2 s of the last one, without any snap.
    #[test]
    fn short_hops_are_walked_within_two_seconds(hops in prop::collection::vec((-1.4f32..1.4, -1.4f32..1.4), 1..5)) {
        let mut rig = Rig::new(Config::RETAIL);
        let mut goal = rig.at();
        for &(dx, dy) in &hops {
            goal += Vec3::new(dx, dy, 0.0);
            let _ = rig.hears(goal.x, goal.y);
        }
        let track = rig.drive(2.0);
        prop_assert!(rig.at().distance(goal) <= 0.0501, "{}", rig.at().distance(goal));
        prop_assert!(evenstride_testkit::longest_stride(&track) < 8.0 * 3.0 / 60.0 + 0.01);
    }

    #[test]
    fn smooth_gives_the_same_ticks_at_any_frame_rate(
        hops in prop::collection::vec((60.0f32..120.0, 60.0f32..120.0, 0.05f64..1.5), 1..8),
        fps in prop::collection::vec(24.0f64..1000.0, 2),
    ) {
        let run = |fps: f64| {
            let mut rig = Rig::new(Config::SMOOTH);
            rig.fps = fps;
            let mut due = rig.now;
            for &(x, y, secs) in &hops {
                due += secs;
                while rig.now + 1.0 / fps < due {
                    rig.drive(1.0 / fps);
                }
                rig.now = due;
                let _ = rig.hears(x, y);
            }
            let _ = rig.world.advance(SimTime::from_secs(due + 1.0).unwrap(), &OpenField);
            rig.world.state_hash()
        };
        prop_assert_eq!(run(fps[0]), run(fps[1]));
    }
}
