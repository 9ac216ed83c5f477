//! An archive: open it, find records, read them.

use std::io::Read;

use flate2::read::ZlibDecoder;

use crate::{
    ChainFault, DatError, Entries, Entry, Header, NodeFault, ReadAt, Record, RecordId, RecordKind,
    block::{Blocks, FREE},
    cursor::Cursor,
    directory::{MAX_DEPTH, Node},
    error::{ChainOwner, le_u32, source_error},
};

/// Deflate makes at most so many bytes of one: a compressed record that claims more is lying.
const MAX_INFLATION: u64 = 1_032;

/// No record unpacks to more. A safety bound: the game's are not compressed at all.
const MAX_UNPACKED: u64 = 16 << 20;

/// An archive of the game, old or new. Nothing of it is kept but the header and the root of the directory.
#[derive(Clone, Debug)]
pub struct Archive<Source> {
    source: Source,
    file_size: u64,
    header: Header,
    root: Node,
}

impl<Source: ReadAt> Archive<Source> {
    /// Reads the header and the root of the directory.
    ///
    /// # Errors
    /// [`DatError`] when it is no archive, or its directory cannot be read at all.
    pub fn open(source: Source) -> Result<Self, DatError> {
        let file_size = source.size().map_err(|error| source_error(&error, 0, 0))?;
        let header = Header::read(&source, file_size)?;
        let blocks = Blocks { source: &source, file_size, block_size: header.block_size };
        let root = Node::read(&header, &blocks, header.root).map_err(|error| match error {
            // A file that is shorter than it says has probably lost it.
            DatError::Chain { fault: ChainFault::Outside, .. } if file_size < u64::from(header.file_size) => {
                DatError::CutShort { said: header.file_size, has: file_size }
            }
            error => error,
        })?;
        Ok(Self { source, file_size, header, root })
    }

    /// What its first kilobyte tells.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// How long it is, whatever its header says.
    pub const fn file_size(&self) -> u64 {
        self.file_size
    }

    /// Where its bytes come from.
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// The same, to add to it: see [`Fetched`](crate::Fetched).
    pub const fn source_mut(&mut self) -> &mut Source {
        &mut self.source
    }

    /// What a record is, by its number.
    pub const fn kind_of(&self, id: RecordId) -> RecordKind {
        RecordKind::of(id, self.header.contents)
    }

    /// Where a record lies; `None` if there is no such record. Reads a node of the directory a level, the root excepted.
    ///
    /// # Errors
    /// [`DatError`] when the directory is broken on the way there.
    pub fn find(&self, id: RecordId) -> Result<Option<Entry>, DatError> {
        let (mut place, mut levels) = (self.root.look_up(id), 1);
        loop {
            match place {
                Ok(entry) => return Ok(Some(entry)),
                Err(None) => return Ok(None),
                Err(Some(at)) if levels == MAX_DEPTH => {
                    return Err(DatError::Node { at, fault: NodeFault::TooDeep });
                }
                Err(Some(at)) => (place, levels) = (self.node(at)?.look_up(id), levels + 1),
            }
        }
    }

    /// Every record, by id, and what is wrong with the directory in between.
    pub fn entries(&self) -> Entries<'_, Source> {
        Entries::new(self, self.root.clone())
    }

    /// The bytes of a record, unpacked if they are compressed.
    ///
    /// # Errors
    /// [`DatError`] when they cannot be had.
    pub fn bytes(&self, entry: &Entry) -> Result<Vec<u8>, DatError> {
        self.check_size(entry)?;
        let stored =
            self.blocks().chain(ChainOwner::Record(entry.id), entry.first_block, entry.size as usize)?;
        unpacked(entry, stored)
    }

    /// The same, for somebody who wants to hear of every block.
    pub(crate) fn claimed_bytes(
        &self,
        entry: &Entry,
        claim: &mut impl FnMut(u32) -> Result<(), ChainFault>,
    ) -> Result<Vec<u8>, DatError> {
        self.check_size(entry)?;
        let (owner, size) = (ChainOwner::Record(entry.id), entry.size as usize);
        unpacked(entry, self.blocks().claimed_chain(owner, entry.first_block, size, claim)?)
    }

    /// Finds a record and reads it. What stands after its end does not matter; [`check()`](crate::check()) minds it.
    ///
    /// # Errors
    /// [`DatError`] when it is not there, is of another kind, or cannot be read.
    pub fn read<R: Record>(&self, id: RecordId) -> Result<R, DatError> {
        if self.kind_of(id) != R::KIND {
            return Err(DatError::Kind { id, wanted: R::KIND });
        }
        let entry = self.find(id)?.ok_or(DatError::NotFound { id })?;
        self.parse(&entry, &self.bytes(&entry)?).map(|(record, _)| record)
    }

    /// Reads a record from its bytes; answers how many it took, too.
    pub(crate) fn parse<R: Record>(&self, entry: &Entry, bytes: &[u8]) -> Result<(R, usize), DatError> {
        let mut cursor = Cursor::new(bytes);
        let record = R::parse(&mut cursor).map_err(|error| DatError::Record { id: entry.id, error })?;
        cursor.check_echo(entry.id, record.id()).map_err(|error| DatError::Record { id: entry.id, error })?;
        Ok((record, cursor.at()))
    }

    pub(crate) fn node(&self, at: u32) -> Result<Node, DatError> {
        Node::read(&self.header, &self.blocks(), at)
    }

    pub(crate) const fn blocks(&self) -> Blocks<'_, Source> {
        Blocks { source: &self.source, file_size: self.file_size, block_size: self.header.block_size }
    }

    fn check_size(&self, entry: &Entry) -> Result<(), DatError> {
        // Offsets have 31 bits, and so have lengths.
        if u64::from(entry.size) > self.file_size || entry.size >= FREE {
            return Err(DatError::Size { id: entry.id, size: entry.size });
        }
        Ok(())
    }
}

fn unpacked(entry: &Entry, stored: Vec<u8>) -> Result<Vec<u8>, DatError> {
    if !entry.is_compressed() {
        return Ok(stored);
    }
    let wrong = |what| DatError::Compressed { id: entry.id, what };
    let Some((head, packed)) = stored.split_first_chunk::<4>() else {
        return Err(wrong("too short to say how long it is"));
    };
    let size = u64::from(le_u32(head, 0));
    if size > MAX_UNPACKED.min(packed.len() as u64 * MAX_INFLATION) {
        return Err(wrong("said to be longer than it can be"));
    }
    let mut bytes = Vec::new();
    // One more than it says: then it is known to be wrong.
    let mut unpacking = ZlibDecoder::new(packed).take(size + 1);
    unpacking.read_to_end(&mut bytes).map_err(|_| wrong("cannot be unpacked"))?;
    if bytes.len() as u64 != size {
        return Err(wrong("not as long as it says"));
    }
    Ok(bytes)
}
