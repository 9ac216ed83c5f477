//! The words of a key stream, by the number of the packet that uses them.

use std::collections::{BTreeSet, VecDeque};

use evenstride_wire::KeyStream;

/// Number of packets ahead of the oldest missing one whose words are drawn.
pub(crate) const AHEAD: u32 = 1_024;

/// Largest number of packets that may have used no word and are not settled.
const MAX_SUSPECTS: usize = 64;

/// The words of packets that may still arrive.
///
/// Some servers number their refusals to send again, but use no word for them. Each later packet then
/// uses the word before its usual one. Other servers give a refusal the number of the packet before it.
/// Only a later packet shows which is true, so such a number is a suspect until then.
#[derive(Debug)]
pub(crate) struct KeyWindow {
    stream: KeyStream,
    words: VecDeque<u32>,
    /// Index of the first word in `words`.
    base: u32,
    /// Numbers that may have used no word.
    suspects: BTreeSet<u32>,
    /// Numbers from `floor` on that used no word.
    wordless: BTreeSet<u32>,
    /// How many numbers below `floor` used no word.
    settled: u32,
    floor: u32,
}

impl KeyWindow {
    pub(crate) fn new(seed: u32) -> Self {
        Self {
            stream: KeyStream::new(seed),
            words: VecDeque::new(),
            base: 0,
            suspects: BTreeSet::new(),
            wordless: BTreeSet::new(),
            settled: 0,
            floor: 2,
        }
    }

    /// Notes that a number may have used no word.
    pub(crate) fn suspect(&mut self, sequence: u32) {
        self.suspects.insert(sequence);
        if self.suspects.len() > MAX_SUSPECTS {
            let _ = self.suspects.pop_first();
        }
    }

    /// Returns the suspects that used no word if `key` is the word of the packet with this number, or
    /// `None` if it is not.
    pub(crate) fn fits(&mut self, sequence: u32, key: u32) -> Option<Vec<u32>> {
        let known = self.settled + self.wordless.range(..sequence).count() as u32;
        let index = sequence.checked_sub(2 + known)?;
        let ahead = index.checked_sub(self.base).filter(|ahead| *ahead < 2 * AHEAD)?;
        while self.words.len() <= ahead as usize {
            self.words.push_back(self.stream.next_key());
        }
        let before: Vec<u32> = self.suspects.range(..sequence).copied().collect();
        let most = (before.len() as u32).min(ahead);
        let less = (0..=most).find(|less| self.words[(ahead - less) as usize] == key)?;
        let cleared = &before[..less as usize];
        for suspect in cleared {
            self.suspects.remove(suspect);
            if *suspect < self.floor {
                self.settled += 1;
            } else {
                self.wordless.insert(*suspect);
            }
        }
        // It arrived with a word of its own.
        self.suspects.remove(&sequence);
        Some(cleared.to_vec())
    }

    /// Forgets the words of all packets below a number, which do not arrive any more.
    pub(crate) fn forget_below(&mut self, sequence: u32) {
        self.floor = self.floor.max(sequence);
        let later = self.wordless.split_off(&self.floor);
        self.settled += self.wordless.len() as u32;
        self.wordless = later;
        // Each suspect may turn out to have used no word, and then an earlier word is needed.
        let needed = self.floor.saturating_sub(2 + self.settled + self.suspects.len() as u32);
        while self.base < needed && !self.words.is_empty() {
            let _ = self.words.pop_front();
            self.base += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(seed: u32) -> Vec<u32> {
        let mut stream = KeyStream::new(seed);
        (0..900).map(|_| stream.next_key()).collect()
    }

    #[test]
    fn words_are_found_out_of_order_and_wrong_ones_are_refused() {
        let (words, mut keys) = (words(9), KeyWindow::new(9));
        for sequence in [2, 5, 3] {
            assert_eq!(keys.fits(sequence, words[sequence as usize - 2]), Some(vec![]));
        }
        assert_eq!(keys.fits(4, words[9]), None);
        assert_eq!(keys.fits(4, words[2]), Some(vec![]));
        assert!([0, 1, 5_000].iter().all(|sequence| keys.fits(*sequence, 0).is_none()), "too far");
        for sequence in 6..800 {
            assert!(keys.fits(sequence, words[sequence as usize - 2]).is_some(), "{sequence}");
            keys.forget_below(sequence + 1);
        }
        assert!(keys.words.len() < 4, "{}", keys.words.len());
    }

    #[test]
    fn a_number_without_a_word_shifts_only_later_packets() {
        let (words, mut keys) = (words(9), KeyWindow::new(9));
        assert_eq!(keys.fits(2, words[0]), Some(vec![]));
        keys.forget_below(3);
        // Packet 4 is a refusal without a word. Packet 3 was sent before it, and comes last.
        keys.suspect(4);
        assert_eq!(keys.fits(5, words[2]), Some(vec![4]));
        assert_eq!(keys.fits(6, words[3]), Some(vec![]));
        assert_eq!(keys.fits(3, words[1]), Some(vec![]));
        keys.forget_below(7);
        assert_eq!(keys.fits(7, words[4]), Some(vec![]));
    }

    #[test]
    fn a_refusal_with_the_number_of_a_lost_packet_shifts_nothing() {
        let (words, mut keys) = (words(9), KeyWindow::new(9));
        keys.suspect(2);
        assert_eq!(keys.fits(3, words[1]), Some(vec![]));
        assert_eq!(keys.fits(2, words[0]), Some(vec![]));
        assert!(keys.suspects.is_empty());
        // A number that was given up may have had none. The next packet tells.
        keys.forget_below(4);
        keys.suspect(4);
        keys.forget_below(5);
        assert_eq!(keys.fits(5, words[2]), Some(vec![4]));
        keys.forget_below(6);
        assert_eq!(keys.fits(6, words[3]), Some(vec![]));
    }
}
