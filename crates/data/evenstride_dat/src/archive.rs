//! Opens an archive, finds records and reads them.

use std::io::Read;

use flate2::read::ZlibDecoder;

use crate::{
    ChainFault, DatError, Entries, Entry, Header, NodeFault, ReadAt, Record, RecordId, RecordKind,
    block::{Blocks, FREE},
    cursor::Cursor,
    directory::{MAX_DEPTH, Node},
    error::{ChainOwner, le_u32, source_error},
};

/// Largest number of bytes to which one compressed byte can unpack. A compressed record that claims
/// more is invalid.
const MAX_INFLATION: u64 = 1_032;

/// Largest size of an unpacked record in bytes. This is a safety bound. The game's records are not
/// compressed.
const MAX_UNPACKED: u64 = 16 << 20;

/// An archive of the game, in the old or new format. It keeps only the header and the root of the
/// directory in memory.
#[derive(Clone, Debug)]
pub struct Archive<Source> {
    source: Source,
    file_size: u64,
    header: Header,
    root: Node,
}

impl<Source: ReadAt> Archive<Source> {
    /// Opens an archive and reads its header and the root of the directory.
    ///
    /// # Errors
    /// [`DatError`] if the source is not an archive, or the root of its directory is unreadable.
    pub fn open(source: Source) -> Result<Self, DatError> {
        let file_size = source.size().map_err(|error| source_error(&error, 0, 0))?;
        let header = Header::read(&source, file_size)?;
        let blocks = Blocks { source: &source, file_size, block_size: header.block_size };
        let root = Node::read(&header, &blocks, header.root).map_err(|error| match error {
            // A file shorter than its header says has probably lost the directory.
            DatError::Chain { fault: ChainFault::Outside, .. } if file_size < u64::from(header.file_size) => {
                DatError::CutShort { said: header.file_size, has: file_size }
            }
            error => error,
        })?;
        Ok(Self { source, file_size, header, root })
    }

    /// Returns the content of the header.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the actual length of the file in bytes. The header may claim another length.
    pub const fn file_size(&self) -> u64 {
        self.file_size
    }

    /// Returns the source of the archive's bytes.
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the source mutably, for example to add pieces to a [`Fetched`](crate::Fetched).
    pub const fn source_mut(&mut self) -> &mut Source {
        &mut self.source
    }

    /// Returns the kind of a record, by its number.
    pub const fn kind_of(&self, id: RecordId) -> RecordKind {
        RecordKind::of(id, self.header.contents)
    }

    /// Returns the directory entry of a record, or `None` if it is missing. Reads one directory
    /// node per level below the root.
    ///
    /// # Errors
    /// [`DatError`] if the directory is damaged on the way to the record.
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

    /// Returns the entries of all records in ascending order of id, with the faults of the
    /// directory in between.
    pub fn entries(&self) -> Entries<'_, Source> {
        Entries::new(self, self.root.clone())
    }

    /// Returns the bytes of a record, unpacked if they are compressed.
    ///
    /// # Errors
    /// [`DatError`] if they are unreadable.
    pub fn bytes(&self, entry: &Entry) -> Result<Vec<u8>, DatError> {
        self.check_size(entry)?;
        let stored =
            self.blocks().chain(ChainOwner::Record(entry.id), entry.first_block, entry.size as usize)?;
        unpacked(entry, stored)
    }

    /// Returns the bytes of a record. `claim` is called for each block before its bytes are used.
    pub(crate) fn claimed_bytes(
        &self,
        entry: &Entry,
        claim: &mut impl FnMut(u32) -> Result<(), ChainFault>,
    ) -> Result<Vec<u8>, DatError> {
        self.check_size(entry)?;
        let (owner, size) = (ChainOwner::Record(entry.id), entry.size as usize);
        unpacked(entry, self.blocks().claimed_chain(owner, entry.first_block, size, claim)?)
    }

    /// Finds and reads a record. Bytes after its end are ignored. [`check()`](crate::check())
    /// reports them.
    ///
    /// # Errors
    /// [`DatError`] if the record is missing, of another kind, or unreadable.
    pub fn read<R: Record>(&self, id: RecordId) -> Result<R, DatError> {
        if self.kind_of(id) != R::KIND {
            return Err(DatError::Kind { id, wanted: R::KIND });
        }
        let entry = self.find(id)?.ok_or(DatError::NotFound { id })?;
        self.parse(&entry, &self.bytes(&entry)?).map(|(record, _)| record)
    }

    /// Parses a record. Returns it with the number of bytes it took.
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
        return Err(wrong("it is too short for its length field"));
    };
    let size = u64::from(le_u32(head, 0));
    if size > MAX_UNPACKED.min(packed.len() as u64 * MAX_INFLATION) {
        return Err(wrong("its length field is too large"));
    }
    let mut bytes = Vec::new();
    // Unpacks one byte more than the record claims, so that longer content is noticed.
    let mut unpacking = ZlibDecoder::new(packed).take(size + 1);
    unpacking.read_to_end(&mut bytes).map_err(|_| wrong("its zlib data is invalid"))?;
    if bytes.len() as u64 != size {
        return Err(wrong("its length field is wrong"));
    }
    Ok(bytes)
}
