//! Checks everything in an archive, and continues after faults.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Animation, Archive, ChainFault, Cursor, DatError, Entry, Iterations, LandBlock, MotionTable, ReadAt,
    Record, RecordError, RecordFault, RecordId, RecordKind, Region, Setup, Version,
    block::{FREE, Seen},
    error::{ChainOwner, le_u32, read_bytes},
    header::FIRST_BLOCK,
};

/// Unpacking stops after this many times the length of the file.
const UNPACKED_TIMES: u64 = 64;

/// Largest number of faults that are kept. Further faults are only counted.
pub const MAX_FAULTS: usize = 1_000;

/// The content and faults of an archive.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Number of records and bytes of each kind.
    pub kinds: BTreeMap<RecordKind, KindCount>,
    /// Number of directory nodes.
    pub nodes: usize,
    /// Number of blocks in the file.
    pub blocks: usize,
    /// Number of blocks in the list of free blocks.
    pub free: u32,
    /// Number of blocks without an owner. They are harmless.
    pub lost: usize,
    /// Faults, at most the first [`MAX_FAULTS`].
    pub faults: Vec<DatError>,
    /// Number of all faults.
    pub fault_count: u64,
    /// References to missing records, at most the first [`MAX_FAULTS`]. Each is the referring
    /// record and the missing one.
    ///
    /// Tables refer to animations, and models refer to tables and animations.
    pub missing: Vec<(RecordId, RecordId)>,
    /// Number of all references to missing records.
    pub missing_count: u64,
}

/// Number and size of the records of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct KindCount {
    /// Number of records.
    pub records: u64,
    /// Number of bytes of all records, as stored.
    pub bytes: u64,
    /// Number of faulty records.
    pub faulty: u64,
}

/// Reads every record of an archive, and parses those of known kinds. `progress` is called with the
/// finished part, from 0 to 1, every 256 records and at the end.
///
/// The work is bounded by reading the file a few times, whatever the archive contains. A record
/// that shares blocks with another is a fault. Such records are read a second time, up to the
/// length of the file in total.
pub fn check<Source: ReadAt>(archive: &Archive<Source>, progress: &mut dyn FnMut(f64)) -> Checked {
    let blocks = BlockMap::new(archive);
    let mut checking = Checking { archive, blocks, checked: Checked::default(), unpacked: 0, twice: 0 };
    let header = archive.header();
    if u64::from(header.file_size) != archive.file_size() {
        let (said, has) = (header.file_size, archive.file_size());
        checking.fault(DatError::FileSize { said, has });
    }
    let entries = checking.directory();
    checking.free_list();
    let ids: BTreeSet<RecordId> = entries.iter().map(|entry| entry.id).collect();
    if header.version == Version::New && !ids.contains(&RecordId::ITERATIONS) {
        checking.fault(DatError::NoIterations);
    }
    for (done, entry) in entries.iter().enumerate() {
        if done.is_multiple_of(256) {
            progress(done as f64 / entries.len() as f64);
        }
        checking.record(entry, &ids);
    }
    progress(1.0);
    let mut checked = checking.checked;
    checked.blocks = checking.blocks.taken.len();
    checked.lost = checking.blocks.taken.iter().filter(|taken| !**taken).count();
    checked
}

/// The required kind and the number of a referenced record.
type Reference = (RecordKind, RecordId);

fn all_finite(id: RecordId, numbers: impl IntoIterator<Item = (&'static str, f32)>) -> Result<(), DatError> {
    let wrong = numbers.into_iter().find(|(_, value)| !value.is_finite());
    wrong.map_or(Ok(()), |(field, value)| Err(DatError::NotFinite { id, field, value }))
}

struct Checking<'a, Source> {
    archive: &'a Archive<Source>,
    blocks: BlockMap,
    checked: Checked,
    /// Number of unpacked bytes.
    unpacked: u64,
    /// Number of bytes read again because their blocks are shared.
    twice: u64,
}

impl<Source: ReadAt> Checking<'_, Source> {
    fn fault(&mut self, fault: DatError) {
        self.checked.fault_count += 1;
        if self.checked.faults.len() < MAX_FAULTS {
            self.checked.faults.push(fault);
        }
    }

    /// Walks through the directory. Returns its entries.
    fn directory(&mut self) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut walk = self.archive.entries();
        for entry in walk.by_ref() {
            match entry {
                Ok(entry) => entries.push(entry),
                Err(fault) => self.fault(fault),
            }
        }
        self.checked.nodes = walk.nodes().len();
        let bytes = self.archive.header().version.node_bytes();
        for at in walk.nodes() {
            let blocks = self.archive.blocks();
            let mut seen = Seen::default();
            let claimed = blocks.claimed_chain(ChainOwner::Node(*at), *at, bytes, &mut |at| {
                seen.add(at, blocks.block_size)?;
                self.blocks.claim(at)
            });
            // An unreadable node was already reported, but a shared one was not.
            if let Err(fault @ DatError::Chain { fault: ChainFault::Shared | ChainFault::Misaligned, .. }) =
                claimed
            {
                self.fault(fault);
            }
        }
        entries
    }

    /// Follows the list of free blocks.
    fn free_list(&mut self) {
        let header = *self.archive.header();
        let mut at = header.free_head;
        while at != 0 {
            match self.free_block(at) {
                Ok(next) => at = next,
                Err(fault) => return self.fault(fault),
            }
            self.checked.free += 1;
        }
        if self.checked.free != header.free_count {
            self.fault(DatError::FreeCount { said: header.free_count, found: self.checked.free });
        }
    }

    /// Returns the free block after this one, or 0 if it is the last.
    fn free_block(&mut self, at: u32) -> Result<u32, DatError> {
        let (owner, nth) = (ChainOwner::FreeList, self.checked.free);
        let wrong = |fault| DatError::Chain { owner, nth, block: at, fault };
        if u64::from(at) + 4 > self.archive.file_size() {
            return Err(wrong(ChainFault::Outside));
        }
        let mut link = [0; 4];
        read_bytes(self.archive.source(), u64::from(at), &mut link)?;
        let link = le_u32(&link, 0);
        // A block that is not free may have another owner, so it is not claimed.
        if link & FREE == 0 {
            return Err(wrong(ChainFault::NotFree));
        }
        self.blocks.claim(at).map_err(wrong)?;
        Ok(link & !FREE)
    }

    fn record(&mut self, entry: &Entry, ids: &BTreeSet<RecordId>) {
        let kind = self.archive.kind_of(entry.id);
        let outcome = self.read(entry, kind);
        let count = self.checked.kinds.entry(kind).or_default();
        count.records += 1;
        count.bytes += u64::from(entry.size);
        match outcome {
            Ok(references) => {
                for (wanted, to) in references.into_iter().filter(|(_, id)| id.0 != 0) {
                    if self.archive.kind_of(to) != wanted {
                        self.fault(DatError::Reference { id: entry.id, to, wanted });
                    } else if !ids.contains(&to) {
                        self.checked.missing_count += 1;
                        if self.checked.missing.len() < MAX_FAULTS {
                            self.checked.missing.push((entry.id, to));
                        }
                    }
                }
            }
            Err(fault) => {
                count.faulty += 1;
                let is_shared = matches!(fault, DatError::Chain { fault: ChainFault::Shared, .. });
                self.fault(fault);
                // The record may be intact and the other one damaged. Rereading is bounded by the
                // length of the file.
                let is_room = self.twice + u64::from(entry.size) <= self.archive.file_size();
                if is_shared && is_room && !entry.is_compressed() {
                    self.twice += u64::from(entry.size);
                    let read =
                        self.archive.bytes(entry).and_then(|bytes| self.understood(entry, kind, &bytes));
                    if let Err(fault) = read {
                        self.fault(fault);
                    }
                }
            }
        }
    }

    /// Reads a record. Returns the records that it refers to.
    fn read(&mut self, entry: &Entry, kind: RecordKind) -> Result<Vec<Reference>, DatError> {
        if entry.is_compressed() {
            // Only unpacking makes more bytes than the file has.
            if self.unpacked > UNPACKED_TIMES * self.archive.file_size() {
                let what = "the check has already unpacked as much as it may";
                return Err(DatError::Compressed { id: entry.id, what });
            }
        }
        let (mut seen, block_size) = (Seen::default(), self.blocks.block_size);
        let bytes = self.archive.claimed_bytes(entry, &mut |at| {
            seen.add(at, block_size)?;
            self.blocks.claim(at)
        })?;
        if entry.is_compressed() {
            self.unpacked += bytes.len() as u64;
        }
        self.understood(entry, kind, &bytes)
    }

    /// Parses a record of a known kind. Returns the records that it refers to.
    fn understood(&self, entry: &Entry, kind: RecordKind, bytes: &[u8]) -> Result<Vec<Reference>, DatError> {
        match kind {
            RecordKind::Setup => {
                let setup: Setup = self.whole(entry, bytes)?;
                let sizes = [("height", setup.height), ("radius", setup.radius)];
                all_finite(entry.id, sizes)?;
                let animation = (RecordKind::Animation, setup.animation);
                Ok(vec![animation, (RecordKind::MotionTable, setup.motion_table)])
            }
            RecordKind::Animation => {
                let animation: Animation = self.whole(entry, bytes)?;
                animation.to_core().map(|_| Vec::new())
            }
            RecordKind::MotionTable => {
                let table: MotionTable = self.whole(entry, bytes)?;
                for motion in table.motions() {
                    all_finite(entry.id, motion.clips.iter().map(|clip| ("clip rate", clip.rate)))?;
                    all_finite(entry.id, motion.velocity.iter().flatten().map(|part| ("velocity", *part)))?;
                    all_finite(entry.id, motion.omega.iter().flatten().map(|part| ("omega", *part)))?;
                }
                Ok(table.animations().into_iter().map(|id| (RecordKind::Animation, id)).collect())
            }
            RecordKind::LandBlock => self.whole::<LandBlock>(entry, bytes).map(|_| Vec::new()),
            // Only the head of a region is parsed.
            RecordKind::Region => self.archive.parse::<Region>(entry, bytes).map(|_| Vec::new()),
            RecordKind::Iterations => self.whole::<Iterations>(entry, bytes).map(|_| Vec::new()),
            _ => {
                let wrong = |error| DatError::Record { id: entry.id, error };
                let mut cursor = Cursor::new(bytes);
                // In old archives a room begins with flags about its visibility.
                if (self.archive.header().version, kind) == (Version::Old, RecordKind::EnvCell) {
                    cursor.u32("flags").map_err(wrong)?;
                }
                let echo = RecordId(cursor.u32("id").map_err(wrong)?);
                cursor.check_echo(entry.id, echo).map_err(wrong)?;
                Ok(Vec::new())
            }
        }
    }

    /// Parses a record that must take all of its bytes.
    fn whole<R: Record>(&self, entry: &Entry, bytes: &[u8]) -> Result<R, DatError> {
        let (record, at) = self.archive.parse(entry, bytes)?;
        match bytes.len() - at {
            0 => Ok(record),
            left => {
                let error = RecordError { at, fault: RecordFault::Trailing { left } };
                Err(DatError::Record { id: entry.id, error })
            }
        }
    }
}

/// The blocks that have an owner.
struct BlockMap {
    block_size: u32,
    taken: Vec<bool>,
}

impl BlockMap {
    fn new<Source: ReadAt>(archive: &Archive<Source>) -> Self {
        let block_size = archive.header().block_size;
        let blocks = archive.file_size().saturating_sub(FIRST_BLOCK.into()).div_ceil(block_size.into());
        // Offsets have 31 bits, so blocks beyond have no owner.
        let blocks = blocks.min(u64::from(FREE / block_size));
        Self { block_size, taken: vec![false; blocks as usize] }
    }

    fn claim(&mut self, at: u32) -> Result<(), ChainFault> {
        let from_first = at.checked_sub(FIRST_BLOCK).ok_or(ChainFault::InHeader)?;
        if !from_first.is_multiple_of(self.block_size) {
            return Err(ChainFault::Misaligned);
        }
        let place = (from_first / self.block_size) as usize;
        let taken = self.taken.get_mut(place).ok_or(ChainFault::Outside)?;
        if std::mem::replace(taken, true) { Err(ChainFault::Shared) } else { Ok(()) }
    }
}
