//! Any bytes as an archive or as a record: no panic, no hang, no more read than there is, and what can be read can be written.

use std::{fmt::Debug, sync::Arc};

use evenstride::animation::{MotionLibrary, Treadmill};
use evenstride_damage::Counted;
use evenstride_dat::{
    Animation, Archive, Iterations, LandBlock, LibraryLoader, MotionTable, Record, RecordKind, Region, Setup,
    check,
};
use evenstride_types::update::MotionCommand;

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
    let Ok(archive) = Archive::open(Counted::new(&file)) else { return };
    archive.source().assert_little_read();
    let checked = check(&archive, &mut |_| {});
    archive.source().assert_bounded();
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
