//! Messages from recordings, byte for byte, and what becomes of any others.

use evenstride_types::{
    EntityId, Stamp, StampKind, Vec3,
    update::{
        CommandIndex, Contact, HoldKey, MotionCommand, MoveToFlags, MovementKind, PhysicsState, PlayerAction,
        Update,
    },
};
use evenstride_wire::{ActionMessage, Aside, DecodeError, Message, Pretty, decode, encode};
use proptest::prelude::*;

fn bytes(hex: &str) -> Vec<u8> {
    let digits: String = hex.chars().filter(char::is_ascii_hexdigit).collect();
    (0..digits.len() / 2).map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// Decodes a message, and checks that it is written back to the same bytes.
fn message(hex: &str) -> Message {
    let bytes = bytes(hex);
    let decoded = decode(&bytes).unwrap_or_else(|error| panic!("{hex}: {error}"));
    assert_eq!(decoded.odd_padding, None, "{hex}");
    let mut written = Vec::new();
    encode(&decoded.message, &mut written);
    assert_eq!(written, bytes, "{hex}");
    decoded.message
}

fn update(hex: &str) -> Update {
    message(hex).into_update().unwrap()
}

fn movement(hex: &str) -> (MovementKind, u8) {
    match update(hex) {
        Update::Movement(update) => (update.movement.body.kind, update.movement.autonomous),
        other => panic!("{other:?}"),
    }
}

#[test]
fn positions() {
    let Update::Position(grounded) = update(
        "48f70000 02000050 34000000 2a00b4a9 8f49fd42 d0641442 9002bc42 99d08c3e aa2076bf 5a00 0100 0000 0000",
    ) else {
        panic!()
    };
    assert_eq!((grounded.entity, grounded.pack.cell), (EntityId::new(0x5000_0002), 0xA9B4_002A));
    assert!(grounded.pack.origin.distance(Vec3::new(126.6437, 37.0984, 94.0050)) < 1e-3);
    assert_eq!((grounded.pack.rotation.0[1], grounded.pack.rotation.0[2]), (None, None));
    assert_eq!((grounded.pack.instance, grounded.pack.position), (Stamp::new(90), Stamp::new(1)));
    let Update::Position(flying) = update(
        "48f70000 1e000050 31000000 ad010286 1ad22b41 6c90e7c1 f0d6a33b bd7fd43e f3e868bf 0000000000000000530546c0 \
         0100 3700 0000 0000",
    ) else {
        panic!()
    };
    assert!(!flying.pack.has_contact && flying.pack.velocity.is_some_and(|v| (v.z + 3.0941).abs() < 1e-3));
    let Update::Position(whole) = update(
        "48F70000 15000000 00000000 5C8F1E12 000000000000000000000000 0000803F 000000000000000000000000 \
         0100 0200 0300 0400",
    ) else {
        panic!()
    };
    assert_eq!(whole.pack.rotation.0, [Some(1.0), Some(0.0), Some(0.0), Some(0.0)]);
    assert_eq!((whole.pack.teleport, whole.pack.force_position), (Stamp::new(3), Stamp::new(4)));
}

#[test]
fn movements() {
    let (MovementKind::Interpreted { state, .. }, 0) =
        movement("4cf70000 6fc0887c 0000 2d00 2d00 00 00  00 00 3d00  03000000 3d00 7f00")
    else {
        panic!()
    };
    assert_eq!((state.style, state.forward), (Some(CommandIndex(0x3D)), Some(CommandIndex(0x7F))));
    let (MovementKind::Interpreted { state, .. }, 1) =
        movement("4cf70000 02000050 5a00 0200 0000 01 00  00 00 0000  06000000 0700 3ae7fc3f 0000")
    else {
        panic!()
    };
    assert!(state.forward_speed.is_some_and(|speed| (speed - 1.9758).abs() < 1e-4));
    for hex in [
        "4cf70000 02000050 5a00 0600 0000 01 00  00 00 0000  60000000 0d00 0000c0bf 0000",
        "4cf70000 13000050 0400 2e00 1c00 01 00  00 00 3c00  67000000 3c00 0700 0d00 abaaba3f 0000c03f 0000",
        "4cf70000 e2090080 0000 0a00 0a00 00 00  00 00 3d00  03000000 3d00 1100",
    ] {
        let _ = movement(hex);
    }
    let Update::Movement(charging) = update("4cf70000 02000050 5a00 0b00 0000 01 00  00 02 0000  00000000")
    else {
        panic!()
    };
    assert!(charging.movement.body.standing_long_jump);
    let (MovementKind::Interpreted { state, .. }, _) =
        movement("4cf70000 1f000050 0100 3400 0400 00 00  00 00 3d00  83000000 3d00 0300 7d00 0500 0000803f")
    else {
        panic!()
    };
    let action = state.actions[0];
    assert_eq!((action.command, action.stamp, action.speed), (CommandIndex(0x7D), 5, 1.0));
    let (MovementKind::TurnToObject { target, params, .. }, _) = movement(
        "4cf70000 13000050 0400 3e00 1d00 00 00  08 00 3c00  51030080 00000000 0fee0100 0000803f 00000000",
    ) else {
        panic!()
    };
    assert_eq!((target, params.flags.bits()), (EntityId::new(0x8000_0351), 0x1_EE0F));
    let (MovementKind::Interpreted { stick_to, .. }, _) = movement(
        "4cf70000 13000050 0400 3f00 1e00 00 00  00 01 3c00  47000000 3c00 6400 b76d5b3f 00001040  51030080",
    ) else {
        panic!()
    };
    assert_eq!(stick_to, Some(EntityId::new(0x8000_0351)));
}

/// Movement cores of descriptions recorded from the retail servers, behind a prefix that makes them messages.
#[test]
fn retail_movement_cores() {
    let prefix = "4cf70000 13000050 0400 3f00 1e00 00 00";
    let (MovementKind::MoveToObject { params, run_rate, .. }, _) = movement(&format!(
        "{prefix} 06003c00 e3251150 6701f501 7f23dd42 281916c2 c3f5efc1 f0ef4100 e8e6bf3f cdcccc3d 0000c842 0000803f \
         00007041 00000000 00000240"
    )) else {
        panic!()
    };
    assert_eq!((params.flags.bits(), run_rate), (0x0041_EFF0, 2.03125));
    assert!(params.flags.meaningful().contains(MoveToFlags::STICKY));
    let (MovementKind::MoveToPosition { params, .. }, _) = movement(&format!(
        "{prefix} 07003c00 3301f501 6d273d43 6d566dc2 c3f50fc2 0fee4100 00000000 00000000 ffff7f7f 0000803f 00007041 \
         00000000 cb3ded3f"
    )) else {
        panic!()
    };
    assert_eq!(params.fail_distance, f32::MAX);
    for core in [
        "00004400 67000000 4400 0700 0d00 58293d40 0000c0bf 0000",
        "00003d00 66000000 0700 0d00 72a73840 0000c03f",
        "00004900 57000000 4900 2d00 00000040 00004040 0000c03f",
        "00004000 81000000 4000 5f00 0100 ee69843f 0000",
        "00003c00 81000000 3c00 5200 2600 0000803f 0000",
    ] {
        let _ = movement(&format!("{prefix} {core}"));
    }
}

#[test]
fn everything_else_the_server_says() {
    let Update::Vector(jump) =
        update("4ef70000 02000050 00000000 00000000 b6eb6240 000000000000000000000000 5a00 0100")
    else {
        panic!()
    };
    assert!((jump.velocity.z - 3.54564).abs() < 1e-4);
    let Update::State(state) = update("4bf70000 02000050 08044000 5a00 0100") else { panic!() };
    assert_eq!(state.state, PhysicsState::from_bits_retain(0x0040_0408));
    let Update::Parent(parent) = update("49f70000 1e000050 8a0b0080 01000000 01000000 0100 0100") else {
        panic!()
    };
    assert_eq!((parent.holder, parent.held), (EntityId::new(0x5000_001E), EntityId::new(0x8000_0B8A)));
    assert!(matches!(update("47f70000 57030080 0000 0000"), Update::Delete(_)));
    assert!(matches!(update("4af70000 a5090080 0000 3100"), Update::Pickup(_)));
    assert!(matches!(update("51F70000 0000 0000"), Update::Teleport(_)));
    assert!(matches!(update("46f70000 01000050"), Update::LocalPlayer(_)));
    let entity = EntityId::new(0x5000_0001);
    assert_eq!(
        message("55f70000 01000050 02000000 0000803f"),
        Message::Aside(Aside::ScriptType { entity, kind: 2, intensity: 1.0 })
    );
    assert_eq!(
        message("50f70000 01000050 1a000000 0000003f"),
        Message::Aside(Aside::Sound { entity, sound: 0x1A, volume: 0.5 })
    );
    let Message::Aside(Aside::GameEvent { event: 0x1C7, bytes, .. }) =
        message("b0f70000 01000050 0f000000 c7010000 00000000")
    else {
        panic!()
    };
    assert_eq!(bytes.len(), 4);
    let place = "2a00b4a9 8f49fd42 d0641442 9002bc42 99d08c3e 00000000 00000000 aa2076bf";
    let own = message(&format!("db020000 01 0e000000 {place}"));
    assert!(matches!(own, Message::Aside(Aside::PositionProperty { entity: None, kind: 14, .. })));
    let others = message(&format!("dc020000 01 01000050 0e000000 {place}"));
    assert_eq!(others.entity(), Some(entity));
    assert!(matches!(message("ccf70000 010203"), Message::Other { opcode: 0xF7CC, .. }));
}

#[test]
fn what_a_client_says() {
    let action = |hex: &str| match message(hex) {
        Message::Action(ActionMessage { action: Ok(action), counter }) => (counter, action),
        other => panic!("{other:?}"),
    };
    let place = "2a00b4a9 8f49fd42 d0641442 9002bc42 99d08c3e 0000000000000000 aa2076bf 5a00 0000 0000 0000";
    let (7, PlayerAction::MoveToState(down)) =
        action(&format!("b1f70000 07000000 1cf60000 05000000 02000000 05000045 {place} 01 000000"))
    else {
        panic!()
    };
    assert_eq!((down.state.hold_key, down.contact), (Some(HoldKey::RUN), Contact(1)));
    assert_eq!(down.state.forward.command, Some(MotionCommand::WALK_FORWARD));
    let (_, PlayerAction::MoveToState(turning)) = action(&format!(
        "b1f70000 6e000000 1cf60000 07010000 02000000 3c000080 05000045 0d000065 {place} 01 000000"
    )) else {
        panic!()
    };
    assert_eq!(turning.state.turn.command, Some(MotionCommand::TURN_RIGHT));
    assert!(matches!(
        action(&format!("b1f70000 09000000 53f70000 {place} 01 000000")),
        (9, PlayerAction::AutonomousPosition(_))
    ));
    let (_, PlayerAction::Jump(jump)) = action(
        "b1f70000 16000000 1bf60000 2839023f 00000000 00000000 b6eb6240 2a00b4a9 04cd0443 33bcd941 9002bc42 97d08c3e \
         0000000000000000 ab2076bf 5a00 0000 0000 0000",
    ) else {
        panic!()
    };
    assert!((jump.extent - 0.5087).abs() < 1e-4 && (jump.local_velocity.z - 3.5456).abs() < 1e-4);
    let Message::Action(ActionMessage { action: Err(other), .. }) =
        message("b1f70000 18010000 c8000000 6a4b4180")
    else {
        panic!()
    };
    assert_eq!((other.number, other.bytes.len()), (0xC8, 4));
}

/// An arrow's description, invented game data behind it.
#[test]
fn a_description_to_its_last_byte() {
    let hex = "45f70000 5c0a0080  11010001 ef0bef0b 0000009f 02000000  \
               059b0200 48070200 34000000 f901037f 53743342 9543e0c2 7e653c3f 1e4c113f 00000000 00000000 8ac5523f \
               14000020 2b000034 24010002 0000803f 00000000 77159ec1 88aff0c0 4737f6c0 \
               0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 \
               08000000 0500 4172726f77 00 2c01 0a10 00010000 14000000 01000000";
    let decoded = decode(&bytes(hex));
    let Ok(decoded) = decoded else { panic!("{decoded:?}") };
    let Message::Create(create) = &decoded.message else { panic!() };
    let physics = &create.update.physics;
    assert_eq!(physics.placement_frame, Some(0x34));
    assert_eq!((physics.resources.setup, physics.friction), (Some(0x0200_0124), Some(1.0)));
    assert!(physics.velocity.is_some_and(|v| v.distance(Vec3::new(-19.7605, -7.5214, -7.6942)) < 1e-3));
    assert_eq!(physics.stamps.seen(StampKind::Instance), Stamp::new(0));
    let mut written = Vec::new();
    encode(&decoded.message, &mut written);
    assert_eq!(written, bytes(hex));
    // A byte too many is noticed, and so is one too few.
    let mut longer = written.clone();
    longer.push(0);
    assert!(matches!(decode(&longer), Err(DecodeError::Trailing { left: 1, .. })));
    assert!(matches!(decode(&written[..written.len() - 1]), Err(DecodeError::Truncated { .. })));
}

#[test]
fn messages_as_lines_of_text() {
    for (hex, line) in [
        (
            "48f70000 02000050 34000000 2a00b4a9 8f49fd42 d0641442 9002bc42 99d08c3e aa2076bf 5a00 0100 0000 0000",
            "F748 Position 0x50000002 at A9B4002A [126.644, 37.098, 94.005] heading 148.1, grounded (instance 90, position 1, \
             teleport 0, force 0)",
        ),
        (
            "4cf70000 02000050 5a00 0200 0000 01 00  00 00 0000  06000000 0700 3ae7fc3f 0000",
            "F74C Movement 0x50000002 autonomous: forward Run x1.976 (instance 90, movement 2, control 0)",
        ),
        (
            "4cf70000 13000050 0400 3e00 1d00 00 00  08 00 3c00  51030080 00000000 0fee0100 0000803f 00000000",
            "F74C Movement 0x50000013 by the server: in HandCombat turn to 0x80000351 (or 0.0), speed 1.00 (instance 4, movement 62, \
             control 29)",
        ),
        ("47f70000 57030080 0000 0000", "F747 Delete 0x80000357 (instance 0)"),
        ("55f70000 01000050 02000000 0000803f", "F755 ScriptType 0x50000001 script 0x2, intensity 1.00"),
        (
            "b1f70000 16000000 1bf60000 2839023f 00000000 00000000 b6eb6240 2a00b4a9 04cd0443 33bcd941 9002bc42 97d08c3e \
             0000000000000000 ab2076bf 5a00 0000 0000 0000",
            "F7B1 Action #22 F61B Jump extent 0.5087, velocity [0.000, 0.000, 3.546] at A9B4002A [132.801, 27.217, 94.005] \
             heading 148.1 (instance 90, control 0, teleport 0, force 0)",
        ),
    ] {
        assert_eq!(Pretty::new(&message(hex)).to_string(), line);
    }
}

#[test]
fn errors_name_the_field_and_the_byte() {
    let whole = bytes(
        "48f70000 02000050 34000000 2a00b4a9 8f49fd42 d0641442 9002bc42 99d08c3e aa2076bf 5a00 0100 0000 0000",
    );
    for cut in 0..whole.len() {
        let error = decode(&whole[..cut]).unwrap_err();
        assert!(matches!(error, DecodeError::Truncated { offset, .. } if offset <= cut), "{cut}: {error}");
    }
    let error = decode(&whole[..41]).unwrap_err().to_string();
    assert_eq!(error, "teleport stamp at byte 40: needs 2 bytes, 1 left");
}

const OPCODES: [u32; 20] = [
    0xF745, 0xF7DB, 0xF746, 0xF747, 0xF748, 0xF749, 0xF74A, 0xF74B, 0xF74C, 0xF74E, 0xF751, 0xF619, 0xF625,
    0xF7B1, 0xF755, 0xF750, 0xF754, 0xF7B0, 0x02DB, 0x02DC,
];

proptest! {
    /// Whatever the bytes, there is an answer; and what was read is written back as it was, but for odd padding.
    #[test]
    fn any_bytes_are_read_and_written_back_or_refused(
        opcode in prop::sample::select(&OPCODES[..]),
        body in prop::collection::vec(prop_oneof![3 => Just(0u8), 2 => any::<u8>(), 1 => 0u8..16], 0..300),
        action in prop::option::of(prop::sample::select(&[0xF61Cu32, 0xF753, 0xF61B, 0xF61E, 0xF661, 0xF649, 0xF752, 0xF7C9, 0xA1][..])),
    ) {
        let mut message = opcode.to_le_bytes().to_vec();
        if let (0xF7B1, Some(action)) = (opcode, action) {
            message.extend([1, 0, 0, 0]);
            message.extend(action.to_le_bytes());
        }
        message.extend(body);
        // The longest beginning that is a message.
        let mut decoded = decode(&message);
        while let Err(DecodeError::Trailing { what: "message", offset, .. }) = decoded {
            message.truncate(offset);
            decoded = decode(&message);
        }
        if let Ok(decoded) = decoded {
            let mut written = Vec::new();
            encode(&decoded.message, &mut written);
            if decoded.odd_padding.is_none() {
                prop_assert_eq!(&written, &message);
            }
            // Written once, it is the same for ever.
            let again = decode(&written);
            prop_assert!(again.is_ok(), "{:?}", again);
            let mut twice = Vec::new();
            encode(&again.unwrap().message, &mut twice);
            prop_assert_eq!(twice, written);
        }
    }
}
