//! Archives of every shape: both versions, both block sizes, scattered, deep, compressed, and damaged in every way we could think of.

use evenstride_dat::{
    Archive, ArchiveWriter, ChainFault, ChainOwner, Contents, DatError, NodeFault, RecordId, Version, check,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Records of every length around the ends of blocks, each beginning with its own number.
fn sample(writer: ArchiveWriter, count: u32) -> ArchiveWriter {
    (0..count).fold(writer, |writer, number| {
        let id = 0x0A00_0000 + number * 3;
        let length = [0, 4, 5, 247, 248, 249, 1015, 1016, 1017, 3000][number as usize % 10];
        let mut bytes = id.to_le_bytes().to_vec();
        bytes.extend((0..length).map(|at| (at as u32 ^ number) as u8));
        writer.add(RecordId(id), bytes)
    })
}

fn expect_sample(archive: &Archive<Vec<u8>>, count: u32) -> Outcome {
    let ids: Vec<u32> =
        archive.entries().map(|entry| entry.map(|entry| entry.id.0)).collect::<Result<_, _>>()?;
    let expected = (0..count).map(|number| 0x0A00_0000 + number * 3);
    let others = if archive.header().version == Version::New { vec![0xFFFF_0001] } else { vec![] };
    assert_eq!(ids, expected.chain(others).collect::<Vec<_>>());
    for number in 0..count {
        let id = 0x0A00_0000 + number * 3;
        let entry = archive.find(RecordId(id))?.ok_or("lost")?;
        let bytes = archive.bytes(&entry)?;
        assert_eq!(bytes.len(), entry.size as usize);
        assert_eq!(bytes[..4], id.to_le_bytes());
        assert!(bytes[4..].iter().enumerate().all(|(at, byte)| *byte == (at as u32 ^ number) as u8));
        // Its neighbours are not there.
        assert_eq!(archive.find(RecordId(id + 1))?, None);
        assert_eq!(archive.find(RecordId(id.wrapping_sub(1)))?, None);
    }
    let checked = check(archive, &mut |_| {});
    // Records of an old cell archive are rooms, which begin otherwise.
    let header = archive.header();
    if (header.version, header.contents) != (Version::Old, Contents::Cell) {
        assert_eq!(checked.faults, []);
    }
    assert_eq!(checked.lost, 0);
    Ok(())
}

#[test]
fn every_shape_is_read_back() -> Outcome {
    let shapes = [
        ArchiveWriter::portal(),
        ArchiveWriter::cell(),
        ArchiveWriter::portal().old(),
        ArchiveWriter::cell().old(),
        ArchiveWriter::portal().block_size(16),
        ArchiveWriter::portal().block_size(4096),
    ];
    // From an empty directory over a full root to three levels. Miri takes a thousand times as long.
    let (strides, counts): (&[usize], &[(u32, usize)]) = if cfg!(miri) {
        (&[7], &[(0, 61), (3, 1)])
    } else {
        (&[1, 7, 1000], &[(0, 61), (60, 61), (61, 61), (62, 61), (200, 61), (200, 3)])
    };
    for shape in shapes {
        for &stride in strides {
            for &(count, per_node) in counts {
                let writer = shape.clone().scattered(stride).per_node(per_node);
                let archive = Archive::open(sample(writer, count).finish()?)?;
                expect_sample(&archive, count)
                    .map_err(|error| format!("{count}, stride {stride}: {error}"))?;
            }
        }
    }
    Ok(())
}

#[test]
fn old_archives_are_known_by_their_mark_and_cells_by_their_blocks() -> Outcome {
    let header = |writer: ArchiveWriter| Archive::open(writer.finish().unwrap()).map(|it| *it.header());
    let portal = header(ArchiveWriter::portal().old())?;
    assert_eq!((portal.version, portal.contents, portal.block_size), (Version::Old, Contents::Portal, 1024));
    assert_eq!(header(ArchiveWriter::cell().old())?.contents, Contents::Cell);
    assert_eq!(header(ArchiveWriter::cell())?.version, Version::New);
    Ok(())
}

#[test]
fn compressed_records_are_unpacked() -> Outcome {
    // Miri takes a thousand times as long.
    let size: u32 = if cfg!(miri) { 5_000 } else { 100_000 };
    let mut bytes = 0x0A00_0007_u32.to_le_bytes().to_vec();
    bytes.resize(size as usize, 3);
    let id = RecordId(0x0A00_0007);
    let file = ArchiveWriter::portal().add_compressed(id, &bytes).finish()?;
    let archive = Archive::open(file.clone())?;
    let entry = archive.find(id)?.ok_or("lost")?;
    assert!(entry.is_compressed() && entry.size < 1000);
    assert_eq!(archive.bytes(&entry)?, bytes);

    // The stored size comes first; whatever it says, no more is unpacked than can be.
    let at = entry.first_block as usize + 4;
    for (said, expected) in [
        (size + 1, "its length field is wrong"),
        (size - 1, "its length field is wrong"),
        (u32::MAX, "its length field is too large"),
    ] {
        let mut file = file.clone();
        file[at..at + 4].copy_from_slice(&said.to_le_bytes());
        let error = Archive::open(file)?.bytes(&entry).unwrap_err();
        assert_eq!(error, DatError::Compressed { id, what: expected });
    }
    let mut file = file;
    file[at + 6] ^= 0xFF;
    assert!(matches!(Archive::open(file)?.bytes(&entry), Err(DatError::Compressed { .. })));
    Ok(())
}

/// One record of three blocks in an archive: the root at 0x400, the record at 0xC00, the iterations after it.
fn damaged(damage: impl FnOnce(&mut dyn FnMut(usize, u32))) -> Vec<u8> {
    let bytes = [0x0A00_0001_u32.to_le_bytes().to_vec(), vec![1; 2500]].concat();
    let mut file = ArchiveWriter::portal().add(RecordId(0x0A00_0001), bytes).finish().unwrap();
    damage(&mut |at, word| file[at..at + 4].copy_from_slice(&word.to_le_bytes()));
    file
}

#[test]
fn a_broken_chain_is_named_by_record_and_block() {
    let id = RecordId(0x0A00_0001);
    let cases = [
        (0xC00, 0, 0xC00, 0, ChainFault::EndsEarly { missing: 2504 - 1020 }),
        (0x1000, 0, 0x1000, 1, ChainFault::EndsEarly { missing: 2504 - 2040 }),
        (0x1000, 0x8000_0000, 0x1000, 1, ChainFault::Free),
        (0x1000, 0x8000_2000, 0x1000, 1, ChainFault::Free),
        (0x1000, 0xC00, 0xC00, 2, ChainFault::Loops),
        (0xC00, 0xC00, 0xC00, 1, ChainFault::Loops),
        (0x1000, 0x7FFF_FFFF, 0x7FFF_FFFF, 2, ChainFault::Outside),
        (0x1000, 0x10, 0x10, 2, ChainFault::InHeader),
    ];
    for (at, link, block, nth, fault) in cases {
        let archive = Archive::open(damaged(|set| set(at, link))).unwrap();
        let entry = archive.find(id).unwrap().unwrap();
        let owner = ChainOwner::Record(id);
        assert_eq!(
            archive.bytes(&entry),
            Err(DatError::Chain { owner, nth, block, fault }),
            "{at:X} {link:X}"
        );
        let checked = check(&archive, &mut |_| {});
        assert!(checked.fault_count > 0, "{at:X} {link:X}");
        // The other record is read all the same.
        assert_eq!(checked.kinds.values().map(|count| count.records).sum::<u64>(), 2);
    }
    // A last link that goes on is no fault: the size is what counts.
    let archive = Archive::open(damaged(|set| set(0x1400, 0x1000))).unwrap();
    let entry = archive.find(id).unwrap().unwrap();
    assert_eq!(archive.bytes(&entry).unwrap().len(), 2504);
}

#[test]
fn a_broken_directory_is_named_by_node() {
    // Entry 0 of the root: its id at 0x404 + 0xFC + 4.
    let entry = 0x404 + 0xFC;
    let open = |at, word| Archive::open(damaged(|set| set(at, word)));
    let error = open(0x404 + 0xF8, 62).unwrap_err();
    assert_eq!(error, DatError::Node { at: 0x400, fault: NodeFault::Count { count: 62 } });
    for root in [0, 0x10, 0x7FFF_0000, 0x8000_0400, u32::MAX] {
        let error = open(0x160, root).unwrap_err();
        assert!(
            matches!(error, DatError::Chain { owner: ChainOwner::Node(at), .. } if at == root),
            "{error}"
        );
    }
    for (at, block_size) in [(0x144, 0), (0x144, 4), (0x144, u32::MAX)] {
        assert_eq!(open(at, block_size).unwrap_err(), DatError::BlockSize { block_size });
    }
    // A record longer than the file.
    let archive = open(entry + 12, u32::MAX).unwrap();
    let found = archive.find(RecordId(0x0A00_0001)).unwrap().unwrap();
    assert_eq!(archive.bytes(&found), Err(DatError::Size { id: found.id, size: u32::MAX }));
    // The root is its own child: both children, for there is room between them.
    let archive = open(0x404, 0x400).unwrap();
    let errors: Vec<String> =
        archive.entries().filter_map(Result::err).map(|error| error.to_string()).collect();
    assert_eq!(errors[0], "directory node at 0x400: it is in the tree twice");
    assert!(archive.find(RecordId(5)).is_err());
    // Out of order: listed all the same.
    let archive = open(entry + 4, 0xFFFF_FFFF).unwrap();
    let listed: Vec<_> = archive.entries().collect();
    assert_eq!(listed.iter().filter(|entry| entry.is_ok()).count(), 2);
    assert!(listed.iter().any(|entry| matches!(
        entry,
        Err(DatError::Node { fault: NodeFault::Order { id: RecordId(0xFFFF_0001) }, .. })
    )));
}

#[test]
fn a_tree_that_goes_round_ends() {
    // Two levels; then the first leaf becomes a copy of the root, which leads to it again.
    let mut file = sample(ArchiveWriter::portal().per_node(4), 12).finish().unwrap();
    let leaf = u32::from_le_bytes(file[0x404..0x408].try_into().unwrap()) as usize;
    let root = file[0x404..0x404 + 1020].to_vec();
    file[leaf + 4..leaf + 4 + 1020].copy_from_slice(&root);
    let archive = Archive::open(file).unwrap();
    assert!(archive.find(RecordId(1)).is_err_and(|error| error.to_string().contains("deeper than 8 levels")));
    let listed: Vec<_> = archive.entries().collect();
    assert!(listed.len() < 100);
    assert!(
        listed.iter().any(|entry| matches!(entry, Err(DatError::Node { fault: NodeFault::SeenBefore, .. })))
    );
    assert!(check(&archive, &mut |_| {}).fault_count > 0);
}

#[test]
fn cut_off_anywhere_it_is_refused_or_read_as_far_as_it_goes() {
    // Miri takes a thousand times as long.
    let (count, stride, least) = if cfg!(miri) { (10, 2_003, 2) } else { (70, 97, 100) };
    let whole = sample(ArchiveWriter::cell(), count).finish().unwrap();
    let mut opened = 0;
    for length in (0..whole.len()).step_by(stride) {
        let Ok(archive) = Archive::open(&whole[..length]) else { continue };
        opened += 1;
        let checked = check(&archive, &mut |_| {});
        assert!(checked.fault_count > 0, "{length} of {} bytes", whole.len());
    }
    assert!(opened > least);
}

#[test]
fn something_else_is_refused_with_a_reason() {
    for bytes in [&b""[..], b"BT", &[0; 0x3FF]] {
        assert_eq!(Archive::open(bytes).unwrap_err(), DatError::TooShort { size: bytes.len() as u64 });
    }
    for bytes in [&[0; 0x400][..], &[0xFF; 5000]] {
        assert_eq!(Archive::open(bytes).unwrap_err(), DatError::NotAnArchive { size: bytes.len() as u64 });
    }
}

#[test]
fn what_belongs_to_two_records_is_told() {
    // The iterations begin where the record does.
    let file = damaged(|set| set(0x404 + 0xFC + 24 + 8, 0xC00));
    let archive = Archive::open(file).unwrap();
    let checked = check(&archive, &mut |_| {});
    let faults: Vec<String> = checked.faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults, ["0xFFFF0001: block 0 of its chain, at 0xC00: it also belongs to another chain"]);
    assert_eq!(checked.lost, 1);
}

#[test]
fn the_list_of_free_blocks_is_followed() {
    let with_free = |links: &[(usize, u32)], head: u32, count: u32| {
        let mut file = damaged(|set| {
            set(0x154, head);
            set(0x15C, count);
        });
        let end = file.len();
        file.resize(end + 2048, 0);
        for (block, link) in links {
            file[end + block * 1024..end + block * 1024 + 4].copy_from_slice(&link.to_le_bytes());
        }
        let size = file.len() as u32;
        file[0x148..0x14C].copy_from_slice(&size.to_le_bytes());
        let checked = check(&Archive::open(file).unwrap(), &mut |_| {});
        (checked.free, checked.faults.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let (one, two) = (0x1C00, 0x2000);
    assert_eq!(with_free(&[(0, 0x8000_0000 | two), (1, 0x8000_0000)], one, 2), (2, vec![]));
    let (found, faults) = with_free(&[(0, 0x8000_0000)], one, 2);
    assert_eq!(found, 1);
    assert!(faults[0].contains("2 blocks should be free, but 1"), "{faults:?}");
    let (_, faults) = with_free(&[(0, 0x8000_0000 | one)], one, 2);
    assert!(faults[0].contains("also belongs to another chain"), "{faults:?}");
    let (_, faults) = with_free(&[(0, 0x8000_0000 | two), (1, 0)], one, 2);
    assert_eq!(faults, ["list of free blocks: block 1 of its chain, at 0x2000: it is not free"]);
    // A list that leads into a record says so, and the record is as sound as it was.
    let (_, faults) = with_free(&[], 0xC00, 1);
    assert_eq!(faults, ["list of free blocks: block 0 of its chain, at 0xC00: it is not free"]);
}

/// Rooms of old archives say first how they are seen, then who they are.
#[test]
fn rooms_of_old_archives_are_sound() -> Outcome {
    let id = RecordId(0xA9B4_0100);
    let old = [&1_u32.to_le_bytes()[..], &id.0.to_le_bytes(), &[7; 40]].concat();
    let new = [&id.0.to_le_bytes()[..], &1_u32.to_le_bytes(), &[7; 40]].concat();
    for (writer, bytes, faults) in [
        (ArchiveWriter::cell().old(), &old, 0),
        (ArchiveWriter::cell(), &new, 0),
        (ArchiveWriter::cell(), &old, 1),
    ] {
        let archive = Archive::open(writer.add(id, bytes.clone()).finish()?)?;
        assert_eq!(check(&archive, &mut |_| {}).fault_count, faults);
    }
    Ok(())
}

/// Old headers and entries, as a description of the format gives them: nothing of this is our writer's.
#[test]
fn an_old_archive_written_by_hand_is_read() -> Outcome {
    let mut file = vec![0; 0xC00];
    let mut set = |at: usize, words: &[u32]| {
        for (number, word) in words.iter().enumerate() {
            file[at + number * 4..at + number * 4 + 4].copy_from_slice(&word.to_le_bytes());
        }
    };
    // Mark, size of blocks, of the file, iteration, free list, root.
    set(0x12C, &[0x5442, 1024, 0xC00, 7, 0, 0, 0, 0x400]);
    // One node, a leaf: its link, no child, whatever in the other slots, two entries of three words.
    set(0x400, &[0, 0]);
    set(0x408, &[0xCDCD_CDCD; 61]);
    set(0x4FC, &[2, 0x0A00_0001, 0x800, 8, 0x0A00_0002, 0x800, 4]);
    set(0x800, &[0, 0x0A00_0001, 42]);
    let archive = Archive::open(file)?;
    assert_eq!((archive.header().version, archive.header().free_count), (Version::Old, 0));
    let entry = archive.find(RecordId(0x0A00_0001))?.ok_or("lost")?;
    assert_eq!(archive.bytes(&entry)?, [1, 0, 0, 0x0A, 42, 0, 0, 0]);
    assert_eq!(archive.entries().count(), 2);
    Ok(())
}

#[test]
fn a_record_of_nothing_needs_no_block() -> Outcome {
    let mut file = ArchiveWriter::portal().add(RecordId(0x0A00_0001), vec![]).finish()?;
    // Its entry: flags, id, first block, size.
    file[0x404 + 0xFC + 8..0x404 + 0xFC + 12].fill(0);
    let archive = Archive::open(file)?;
    let entry = archive.find(RecordId(0x0A00_0001))?.ok_or("lost")?;
    assert_eq!((entry.first_block, archive.bytes(&entry)?), (0, vec![]));
    Ok(())
}

#[test]
fn what_our_reader_would_refuse_is_not_written() {
    let old = ArchiveWriter::portal().old().add_compressed(RecordId(0x0A00_0001), &[1, 0, 0, 0x0A]);
    assert_eq!(old.finish().unwrap_err().to_string(), "record: old archives cannot have compressed records");
    for bytes in [0, u32::MAX] {
        assert!(Archive::open(ArchiveWriter::portal().block_size(bytes).finish().unwrap()).is_ok());
    }
    // Miri takes a thousand times as long.
    let count = if cfg!(miri) { 20 } else { 2000 };
    let deep = sample(ArchiveWriter::portal().block_size(64).per_node(1), count).finish().unwrap();
    assert!(Archive::open(deep).unwrap().find(RecordId(0x0A00_0000 + (count - 1) * 3)).unwrap().is_some());
}

/// A record that takes a block of another is told; the other is read all the same.
#[test]
fn a_thief_does_not_hide_what_it_steals() -> Outcome {
    let animation = |id: u32, flags: u32| {
        [id, flags, 0, 0].iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()
    };
    let (thief, victim) = (RecordId(0x0300_0001), RecordId(0x0300_0002));
    let mut file = ArchiveWriter::portal()
        .add(thief, animation(thief.0, 0))
        .add(victim, animation(victim.0 + 1, 0))
        .finish()?;
    // The first record's chain leads on into the second's block.
    file[0xC00..0xC04].copy_from_slice(&0x1000_u32.to_le_bytes());
    file[0x404 + 0xFC + 12..0x404 + 0xFC + 16].copy_from_slice(&1200_u32.to_le_bytes());
    let checked = check(&Archive::open(file)?, &mut |_| {});
    let faults: Vec<String> = checked.faults.iter().map(ToString::to_string).collect();
    // One record has bytes after its end, one is shared, and its own fault is seen as well.
    assert!(
        faults.iter().any(|fault| fault.contains("0x03000002: block 0") && fault.contains("another chain"))
    );
    assert!(
        faults.iter().any(|fault| fault == "0x03000002: byte 0x0: its id field says 0x03000003"),
        "{faults:?}"
    );
    Ok(())
}

/// Thirty thousand entries for one record, and one for the whole file: read about once.
#[test]
fn an_archive_that_names_the_same_blocks_again_and_again_is_not_read_again_and_again() -> Outcome {
    let one = RecordId(0x0A00_0000);
    // Miri takes a thousand times as long.
    let (entries, size) = if cfg!(miri) { (70, 6_000) } else { (20_000, 3_000_000) };
    let writer = (1..entries).fold(ArchiveWriter::portal().block_size(256), |writer, number: u32| {
        writer.add(RecordId(one.0 + number), vec![])
    });
    let mut file = writer.add(one, [one.0.to_le_bytes().to_vec(), vec![1; size]].concat()).finish()?;
    let archive = Archive::open(file.clone())?;
    let target = archive.find(one)?.ok_or("lost")?;
    // Every entry of every node becomes that record's: 24 bytes each, through chains of seven blocks.
    let patch: Vec<usize> = (0x400..file.len() - 24)
        .step_by(4)
        .filter(|at| {
            let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
            word(*at) == 2 << 16
                && word(at + 4) > one.0
                && word(at + 4) < one.0 + entries
                && word(at + 12) == 0
        })
        .collect();
    let most = entries as usize / 2;
    assert!(patch.len() > most, "{}", patch.len());
    for at in patch {
        file[at + 8..at + 12].copy_from_slice(&target.first_block.to_le_bytes());
        file[at + 12..at + 16].copy_from_slice(&target.size.to_le_bytes());
    }
    let counted = Counted { bytes: &file, read: std::cell::Cell::new(0) };
    let archive = Archive::open(&counted)?;
    let checked = check(&archive, &mut |_| {});
    assert!(checked.fault_count > most as u64);
    assert_eq!(checked.faults.len() as u64, checked.fault_count.min(evenstride_dat::MAX_FAULTS as u64));
    let times = counted.read.get() / file.len() as u64;
    assert!(times <= 4, "the file was read {times} times");
    Ok(())
}

struct Counted<'a> {
    bytes: &'a [u8],
    read: std::cell::Cell<u64>,
}

impl evenstride_dat::ReadAt for Counted<'_> {
    fn size(&self) -> std::io::Result<u64> {
        self.bytes.size()
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        self.read.set(self.read.get() + buffer.len() as u64);
        self.bytes.read_exact_at(offset, buffer)
    }
}
