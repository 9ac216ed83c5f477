//! Choices, drawn from a seed or from a fuzzer's bytes.
//!
//! Everything random in a script comes from here, so that a seed or an input file names the script.
//! Other files of this folder draw values of one sort each. They build structs field by field, so
//! that a new field of a message does not compile until it is drawn.

mod actions;
mod hosts;
mod libraries;
mod movements;
mod numbers;
mod updates;

use evenstride_link::Random;
use evenstride_types::EntityId;

/// A source of choices.
#[derive(Clone, Debug)]
pub struct Draw<'a> {
    source: Source<'a>,
    temper: Temper,
    /// Entities that messages are about, never empty.
    entities: Vec<EntityId>,
}

#[derive(Clone, Debug)]
enum Source<'a> {
    Seeded(Random),
    Bytes(&'a [u8]),
}

/// How many of the drawn values are values that no honest sender sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temper {
    /// None.
    Honest,
    /// One in twelve.
    Mixed,
    /// One in three.
    Hostile,
}

impl<'a> Draw<'a> {
    /// Draws from a seed, without end.
    pub fn seeded(seed: u64) -> Self {
        Self::new(Source::Seeded(Random::seeded(seed)))
    }

    /// Draws from bytes. Every choice after the last byte is the first one offered.
    pub fn from_bytes(bytes: &'a [u8]) -> Self {
        Self::new(Source::Bytes(bytes))
    }

    fn new(source: Source<'a>) -> Self {
        Self { source, temper: Temper::Mixed, entities: (1..=8).map(EntityId::new).collect() }
    }

    /// Changes how many values are hostile (default: [`Temper::Mixed`]).
    pub const fn set_temper(&mut self, temper: Temper) {
        self.temper = temper;
    }

    /// Changes the entities that messages are about (default: 1 to 8). None at all changes nothing.
    pub fn set_entities(&mut self, entities: impl IntoIterator<Item = EntityId>) {
        let entities: Vec<EntityId> = entities.into_iter().collect();
        if !entities.is_empty() {
            self.entities = entities;
        }
    }

    /// Returns whether all bytes are used. A seed never ends.
    pub const fn is_over(&self) -> bool {
        matches!(self.source, Source::Bytes([]))
    }

    /// Returns 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.few_bits(8)
    }

    /// Returns bits from as few bytes as are needed, so that a fuzzer's inputs stay short.
    fn few_bits(&mut self, bytes: usize) -> u64 {
        match &mut self.source {
            Source::Seeded(random) => random.bits() >> (64 - 8 * bytes),
            Source::Bytes(data) => {
                let (now, later) = data.split_at(bytes.min(data.len()));
                *data = later;
                now.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
            }
        }
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let bytes = if end <= 256 { 1 } else { 4 };
        (self.few_bits(bytes) % end.max(1) as u64) as usize
    }

    /// Returns `true` once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        // The last choice, so that bytes that are used up choose what is usual.
        self.below(n) == n - 1
    }

    /// Returns one of the values.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// Returns a value once in `n` times.
    pub fn sometimes<T>(&mut self, n: usize, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.one_in(n).then(|| value(self))
    }

    /// Returns a number from `low` up to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.few_bits(2) as f64 / 65_536.0)
    }

    /// Returns whether the next value is to be hostile.
    pub(crate) fn is_wild(&mut self) -> bool {
        match self.temper {
            Temper::Honest => false,
            Temper::Mixed => self.one_in(12),
            Temper::Hostile => self.one_in(3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_choices_and_bytes_end() {
        let choices = |mut draw: Draw<'_>| (0..20).map(|_| draw.below(1_000)).collect::<Vec<_>>();
        assert_eq!(choices(Draw::seeded(7)), choices(Draw::seeded(7)));
        assert_ne!(choices(Draw::seeded(7)), choices(Draw::seeded(8)));
        let mut draw = Draw::from_bytes(&[1, 2, 3]);
        assert_eq!((draw.below(200), draw.below(70_000), draw.is_over()), (1, 770, true));
        assert_eq!((draw.bits(), draw.one_in(3)), (0, false));
    }
}
