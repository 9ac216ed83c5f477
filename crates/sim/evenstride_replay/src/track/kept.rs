//! The text of a row, kept until the next row about the same entity.
//!
//! A number takes a hundred times as long to format as to copy, and most numbers of a row are those
//! of the row before.

use evenstride::MovedBy;
use evenstride_types::EntityId;
use serde::Serialize;

use super::{
    TrackFormat, moved_by,
    roster::{LastUpdate, ShownBody},
};

/// The text of the last row about an entity, in parts.
#[derive(Debug)]
pub(super) struct KeptRow {
    format: TrackFormat,
    pub(super) entity: EntityId,
    entity_text: HexText,
    /// Raw ids of the cell and the drawn cell, and their texts.
    cells: [u32; 2],
    cell_texts: [HexText; 2],
    /// Bits of all numbers, in order, and their texts.
    bits: [u32; NUMBERS],
    texts: [NumberText; NUMBERS],
    /// The values that `end_text` tells of. `None` before the first row.
    end: Option<(MovedBy, usize, u32)>,
    /// Text of everything after the last number.
    end_text: Vec<u8>,
    /// Text of the whole row after its time, if the last two rows were the same. Empty otherwise.
    whole: Vec<u8>,
}

/// Numbers of a row. Position and rotation, the same as drawn, and velocity.
const NUMBERS: usize = 17;

/// Indices at which the vectors of a row begin, and the end of the last.
const POSITION: usize = 0;
const ROTATION: usize = 3;
const DRAWN_POSITION: usize = 7;
const DRAWN_ROTATION: usize = 10;
const VELOCITY: usize = 14;

impl KeptRow {
    pub(super) fn new(format: TrackFormat, entity: EntityId) -> Self {
        let zero = |index| NumberText::of(separator(format, index), 0.0);
        Self {
            format,
            entity,
            entity_text: hex(entity.raw()),
            cells: [0; 2],
            cell_texts: [hex(0); 2],
            bits: [0; NUMBERS],
            texts: std::array::from_fn(zero),
            end: None,
            end_text: Vec::new(),
            whole: Vec::new(),
        }
    }

    /// Adds a row without its time to a text.
    pub(super) fn write(&mut self, out: &mut Vec<u8>, body: &ShownBody, update: &LastUpdate) {
        if self.renew(body, update) {
            self.whole.clear();
            self.compose(out);
        } else if self.whole.is_empty() {
            let start = out.len();
            self.compose(out);
            self.whole.extend_from_slice(&out[start..]);
        } else {
            out.extend_from_slice(&self.whole);
        }
    }

    /// Formats all values that have changed. Returns whether there are any.
    fn renew(&mut self, body: &ShownBody, update: &LastUpdate) -> bool {
        let mut is_new = false;
        let bits = bits_of(body);
        if bits != self.bits {
            is_new = true;
            for index in 0..NUMBERS {
                if bits[index] == self.bits[index] {
                    continue;
                }
                // Many bodies are drawn where they are.
                let same = index.wrapping_sub(DRAWN_POSITION);
                self.texts[index] = if index < VELOCITY && bits.get(same) == Some(&bits[index]) {
                    self.texts[same].after(separator(self.format, index))
                } else {
                    NumberText::of(separator(self.format, index), f32::from_bits(bits[index]))
                };
            }
            self.bits = bits;
        }
        let cells = [body.place.cell.raw(), body.drawn.cell.raw()];
        if cells != self.cells {
            is_new = true;
            self.cells = cells;
            self.cell_texts = cells.map(hex);
        }
        let end = Some((body.moved_by, body.route, update.version));
        if end != self.end {
            is_new = true;
            self.end = end;
            self.end_text.clear();
            write_end(&mut self.end_text, self.format, body, update);
        }
        is_new
    }

    fn compose(&self, out: &mut Vec<u8>) {
        match self.format {
            TrackFormat::Csv => self.compose_csv(out),
            TrackFormat::JsonLines => self.compose_json(out),
        }
    }

    fn compose_csv(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.entity_text);
        out.push(b',');
        out.extend_from_slice(&self.cell_texts[0]);
        put(out, &self.texts[POSITION..DRAWN_POSITION]);
        out.push(b',');
        out.extend_from_slice(&self.cell_texts[1]);
        put(out, &self.texts[DRAWN_POSITION..]);
        out.extend_from_slice(&self.end_text);
    }

    fn compose_json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.entity_text);
        out.extend_from_slice(b"\",\"cell\":\"");
        out.extend_from_slice(&self.cell_texts[0]);
        out.extend_from_slice(b"\",\"position\":");
        put(out, &self.texts[POSITION..ROTATION]);
        out.extend_from_slice(b"],\"rotation\":");
        put(out, &self.texts[ROTATION..DRAWN_POSITION]);
        out.extend_from_slice(b"],\"drawn_cell\":\"");
        out.extend_from_slice(&self.cell_texts[1]);
        out.extend_from_slice(b"\",\"drawn_position\":");
        put(out, &self.texts[DRAWN_POSITION..DRAWN_ROTATION]);
        out.extend_from_slice(b"],\"drawn_rotation\":");
        put(out, &self.texts[DRAWN_ROTATION..VELOCITY]);
        out.extend_from_slice(b"],\"velocity\":");
        put(out, &self.texts[VELOCITY..]);
        out.extend_from_slice(&self.end_text);
    }
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

/// Returns the character before a number. In JSON, the first number of a vector opens an array.
const fn separator(format: TrackFormat, index: usize) -> u8 {
    match (format, index) {
        (TrackFormat::JsonLines, POSITION | ROTATION | DRAWN_POSITION | DRAWN_ROTATION | VELOCITY) => b'[',
        _ => b',',
    }
}

/// A separator and a number, with the number of their bytes at the end.
///
/// All bytes are copied, and those in excess are taken away again. This is faster than to copy a
/// number of bytes that varies.
#[derive(Clone, Copy, Debug)]
struct NumberText([u8; NUMBER_BYTES]);

/// No `f32` takes more than 17 characters.
const NUMBER_BYTES: usize = 24;

impl NumberText {
    /// Formats a number as JSON does, with the shortest digits that read back unchanged.
    fn of(separator: u8, number: f32) -> Self {
        let mut buffer = zmij::Buffer::new();
        let number = if number.is_finite() { buffer.format_finite(number) } else { "null" };
        let mut text = [0; NUMBER_BYTES];
        text[0] = separator;
        text[1..=number.len()].copy_from_slice(number.as_bytes());
        text[NUMBER_BYTES - 1] = 1 + number.len() as u8;
        Self(text)
    }

    /// Returns the same number after another separator.
    const fn after(mut self, separator: u8) -> Self {
        self.0[0] = separator;
        self
    }
}

#[inline]
fn put(out: &mut Vec<u8>, numbers: &[NumberText]) {
    let mut end = out.len();
    out.resize(end + numbers.len() * NUMBER_BYTES, 0);
    for NumberText(text) in numbers {
        out[end..end + NUMBER_BYTES].copy_from_slice(text);
        end += usize::from(text[NUMBER_BYTES - 1]);
    }
    out.truncate(end);
}

/// An id in hexadecimal.
type HexText = [u8; 10];

/// Returns the text of an id, as `Display` of [`EntityId`] and of a cell writes it.
fn hex(raw: u32) -> HexText {
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

    fn written(text: NumberText) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, &[text]);
        out
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
            let expected = format!(",{}", serde_json::to_string(&number).unwrap());
            let text = NumberText::of(b',', number);
            assert_eq!(String::from_utf8(written(text)).unwrap(), expected);
            assert_eq!(String::from_utf8(written(text.after(b'['))).unwrap(), expected.replacen(',', "[", 1));
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
            let mut repeated = 0;
            for _ in 0..20_000 {
                let body = random_body(&mut dice, entity);
                if dice.roll().is_multiple_of(4) {
                    update.text =
                        dice.one_of(&["", "queued", "refused: \\, twice", "parked, \u{e9}\u{1}"]).to_owned();
                    update.version += 1;
                }
                // A body that rests has the same row again and again.
                for _ in 0..dice.one_of(&[1, 1, 2, 3, 4]) {
                    let (mut row, mut fresh) = (Vec::new(), Vec::new());
                    kept.write(&mut row, &body, &update);
                    KeptRow::new(format, entity).write(&mut fresh, &body, &update);
                    assert_eq!(String::from_utf8(row).unwrap(), String::from_utf8(fresh).unwrap());
                    repeated += usize::from(!kept.whole.is_empty());
                }
            }
            assert!(repeated > 5_000, "{repeated}");
        }
    }

    /// Few values, so that each is often the same as in the row before, or the same but for its sign.
    fn random_body(dice: &mut Dice, entity: EntityId) -> ShownBody {
        let mut place = || {
            let cell = CellId::new(dice.one_of(&[0xA9B4_0001, 0xA9B4_0002, 0xA9B4_0101])).unwrap();
            let origin = [(); 3].map(|()| dice.one_of(&[0.0, -0.0, 1.5, 84.062_5, 1e-7]));
            let halves = [(); 4].map(|()| dice.one_of(&[0.5, -0.5]));
            let rotations = [Rotation::IDENTITY, Rotation::new(halves).unwrap()];
            Placement::new(cell, Pose::new(origin, dice.one_of(&rotations)).unwrap())
        };
        let (place, elsewhere) = (place(), place());
        let drawn = dice.one_of(&[place, elsewhere]);
        let velocity = Vec3::from_array([(); 3].map(|()| dice.one_of(&[0.0, -0.0, 4.25, f32::NAN])));
        let moved_by = dice.one_of(&[MovedBy::Nothing, MovedBy::Legs, MovedBy::Route]);
        let route = dice.one_of(&[0, 0, 1, 12]);
        ShownBody { entity, place, drawn, velocity, moved_by, route }
    }
}
