//! Writes bytes field by field.

use alloc::vec::Vec;

use evenstride_types::{EntityId, RawPlacement, Stamp, Vec3};

/// A message that is being appended to a buffer.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    bytes: &'a mut Vec<u8>,
    start: usize,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(bytes: &'a mut Vec<u8>) -> Self {
        let start = bytes.len();
        Self { bytes, start }
    }

    /// Returns the number of bytes written so far.
    pub(crate) fn written(&self) -> usize {
        self.bytes.len() - self.start
    }

    pub(crate) fn slice(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.slice(&value.to_le_bytes());
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.slice(&value.to_le_bytes());
    }

    pub(crate) fn f32(&mut self, value: f32) {
        self.slice(&value.to_le_bytes());
    }

    pub(crate) fn f64(&mut self, value: f64) {
        self.slice(&value.to_le_bytes());
    }

    pub(crate) fn entity(&mut self, entity: EntityId) {
        self.u32(entity.raw());
    }

    pub(crate) fn stamp(&mut self, stamp: Stamp) {
        self.u16(stamp.raw());
    }

    pub(crate) fn vector(&mut self, v: Vec3) {
        v.to_array().into_iter().for_each(|c| self.f32(c));
    }

    pub(crate) fn placement(&mut self, place: &RawPlacement) {
        self.u32(place.cell);
        self.vector(place.origin);
        place.wxyz.into_iter().for_each(|c| self.f32(c));
    }

    /// Writes zeros up to a multiple of four, counted from the first byte of the message.
    pub(crate) fn align(&mut self) {
        while !self.written().is_multiple_of(4) {
            self.u8(0);
        }
    }

    /// Overwrites a length that was unknown when it was written.
    pub(crate) fn patch_u32(&mut self, at: usize, value: u32) {
        let at = self.start + at;
        self.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
}
