//! Bytes as text in 85 letters, which takes 25 % more room than the bytes. Base 64 takes 33 %.
//!
//! The letters need no escaping in a JSON string inside HTML. `assets/page/unpack.js` reads them.

/// Printable letters without quotes, the backslash, angle brackets, `&`, `-` and `$`.
const LETTERS: [u8; 85] =
    *b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#%()*+,./:;=?@[]^_{|}~";

/// Returns bytes as text. Four bytes become five letters, and the last `n` of them `n + 1`.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(4) * 5);
    for part in bytes.chunks(4) {
        let mut word = [0; 4];
        word[..part.len()].copy_from_slice(part);
        let mut rest = u32::from_be_bytes(word);
        let mut letters = [0; 5];
        for letter in letters.iter_mut().rev() {
            *letter = LETTERS[(rest % 85) as usize];
            rest /= 85;
        }
        text.extend(letters[..=part.len()].iter().map(|letter| char::from(*letter)));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Decodes as the page does: missing letters are the last one, and the bytes that they add are dropped.
    fn decode(text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        for part in text.as_bytes().chunks(5) {
            let value = |letter: u8| LETTERS.iter().position(|of| *of == letter).unwrap() as u64;
            let digits = (0..5).map(|at| part.get(at).map_or(84, |letter| value(*letter)));
            let word = digits.fold(0, |word, digit| word * 85 + digit) as u32;
            bytes.extend_from_slice(&word.to_be_bytes()[..part.len() - 1]);
        }
        bytes
    }

    #[test]
    fn bytes_come_back_whatever_their_number() {
        let bytes: Vec<u8> = (0..1_000u32).map(|of| (of.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        for length in [0, 1, 2, 3, 4, 5, 6, 7, 999, 1_000] {
            assert_eq!(decode(&encode(&bytes[..length])), &bytes[..length], "{length}");
        }
        assert_eq!(decode(&encode(&[0xFF; 7])), [0xFF; 7]);
        assert_eq!(encode(&bytes).len(), 1_250);
    }

    #[test]
    fn letters_are_different_and_need_no_escaping() {
        assert_eq!(LETTERS.iter().collect::<BTreeSet<_>>().len(), 85);
        assert!(LETTERS.iter().all(|letter| letter.is_ascii_graphic() && !b"\"'\\<>&`".contains(letter)));
        let script = include_str!("../assets/page/unpack.js");
        assert!(script.contains(std::str::from_utf8(&LETTERS).unwrap()), "the page has the same letters");
    }
}
