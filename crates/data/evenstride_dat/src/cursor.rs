//! Reading the bytes of one record: every field is asked for by name, so that whatever is missing can be named.

use crate::{RecordId, record::Frame};

/// What a record says that cannot be, and where.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("byte 0x{at:X}: {fault}")]
pub struct RecordError {
    /// At which byte of the record.
    pub at: usize,
    /// What.
    pub fault: RecordFault,
}

/// What a record says that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// It ends within a field.
    #[error("{field}: {needed} bytes needed, {left} left")]
    Ends {
        /// Which.
        field: &'static str,
        /// Bytes it takes.
        needed: usize,
        /// Bytes there are.
        left: usize,
    },
    /// There are said to be more of something than there is room for.
    #[error("{field}: {count} of at least {each} bytes each, {left} left")]
    Count {
        /// Of what.
        field: &'static str,
        /// How many.
        count: u64,
        /// Bytes each takes at least.
        each: usize,
        /// Bytes there are.
        left: usize,
    },
    /// It begins with the number of another record.
    #[error("it says that it is {echo}")]
    Id {
        /// Whose.
        echo: RecordId,
    },
    /// An animation hook of a type that nobody knows, whose length nobody knows either.
    #[error("a hook of type {kind}; 0 to 26 are known")]
    UnknownHook {
        /// Which.
        kind: u32,
    },
    /// A region of a version that the client refuses.
    #[error("a region of version {version}; the client knows 3")]
    RegionVersion {
        /// Which.
        version: u32,
    },
    /// It goes on after its end.
    #[error("{left} bytes after its end")]
    Trailing {
        /// How many.
        left: usize,
    },
}

/// A place in the bytes of a record.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// At the beginning.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes were read.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// How many are left.
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

    /// Many frames at once.
    pub(crate) fn frames(
        &mut self,
        field: &'static str,
        count: usize,
    ) -> Result<&'a [[u8; 28]], RecordError> {
        self.check_count(field, count as u64, Frame::BYTES)?;
        let (frames, _) = self.take(field, count * Frame::BYTES)?.as_chunks();
        Ok(frames)
    }

    /// How many of something follow: never more than there is room for.
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

    /// To the next multiple of four bytes; what stands there means nothing.
    pub(crate) fn align(&mut self) -> Result<(), RecordError> {
        self.take("padding", self.at.next_multiple_of(4) - self.at).map(drop)
    }

    /// Every record begins with its own number.
    pub(crate) fn check_echo(&self, id: RecordId, echo: RecordId) -> Result<(), RecordError> {
        if id == echo {
            return Ok(());
        }
        Err(RecordError { at: 0, fault: RecordFault::Id { echo } })
    }
}
