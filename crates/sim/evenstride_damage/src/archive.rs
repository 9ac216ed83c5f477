//! Bytes of an archive that count how much of them is read.

use std::{cell::Cell, io};

use evenstride_dat::ReadAt;

/// Bytes that count how much of them is read.
#[derive(Debug)]
pub struct Counted<'a> {
    bytes: &'a [u8],
    read: Cell<u64>,
}

impl<'a> Counted<'a> {
    /// Wraps bytes.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, read: Cell::new(0) }
    }

    /// Returns the number of bytes read so far. A byte that is read twice counts twice.
    pub const fn bytes_read(&self) -> u64 {
        self.read.get()
    }

    /// Checks that opening an archive reads at most 64 KiB.
    ///
    /// # Panics
    ///
    /// If more was read.
    pub fn assert_little_read(&self) {
        assert!(self.bytes_read() <= 64 << 10, "{} bytes to open it", self.bytes_read());
    }

    /// Checks that not much more was read than the bytes a fixed number of times.
    ///
    /// # Panics
    ///
    /// If more was read.
    pub fn assert_bounded(&self) {
        let most = 120 * self.bytes.len() as u64 + (64 << 10);
        assert!(self.bytes_read() <= most, "{} bytes of {} read", self.bytes_read(), self.bytes.len());
    }
}

impl ReadAt for Counted<'_> {
    fn size(&self) -> io::Result<u64> {
        self.bytes.size()
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.read.set(self.read.get() + buffer.len() as u64);
        self.bytes.read_exact_at(offset, buffer)
    }
}
