//! Packets of one direction on their way in: what is new, what is missing, and the messages.

use std::collections::BTreeSet;

use evenstride_wire::{Guard, Packet, Reassembled, Reassembler, Section};

use crate::{
    keys::{AHEAD, KeyWindow},
    outbox::MAX_REQUESTED,
};

/// Seconds before a missing packet is requested. It may only have been overtaken.
const PATIENCE_SECS: f64 = 0.1;

/// A number more than this far ahead of the oldest missing packet is not believed.
const MAX_LEAP: u32 = 1 << 16;

/// Largest number of packets that are requested at once, as in the client.
const MAX_REQUEST: usize = 114;

/// Counts of what arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Received {
    /// Datagrams, of any kind.
    pub datagrams: u64,
    /// Bytes of all datagrams.
    pub bytes: u64,
    /// Complete messages.
    pub messages: u64,
    /// Packets that had arrived before.
    pub repeated: u64,
    /// Datagrams that were no packets, or had a wrong checksum or key.
    pub refused: u64,
    /// Packets that were missing for a while.
    pub missed: u64,
    /// Packets that the other end could not send again.
    pub lost: u64,
}

#[derive(Debug)]
pub(crate) struct Inbox {
    keys: KeyWindow,
    /// The lowest number that has not arrived.
    next: u32,
    /// Numbers above it that have arrived.
    ahead: BTreeSet<u32>,
    /// The highest number that the other end has used.
    told: u32,
    /// Time since which something is missing, and time of the last request.
    missing_since: Option<f64>,
    requested: f64,
    /// Seconds between two requests.
    request_every: f64,
    reassembler: Reassembler,
    pub(crate) counts: Received,
}

impl Inbox {
    pub(crate) fn new(seed: u32, request_every: f64) -> Self {
        Self {
            keys: KeyWindow::new(seed),
            next: 2,
            ahead: BTreeSet::new(),
            told: 1,
            missing_since: None,
            requested: f64::NEG_INFINITY,
            request_every,
            reassembler: Reassembler::default(),
            counts: Received::default(),
        }
    }

    /// Returns whether a packet is genuine and new, so that its content counts.
    pub(crate) fn accepts(&mut self, now: f64, packet: &Packet<'_>) -> bool {
        let sequence = packet.header.sequence;
        let is_accepted = match packet.guard() {
            _ if packet.fault.is_some() => false,
            Guard::Fits if packet.fragments.is_empty() => {
                self.hear_of(sequence);
                true
            }
            Guard::Fits | Guard::Broken => false,
            Guard::Key(_) if !self.is_new(sequence) => {
                self.counts.repeated += 1;
                return false;
            }
            Guard::Key(key) => self.take_with_key(sequence, key),
        };
        if !is_accepted {
            self.counts.refused += 1;
            return false;
        }
        for section in &packet.sections {
            if let Section::RejectRetransmit(gone) = section {
                if self.is_new(sequence) {
                    self.keys.suspect(sequence);
                }
                gone.iter().take(MAX_REQUESTED).for_each(|sequence| self.give_up(*sequence));
            }
        }
        self.note_missing(now);
        true
    }

    /// Returns the messages that a packet completes.
    pub(crate) fn messages(&mut self, now: f64, packet: &Packet<'_>) -> Vec<Vec<u8>> {
        let mut messages = Vec::new();
        for fragment in &packet.fragments {
            if let Reassembled::Message(bytes) = self.reassembler.push(now, fragment) {
                messages.push(bytes.into_owned());
            }
        }
        self.counts.messages += messages.len() as u64;
        messages
    }

    /// Returns the highest number up to which everything has arrived.
    pub(crate) const fn contiguous(&self) -> u32 {
        self.next - 1
    }

    /// Returns the numbers to request now, if it is time.
    pub(crate) fn request(&mut self, now: f64) -> Option<Vec<u32>> {
        let since = self.missing_since?;
        if now < since + PATIENCE_SECS || now < self.requested + self.request_every {
            return None;
        }
        self.requested = now;
        let missing = (self.next..=self.told).filter(|sequence| !self.ahead.contains(sequence));
        Some(missing.take(MAX_REQUEST).collect())
    }

    /// Returns the time of the next request, if something is missing.
    pub(crate) fn next_request(&self) -> Option<f64> {
        let since = self.missing_since?;
        Some((since + PATIENCE_SECS).max(self.requested + self.request_every))
    }

    fn is_new(&self, sequence: u32) -> bool {
        sequence >= self.next && !self.ahead.contains(&sequence)
    }

    /// Takes a packet if its key fits. Suspects that turn out to have used no word will not arrive.
    fn take_with_key(&mut self, sequence: u32, key: u32) -> bool {
        if sequence - self.next >= AHEAD {
            // Too many packets are missing before it. It is requested once they are there.
            self.hear_of(sequence);
            return false;
        }
        let Some(wordless) = self.keys.fits(sequence, key) else { return false };
        self.counts.missed += u64::from(sequence < self.told);
        self.take(sequence);
        wordless
            .into_iter()
            .filter(|of| self.is_new(*of))
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|of| self.take(of));
        true
    }

    /// Notes that the other end has used a number.
    fn hear_of(&mut self, sequence: u32) {
        if sequence.wrapping_sub(self.next) < MAX_LEAP {
            self.told = self.told.max(sequence.min(self.next + AHEAD - 1));
        }
    }

    fn take(&mut self, sequence: u32) {
        self.told = self.told.max(sequence);
        self.ahead.insert(sequence);
        while self.ahead.remove(&self.next) {
            self.next += 1;
        }
        self.keys.forget_below(self.next);
    }

    fn give_up(&mut self, sequence: u32) {
        if sequence <= self.told && self.is_new(sequence) {
            self.counts.lost += 1;
            // It may have been a refusal, which used no word.
            self.keys.suspect(sequence);
            self.take(sequence);
        }
    }

    fn note_missing(&mut self, now: f64) {
        if self.told < self.next {
            self.missing_since = None;
        } else if self.missing_since.is_none() {
            self.missing_since = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use evenstride_wire::PacketFlags;

    use super::*;
    use crate::outbox::{Marks, Outbox, Outgoing};

    const MARKS: Marks =
        Marks { recipient: 11, iteration: 1, id: 0x8000_0000, first_message: 0, ticks_per_sec: 1.0 };

    fn sent(count: usize) -> (Outbox, Vec<Vec<u8>>) {
        let mut outbox = Outbox::new(MARKS, 3);
        (0..count).for_each(|number| outbox.push(&Outgoing { queue: 10, bytes: vec![number as u8; 400] }));
        let datagrams = outbox.flush(0.0);
        (outbox, datagrams)
    }

    fn receive(inbox: &mut Inbox, now: f64, bytes: &[u8]) -> Vec<Vec<u8>> {
        let packet = Packet::read(bytes).unwrap();
        if inbox.accepts(now, &packet) { inbox.messages(now, &packet) } else { Vec::new() }
    }

    #[test]
    fn what_is_missing_is_requested_once_in_a_while_and_counts_once() {
        let (mut outbox, datagrams) = sent(4);
        let mut inbox = Inbox::new(3, 0.6);
        for bytes in [&datagrams[0], &datagrams[3], &datagrams[0]] {
            receive(&mut inbox, 1.0, bytes);
        }
        assert_eq!((inbox.contiguous(), inbox.request(1.05)), (2, None));
        assert_eq!(inbox.request(1.1), Some(vec![3, 4]));
        assert_eq!((inbox.request(1.5), inbox.next_request()), (None, Some(1.1 + 0.6)));
        for bytes in outbox.again(1.2, &[3, 4]) {
            assert_eq!(receive(&mut inbox, 1.3, &bytes).len(), 1);
        }
        assert_eq!((inbox.contiguous(), inbox.request(9.0)), (5, None));
        let Received { messages, repeated, missed, refused, .. } = inbox.counts;
        assert_eq!((messages, repeated, missed, refused), (4, 1, 2, 0));
    }

    #[test]
    fn the_loss_of_the_last_packet_is_seen_by_the_next_acknowledgement() {
        let (outbox, datagrams) = sent(2);
        let mut inbox = Inbox::new(3, 0.6);
        receive(&mut inbox, 0.0, &datagrams[0]);
        let ack = outbox.unnumbered(1.0, &[Section::Ack(1)], PacketFlags::empty());
        receive(&mut inbox, 1.0, &ack);
        assert_eq!(inbox.request(1.2), Some(vec![3]));
        let refusal = outbox.unnumbered(1.3, &[Section::RejectRetransmit(vec![3])], PacketFlags::empty());
        receive(&mut inbox, 1.3, &refusal);
        assert_eq!((inbox.contiguous(), inbox.counts.lost, inbox.request(9.0)), (3, 1, None));
    }

    #[test]
    fn a_numbered_refusal_without_a_key_does_not_end_the_session() {
        let (mut outbox, datagrams) = sent(2);
        let mut inbox = Inbox::new(3, 0.6);
        receive(&mut inbox, 0.0, &datagrams[0]);
        // Packet 3 is held up. Packet 4 is the refusal.
        outbox.skip_number();
        let refusal = outbox.unnumbered(0.1, &[Section::RejectRetransmit(vec![900])], PacketFlags::empty());
        receive(&mut inbox, 0.1, &refusal);
        (0..1_500).for_each(|_| outbox.push(&Outgoing { queue: 10, bytes: vec![1; 400] }));
        let mut messages = 0;
        for round in 0..4 {
            for bytes in outbox.flush(0.2) {
                messages += receive(&mut inbox, 0.2, &bytes).len();
            }
            if round == 0 {
                assert_eq!(inbox.contiguous(), 2);
                messages += receive(&mut inbox, 0.3, &datagrams[1]).len();
            }
            outbox.acknowledge(inbox.contiguous());
        }
        let last = 4 + 1_500;
        assert_eq!((messages, inbox.contiguous(), inbox.counts.refused), (1_501, last, 0));
        assert_eq!(inbox.request(9.0), None);
    }

    #[test]
    fn forged_packets_change_nothing() {
        let (_, datagrams) = sent(2);
        let mut inbox = Inbox::new(4, 0.6);
        assert!(receive(&mut inbox, 0.0, &datagrams[0]).is_empty(), "a key of another stream");
        let mut damaged = datagrams[1].clone();
        damaged[40] ^= 1;
        assert!(receive(&mut inbox, 0.0, &damaged).is_empty());
        assert_eq!((inbox.counts.refused, inbox.contiguous()), (2, 1));
    }
}
