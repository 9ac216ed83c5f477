//! The text of a row, kept for the next row about the same entity.
//!
//! A number takes a hundred times as long to format as to copy, and most numbers of a row are those
//! of the row before. The others are replaced in the kept text.

use evenstride::MovedBy;
use evenstride_types::EntityId;
use serde::Serialize;

use super::{
    TrackFormat, moved_by,
    roster::{LastUpdate, ShownBody},
};

/// The last row about an entity.
#[derive(Debug)]
pub(super) struct KeptRow {
    format: TrackFormat,
    pub(super) entity: EntityId,
    /// Text of the row after its time, followed by room for longer numbers.
    text: Vec<u8>,
    /// Length of the text without the room.
    length: usize,
    /// Length of each number.
    lengths: [u8; NUMBERS],
    /// Bits of each number.
    bits: [u32; NUMBERS],
    /// Raw ids of the cell and the drawn cell.
    cells: [u32; 2],
    /// The values that the text after the last number tells of. `None` before the first row.
    end: Option<(MovedBy, usize, u32)>,
}

/// Numbers of a row. Position and rotation, the same as drawn, and velocity.
const NUMBERS: usize = 17;

/// Indices at which the vectors of a row begin.
const POSITION: usize = 0;
const ROTATION: usize = 3;
const DRAWN_POSITION: usize = 7;
const DRAWN_ROTATION: usize = 10;
const VELOCITY: usize = 14;

/// The number in a new row.
const ZERO: &[u8] = b"0.0";

/// Bytes by which all numbers of a row may grow. No number has more than 16 bytes.
const ROOM_BYTES: usize = NUMBERS * 16;

impl KeptRow {
    /// Creates a row of zeros.
    pub(super) fn new(format: TrackFormat, entity: EntityId) -> Self {
        let mut text = Vec::with_capacity(1024);
        text.extend_from_slice(&hex(entity.raw()));
        for index in 0..NUMBERS {
            text.extend_from_slice(before(format, index).as_bytes());
            text.extend_from_slice(ZERO);
        }
        let length = text.len();
        text.resize(length + ROOM_BYTES, 0);
        let lengths = [ZERO.len() as u8; NUMBERS];
        Self { format, entity, text, length, lengths, bits: [0; NUMBERS], cells: [0; 2], end: None }
    }

    /// Brings the row up to date and returns its text after the time.
    pub(super) fn text(&mut self, body: &ShownBody, update: &LastUpdate) -> &[u8] {
        let bits = bits_of(body);
        if bits != self.bits {
            self.renew(&bits);
        }
        let cells = [body.place.cell.raw(), body.drawn.cell.raw()];
        if cells != self.cells {
            self.cells = cells;
            for (number, cell) in [POSITION, DRAWN_POSITION].into_iter().zip(cells) {
                let end = self.start(number) - after_cell(self.format, number).len();
                self.text[end - HEX_BYTES..end].copy_from_slice(&hex(cell));
            }
        }
        let end = Some((body.moved_by, body.route, update.version));
        if end != self.end {
            self.end = end;
            self.text.truncate(self.start(NUMBERS - 1) + usize::from(self.lengths[NUMBERS - 1]));
            write_end(&mut self.text, self.format, body, update);
            self.length = self.text.len();
            self.text.resize(self.length + ROOM_BYTES, 0);
        }
        &self.text[..self.length]
    }

    /// Replaces all numbers that have changed.
    fn renew(&mut self, bits: &[u32; NUMBERS]) {
        let gaps = gaps(self.format);
        let mut starts = [0; NUMBERS];
        let mut start = HEX_BYTES;
        for index in 0..NUMBERS {
            start += usize::from(gaps[index]);
            starts[index] = start;
            if bits[index] != self.bits[index] {
                // Many bodies are drawn where they are.
                let same = index.wrapping_sub(DRAWN_POSITION);
                if index < VELOCITY && bits.get(same) == Some(&bits[index]) {
                    let (from, length) = (starts[same], self.lengths[same]);
                    self.resize(index, start, length);
                    self.text.copy_within(from..from + usize::from(length), start);
                } else {
                    let mut buffer = zmij::Buffer::new();
                    let number = digits(&mut buffer, f32::from_bits(bits[index]));
                    self.resize(index, start, number.len() as u8);
                    self.text[start..start + number.len()].copy_from_slice(number);
                }
            }
            start += usize::from(self.lengths[index]);
        }
        self.bits = *bits;
    }

    /// Moves everything after a number, to make room for one of another length.
    fn resize(&mut self, index: usize, start: usize, length: u8) {
        let before = self.lengths[index];
        if length != before {
            self.lengths[index] = length;
            let rest = start + usize::from(before);
            self.text.copy_within(rest..self.length, start + usize::from(length));
            self.length = self.length + usize::from(length) - usize::from(before);
        }
    }

    /// Returns the index in the text at which a number begins.
    fn start(&self, number: usize) -> usize {
        let gaps = gaps(self.format)[..=number].iter();
        let lengths = self.lengths[..number].iter();
        HEX_BYTES + gaps.chain(lengths).map(|length| usize::from(*length)).sum::<usize>()
    }
}

/// Returns the length of the text before each number.
const fn gaps(format: TrackFormat) -> &'static [u8; NUMBERS] {
    match format {
        TrackFormat::Csv => &const { gaps_of(TrackFormat::Csv) },
        TrackFormat::JsonLines => &const { gaps_of(TrackFormat::JsonLines) },
    }
}

const fn gaps_of(format: TrackFormat) -> [u8; NUMBERS] {
    let mut gaps = [0; NUMBERS];
    let mut number = 0;
    while number < NUMBERS {
        gaps[number] = before(format, number).len() as u8;
        number += 1;
    }
    gaps
}

/// Returns the digits of a number as in JSON, the fewest that read back unchanged.
fn digits(buffer: &mut zmij::Buffer, number: f32) -> &[u8] {
    if number.is_finite() { buffer.format_finite(number).as_bytes() } else { b"null" }
}

/// Adds the beginning of every row of a frame to a text, up to the entity.
pub(super) fn write_beginning(out: &mut Vec<u8>, format: TrackFormat, time: f64) {
    match format {
        TrackFormat::Csv => {
            write_json(out, &time);
            out.push(b',');
        }
        TrackFormat::JsonLines => {
            out.extend_from_slice(b"{\"time\":");
            write_json(out, &time);
            out.extend_from_slice(b",\"entity\":\"");
        }
    }
}

/// Returns the text between a number and the one before, or the entity. Cells are zero.
const fn before(format: TrackFormat, number: usize) -> &'static str {
    match (format, number) {
        (TrackFormat::Csv, POSITION | DRAWN_POSITION) => ",0x00000000,",
        (TrackFormat::JsonLines, POSITION) => "\",\"cell\":\"0x00000000\",\"position\":[",
        (TrackFormat::JsonLines, ROTATION) => "],\"rotation\":[",
        (TrackFormat::JsonLines, DRAWN_POSITION) => "],\"drawn_cell\":\"0x00000000\",\"drawn_position\":[",
        (TrackFormat::JsonLines, DRAWN_ROTATION) => "],\"drawn_rotation\":[",
        (TrackFormat::JsonLines, VELOCITY) => "],\"velocity\":[",
        _ => ",",
    }
}

/// Returns the end of the text before a number, after its cell.
const fn after_cell(format: TrackFormat, number: usize) -> &'static str {
    match (format, number) {
        (TrackFormat::Csv, _) => ",",
        (TrackFormat::JsonLines, POSITION) => "\",\"position\":[",
        (TrackFormat::JsonLines, _) => "\",\"drawn_position\":[",
    }
}

/// Adds everything after the last number to a text.
fn write_end(out: &mut Vec<u8>, format: TrackFormat, body: &ShownBody, update: &LastUpdate) {
    let (moved_by, text) = (moved_by(body.moved_by), &update.text);
    match format {
        TrackFormat::Csv => {
            out.push(b',');
            out.extend_from_slice(moved_by.as_bytes());
            out.push(b',');
            write_json(out, &body.route);
            // The sentence may have commas, but never a quotation mark.
            out.extend_from_slice(b",\"");
            out.extend_from_slice(text.as_bytes());
            out.extend_from_slice(b"\"\n");
        }
        TrackFormat::JsonLines => {
            out.extend_from_slice(b"],\"moved_by\":\"");
            out.extend_from_slice(moved_by.as_bytes());
            out.extend_from_slice(b"\",\"route\":");
            write_json(out, &body.route);
            out.extend_from_slice(b",\"last_update\":");
            write_json(out, text);
            out.extend_from_slice(b"}\n");
        }
    }
}

fn write_json(out: &mut Vec<u8>, value: &impl Serialize) {
    // Writing to a vector never fails, and neither does a number or a text as JSON.
    let _ = serde_json::to_writer(out, value);
}

fn bits_of(body: &ShownBody) -> [u32; NUMBERS] {
    let mut bits = [0; NUMBERS];
    let mut set = |from: usize, numbers: &[f32]| {
        for (to, number) in bits[from..].iter_mut().zip(numbers) {
            *to = number.to_bits();
        }
    };
    set(POSITION, &body.place.pose.origin().to_array());
    set(ROTATION, &body.place.pose.rotation().to_wxyz());
    set(DRAWN_POSITION, &body.drawn.pose.origin().to_array());
    set(DRAWN_ROTATION, &body.drawn.pose.rotation().to_wxyz());
    set(VELOCITY, &body.velocity.to_array());
    bits
}

const HEX_BYTES: usize = 10;

/// Returns the text of an id, as `Display` of [`EntityId`] and of a cell writes it.
fn hex(raw: u32) -> [u8; HEX_BYTES] {
    let mut text = *b"0x00000000";
    for (index, digit) in text[2..].iter_mut().rev().enumerate() {
        *digit = b"0123456789ABCDEF"[(raw >> (4 * index) & 0xF) as usize];
    }
    text
}

#[cfg(test)]
mod tests {
    use evenstride_types::{CellId, Placement, Pose, Rotation, Vec3};

    use super::*;

    const FORMATS: [TrackFormat; 2] = [TrackFormat::Csv, TrackFormat::JsonLines];

    /// A number whose text is as long as that of any.
    const LONGEST: f32 = -1.000_000_1e-6;

    /// Numbers that look random, the same in every run.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 32) as u32
        }

        fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
            choices[self.roll() as usize % choices.len()]
        }
    }

    #[test]
    fn numbers_are_written_as_in_json() {
        let special = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.1,
            0.3,
            12.0,
            1e-5,
            1e-6,
            1.234_567_9e-6,
            -9.876_543e-7,
            123_456.79,
            9_999_999.0,
            16_777_216.0,
            -16_777_216.0,
            1e12,
            1e13,
            -1.234_568e15,
            1e16,
            1e17,
            f32::EPSILON,
            f32::MIN_POSITIVE,
            f32::from_bits(1),
            f32::MAX,
            f32::MIN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ];
        // Neighbours of each power of two, and one in 4,096 of all numbers.
        let neighbours = (0..=255u32).flat_map(|exponent| {
            let power = exponent << 23;
            [power.wrapping_sub(1), power, power | 1, power | 1 << 31].map(f32::from_bits)
        });
        let any = (0..1u32 << 20).map(|number| f32::from_bits(number.wrapping_mul(0x9E37_79B9)));
        for number in special.into_iter().chain(neighbours).chain(any) {
            let mut buffer = zmij::Buffer::new();
            let text = std::str::from_utf8(digits(&mut buffer, number)).unwrap();
            assert_eq!(text, serde_json::to_string(&number).unwrap());
        }
    }

    #[test]
    fn ids_are_written_as_displayed() {
        for raw in [0, 1, 9, 10, 0x8000_0001, 0xA9B4_0025, 0xABCD_EF12, u32::MAX] {
            assert_eq!(String::from_utf8(hex(raw).to_vec()).unwrap(), EntityId::new(raw).to_string());
        }
        let cell = CellId::new(0xA9B4_0025).unwrap();
        assert_eq!(String::from_utf8(hex(cell.raw()).to_vec()).unwrap(), cell.to_string());
    }

    #[test]
    fn kept_text_is_the_same_as_fresh_text() {
        for format in FORMATS {
            let mut dice = Dice(7);
            let entity = EntityId::new(0x5000_0002);
            let mut kept = KeptRow::new(format, entity);
            let mut update = LastUpdate::default();
            for _ in 0..20_000 {
                let body = random_body(&mut dice, entity);
                if dice.roll().is_multiple_of(4) {
                    update.text =
                        dice.one_of(&["", "queued", "refused: \\, twice", "parked, \u{e9}\u{1}"]).to_owned();
                    update.version += 1;
                }
                let mut fresh = KeptRow::new(format, entity);
                let fresh = std::str::from_utf8(fresh.text(&body, &update)).unwrap();
                // A body that rests has the same row again and again.
                for _ in 0..dice.one_of(&[1, 1, 2, 3]) {
                    assert_eq!(std::str::from_utf8(kept.text(&body, &update)).unwrap(), fresh);
                }
            }
        }
    }

    /// Few values, so that each is often the same as in the row before, or the same but for its sign.
    fn random_body(dice: &mut Dice, entity: EntityId) -> ShownBody {
        let mut place = || {
            let cell = CellId::new(dice.one_of(&[0xA9B4_0001, 0xA9B4_0002, 0xA9B4_0101])).unwrap();
            let origin = [(); 3].map(|()| dice.one_of(&[0.0, -0.0, 84.062_5, LONGEST]));
            let halves = [(); 4].map(|()| dice.one_of(&[0.5, -0.5]));
            let rotations = [Rotation::IDENTITY, Rotation::new(halves).unwrap()];
            Placement::new(cell, Pose::new(origin, dice.one_of(&rotations)).unwrap())
        };
        let (place, elsewhere) = (place(), place());
        let drawn = dice.one_of(&[place, elsewhere]);
        let velocity = Vec3::from_array([(); 3].map(|()| dice.one_of(&[0.0, -0.0, LONGEST, f32::NAN])));
        let moved_by = dice.one_of(&[MovedBy::Nothing, MovedBy::Legs, MovedBy::Route]);
        let route = dice.one_of(&[0, 0, 1, 12]);
        ShownBody { entity, place, drawn, velocity, moved_by, route }
    }
}
