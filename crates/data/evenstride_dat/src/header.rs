//! The first kilobyte, with version, block size and the place of the directory.

use crate::{
    DatError, ReadAt,
    directory::{FANOUT, MAX_ENTRIES},
    error::{le_u32, read_bytes},
};

/// Offset of the first block. The header lies before it.
pub(crate) const FIRST_BLOCK: u32 = 0x400;

/// The letters "BT" and two zero bytes.
pub(crate) const MAGIC: u32 = 0x5442;

pub(crate) const NEW_MAGIC_AT: usize = 0x140;
pub(crate) const OLD_MAGIC_AT: usize = 0x12C;

/// Valid block sizes in bytes. This is a safety bound. The game uses 1,024 and 256.
const BLOCK_SIZES: std::ops::RangeInclusive<u32> = 16..=1 << 20;

/// The format of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Version {
    /// `portal.dat` and `cell.dat`, 1999 to February 2005.
    Old,
    /// `client_portal.dat` and its siblings, June 2005 and later.
    New,
}

impl Version {
    /// Returns the length of a directory entry in bytes.
    pub(crate) const fn entry_bytes(self) -> usize {
        match self {
            Self::Old => 12,
            Self::New => 24,
        }
    }

    /// Returns the length of a directory node in bytes.
    pub(crate) const fn node_bytes(self) -> usize {
        FANOUT * 4 + 4 + MAX_ENTRIES * self.entry_bytes()
    }
}

/// The contents of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Contents {
    /// Models, animations, motion tables and the region. The archive of high-resolution textures is
    /// stored as this kind too.
    Portal,
    /// Land and rooms.
    Cell,
    /// Texts of one language.
    Local,
    /// Unknown contents, by their number.
    Other(u32),
}

/// Content of the first kilobyte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Header {
    /// Format of the archive.
    pub version: Version,
    /// Contents of the archive. The old format does not store them, but only cell archives have
    /// blocks of 256 bytes.
    pub contents: Contents,
    /// Size of a block in bytes, including its link.
    pub block_size: u32,
    /// Length of the file in bytes, as stored.
    pub file_size: u32,
    /// Offset of the first free block, or 0 if there is none.
    pub free_head: u32,
    /// Number of free blocks, as stored.
    pub free_count: u32,
    /// Offset of the directory's root.
    pub root: u32,
}

impl Header {
    /// Reads the header of an archive that is `size` bytes long.
    pub(crate) fn read(source: &impl ReadAt, size: u64) -> Result<Self, DatError> {
        if size < u64::from(FIRST_BLOCK) {
            return Err(DatError::TooShort { size });
        }
        let mut bytes = [0; FIRST_BLOCK as usize];
        read_bytes(source, 0, &mut bytes)?;
        let word = |at: usize| le_u32(&bytes, at);
        // In an old archive this word is the end of the free list. No block begins at offset
        // 0x5442.
        let header = if word(NEW_MAGIC_AT) == MAGIC {
            Self {
                version: Version::New,
                contents: match word(0x14C) {
                    1 => Contents::Portal,
                    2 => Contents::Cell,
                    3 => Contents::Local,
                    other => Contents::Other(other),
                },
                block_size: word(0x144),
                file_size: word(0x148),
                free_head: word(0x154),
                free_count: word(0x15C),
                root: word(0x160),
            }
        } else if word(OLD_MAGIC_AT) == MAGIC {
            let block_size = word(0x130);
            Self {
                version: Version::Old,
                contents: if block_size == 256 { Contents::Cell } else { Contents::Portal },
                block_size,
                file_size: word(0x134),
                free_head: word(0x13C),
                free_count: word(0x144),
                root: word(0x148),
            }
        } else {
            return Err(DatError::NotAnArchive { size });
        };
        if !BLOCK_SIZES.contains(&header.block_size) {
            return Err(DatError::BlockSize { block_size: header.block_size });
        }
        Ok(header)
    }
}
