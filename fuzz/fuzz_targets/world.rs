//! Any bytes as updates and frames: no panic, and nothing ever stands at a place that is none.

#![no_main]

use evenstride::{BodySetup, Config, FlatGround, MAX_FAR_WAYPOINTS, MotionWorld, OpenField, Surroundings};
use evenstride_types::{
    CellId, EntityId, Placement, Pose, Rotation, SimTime, Stamp, Vec3,
    update::{
        CommandIndex, InterpretedState, Movement, MovementBody, MovementKind, MovementUpdate, PositionPack, PositionUpdate,
        SparseQuaternion, Update, VectorUpdate,
    },
};
use libfuzzer_sys::fuzz_target;

const WHO: EntityId = EntityId::new(1);

fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else { return };
    let config = Config::PROFILES[usize::from(choice) % 3].1;
    if choice & 0x80 == 0 { run(config, &OpenField, data) } else { run(config, &FlatGround { z: 0.0 }, data) }
});

fn run(config: Config, surroundings: &impl Surroundings, data: &[u8]) {
    let mut words = data.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]));
    let start = Placement::new(CellId::new(0xA9B4_0001).unwrap(), Pose::IDENTITY);
    let mut now = 0.0f64;
    let mut world = MotionWorld::new(config, SimTime::ZERO);
    world.set_viewpoint(Some(start));
    world.insert(SimTime::ZERO, WHO, &BodySetup::at(start)).unwrap();
    world.insert(SimTime::ZERO, EntityId::new(2), &BodySetup::at(start)).unwrap();
    while let Some(word) = words.next() {
        let mut stamp = || Stamp::new(words.next().unwrap_or(0) as u16);
        let stamps = [stamp(), stamp()];
        let mut float = || f32::from_bits(words.next().unwrap_or(0));
        let time = SimTime::from_secs(now).unwrap_or(SimTime::ZERO);
        match word % 5 {
            0 | 1 => {
                now += f64::from(word >> 8) / 1e7;
                let _ = world.advance(SimTime::from_secs(now).unwrap_or(SimTime::ZERO), surroundings);
            }
            2 => {
                let pack = PositionPack {
                    cell: if word & 0x100 == 0 { 0xA9B4_0001 } else { word },
                    origin: Vec3::new(float(), float(), float()),
                    rotation: SparseQuaternion::full(if word & 0x200 == 0 {
                        Rotation::IDENTITY.to_wxyz()
                    } else {
                        [float(), float(), float(), float()]
                    }),
                    velocity: None,
                    placement_frame: None,
                    has_contact: word & 0x400 == 0,
                    other_flags: 0,
                    instance: Stamp::new((word & 0x800 != 0) as u16),
                    position: stamps[0],
                    teleport: stamps[1],
                    force_position: Stamp::new(0),
                };
                let _ = world.handle(time, &Update::Position(PositionUpdate { entity: WHO, pack }), surroundings);
            }
            3 => {
                let velocity = Vec3::new(float(), float(), float());
                let omega = Vec3::new(float(), float(), float());
                let update = VectorUpdate { entity: WHO, velocity, omega, instance: Stamp::new(0), stamp: stamps[0] };
                let _ = world.handle(time, &Update::Vector(update), surroundings);
            }
            _ => {
                let state = InterpretedState {
                    forward: Some(CommandIndex((word >> 8) as u16)),
                    forward_speed: Some(float()),
                    sidestep: Some(CommandIndex(0x0F)),
                    sidestep_speed: Some(float()),
                    ..InterpretedState::default()
                };
                let stick_to = (word & 0x1000_0000 != 0).then_some(EntityId::new(2));
                let kind = MovementKind::Interpreted { state, stick_to };
                let body = MovementBody { style: CommandIndex(0), standing_long_jump: false, other_flags: 0, kind };
                let movement = Movement { stamp: stamps[0], server_control: stamps[1], autonomous: 0, body };
                let update = MovementUpdate { entity: WHO, instance: Stamp::new(0), movement };
                let _ = world.handle(time, &Update::Movement(update), surroundings);
            }
        }
        let body = world.body(WHO).unwrap();
        let drawn = world.drawn(WHO, time).unwrap();
        for pose in [body.place.unwrap().pose, drawn.pose] {
            assert!(pose.origin().is_finite() && Rotation::new(pose.rotation().to_wxyz()).is_ok(), "{pose:?}");
        }
        assert!(body.velocity.is_finite() && body.waypoints <= usize::from(MAX_FAR_WAYPOINTS));
    }
}
