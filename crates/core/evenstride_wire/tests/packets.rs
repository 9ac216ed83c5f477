//! Datagrams of a recorded session, byte for byte, with their keys.

use evenstride_wire::{
    Fragment, Guard, KeyStream, Packet, PacketFlags, PacketHeader, Reassembled, Reassembler, Section, decode,
    split, write_packet,
};
use proptest::prelude::*;

fn bytes(hex: &str) -> Vec<u8> {
    let digits: String = hex.chars().filter(char::is_ascii_hexdigit).collect();
    (0..digits.len() / 2).map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// Reads a datagram, and checks that it is written back to the same bytes.
fn check(hex: &str, guard: Guard) -> Vec<Section> {
    let bytes = bytes(hex);
    let packet = Packet::read(&bytes).unwrap();
    assert_eq!((packet.fault, packet.guard()), (None, guard), "{hex}");
    let key = if let Guard::Key(key) = guard { Some(key) } else { None };
    let mut written = Vec::new();
    write_packet(&packet.header, &packet.sections, &packet.fragments, key, &mut written);
    assert_eq!(written, bytes, "{hex}");
    packet.sections.clone()
}

#[test]
fn a_recorded_handshake_and_what_follows() {
    check(
        "00000000000001006afcae22000000002d0000000400313830320000210000000200000000000000ccc6996a04006163303100000000\
         0000050000000461633031",
        Guard::Fits,
    );
    let sections = check(
        "00000000000004009a552e960b004004200001002ceeba400409b241ed2e44021f1e85cb0000000061d3986af5cc081c00000000",
        Guard::Fits,
    );
    let [Section::ConnectRequest(request)] = sections[..] else { panic!("{sections:?}") };
    assert_eq!((request.cookie, request.net_id), (0xCB85_1E1F_0244_2EED, 0));
    let (mut server, mut client) = (KeyStream::new(request.server_seed), KeyStream::new(request.client_seed));
    check("0000000000000800f1bdcb880000000008000100ed2e44021f1e85cb", Guard::Fits);
    // The server's first two packets use the first two words of its stream.
    check("020000000200000101906e5d0b00400408000100dc93c1400409b241", Guard::Key(server.next_key()));
    check("0100000000400000e4b0f7ba000001000400010002000000", Guard::Fits);
    check(
        "0300000006000000a5640a780b0040042c000100000000000000008001002c0000000500e5f70000010000000100000001000000020000\
         000000000001000000",
        Guard::Key(server.next_key()),
    );
    // Of the client's stream the recording has words 1 to 3.
    let _ = client.next_key();
    check(
        "0300000006000000b767aad0000002001400010002000000020000230100140000000500eaf70000",
        Guard::Key(client.next_key()),
    );
    check("04000000024000088ea3601c000005000a00010005000000480100004004", Guard::Key(client.next_key()));
    check(
        "050000000240000ba04e79cf0000090016000100050000003a96c1440409b241df609340180000004204",
        Guard::Key(client.next_key()),
    );
    check("0600000002000004cacf7a050b00440408000100df6093402248904d", Guard::Key(0xCC6F_F7D3));
    check(
        "3a0200000600 0003a2ac1d58 32008b03 2c000100 9756fe0cf78bb041 83f9e243 1f010000 1f010003 01002000 00000300 \
         b1f70000 18010000 c8000000 6a4b4180",
        Guard::Key(0x8083_1A6C),
    );
    check("6b080000 00400000 92bb04b2 0b000ef7 04000100 3b020000", Guard::Fits);
}

#[test]
fn what_comes_before_a_fault_is_kept() {
    // Two fragments, the second of them cut off.
    let message = [0x51, 0xF7, 0, 0, 1, 0, 0, 0];
    let one = split(&message, 1, 0x8000_0000, 10);
    let two = split(&message, 2, 0x8000_0000, 10);
    let header = PacketHeader { sequence: 9, ..PacketHeader::default() };
    let mut datagram = Vec::new();
    write_packet(&header, &[Section::Ack(3)], &[one[0], two[0]], Some(5), &mut datagram);
    for cut in 20..datagram.len() {
        let packet = Packet::read(&datagram[..cut]).unwrap();
        assert!(packet.fault.is_some(), "{cut}");
        assert_eq!(packet.sections.len(), usize::from(cut >= 24), "{cut}");
        assert_eq!(packet.fragments.len(), usize::from(cut >= 48), "{cut}");
    }
    let packet = Packet::read(&datagram).unwrap();
    assert!(packet.fault.is_none() && decode(packet.fragments[1].payload).is_ok());
    let error = Packet::read(&datagram[..19]).unwrap_err();
    assert_eq!(error.to_string(), "packet iteration at byte 18: needs 2 bytes, 1 left");
}

proptest! {
    #[test]
    fn any_datagram_has_an_answer(data in prop::collection::vec(any::<u8>(), 0..200), flags in any::<u32>(), known in any::<bool>()) {
        let mut data = data;
        if data.len() >= 20 {
            let flags = if known { flags & 0x0F7F_FF07 } else { flags };
            data[4..8].copy_from_slice(&flags.to_le_bytes());
            let size = (data.len() - 20) as u16;
            data[16..18].copy_from_slice(&size.to_le_bytes());
        }
        if let Ok(packet) = Packet::read(&data) {
            let _ = packet.guard();
            if packet.fault.is_none() && !packet.header.flags.contains(PacketFlags::ENCRYPTED) {
                let mut written = Vec::new();
                write_packet(&packet.header, &packet.sections, &packet.fragments, None, &mut written);
                let expected = &data[20..];
                prop_assert_eq!(&written[20..], expected);
            }
        }
    }

    #[test]
    fn any_message_survives_splitting_in_any_order(
        // Miri takes a thousand times as long.
        message in prop::collection::vec(any::<u8>(), 1..if cfg!(miri) { 1_000 } else { 3_000 }),
        shuffle in any::<u64>(),
    ) {
        let mut fragments: Vec<Fragment<'_>> = split(&message, 1, 2, 3);
        let mut state = shuffle;
        for last in (1..fragments.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            fragments.swap(last, (state >> 33) as usize % (last + 1));
        }
        let mut reassembler = Reassembler::default();
        let whole: Vec<_> = fragments
            .iter()
            .filter_map(|fragment| match reassembler.push(0.0, fragment) {
                Reassembled::Message(bytes) => Some(bytes),
                _ => None,
            })
            .collect();
        prop_assert_eq!(whole, [message.as_slice()]);
    }
}
