//! How much is read, and how often: opening an archive of any size reads its header and the root of its directory, finding a record one node
//! a level, and a cache nothing at all.

use std::{cell::Cell, io, sync::Arc};

use evenstride_dat::{
    Animation, Archive, ArchiveWriter, DatError, Frame, MotionTable, ReadAt, Record, RecordCache, RecordId,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Bytes that count how they are read.
struct Counted<'a> {
    bytes: &'a [u8],
    reads: &'a Cell<u64>,
    read: &'a Cell<u64>,
}

impl ReadAt for Counted<'_> {
    fn size(&self) -> io::Result<u64> {
        self.bytes.size()
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.reads.set(self.reads.get() + 1);
        self.read.set(self.read.get() + buffer.len() as u64);
        self.bytes.read_exact_at(offset, buffer)
    }
}

/// Opens an archive with so many records of one block, looks for some of them; most reads and bytes that opening and finding took.
fn cost(writer: ArchiveWriter, count: u32) -> Result<[(u64, u64); 2], Box<dyn std::error::Error>> {
    let id = |number: u32| RecordId(0x0A00_0000 + number * 5);
    let writer = (0..count).fold(writer, |writer, number| {
        let id = id(number);
        writer.add(id, id.0.to_le_bytes().to_vec())
    });
    let file = writer.finish()?;
    let (reads, read) = (Cell::new(0), Cell::new(0));
    let archive = Archive::open(Counted { bytes: &file, reads: &reads, read: &read })?;
    let opened = (reads.get(), read.get());
    let mut most = (0, 0);
    // All over the directory: roots, nodes between, and leaves.
    for number in (0..count).step_by(997).chain([0, count - 1]) {
        reads.set(0);
        read.set(0);
        let entry = archive.find(id(number))?.ok_or("lost")?;
        most = (most.0.max(reads.get()), most.1.max(read.get()));
        assert_eq!(archive.bytes(&entry)?, id(number).0.to_le_bytes());
    }
    Ok([opened, most])
}

/// Numbers of records, and of levels below the root of the directory: a portal archive, one with nodes half full, a cell archive.
/// Miri takes a thousand times as long and reads small ones.
const LARGE: [(u32, u64); 3] =
    if cfg!(miri) { [(100, 1); 3] } else { [(80_000, 2), (80_000, 3), (800_000, 3)] };

/// The directory of a portal archive of 500 MB: some 80,000 records, whatever they hold.
#[test]
fn a_large_portal_archive_is_opened_with_two_reads_and_searched_within_six_blocks() -> Outcome {
    let [portal, half_full, _] = LARGE;
    let [opened, found] = cost(ArchiveWriter::portal(), portal.0)?;
    assert_eq!(opened, (2, 1024 + 1716 + 2 * 4));
    // Three levels, of which the root is known: two nodes of two blocks each.
    assert_eq!(found, (portal.1, portal.1 * (1716 + 2 * 4)));

    // As empty as nodes ever are there is a level more. Still six blocks.
    let [_, found] = cost(ArchiveWriter::portal().per_node(31), half_full.0)?;
    assert_eq!(found, (half_full.1, half_full.1 * (1716 + 2 * 4)));

    // Blocks that do not lie side by side are read one by one: one is read in vain in the hope that they do.
    let [opened, found] = cost(ArchiveWriter::portal().scattered(12_345), portal.0)?;
    assert!(opened.0 <= 3 && opened.1 <= 64 << 10, "{opened:?}");
    assert!(found.0 <= 4, "{found:?}");
    Ok(())
}

/// That of a cell archive has ten times as many, in blocks of 256 bytes: seven to a node, read at once.
#[test]
fn a_large_cell_archive_is_searched_with_three_reads() -> Outcome {
    let [opened, found] = cost(ArchiveWriter::cell(), LARGE[2].0)?;
    assert_eq!(opened, (2, 1024 + 1716 + 7 * 4));
    assert_eq!(found, (LARGE[2].1, LARGE[2].1 * (1716 + 7 * 4)));
    Ok(())
}

#[test]
fn a_long_record_is_read_in_few_pieces_unless_it_is_scattered() -> Outcome {
    let id = RecordId(0x0600_0001);
    let bytes = [id.0.to_le_bytes().to_vec(), vec![7; 1_000_000]].concat();
    let reads_for = |writer: ArchiveWriter| -> Result<(u64, u64), Box<dyn std::error::Error>> {
        let file = writer.add(id, bytes.clone()).finish()?;
        let (reads, read) = (Cell::new(0), Cell::new(0));
        let archive = Archive::open(Counted { bytes: &file, reads: &reads, read: &read })?;
        let entry = archive.find(id)?.ok_or("lost")?;
        reads.set(0);
        read.set(0);
        assert_eq!(archive.bytes(&entry)?, bytes);
        Ok((reads.get(), read.get()))
    };
    let (reads, read) = reads_for(ArchiveWriter::portal())?;
    assert!(reads <= 20 && read < 1_010_000, "{reads} reads of {read} bytes");
    let (reads, read) = reads_for(ArchiveWriter::portal().scattered(333))?;
    assert!(reads <= 1000 && read < 2_200_000, "{reads} reads of {read} bytes");
    Ok(())
}

fn animation(id: u32) -> Animation {
    // Miri takes a thousand times as long.
    let (parts, frames) = if cfg!(miri) { (2, 2) } else { (10, 10) };
    Animation {
        id: RecordId(id),
        flags: 0,
        parts,
        frames,
        root: Vec::new(),
        part_frames: vec![Frame::IDENTITY; (parts * frames) as usize],
        hooks: Vec::new(),
    }
}

#[test]
fn a_cache_shares_what_it_has_and_keeps_to_its_bound() -> Outcome {
    let ids = 0x0300_0001..0x0300_0021;
    let mut writer = ArchiveWriter::portal();
    for id in ids.clone() {
        writer = writer.add_record(&animation(id))?;
    }
    let file = writer.finish()?;
    let (reads, read) = (Cell::new(0), Cell::new(0));
    let archive = Archive::open(Counted { bytes: &file, reads: &reads, read: &read })?;
    let weight = animation(0).weight();
    let mut cache = RecordCache::new(archive, weight * 4);
    let first = cache.get::<Animation>(RecordId(0x0300_0001))?;
    let before = reads.get();
    assert!(Arc::ptr_eq(&first, &cache.get(RecordId(0x0300_0001))?));
    assert_eq!(reads.get(), before, "what is there is not read again");

    for id in ids.clone() {
        cache.get::<Animation>(RecordId(id))?;
        // Asked for again and again, it stays.
        assert!(Arc::ptr_eq(&first, &cache.get(RecordId(0x0300_0001))?), "{id:X}");
        assert!(cache.used() <= cache.limit());
    }
    assert_eq!((cache.len(), cache.used()), (4, weight * 4));
    // The one that was not asked for longest is gone, and comes again.
    let before = reads.get();
    cache.get::<Animation>(RecordId(0x0300_0002))?;
    assert!(reads.get() > before);

    // Another kind is no record of it; what is too heavy is given and not kept.
    let wrong = cache.get::<MotionTable>(RecordId(0x0300_0001));
    assert!(matches!(wrong, Err(DatError::Kind { .. })));
    let mut tiny = RecordCache::new(Archive::open(file.as_slice())?, weight - 1);
    assert_eq!(*tiny.get::<Animation>(RecordId(0x0300_0003))?, animation(0x0300_0003));
    assert!(tiny.is_empty());
    Ok(())
}

#[test]
fn a_file_is_read_as_its_bytes_are() -> Outcome {
    let bytes = ArchiveWriter::cell().add_record(&evenstride_dat::LandBlock {
        id: RecordId(0x0101_FFFF),
        has_objects: 0,
        terrain: [3; 81],
        heights: [5; 81],
    })?;
    let file = tempfile::NamedTempFile::new()?;
    std::fs::write(file.path(), bytes.finish()?)?;
    let archive = Archive::open(std::fs::File::open(file.path())?)?;
    let block: evenstride_dat::LandBlock = archive.read(RecordId(0x0101_FFFF))?;
    assert_eq!(block.step(8, 8), Some(5));
    assert_eq!(block.step(8, 9), None);
    Ok(())
}
