//! Where a motion table comes from.

/// Origin of a motion table, for explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableOrigin {
    /// The table is one of [`MotionLibrary::built_in`](crate::animation::MotionLibrary::built_in).
    BuiltIn,
    /// The host added the table, from an archive or from text.
    Added,
}
