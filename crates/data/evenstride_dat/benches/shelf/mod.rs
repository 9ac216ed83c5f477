//! What benchmarks and instruction counts do: an archive of animations, and one of a large directory.

use std::hint::black_box;

use evenstride_dat::{
    Animation, AnimationPart, Archive, ArchiveWriter, Cursor, Frame, Hook, HookAction, HookDirection, Record,
    RecordCache, RecordId,
};

/// A piece of work, done once for each of a number of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// An animation from its bytes, all of it.
    Parse,
    /// Only what moves a body.
    Motion,
    /// Found in the directory, read from its blocks, and parsed.
    Read,
    /// Found in a directory of 80,000.
    Find,
    /// From a cache that has it.
    Cached,
    /// The same bytes, copied: as fast as it can be.
    Copy,
}

#[allow(dead_code, clippy::allow_attributes, reason = "one of the two users has no command line")]
impl Work {
    pub(crate) const ALL: [Self; 6] =
        [Self::Parse, Self::Motion, Self::Read, Self::Find, Self::Cached, Self::Copy];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Motion => "motion",
            Self::Read => "read",
            Self::Find => "find",
            Self::Cached => "cached",
            Self::Copy => "copy",
        }
    }
}

pub(crate) struct Shelf {
    /// One animation, as it is stored.
    pub(crate) bytes: Vec<u8>,
    records: usize,
    cache: RecordCache<Vec<u8>>,
    large: Option<Archive<Vec<u8>>>,
}

/// Parts and keyframes of a person's stride.
const PARTS: u32 = 34;
const FRAMES: u32 = 30;

impl Shelf {
    pub(crate) fn new(records: usize, work: Work) -> Self {
        let at = |number: u32| Frame { origin: [0.0, number as f32 * 0.01, 0.0], ..Frame::IDENTITY };
        let animation = Animation {
            id: RecordId(0x0300_0001),
            flags: Animation::HAS_ROOT | Animation::HAS_HOOKS,
            parts: PARTS,
            frames: FRAMES,
            root: (0..FRAMES).map(at).collect(),
            part_frames: (0..PARTS * FRAMES).map(at).collect(),
            hooks: [5, 20]
                .map(|frame| {
                    let action = HookAction::Sound { wave: 0x0A00_0001 };
                    (frame, Hook { direction: HookDirection::Both, action })
                })
                .to_vec(),
        };
        let bytes = animation.to_bytes().expect("it can be written");
        let file = ArchiveWriter::portal().add_record(&animation).and_then(ArchiveWriter::finish);
        let archive = Archive::open(file.expect("it can be written")).expect("it opens");
        let large = (work == Work::Find).then(|| {
            let writer = (0..80_000).fold(ArchiveWriter::portal(), |writer, number: u32| {
                let id = 0x0A00_0000 + number;
                writer.add(RecordId(id), id.to_le_bytes().to_vec())
            });
            Archive::open(writer.finish().expect("it can be written")).expect("it opens")
        });
        Self { bytes, records, cache: RecordCache::new(archive, 1 << 20), large }
    }

    pub(crate) fn round(&mut self, work: Work) {
        let id = RecordId(0x0300_0001);
        for number in 0..self.records {
            match work {
                Work::Parse => {
                    black_box(Animation::from_bytes(black_box(&self.bytes)).expect("sound"));
                }
                Work::Motion => {
                    let mut cursor = Cursor::new(black_box(&self.bytes));
                    black_box(Animation::parse_part(&mut cursor, AnimationPart::Motion).expect("sound"));
                }
                Work::Read => {
                    black_box(self.cache.archive().read::<Animation>(id).expect("sound"));
                }
                Work::Find => {
                    let large = self.large.as_ref().expect("made for it");
                    let id = RecordId(0x0A00_0000 + (number as u32 * 7919) % 80_000);
                    black_box(large.find(id).expect("sound"));
                }
                Work::Cached => {
                    black_box(self.cache.get::<Animation>(id).expect("sound"));
                }
                Work::Copy => {
                    black_box(black_box(&self.bytes).clone());
                }
            }
        }
    }
}
