//! A fingerprint of state, equal on every target that computed the same bits.
//!
//! Golden tests and the save format use it. Callers must feed values in a fixed order, because the
//! hash does not record structure.

use glam::Vec3;

use crate::{Placement, Pose, SimTime};

/// 64-bit FNV-1a over the bits of everything that is fed in, in order.
///
/// It shows whether two runs computed the same state. It is not meant for hash tables, and not safe
/// against adversaries. Minus zero counts as zero, because the sign of zero does not matter in
/// motion.
///
/// ```
/// use evenstride_types::{StateHash, Vec3};
/// let mut hash = StateHash::new();
/// hash.vector(Vec3::new(1.0, -0.0, 2.5));
/// let mut same = StateHash::new();
/// same.vector(Vec3::new(1.0, 0.0, 2.5));
/// assert_eq!(hash.finish(), same.finish());
/// ```
#[derive(Clone, Debug)]
pub struct StateHash(u64);

impl StateHash {
    /// Makes a hash without data.
    pub const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    /// Feeds bytes, one at a time.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    /// Feeds a 32-bit word, little-endian.
    pub fn word(&mut self, word: u32) {
        self.bytes(&word.to_le_bytes());
    }

    /// Feeds a 64-bit word, little-endian.
    pub fn long(&mut self, long: u64) {
        self.bytes(&long.to_le_bytes());
    }

    /// Feeds the bits of an `f32`. Adding zero turns −0.0 into 0.0.
    pub fn single(&mut self, value: f32) {
        self.word((value + 0.0).to_bits());
    }

    /// Feeds the bits of an `f64`. Adding zero turns −0.0 into 0.0.
    pub fn double(&mut self, value: f64) {
        self.long((value + 0.0).to_bits());
    }

    /// Feeds x, y and z.
    pub fn vector(&mut self, v: Vec3) {
        v.to_array().into_iter().for_each(|c| self.single(c));
    }

    /// Feeds the origin, then the quaternion.
    pub fn pose(&mut self, pose: &Pose) {
        self.vector(pose.origin());
        pose.rotation().to_wxyz().into_iter().for_each(|c| self.single(c));
    }

    /// Feeds the cell id, then the pose.
    pub fn placement(&mut self, placement: &Placement) {
        self.word(placement.cell.raw());
        self.pose(&placement.pose);
    }

    /// Feeds seconds as an `f64`.
    pub fn time(&mut self, time: SimTime) {
        self.double(time.as_secs());
    }

    /// Returns the fingerprint of everything fed so far. More may be fed afterwards.
    pub const fn finish(&self) -> u64 {
        self.0
    }
}

impl Default for StateHash {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers_of_fnv_1a() {
        let of = |text: &str| {
            let mut hash = StateHash::new();
            hash.bytes(text.as_bytes());
            hash.finish()
        };
        assert_eq!(of(""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(of("a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(of("foobar"), 0x8594_4171_F739_67E8);
    }
}
