//! Values as bytes, and back.
//!
//! | type | bytes |
//! |---|---|
//! | numbers | their size, little-endian |
//! | `bool` | one byte, 0 or 1 |
//! | `Option` | a `bool`, then the value if there is one |
//! | `Vec`, `VecDeque` | a `u32` count, then the items |
//! | arrays, tuples, structs | their items, without a count |
//! | enums without fields | one byte, by a fixed number |
//!
//! Nothing is aligned or padded. Floating-point numbers keep all their bits, including those of
//! NaN. Types with a restricted range reject other values when they are read.

use alloc::{boxed::Box, vec::Vec};

use evenstride_types::StateHash;

use crate::save::RestoreError;

/// Takes bytes, either into a buffer or into a fingerprint of them.
///
/// Saving and fingerprinting thus share one description of the state (decision 11 in
/// `docs/decisions`).
pub(crate) trait Sink {
    /// Takes a number of bytes that is known at compile time.
    fn put<const N: usize>(&mut self, bytes: [u8; N]);
    /// Takes any number of bytes.
    fn put_slice(&mut self, bytes: &[u8]);
}

impl Sink for Vec<u8> {
    #[inline]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.extend_from_slice(&bytes);
    }

    fn put_slice(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

impl Sink for StateHash {
    #[inline]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.bytes(&bytes);
    }

    fn put_slice(&mut self, bytes: &[u8]) {
        self.bytes(bytes);
    }
}

/// A type that can be written and read back.
///
/// Reading consumes exactly the bytes that were written, and gives an equal value.
pub(crate) trait Saved: Sized {
    /// Writes the value to a sink, which cannot fail.
    fn write(&self, sink: &mut impl Sink);
    /// Reads a value and checks its range.
    ///
    /// # Errors
    /// [`RestoreError`] if the bytes end too early or the value is outside its range.
    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError>;
}

/// Bytes that are being read, with a position and a name for errors.
pub(crate) struct Source<'a> {
    /// The whole file, so that errors give positions from its beginning.
    bytes: &'a [u8],
    /// Position of the next byte to be read.
    offset: usize,
    /// Name of the value that is being read, for errors.
    what: &'static str,
}

impl<'a> Source<'a> {
    /// Starts reading at the first byte.
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0, what: "" }
    }

    /// Skips bytes that the caller has looked at already, at most to the end.
    pub(crate) fn skip(&mut self, count: usize) {
        self.offset = (self.offset + count).min(self.bytes.len());
    }

    /// Returns all bytes that were not read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.offset..]
    }

    /// Reads a value, and names it in errors.
    ///
    /// The fields of a struct have names of their own, so errors give the innermost name.
    #[inline]
    pub(crate) fn read<T: Saved>(&mut self, what: &'static str) -> Result<T, RestoreError> {
        self.what = what;
        T::read(self)
    }

    /// Reads `N` bytes, or fails without reading any.
    #[inline]
    pub(crate) fn take<const N: usize>(&mut self) -> Result<[u8; N], RestoreError> {
        match self.bytes[self.offset..].first_chunk() {
            Some(chunk) => {
                self.offset += N;
                Ok(*chunk)
            }
            None => Err(RestoreError::Truncated {
                what: self.what,
                offset: self.offset,
                needs: N,
                left: self.bytes.len() - self.offset,
            }),
        }
    }

    /// Reads `count` bytes without copying them, or fails without reading any.
    pub(crate) fn take_slice(&mut self, count: usize) -> Result<&'a [u8], RestoreError> {
        let rest = self.rest();
        let taken = rest.get(..count).ok_or(RestoreError::Truncated {
            what: self.what,
            offset: self.offset,
            needs: count,
            left: rest.len(),
        })?;
        self.offset += count;
        Ok(taken)
    }

    /// Returns the error for a value that was just read and is outside its range.
    pub(crate) const fn bad_value(&self) -> RestoreError {
        RestoreError::Value { what: self.what, offset: self.offset }
    }
}

/// Returns a fingerprint of bytes, computed eight at a time.
///
/// It detects damage but not forgery, so a file that passes is still checked completely.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64 ^ bytes.len() as u64;
    let (chunks, rest) = bytes.as_chunks::<8>();
    let mut mix = |word: u64| {
        hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 32;
    };
    chunks.iter().for_each(|chunk| mix(u64::from_le_bytes(*chunk)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(u64::from_le_bytes(last));
    hash
}

/// Writes and reads numbers in little-endian order.
macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Saved for $number {
            #[inline]
            fn write(&self, sink: &mut impl Sink) {
                sink.put(self.to_le_bytes());
            }

            #[inline]
            fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
                Ok(Self::from_le_bytes(source.take()?))
            }
        }
    )*};
}

numbers!(u8, u16, u32, i32, u64, f32, f64);

impl Saved for bool {
    fn write(&self, sink: &mut impl Sink) {
        u8::from(*self).write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        match u8::read(source)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(source.bad_value()),
        }
    }
}

impl<T: Saved> Saved for Option<T> {
    fn write(&self, sink: &mut impl Sink) {
        self.is_some().write(sink);
        if let Some(value) = self {
            value.write(sink);
        }
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        if bool::read(source)? { T::read(source).map(Some) } else { Ok(None) }
    }
}

/// A box is written like its contents.
impl<T: Saved> Saved for Box<T> {
    fn write(&self, sink: &mut impl Sink) {
        T::write(self, sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        T::read(source).map(Self::new)
    }
}

impl<T: Saved> Saved for Vec<T> {
    fn write(&self, sink: &mut impl Sink) {
        (self.len() as u32).write(sink);
        self.iter().for_each(|item| item.write(sink));
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        let count = u32::read(source)? as usize;
        // The count is not trusted. No more is reserved than the remaining bytes could hold, as
        // most items take more than sixteen.
        let mut items = Self::with_capacity(count.min(source.rest().len() / 16));
        for _ in 0..count {
            items.push(T::read(source)?);
        }
        Ok(items)
    }
}

/// Arrays must have at least one item, because reading starts with the first.
impl<T: Saved + Copy, const N: usize> Saved for [T; N] {
    #[inline]
    fn write(&self, sink: &mut impl Sink) {
        self.iter().for_each(|item| item.write(sink));
    }

    #[inline]
    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        let first = T::read(source)?;
        let mut items = [first; N];
        for item in &mut items[1..] {
            *item = T::read(source)?;
        }
        Ok(items)
    }
}

impl<A: Saved, B: Saved> Saved for (A, B) {
    fn write(&self, sink: &mut impl Sink) {
        self.0.write(sink);
        self.1.write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        Ok((A::read(source)?, B::read(source)?))
    }
}

/// Writes and reads a struct field by field, in the given order.
///
/// A field that is left out does not compile, because the struct is destructured completely.
macro_rules! saved_struct {
    ($($type:ident { $($field:ident),* $(,)? })*) => {$(
        impl Saved for $type {
            #[inline]
            fn write(&self, sink: &mut impl Sink) {
                let Self { $($field),* } = self;
                $($field.write(sink);)*
            }

            #[inline]
            fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
                Ok(Self { $($field: source.read(concat!(stringify!($type), ".", stringify!($field)))?),* })
            }
        }
    )*};
}

/// Writes and reads an enum without fields as one byte.
///
/// The numbers are part of the format. A variant that is left out does not compile.
macro_rules! saved_choice {
    ($($type:ident { $($variant:ident = $number:literal),* $(,)? })*) => {$(
        impl Saved for $type {
            fn write(&self, sink: &mut impl Sink) {
                let number: u8 = match self { $(Self::$variant => $number),* };
                number.write(sink);
            }

            fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
                match u8::read(source)? {
                    $($number => Ok(Self::$variant),)*
                    _ => Err(source.bad_value()),
                }
            }
        }
    )*};
}

pub(crate) use saved_choice;
pub(crate) use saved_struct;
