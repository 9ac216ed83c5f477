//! The directory, a B-tree with the place of each record.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Archive, ChainFault, DatError, Header, ReadAt, RecordId, Version,
    block::Blocks,
    error::{ChainOwner, le_u32},
};

/// Largest number of children of a node.
pub(crate) const FANOUT: usize = 62;

/// Largest number of entries of a node.
pub(crate) const MAX_ENTRIES: usize = FANOUT - 1;

/// Largest depth of a directory. Seven levels of half-full nodes hold more entries than there are
/// record numbers.
pub(crate) const MAX_DEPTH: usize = 8;

/// The place of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Entry {
    /// Number of the record.
    pub id: RecordId,
    /// Bit 0 is set if the record is compressed. Bits 16 to 31 tell how it was added.
    pub flags: u32,
    /// Offset of the first block.
    pub first_block: u32,
    /// Number of bytes as stored.
    pub size: u32,
    /// Date of the record in seconds since 1970, or 0 in old archives.
    pub date: u32,
    /// Number of the patch that added the record, or 0 in old archives.
    pub iteration: u32,
}

impl Entry {
    /// Returns whether the bytes are compressed. None of the game's records is.
    pub const fn is_compressed(&self) -> bool {
        self.flags & 1 != 0
    }
}

/// A fault in a node of the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NodeFault {
    /// The node claims more entries than fit.
    #[error("{count} entries, but a node has at most 61")]
    Count {
        /// The claimed number of entries.
        count: u32,
    },
    /// The node is in the tree twice.
    #[error("it is in the tree twice")]
    SeenBefore,
    /// The tree is deeper than eight levels.
    #[error("the tree is deeper than {MAX_DEPTH} levels here")]
    TooDeep,
    /// The tree has more nodes than fit in the file.
    #[error("the tree has more nodes than the file has room for")]
    TooMany,
    /// An entry is out of order.
    #[error("record {id} is out of order")]
    Order {
        /// Number of the record.
        id: RecordId,
    },
    /// A leaf is on another level than the first leaf.
    #[error("this leaf is on level {level}, but others are on level {others}")]
    Level {
        /// Level of the leaf, from 0.
        level: usize,
        /// Level of the first leaf.
        others: usize,
    },
}

/// A node of the directory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// Offset of the node.
    pub(crate) at: u32,
    /// One more than the number of entries, or none in a leaf.
    pub(crate) children: Vec<u32>,
    pub(crate) entries: Vec<Entry>,
}

impl Node {
    pub(crate) fn read<Source: ReadAt>(
        header: &Header,
        blocks: &Blocks<'_, Source>,
        at: u32,
    ) -> Result<Self, DatError> {
        let bytes = blocks.chain(ChainOwner::Node(at), at, header.version.node_bytes())?;
        Self::parse(header, at, &bytes)
    }

    pub(crate) fn parse(header: &Header, at: u32, bytes: &[u8]) -> Result<Self, DatError> {
        let count = le_u32(bytes, FANOUT * 4);
        if count as usize > MAX_ENTRIES {
            return Err(DatError::Node { at, fault: NodeFault::Count { count } });
        }
        let count = count as usize;
        let child = |number: usize| le_u32(bytes, number * 4);
        // Slots after the last child hold arbitrary values.
        let children = if child(0) == 0 { Vec::new() } else { (0..=count).map(child).collect() };
        let entries = (0..count).map(|number| {
            let start = (FANOUT + 1) * 4 + number * header.version.entry_bytes();
            let word = |index: usize| le_u32(bytes, start + index * 4);
            match header.version {
                Version::New => Entry {
                    flags: word(0),
                    id: RecordId(word(1)),
                    first_block: word(2),
                    size: word(3),
                    date: word(4),
                    iteration: word(5),
                },
                Version::Old => Entry {
                    flags: 0,
                    id: RecordId(word(0)),
                    first_block: word(1),
                    size: word(2),
                    date: 0,
                    iteration: 0,
                },
            }
        });
        Ok(Self { at, children, entries: entries.collect() })
    }

    /// Returns the entry of a record. Otherwise returns the child in which it would be, or `None`
    /// if there is none.
    pub(crate) fn look_up(&self, id: RecordId) -> Result<Entry, Option<u32>> {
        match self.entries.binary_search_by_key(&id, |entry| entry.id) {
            Ok(place) => Ok(self.entries[place]),
            Err(place) => Err(self.children.get(place).copied()),
        }
    }
}

/// Iterates over all entries of a directory in ascending order of id. Faults are reported in
/// between, and the readable entries after them follow.
#[derive(Debug)]
pub struct Entries<'a, Source> {
    archive: &'a Archive<Source>,
    /// Nodes from the root down to the current node.
    path: Vec<Visit>,
    /// A node that was read, but not yet entered.
    next: Option<Node>,
    seen: BTreeSet<u32>,
    unreadable: BTreeMap<u32, DatError>,
    last: Option<RecordId>,
    leaf_level: Option<usize>,
    /// An item that is returned before all others.
    waiting: Option<Result<Entry, DatError>>,
}

/// A node with the progress through it.
#[derive(Debug)]
struct Visit {
    node: Node,
    child: usize,
    entry: usize,
}

impl<'a, Source: ReadAt> Entries<'a, Source> {
    pub(crate) fn new(archive: &'a Archive<Source>, root: Node) -> Self {
        Self {
            archive,
            path: Vec::new(),
            seen: BTreeSet::from([root.at]),
            unreadable: BTreeMap::new(),
            next: Some(root),
            last: None,
            leaf_level: None,
            waiting: None,
        }
    }

    /// Returns the offsets of the nodes read so far.
    pub(crate) const fn nodes(&self) -> &BTreeSet<u32> {
        &self.seen
    }

    /// Reads a child, unless it is invalid.
    fn descend(&mut self, at: u32) -> Result<Node, DatError> {
        let wrong = |fault| DatError::Node { at, fault };
        if self.path.len() >= MAX_DEPTH {
            return Err(wrong(NodeFault::TooDeep));
        }
        let header = self.archive.header();
        // A damaged node may name as many others that are none.
        let most = self.archive.file_size() / header.version.node_bytes() as u64 + FANOUT as u64;
        if (self.seen.len() + self.unreadable.len()) as u64 > most {
            return Err(wrong(NodeFault::TooMany));
        }
        if self.seen.contains(&at) {
            return Err(wrong(NodeFault::SeenBefore));
        }
        // An unreadable node is reported wherever it is named, but not read again.
        if let Some(error) = self.unreadable.get(&at) {
            return Err(error.clone());
        }
        match self.archive.node(at) {
            Ok(node) => {
                self.seen.insert(at);
                Ok(node)
            }
            Err(error) => {
                // An offset outside the file costs nothing, and must not use up what others may.
                if !is_outside(&error) {
                    self.unreadable.insert(at, error.clone());
                }
                Err(error)
            }
        }
    }
}

/// Returns whether nothing was read of a node, because it does not lie in the file.
const fn is_outside(error: &DatError) -> bool {
    matches!(error, DatError::Chain { nth: 0, fault: ChainFault::Outside | ChainFault::InHeader, .. })
}

impl<Source: ReadAt> Iterator for Entries<'_, Source> {
    type Item = Result<Entry, DatError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(node) = self.next.take() {
                let (level, at) = (self.path.len(), node.at);
                if node.children.is_empty() {
                    let others = *self.leaf_level.get_or_insert(level);
                    if others != level {
                        let fault = NodeFault::Level { level, others };
                        self.waiting = Some(Err(DatError::Node { at, fault }));
                    }
                }
                self.path.push(Visit { node, child: 0, entry: 0 });
            }
            if let Some(waiting) = self.waiting.take() {
                return Some(waiting);
            }
            let visit = self.path.last_mut()?;
            // The child with smaller ids comes before each entry, and the child with larger ids
            // after the last one.
            if visit.child <= visit.entry
                && let Some(&child) = visit.node.children.get(visit.child)
            {
                visit.child += 1;
                match self.descend(child) {
                    Ok(node) => self.next = Some(node),
                    Err(error) => return Some(Err(error)),
                }
                continue;
            }
            let Some(&entry) = visit.node.entries.get(visit.entry) else {
                self.path.pop();
                continue;
            };
            visit.entry += 1;
            let at = visit.node.at;
            if self.last.replace(entry.id).is_some_and(|last| last >= entry.id) {
                // The entry is still listed, after its fault.
                self.waiting = Some(Ok(entry));
                return Some(Err(DatError::Node { at, fault: NodeFault::Order { id: entry.id } }));
            }
            return Some(Ok(entry));
        }
    }
}
