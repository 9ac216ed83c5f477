//! Worked examples, byte for byte: what each says to the last field, and that it is written back as it was.
//!
//! The bytes are recorded ones unless a test says otherwise. Numbers given as bytes are compared exactly,
//! numbers given as decimals as far as they were written down.

use evenstride_types::{
    EntityId, RawPlacement, Stamp, StampKind, StampTable, Vec3,
    update::{
        ActionItem, Attachment, AutonomousPosition, CommandIndex, Contact, CreateUpdate, DeleteUpdate,
        DescribedMovement, HoldKey, InterpretedState, Jump, MotionCommand, MoveToFlags, MoveToParams,
        MoveToState, Movement, MovementBody, MovementKind, MovementUpdate, ParentUpdate, PhysicsDescription,
        PhysicsState, PickupUpdate, PlayerAction, PlayerStamps, PositionPack, PositionUpdate, RawAxis,
        RawState, Resources, SparseQuaternion, StateUpdate, TeleportUpdate, TurnToParams, Update,
        VectorUpdate,
    },
};
use evenstride_wire::{
    ActionMessage, CreateMessage, FragmentHeader, Guard, KeyStream, Looks, Message, OtherAction, PackedId,
    Packet, PacketFlags, PalettePatch, PartPatch, Section, decode, encode, write_packet,
};

fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    assert!(digits.len().is_multiple_of(2), "half a byte: {text}");
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

/// Numbers by their bytes, in wire order.
fn floats<const N: usize>(text: &str) -> [f32; N] {
    let bytes = hex(text);
    assert_eq!(bytes.len(), 4 * N, "{text}");
    std::array::from_fn(|index| f32::from_bits(word(&bytes, 4 * index)))
}

fn float(text: &str) -> f32 {
    floats::<1>(text)[0]
}

fn vector(text: &str) -> Vec3 {
    Vec3::from_array(floats(text))
}

fn double(text: &str) -> f64 {
    f64::from_le_bytes(hex(text).try_into().unwrap())
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// As near as a number written down in decimals can be expected to be.
#[track_caller]
fn near(actual: f32, stated: f32) {
    assert!((actual - stated).abs() <= 1e-4 * stated.abs(), "{actual} is not {stated}");
}

#[track_caller]
fn near_vector(actual: Vec3, stated: [f32; 3]) {
    actual.to_array().into_iter().zip(stated).for_each(|(actual, stated)| near(actual, stated));
}

/// Reads a datagram, and checks that it is written back to the same bytes and that its header's hash is the
/// sum it should be.
fn datagram(bytes: &[u8]) -> Packet<'_> {
    let packet = Packet::read(bytes).unwrap();
    assert_eq!(packet.fault, None);
    let key = match packet.guard() {
        Guard::Key(key) => Some(key),
        Guard::Fits => None,
        Guard::Broken => panic!("{packet:?}"),
    };
    let mut written = Vec::new();
    write_packet(&packet.header, &packet.sections, &packet.fragments, key, &mut written);
    assert_eq!(written, bytes);
    let header = &packet.header;
    let words = [
        header.sequence,
        header.flags.bits(),
        u32::from(header.recipient) | (u32::from(header.interval) << 16),
        u32::from(header.size) | (u32::from(header.iteration) << 16),
    ];
    assert_eq!(header.hash(), words.into_iter().fold(0xBAF1_70DD, u32::wrapping_add));
    packet
}

/// The header's hash, the payload's, and what is left of the checksum.
fn sums(packet: &Packet<'_>) -> (u32, u32, Guard) {
    (packet.header.hash(), packet.payload_hash(), packet.guard())
}

/// Seeds of the recorded session, as its handshake gives them.
const SERVER_SEED: u32 = 0x6A98_D361;
const CLIENT_SEED: u32 = 0x1C08_CCF5;

/// The word of a seed's stream that guards the packet of this number.
fn key_of(seed: u32, sequence: usize) -> u32 {
    let mut keys = KeyStream::new(seed);
    std::iter::repeat_with(|| keys.next_key()).nth(sequence - 2).unwrap()
}

/// Decodes a message, and checks that it is written back to the same bytes.
fn read_back(bytes: &[u8]) -> Message {
    let decoded = decode(bytes).unwrap_or_else(|error| panic!("{bytes:02x?}: {error}"));
    assert_eq!(decoded.odd_padding, None, "{bytes:02x?}");
    let mut written = Vec::new();
    encode(&decoded.message, &mut written);
    assert_eq!(written, bytes);
    decoded.message
}

#[track_caller]
fn says(text: &str, expected: Update) {
    assert_eq!(read_back(&hex(text)), Message::Update(expected), "{text}");
}

#[track_caller]
fn asks(text: &str, counter: u32, action: PlayerAction) {
    let expected = Message::Action(ActionMessage { counter, action: Ok(action) });
    assert_eq!(read_back(&hex(text)), expected, "{text}");
}

// Datagrams.

#[test]
fn the_key_streams_of_the_recorded_sessions() {
    let first = |seed: u32, count: usize| -> Vec<u32> {
        let mut keys = KeyStream::new(seed);
        (0..count).map(|_| keys.next_key()).collect()
    };
    assert_eq!(
        first(SERVER_SEED, 5),
        [0x1F47_83ED, 0x388A_0464, 0x0A16_B93F, 0x6EDE_2DA9, 0xCC6F_F7D3],
        "the server's"
    );
    assert_eq!(first(CLIENT_SEED, 4), [0x3F2B_96BF, 0x3698_0152, 0x1966_F3EC, 0x005C_9D9C], "the client's");
    assert_eq!(first(0x2665_07BF, 569)[568], 0x8083_1A6C, "two rounds in");
}

#[test]
fn the_login_request() {
    let bytes = hex("00000000000001006afcae22000000002d000000 0400313830320000210000000200000000000000\
         ccc6996a040061633031000000000000050000000461633031");
    let packet = datagram(&bytes);
    assert_eq!(sums(&packet), (0xBAF2_710A, 0x67BC_8B60, Guard::Fits));
    assert_eq!(packet.header.checksum, 0x22AE_FC6A);
    assert_eq!((packet.header.sequence, packet.header.flags), (0, PacketFlags::LOGIN_REQUEST));
    assert_eq!((packet.header.recipient, packet.header.iteration), (0, 0));
    let [Section::LoginRequest(body)] = &packet.sections[..] else { panic!("{:?}", packet.sections) };
    assert_eq!(body[..8], *b"\x04\x001802\0\0");
    assert_eq!((word(body, 8), body.len() - 12), (33, 33), "bytes that follow");
    assert_eq!([word(body, 12), word(body, 16), word(body, 20)], [2, 0, 0x6A99_C6CC], "type, flags, time");
    assert_eq!(body[24..32], *b"\x04\0ac01\0\0");
    assert_eq!([word(body, 32), word(body, 36)], [0, 5], "nothing, then the password");
    assert_eq!(body[40..], *b"\x04ac01");
}

#[test]
fn the_connect_request_and_its_response() {
    let bytes = hex("00000000000004009a552e960b00400420000100 2ceeba400409b241ed2e44021f1e85cb\
         0000000061d3986af5cc081c00000000");
    let packet = datagram(&bytes);
    assert_eq!(sums(&packet), (0xBF36_7108, 0xD6F7_E492, Guard::Fits));
    let [Section::ConnectRequest(request)] = packet.sections[..] else { panic!("{:?}", packet.sections) };
    assert!((request.time - 302_580_800.730_2).abs() < 1e-4, "{}", request.time);
    assert_eq!((request.cookie, request.net_id), (0xCB85_1E1F_0244_2EED, 0));
    assert_eq!((request.server_seed, request.client_seed), (SERVER_SEED, CLIENT_SEED));
    assert_eq!(request.unused, 0);

    let bytes = hex("0000000000000800f1bdcb880000000008000100 ed2e44021f1e85cb");
    let packet = datagram(&bytes);
    assert_eq!(packet.guard(), Guard::Fits);
    assert_eq!((packet.header.sequence, packet.header.iteration), (0, 1));
    assert_eq!(packet.sections, [Section::ConnectResponse(request.cookie)]);
}

#[test]
fn the_servers_first_time_and_the_clients_answer() {
    let bytes = hex("020000000200000101906e5d0b00400408000100 dc93c1400409b241");
    let packet = datagram(&bytes);
    assert_eq!(packet.header.sequence, 2);
    assert_eq!(sums(&packet), (0xC032_70F4, 0x827B_9CE0, Guard::Key(0x1F47_83ED)));
    assert_eq!(packet.guard(), Guard::Key(key_of(SERVER_SEED, 2)));
    let [Section::TimeSync(time)] = packet.sections[..] else { panic!("{:?}", packet.sections) };
    assert!((time - 302_580_800.756_2).abs() < 1e-4, "{time}");

    let bytes = hex("0100000000400000e4b0f7ba0000010004000100 02000000");
    let packet = datagram(&bytes);
    assert_eq!((packet.header.sequence, packet.guard()), (1, Guard::Fits));
    assert_eq!(packet.sections, [Section::Ack(2)]);
}

#[test]
fn the_first_fragments_of_both_sides() {
    let bytes = hex("0300000006000000a5640a780b0040042c000100 000000000000008001002c0000000500 e5f70000\
         010000000100000001000000020000000000000001000000");
    let packet = datagram(&bytes);
    assert_eq!(packet.header.sequence, 3);
    assert_eq!(sums(&packet), (0xBF32_711D, 0x805D_F7EC, Guard::Key(0x388A_0464)));
    assert_eq!(packet.guard(), Guard::Key(key_of(SERVER_SEED, 3)));
    let [fragment] = packet.fragments[..] else { panic!("{:?}", packet.fragments) };
    let header = FragmentHeader { sequence: 0, id: 0x8000_0000, count: 1, size: 44, index: 0, queue: 5 };
    assert_eq!(fragment.header, header);
    assert_eq!(read_back(fragment.payload).opcode(), 0xF7E5);

    let bytes = hex("0300000006000000b767aad00000020014000100 02000000020000230100140000000500 eaf70000");
    let packet = datagram(&bytes);
    assert_eq!((packet.header.sequence, packet.guard()), (3, Guard::Key(0x3698_0152)));
    assert_eq!(packet.guard(), Guard::Key(key_of(CLIENT_SEED, 3)));
    let [fragment] = packet.fragments[..] else { panic!("{:?}", packet.fragments) };
    let header = FragmentHeader { sequence: 2, id: 0x2300_0002, count: 1, size: 20, index: 0, queue: 5 };
    assert_eq!(fragment.header, header);
    assert_eq!(read_back(fragment.payload), Message::Other { opcode: 0xF7EA, bytes: Vec::new() });
}

/// A flow section has six bytes, so what is left over is hashed too.
#[test]
fn an_acknowledgement_with_a_flow() {
    let bytes = hex("04000000024000088ea3601c000005000a000100 05000000480100004004");
    let packet = datagram(&bytes);
    assert_eq!(packet.header.sequence, 4);
    assert_eq!(sums(&packet), (0xC2F7_B0ED, 0x400E_014D, Guard::Key(0x1966_F3EC)));
    assert_eq!(packet.guard(), Guard::Key(key_of(CLIENT_SEED, 4)));
    assert_eq!(packet.sections, [Section::Ack(5), Section::Flow { bytes: 328, interval: 0x440 }]);
}

#[test]
fn four_sections_in_one_packet_and_the_echo_that_answers() {
    let bytes = hex("050000000240000ba04e79cf0000090016000100 050000003a96c1440409b241df609340180000004204");
    let packet = datagram(&bytes);
    assert_eq!(packet.header.sequence, 5);
    assert_eq!((packet.payload_hash(), packet.guard()), (0x0921_003A, Guard::Key(0x005C_9D9C)));
    assert_eq!(packet.guard(), Guard::Key(key_of(CLIENT_SEED, 5)));
    let asked = float("df609340");
    assert_eq!(
        packet.sections,
        [
            Section::Ack(5),
            Section::TimeSync(double("3a96c1440409b241")),
            Section::EchoRequest(asked),
            Section::Flow { bytes: 24, interval: 0x442 },
        ]
    );

    let bytes = hex("0600000002000004cacf7a050b00440408000100 df6093402248904d");
    let packet = datagram(&bytes);
    assert_eq!((packet.header.sequence, packet.guard()), (6, Guard::Key(0xCC6F_F7D3)));
    assert_eq!(packet.guard(), Guard::Key(key_of(SERVER_SEED, 6)));
    let second = float("2248904d");
    assert_eq!(packet.sections, [Section::EchoResponse { echoed: asked, second }]);
    near(asked, 4.605575);
    near(second, 3.0258e8);
}

/// The beginning of another session, recorded without its handshake. The client's seed was found by trying;
/// the server's is unknown.
#[test]
fn the_first_datagrams_of_a_session_without_a_handshake() {
    let bytes =
        hex("3a0200000600 0003a2ac1d58 32008b03 2c000100 9756fe0cf78bb041 83f9e243 1f010000 1f010003 \
         01002000 00000300 b1f70000 18010000 c8000000 6a4b4180");
    let packet = datagram(&bytes);
    let header = &packet.header;
    assert_eq!((header.sequence, header.flags.bits()), (570, 0x0300_0006));
    assert_eq!((header.recipient, header.interval, header.size), (50, 0x38B, 44));
    assert_eq!(packet.guard(), Guard::Key(0x8083_1A6C));
    assert_eq!(packet.guard(), Guard::Key(key_of(0x2665_07BF, 570)));
    let asked = float("83f9e243");
    // The notes beside the bytes have 455.9493, a slip of the pen.
    near(asked, 453.9493);
    let time = double("9756fe0cf78bb041");
    assert_eq!(packet.sections, [Section::TimeSync(time), Section::EchoRequest(asked)]);
    let [fragment] = packet.fragments[..] else { panic!("{:?}", packet.fragments) };
    let header = FragmentHeader { sequence: 287, id: 0x0300_011F, count: 1, size: 32, index: 0, queue: 3 };
    assert_eq!(fragment.header, header);
    let other = OtherAction { number: 0xC8, bytes: hex("6a4b4180") };
    let expected = Message::Action(ActionMessage { counter: 280, action: Err(other) });
    assert_eq!(read_back(fragment.payload), expected);

    let bytes = hex("69080000 02000004 611a0c38 0b000df7 08000100 83f9e243 aa5f844d");
    let packet = datagram(&bytes);
    assert_eq!((packet.header.sequence, packet.header.flags.bits()), (2153, 0x0400_0002));
    assert_eq!((packet.header.recipient, packet.header.size), (0x0B, 8));
    assert!(matches!(packet.guard(), Guard::Key(_)), "{packet:?}");
    assert_eq!(packet.sections, [Section::EchoResponse { echoed: asked, second: float("aa5f844d") }]);

    let bytes = hex("6b080000 00400000 92bb04b2 0b000ef7 04000100 3b020000");
    let packet = datagram(&bytes);
    assert_eq!(packet.header.sequence, 2155);
    assert_eq!(sums(&packet), (0xB200_B957, 0x0004_023B, Guard::Fits));
    assert_eq!(packet.sections, [Section::Ack(571)]);
}

// Positions.

const PLAYER: EntityId = EntityId::new(0x5000_0002);
const JUMPER: EntityId = EntityId::new(0x5000_001E);

/// Where the recorded player stood before the run.
fn before_the_run() -> PositionPack {
    PositionPack {
        cell: 0xA9B4_002A,
        origin: vector("8f49fd42 d0641442 9002bc42"),
        rotation: SparseQuaternion([Some(float("99d08c3e")), None, None, Some(float("aa2076bf"))]),
        velocity: None,
        placement_frame: None,
        has_contact: true,
        other_flags: 0,
        instance: Stamp::new(90),
        position: Stamp::new(1),
        teleport: Stamp::new(0),
        force_position: Stamp::new(0),
    }
}

/// Where the recorded jumper was right after a jump.
fn after_a_jump() -> PositionPack {
    PositionPack {
        cell: 0x8602_01AD,
        origin: vector("1ad22b41 6c90e7c1 f0d6a33b"),
        rotation: SparseQuaternion([Some(float("bd7fd43e")), None, None, Some(float("f3e868bf"))]),
        velocity: Some(vector("00000000 00000000 e98ee7b4")),
        instance: Stamp::new(1),
        position: Stamp::new(0x36),
        ..before_the_run()
    }
}

#[test]
fn a_player_on_the_ground() {
    let pack = before_the_run();
    assert_eq!(pack.flags(), 0x34);
    near_vector(pack.origin, [126.6437, 37.0984, 94.005]);
    let [w, x, y, z] = pack.rotation.to_wxyz();
    near(w, 0.275_03);
    near(z, -0.961_44);
    assert_eq!((x, y), (0.0, 0.0));
    says(
        "48f70000 02000050 34000000 2a00b4a9 8f49fd42 d0641442 9002bc42 99d08c3e aa2076bf \
         5a00 0100 0000 0000",
        Update::Position(PositionUpdate { entity: PLAYER, pack }),
    );
}

/// ACE sends a velocity however small it is; the client would have left it out.
#[test]
fn a_grounded_position_with_next_to_no_velocity() {
    let pack = after_a_jump();
    assert_eq!((pack.flags(), pack.has_contact), (0x35, true));
    let velocity = pack.velocity.unwrap();
    assert_eq!((velocity.x, velocity.y), (0.0, 0.0));
    assert!((velocity.z + 4.3e-7).abs() < 0.05e-7, "{velocity}");
    says(
        "48f70000 1e000050 35000000 ad010286 1ad22b41 6c90e7c1 f0d6a33b bd7fd43e f3e868bf \
         0000000000000000e98ee7b4 0100 3600 0000 0000",
        Update::Position(PositionUpdate { entity: JUMPER, pack }),
    );
}

#[test]
fn a_position_in_the_air() {
    let velocity = vector("00000000 00000000 530546c0");
    near_vector(velocity, [0.0, 0.0, -3.0941]);
    let pack = PositionPack {
        velocity: Some(velocity),
        has_contact: false,
        position: Stamp::new(0x37),
        ..after_a_jump()
    };
    assert_eq!(pack.flags(), 0x31);
    says(
        "48f70000 1e000050 31000000 ad010286 1ad22b41 6c90e7c1 f0d6a33b bd7fd43e f3e868bf \
         0000000000000000530546c0 0100 3700 0000 0000",
        Update::Position(PositionUpdate { entity: JUMPER, pack }),
    );
}

/// Invented bytes.
#[test]
fn a_position_that_leaves_nothing_out() {
    let pack = PositionPack {
        cell: 0x121E_8F5C,
        origin: Vec3::ZERO,
        rotation: SparseQuaternion::full([1.0, 0.0, 0.0, 0.0]),
        velocity: None,
        placement_frame: None,
        has_contact: false,
        other_flags: 0,
        instance: Stamp::new(1),
        position: Stamp::new(2),
        teleport: Stamp::new(3),
        force_position: Stamp::new(4),
    };
    assert_eq!(pack.flags(), 0);
    says(
        "48F70000 15000000 00000000 5C8F1E12 000000000000000000000000 0000803F 000000000000000000000000 \
         0100 0200 0300 0400",
        Update::Position(PositionUpdate { entity: EntityId::new(0x15), pack }),
    );
}

/// Creatures send a placement of 0x65; one that faces north sends only the first part of its rotation. Put
/// together from a player's recorded position: of creatures only flags and length were written down.
#[test]
fn positions_of_creatures() {
    let turned = PositionPack { placement_frame: Some(0x65), ..before_the_run() };
    assert_eq!(turned.flags(), 0x36);
    let text = "48f70000 02000050 36000000 2a00b4a9 8f49fd42 d0641442 9002bc42 99d08c3e aa2076bf 65000000 \
                5a00 0100 0000 0000";
    assert_eq!(hex(text).len(), 48);
    says(text, Update::Position(PositionUpdate { entity: PLAYER, pack: turned.clone() }));
    let rotation = SparseQuaternion::packed([1.0, 0.0, 0.0, 0.0]);
    let north = PositionPack { rotation, ..turned };
    assert_eq!(north.flags(), 0x76);
    says(
        "48f70000 02000050 76000000 2a00b4a9 8f49fd42 d0641442 9002bc42 0000803f 65000000 \
         5a00 0100 0000 0000",
        Update::Position(PositionUpdate { entity: PLAYER, pack: north }),
    );
}

// Movements.

const fn index(number: u16) -> Option<CommandIndex> {
    Some(CommandIndex(number))
}

/// Commands and speeds in a stance.
fn doing(style: u16, state: InterpretedState) -> MovementBody {
    MovementBody { style: CommandIndex(style), ..MovementBody::interpreted(state) }
}

fn of_kind(style: u16, kind: MovementKind) -> MovementBody {
    MovementBody { style: CommandIndex(style), standing_long_jump: false, other_flags: 0, kind }
}

fn action(command: u16, stamp: u16, speed: f32) -> ActionItem {
    ActionItem { command: CommandIndex(command), stamp, autonomous: false, speed }
}

/// A movement with the stamps of life, movement and server control.
fn moves(entity: u32, stamps: [u16; 3], autonomous: u8, body: MovementBody) -> Update {
    let [instance, stamp, server_control] = stamps.map(Stamp::new);
    let movement = Movement { stamp, server_control, autonomous, body };
    Update::Movement(MovementUpdate { entity: EntityId::new(entity), instance, movement })
}

#[test]
fn movements_of_a_player_by_itself() {
    let speed = float("3ae7fc3f");
    near(speed, 1.9758);
    let run =
        InterpretedState { forward: index(7), forward_speed: Some(speed), ..InterpretedState::default() };
    says(
        "4cf70000 02000050 5a00 0200 0000 01 00 00 00 0000 06000000 0700 3ae7fc3f 0000",
        moves(0x5000_0002, [90, 2, 0], 1, doing(0, run)),
    );
    let left = InterpretedState { turn: index(0x0D), turn_speed: Some(-1.5), ..InterpretedState::default() };
    says(
        "4cf70000 02000050 5a00 0600 0000 01 00 00 00 0000 60000000 0d00 0000c0bf 0000",
        moves(0x5000_0002, [90, 6, 0], 1, doing(0, left)),
    );
    let speed = float("abaaba3f");
    near(speed, 1.4583);
    let run_and_turn = InterpretedState {
        style: index(0x3C),
        forward: index(7),
        turn: index(0x0D),
        forward_speed: Some(speed),
        turn_speed: Some(1.5),
        ..InterpretedState::default()
    };
    says(
        "4cf70000 13000050 0400 2e00 1c00 01 00 00 00 3c00 67000000 3c00 0700 0d00 abaaba3f 0000c03f 0000",
        moves(0x5000_0013, [4, 46, 28], 1, doing(0x3C, run_and_turn)),
    );
    let charge = MovementBody { standing_long_jump: true, ..doing(0, InterpretedState::default()) };
    says(
        "4cf70000 02000050 5a00 0b00 0000 01 00 00 02 0000 00000000",
        moves(0x5000_0002, [90, 11, 0], 1, charge),
    );
}

#[test]
fn movements_on_order_of_the_server() {
    let stance = |style: u16, forward: u16| InterpretedState {
        style: index(style),
        forward: index(forward),
        ..InterpretedState::default()
    };
    says(
        "4cf70000 6fc0887c 0000 2d00 2d00 00 00 00 00 3d00 03000000 3d00 7f00",
        moves(0x7C88_C06F, [0, 45, 45], 0, doing(0x3D, stance(0x3D, 0x7F))),
    );
    says(
        "4cf70000 e2090080 0000 0a00 0a00 00 00 00 00 3d00 03000000 3d00 1100",
        moves(0x8000_09E2, [0, 10, 10], 0, doing(0x3D, stance(0x3D, 0x11))),
    );
    let bow = InterpretedState { actions: vec![action(0x7D, 5, 1.0)], ..stance(0x3D, 3) };
    says(
        "4cf70000 1f000050 0100 3400 0400 00 00 00 00 3d00 83000000 3d00 0300 7d00 0500 0000803f",
        moves(0x5000_001F, [1, 52, 4], 0, doing(0x3D, bow)),
    );
    let target = EntityId::new(0x8000_0351);
    let flags = MoveToFlags::from_bits_retain(0x1_EE0F);
    let params = TurnToParams { flags, speed: 1.0, desired_heading_deg: 0.0 };
    says(
        "4cf70000 13000050 0400 3e00 1d00 00 00 08 00 3c00 51030080 00000000 0fee0100 0000803f 00000000",
        moves(
            0x5000_0013,
            [4, 62, 29],
            0,
            of_kind(0x3C, MovementKind::TurnToObject { target, heading_deg: 0.0, params }),
        ),
    );
    let speed = float("b76d5b3f");
    assert!((speed - 0.857).abs() < 0.0005, "{speed}");
    let swing = InterpretedState { forward_speed: Some(speed), turn_speed: Some(2.25), ..stance(0x3C, 0x64) };
    says(
        "4cf70000 13000050 0400 3f00 1e00 00 00 00 01 3c00 47000000 3c00 6400 b76d5b3f 00001040 51030080",
        moves(
            0x5000_0013,
            [4, 63, 30],
            0,
            of_kind(0x3C, MovementKind::Interpreted { state: swing, stick_to: Some(target) }),
        ),
    );
}

/// A movement from a description, as a message of its own.
fn described(core: &str) -> MovementBody {
    let text = format!("4cf70000 13000050 0400 3f00 1e00 00 00 {core}");
    match read_back(&hex(&text)).into_update() {
        Some(Update::Movement(update)) => update.movement.body,
        other => panic!("{other:?}"),
    }
}

#[test]
fn going_somewhere_as_the_retail_servers_said_it() {
    let to_object = MovementKind::MoveToObject {
        target: EntityId::new(0x5011_25E3),
        cell: 0x01F5_0167,
        origin: vector("7f23dd42 281916c2 c3f5efc1"),
        params: MoveToParams {
            flags: MoveToFlags::from_bits_retain(0x0041_EFF0),
            distance_to_object: float("e8e6bf3f"),
            min_distance: 0.1,
            fail_distance: 100.0,
            speed: 1.0,
            walk_run_threshold: 15.0,
            desired_heading_deg: 0.0,
        },
        run_rate: 2.03125,
    };
    near_vector(vector("7f23dd42 281916c2 c3f5efc1"), [110.569, -37.525, -29.995]);
    near(float("e8e6bf3f"), 1.4992);
    assert_eq!(
        described(
            "06003c00 e3251150 6701f501 7f23dd42 281916c2 c3f5efc1 f0ef4100 e8e6bf3f cdcccc3d 0000c842 \
             0000803f 00007041 00000000 00000240"
        ),
        of_kind(0x3C, to_object)
    );
    let to_position = MovementKind::MoveToPosition {
        cell: 0x01F5_0133,
        origin: vector("6d273d43 6d566dc2 c3f50fc2"),
        params: MoveToParams {
            flags: MoveToFlags::from_bits_retain(0x0041_EE0F),
            distance_to_object: 0.0,
            min_distance: 0.0,
            fail_distance: f32::MAX,
            speed: 1.0,
            walk_run_threshold: 15.0,
            desired_heading_deg: 0.0,
        },
        run_rate: float("cb3ded3f"),
    };
    near_vector(vector("6d273d43 6d566dc2 c3f50fc2"), [189.154, -59.334, -35.99]);
    near(float("cb3ded3f"), 1.853_45);
    assert_eq!(
        described(
            "07003c00 3301f501 6d273d43 6d566dc2 c3f50fc2 0fee4100 00000000 00000000 ffff7f7f 0000803f \
             00007041 00000000 cb3ded3f"
        ),
        of_kind(0x3C, to_position)
    );
}

#[test]
fn commands_and_actions_as_the_retail_servers_said_them() {
    let fast = float("58293d40");
    near(fast, 2.9556);
    let run_and_turn_left = InterpretedState {
        style: index(0x44),
        forward: index(7),
        turn: index(0x0D),
        forward_speed: Some(fast),
        turn_speed: Some(-1.5),
        ..InterpretedState::default()
    };
    assert_eq!(
        described("00004400 67000000 4400 0700 0d00 58293d40 0000c0bf 0000"),
        doing(0x44, run_and_turn_left)
    );
    let fast = float("72a73840");
    near(fast, 2.8852);
    let run_and_turn_right = InterpretedState {
        forward: index(7),
        turn: index(0x0D),
        forward_speed: Some(fast),
        turn_speed: Some(1.5),
        ..InterpretedState::default()
    };
    assert_eq!(described("00003d00 66000000 0700 0d00 72a73840 0000c03f"), doing(0x3D, run_and_turn_right));
    // Speeds of axes that have no command.
    let cast = InterpretedState {
        style: index(0x49),
        forward: index(0x2D),
        forward_speed: Some(2.0),
        sidestep_speed: Some(3.0),
        turn_speed: Some(1.5),
        ..InterpretedState::default()
    };
    assert_eq!(described("00004900 57000000 4900 2d00 00000040 00004040 0000c03f"), doing(0x49, cast));
    let speed = float("ee69843f");
    near(speed, 1.0345);
    let swing = InterpretedState {
        style: index(0x40),
        actions: vec![action(0x5F, 1, speed)],
        ..InterpretedState::default()
    };
    assert_eq!(described("00004000 81000000 4000 5f00 0100 ee69843f 0000"), doing(0x40, swing));
    let other = InterpretedState {
        style: index(0x3C),
        actions: vec![action(0x52, 38, 1.0)],
        ..InterpretedState::default()
    };
    assert_eq!(described("00003c00 81000000 3c00 5200 2600 0000803f 0000"), doing(0x3C, other));
}

// Everything else the server says.

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

// What a player's client says: a run, a turn, and a jump, all of one recording.

const DOWN: &str = "b1f70000 07000000 1cf60000 05000000 02000000 05000045 \
                    2a00b4a9 8f49fd42 d0641442 9002bc42 99d08c3e 0000000000000000 aa2076bf \
                    5a00 0000 0000 0000 01 000000";
/// The example leaves the rotation and the last three stamps out: running straight on, they are those of the
/// key-down.
const UP: &str = "b1f70000 08000000 1cf60000 01000000 02000000 \
                  2a00b4a9 284e0143 aa4e0342 9002bc42 99d08c3e 0000000000000000 aa2076bf \
                  5a00 0000 0000 0000 01 000000";
const STOPPED: &str = "b1f70000 09000000 53f70000 2a00b4a9 e6b80143 71a10042 9002bc42 \
                       99d08c3e 0000000000000000 aa2076bf 5a00 0000 0000 0000 01 000000";

/// A place of the recorded run.
fn place(origin: &str) -> RawPlacement {
    let wxyz = floats("99d08c3e 00000000 00000000 aa2076bf");
    RawPlacement { cell: 0xA9B4_002A, origin: vector(origin), wxyz }
}

/// The server had told the client nothing yet but which life it is.
fn stamps() -> PlayerStamps {
    PlayerStamps { instance: Stamp::new(90), ..PlayerStamps::default() }
}

fn keys(state: RawState, position: RawPlacement) -> PlayerAction {
    PlayerAction::MoveToState(MoveToState { state, position, stamps: stamps(), contact: Contact(1) })
}

/// The run key held, and nothing else.
fn holding_run() -> RawState {
    RawState { hold_key: Some(HoldKey::RUN), ..RawState::default() }
}

fn axis(command: MotionCommand) -> RawAxis {
    RawAxis { command: Some(command), ..RawAxis::default() }
}

#[test]
fn the_key_down_of_the_recorded_run() {
    let state = RawState { forward: axis(MotionCommand::WALK_FORWARD), ..holding_run() };
    asks(DOWN, 7, keys(state, place("8f49fd42 d0641442 9002bc42")));
}

#[test]
fn the_key_up_of_the_recorded_run() {
    asks(UP, 8, keys(holding_run(), place("284e0143 aa4e0342 9002bc42")));
}

#[test]
fn where_the_recorded_run_came_to_a_stop() {
    assert_eq!(hex(STOPPED).len(), 56);
    asks(
        STOPPED,
        9,
        PlayerAction::AutonomousPosition(AutonomousPosition {
            position: place("e6b80143 71a10042 9002bc42"),
            stamps: stamps(),
            contact: Contact(1),
        }),
    );
}

#[test]
fn the_recorded_run_is_as_long_as_it_was_measured() {
    let [start, released, stopped] = [DOWN, UP, STOPPED].map(|text| match read_back(&hex(text)) {
        Message::Action(ActionMessage { action: Ok(PlayerAction::MoveToState(keys)), .. }) => {
            keys.position.origin
        }
        Message::Action(ActionMessage { action: Ok(PlayerAction::AutonomousPosition(still)), .. }) => {
            still.position.origin
        }
        other => panic!("{other:?}"),
    });
    near(start.distance(released), 5.033);
    near(start.distance(stopped), 5.8214);
}

/// The example leaves the place out; the turn was made where the jump below was.
#[test]
fn the_recorded_turn_to_the_left() {
    let state = RawState { turn: axis(MotionCommand::TURN_LEFT), ..holding_run() };
    asks(
        "b1f70000 0d000000 1cf60000 01010000 02000000 0e000065 \
         2a00b4a9 04cd0443 33bcd941 9002bc42 99d08c3e 0000000000000000 aa2076bf \
         5a00 0000 0000 0000 01 000000",
        13,
        keys(state, place("04cd0443 33bcd941 9002bc42")),
    );
}

/// The example leaves the place out; that of the run stands in.
#[test]
fn running_and_turning_in_hand_combat() {
    let state = RawState {
        style: Some(MotionCommand(0x8000_003C)),
        forward: axis(MotionCommand::WALK_FORWARD),
        turn: axis(MotionCommand::TURN_RIGHT),
        ..holding_run()
    };
    asks(
        "b1f70000 6e000000 1cf60000 07010000 02000000 3c000080 05000045 0d000065 \
         2a00b4a9 8f49fd42 d0641442 9002bc42 99d08c3e 0000000000000000 aa2076bf \
         5a00 0000 0000 0000 01 000000",
        110,
        keys(state, place("8f49fd42 d0641442 9002bc42")),
    );
}

#[test]
fn the_recorded_jump() {
    let text = "b1f70000 16000000 1bf60000 2839023f 00000000 00000000 b6eb6240 \
                2a00b4a9 04cd0443 33bcd941 9002bc42 97d08c3e 0000000000000000 ab2076bf 5a00 0000 0000 0000";
    assert_eq!(hex(text).len(), 68);
    let extent = float("2839023f");
    near(extent, 0.5087);
    let position = RawPlacement {
        wxyz: floats("97d08c3e 00000000 00000000 ab2076bf"),
        ..place("04cd0443 33bcd941 9002bc42")
    };
    let local_velocity = vector("00000000 00000000 b6eb6240");
    near_vector(local_velocity, [0.0, 0.0, 3.5456]);
    asks(text, 22, PlayerAction::Jump(Jump { extent, local_velocity, position, stamps: stamps() }));
}
