//! The checksum of packets.

/// Value of a header's checksum field while the header itself is hashed.
pub const HEADER_SEED: u32 = 0xBADD_70DD;

/// Returns the checksum of bytes.
///
/// It is a wrapping sum of three terms. They are the length shifted left by 16, all whole
/// little-endian words, and the remaining bytes shifted left by 24, 16 and 8.
///
/// ```
/// assert_eq!(evenstride_wire::hash32(b"hello world"), 0x4E5A_E9D7);
/// ```
pub fn hash32(bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<4>();
    let sum = words
        .iter()
        .fold((bytes.len() as u32) << 16, |sum, word| sum.wrapping_add(u32::from_le_bytes(*word)));
    let tail = rest.iter().zip([24, 16, 8]);
    tail.fold(sum, |sum, (byte, shift)| sum.wrapping_add(u32::from(*byte) << shift))
}

/// Returns the checksum of words. It equals [`hash32`] of their bytes, without writing them out
/// first.
pub(crate) fn hash_words<const N: usize>(words: [u32; N]) -> u32 {
    words.into_iter().fold((4 * N as u32) << 16, u32::wrapping_add)
}

/// Returns the word that two halves make, in wire order.
pub(crate) const fn halves(low: u16, high: u16) -> u32 {
    low as u32 | (high as u32) << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        for (bytes, sum) in [
            (b"".as_slice(), 0),
            (b"hello world", 0x4E5A_E9D7),
            (&[0xC8, 0xF7, 0, 0], 0x0004_F7C8),
            (b"A", 0x4101_0000),
            (b"AB", 0x4144_0000),
            (b"ABC", 0x4145_4300),
            (b"ABCD", 0x4447_4241),
            (b"ABCDE", 0x8948_4241),
            (&[1, 2, 3, 4, 5], 0x0908_0201),
        ] {
            assert_eq!(hash32(bytes), sum, "{bytes:?}");
        }
    }
}
