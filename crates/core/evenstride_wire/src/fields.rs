//! The fields of a message, with their places in its bytes.

use alloc::vec::Vec;

use crate::{DecodeError, decode};

/// Largest number of fields that are listed.
const MAX_FIELDS: usize = 512;

/// A field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// Name, as errors of [`decode`] use it.
    pub name: &'static str,
    /// Offset of the first byte.
    pub from: usize,
    /// Offset after the last byte.
    pub to: usize,
}

/// Returns the fields of a message in the order of its bytes, at most 512. A list or a block that is read
/// at once is one field.
///
/// A truncated message is an error that names the first missing field. Cutting the message after each
/// field therefore lists all of them, and the decoder itself needs no second description of its formats.
///
/// ```
/// use evenstride_wire::fields;
///
/// let pickup = [0x4A, 0xF7, 0, 0, 0xA5, 9, 0, 0x80, 0, 0, 0x31, 0];
/// let names: Vec<&str> = fields(&pickup).iter().map(|field| field.name).collect();
/// assert_eq!(names, ["opcode", "entity", "instance stamp", "position stamp"]);
/// ```
pub fn fields(message: &[u8]) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    let mut end = 0;
    while end <= message.len()
        && fields.len() < MAX_FIELDS
        && let Err(DecodeError::Truncated { field: name, offset, needs, .. }) = decode(&message[..end])
    {
        // A list names its whole length once its count is known.
        let to = offset.saturating_add(needs);
        if to <= end || to > message.len() {
            break;
        }
        let from = offset.max(end);
        fields.push(Field { name, from, to });
        end = to;
    }
    if end < message.len() {
        fields.push(Field { name: "rest", from: end, to: message.len() });
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_cover_every_byte_once_and_damage_does_not_matter() {
        let mut bytes = [0u8; 44];
        bytes[..4].copy_from_slice(&[0x48, 0xF7, 0, 0]);
        bytes[8] = 0x34;
        for cut in 0..=bytes.len() {
            let fields = fields(&bytes[..cut]);
            let mut end = 0;
            for field in &fields {
                assert_eq!(field.from, end, "{fields:?}");
                end = field.to;
            }
            assert_eq!(end, cut, "{fields:?}");
        }
        let names: Vec<&str> = fields(&bytes).iter().map(|field| field.name).collect();
        assert_eq!(names[..4], ["opcode", "entity", "position flags", "cell"]);
    }
}
