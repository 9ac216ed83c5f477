//! Reads Thrift's compact protocol, in which Parquet writes headers and metadata, without making anything of it.

use std::io::{self, Read};

/// Deepest nesting of structs and lists.
const MAX_DEPTH: u32 = 16;

/// Bytes in Thrift's compact protocol.
pub(super) struct Compact<R>(pub(super) R);

impl<R: Read> Compact<R> {
    /// Returns the type of the next field and sets its number. `None` ends a struct.
    pub(super) fn next_field(&mut self, field: &mut i64) -> io::Result<Option<u8>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Ok(None);
        }
        *field = match byte >> 4 {
            0 => self.integer()?,
            delta => field.wrapping_add(i64::from(delta)),
        };
        Ok(Some(byte & 0xF))
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.0.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    fn unsigned(&mut self) -> io::Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(invalid())
    }

    /// Reads a signed number, whose lowest bit is the sign.
    pub(super) fn integer(&mut self) -> io::Result<i64> {
        let value = self.unsigned()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    pub(super) fn skip(&mut self, kind: u8, depth: u32) -> io::Result<()> {
        if depth > MAX_DEPTH {
            return Err(invalid());
        }
        match kind {
            TRUE | FALSE => {}
            BYTE => drop(self.byte()?),
            INT16..=INT64 => drop(self.unsigned()?),
            DOUBLE => self.pass(8)?,
            BYTES => {
                let length = self.unsigned()?;
                self.pass(length)?;
            }
            LIST | SET => {
                let (kind, count) = self.list()?;
                for _ in 0..count {
                    self.skip(kind, depth + 1)?;
                }
            }
            STRUCT => {
                let mut field = 0;
                while let Some(kind) = self.next_field(&mut field)? {
                    self.skip(kind, depth + 1)?;
                }
            }
            _ => return Err(invalid()),
        }
        Ok(())
    }

    /// Returns the type of a list's elements, and their number.
    pub(super) fn list(&mut self) -> io::Result<(u8, u64)> {
        let byte = self.byte()?;
        let count = if byte >> 4 == 15 { self.unsigned()? } else { u64::from(byte >> 4) };
        // A list of flags has a byte for each.
        let kind = if matches!(byte & 0xF, TRUE | FALSE) { BYTE } else { byte & 0xF };
        // Every element takes a byte at least, so a number that is too large ends at the end of the bytes.
        Ok((kind, count))
    }

    fn pass(&mut self, length: u64) -> io::Result<()> {
        let passed = io::copy(&mut self.0.by_ref().take(length), &mut io::sink())?;
        if passed == length { Ok(()) } else { Err(invalid()) }
    }
}

/// Types of the compact protocol.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const INT16: u8 = 4;
pub(super) const INT32: u8 = 5;
const INT64: u8 = 6;
const DOUBLE: u8 = 7;
const BYTES: u8 = 8;
pub(super) const LIST: u8 = 9;
const SET: u8 = 10;
pub(super) const STRUCT: u8 = 12;

pub(super) fn invalid() -> io::Error {
    io::ErrorKind::InvalidData.into()
}
