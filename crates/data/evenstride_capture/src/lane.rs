//! One direction of a connection, with the packets seen, the key stream and incomplete messages.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    hash::{DefaultHasher, Hasher},
};

use evenstride_wire::{Fragment, Guard, KeyStream, Packet, PacketFlags, Reassembled, Reassembler};

/// Number of sequence numbers, keys and messages that are remembered.
const WINDOW: usize = 4_096;

/// A sequence number more than this far ahead of all others is treated as damage.
const MAX_AHEAD: u32 = 1 << 16;

/// Largest number of consecutive packets without a key that a capture may have missed.
const MAX_MISSED: u64 = 8;

/// Memory of an entry in a set or map, in bytes.
const ENTRY_BYTES: usize = 16;

/// State of one direction.
#[derive(Debug, Default)]
pub(crate) struct LaneState {
    reassembler: Reassembler,
    /// Sequence numbers of handled packets. The value distinguishes packets with the same number.
    seen: BTreeMap<u32, u32>,
    /// Ids and hashes of messages from damaged packets. Such packets may be sent again.
    early: BTreeSet<(u64, u64)>,
    numbers: Numbers,
    keys: Option<Keys>,
}

/// Range and count of the sequence numbers seen, from which gaps are counted.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    first_and_last: Option<(u32, u32)>,
    distinct: u64,
}

/// The result of all checks on a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The checksum is correct.
    Fits,
    /// The checksum is encrypted, and its key is unknown.
    Unchecked,
    /// The packet is damaged, but readable.
    Damaged,
    /// The checksum does not match the key stream.
    WrongKey,
}

impl LaneState {
    pub(crate) fn with_keys(seed: u32) -> Self {
        Self { keys: Some(Keys::new(seed)), ..Self::default() }
    }

    pub(crate) fn is_keyed_by(&self, seed: u32) -> bool {
        self.keys.as_ref().is_some_and(|keys| keys.seed == seed)
    }

    /// Drops the key stream. Without it encrypted packets remain readable, but their checksums are
    /// not tested.
    pub(crate) fn lose_keys(&mut self) {
        self.keys = None;
    }

    /// Checks a packet. `guard` is the result of the checksum test without the keys.
    pub(crate) fn check(&mut self, packet: &Packet<'_>, guard: Guard) -> Standing {
        let sequence = packet.header.sequence;
        if packet.fault.is_some() {
            return Standing::Damaged;
        }
        match guard {
            Guard::Fits => Standing::Fits,
            Guard::Broken => Standing::Damaged,
            // A valid encrypted packet has a sequence number.
            Guard::Key(_) if sequence == 0 => Standing::Damaged,
            Guard::Key(key) => match self.keys.as_mut().map(|keys| keys.fits(sequence, key)) {
                None | Some(None) => Standing::Unchecked,
                Some(Some(true)) => Standing::Fits,
                Some(Some(false)) => Standing::WrongKey,
            },
        }
    }

    /// Returns whether a packet was handled before. Remembers it if it is undamaged and has a
    /// sequence number of its own.
    pub(crate) fn is_repetition(&mut self, packet: &Packet<'_>, guard: Guard, standing: Standing) -> bool {
        let sequence = packet.header.sequence;
        let is_encrypted = packet.header.flags.contains(PacketFlags::ENCRYPTED);
        let is_refusal = packet.header.flags.contains(PacketFlags::REJECT_RETRANSMIT) && !is_encrypted;
        if is_refusal && sequence != 0 && standing == Standing::Fits {
            // Some servers number their refusals to send again, but use no key for them.
            if let Some(keys) = &mut self.keys {
                keys.skip(sequence);
            }
            self.remember(sequence, packet.header.checksum);
            return false;
        }
        // A packet with only an acknowledgement shares its number with the packet before it.
        if sequence == 0 || (packet.fragments.is_empty() && !is_encrypted) {
            return false;
        }
        if standing == Standing::Damaged {
            return self.seen.contains_key(&sequence);
        }
        let tag = match guard {
            Guard::Key(key) => key,
            Guard::Fits | Guard::Broken => packet.header.checksum,
        };
        if self.seen.get(&sequence) == Some(&tag) {
            return true;
        }
        self.remember(sequence, tag);
        false
    }

    /// Adds a fragment. A message delivered from a damaged packet is not delivered again from its
    /// repetition.
    pub(crate) fn push<'a>(
        &mut self,
        time: f64,
        fragment: &Fragment<'a>,
        standing: Standing,
    ) -> Reassembled<'a> {
        let id = fragment.header.message_id();
        let pushed = self.reassembler.push(time, fragment);
        let Reassembled::Message(bytes) = &pushed else { return pushed };
        // The id of a damaged packet may be that of another message, so the content counts too.
        let known = (id, hash_of(bytes));
        if standing == Standing::Damaged {
            self.early.insert(known);
            if self.early.len() > WINDOW {
                let _ = self.early.pop_first();
            }
        } else if self.early.remove(&known) {
            return Reassembled::Duplicate;
        }
        pushed
    }

    /// Returns the memory of incomplete messages, sequence numbers and keys, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let keys = self.keys.as_ref().map_or(0, Keys::bytes);
        self.reassembler.bytes() + (self.seen.len() + self.early.len()) * ENTRY_BYTES + keys
    }

    /// Returns the number of sequence numbers between the first and the last that no packet had.
    pub(crate) fn gaps(&self) -> u64 {
        match self.numbers.first_and_last {
            Some((first, last)) => (u64::from(last - first) + 1).saturating_sub(self.numbers.distinct),
            None => 0,
        }
    }

    /// Returns the number of incomplete messages, including those given up.
    pub(crate) fn unfinished(&self) -> u64 {
        self.reassembler.dropped() + self.reassembler.waiting() as u64
    }

    fn remember(&mut self, sequence: u32, tag: u32) {
        if self.seen.insert(sequence, tag).is_none() {
            self.numbers.note(sequence);
        }
        if self.seen.len() > WINDOW {
            let _ = self.seen.pop_first();
        }
    }
}

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

impl Numbers {
    fn note(&mut self, sequence: u32) {
        let (first, last) = self.first_and_last.unwrap_or((sequence, sequence));
        if sequence > last.saturating_add(MAX_AHEAD) {
            return;
        }
        self.first_and_last = Some((first.min(sequence), last.max(sequence)));
        self.distinct += 1;
    }
}

/// The key stream of a direction, with the part of its past that is needed.
#[derive(Debug)]
struct Keys {
    seed: u32,
    stream: KeyStream,
    words: VecDeque<u32>,
    /// Index of the first remembered word.
    base: u64,
    /// Index of the newest word that matched.
    newest: u64,
    /// Sequence numbers that use no word.
    skips: BTreeMap<u32, Skip>,
    /// Number of such sequence numbers that are no longer remembered.
    old_skips: u64,
}

/// How a sequence number without a word is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Skip {
    /// The packet was seen.
    Seen,
    /// The capture has missed some packet without a word. It has this number or a smaller one.
    Guessed,
}

impl Keys {
    fn new(seed: u32) -> Self {
        Self {
            seed,
            stream: KeyStream::new(seed),
            words: VecDeque::new(),
            base: 0,
            newest: 0,
            skips: BTreeMap::new(),
            old_skips: 0,
        }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.words.capacity() * size_of::<u32>() + self.skips.len() * ENTRY_BYTES
    }

    /// Records that a packet uses no word. Each later number then uses the word before its usual one.
    fn skip(&mut self, sequence: u32) {
        if self.skips.insert(sequence, Skip::Seen).is_none() {
            self.forget_guess_from(sequence);
            self.limit_skips();
        }
    }

    /// Records that some number below this one uses no word. The largest possible one is assumed, so
    /// that no packet which arrives later has too many before it.
    fn guess_skip_before(&mut self, sequence: u32) {
        if let Some(guess) = (0..sequence).rev().find(|number| !self.skips.contains_key(number)) {
            self.forget_guess_from(sequence);
            self.skips.insert(guess, Skip::Guessed);
            self.limit_skips();
        }
    }

    /// Removes the first guess from a number on. It stood for the one that is now known better.
    fn forget_guess_from(&mut self, sequence: u32) {
        let guess = self.skips.range(sequence..).find(|(_, skip)| **skip == Skip::Guessed);
        if let Some(number) = guess.map(|(number, _)| *number) {
            self.skips.remove(&number);
        }
    }

    fn limit_skips(&mut self) {
        if self.skips.len() > WINDOW {
            let _ = self.skips.pop_first();
            self.old_skips += 1;
        }
    }

    /// Returns whether `key` is the word for a packet, or `None` if the word is no longer
    /// remembered.
    ///
    /// The capture may have missed up to [`MAX_MISSED`] packets without a word before it.
    fn fits(&mut self, sequence: u32, key: u32) -> Option<bool> {
        let skipped = self.old_skips + self.skips.range(..sequence).count() as u64;
        let Some(index) = u64::from(sequence).checked_sub(2 + skipped) else { return Some(false) };
        if index < self.base {
            return None;
        }
        if index > self.newest + u64::from(MAX_AHEAD) {
            return Some(false);
        }
        let fitting = (0..=MAX_MISSED.min(index - self.base)).find(|missed| self.word(index - missed) == key);
        let Some(missed) = fitting else { return Some(false) };
        (0..missed).for_each(|_| self.guess_skip_before(sequence));
        self.commit(index - missed);
        Some(true)
    }

    /// Returns the word at an index, which must not be below `base`.
    fn word(&mut self, index: u64) -> u32 {
        let ahead = (index - self.base) as usize;
        while self.words.len() <= ahead {
            self.words.push_back(self.stream.next_key());
        }
        self.words[ahead]
    }

    fn commit(&mut self, index: u64) {
        self.newest = self.newest.max(index);
        while self.words.len() > WINDOW && self.base + (WINDOW as u64) < self.newest {
            let _ = self.words.pop_front();
            self.base += 1;
        }
    }
}
