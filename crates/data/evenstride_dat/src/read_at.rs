//! Sources of bytes.

use std::{io, sync::Arc};

/// A source of bytes with random access. Implemented for files, slices and
/// [`Fetched`](crate::Fetched).
pub trait ReadAt {
    /// Returns the length in bytes.
    ///
    /// # Errors
    /// An error if the length is unknown.
    fn size(&self) -> io::Result<u64>;

    /// Fills a buffer with the bytes from `offset` on.
    ///
    /// # Errors
    /// An error if any of the bytes is unreadable.
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl ReadAt for [u8] {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).map_err(|_| ends_early())?;
        let end = start.checked_add(buffer.len()).ok_or_else(ends_early)?;
        buffer.copy_from_slice(self.get(start..end).ok_or_else(ends_early)?);
        Ok(())
    }
}

impl ReadAt for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        self.as_slice().size()
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.as_slice().read_exact_at(offset, buffer)
    }
}

impl<Source: ReadAt + ?Sized> ReadAt for &Source {
    fn size(&self) -> io::Result<u64> {
        Source::size(self)
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        Source::read_exact_at(self, offset, buffer)
    }
}

impl<Source: ReadAt + ?Sized> ReadAt for Arc<Source> {
    fn size(&self) -> io::Result<u64> {
        Source::size(self)
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        Source::read_exact_at(self, offset, buffer)
    }
}

impl<Source: ReadAt + ?Sized> ReadAt for Box<Source> {
    fn size(&self) -> io::Result<u64> {
        Source::size(self)
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        Source::read_exact_at(self, offset, buffer)
    }
}

impl<const N: usize> ReadAt for [u8; N] {
    fn size(&self) -> io::Result<u64> {
        self.as_slice().size()
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.as_slice().read_exact_at(offset, buffer)
    }
}

#[cfg(unix)]
impl ReadAt for std::fs::File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }
}

#[cfg(windows)]
impl ReadAt for std::fs::File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_exact_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        use std::os::windows::fs::FileExt;
        while !buffer.is_empty() {
            match self.seek_read(buffer, offset) {
                Ok(0) => return Err(ends_early()),
                Ok(count) => {
                    offset += count as u64;
                    buffer = &mut buffer[count..];
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn ends_early() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the data ends before that")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_gives_what_it_has_and_no_more() {
        let bytes = [1u8, 2, 3, 4];
        let mut two = [0; 2];
        bytes.as_slice().read_exact_at(2, &mut two).unwrap();
        assert_eq!(two, [3, 4]);
        assert!(bytes.as_slice().read_exact_at(3, &mut two).is_err());
        assert!(bytes.as_slice().read_exact_at(u64::MAX, &mut two).is_err());
    }
}
