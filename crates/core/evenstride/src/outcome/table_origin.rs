//! Where a motion table comes from.

/// Where a motion table comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableOrigin {
    /// It is part of this program.
    BuiltIn,
    /// The host added it, from an archive or from a text.
    Added,
}
