//! Sources of decisions.

use evenstride_link::Random;

/// Decides what a test does next.
pub trait Choice {
    /// Returns a number below `end`, or 0 if `end` is 0.
    fn below(&mut self, end: usize) -> usize;

    /// Returns a byte of garbage.
    fn garbage(&mut self) -> u8 {
        self.below(256) as u8
    }
}

/// A generator with a fixed sequence.
#[derive(Clone, Debug)]
pub struct Dice(Random);

impl Dice {
    /// Creates the generator for one file of a series.
    pub const fn new(seed: u64, number: u64) -> Self {
        // Adjacent numbers give unrelated seeds.
        Self(Random::seeded(seed.wrapping_add(number).wrapping_mul(0xD134_2543_DE82_EF95)))
    }
}

impl Choice for Dice {
    fn below(&mut self, end: usize) -> usize {
        (self.0.bits() % end.max(1) as u64) as usize
    }
}

/// The input of a fuzzer. After its end, every decision is 0.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    bytes: &'a [u8],
    garbage: Dice,
}

impl<'a> Input<'a> {
    /// Creates a source of decisions from a fuzzer's bytes.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, garbage: Dice(Random::seeded(1)) }
    }

    /// Returns whether all bytes are used up.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Takes up to `count` bytes.
    pub fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(count.min(self.bytes.len()));
        self.bytes = rest;
        taken
    }

    /// Takes four bytes as a number. Missing bytes are 0.
    pub fn word(&mut self) -> u32 {
        let taken = self.take(4);
        let mut word = [0; 4];
        word[..taken.len()].copy_from_slice(taken);
        u32::from_le_bytes(word)
    }
}

impl Choice for Input<'_> {
    /// Takes one byte for a small range, and three for a large one.
    fn below(&mut self, end: usize) -> usize {
        let taken = self.take(if end <= 256 { 1 } else { 3 });
        taken.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)) % end.max(1)
    }

    /// Returns a byte that the input does not control. Otherwise a fuzzer would write whole packets as
    /// garbage, which hide others rightly.
    fn garbage(&mut self) -> u8 {
        self.garbage.garbage()
    }
}
