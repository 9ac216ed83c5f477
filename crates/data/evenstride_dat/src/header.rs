//! The first kilobyte: which version it is, how large blocks are, and where the directory begins.

use crate::{
    DatError, ReadAt,
    directory::{FANOUT, MAX_ENTRIES},
    error::{le_u32, read_bytes},
};

/// Where the blocks begin; what is before it is the header.
pub(crate) const FIRST_BLOCK: u32 = 0x400;

/// "BT", and nothing.
pub(crate) const MAGIC: u32 = 0x5442;

pub(crate) const NEW_MAGIC_AT: usize = 0x140;
pub(crate) const OLD_MAGIC_AT: usize = 0x12C;

/// Sizes of blocks that can be. A safety bound: the game's are 1,024 and 256.
const BLOCK_SIZES: std::ops::RangeInclusive<u32> = 16..=1 << 20;

/// Which of the two shapes an archive has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Version {
    /// `portal.dat` and `cell.dat`, 1999 to February 2005.
    Old,
    /// `client_portal.dat` and its siblings, June 2005 and later.
    New,
}

impl Version {
    /// Bytes of a directory entry.
    pub(crate) const fn entry_bytes(self) -> usize {
        match self {
            Self::Old => 12,
            Self::New => 24,
        }
    }

    /// Bytes of a directory node.
    pub(crate) const fn node_bytes(self) -> usize {
        FANOUT * 4 + 4 + MAX_ENTRIES * self.entry_bytes()
    }
}

/// What an archive holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Contents {
    /// Models, animations, motion tables, the region; textures in high resolution too.
    Portal,
    /// Land and rooms.
    Cell,
    /// Texts of one language.
    Local,
    /// A number that means nothing to us.
    Other(u32),
}

/// What the first kilobyte tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Header {
    /// Which shape.
    pub version: Version,
    /// What it holds. The old version does not say, but only cells have small blocks.
    pub contents: Contents,
    /// Bytes of a block, its link included.
    pub block_size: u32,
    /// How long the file says it is.
    pub file_size: u32,
    /// Where the list of free blocks begins; 0 if there are none.
    pub free_head: u32,
    /// How many free blocks there are.
    pub free_count: u32,
    /// Where the root of the directory lies.
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
        // An old archive has there the end of its free list, which is no offset of a block if it is this number.
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
