//! Tables by entity. They are looked up in, never walked, so their order cannot matter.

use core::hash::{BuildHasherDefault, Hasher};

use evenstride_types::EntityId;
use hashbrown::HashMap;

/// Entity → something.
pub type IdMap<T> = HashMap<EntityId, T, BuildHasherDefault<IdHasher>>;

/// Spreads entity numbers, always alike.
#[derive(Clone, Copy, Debug, Default)]
pub struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, word: u32) {
        let mixed = (self.0 ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}
