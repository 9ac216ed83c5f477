//! Captures of which every part is known.

use std::{
    collections::BTreeMap,
    fmt,
    io::{Read, Write},
    ops::Range,
};

use evenstride_capture::{Direction, PcapWriter, WrittenDatagram};
use flate2::{Compression, read::MultiGzDecoder, write::GzEncoder};

use crate::{Choice, Flips, Spot, bytes_of, damage, originals, runs};

/// A datagram of a capture.
#[derive(Clone, Debug)]
pub struct Datagram {
    /// Time in microseconds.
    pub micros: u64,
    /// Number of the connection, from 0.
    pub connection: u8,
    /// The sender.
    pub direction: Direction,
    /// Content of the UDP datagram.
    pub payload: Vec<u8>,
    /// Messages of which every byte is in this datagram.
    pub messages: Vec<Vec<u8>>,
}

/// Format of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A pcap file, little-endian.
    Pcap,
    /// A pcap file, big-endian.
    PcapSwapped,
    /// A pcapng file.
    PcapNg,
    /// JSON lines with one datagram each.
    DatagramLines,
    /// JSON lines with one message each.
    MessageLines,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 5] =
        [Self::Pcap, Self::PcapSwapped, Self::PcapNg, Self::DatagramLines, Self::MessageLines];

    const fn is_lines(self) -> bool {
        matches!(self, Self::DatagramLines | Self::MessageLines)
    }
}

/// Compression of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// None.
    Plain,
    /// Gzip.
    Gzip,
}

/// The smallest part of a capture that is readable by itself, which is one datagram or line.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Bytes of the unit in the file before compression.
    pub range: Range<usize>,
    /// Messages of which every byte is in this unit.
    pub messages: Vec<Vec<u8>>,
}

/// A capture that consists of a header and units.
#[derive(Clone, Debug)]
pub struct CaptureFile {
    /// Format.
    pub format: Format,
    /// Compression.
    pub packing: Packing,
    /// The file before compression.
    pub bytes: Vec<u8>,
    /// All units, in the order of the file.
    pub units: Vec<Unit>,
}

impl fmt::Display for CaptureFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {:?}", self.format, self.packing)
    }
}

impl CaptureFile {
    /// Writes datagrams in a format. Lines of messages have only the complete messages.
    pub fn new(format: Format, packing: Packing, datagrams: &[Datagram]) -> Self {
        let (header, units) = match format {
            Format::Pcap | Format::PcapSwapped | Format::PcapNg => frames(format, datagrams),
            Format::DatagramLines => (Vec::new(), datagrams.iter().map(datagram_line).collect()),
            Format::MessageLines => (Vec::new(), datagrams.iter().flat_map(message_lines).collect()),
        };
        let mut bytes = header;
        let units = units
            .into_iter()
            .map(|(unit, messages)| {
                let start = bytes.len();
                bytes.extend(unit);
                Unit { range: start..bytes.len(), messages }
            })
            .collect();
        Self { format, packing, bytes, units }
    }

    /// Returns the undamaged file.
    pub fn written(&self) -> Vec<u8> {
        match self.packing {
            Packing::Plain => self.bytes.clone(),
            Packing::Gzip => {
                let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
                packer.write_all(&self.bytes).unwrap();
                packer.finish().unwrap()
            }
        }
    }

    /// Returns a damaged file, and its bytes with their places after it is unpacked. The header, by
    /// which the format is known, stays as it is.
    pub fn damaged(&self, choice: &mut impl Choice, flips: Flips) -> (Vec<u8>, Vec<Spot>) {
        if self.packing == Packing::Plain {
            let mut bytes = originals(&self.bytes);
            // A file of lines must not begin like another format.
            let header = self.units.first().map_or(bytes.len(), |unit| unit.range.start.max(1));
            damage(choice, &mut bytes, header.min(self.bytes.len()), flips);
            return (bytes_of(&bytes), bytes);
        }
        let mut packed = originals(&self.written());
        let header = packed.len().min(200) / 2;
        damage(choice, &mut packed, header, flips);
        let file = bytes_of(&packed);
        let (mut unpacked, mut source, mut byte) = (Vec::new(), MultiGzDecoder::new(file.as_slice()), [0]);
        while let Ok(1) = source.read(&mut byte) {
            unpacked.push(byte[0]);
        }
        // Bytes that differ are damaged. What is unpacked after them is out of step.
        let same = unpacked.iter().zip(&self.bytes).take_while(|(one, other)| one == other).count();
        let places = (0..same).map(Some).chain(std::iter::repeat(None));
        (file, unpacked.into_iter().zip(places).collect())
    }

    /// Returns how often each message of an undamaged unit was sent.
    pub fn undamaged_messages(&self, damaged: &[Spot]) -> BTreeMap<&[u8], usize> {
        self.messages_of(&self.are_whole(damaged))
    }

    /// Returns how often each message was sent, in units of which `is_wanted` is true.
    pub fn messages_of(&self, is_wanted: &[bool]) -> BTreeMap<&[u8], usize> {
        let mut counts = BTreeMap::new();
        let wanted = self.units.iter().zip(is_wanted).filter(|(_, is_wanted)| **is_wanted);
        for message in wanted.flat_map(|(unit, _)| &unit.messages) {
            *counts.entry(message.as_slice()).or_default() += 1;
        }
        counts
    }

    /// Returns for each unit whether it is undamaged.
    pub fn are_whole(&self, damaged: &[Spot]) -> Vec<bool> {
        let starts: BTreeMap<usize, usize> =
            self.units.iter().enumerate().map(|(index, unit)| (unit.range.start, index)).collect();
        let mut are_whole = vec![false; self.units.len()];
        for (at, (_, origin)) in damaged.iter().enumerate() {
            let Some(index) = origin.and_then(|origin| starts.get(&origin)) else { continue };
            let is_apart = !self.format.is_lines() || at == 0 || damaged[at - 1].0 == b'\n';
            are_whole[*index] |= is_apart && runs(&damaged[at..], &self.units[*index].range);
        }
        are_whole
    }
}

/// Returns how many messages of `wanted` are not among those that were heard.
pub fn missing<'a>(wanted: &BTreeMap<&[u8], usize>, heard: impl IntoIterator<Item = &'a [u8]>) -> usize {
    let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
    heard.into_iter().for_each(|message| *counts.entry(message).or_default() += 1);
    wanted
        .iter()
        .map(|(message, count)| count.saturating_sub(counts.get(message).copied().unwrap_or(0)))
        .sum()
}

/// Bytes of a unit, and its messages.
type WrittenUnit = (Vec<u8>, Vec<Vec<u8>>);

const FILE_HEADER_BYTES: usize = 24;
const RECORD_HEADER_BYTES: usize = 16;

/// Returns the header and the units of a file of frames.
fn frames(format: Format, datagrams: &[Datagram]) -> (Vec<u8>, Vec<WrittenUnit>) {
    let file = PcapWriter::new(Vec::new()).unwrap().finish().unwrap();
    let units = datagrams.iter().map(|datagram| {
        let mut file = PcapWriter::new(Vec::new()).unwrap();
        let client = ([10, 0, datagram.connection, 1], 50_000 + u16::from(datagram.connection));
        let server = ([10, 0, 0, 2], 9_000);
        let (from, to) = match datagram.direction {
            Direction::FromClient => (client, server),
            Direction::FromServer => (server, client),
        };
        let time = datagram.micros as f64 / 1e6;
        file.write(&WrittenDatagram { time, from, to, payload: &datagram.payload }).unwrap();
        let record = file.finish().unwrap().split_off(FILE_HEADER_BYTES);
        (record, datagram)
    });
    match format {
        Format::PcapNg => {
            let order = 0x1A2B_3C4D_u32.to_le_bytes();
            let section = block(0x0A0D_0D0A, &[&order[..], &[1, 0, 0, 0], &[0xFF; 8]].concat());
            let interface = block(1, &[1, 0, 0, 0, 0, 0, 1, 0]);
            let blocks = units.map(|(record, datagram)| {
                let frame = &record[RECORD_HEADER_BYTES..];
                let (micros, length) = (datagram.micros.to_le_bytes(), (frame.len() as u32).to_le_bytes());
                let parts = [&[0; 4][..], &micros[4..], &micros[..4], &length, &length, frame];
                (block(6, &parts.concat()), datagram.messages.clone())
            });
            ([section, interface].concat(), blocks.collect())
        }
        Format::PcapSwapped => {
            let mut header = file;
            [0, 8, 12, 16, 20].into_iter().for_each(|at| header[at..at + 4].reverse());
            [4, 6].into_iter().for_each(|at: usize| header[at..at + 2].reverse());
            let records = units.map(|(mut record, datagram)| {
                record[..RECORD_HEADER_BYTES].chunks_mut(4).for_each(<[u8]>::reverse);
                (record, datagram.messages.clone())
            });
            (header, records.collect())
        }
        _ => (file, units.map(|(record, datagram)| (record, datagram.messages.clone())).collect()),
    }
}

/// Returns a block of a pcapng file.
fn block(kind: u32, body: &[u8]) -> Vec<u8> {
    let padding = vec![0; body.len().wrapping_neg() & 3];
    let length = ((12 + body.len() + padding.len()) as u32).to_le_bytes();
    [&kind.to_le_bytes()[..], &length, body, &padding, &length].concat()
}

fn datagram_line(datagram: &Datagram) -> WrittenUnit {
    let line = format!(
        "{{\"t\":{},\"dir\":\"{}\",\"pair\":{},\"data\":\"{}\"}}\n",
        datagram.micros as f64 / 1e6,
        name(datagram.direction),
        2 * u32::from(datagram.connection),
        hex(&datagram.payload)
    );
    (line.into_bytes(), datagram.messages.clone())
}

fn message_lines(datagram: &Datagram) -> impl Iterator<Item = WrittenUnit> {
    let (time, direction) = (datagram.micros as f64 / 1e6, name(datagram.direction));
    datagram.messages.iter().map(move |message| {
        let line =
            format!("{{\"dir\":\"{direction}\",\"t_rel\":{time},\"payload_hex\":\"{}\"}}\n", hex(message));
        (line.into_bytes(), vec![message.clone()])
    })
}

const fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::FromServer => "s2c",
        Direction::FromClient => "c2s",
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
