//! Any bytes as messages, keys and frames: no panic, nothing ever stands at a place that is none, limits hold, and every world can be
//! saved and restored.

use evenstride::{
    Config, FlatGround, MotionWorld, OpenField, Surroundings,
    config::{Limits, UnknownEntityPolicy},
    limits::MAX_FAR_WAYPOINTS,
    player::{Ahead, Autonomy, Input, Side, Skills},
};
use evenstride_types::{
    CellId, EntityId, Placement, Pose, RawPlacement, Rotation, SimTime, Stamp, StampTable, Vec3,
    update::{
        ActionItem, Attachment, CommandIndex, CreateUpdate, DeleteUpdate, DescribedMovement,
        InterpretedState, ItemType, MoveToFlags, MoveToParams, Movement, MovementBody, MovementKind,
        MovementUpdate, ParentUpdate, PhysicsDescription, PhysicsState, PickupUpdate, PositionPack,
        PositionUpdate, Resources, SparseQuaternion, StateUpdate, TeleportUpdate, TurnToParams, Update,
        VectorUpdate,
    },
};

/// Runs a world over any bytes.
pub fn world(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else { return };
    let limits = if choice & 0x20 == 0 {
        Limits::DEFAULT
    } else {
        Limits::DEFAULT.with(|limits| {
            limits.bodies = 4;
            limits.events = 3;
            limits.actions = 3;
            limits.parked = 4;
            limits.parked_per_entity = 2;
        })
    };
    let unknown = if choice & 0x40 == 0 { UnknownEntityPolicy::Park } else { UnknownEntityPolicy::Adopt };
    let config = Config::PROFILES[usize::from(choice & 0x1F) % Config::PROFILES.len()].1.with(|config| {
        config.limits = limits;
        config.unknown = unknown;
    });
    if choice & 0x80 == 0 { run(config, &OpenField, data) } else { run(config, &FlatGround { z: 0.0 }, data) }
}

fn run(config: Config, surroundings: &impl Surroundings, data: &[u8]) {
    let mut words = Words(data);
    let start = Placement::new(CellId::new(0xA9B4_0001).unwrap(), Pose::IDENTITY);
    let mut now = 0.0f64;
    let mut world = MotionWorld::new(config, SimTime::ZERO);
    world.set_viewpoint(Some(start));
    world.trace(EntityId::new(1));
    while let Some(word) = words.next() {
        let time = SimTime::from_secs(now).unwrap_or(SimTime::ZERO);
        match word % 20 {
            0..=3 => {
                now += f64::from(word >> 8) / 1e7 * if word & 0x80 == 0 { 1.0 } else { 20.0 };
                let _ = world.advance(SimTime::from_secs(now).unwrap_or(SimTime::ZERO), surroundings);
            }
            4 => {
                let side = |bits: u32| [None, Some(Side::Left), Some(Side::Right), None][bits as usize & 3];
                let ahead = [None, Some(Ahead::Forward), Some(Ahead::Back), None][(word >> 8) as usize & 3];
                let controls = Input {
                    ahead,
                    aside: side(word >> 10),
                    turn: side(word >> 12),
                    run: word & 0x4000 != 0,
                    ..Input::default()
                };
                let _ = world.set_skills(Skills { run: word >> 16, jump: word >> 16, load: words.float() });
                let _ = world.set_input(time, controls, surroundings);
            }
            5 => _ = world.charge_jump(time, surroundings),
            6 => _ = world.jump(time, surroundings),
            7 => {
                let autonomy = [Autonomy::Server, Autonomy::ServerButHeading, Autonomy::Player]
                    [(word >> 8) as usize % 3];
                let _ = world.set_autonomy(autonomy);
                while world.poll_event().is_some() || world.poll_action().is_some() {}
                world.forget_changed();
            }
            kind => {
                let update = words.update(kind, word);
                let _ = world.handle(time, &update, surroundings);
            }
        }
        check(&world, time);
    }
    let restored = MotionWorld::restore(&world.save()).expect("what was saved can be restored");
    assert_eq!(restored.state_hash(), world.state_hash());
}

fn check(world: &MotionWorld, time: SimTime) {
    let limits = world.config().limits;
    assert!(world.len() <= limits.bodies as usize && world.parked() <= limits.parked as usize);
    for entity in world.entities() {
        let body = world.body(entity).unwrap();
        for place in [body.place, world.drawn(entity, time)].into_iter().flatten() {
            let pose = place.pose;
            assert!(
                pose.origin().is_finite() && Rotation::new(pose.rotation().to_wxyz()).is_ok(),
                "{pose:?}"
            );
        }
        assert!(body.velocity.is_finite() && body.waypoints <= usize::from(MAX_FAR_WAYPOINTS));
    }
}

/// The data, word by word; zeros when it is used up.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn next(&mut self) -> Option<u32> {
        let (chunk, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*chunk))
    }

    fn word(&mut self) -> u32 {
        self.next().unwrap_or(0)
    }

    fn float(&mut self) -> f32 {
        f32::from_bits(self.word())
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.float(), self.float(), self.float())
    }

    /// Few entities, so that messages meet.
    fn entity(&mut self) -> EntityId {
        EntityId::new(self.word() % 7)
    }

    fn stamp(&mut self) -> Stamp {
        Stamp::new(self.word() as u16 & 0x8007)
    }

    fn place(&mut self, word: u32) -> RawPlacement {
        RawPlacement {
            cell: [0xA9B4_0001, 0xA9B4_0100, 0, word][(word >> 8) as usize & 3],
            origin: self.vector(),
            wxyz: if word & 0x400 == 0 {
                Rotation::IDENTITY.to_wxyz()
            } else {
                [self.float(), self.float(), self.float(), self.float()]
            },
        }
    }

    fn position(&mut self, word: u32) -> PositionUpdate {
        let place = self.place(word);
        let pack = PositionPack {
            cell: place.cell,
            origin: place.origin,
            rotation: SparseQuaternion::full(place.wxyz),
            velocity: None,
            placement_frame: (word & 0x4000 != 0).then_some(word),
            has_contact: word & 0x800 == 0,
            other_flags: 0,
            instance: self.stamp(),
            position: self.stamp(),
            teleport: self.stamp(),
            force_position: self.stamp(),
        };
        PositionUpdate { entity: self.entity(), pack }
    }

    fn body(&mut self, word: u32) -> MovementBody {
        let action = |speed| ActionItem {
            command: CommandIndex((word >> 4) as u16 & 0x1FF),
            stamp: (word >> 8) as u16,
            autonomous: word & 1 != 0,
            speed,
        };
        // An action may name any motion, a run too.
        let actions = if word & 0x0080_0000 == 0 { Vec::new() } else { vec![action(self.float())] };
        let state = InterpretedState {
            actions,
            forward: Some(CommandIndex((word >> 8) as u16)),
            forward_speed: Some(self.float()),
            sidestep: Some(CommandIndex(0x0F)),
            sidestep_speed: Some(self.float()),
            ..InterpretedState::default()
        };
        let stick_to = (word & 0x1000_0000 != 0).then(|| self.entity());
        let kind = match (word >> 29, word >> 24 & 3) {
            (0 | 2 | 4, _) => MovementKind::Interpreted { state, stick_to },
            (1, _) => MovementKind::Other { number: 1, bytes: vec![0; word as usize % 64] },
            (_, kind) => self.sent(kind, word),
        };
        MovementBody {
            style: CommandIndex(word as u16),
            standing_long_jump: word & 0x0040_0000 != 0,
            other_flags: 0,
            kind,
        }
    }

    /// A move-to a place or a body, or a turn.
    fn sent(&mut self, kind: u32, word: u32) -> MovementKind {
        let flags = MoveToFlags::from_bits_retain(if word & 0x40 == 0 {
            0x1_EE8F ^ word & 0x3FF
        } else {
            self.word()
        });
        let (target, speed, heading_deg) = (self.entity(), self.float(), self.float());
        let turn = TurnToParams { flags, speed, desired_heading_deg: heading_deg };
        let RawPlacement { cell, origin, .. } = self.place(word);
        let params = MoveToParams {
            flags,
            distance_to_object: self.float(),
            min_distance: self.float(),
            fail_distance: self.float(),
            speed,
            walk_run_threshold: self.float(),
            desired_heading_deg: heading_deg,
        };
        match kind {
            0 => MovementKind::MoveToObject { target, cell, origin, params, run_rate: self.float() },
            1 => MovementKind::MoveToPosition { cell, origin, params, run_rate: self.float() },
            2 => MovementKind::TurnToObject { target, heading_deg, params: turn },
            _ => MovementKind::TurnToHeading(turn),
        }
    }

    fn movement(&mut self, word: u32) -> Movement {
        let (stamp, server_control) = (self.stamp(), self.stamp());
        Movement { stamp, server_control, autonomous: (word >> 30) as u8, body: self.body(word) }
    }

    fn description(&mut self, word: u32) -> PhysicsDescription {
        PhysicsDescription {
            state: if word & 0x1000 == 0 {
                PhysicsState::default()
            } else {
                PhysicsState::from_bits_retain(self.word())
            },
            movement: (word & 0x2000 != 0)
                .then(|| DescribedMovement::Doing { body: self.body(word), autonomous: 0 }),
            placement_frame: None,
            position: (word & 0x4000 == 0).then(|| self.place(word)),
            resources: Resources::default(),
            parent: (word & 0x8000 != 0).then(|| Attachment { entity: self.entity(), location: 1 }),
            children: None,
            scale: (word & 0x1_0000 != 0).then(|| self.float()),
            friction: (word & 0x2_0000 != 0).then(|| self.float()),
            elasticity: (word & 0x4_0000 != 0).then(|| self.float()),
            translucency: None,
            velocity: (word & 0x8_0000 != 0).then(|| self.vector()),
            acceleration: None,
            omega: (word & 0x10_0000 != 0).then(|| self.vector()),
            default_script: None,
            default_script_intensity: None,
            stamps: StampTable::new(std::array::from_fn(|_| self.stamp())),
            other_flags: 0,
        }
    }

    fn update(&mut self, kind: u32, word: u32) -> Update {
        match kind {
            8 | 9 => Update::Create(
                CreateUpdate::new(self.entity(), self.description(word)).of_type(ItemType(word)),
            ),
            10 => Update::Recreate(
                CreateUpdate::new(self.entity(), self.description(word)).of_type(ItemType(word)),
            ),
            11 => Update::Delete(DeleteUpdate { entity: self.entity(), instance: self.stamp() }),
            12 => Update::Vector(VectorUpdate {
                entity: self.entity(),
                velocity: self.vector(),
                omega: self.vector(),
                instance: self.stamp(),
                stamp: self.stamp(),
            }),
            13 => Update::Movement(MovementUpdate {
                entity: self.entity(),
                instance: self.stamp(),
                movement: self.movement(word),
            }),
            14 => Update::State(StateUpdate {
                entity: self.entity(),
                state: PhysicsState::from_bits_retain(self.word()),
                instance: self.stamp(),
                stamp: self.stamp(),
            }),
            15 => Update::Parent(ParentUpdate {
                holder: self.entity(),
                held: self.entity(),
                location: word >> 8,
                placement_frame: 0,
                holder_instance: self.stamp(),
                held_position: self.stamp(),
            }),
            16 => Update::Pickup(PickupUpdate {
                entity: self.entity(),
                instance: self.stamp(),
                position: self.stamp(),
            }),
            17 if word & 0x100 == 0 => Update::LocalPlayer(self.entity()),
            17 => Update::Teleport(TeleportUpdate { teleport: self.stamp() }),
            18 => {
                Update::PositionAndMovement { position: self.position(word), movement: self.movement(word) }
            }
            _ => Update::Position(self.position(word)),
        }
    }
}
