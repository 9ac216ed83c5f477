//! The fetched pieces of a file, so that a browser need not load 500 MB to show one animation.

use std::{collections::BTreeMap, io};

use crate::ReadAt;

/// Pieces of a file. All pieces that were added are kept.
///
/// Reading a missing piece fails with [`NotFetched`], which names the bytes to fetch. Fetch them,
/// add them and repeat the call.
///
/// ```
/// use evenstride_dat::{Archive, ArchiveWriter, DatError, Fetched};
///
/// let whole = ArchiveWriter::portal().finish()?;
/// let mut pieces = Fetched::new(whole.len() as u64);
/// while let Err(DatError::NotFetched(missing)) = Archive::open(&pieces).map(drop) {
///     // A browser would request this range of the file from its server.
///     let from = missing.offset as usize;
///     pieces.add(missing.offset, whole[from..from + missing.bytes].to_vec());
/// }
/// let archive = Archive::open(pieces)?;
/// // Later pieces are added in the same way, through `Archive::source_mut`.
/// assert!(archive.source().bytes() <= 4096);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Fetched {
    size: u64,
    /// By offset. Pieces neither overlap nor touch.
    pieces: BTreeMap<u64, Vec<u8>>,
}

/// The bytes that must be fetched first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{bytes} bytes at offset 0x{offset:X} have not been fetched yet")]
pub struct NotFetched {
    /// Offset of the first byte.
    pub offset: u64,
    /// Minimum number of bytes.
    pub bytes: usize,
}

impl Fetched {
    /// Creates an empty set of pieces for a file of `size` bytes.
    pub const fn new(size: u64) -> Self {
        Self { size, pieces: BTreeMap::new() }
    }

    /// Returns the number of bytes that were fetched.
    pub fn bytes(&self) -> usize {
        self.pieces.values().map(Vec::len).sum()
    }

    /// Adds a piece. It replaces bytes that were added before. Bytes beyond the end of the file are
    /// ignored.
    pub fn add(&mut self, offset: u64, mut piece: Vec<u8>) {
        let room = self.size.saturating_sub(offset);
        piece.truncate(usize::try_from(room).unwrap_or(usize::MAX));
        if piece.is_empty() {
            return;
        }
        // A touching piece before this one grows, so adding pieces in order copies no byte twice.
        let end = offset + piece.len() as u64;
        let before = self.pieces.range_mut(..=offset).next_back();
        let touching = before.filter(|(start, bytes)| **start + bytes.len() as u64 >= offset);
        let start = match touching {
            Some((start, bytes)) => {
                let from = (offset - start) as usize;
                let overlap = piece.len().min(bytes.len() - from);
                bytes[from..from + overlap].copy_from_slice(&piece[..overlap]);
                bytes.extend_from_slice(&piece[overlap..]);
                *start
            }
            None => {
                self.pieces.insert(offset, piece);
                offset
            }
        };
        // Later pieces that it overlaps or touches become part of it.
        while let Some(next) = self.pieces.range(start + 1..=end).next().map(|(next, _)| *next) {
            let bytes = self.pieces.remove(&next).unwrap_or_default();
            let Some(whole) = self.pieces.get_mut(&start) else { return };
            let has = start + whole.len() as u64;
            whole.extend_from_slice(bytes.get((has - next) as usize..).unwrap_or(&[]));
        }
    }
}

impl ReadAt for Fetched {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let missing =
            || io::Error::new(io::ErrorKind::WouldBlock, NotFetched { offset, bytes: buffer.len() });
        let (start, piece) = self.pieces.range(..=offset).next_back().ok_or_else(missing)?;
        let from = usize::try_from(offset - start).map_err(|_| missing())?;
        let found = from.checked_add(buffer.len()).and_then(|to| piece.get(from..to)).ok_or_else(missing)?;
        buffer.copy_from_slice(found);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_touch_or_overlap_become_one() {
        let whole: Vec<u8> = (0..100).collect();
        let mut pieces = Fetched::new(100);
        for (from, to) in [(10, 20), (40, 60), (20, 25), (22, 45), (0, 5), (90, 200), (95, 100), (4, 11)] {
            let piece = (from..to).map(|at| at as u8).collect();
            pieces.add(from, piece);
        }
        let spans: Vec<(u64, usize)> = pieces.pieces.iter().map(|(at, bytes)| (*at, bytes.len())).collect();
        assert_eq!(spans, [(0, 60), (90, 10)]);
        for (at, bytes) in &pieces.pieces {
            assert_eq!(*bytes, whole[*at as usize..*at as usize + bytes.len()]);
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let mut pieces = Fetched::new(100);
        pieces.add(0, vec![7; 10]);
        let error = pieces.read_exact_at(5, &mut [0; 10]).unwrap_err();
        let missing = error.get_ref().and_then(|inner| inner.downcast_ref::<NotFetched>());
        assert_eq!(missing, Some(&NotFetched { offset: 5, bytes: 10 }));
        assert!(pieces.read_exact_at(0, &mut [0; 10]).is_ok());
    }
}
