//! Any bytes as an archive or as a record: no panic, no hang, no more read than there is, and what can be read can be written.

use std::{cell::Cell, fmt::Debug, io, sync::Arc};

use evenstride::animation::{MotionLibrary, Treadmill};
use evenstride_dat::{
    Animation, Archive, Iterations, LandBlock, LibraryLoader, MotionTable, ReadAt, Record, RecordKind,
    Region, Setup, check,
};
use evenstride_types::update::MotionCommand;

/// Bytes that count how much of them is read.
struct Counted<'a> {
    bytes: &'a [u8],
    read: Cell<u64>,
}

impl ReadAt for Counted<'_> {
    fn size(&self) -> io::Result<u64> {
        self.bytes.size()
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.read.set(self.read.get() + buffer.len() as u64);
        self.bytes.read_exact_at(offset, buffer)
    }
}

/// Reads any bytes as an archive, or as a record of the kind that the first byte chooses.
pub fn archive(data: &[u8]) {
    let Some((kind, bytes)) = data.split_first() else { return };
    match kind % 8 {
        0 => record::<Setup>(bytes),
        1 => record::<Animation>(bytes),
        2 => record::<MotionTable>(bytes),
        3 => record::<Region>(bytes),
        4 => record::<LandBlock>(bytes),
        5 => record::<Iterations>(bytes),
        _ => whole_archive(bytes),
    }
}

/// What can be read and written is the same the second time. (The first time, padding and unused bits may be anything.)
fn record<R: Record + Debug>(bytes: &[u8]) {
    let Ok(record) = R::from_bytes(bytes) else { return };
    assert!(record.weight() <= 64 * bytes.len() + 8192, "{} bytes of {}", record.weight(), bytes.len());
    let written = record.to_bytes().expect("what was read can be written");
    let again = R::from_bytes(&written).expect("what was written can be read");
    assert_eq!(again.to_bytes().as_ref(), Ok(&written));
}

fn whole_archive(bytes: &[u8]) {
    // The mark is no obstacle: what is behind it is of interest.
    let mut file = bytes.to_vec();
    if let Some(mark) = file.get_mut(0x140..0x144) {
        mark.copy_from_slice(&0x5442u32.to_le_bytes());
    }
    let Ok(archive) = Archive::open(Counted { bytes: &file, read: Cell::new(0) }) else { return };
    let opened = archive.source().read.get();
    assert!(opened <= 64 << 10, "{opened} bytes to open it");
    let checked = check(&archive, &mut |_| {});
    let read = archive.source().read.get();
    assert!(read <= 120 * file.len() as u64 + (64 << 10), "{read} bytes of {} read", file.len());
    let listed = archive.entries().filter_map(Result::ok).count() as u64;
    assert_eq!(listed, checked.kinds.values().map(|count| count.records).sum::<u64>());
    let tables: Vec<_> = archive
        .entries()
        .filter_map(Result::ok)
        .filter(|entry| archive.kind_of(entry.id) == RecordKind::MotionTable)
        .take(8)
        .collect();
    let mut loader = LibraryLoader::new(&archive, MotionLibrary::default());
    tables.iter().for_each(|entry| loader.table(entry.id));
    let library = Arc::new(loader.finish().library);
    for entry in tables {
        let Some(mut legs) = Treadmill::new(Arc::clone(&library), entry.id.0) else { continue };
        for motion in [MotionCommand::RUN_FORWARD, MotionCommand::TURN_RIGHT, MotionCommand::READY] {
            let _ = legs.begin(motion, 1.5);
            for _ in 0..10 {
                assert!(legs.play(0.04, |_| {}).origin().is_finite());
            }
        }
    }
}
