//! Damaged archives: flips, cuts, splices and garbage, also in headers and directories. Nothing panics or hangs, reads are bounded, and
//! every record that is undamaged and reachable is read.

use std::{collections::BTreeMap, ops::Range};

use evenstride_damage::{
    Choice, Counted, Dice, Flips, Series, assert_peak_memory, bytes_of, damage, originals as undamaged,
};
use evenstride_dat::{Archive, ArchiveWriter, RecordId, Version, check};

const SYNTHETIC: &[u8] = include_bytes!("../../../../testdata/archives/synthetic_portal.dat");

/// Offset of the first block. The header lies before it.
const FIRST_BLOCK: usize = 0x400;

/// An archive, and the bytes that reading each of its records needs.
struct Original {
    name: &'static str,
    bytes: Vec<u8>,
    block_size: usize,
    header: Range<usize>,
    /// Blocks of the directory.
    directory: Vec<usize>,
    records: BTreeMap<RecordId, Needed>,
}

struct Needed {
    content: Vec<u8>,
    parts: Vec<Range<usize>>,
}

impl Original {
    fn new(name: &'static str, bytes: Vec<u8>) -> Self {
        let archive = Archive::open(bytes.as_slice()).unwrap();
        let header = *archive.header();
        let block_size = header.block_size as usize;
        let mut original = Self {
            name,
            block_size,
            header: match header.version {
                Version::New => 0x140..0x164,
                Version::Old => 0x12C..0x14C,
            },
            directory: Vec::new(),
            records: BTreeMap::new(),
            bytes: bytes.clone(),
        };
        original.visit(&archive, header.root as usize, &[]);
        let listed = archive.entries().map(|entry| entry.unwrap().id);
        assert!(listed.eq(original.records.keys().copied()), "{name}");
        original
    }

    /// Notes the records of a node and of the nodes below it. `path` is what finding the node needs.
    fn visit(&mut self, archive: &Archive<&[u8]>, at: usize, path: &[Range<usize>]) {
        const FANOUT: usize = 62;
        let (entry_bytes, id_at) = match archive.header().version {
            Version::New => (24, 4),
            Version::Old => (12, 0),
        };
        let chain = self.chain(at, FANOUT * 4 + 4 + (FANOUT - 1) * entry_bytes);
        self.directory.extend(chain.iter().map(|part| part.start));
        let node: Vec<u8> =
            chain.iter().flat_map(|part| &self.bytes[part.start + 4..part.end]).copied().collect();
        let path = [path, &chain].concat();
        let count = word(&node, FANOUT * 4);
        for number in 0..count {
            let id = RecordId(word(&node, (FANOUT + 1) * 4 + number * entry_bytes + id_at) as u32);
            let entry = archive.find(id).unwrap().unwrap();
            let parts = [path.clone(), self.chain(entry.first_block as usize, entry.size as usize)].concat();
            self.records.insert(id, Needed { content: archive.bytes(&entry).unwrap(), parts });
        }
        if word(&node, 0) != 0 {
            for number in 0..=count {
                self.visit(archive, word(&node, number * 4), &path);
            }
        }
    }

    /// Returns the used bytes of each block in a chain, with the link before them.
    fn chain(&self, mut at: usize, mut left: usize) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        while left > 0 {
            let used = left.min(self.block_size - 4);
            parts.push(at..at + 4 + used);
            left -= used;
            at = word(&self.bytes, at);
        }
        parts
    }

    fn is_intact(&self, damaged: &[u8], part: &Range<usize>) -> bool {
        damaged.get(part.clone()) == Some(&self.bytes[part.clone()])
    }

    fn damaged(&self, dice: &mut Dice) -> Vec<u8> {
        if dice.below(3) == 0 {
            let mut spots = undamaged(&self.bytes);
            damage(dice, &mut spots, 0, Flips::Any);
            return bytes_of(&spots);
        }
        let mut bytes = self.bytes.clone();
        for _ in 0..=dice.below(4) {
            self.damage_in_place(dice, &mut bytes);
        }
        bytes
    }

    /// Changes bytes without moving others, in the header, in the directory, or anywhere.
    fn damage_in_place(&self, dice: &mut Dice, bytes: &mut [u8]) {
        let blocks = (bytes.len() - FIRST_BLOCK) / self.block_size;
        let block = |number: usize| FIRST_BLOCK + number * self.block_size;
        let place = match dice.below(4) {
            0 => self.header.start + dice.below(self.header.len()),
            1 | 2 => self.directory[dice.below(self.directory.len())] + dice.below(self.block_size),
            _ => dice.below(bytes.len()),
        };
        let place = place.min(bytes.len() - 4);
        let word_at = place & !3;
        match dice.below(5) {
            0 => bytes[place] ^= 1 << dice.below(8),
            1 => {
                let end = (place + 1 + dice.below(600)).min(bytes.len());
                bytes[place..end].iter_mut().for_each(|byte| *byte = dice.garbage());
            }
            2 => {
                // A link or a count that is plausible.
                let values = [0, 1, 61, 62, 0xFFFF_FFFF, 0x8000_0000, block(dice.below(blocks)) as u32];
                bytes[word_at..word_at + 4].copy_from_slice(&values[dice.below(values.len())].to_le_bytes());
            }
            3 => {
                let (from, to) = (block(dice.below(blocks)), block(dice.below(blocks)));
                bytes.copy_within(from..from + self.block_size, to);
            }
            _ => {
                let (from, to) = (dice.below(bytes.len() - 4), dice.below(bytes.len() - 4));
                let length = (1 + dice.below(200)).min(bytes.len() - from.max(to));
                bytes.copy_within(from..from + length, to);
            }
        }
    }
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// Returns archives of both versions, with few and many records, in order and scattered.
fn originals() -> Vec<Original> {
    let filled = |mut writer: ArchiveWriter, count: u32, is_packed: bool| {
        let mut dice = Dice::new(5, u64::from(count));
        for number in 0..count {
            // Numbers of sounds, whose content is not parsed beyond the number.
            let id = 0x0A00_0001 + number * 3;
            let mut content = id.to_le_bytes().to_vec();
            content.resize(4 + dice.below(if number % 10 == 0 { 3_000 } else { 150 }), number as u8);
            writer = match is_packed && number % 4 == 0 {
                true => writer.add_compressed(RecordId(id), &content),
                false => writer.add(RecordId(id), content),
            };
        }
        writer.finish().unwrap()
    };
    vec![
        Original::new("synthetic", SYNTHETIC.to_vec()),
        Original::new("one level", filled(ArchiveWriter::portal(), 20, false)),
        Original::new("small blocks", filled(ArchiveWriter::portal().block_size(256).per_node(7), 60, true)),
        Original::new(
            "scattered",
            filled(ArchiveWriter::portal().block_size(128).per_node(5).scattered(7), 60, false),
        ),
        Original::new("old", filled(ArchiveWriter::portal().old().block_size(256).per_node(4), 40, false)),
        Original::new("cell", filled(ArchiveWriter::cell().per_node(9), 30, false)),
    ]
}

/// Reads everything in a damaged archive. Returns the undamaged records that are lost.
fn lost(original: &Original, bytes: &[u8]) -> Vec<RecordId> {
    let is_intact = |part: &Range<usize>| original.is_intact(bytes, part);
    let is_reachable = |needed: &Needed| is_intact(&original.header) && needed.parts.iter().all(is_intact);
    let wanted: Vec<(&RecordId, &Needed)> =
        original.records.iter().filter(|(_, needed)| is_reachable(needed)).collect();
    let Ok(archive) = Archive::open(Counted::new(bytes)) else {
        return wanted.into_iter().map(|(id, _)| *id).collect();
    };
    archive.source().assert_little_read();
    let checked = check(&archive, &mut |_| {});
    archive.source().assert_bounded();
    let listed: Vec<RecordId> = archive.entries().filter_map(Result::ok).map(|entry| entry.id).collect();
    let counted: u64 = checked.kinds.values().map(|kind| kind.records).sum();
    assert_eq!(listed.len() as u64, counted, "the check counts what is listed");
    let is_lost = |id: &RecordId, needed: &Needed| {
        let content = archive.find(*id).ok().flatten().and_then(|entry| archive.bytes(&entry).ok());
        content.as_ref() != Some(&needed.content) || !listed.contains(id)
    };
    wanted.into_iter().filter(|(id, needed)| is_lost(id, needed)).map(|(id, _)| *id).collect()
}

/// `cargo xtask test --long` reads many more.
#[test]
fn no_undamaged_record_is_lost_in_damaged_archives() {
    let series = Series::from_env("EVENSTRIDE_DAMAGED_ARCHIVES", 1_200);
    let originals = originals();
    for original in &originals {
        assert_eq!(lost(original, &original.bytes), [], "{}", original.name);
    }
    let mut problems: Vec<String> = Vec::new();
    for number in 0..series.count {
        let original = &originals[number % originals.len()];
        let bytes = original.damaged(&mut series.dice(number));
        let name = series.name(number, original.name);
        let lost = series.timed(&name, || lost(original, &bytes));
        if !lost.is_empty() {
            problems.push(format!("{name}: {lost:?}"));
        }
    }
    assert!(problems.is_empty(), "undamaged records are lost in\n{}", problems.join("\n"));
    assert_peak_memory("damaged archives");
}

/// Garbage in one node named so many others that the directory seemed too large, and the rest of it was not listed.
#[test]
fn garbage_in_one_node_does_not_hide_the_others() {
    let original = &originals()[4];
    let mut bytes = original.bytes.clone();
    // The first node below the root, with 61 entries and children that lie outside the file.
    let root = word(&bytes, 0x148);
    let node = word(&bytes, root + 4);
    let chain = original.chain(node, 62 * 4 + 4);
    for (place, value) in (0..62).map(|number| 0x7000_0000 + 256 * number).chain([61]).enumerate() {
        let at = chain[place * 4 / 252].start + 4 + place * 4 % 252;
        bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
    }
    let archive = Archive::open(bytes.as_slice()).unwrap();
    assert!(archive.entries().filter_map(Result::err).count() >= 62);
    assert_eq!(lost(original, &bytes), []);
}
