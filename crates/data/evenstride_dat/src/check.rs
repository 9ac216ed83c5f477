//! Reads everything in an archive, and goes on whatever it finds.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Animation, Archive, ChainFault, Cursor, DatError, Entry, Iterations, LandBlock, MotionTable, ReadAt,
    Record, RecordError, RecordFault, RecordId, RecordKind, Region, Setup, Version,
    block::{FREE, Seen},
    error::{ChainOwner, le_u32, read_bytes},
    header::FIRST_BLOCK,
};

/// No more is unpacked than so many times the file.
const UNPACKED_TIMES: u64 = 64;

/// Faults that are kept in full; the rest is counted.
pub const MAX_FAULTS: usize = 1_000;

/// What is in an archive, and what is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// How many records of each kind, and how many bytes they have.
    pub kinds: BTreeMap<RecordKind, KindCount>,
    /// Nodes of the directory.
    pub nodes: usize,
    /// Blocks of the file.
    pub blocks: usize,
    /// Blocks in the list of free blocks.
    pub free: u32,
    /// Blocks that belong to nothing: lost, which harms nobody.
    pub lost: usize,
    /// What is wrong, the first of it.
    pub faults: Vec<DatError>,
    /// How many things are wrong.
    pub fault_count: u64,
    /// Who refers to whom that is not there: tables to animations, models to tables. The first of them.
    pub missing: Vec<(RecordId, RecordId)>,
    /// How many such references there are.
    pub missing_count: u64,
}

/// Records of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct KindCount {
    /// How many.
    pub records: u64,
    /// Bytes they have together.
    pub bytes: u64,
    /// How many of them cannot be read.
    pub faulty: u64,
}

/// Reads every record of an archive, and understands those it can. `progress` is told the part that is done, now and then.
///
/// The work is that of reading the file a few times, however it is made: what belongs to two records is told, and read again only as
/// long as that does not add up to more than the file.
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

/// What another record must be, and which it is.
type Reference = (RecordKind, RecordId);

fn all_finite(id: RecordId, numbers: impl IntoIterator<Item = (&'static str, f32)>) -> Result<(), DatError> {
    let wrong = numbers.into_iter().find(|(_, value)| !value.is_finite());
    wrong.map_or(Ok(()), |(field, value)| Err(DatError::NotFinite { id, field, value }))
}

struct Checking<'a, Source> {
    archive: &'a Archive<Source>,
    blocks: BlockMap,
    checked: Checked,
    /// Bytes that were unpacked.
    unpacked: u64,
    /// Bytes that were read though they belong to something else too.
    twice: u64,
}

impl<Source: ReadAt> Checking<'_, Source> {
    fn fault(&mut self, fault: DatError) {
        self.checked.fault_count += 1;
        if self.checked.faults.len() < MAX_FAULTS {
            self.checked.faults.push(fault);
        }
    }

    /// Walks through the directory; answers what is in it.
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
            // That it cannot be read was said already; that it is shared was not.
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

    /// The one after a block that should be free; 0 for none.
    fn free_block(&mut self, at: u32) -> Result<u32, DatError> {
        let (owner, nth) = (ChainOwner::FreeList, self.checked.free);
        let wrong = |fault| DatError::Chain { owner, nth, block: at, fault };
        if u64::from(at) + 4 > self.archive.file_size() {
            return Err(wrong(ChainFault::Outside));
        }
        let mut link = [0; 4];
        read_bytes(self.archive.source(), u64::from(at), &mut link)?;
        let link = le_u32(&link, 0);
        // What is not free is whoever's it is.
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
                // It may be sound all the same, and the other one wrong. Once more about the whole file is read for that.
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

    /// Reads a record, and answers which others it cannot do without.
    fn read(&mut self, entry: &Entry, kind: RecordKind) -> Result<Vec<Reference>, DatError> {
        if entry.is_compressed() {
            // Unpacking is the one thing that makes more of a file than it is.
            if self.unpacked > UNPACKED_TIMES * self.archive.file_size() {
                let what = "not unpacked: too much was already";
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

    /// What a record says, as far as it is understood: which others it cannot do without.
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
            // Only its head is understood.
            RecordKind::Region => self.archive.parse::<Region>(entry, bytes).map(|_| Vec::new()),
            RecordKind::Iterations => self.whole::<Iterations>(entry, bytes).map(|_| Vec::new()),
            _ => {
                let wrong = |error| DatError::Record { id: entry.id, error };
                let mut cursor = Cursor::new(bytes);
                // Old rooms say first how they are seen.
                if (self.archive.header().version, kind) == (Version::Old, RecordKind::EnvCell) {
                    cursor.u32("flags").map_err(wrong)?;
                }
                let echo = RecordId(cursor.u32("id").map_err(wrong)?);
                cursor.check_echo(entry.id, echo).map_err(wrong)?;
                Ok(Vec::new())
            }
        }
    }

    /// A record that must take all of its bytes.
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

/// Which blocks belong to something.
struct BlockMap {
    block_size: u32,
    taken: Vec<bool>,
}

impl BlockMap {
    fn new<Source: ReadAt>(archive: &Archive<Source>) -> Self {
        let block_size = archive.header().block_size;
        let blocks = archive.file_size().saturating_sub(FIRST_BLOCK.into()).div_ceil(block_size.into());
        // Offsets have 31 bits: what lies beyond can belong to nothing.
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
