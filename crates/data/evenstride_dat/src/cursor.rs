//! Reads the bytes of one record. Every field is requested by name, so that errors can name it.

use crate::{RecordId, record::Frame};

/// An invalid part of a record and its place.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("byte 0x{at:X}: {fault}")]
pub struct RecordError {
    /// Offset in the record, in bytes.
    pub at: usize,
    /// The fault.
    pub fault: RecordFault,
}

/// A fault in a record.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// The record ends within a field.
    #[error("{field}: {needed} bytes needed, {left} left")]
    Ends {
        /// Name of the field.
        field: &'static str,
        /// Number of bytes that the field needs.
        needed: usize,
        /// Number of bytes that are left.
        left: usize,
    },
    /// A count exceeds the bytes that are left.
    #[error("{field}: {count} items of at least {each} bytes each, but only {left} bytes left")]
    Count {
        /// Name of the counted field.
        field: &'static str,
        /// The claimed count.
        count: u64,
        /// Minimum number of bytes per item.
        each: usize,
        /// Number of bytes that are left.
        left: usize,
    },
    /// The record begins with the number of another record.
    #[error("its id field says {echo}")]
    Id {
        /// Number of the other record.
        echo: RecordId,
    },
    /// An animation hook has an unknown type, and so an unknown length.
    #[error("unknown hook type {kind}; known types are 0 to 26")]
    UnknownHook {
        /// Type of the hook.
        kind: u32,
    },
    /// A region has a version that the client refuses.
    #[error("unknown region version {version}; the client reads version 3")]
    RegionVersion {
        /// Version of the region.
        version: u32,
    },
    /// Bytes follow after the end of the record.
    #[error("{left} bytes after the end of the record")]
    Trailing {
        /// Number of extra bytes.
        left: usize,
    },
}

/// A reading position in the bytes of a record.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the first byte.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns the number of bytes that were read.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Returns the number of bytes that are left.
    pub const fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(crate) const fn error(&self, fault: RecordFault) -> RecordError {
        RecordError { at: self.at, fault }
    }

    pub(crate) fn take(&mut self, field: &'static str, count: usize) -> Result<&'a [u8], RecordError> {
        let left = &self.bytes[self.at..];
        let Some(taken) = left.get(..count) else {
            return Err(self.error(RecordFault::Ends { field, needed: count, left: left.len() }));
        };
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], RecordError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(field, N)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self, field: &'static str) -> Result<u8, RecordError> {
        self.array::<1>(field).map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self, field: &'static str) -> Result<u16, RecordError> {
        self.array(field).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self, field: &'static str) -> Result<u32, RecordError> {
        self.array(field).map(u32::from_le_bytes)
    }

    pub(crate) fn i32(&mut self, field: &'static str) -> Result<i32, RecordError> {
        self.array(field).map(i32::from_le_bytes)
    }

    pub(crate) fn f32(&mut self, field: &'static str) -> Result<f32, RecordError> {
        self.array(field).map(f32::from_le_bytes)
    }

    pub(crate) fn floats<const N: usize>(&mut self, field: &'static str) -> Result<[f32; N], RecordError> {
        let bytes = self.take(field, N * 4)?;
        let mut floats = [0.0; N];
        for (float, word) in floats.iter_mut().zip(bytes.chunks_exact(4)) {
            *float = f32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        }
        Ok(floats)
    }

    pub(crate) fn frame(&mut self, field: &'static str) -> Result<Frame, RecordError> {
        self.array(field).map(|bytes| Frame::from_bytes(&bytes))
    }

    /// Reads many frames at once, as bytes.
    pub(crate) fn frames(
        &mut self,
        field: &'static str,
        count: usize,
    ) -> Result<&'a [[u8; 28]], RecordError> {
        self.check_count(field, count as u64, Frame::BYTES)?;
        let (frames, _) = self.take(field, count * Frame::BYTES)?.as_chunks();
        Ok(frames)
    }

    /// Reads a count of items. A count whose items need more bytes than are left is rejected.
    pub(crate) fn count(&mut self, field: &'static str, each: usize) -> Result<usize, RecordError> {
        let before = self.at;
        let count = self.u32(field)?;
        let checked = self.check_count(field, u64::from(count), each);
        checked.map_err(|error| RecordError { at: before, ..error })?;
        Ok(count as usize)
    }

    pub(crate) fn check_count(
        &self,
        field: &'static str,
        count: u64,
        each: usize,
    ) -> Result<(), RecordError> {
        let left = self.left();
        if count.saturating_mul(each as u64) > left as u64 {
            return Err(self.error(RecordFault::Count { field, count, each, left }));
        }
        Ok(())
    }

    /// Skips to the next multiple of four bytes. The skipped bytes have no meaning.
    pub(crate) fn align(&mut self) -> Result<(), RecordError> {
        self.take("padding", self.at.next_multiple_of(4) - self.at).map(drop)
    }

    /// Checks that a record begins with its own number.
    pub(crate) fn check_echo(&self, id: RecordId, echo: RecordId) -> Result<(), RecordError> {
        if id == echo {
            return Ok(());
        }
        Err(RecordError { at: 0, fault: RecordFault::Id { echo } })
    }
}
