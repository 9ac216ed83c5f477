//! Writes archives, for tests and for other games.

use std::{collections::BTreeMap, io::Write};

use flate2::{Compression, write::ZlibEncoder};

use crate::{
    Contents, Iterations, Record, RecordId, Unwritable, Version,
    block::FREE,
    directory::{FANOUT, MAX_ENTRIES},
    header::{FIRST_BLOCK, MAGIC, NEW_MAGIC_AT, OLD_MAGIC_AT},
    record::Put,
};

/// Engine pack version of the game's portal archive.
const ENGINE_PACK: u32 = 110;

/// Builds an archive from records.
///
/// ```
/// use evenstride_dat::{Archive, ArchiveWriter, RecordId};
///
/// let bytes = ArchiveWriter::portal().add(RecordId(0x0A00_0001), vec![1, 0, 0, 0x0A, 7, 7]).finish()?;
/// let archive = Archive::open(bytes)?;
/// let entry = archive.find(RecordId(0x0A00_0001))?.ok_or("lost")?;
/// assert_eq!(archive.bytes(&entry)?, [1, 0, 0, 0x0A, 7, 7]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ArchiveWriter {
    version: Version,
    contents: Contents,
    block_size: u32,
    per_node: usize,
    stride: usize,
    date: u32,
    records: BTreeMap<RecordId, Stored>,
}

#[derive(Clone, Debug)]
struct Stored {
    bytes: Vec<u8>,
    is_compressed: bool,
}

/// A directory node with its entries and children.
struct Branch {
    entries: Vec<usize>,
    children: Vec<usize>,
}

impl ArchiveWriter {
    /// Creates a writer for an archive like `client_portal.dat`.
    pub const fn portal() -> Self {
        Self {
            version: Version::New,
            contents: Contents::Portal,
            block_size: 1024,
            per_node: MAX_ENTRIES,
            stride: 1,
            date: 0,
            records: BTreeMap::new(),
        }
    }

    /// Creates a writer for an archive like `client_cell_1.dat`.
    pub fn cell() -> Self {
        Self { contents: Contents::Cell, block_size: 256, ..Self::portal() }
    }

    /// Selects the old format of 1999 to February 2005.
    #[must_use]
    pub fn old(mut self) -> Self {
        self.version = Version::Old;
        self
    }

    /// Sets the block size in bytes, clamped to 16 to 1,048,576 (default: 1,024, or 256 for
    /// [`ArchiveWriter::cell`]).
    #[must_use]
    pub fn block_size(mut self, bytes: u32) -> Self {
        self.block_size = bytes.clamp(16, 1 << 20);
        self
    }

    /// Sets the number of entries in a directory node, clamped to 4 to 61 (default: 61).
    #[must_use]
    pub fn per_node(mut self, entries: usize) -> Self {
        self.per_node = entries.clamp(4, MAX_ENTRIES);
        self
    }

    /// Scatters the blocks of each chain. Consecutive blocks lie about `stride` blocks apart
    /// (default: 1).
    #[must_use]
    pub fn scattered(mut self, stride: usize) -> Self {
        self.stride = stride.max(1);
        self
    }

    /// Sets the date of all records, in seconds since 1970 (default: 0).
    #[must_use]
    pub fn date(mut self, date: u32) -> Self {
        self.date = date;
        self
    }

    /// Adds the bytes of a record. A record with the same number is replaced.
    #[must_use]
    pub fn add(mut self, id: RecordId, bytes: Vec<u8>) -> Self {
        self.records.insert(id, Stored { bytes, is_compressed: false });
        self
    }

    /// Adds a record.
    ///
    /// # Errors
    /// [`Unwritable`] if the record has a value that the format does not allow.
    pub fn add_record(self, record: &impl Record) -> Result<Self, Unwritable> {
        let bytes = record.to_bytes()?;
        Ok(self.add(record.id(), bytes))
    }

    /// Adds the bytes of a record, compressed. A record with the same number is replaced.
    #[must_use]
    pub fn add_compressed(mut self, id: RecordId, bytes: &[u8]) -> Self {
        let mut packed = (bytes.len() as u32).to_le_bytes().to_vec();
        let mut encoder = ZlibEncoder::new(&mut packed, Compression::default());
        // Writing to memory does not fail.
        let _ = encoder.write_all(bytes);
        let _ = encoder.finish();
        self.records.insert(id, Stored { bytes: packed, is_compressed: true });
        self
    }

    /// Returns the bytes of the archive. The new format gets a record of patches if none was added.
    ///
    /// # Errors
    /// [`Unwritable`] if the archive would have 2 GiB or more, or if an old archive has a
    /// compressed record.
    pub fn finish(mut self) -> Result<Vec<u8>, Unwritable> {
        if self.version == Version::Old && self.records.values().any(|stored| stored.is_compressed) {
            return Err(Unwritable { field: "record", what: "old archives cannot have compressed records" });
        }
        if self.version == Version::New && !self.records.contains_key(&RecordId::ITERATIONS) {
            let bytes = Iterations { total: 1, runs: vec![(1, 1)] }.to_bytes()?;
            self.records.insert(RecordId::ITERATIONS, Stored { bytes, is_compressed: false });
        }
        let branches = self.tree();
        let node_blocks = self.blocks_for(self.version.node_bytes());
        let record_blocks: Vec<usize> =
            self.records.values().map(|stored| self.blocks_for(stored.bytes.len())).collect();
        let blocks = branches.len() * node_blocks + record_blocks.iter().sum::<usize>();
        let size = u64::from(FIRST_BLOCK) + blocks as u64 * u64::from(self.block_size);
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        if size >= FREE as usize {
            return Err(Unwritable { field: "file", what: "would have 2 GiB or more" });
        }
        let places = Places::new(blocks, self.stride, self.block_size);
        let mut file = vec![0; size];
        // Nodes come first, and the root before all others.
        let node_at = |node: usize| places.offset(node * node_blocks);
        let mut first_blocks = Vec::with_capacity(self.records.len());
        let mut next = branches.len() * node_blocks;
        for count in &record_blocks {
            first_blocks.push(places.offset(next));
            next += count;
        }
        let records: Vec<(&RecordId, &Stored)> = self.records.iter().collect();
        for (number, branch) in branches.iter().enumerate() {
            let node = self.node(branch, &node_at, &records, &first_blocks);
            self.put(&mut file, &places, number * node_blocks, &node);
        }
        let mut next = branches.len() * node_blocks;
        for (stored, count) in self.records.values().zip(&record_blocks) {
            self.put(&mut file, &places, next, &stored.bytes);
            next += count;
        }
        self.head(&mut file, node_at(0));
        Ok(file)
    }

    fn blocks_for(&self, bytes: usize) -> usize {
        bytes.div_ceil(self.block_size as usize - 4).max(1)
    }

    /// Returns every node, the root first. All leaves are on one level, and entries are spread
    /// evenly.
    fn tree(&self) -> Vec<Branch> {
        // Number of entries that a tree of each depth holds.
        let mut holds = vec![0, self.per_node];
        while holds[holds.len() - 1] < self.records.len() {
            let below = holds[holds.len() - 1];
            holds.push((below + 1) * (self.per_node + 1) - 1);
        }
        let mut branches = Vec::new();
        self.branch(0, self.records.len(), &holds, &mut branches);
        branches
    }

    /// Adds the node of `count` entries from `first` on, and all nodes below it. Returns its
    /// number.
    fn branch(&self, first: usize, count: usize, holds: &[usize], branches: &mut Vec<Branch>) -> usize {
        let number = branches.len();
        branches.push(Branch { entries: Vec::new(), children: Vec::new() });
        // `holds` has one level more than the levels below.
        let below = holds[holds.len() - 2];
        if below == 0 {
            branches[number].entries = (first..first + count).collect();
            return number;
        }
        let children = (count + 1).div_ceil(below + 1).max(2).min(count + 1);
        let in_children = count + 1 - children;
        let mut at = first;
        for child in 0..children {
            let size = in_children * (child + 1) / children - in_children * child / children;
            let made = self.branch(at, size, &holds[..holds.len() - 1], branches);
            branches[number].children.push(made);
            at += size;
            if child + 1 < children {
                branches[number].entries.push(at);
                at += 1;
            }
        }
        number
    }

    fn node(
        &self,
        branch: &Branch,
        node_at: &impl Fn(usize) -> u32,
        records: &[(&RecordId, &Stored)],
        first_blocks: &[u32],
    ) -> Vec<u8> {
        let mut node = Vec::with_capacity(self.version.node_bytes());
        branch.children.iter().for_each(|child| node.word(node_at(*child)));
        let is_leaf = branch.children.is_empty();
        if is_leaf {
            node.word(0);
        }
        // Content of unused slots in the game's archives.
        let filler = if is_leaf && self.version == Version::New { 0 } else { 0xCD };
        node.resize(FANOUT * 4, filler);
        node.word(branch.entries.len() as u32);
        for &entry in &branch.entries {
            let (id, stored) = records[entry];
            let (first, size) = (first_blocks[entry], stored.bytes.len() as u32);
            match self.version {
                Version::Old => [id.0, first, size].iter().for_each(|word| node.word(*word)),
                Version::New => {
                    // Bits 16 to 31 are 1 for the record of patches, and 2 for records that were
                    // never patched.
                    let how = if *id == RecordId::ITERATIONS { 1 } else { 2 };
                    let flags = how << 16 | u32::from(stored.is_compressed);
                    [flags, id.0, first, size, self.date, 1].iter().for_each(|word| node.word(*word));
                }
            }
        }
        node.resize(self.version.node_bytes(), filler);
        node
    }

    /// Writes bytes into a chain of blocks. `first` is the number of the first block.
    fn put(&self, file: &mut [u8], places: &Places, first: usize, bytes: &[u8]) {
        let payload = self.block_size as usize - 4;
        let blocks = self.blocks_for(bytes.len());
        for block in 0..blocks {
            let at = places.offset(first + block) as usize;
            let link = if block + 1 < blocks { places.offset(first + block + 1) } else { 0 };
            file[at..at + 4].copy_from_slice(&link.to_le_bytes());
            let content =
                &bytes[(block * payload).min(bytes.len())..((block + 1) * payload).min(bytes.len())];
            file[at + 4..at + 4 + content.len()].copy_from_slice(content);
        }
    }

    fn head(&self, file: &mut [u8], root: u32) {
        let size = file.len() as u32;
        let mut set = |at: usize, word: u32| file[at..at + 4].copy_from_slice(&word.to_le_bytes());
        match self.version {
            Version::Old => {
                set(OLD_MAGIC_AT, MAGIC);
                set(0x130, self.block_size);
                set(0x134, size);
                set(0x138, 1);
                set(0x148, root);
            }
            Version::New => {
                // The journal is idle.
                set(0x100, 0x004C_5000);
                set(NEW_MAGIC_AT, MAGIC);
                set(0x144, self.block_size);
                set(0x148, size);
                let set_of = match self.contents {
                    Contents::Portal => 1,
                    Contents::Cell => 2,
                    Contents::Local => 3,
                    Contents::Other(other) => other,
                };
                set(0x14C, set_of);
                set(0x150, u32::from(self.contents == Contents::Cell));
                set(0x160, root);
                set(0x174, if self.contents == Contents::Cell { 22 } else { ENGINE_PACK });
            }
        }
    }
}

/// Offsets of blocks, which are contiguous or scattered.
struct Places {
    blocks: usize,
    stride: usize,
    block_size: u32,
}

impl Places {
    fn new(blocks: usize, stride: usize, block_size: u32) -> Self {
        // A stride that shares no factor with the number of blocks reaches every block.
        let mut stride = stride % blocks.max(1) + blocks.max(1);
        while gcd(stride, blocks.max(1)) != 1 {
            stride += 1;
        }
        Self { blocks: blocks.max(1), stride, block_size }
    }

    fn offset(&self, number: usize) -> u32 {
        let place = number as u64 * self.stride as u64 % self.blocks as u64;
        FIRST_BLOCK + place as u32 * self.block_size
    }
}

fn gcd(one: usize, other: usize) -> usize {
    if other == 0 { one } else { gcd(other, one % other) }
}
