//! Splits messages into fragments and reassembles them.

use alloc::{
    borrow::Cow,
    collections::{BTreeMap, VecDeque},
    vec::Vec,
};

use crate::checksum::{halves, hash_words};

/// Largest payload of one fragment, in bytes.
pub const FRAGMENT_BYTES: usize = 448;

/// Header in front of each fragment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FragmentHeader {
    /// Message number in one direction. It is the lower half of the message's id.
    pub sequence: u32,
    /// Upper half of the message's id.
    pub id: u32,
    /// Number of fragments in the message.
    pub count: u16,
    /// Length of this fragment in bytes, including the 16 of the header.
    pub size: u16,
    /// Position of this fragment in the message, from 0.
    pub index: u16,
    /// Queue of the message. Motion from the server uses 10, actions use 3.
    pub queue: u16,
}

impl FragmentHeader {
    /// Length of a header in bytes.
    pub const BYTES: usize = 16;

    /// Returns the header's part of the checksum.
    pub fn hash(&self) -> u32 {
        hash_words([self.sequence, self.id, halves(self.count, self.size), halves(self.index, self.queue)])
    }

    /// Returns the whole id of the message.
    pub const fn message_id(&self) -> u64 {
        (self.id as u64) << 32 | self.sequence as u64
    }
}

/// A part of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment<'a> {
    /// Header, which names the message and this part of it.
    pub header: FragmentHeader,
    /// The bytes of this part.
    pub payload: &'a [u8],
}

/// Splits a message into fragments. Bytes beyond 65,535 fragments are cut off.
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

/// Bytes added to the payload of a stored fragment when memory is counted. An empty fragment takes
/// memory too.
const PIECE_BYTES: usize = 64;

/// Bounds on incomplete messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReassemblyLimits {
    /// Number of incomplete messages (default: 256).
    pub messages: usize,
    /// Bytes of all incomplete messages, including 64 bytes per fragment (default: 4 MiB).
    pub bytes: usize,
    /// Seconds from the first fragment until the message is given up (default: 120).
    pub seconds: u32,
}

impl Default for ReassemblyLimits {
    fn default() -> Self {
        Self { messages: 256, bytes: 4 << 20, seconds: 120 }
    }
}

/// Reassembles the messages of one direction of one connection.
#[derive(Clone, Debug, Default)]
pub struct Reassembler {
    limits: ReassemblyLimits,
    partial: BTreeMap<u64, Partial>,
    /// Oldest first. Ids of finished messages are skipped.
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

/// The outcome for one fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reassembled<'a> {
    /// The message is complete. It is borrowed if this fragment holds all of it.
    Message(Cow<'a, [u8]>),
    /// The message needs more fragments.
    Waits,
    /// This fragment was already received.
    Duplicate,
    /// The fragment contradicts earlier ones of its message, or its index is not below its count.
    Misfit,
}

impl Reassembler {
    /// Creates a reassembler with the given limits.
    pub fn new(limits: ReassemblyLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Adds a fragment that was received at `now`, in seconds.
    ///
    /// A time that is not finite counts as 0.
    pub fn push<'a>(&mut self, now: f64, fragment: &Fragment<'a>) -> Reassembled<'a> {
        let now = if now.is_finite() { now } else { 0.0 };
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

    /// Returns the number of messages given up for lack of room, or because fragments were missing.
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Returns the number of incomplete messages.
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
        // Finished messages leave their entry in the order. This bounds the number of such entries.
        if self.order.len() > 2 * self.limits.messages + 64 {
            let partial = &self.partial;
            self.order.retain(|(since, id)| partial.get(id).is_some_and(|partial| partial.since == *since));
        }
    }

    /// Returns the bytes that incomplete messages take up, including 64 per fragment.
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
        // Miri takes a thousand times as long.
        let count = if cfg!(miri) { 200 } else { 10_000 };
        for sequence in 0..count {
            let header = FragmentHeader { sequence, count: 60_000, size: 416, ..FragmentHeader::default() };
            let _ = reassembler.push(f64::from(sequence) / 100.0, &Fragment { header, payload: &[0; 400] });
            assert!(reassembler.waiting() <= 10 && reassembler.bytes <= 3_000);
        }
        assert_eq!(reassembler.dropped() + reassembler.waiting() as u64, u64::from(count));
        let header = FragmentHeader { sequence: 1 << 20, count: 2, size: 16, ..FragmentHeader::default() };
        let _ = reassembler.push(1e6, &Fragment { header, payload: &[] });
        assert_eq!(reassembler.waiting(), 1, "the others waited too long");
    }

    /// Every push returns, whatever the times before it were.
    #[test]
    fn a_fragment_at_no_time_among_others_does_not_hang() {
        let mut reassembler = Reassembler::new(ReassemblyLimits { messages: 3, bytes: 3_000, seconds: 60 });
        let times = [f64::NAN, 1e300, f64::NAN, -1e300, f64::INFINITY, 5.0, f64::NEG_INFINITY, f64::NAN, 1e9];
        let count = if cfg!(miri) { 100 } else { 1_000 };
        for (sequence, time) in (0..count).zip(times.into_iter().cycle()) {
            let header = FragmentHeader { sequence, count: 9, size: 416, ..FragmentHeader::default() };
            let _ = reassembler.push(time, &Fragment { header, payload: &[0; 400] });
            assert!(reassembler.waiting() <= 3 && reassembler.bytes <= 3_000);
        }
    }

    /// A time that is not finite must not let incomplete messages grow without bound.
    #[test]
    fn beginnings_at_no_time_are_bounded_too() {
        for time in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut reassembler =
                Reassembler::new(ReassemblyLimits { messages: 3, bytes: 3_000, seconds: 60 });
            for sequence in 0..100u32 {
                let header = FragmentHeader { sequence, count: 9, size: 416, ..FragmentHeader::default() };
                let _ = reassembler.push(time, &Fragment { header, payload: &[0; 400] });
                assert!(reassembler.waiting() <= 3);
            }
        }
    }
}
