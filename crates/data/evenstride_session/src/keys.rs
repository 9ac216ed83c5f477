//! The words of a key stream, by the number of the packet that uses them.

use std::collections::VecDeque;

use evenstride_wire::KeyStream;

/// Number of packets ahead of the oldest missing one whose words are drawn.
const AHEAD: u32 = 1_024;

/// Largest number of packets without a word that may have come between two others. Some servers
/// number their refusals to send again, but use no word for them.
const MAX_WORDLESS: u32 = 8;

/// The words of packets that may still arrive.
#[derive(Debug)]
pub(crate) struct KeyWindow {
    stream: KeyStream,
    words: VecDeque<u32>,
    /// Index of the first word in `words`.
    base: u32,
    /// Number of packets so far that used no word.
    wordless: u32,
}

impl KeyWindow {
    pub(crate) fn new(seed: u32) -> Self {
        Self { stream: KeyStream::new(seed), words: VecDeque::new(), base: 0, wordless: 0 }
    }

    /// Returns whether `key` is the word of the packet with this number.
    pub(crate) fn fits(&mut self, sequence: u32, key: u32) -> bool {
        let index = sequence.wrapping_sub(2).wrapping_sub(self.wordless);
        let Some(ahead) = index.checked_sub(self.base).filter(|ahead| *ahead < AHEAD) else { return false };
        while self.words.len() <= ahead as usize {
            self.words.push_back(self.stream.next_key());
        }
        let fitting = (0..=MAX_WORDLESS.min(ahead)).find(|less| self.words[(ahead - less) as usize] == key);
        self.wordless += fitting.unwrap_or(0);
        fitting.is_some()
    }

    /// Forgets the words of all packets below a number.
    pub(crate) fn forget_below(&mut self, sequence: u32) {
        // Packets without a word are only known once a later one has arrived, so some words are kept.
        let index = sequence.saturating_sub(2 + self.wordless + MAX_WORDLESS);
        while self.base < index && !self.words.is_empty() {
            let _ = self.words.pop_front();
            self.base += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_out_of_order_and_after_packets_without_one() {
        let mut stream = KeyStream::new(9);
        let words: Vec<u32> = (0..600).map(|_| stream.next_key()).collect();
        let mut keys = KeyWindow::new(9);
        assert!(keys.fits(2, words[0]) && keys.fits(5, words[3]) && keys.fits(3, words[1]));
        assert!(!keys.fits(4, words[9]), "a wrong word");
        assert!(keys.fits(4, words[2]));
        keys.forget_below(6);
        // Packet 6 was a refusal without a word.
        assert!(keys.fits(7, words[4]) && keys.fits(8, words[5]));
        assert!(!keys.fits(1_500, 0) && !keys.fits(0, 0) && !keys.fits(1, 0), "too far");
        for sequence in 9..500 {
            assert!(keys.fits(sequence, words[sequence as usize - 3]), "{sequence}");
            keys.forget_below(sequence + 1);
        }
        assert!(keys.words.len() < 16, "{}", keys.words.len());
    }
}
