//! Ten minutes of a crowd. People come and go, hold things, follow each other, jump and teleport.
//! One of them is the local player, whose keys change all the time. The messages are of every kind,
//! and some are late, early or broken. The world is saved and restored every 256 frames.

use evenstride::{
    Config, FlatGround, MotionWorld,
    player::{Ahead, Input, Side, Skills},
};
use evenstride_types::{
    EntityId, Heading, RawPlacement, Rotation, SimDuration, SimTime, StampKind, StampTable, StateHash, Vec3,
    update::{
        Attachment, CommandIndex, CreateUpdate, DeleteUpdate, InterpretedState, MoveToFlags, MoveToParams,
        Movement, MovementBody, MovementKind, MovementUpdate, ParentUpdate, PhysicsDescription, PhysicsState,
        PickupUpdate, PositionPack, PositionUpdate, SparseQuaternion, StateUpdate, TeleportUpdate,
        TurnToParams, Update, VectorUpdate,
    },
};

use crate::{
    numbers::Numbers,
    outputs::{Hashes, Outputs},
};

const PEOPLE: usize = 60;
const PLAYER: usize = 0;
const MINUTES: f64 = 10.0;
const SQUARE: u32 = 0xA9B4_0001;
const GROUND: FlatGround = FlatGround { z: 10.0 };

/// Runs ten minutes of a crowd and returns the fingerprint.
pub fn crowd_hash() -> u64 {
    crowd().state
}

/// Runs ten minutes of a crowd.
pub(crate) fn crowd() -> Hashes {
    let mut numbers = Numbers::seeded(2026);
    let mut hash = StateHash::new();
    let mut outputs = Outputs::new();
    let mut now = SimTime::ZERO;
    let mut world = MotionWorld::new(Config::SMOOTH, now);
    let mut people = [StampTable::default(); PEOPLE];
    let _ = world.handle(now, &Update::LocalPlayer(id(PLAYER)), &GROUND);
    let mut frame = 0u32;
    while now.as_secs() < MINUTES * 60.0 {
        frame += 1;
        now += SimDuration::from_secs(0.05 + f64::from(numbers.next(0.03))).unwrap_or_default();
        let _ = world.advance(now, &GROUND);
        let who = frame as usize % PEOPLE;
        let update = speak(who, &mut people, &mut numbers);
        let _ = world.handle(now, &update, &GROUND);
        if frame.is_multiple_of(16) {
            press_keys(&mut world, now, &mut numbers);
        }
        if frame.is_multiple_of(256) {
            hash.long(world.state_hash());
            while let Some(event) = world.poll_event() {
                hash.word(event.entity.raw());
                hash.time(event.at);
                outputs.event(&event);
            }
            while let Some(action) = world.poll_action() {
                hash.word(action.action());
            }
            if let Some(drawn) = world.drawn(id(who), now) {
                hash.placement(&drawn);
            }
            match MotionWorld::restore(&world.save()) {
                Ok(restored) => world = restored,
                Err(_) => return Hashes::NONE,
            }
            outputs.add_bodies(&world, (0..PEOPLE).map(id));
            outputs.add_frame(&mut world, now);
        }
    }
    Hashes { state: hash.finish(), outputs: outputs.finish() }
}

fn id(who: usize) -> EntityId {
    EntityId::new(0x5000_0001 + who as u32)
}

fn press_keys(world: &mut MotionWorld, now: SimTime, numbers: &mut Numbers) {
    let side = |number: f32| match number {
        n if n < -0.5 => Some(Side::Left),
        n if n > 0.5 => Some(Side::Right),
        _ => None,
    };
    let controls = Input {
        ahead: match numbers.next(1.0) {
            n if n < -0.6 => Some(Ahead::Back),
            n if n > 0.0 => Some(Ahead::Forward),
            _ => None,
        },
        aside: side(numbers.next(1.0)),
        turn: side(numbers.next(1.0)),
        run: numbers.next(1.0) > 0.0,
        ..Input::default()
    };
    let _ = world.set_skills(Skills { run: 180, jump: 220, load: 0.4 });
    let _ = world.set_input(now, controls, &GROUND);
    if numbers.next(1.0) > 0.7 {
        let _ = world.jump(now, &GROUND);
    } else if numbers.next(1.0) > 0.5 {
        let _ = world.charge_jump(now, &GROUND);
    }
}

/// Returns a server message about one person in the crowd.
fn speak(who: usize, people: &mut [StampTable; PEOPLE], numbers: &mut Numbers) -> Update {
    let entity = id(who);
    let chance = numbers.next(1.0);
    let place = RawPlacement {
        cell: SQUARE,
        origin: Vec3::new(96.0 + numbers.next(70.0), 96.0 + numbers.next(70.0), 10.0),
        wxyz: Rotation::facing(Heading::from_degrees(numbers.next(360.0)).unwrap_or(Heading::NORTH))
            .to_wxyz(),
    };
    let other = (who + 1 + (numbers.next(1.0).abs() * 20.0) as usize) % PEOPLE;
    let other_instance = people[other].seen(StampKind::Instance);
    let stamps = &mut people[who];
    let instance = stamps.seen(StampKind::Instance);
    let mut next = |kind| {
        let stamp = stamps.seen(kind).next();
        stamps.set(kind, stamp);
        stamp
    };
    match chance {
        n if n < -0.9 => create(entity, place, stamps, None),
        n if n < -0.87 => {
            let parent = Attachment { entity: id(other), location: 1 };
            create(entity, place, stamps, Some(parent))
        }
        n if n < -0.85 && who != PLAYER => {
            next(StampKind::Instance);
            Update::Delete(DeleteUpdate { entity, instance })
        }
        n if n < -0.8 => {
            let (held, held_position) = (entity, next(StampKind::Position));
            Update::Parent(ParentUpdate {
                holder: id(other),
                held,
                location: 2,
                placement_frame: 1,
                holder_instance: other_instance,
                held_position,
            })
        }
        n if n < -0.78 => {
            Update::Pickup(PickupUpdate { entity, instance, position: next(StampKind::Position) })
        }
        n if n < -0.74 => {
            let hidden = if numbers.next(1.0) > 0.0 { PhysicsState::HIDDEN } else { PhysicsState::empty() };
            let (state, stamp) = (PhysicsState::default() | hidden, next(StampKind::State));
            Update::State(StateUpdate { entity, state, instance, stamp })
        }
        n if n < -0.72 => Update::Teleport(TeleportUpdate { teleport: next(StampKind::Teleport) }),
        n if n < -0.5 => {
            let velocity = Vec3::new(numbers.next(4.0), numbers.next(4.0), 4.0);
            let stamp = next(StampKind::Vector);
            Update::Vector(VectorUpdate { entity, velocity, omega: numbers.vector(1.0), instance, stamp })
        }
        n if n < -0.1 => {
            let state = InterpretedState {
                forward: Some(CommandIndex(if n < -0.3 { 7 } else { 5 })),
                forward_speed: Some(1.0 + numbers.next(0.5)),
                ..InterpretedState::default()
            };
            let kind = if n > -0.2 {
                sent(id(other), place, numbers)
            } else {
                MovementKind::Interpreted { state, stick_to: (n < -0.45).then_some(id(other)) }
            };
            let body = MovementBody::new(kind);
            let stamp = next(StampKind::Movement);
            let server_control = stamps.seen(StampKind::ServerControlledMove);
            let movement = Movement { stamp, server_control, autonomous: 0, body };
            Update::Movement(MovementUpdate { entity, instance, movement })
        }
        n => {
            if n > 0.97 {
                next(StampKind::Teleport);
            }
            if n > 0.99 {
                next(StampKind::ForcePosition);
            }
            // Some positions repeat their stamp.
            let position = if n > 0.9 { stamps.seen(StampKind::Position) } else { next(StampKind::Position) };
            let pack = PositionPack {
                cell: place.cell,
                origin: if n > 0.985 { Vec3::NAN } else { place.origin },
                rotation: SparseQuaternion::packed(place.wxyz),
                velocity: None,
                placement_frame: None,
                has_contact: n < 0.85,
                other_flags: 0,
                instance,
                position,
                teleport: stamps.seen(StampKind::Teleport),
                force_position: stamps.seen(StampKind::ForcePosition),
            };
            Update::Position(PositionUpdate { entity, pack })
        }
    }
}

/// Returns a random move-to or turn-to, among all kinds that a server may send.
fn sent(target: EntityId, place: RawPlacement, numbers: &mut Numbers) -> MovementKind {
    let chance = numbers.next(1.0);
    // Flags for towards, away and both, walking and running, following at the end, facing a
    // heading.
    let flags = [0x1_EE0F, 0x1_EE8F, 0x1_ED0F, 0x1_EF0F, 0x1_EE4F, 0x1_EA1F];
    let flags = MoveToFlags::from_bits_retain(flags[(chance.abs() * 5.99) as usize]);
    let params = MoveToParams {
        flags,
        distance_to_object: 1.0 + numbers.next(0.5),
        min_distance: 6.0 + numbers.next(5.0),
        fail_distance: 60.0 + numbers.next(50.0),
        speed: 1.2 + numbers.next(0.5),
        walk_run_threshold: 8.0 + numbers.next(7.0),
        desired_heading_deg: 180.0 + numbers.next(180.0),
    };
    let turn = TurnToParams { flags, speed: params.speed, desired_heading_deg: params.desired_heading_deg };
    let RawPlacement { cell, origin, .. } = place;
    match numbers.next(1.0) {
        n if n < 0.2 => MovementKind::MoveToObject { target, cell, origin, params, run_rate: 1.5 },
        n if n < 0.6 => MovementKind::MoveToPosition { cell, origin, params, run_rate: 1.2 },
        n if n < 0.8 => MovementKind::TurnToObject { target, heading_deg: 90.0, params: turn },
        _ => MovementKind::TurnToHeading(turn),
    }
}

fn create(entity: EntityId, place: RawPlacement, stamps: &StampTable, parent: Option<Attachment>) -> Update {
    let physics =
        PhysicsDescription { position: Some(place), parent, ..PhysicsDescription::nowhere(*stamps) };
    Update::Create(CreateUpdate::new(entity, physics))
}
