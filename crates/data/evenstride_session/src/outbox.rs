//! Packets of one direction on their way out, kept until the other end has acknowledged them.

use std::collections::{BTreeMap, VecDeque};

use evenstride_wire::{
    Fragment, FragmentHeader, KeyStream, MAX_PACKET_BYTES, Packet, PacketFlags, PacketHeader, Section, split,
    write_packet,
};

/// Largest number of packets on their way. It is less than the receiver remembers, so that a burst
/// larger than this waits instead of getting lost.
const WINDOW: usize = 768;

/// Largest number of messages that wait to be packed. More are refused.
const MAX_WAITING: usize = 1 << 16;

/// Least number of seconds between two repetitions of one packet.
const AGAIN_SECS: f64 = 0.2;

/// A message to send, from the opcode to the last byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Queue of the message. Motion from the server uses 10, actions use 3, login uses 4 and 9.
    pub queue: u16,
    /// The message.
    pub bytes: Vec<u8>,
}

/// How one end marks its packets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    /// The number that the receiver gave the connection.
    pub(crate) recipient: u16,
    /// Generation of the connection.
    pub(crate) iteration: u16,
    /// Upper half of the ids of messages.
    pub(crate) id: u32,
    /// Number of the first message.
    pub(crate) first_message: u32,
    /// Ticks per second of the time in headers.
    pub(crate) ticks_per_sec: f64,
}

#[derive(Debug)]
pub(crate) struct Outbox {
    marks: Marks,
    keys: KeyStream,
    /// Number of the last numbered packet.
    last: u32,
    next_message: u32,
    waiting: VecDeque<(FragmentHeader, Vec<u8>)>,
    /// Sections that go with the next numbered packet.
    sections: Vec<Section>,
    kept: BTreeMap<u32, Kept>,
    pub(crate) sent_again: u64,
    pub(crate) refused: u64,
}

#[derive(Debug)]
struct Kept {
    bytes: Vec<u8>,
    sent: f64,
}

impl Outbox {
    pub(crate) fn new(marks: Marks, seed: u32) -> Self {
        Self {
            marks,
            keys: KeyStream::new(seed),
            last: 1,
            next_message: marks.first_message,
            waiting: VecDeque::new(),
            sections: Vec::new(),
            kept: BTreeMap::new(),
            sent_again: 0,
            refused: 0,
        }
    }

    /// Adds a message. It leaves with the next [`Self::flush`].
    pub(crate) fn push(&mut self, message: &Outgoing) {
        if self.waiting.len() >= MAX_WAITING {
            self.refused += 1;
            return;
        }
        let fragments = split(&message.bytes, self.next_message, self.marks.id, message.queue);
        self.next_message = self.next_message.wrapping_add(1);
        self.waiting.extend(fragments.into_iter().map(|of| (of.header, of.payload.to_vec())));
    }

    /// Adds a section that needs a numbered packet, such as the time. A packet has one section of a
    /// kind, so it replaces an older one that still waits.
    pub(crate) fn push_section(&mut self, section: Section) {
        self.sections.retain(|other| other.flag() != section.flag());
        self.sections.push(section);
    }

    /// Returns what waits, in as few numbered packets as possible. What the window does not hold waits
    /// for acknowledgements.
    pub(crate) fn flush(&mut self, now: f64) -> Vec<Vec<u8>> {
        let mut datagrams = Vec::new();
        while self.kept.len() < WINDOW && !(self.waiting.is_empty() && self.sections.is_empty()) {
            let sections = std::mem::take(&mut self.sections);
            let mut bytes: usize = sections.iter().map(section_bytes).sum();
            let mut count = 0;
            for (header, _) in &self.waiting {
                bytes += usize::from(header.size);
                if bytes > MAX_PACKET_BYTES {
                    break;
                }
                count += 1;
            }
            let parts: Vec<(FragmentHeader, Vec<u8>)> = self.waiting.drain(..count).collect();
            let fragments: Vec<Fragment<'_>> =
                parts.iter().map(|(header, payload)| Fragment { header: *header, payload }).collect();
            datagrams.push(self.numbered(now, &sections, &fragments));
        }
        datagrams
    }

    /// Returns a packet without a number of its own, which needs no repetition.
    pub(crate) fn unnumbered(&self, now: f64, sections: &[Section], flags: PacketFlags) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_packet(&PacketHeader { flags, ..self.header(now) }, sections, &[], None, &mut bytes);
        bytes
    }

    /// Forgets the packets up to a number, because the other end has them.
    pub(crate) fn acknowledge(&mut self, sequence: u32) {
        if sequence <= self.last {
            self.kept = self.kept.split_off(&(sequence + 1));
        }
    }

    /// Returns packets that the other end requests again, and a refusal of those that are gone.
    pub(crate) fn again(&mut self, now: f64, sequences: &[u32]) -> Vec<Vec<u8>> {
        let mut gone = Vec::new();
        let mut datagrams = Vec::new();
        for sequence in sequences.iter().take(MAX_REQUESTED) {
            match self.kept.get_mut(sequence) {
                Some(kept) if now - kept.sent < AGAIN_SECS => {}
                Some(kept) => {
                    kept.sent = now;
                    datagrams.extend(repetition(&kept.bytes));
                }
                None => gone.push(*sequence),
            }
        }
        self.sent_again += datagrams.len() as u64;
        if !gone.is_empty() {
            datagrams.push(self.unnumbered(now, &[Section::RejectRetransmit(gone)], PacketFlags::empty()));
        }
        datagrams
    }

    /// Uses a number without a packet.
    #[cfg(test)]
    pub(crate) const fn skip_number(&mut self) {
        self.last += 1;
    }

    fn numbered(&mut self, now: f64, sections: &[Section], fragments: &[Fragment<'_>]) -> Vec<u8> {
        self.last += 1;
        let mut bytes = Vec::new();
        write_packet(&self.header(now), sections, fragments, Some(self.keys.next_key()), &mut bytes);
        self.kept.insert(self.last, Kept { bytes: bytes.clone(), sent: now });
        bytes
    }

    fn header(&self, now: f64) -> PacketHeader {
        PacketHeader {
            sequence: self.last,
            recipient: self.marks.recipient,
            interval: (now * self.marks.ticks_per_sec) as u64 as u16,
            iteration: self.marks.iteration,
            ..PacketHeader::default()
        }
    }
}

/// Largest number of packets that one request may name, as in ACE.
pub(crate) const MAX_REQUESTED: usize = 115;

/// Returns a packet with the flag of a repetition. Its key stays, so only the header's part of the
/// checksum changes.
fn repetition(bytes: &[u8]) -> Option<Vec<u8>> {
    let old = Packet::read(bytes).ok()?.header;
    let new = PacketHeader { flags: old.flags | PacketFlags::RETRANSMISSION, ..old };
    let checksum = old.checksum.wrapping_sub(old.hash()).wrapping_add(new.hash());
    let mut again = bytes.to_vec();
    again[4..8].copy_from_slice(&new.flags.bits().to_le_bytes());
    again[8..12].copy_from_slice(&checksum.to_le_bytes());
    Some(again)
}

/// Returns the size of a section that goes with numbered packets.
const fn section_bytes(section: &Section) -> usize {
    match section {
        Section::Ack(_) | Section::EchoRequest(_) => 4,
        Section::Flow { .. } => 6,
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use evenstride_wire::Guard;

    use super::*;

    const MARKS: Marks =
        Marks { recipient: 11, iteration: 1, id: 0x8000_0000, first_message: 0, ticks_per_sec: 1.0 };

    fn message(length: usize) -> Outgoing {
        Outgoing { queue: 10, bytes: vec![7; length] }
    }

    #[test]
    fn a_repetition_has_its_flag_its_number_and_its_key() {
        let mut outbox = Outbox::new(MARKS, 5);
        outbox.push(&message(40));
        let first = outbox.flush(0.0).remove(0);
        let again = outbox.again(1.0, &[2]).remove(0);
        let (first, again) = (Packet::read(&first).unwrap(), Packet::read(&again).unwrap());
        assert!(again.header.flags.contains(PacketFlags::RETRANSMISSION));
        assert_eq!((again.header.sequence, again.guard()), (2, first.guard()));
        assert_eq!(again.guard(), Guard::Key(KeyStream::new(5).next_key()));
        assert_eq!((again.fault, &again.fragments), (None, &first.fragments));
        assert!(outbox.again(1.1, &[2]).is_empty(), "a second request in a moment");
    }

    #[test]
    fn acknowledged_packets_are_gone_and_refused() {
        let mut outbox = Outbox::new(MARKS, 5);
        (0..3).for_each(|_| outbox.push(&message(400)));
        assert_eq!(outbox.flush(0.0).len(), 3);
        outbox.acknowledge(3);
        let answers = outbox.again(1.0, &[2, 3, 4]);
        assert_eq!(answers.len(), 2);
        let refusal = Packet::read(&answers[1]).unwrap();
        assert_eq!(refusal.sections, [Section::RejectRetransmit(vec![2, 3])]);
        assert_eq!(refusal.guard(), Guard::Fits);
        outbox.acknowledge(u32::MAX);
        assert_eq!(outbox.kept.len(), 1, "a number that was never used acknowledges nothing");
    }

    #[test]
    fn a_burst_waits_for_acknowledgements() {
        let mut outbox = Outbox::new(MARKS, 5);
        (0..2_000).for_each(|_| outbox.push(&message(400)));
        assert_eq!((outbox.flush(0.0).len(), outbox.flush(0.1).len()), (WINDOW, 0));
        outbox.acknowledge(101);
        assert_eq!(outbox.flush(0.2).len(), 100);
    }

    #[test]
    fn packets_are_filled_up_to_the_limit_and_long_messages_are_split() {
        let mut outbox = Outbox::new(MARKS, 5);
        outbox.push_section(Section::TimeSync(1.0));
        (0..20).for_each(|_| outbox.push(&message(60)));
        outbox.push(&message(2_000));
        let datagrams = outbox.flush(0.0);
        assert!(datagrams.iter().all(|bytes| bytes.len() <= 20 + MAX_PACKET_BYTES));
        let fragments: usize =
            datagrams.iter().map(|bytes| Packet::read(bytes).unwrap().fragments.len()).sum();
        assert_eq!((fragments, datagrams.len()), (25, 9));
        assert!(outbox.flush(0.0).is_empty());
    }
}
