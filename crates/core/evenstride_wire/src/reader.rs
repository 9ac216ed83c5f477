//! Reads bytes field by field.

use alloc::boxed::Box;

use evenstride_types::{EntityId, RawPlacement, Stamp, Vec3};

use crate::DecodeError;

/// Bytes that are being read. Every read names its field, so that an error can tell the field and
/// byte.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
    /// End of the rest, counted from the first byte of the message.
    end: usize,
    odd_padding: Option<usize>,
}

/// The result of a read. Errors are boxed because they are rare and values should travel in
/// registers.
pub(crate) type Read<T> = Result<T, Box<DecodeError>>;

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, end: bytes.len(), odd_padding: None }
    }

    pub(crate) const fn offset(&self) -> usize {
        self.end - self.rest.len()
    }

    pub(crate) const fn left(&self) -> usize {
        self.rest.len()
    }

    /// Returns the offset of the first padding that is not zero.
    pub(crate) const fn odd_padding(&self) -> Option<usize> {
        self.odd_padding
    }

    #[inline]
    pub(crate) fn take<const N: usize>(&mut self, field: &'static str) -> Read<[u8; N]> {
        match self.rest.split_first_chunk() {
            Some((chunk, rest)) => {
                self.rest = rest;
                Ok(*chunk)
            }
            None => Err(self.truncated(field, N)),
        }
    }

    pub(crate) fn slice(&mut self, field: &'static str, count: usize) -> Read<&'a [u8]> {
        match self.rest.split_at_checked(count) {
            Some((slice, rest)) => {
                self.rest = rest;
                Ok(slice)
            }
            None => Err(self.truncated(field, count)),
        }
    }

    /// Reads a block of known length and requires that `read` consumes all of it.
    pub(crate) fn within<T>(
        &mut self,
        what: &'static str,
        length: usize,
        read: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Read<T> {
        let Some((inside, after)) = self.rest.split_at_checked(length) else {
            return Err(self.truncated(what, length));
        };
        let end = self.end;
        (self.rest, self.end) = (inside, self.offset() + length);
        let value = read(self)?;
        self.finish(what)?;
        (self.rest, self.end) = (after, end);
        Ok(value)
    }

    /// Limits the rest to this many bytes.
    pub(crate) fn end_after(&mut self, bytes: usize) {
        let bytes = bytes.min(self.left());
        self.end = self.offset() + bytes;
        self.rest = &self.rest[..bytes];
    }

    /// Reads a number of items. It is checked against the bytes that are left before any
    /// allocation.
    pub(crate) fn count(&mut self, field: &'static str, bytes_each: usize) -> Read<usize> {
        let count = self.u32(field)? as usize;
        match count.checked_mul(bytes_each) {
            Some(needs) if needs <= self.left() => Ok(count),
            needs => Err(self.truncated(field, needs.unwrap_or(usize::MAX))),
        }
    }

    /// Returns all bytes up to the end.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        core::mem::take(&mut self.rest)
    }

    #[cold]
    fn truncated(&self, field: &'static str, needs: usize) -> Box<DecodeError> {
        Box::new(DecodeError::Truncated { field, offset: self.offset(), needs, left: self.left() })
    }

    #[inline]
    pub(crate) fn u8(&mut self, field: &'static str) -> Read<u8> {
        self.take(field).map(u8::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u16(&mut self, field: &'static str) -> Read<u16> {
        self.take(field).map(u16::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u32(&mut self, field: &'static str) -> Read<u32> {
        self.take(field).map(u32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn f32(&mut self, field: &'static str) -> Read<f32> {
        self.take(field).map(f32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn f64(&mut self, field: &'static str) -> Read<f64> {
        self.take(field).map(f64::from_le_bytes)
    }

    #[inline]
    pub(crate) fn entity(&mut self, field: &'static str) -> Read<EntityId> {
        self.u32(field).map(EntityId::new)
    }

    #[inline]
    pub(crate) fn stamp(&mut self, field: &'static str) -> Read<Stamp> {
        self.u16(field).map(Stamp::new)
    }

    #[inline]
    pub(crate) fn vector(&mut self, field: &'static str) -> Read<Vec3> {
        Ok(Vec3::new(self.f32(field)?, self.f32(field)?, self.f32(field)?))
    }

    /// Reads a cell, coordinates and a whole quaternion.
    pub(crate) fn placement(&mut self, field: &'static str) -> Read<RawPlacement> {
        let (cell, origin) = (self.u32(field)?, self.vector(field)?);
        let wxyz = [self.f32(field)?, self.f32(field)?, self.f32(field)?, self.f32(field)?];
        Ok(RawPlacement { cell, origin, wxyz })
    }

    /// Skips padding up to a multiple of four, counted from the first byte of the message.
    #[inline]
    pub(crate) fn align(&mut self, field: &'static str) -> Read<()> {
        self.padding(field, self.offset().wrapping_neg() & 3)
    }

    /// Skips `count` bytes of padding.
    #[inline]
    pub(crate) fn padding(&mut self, field: &'static str, count: usize) -> Read<()> {
        let start = self.offset();
        let padding = self.slice(field, count)?;
        if padding.iter().any(|byte| *byte != 0) {
            self.note_odd_padding(start);
        }
        Ok(())
    }

    pub(crate) const fn note_odd_padding(&mut self, at: usize) {
        if self.odd_padding.is_none() {
            self.odd_padding = Some(at);
        }
    }

    /// Checks that no bytes are left.
    #[inline]
    pub(crate) fn finish(&self, what: &'static str) -> Read<()> {
        match self.left() {
            0 => Ok(()),
            left => Err(Box::new(DecodeError::Trailing { what, offset: self.offset(), left })),
        }
    }
}
