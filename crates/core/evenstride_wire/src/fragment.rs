//! Fragments: splitting messages, and putting them together again.

use alloc::{
    borrow::Cow,
    collections::{BTreeMap, VecDeque},
    vec::Vec,
};

use crate::checksum::{halves, hash_words};

/// Most bytes of a message in one fragment.
pub const FRAGMENT_BYTES: usize = 448;

/// What stands before a piece of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FragmentHeader {
    /// Counts messages in one direction: the lower half of the message's id.
    pub sequence: u32,
    /// The upper half.
    pub id: u32,
    /// Pieces of the message.
    pub count: u16,
    /// Bytes of this piece, these sixteen included.
    pub size: u16,
    /// Which piece, from 0.
    pub index: u16,
    /// Which queue the message belongs to; 10 for motion from the server, 3 for actions.
    pub queue: u16,
}

impl FragmentHeader {
    /// Bytes of a header.
    pub const BYTES: usize = 16;

    /// The header's part of the checksum.
    pub fn hash(&self) -> u32 {
        hash_words([self.sequence, self.id, halves(self.count, self.size), halves(self.index, self.queue)])
    }

    /// The whole id of the message.
    pub const fn message_id(&self) -> u64 {
        (self.id as u64) << 32 | self.sequence as u64
    }
}

/// A piece of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment<'a> {
    /// Of which message, and which piece.
    pub header: FragmentHeader,
    /// The piece.
    pub payload: &'a [u8],
}

/// Cuts a message into pieces. One that is longer than 65,535 pieces is cut off.
pub fn split(message: &[u8], sequence: u32, id: u32, queue: u16) -> Vec<Fragment<'_>> {
    let count = message.len().div_ceil(FRAGMENT_BYTES).clamp(1, usize::from(u16::MAX)) as u16;
    (0..count)
        .map(|index| {
            let start = (usize::from(index) * FRAGMENT_BYTES).min(message.len());
            let payload = &message[start..(start + FRAGMENT_BYTES).min(message.len())];
            let size = (FragmentHeader::BYTES + payload.len()) as u16;
            Fragment { header: FragmentHeader { sequence, id, count, size, index, queue }, payload }
        })
        .collect()
}

/// What a piece takes up beside its bytes: even an empty one takes room.
const PIECE_BYTES: usize = 64;

/// How much half-finished messages may take up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReassemblyLimits {
    /// Messages.
    pub messages: usize,
    /// Bytes of all of them, with what it takes to keep their pieces.
    pub bytes: usize,
    /// Seconds since the first piece.
    pub seconds: u32,
}

impl Default for ReassemblyLimits {
    fn default() -> Self {
        Self { messages: 256, bytes: 4 << 20, seconds: 120 }
    }
}

/// Puts the messages of one direction of one connection together.
#[derive(Clone, Debug, Default)]
pub struct Reassembler {
    limits: ReassemblyLimits,
    partial: BTreeMap<u64, Partial>,
    /// Oldest first; ids that are finished are skipped.
    order: VecDeque<(f64, u64)>,
    bytes: usize,
    dropped: u64,
}

#[derive(Clone, Debug)]
struct Partial {
    count: u16,
    queue: u16,
    since: f64,
    pieces: BTreeMap<u16, Vec<u8>>,
    bytes: usize,
}

/// What became of a fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reassembled<'a> {
    /// The message is complete; borrowed if it is all in this piece.
    Message(Cow<'a, [u8]>),
    /// More is needed.
    Waits,
    /// This piece was there already.
    Duplicate,
    /// It does not fit what is known of its message, or says that it is piece 5 of 3.
    Misfit,
}

impl Reassembler {
    /// With limits of your own.
    pub fn new(limits: ReassemblyLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Takes a piece that came at `now`, in seconds.
    pub fn push<'a>(&mut self, now: f64, fragment: &Fragment<'a>) -> Reassembled<'a> {
        self.expire(now);
        let FragmentHeader { count, index, queue, .. } = fragment.header;
        if index >= count {
            return Reassembled::Misfit;
        }
        if count == 1 {
            return Reassembled::Message(Cow::Borrowed(fragment.payload));
        }
        let id = fragment.header.message_id();
        let partial = self.partial.entry(id).or_insert_with(|| {
            self.order.push_back((now, id));
            Partial { count, queue, since: now, pieces: BTreeMap::new(), bytes: 0 }
        });
        if (partial.count, partial.queue) != (count, queue) {
            return Reassembled::Misfit;
        }
        if partial.pieces.contains_key(&index) {
            return Reassembled::Duplicate;
        }
        let bytes = fragment.payload.len() + PIECE_BYTES;
        partial.pieces.insert(index, fragment.payload.to_vec());
        partial.bytes += bytes;
        self.bytes += bytes;
        if partial.pieces.len() == usize::from(count)
            && let Some(whole) = self.partial.remove(&id)
        {
            self.bytes -= whole.bytes;
            return Reassembled::Message(whole.pieces.into_values().flatten().collect::<Vec<u8>>().into());
        }
        self.make_room();
        Reassembled::Waits
    }

    /// Messages that were given up, for want of room or of their last pieces.
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Messages that wait for more.
    pub fn waiting(&self) -> usize {
        self.partial.len()
    }

    fn expire(&mut self, now: f64) {
        while let Some(&(since, id)) = self.order.front() {
            let is_current = self.partial.get(&id).is_some_and(|partial| partial.since == since);
            if is_current && now - since <= f64::from(self.limits.seconds) {
                return;
            }
            self.drop_oldest();
        }
    }

    fn make_room(&mut self) {
        while self.partial.len() > self.limits.messages || self.bytes > self.limits.bytes {
            self.drop_oldest();
        }
        // Finished ones leave their mark in the order: not more of those than there is room for.
        if self.order.len() > 2 * self.limits.messages + 64 {
            let partial = &self.partial;
            self.order.retain(|(since, id)| partial.get(id).is_some_and(|partial| partial.since == *since));
        }
    }

    /// Bytes that waiting messages take up.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Gives up the message that has waited longest.
    pub fn drop_oldest(&mut self) {
        let Some((since, id)) = self.order.pop_front() else { return };
        if self.partial.get(&id).is_some_and(|partial| partial.since == since)
            && let Some(partial) = self.partial.remove(&id)
        {
            self.bytes -= partial.bytes;
            self.dropped += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_in_any_order_make_the_message_once() {
        let message: Vec<u8> = (0..1_500u32).map(|byte| byte as u8).collect();
        let fragments = split(&message, 7, 0x8000_0000, 10);
        assert_eq!(fragments.iter().map(|f| f.payload.len()).collect::<Vec<_>>(), [448, 448, 448, 156]);
        let mut reassembler = Reassembler::default();
        for index in [3, 0, 2] {
            assert_eq!(reassembler.push(0.0, &fragments[index]), Reassembled::Waits);
        }
        assert_eq!(reassembler.push(0.0, &fragments[2]), Reassembled::Duplicate);
        let other = FragmentHeader { count: 5, ..fragments[1].header };
        let misfit = Fragment { header: other, payload: &[] };
        assert_eq!(reassembler.push(0.0, &misfit), Reassembled::Misfit);
        assert_eq!(reassembler.push(0.0, &fragments[1]), Reassembled::Message(message.as_slice().into()));
        assert_eq!((reassembler.waiting(), reassembler.bytes(), reassembler.dropped()), (0, 0, 0));
    }

    #[test]
    fn endless_beginnings_are_bounded() {
        let limits = ReassemblyLimits { messages: 10, bytes: 3_000, seconds: 60 };
        let mut reassembler = Reassembler::new(limits);
        for sequence in 0..10_000u32 {
            let header = FragmentHeader { sequence, count: 60_000, size: 416, ..FragmentHeader::default() };
            let _ = reassembler.push(f64::from(sequence) / 100.0, &Fragment { header, payload: &[0; 400] });
            assert!(reassembler.waiting() <= 10 && reassembler.bytes <= 3_000);
        }
        assert_eq!(reassembler.dropped() + reassembler.waiting() as u64, 10_000);
        let header = FragmentHeader { sequence: 1 << 20, count: 2, size: 16, ..FragmentHeader::default() };
        let _ = reassembler.push(1e6, &Fragment { header, payload: &[] });
        assert_eq!(reassembler.waiting(), 1, "the others waited too long");
    }
}
