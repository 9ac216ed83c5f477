//! Damage to bytes, with the place that each byte had before.

use std::ops::Range;

use crate::Choice;

/// A byte, and its place in the original. New and changed bytes have none.
pub type Spot = (u8, Option<usize>);

/// Number of bits that may be flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flips {
    /// Any number. Two flips may cancel out in the checksum of a packet, which is a sum.
    Any,
    /// At most one.
    One,
}

/// Damages bytes after the first `header`, one to four times.
pub fn damage(choice: &mut impl Choice, bytes: &mut Vec<Spot>, header: usize, flips: Flips) {
    let mut has_flipped = false;
    for _ in 0..=choice.below(4) {
        let at = header + choice.below(bytes.len() - header);
        match choice.below(6) {
            0..=2 => {
                let bit = choice.below(8);
                if let Some(byte) = bytes.get_mut(at)
                    && !(has_flipped && flips == Flips::One)
                {
                    *byte = (byte.0 ^ (1 << bit), None);
                    has_flipped = true;
                }
            }
            3 => bytes.truncate(at),
            4 => {
                let end = (at + 1 + choice.below(3_000)).min(bytes.len());
                let again = bytes[at..end].to_vec();
                let to = header + choice.below(bytes.len() - header + 1);
                bytes.splice(to..to, again);
            }
            _ => {
                let garbage: Vec<Spot> =
                    (0..1 + choice.below(600)).map(|_| (choice.garbage(), None)).collect();
                bytes.splice(at..at, garbage);
            }
        }
    }
}

/// Returns undamaged bytes with their places.
pub fn originals(bytes: &[u8]) -> Vec<Spot> {
    bytes.iter().copied().zip((0..).map(Some)).collect()
}

/// Returns the bytes without their places.
pub fn bytes_of(spots: &[Spot]) -> Vec<u8> {
    spots.iter().map(|spot| spot.0).collect()
}

/// Returns whether `spots` begins with the bytes of `range`, complete and in order.
pub fn runs(spots: &[Spot], range: &Range<usize>) -> bool {
    spots.get(..range.len()).is_some_and(|unit| unit.iter().map(|spot| spot.1).eq(range.clone().map(Some)))
}
