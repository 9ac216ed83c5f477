//! Any bytes as datagrams of one direction: no panic, bounded memory, and packets that are whole are written back as they were.

use evenstride_wire::{Guard, Packet, Reassembled, Reassembler, ReassemblyLimits, decode, write_packet};

/// Reads any bytes as datagrams, each with its length before it.
pub fn packet(data: &[u8]) {
    let limits = ReassemblyLimits { messages: 8, bytes: 10_000, seconds: 10 };
    let mut reassembler = Reassembler::new(limits);
    let mut rest = data;
    let mut now = 0.0;
    while let Some((&length, after)) = rest.split_first() {
        let (datagram, after) = after.split_at(usize::from(length).min(after.len()));
        rest = after;
        now += 1.0;
        let Ok(packet) = Packet::read(datagram) else { continue };
        for fragment in &packet.fragments {
            if let Reassembled::Message(message) = reassembler.push(now, fragment) {
                let _ = decode(&message);
            }
        }
        assert!(reassembler.waiting() <= limits.messages);
        if packet.fault.is_none() {
            let key = match packet.guard() {
                Guard::Key(key) => Some(key),
                Guard::Fits | Guard::Broken => None,
            };
            let mut written = Vec::new();
            write_packet(&packet.header, &packet.sections, &packet.fragments, key, &mut written);
            assert_eq!(written[20..], datagram[20..written.len()]);
        }
    }
}
