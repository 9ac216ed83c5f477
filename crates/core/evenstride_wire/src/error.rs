//! What is wrong with bytes, and where.

/// Why bytes are no message or no packet. Offsets count from the first byte of what was to be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// They end too early.
    #[error("{field} at byte {offset}: needs {needs} bytes, {left} left")]
    Truncated {
        /// What was being read.
        field: &'static str,
        /// Where.
        offset: usize,
        /// How much it takes.
        needs: usize,
        /// How much there is.
        left: usize,
    },
    /// A value that cannot be.
    #[error("{field} at byte {offset}: 0x{value:X} cannot be")]
    Value {
        /// Of what.
        field: &'static str,
        /// Where it ended.
        offset: usize,
        /// As read.
        value: u32,
    },
    /// There is more than belongs to it.
    #[error("{what} ends at byte {offset}, {left} bytes left over")]
    Trailing {
        /// What ended.
        what: &'static str,
        /// Where.
        offset: usize,
        /// How much is left.
        left: usize,
    },
}
