//! Everything else the server says.

use evenstride_types::{
    EntityId, RawPlacement, Stamp, StampKind, StampTable, Vec3,
    update::{
        Attachment, CreateUpdate, DeleteUpdate, DescribedMovement, InterpretedState, ParentUpdate,
        PhysicsDescription, PhysicsState, PickupUpdate, Resources, StateUpdate, TeleportUpdate, Update,
        VectorUpdate,
    },
};
use evenstride_wire::{CreateMessage, Looks, Message, PackedId, PalettePatch, PartPatch, encode};

use crate::{helpers::*, movements::*, positions::*};

#[test]
fn velocities_of_two_recorded_jumps_and_an_invented_spin() {
    for (text, entity, up, stated, instance) in [
        (
            "4ef70000 02000050 00000000 00000000 b6eb6240 000000000000000000000000 5a00 0100",
            PLAYER,
            "b6eb6240",
            3.545_64,
            90,
        ),
        (
            "4ef70000 1e000050 00000000 00000000 926e6440 000000000000000000000000 0100 0100",
            JUMPER,
            "926e6440",
            3.569_25,
            1,
        ),
    ] {
        near(float(up), stated);
        assert_eq!(hex(text).len(), 36);
        says(
            text,
            Update::Vector(VectorUpdate {
                entity,
                velocity: Vec3::new(0.0, 0.0, float(up)),
                omega: Vec3::ZERO,
                instance: Stamp::new(instance),
                stamp: Stamp::new(1),
            }),
        );
    }
    says(
        "4EF70000 01000050 0000803F 00000040 00004040 CDCCCC3D CDCC4C3E 9A99993E 7B00 C801",
        Update::Vector(VectorUpdate {
            entity: EntityId::new(0x5000_0001),
            velocity: Vec3::new(1.0, 2.0, 3.0),
            omega: Vec3::new(0.1, 0.2, 0.3),
            instance: Stamp::new(123),
            stamp: Stamp::new(456),
        }),
    );
}

#[test]
fn states_and_comings_and_goings() {
    let [zero, one] = [0, 1].map(Stamp::new);
    says(
        "4bf70000 02000050 08044000 5a00 0100",
        Update::State(StateUpdate {
            entity: PLAYER,
            state: PhysicsState::EDGE_SLIDE | PhysicsState::GRAVITY | PhysicsState::REPORT_COLLISIONS,
            instance: Stamp::new(90),
            stamp: one,
        }),
    );
    says(
        "47f70000 57030080 0000 0000",
        Update::Delete(DeleteUpdate { entity: EntityId::new(0x8000_0357), instance: zero }),
    );
    says(
        "4af70000 a5090080 0000 3100",
        Update::Pickup(PickupUpdate {
            entity: EntityId::new(0x8000_09A5),
            instance: zero,
            position: Stamp::new(49),
        }),
    );
    says(
        "49f70000 1e000050 8a0b0080 01000000 01000000 0100 0100",
        Update::Parent(ParentUpdate {
            holder: JUMPER,
            held: EntityId::new(0x8000_0B8A),
            location: 1,
            placement_frame: 1,
            holder_instance: one,
            held_position: one,
        }),
    );
    says("51F70000 0000 0000", Update::Teleport(TeleportUpdate { teleport: zero }));
}

/// An arrow in flight, recorded up to its stamps. What it is was not written down: the plainest game data
/// stand behind it.
#[test]
fn the_description_of_an_arrow() {
    let text = "45f700005c0a0080 11010001ef0bef0b0000009f02000000 059b0200 48070200 34000000 \
                f901037f 53743342 9543e0c2 7e653c3f 1e4c113f 00000000 00000000 8ac5523f \
                14000020 2b000034 24010002 0000803f 00000000 77159ec1 88aff0c0 4737f6c0 \
                0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 \
                00000000 0000 0000 0000 0000 00000000 00000000";
    let Message::Create(create) = read_back(&hex(text)) else { panic!("not a description") };
    assert_eq!(create.update.entity, EntityId::new(0x8000_0A5C));
    let palette = PackedId::Short(0x0BEF);
    let looks = Looks {
        base_palette: Some(palette),
        palettes: vec![PalettePatch { palette, offset: 0, length: 0 }],
        parts: vec![PartPatch { part: 0, model: PackedId::Short(0x029F) }],
        ..Looks::PLAIN
    };
    assert_eq!(create.looks, looks);
    let velocity = vector("77159ec1 88aff0c0 4737f6c0");
    near_vector(velocity, [-19.7605, -7.5214, -7.6942]);
    let physics = PhysicsDescription {
        state: PhysicsState::from_bits_retain(0x0002_0748),
        placement_frame: Some(0x34),
        position: Some(RawPlacement {
            cell: 0x7F03_01F9,
            origin: vector("53743342 9543e0c2 7e653c3f"),
            wxyz: floats("1e4c113f 00000000 00000000 8ac5523f"),
        }),
        resources: Resources {
            setup: Some(0x0200_0124),
            motion_table: None,
            sound_table: Some(0x2000_0014),
            script_table: Some(0x3400_002B),
        },
        friction: Some(1.0),
        elasticity: Some(0.0),
        velocity: Some(velocity),
        ..PhysicsDescription::nowhere(StampTable::default())
    };
    assert_eq!(*create.update.physics, physics);
    assert!(physics.state.contains(PhysicsState::MISSILE | PhysicsState::INELASTIC));
}

/// A player of the retail servers. Of the message its movement, flags, state, place, stamps and two of its
/// records were written down; who it is, what it holds, and the other two records are invented.
#[test]
fn the_description_of_callaway() {
    let speed = float("dcae3d40");
    let state = InterpretedState {
        style: index(0x44),
        forward: index(7),
        forward_speed: Some(speed),
        ..InterpretedState::default()
    };
    let body = described("000044000700000044000700dcae3d40");
    assert_eq!(body, doing(0x44, state));

    let stamps = StampTable::new([7216, 6773, 24, 44, 21, 471, 32, 0, 910].map(Stamp::new));
    assert_eq!(stamps.seen(StampKind::ServerControlledMove), Stamp::new(471));
    assert_eq!(stamps.seen(StampKind::Instance), Stamp::new(910));
    let physics = PhysicsDescription {
        state: PhysicsState::from_bits_retain(0x0040_0408),
        movement: Some(DescribedMovement::Doing { body, autonomous: 1 }),
        position: Some(RawPlacement {
            cell: 0x01F5_0167,
            origin: Vec3::new(109.2642, -35.2071, -29.995),
            wxyz: [0.041_43, 0.0, 0.0, -0.999_14],
        }),
        resources: Resources {
            setup: Some(0x0200_196E),
            motion_table: Some(0x0900_0001),
            sound_table: Some(0x2000_0001),
            script_table: Some(0x3400_0004),
        },
        children: Some(vec![Attachment { entity: EntityId::new(0x8000_0001), location: 1 }]),
        ..PhysicsDescription::nowhere(stamps)
    };
    let update = CreateUpdate::new(EntityId::new(0x5000_0001), physics);
    let message = Message::Create(Box::new(CreateMessage::plain(update)));
    let mut written = Vec::new();
    encode(&message, &mut written);
    assert_eq!(read_back(&written), message);
    // Flags, state, and the movement with its length before it and who asked for it behind.
    let beginning = hex("43980100 08044000 10000000 000044000700000044000700dcae3d40 01000000");
    assert_eq!(written[12..44], beginning);
    assert_eq!(written[44..48], hex("6701f501"));
    assert_eq!(written[76..80], hex("01000009"));
    assert_eq!(written[88..96], hex("6e190002 01000000"));
    assert_eq!(written[104..124], hex("301c 751a 1800 2c00 1500 d701 2000 0000 8e03 0000"));
}
