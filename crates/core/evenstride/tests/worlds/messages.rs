//! Random messages, every kind of rubbish included.

use evenstride::types::{
    EntityId, RawPlacement, Rotation, Stamp, StampKind, StampTable, Vec3,
    update::{
        Attachment, CommandIndex, CreateUpdate, DeleteUpdate, DescribedMovement, InterpretedState,
        MoveToFlags, MoveToParams, Movement, MovementBody, MovementKind, MovementUpdate, ParentUpdate,
        PhysicsDescription, PhysicsState, PickupUpdate, PositionPack, PositionUpdate, SparseQuaternion,
        StateUpdate, TeleportUpdate, TurnToParams, Update, VectorUpdate,
    },
};
use evenstride_testkit::Actor;
use proptest::prelude::*;

/// Few ids, so that messages meet.
pub(crate) fn entity() -> impl Strategy<Value = EntityId> {
    (1u32..9).prop_map(EntityId::new)
}

/// Few stamps near each other, and now and then any.
pub(crate) fn stamp() -> impl Strategy<Value = Stamp> {
    prop_oneof![9 => 0u16..6, 1 => any::<u16>()].prop_map(Stamp::new)
}

pub(crate) fn coordinates() -> impl Strategy<Value = Vec3> {
    prop_oneof![
        9 => [0.0f32..192.0, 0.0f32..192.0, 5.0f32..15.0],
        1 => any::<[u32; 3]>().prop_map(|bits| bits.map(f32::from_bits)),
    ]
    .prop_map(Vec3::from_array)
}

pub(crate) fn vector() -> impl Strategy<Value = Vec3> {
    prop_oneof![
        4 => [-8.0f32..8.0, -8.0f32..8.0, -8.0f32..8.0],
        1 => any::<[u32; 3]>().prop_map(|bits| bits.map(f32::from_bits)),
    ]
    .prop_map(Vec3::from_array)
}

pub(crate) fn quaternion() -> impl Strategy<Value = [f32; 4]> {
    prop_oneof![
        4 => (0.0f32..360.0).prop_map(|degrees| {
            Rotation::facing(evenstride::types::Heading::from_degrees(degrees).unwrap()).to_wxyz()
        }),
        1 => any::<[f32; 4]>(),
    ]
}

pub(crate) fn cell() -> impl Strategy<Value = u32> {
    prop_oneof![8 => Just(evenstride_testkit::HOME), 1 => Just(0xA9B4_0102), 1 => any::<u32>(), 1 => Just(0)]
}

pub(crate) fn raw_placement() -> impl Strategy<Value = RawPlacement> {
    (cell(), coordinates(), quaternion()).prop_map(|(cell, origin, wxyz)| RawPlacement { cell, origin, wxyz })
}

pub(crate) fn pack() -> impl Strategy<Value = PositionPack> {
    (raw_placement(), any::<bool>(), [stamp(), stamp(), stamp(), stamp()]).prop_map(
        |(place, has_contact, [instance, position, teleport, force_position])| PositionPack {
            cell: place.cell,
            origin: place.origin,
            rotation: SparseQuaternion::full(place.wxyz),
            velocity: None,
            placement_frame: None,
            has_contact,
            other_flags: 0,
            instance: Stamp::new(instance.raw() % 3),
            position,
            teleport: Stamp::new(teleport.raw() % 3),
            force_position: Stamp::new(force_position.raw() % 3),
        },
    )
}

pub(crate) fn movement_body() -> impl Strategy<Value = MovementBody> {
    let speed = || prop_oneof![4 => 0.5f32..3.0, 1 => any::<f32>()];
    let interpreted = (any::<u16>(), speed(), prop::option::of(entity()), 0u16..20).prop_map(
        |(any_command, speed, stick_to, command)| {
            let forward = if any_command % 8 == 0 { any_command } else { command };
            MovementKind::Interpreted {
                state: InterpretedState {
                    forward: Some(CommandIndex(forward)),
                    forward_speed: Some(speed),
                    sidestep: Some(CommandIndex(15)),
                    ..InterpretedState::default()
                },
                stick_to,
            }
        },
    );
    let other =
        prop::collection::vec(any::<u8>(), 0..40).prop_map(|bytes| MovementKind::Other { number: 3, bytes });
    prop_oneof![4 => interpreted, 4 => sent(), 1 => other].prop_map(MovementBody::new)
}

/// A move-to a place or a body, or a turn, with numbers of any kind.
pub(crate) fn sent() -> impl Strategy<Value = MovementKind> {
    let number = |usual: std::ops::Range<f32>| prop_oneof![6 => usual, 1 => any::<f32>()];
    let flags = prop_oneof![
        4 => prop::sample::select(vec![0x1_EE0F, 0x1_EE8F, 0x1_EF0F, 0x1_ED0F, 0x1_EE4F, 0x1_EA1F]),
        1 => any::<u32>(),
    ];
    let numbers = (number(0.0..5.0), number(0.0..10.0), number(1.0..100.0), number(0.1..3.0));
    let params = (flags, numbers, number(0.0..20.0), number(0.0..360.0)).prop_map(
        |(flags, (near, far, fail_distance, speed), threshold, heading)| MoveToParams {
            flags: MoveToFlags::from_bits_retain(flags),
            distance_to_object: near,
            min_distance: far,
            fail_distance,
            speed,
            walk_run_threshold: threshold,
            desired_heading_deg: heading,
        },
    );
    (0u8..4, entity(), raw_placement(), params, number(0.5..3.0)).prop_map(
        |(kind, target, RawPlacement { cell, origin, .. }, params, run_rate)| {
            let MoveToParams { flags, speed, desired_heading_deg, .. } = params;
            let turn = TurnToParams { flags, speed, desired_heading_deg };
            match kind {
                0 => MovementKind::MoveToObject { target, cell, origin, params, run_rate },
                1 => MovementKind::MoveToPosition { cell, origin, params, run_rate },
                2 => MovementKind::TurnToObject { target, heading_deg: run_rate, params: turn },
                _ => MovementKind::TurnToHeading(turn),
            }
        },
    )
}

pub(crate) fn movement() -> impl Strategy<Value = Movement> {
    (stamp(), stamp(), any::<bool>(), movement_body()).prop_map(
        |(stamp, server_control, autonomous, body)| Movement {
            stamp,
            server_control,
            autonomous: u8::from(autonomous),
            body,
        },
    )
}

pub(crate) fn description() -> impl Strategy<Value = PhysicsDescription> {
    let parent = prop::option::weighted(0.2, (entity(), 0u32..4));
    let numbers = prop::option::weighted(0.2, any::<f32>());
    (
        (prop::option::weighted(0.8, raw_placement()), parent, any::<[u16; 9]>(), any::<bool>()),
        (prop::option::weighted(0.3, vector()), numbers, prop::option::weighted(0.3, movement_body())),
    )
        .prop_map(|((position, parent, stamps, missile), (velocity, scale, movement))| {
            let mut stamps = StampTable::new(stamps.map(|stamp| Stamp::new(stamp % 6)));
            stamps.set(StampKind::Instance, Stamp::new(stamps.seen(StampKind::Instance).raw() % 3));
            PhysicsDescription {
                state: if missile { PhysicsState::MISSILE } else { PhysicsState::default() },
                movement: movement.map(|body| DescribedMovement::Doing { body, autonomous: 0 }),
                position,
                parent: parent.map(|(entity, location)| Attachment { entity, location }),
                scale,
                velocity,
                stamps,
                ..Actor::new(1).description(None)
            }
        })
}

pub(crate) fn update() -> impl Strategy<Value = Update> {
    let instance = || (0u16..3).prop_map(Stamp::new);
    prop_oneof![
        6 => (entity(), pack()).prop_map(|(entity, pack)| Update::Position(PositionUpdate { entity, pack })),
        3 => (entity(), instance(), movement())
            .prop_map(|(entity, instance, movement)| Update::Movement(MovementUpdate { entity, instance, movement })),
        5 => (entity(), description(), any::<bool>()).prop_map(|(entity, physics, recreates)| {
            let create = CreateUpdate::new(entity, physics);
            if recreates { Update::Recreate(create) } else { Update::Create(create) }
        }),
        1 => (entity(), instance()).prop_map(|(entity, instance)| Update::Delete(DeleteUpdate { entity, instance })),
        2 => (entity(), vector(), vector(), instance(), stamp()).prop_map(|(entity, velocity, omega, instance, stamp)| {
            Update::Vector(VectorUpdate { entity, velocity, omega, instance, stamp })
        }),
        2 => (entity(), any::<u32>(), instance(), stamp()).prop_map(|(entity, bits, instance, stamp)| {
            Update::State(StateUpdate { entity, state: PhysicsState::from_bits_retain(bits), instance, stamp })
        }),
        3 => (entity(), entity(), 0u32..4, instance(), stamp()).prop_map(
            |(holder, held, location, holder_instance, held_position)| {
                Update::Parent(ParentUpdate { holder, held, location, placement_frame: 0, holder_instance, held_position })
            }
        ),
        1 => (entity(), instance(), stamp())
            .prop_map(|(entity, instance, position)| Update::Pickup(PickupUpdate { entity, instance, position })),
        1 => stamp().prop_map(|teleport| Update::Teleport(TeleportUpdate { teleport })),
        1 => entity().prop_map(Update::LocalPlayer),
        1 => (entity(), pack(), movement()).prop_map(|(entity, pack, movement)| {
            Update::PositionAndMovement { position: PositionUpdate { entity, pack }, movement }
        }),
    ]
}
