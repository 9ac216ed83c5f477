//! Checked access to the caller's memory.
//!
//! Each exported function turns its pointers into these types in one unsafe block. Everything after that
//! is safe code.

use std::{
    ffi::{CStr, c_char},
    slice,
};

use crate::status::{Done, EvStatus, Fault};

/// Returns a reference, or `None` for null or a misaligned pointer.
///
/// # Safety
/// The pointer is null or valid for `'a`.
pub(crate) unsafe fn at<'a, T>(pointer: *const T) -> Option<&'a T> {
    if pointer.is_aligned() {
        // SAFETY: as above.
        unsafe { pointer.as_ref() }
    } else {
        None
    }
}

/// A struct or an array that the caller passes in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct In<'a, T>(Result<&'a [T], EvStatus>);

impl<'a, T: Copy> In<'a, T> {
    /// # Safety
    /// The pointer is null, or valid for `length` values and for `'a`.
    pub(crate) unsafe fn many(pointer: *const T, length: usize) -> Self {
        if pointer.is_null() {
            return Self(if length == 0 { Ok(&[]) } else { Err(EvStatus::Null) });
        }
        if !fits::<T>(length) || !pointer.is_aligned() {
            return Self(Err(EvStatus::Invalid));
        }
        // SAFETY: as above, and the length fits into memory.
        Self(Ok(unsafe { slice::from_raw_parts(pointer, length) }))
    }

    /// # Safety
    /// The pointer is null, or valid for one value and for `'a`.
    pub(crate) unsafe fn one(pointer: *const T) -> Self {
        // SAFETY: as above. Null with length 1 is an error.
        unsafe { Self::many(pointer, 1) }
    }

    pub(crate) fn all(&self, what: &str) -> Result<&'a [T], Fault> {
        self.0.map_err(|status| fault(status, what))
    }

    pub(crate) fn value(&self, what: &str) -> Result<T, Fault> {
        Ok(self.all(what)?[0])
    }
}

/// A place for one value. It may be missing if the function allows that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    /// # Safety
    /// The pointer is null, or valid for writing one value until the function returns.
    pub(crate) const unsafe fn new(pointer: *mut T) -> Self {
        Self(pointer)
    }

    /// Checks that there is a place, before anything changes.
    pub(crate) fn check(&self, what: &str) -> Done {
        if self.0.is_null() {
            return Err(Fault::null(what));
        }
        if self.0.is_aligned() { Ok(()) } else { Err(fault(EvStatus::Invalid, what)) }
    }

    /// Writes the value, if there is a place.
    pub(crate) fn set(&self, value: T) {
        if !self.0.is_null() && self.0.is_aligned() {
            // SAFETY: `new` promises that the pointer is valid for writing.
            unsafe { self.0.write(value) };
        }
    }
}

/// Room for several values, and a place for their number.
#[derive(Debug)]
pub(crate) struct Room<T> {
    first: *mut T,
    capacity: usize,
    count: Out<usize>,
    written: usize,
}

impl<T: Copy> Room<T> {
    /// # Safety
    /// `first` is null, or valid for writing `capacity` values until the function returns. `count` is
    /// null or valid for writing.
    pub(crate) const unsafe fn new(first: *mut T, capacity: usize, count: *mut usize) -> Self {
        Self { first, capacity, count: Out(count), written: 0 }
    }

    /// Checks the pointers, before anything changes.
    pub(crate) fn check(&self, what: &str) -> Done {
        self.count.check("count")?;
        if self.first.is_null() && self.capacity > 0 {
            return Err(Fault::null(what));
        }
        if fits::<T>(self.capacity) && self.first.is_aligned() {
            Ok(())
        } else {
            Err(fault(EvStatus::Invalid, what))
        }
    }

    pub(crate) const fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns whether there is room for one more value.
    pub(crate) const fn has_room(&self) -> bool {
        self.written < self.capacity
    }

    /// Writes a value after those that are there, if there is room. Counts it in any case.
    #[inline(always)]
    pub(crate) fn push(&mut self, value: T) {
        if self.has_room() {
            // SAFETY: the place is within the room that `new` promises, and `check` found it aligned.
            unsafe { self.first.add(self.written).write(value) };
        }
        self.written += 1;
    }

    /// Reports the number of values. If there were more than fit, the answer is `TooShort`.
    pub(crate) fn finish(self, what: &str) -> Done {
        self.count.set(self.written);
        if self.written > self.capacity {
            return Err(Fault::too_short(what, self.capacity, self.written));
        }
        Ok(())
    }

    /// Reports a number of values, whether they fit or not.
    pub(crate) fn report(&self, needed: usize) {
        self.count.set(needed);
    }

    /// Reports that `needed` values would be written. Returns an error if they do not fit.
    pub(crate) fn expect(&self, what: &str, needed: usize) -> Done {
        if needed > self.capacity {
            self.count.set(needed);
            return Err(Fault::too_short(what, self.capacity, needed));
        }
        Ok(())
    }

    /// Writes all values, or none if they do not fit.
    pub(crate) fn fill(mut self, what: &str, values: &[T]) -> Done {
        self.check(what)?;
        self.expect(what, values.len())?;
        values.iter().for_each(|value| self.push(*value));
        self.finish(what)
    }
}

/// Room for a text with its NUL byte.
#[derive(Debug)]
pub(crate) struct TextOut {
    first: *mut c_char,
    capacity: usize,
    length: Out<usize>,
}

impl TextOut {
    /// # Safety
    /// `first` is null, or valid for writing `capacity` bytes until the function returns. `length` is
    /// null or valid for writing.
    pub(crate) const unsafe fn new(first: *mut c_char, capacity: usize, length: *mut usize) -> Self {
        Self { first, capacity, length: Out(length) }
    }

    /// Writes a text and its NUL byte, and reports its length without that byte. If it does not fit, an
    /// empty text is written.
    pub(crate) fn write(&self, text: &str) -> Done {
        if self.first.is_null() && self.capacity > 0 {
            return Err(Fault::null("text"));
        }
        if !fits::<c_char>(self.capacity) {
            return Err(fault(EvStatus::Invalid, "capacity"));
        }
        self.length.set(text.len());
        let fits = text.len() < self.capacity;
        let bytes = if fits { text.as_bytes() } else { &[] };
        if self.capacity > 0 {
            // SAFETY: `new` promises room for `capacity` bytes, and the text with NUL is no longer.
            unsafe {
                self.first.cast::<u8>().copy_from(bytes.as_ptr(), bytes.len());
                self.first.cast::<u8>().add(bytes.len()).write(0);
            }
        }
        if fits { Ok(()) } else { Err(Fault::too_short("text", self.capacity, text.len() + 1)) }
    }
}

/// Returns a text of the caller, which ends with NUL.
///
/// # Safety
/// The pointer is null, or valid up to its NUL byte for `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: as above.
    Some(unsafe { CStr::from_ptr(pointer) })
}

/// Returns a text as UTF-8.
pub(crate) fn utf8<'a>(what: &str, text: Option<&'a CStr>) -> Result<&'a str, Fault> {
    let text = text.ok_or_else(|| Fault::null(what))?;
    text.to_str().map_err(|_| Fault::invalid(what, "not UTF-8"))
}

/// Returns whether an array of this length can exist.
const fn fits<T>(length: usize) -> bool {
    match length.checked_mul(size_of::<T>()) {
        Some(bytes) => bytes <= isize::MAX as usize,
        None => false,
    }
}

fn fault(status: EvStatus, what: &str) -> Fault {
    match status {
        EvStatus::Null => Fault::null(what),
        _ => Fault::invalid(what, "the pointer is misaligned, or the length exceeds the memory"),
    }
}
