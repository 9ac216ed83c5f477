//! One direction of a connection: what was seen already, which keys guard it, and which messages are half there.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use evenstride_wire::{Fragment, Guard, KeyStream, Packet, PacketFlags, Reassembled, Reassembler};

/// How many sequence numbers, keys and messages of the past are remembered.
const WINDOW: usize = 4_096;

/// A number this far ahead of all others is no number but damage.
const MAX_AHEAD: u32 = 1 << 16;

/// Numbers without a key that may have been missed in a row.
const MAX_MISSED: u64 = 8;

/// One direction.
#[derive(Debug, Default)]
pub(crate) struct LaneState {
    reassembler: Reassembler,
    /// Numbers of packets that were handled, with what tells two of the same number apart.
    seen: BTreeMap<u32, u32>,
    /// Messages that came out of packets that may be sent again, because they were damaged.
    early: BTreeSet<u64>,
    numbers: Numbers,
    keys: Option<Keys>,
}

/// Which numbers were seen, for counting those that were not.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    first_and_last: Option<(u32, u32)>,
    distinct: u64,
}

/// What is known about a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Its checksum fits.
    Fits,
    /// Nothing says that it is not what was sent.
    Unchecked,
    /// It is damaged, but can be read.
    Damaged,
    /// Its checksum does not fit the key stream.
    WrongKey,
}

impl LaneState {
    pub(crate) fn with_keys(seed: u32) -> Self {
        Self { keys: Some(Keys::new(seed)), ..Self::default() }
    }

    pub(crate) fn is_keyed_by(&self, seed: u32) -> bool {
        self.keys.as_ref().is_some_and(|keys| keys.seed == seed)
    }

    /// The key stream fits nothing any more: without it nothing can be checked, but everything read.
    pub(crate) fn lose_keys(&mut self) {
        self.keys = None;
    }

    /// Whether a packet is what was sent. `guard` is what its checksum says without the keys.
    pub(crate) fn check(&mut self, packet: &Packet<'_>, guard: Guard) -> Standing {
        let sequence = packet.header.sequence;
        if packet.fault.is_some() {
            return Standing::Damaged;
        }
        match guard {
            Guard::Fits => Standing::Fits,
            Guard::Broken => Standing::Damaged,
            // Encrypted packets have a number.
            Guard::Key(_) if sequence == 0 => Standing::Damaged,
            Guard::Key(key) => match self.keys.as_mut().map(|keys| keys.fits(sequence, key)) {
                None | Some(None) => Standing::Unchecked,
                Some(Some(true)) => Standing::Fits,
                Some(Some(false)) => Standing::WrongKey,
            },
        }
    }

    /// Whether a packet was handled before; from now on it was, if there is no doubt about it.
    pub(crate) fn is_repetition(&mut self, packet: &Packet<'_>, guard: Guard, standing: Standing) -> bool {
        let sequence = packet.header.sequence;
        let is_encrypted = packet.header.flags.contains(PacketFlags::ENCRYPTED);
        if packet.header.flags.contains(PacketFlags::REJECT_RETRANSMIT) && !is_encrypted && sequence != 0 {
            // Some servers number their refusals to send again, but take no key for them.
            if let Some(keys) = &mut self.keys {
                keys.skip(sequence);
            }
            self.remember(sequence, packet.header.checksum);
            return false;
        }
        // Acknowledgements alone share their number with the packet before them.
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

    /// Takes a piece of a message. What came out of a damaged packet is not to come out of its repetition again.
    pub(crate) fn push<'a>(
        &mut self,
        time: f64,
        fragment: &Fragment<'a>,
        standing: Standing,
    ) -> Reassembled<'a> {
        let id = fragment.header.message_id();
        if self.early.remove(&id) && standing != Standing::Damaged {
            return Reassembled::Duplicate;
        }
        let pushed = self.reassembler.push(time, fragment);
        if standing == Standing::Damaged && matches!(pushed, Reassembled::Message(_)) {
            self.early.insert(id);
            if self.early.len() > WINDOW {
                let _ = self.early.pop_first();
            }
        }
        pushed
    }

    /// Bytes that half-finished messages take up.
    pub(crate) const fn bytes(&self) -> usize {
        self.reassembler.bytes()
    }

    /// Gives up the message that has waited longest.
    pub(crate) fn drop_oldest(&mut self) {
        self.reassembler.drop_oldest();
    }

    /// Numbers between the first and the last that no packet had.
    pub(crate) fn gaps(&self) -> u64 {
        match self.numbers.first_and_last {
            Some((first, last)) => (u64::from(last - first) + 1).saturating_sub(self.numbers.distinct),
            None => 0,
        }
    }

    /// Messages that are not complete, and those given up.
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

/// The key stream of a direction, with as much of its past as is needed.
#[derive(Debug)]
struct Keys {
    seed: u32,
    stream: KeyStream,
    words: VecDeque<u32>,
    /// Index of the first remembered word.
    base: u64,
    /// Index of the newest word that fitted.
    newest: u64,
    /// Numbers that took no word.
    skips: BTreeSet<u32>,
    /// Those before the remembered ones.
    old_skips: u64,
}

impl Keys {
    fn new(seed: u32) -> Self {
        Self {
            seed,
            stream: KeyStream::new(seed),
            words: VecDeque::new(),
            base: 0,
            newest: 0,
            skips: BTreeSet::new(),
            old_skips: 0,
        }
    }

    /// This number takes no word; those after it take the one before theirs.
    fn skip(&mut self, sequence: u32) {
        self.skips.insert(sequence);
        if self.skips.len() > WINDOW {
            let _ = self.skips.pop_first();
            self.old_skips += 1;
        }
    }

    /// Whether this is the word for a packet; `None` if that is too long ago to tell. Numbers without a word that nobody has seen are
    /// allowed for.
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
        (1..=missed as u32).for_each(|back| self.skip(sequence - back));
        self.commit(index - missed);
        Some(true)
    }

    /// The word at an index that is not too far back.
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
