//! Hash tables by entity.
//!
//! The tables are only looked up in and never iterated, so their order cannot influence any result.
//! They are not saved either. Restoring a world builds them from the rows (`save/check.rs`).

use core::hash::{BuildHasherDefault, Hasher};

use evenstride_types::EntityId;
use hashbrown::HashMap;

/// A hash table from entity to `T`, with a hash that is the same in every run.
pub type IdMap<T> = HashMap<EntityId, T, BuildHasherDefault<IdHasher>>;

/// Hashes entity ids with one multiplication per word.
///
/// The hash has no random seed, because the core must not depend on one. A server that picks
/// colliding ids can make lookups slow, but cannot change a result.
#[derive(Clone, Copy, Debug, Default)]
pub struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    /// Mixes bytes one by one. Entity ids never come this way, because they hash as one `u32`.
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    /// Mixes one word by the golden ratio, and folds the high half into the low half.
    ///
    /// `hashbrown` takes the bucket from the low bits and a tag from the high bits, so both must
    /// vary.
    fn write_u32(&mut self, word: u32) {
        let mixed = (self.0 ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }

    /// Mixes both halves. The generic API has ids of 64 bits.
    fn write_u64(&mut self, word: u64) {
        self.write_u32(word as u32);
        self.write_u32((word >> 32) as u32);
    }
}
