//! Decoding errors and their places.

/// The reason why bytes are not a valid message or packet. Offsets count from the first byte of the
/// input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The bytes end too early.
    #[error("{field} at byte {offset}: needs {needs} bytes, {left} left")]
    Truncated {
        /// Name of the field.
        field: &'static str,
        /// Offset of the field.
        offset: usize,
        /// Number of bytes that the field needs.
        needs: usize,
        /// Number of bytes that are left.
        left: usize,
    },
    /// A value is invalid.
    #[error("{field} at byte {offset}: 0x{value:X} is invalid")]
    Value {
        /// Name of the field.
        field: &'static str,
        /// Offset at which the value was rejected. For packet flags this is their first byte, and
        /// for a fragment size the end of the fragment header.
        offset: usize,
        /// The value as read.
        value: u32,
    },
    /// Bytes are left over.
    #[error("{what} ends at byte {offset}, {left} bytes left over")]
    Trailing {
        /// Name of the part that ended.
        what: &'static str,
        /// Offset of its end.
        offset: usize,
        /// Number of bytes that are left.
        left: usize,
    },
}
