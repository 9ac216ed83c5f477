//! A synthetic archive, read and played from fetched pieces, as in a browser.

use std::sync::Arc;

use evenstride::animation::{MotionLibrary, Treadmill};
use evenstride_dat::{Archive, DatError, Fetched, LibraryLoader, RecordId, check};
use evenstride_types::{StateHash, update::MotionCommand};

const BYTES: &[u8] = include_bytes!("../../../../testdata/archives/synthetic_portal.dat");
const TABLE: RecordId = RecordId(0x0900_0001);

/// Fetches a motion table of an archive piece by piece, checks the whole archive, and plays a run
/// on the spot. Returns a fingerprint of the counts and the movement.
///
/// # Panics
/// If the archive cannot be read, which this workload is meant to detect.
pub fn archive_hash() -> u64 {
    let mut hash = StateHash::new();
    let mut pieces = Fetched::new(BYTES.len() as u64);
    while let Err(DatError::NotFetched(missing)) = Archive::open(&pieces).map(drop) {
        pieces.add(missing.offset, piece(missing.offset, missing.bytes));
    }
    let mut archive = Archive::open(pieces).expect("the synthetic archive opens");
    let mut library = MotionLibrary::default();
    loop {
        let mut loader = LibraryLoader::new(&archive, library);
        loader.table(TABLE);
        let loaded = loader.finish();
        assert_eq!(loaded.faults, []);
        library = loaded.library;
        if loaded.needs.is_empty() {
            break;
        }
        for missing in loaded.needs {
            archive.source_mut().add(missing.offset, piece(missing.offset, missing.bytes));
        }
    }
    hash.bytes(&archive.source().bytes().to_le_bytes()[..4]);
    let checked = check(&Archive::open(BYTES).expect("it opens whole, too"), &mut |_| {});
    hash.bytes(&checked.fault_count.to_le_bytes());
    for (kind, count) in &checked.kinds {
        hash.bytes(kind.name().as_bytes());
        hash.bytes(&count.bytes.to_le_bytes());
    }
    let mut legs = Treadmill::new(Arc::new(library), TABLE.0).expect("the table is there");
    for (motion, speed) in [(MotionCommand::RUN_FORWARD, 1.7), (MotionCommand::READY, 1.0)] {
        legs.begin(motion, speed).expect("it has that motion");
        for _ in 0..40 {
            for part in legs.play(0.037, |_| {}).origin().to_array() {
                hash.bytes(&part.to_bits().to_le_bytes());
            }
        }
    }
    hash.finish()
}

fn piece(offset: u64, bytes: usize) -> Vec<u8> {
    BYTES[offset as usize..offset as usize + bytes].to_vec()
}
