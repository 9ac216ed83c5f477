//! Datagrams.

use evenstride_wire::{
    ActionMessage, FragmentHeader, Guard, KeyStream, Message, OtherAction, PacketFlags, Section,
};

use crate::helpers::*;

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
