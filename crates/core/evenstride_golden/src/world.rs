//! One minute of a town, in each profile. People walk, run, turn, jump and teleport, some updates
//! are stale or broken, and frames have uneven lengths.

use evenstride::{BodySetup, Config, FlatGround, MotionWorld};
use evenstride_types::{
    CellId, EntityId, Heading, Placement, Pose, Rotation, SimDuration, SimTime, Stamp, StateHash, Vec3,
    settle_outdoors,
    update::{
        CommandIndex, InterpretedState, Movement, MovementBody, MovementKind, MovementUpdate, PositionPack,
        PositionUpdate, SparseQuaternion, Update, VectorUpdate,
    },
};

use crate::{
    numbers::Numbers,
    outputs::{Hashes, Outputs},
};

const TOWNSPEOPLE: u32 = 40;
const FRAMES: u32 = 3_000;
const SQUARE: u32 = 0xA9B4_0001;

/// Runs the town under [`Config::RETAIL`] and returns the fingerprint.
pub fn retail_hash() -> u64 {
    town(Config::RETAIL).state
}

/// Runs the town under [`Config::ACDREAM`] and returns the fingerprint.
pub fn acdream_hash() -> u64 {
    town(Config::ACDREAM).state
}

/// Runs the town under [`Config::SMOOTH`] and returns the fingerprint.
pub fn smooth_hash() -> u64 {
    town(Config::SMOOTH).state
}

/// Runs the town under [`Config::GLIDE`] and returns the fingerprint of states and poses.
pub fn glide_hash() -> u64 {
    town(Config::GLIDE).state
}

/// Runs one minute of a town under a configuration.
pub(crate) fn town(config: Config) -> Hashes {
    let ground = FlatGround { z: 10.0 };
    let mut numbers = Numbers::seeded(1999);
    let mut hash = StateHash::new();
    let mut outputs = Outputs::new();
    let mut now = SimTime::ZERO;
    let mut world = MotionWorld::new(config, now);
    let Some(centre) = place(96.0, 96.0) else { return Hashes::NONE };
    world.set_viewpoint(Some(centre));
    for number in 0..TOWNSPEOPLE {
        let Some(home) = place(96.0 + numbers.next(60.0), 96.0 + numbers.next(60.0)) else {
            return Hashes::NONE;
        };
        if world.insert(now, EntityId::new(number), &BodySetup::at(home)).is_err() {
            return Hashes::NONE;
        }
    }
    for frame in 0..FRAMES {
        let frame_secs = 0.02 + f64::from(numbers.next(0.008));
        now += SimDuration::from_secs(frame_secs).unwrap_or_default();
        let _ = world.advance(now, &ground);
        let who = EntityId::new(frame % TOWNSPEOPLE);
        speak(&mut world, now, who, frame, &mut numbers, &ground);
        if frame % 50 == 0 {
            hash.long(world.state_hash());
            if config.drawing.glide_parts().is_some() {
                hash.long(world.drawing_hash());
            }
            if let Some(drawn) = world.drawn(who, now) {
                hash.placement(&drawn);
            }
            outputs.add_bodies(&world, (0..TOWNSPEOPLE).map(EntityId::new));
        }
        outputs.add_frame(&mut world, now);
    }
    Hashes { state: hash.finish(), outputs: outputs.finish() }
}

/// Sends a server message about one of the townspeople.
fn speak(
    world: &mut MotionWorld,
    now: SimTime,
    entity: EntityId,
    frame: u32,
    numbers: &mut Numbers,
    ground: &FlatGround,
) {
    let round = (frame / TOWNSPEOPLE) as u16;
    let origin = Vec3::new(96.0 + numbers.next(80.0), 96.0 + numbers.next(80.0), 10.0);
    let heading = Heading::from_degrees(numbers.next(360.0)).unwrap_or(Heading::NORTH);
    let Ok((cell, origin)) = settle_outdoors(SQUARE, origin) else { return };
    let chance = numbers.next(1.0);
    if chance < -0.9 {
        let velocity = Vec3::new(numbers.next(4.0), numbers.next(4.0), 4.0);
        let (instance, stamp) = (Stamp::new(0), Stamp::new(round + 1));
        let update = VectorUpdate { entity, velocity, omega: numbers.vector(1.0), instance, stamp };
        let _ = world.handle(now, &Update::Vector(update), ground);
        return;
    }
    if chance < -0.5 {
        let forward = CommandIndex(if chance < -0.7 { 7 } else { 5 });
        let state = InterpretedState {
            forward: Some(forward),
            forward_speed: Some(1.0 + numbers.next(0.5)),
            ..InterpretedState::default()
        };
        let stick_to = (chance < -0.8).then_some(EntityId::new((frame + 1) % TOWNSPEOPLE));
        let kind = MovementKind::Interpreted { state, stick_to };
        let body = MovementBody::new(kind);
        let (stamp, server_control) = (Stamp::new(round + 1), Stamp::new(0));
        let movement = Movement { stamp, server_control, autonomous: 1, body };
        let _ = world.handle(
            now,
            &Update::Movement(MovementUpdate { entity, instance: Stamp::new(0), movement }),
            ground,
        );
        return;
    }
    let pack = PositionPack {
        cell: cell.raw(),
        origin: if chance > 0.98 { Vec3::NAN } else { origin },
        rotation: SparseQuaternion::packed(Rotation::facing(heading).to_wxyz()),
        velocity: None,
        placement_frame: None,
        has_contact: chance < 0.9,
        other_flags: 0,
        instance: Stamp::new(0),
        position: Stamp::new(round.wrapping_add(if chance > 0.8 { 0 } else { 1 })),
        teleport: Stamp::new(u16::from(chance > 0.95) + round / 40),
        force_position: Stamp::new(0),
    };
    let _ = world.handle(now, &Update::Position(PositionUpdate { entity, pack }), ground);
}

fn place(x: f32, y: f32) -> Option<Placement> {
    let pose = Pose::new(Vec3::new(x, y, 10.0), Rotation::IDENTITY).ok()?;
    Placement::new(CellId::new(SQUARE).ok()?, pose).settled_outdoors().ok()
}
