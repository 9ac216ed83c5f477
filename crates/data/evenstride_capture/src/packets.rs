//! Reads packet captures in the formats pcap and pcapng.

use std::io::Read;

use pcap_parser::{
    Block, LegacyPcapReader, Linktype, PcapBlockOwned, PcapError, PcapNGReader, traits::PcapReaderIterator,
};

use crate::{CaptureError, Fault, Listener, Place, Session, frame};

/// Size of the largest block that is read, in bytes.
const BUFFER_BYTES: usize = 1 << 20;

/// Largest plausible packet in bytes.
const MAX_PACKET_BYTES: u32 = 1 << 18;

/// Largest plausible time between two packets of one capture, in seconds. It is about a year.
const MAX_APART_SECS: u32 = 1 << 25;

/// Format of a file, detected from its first four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// pcap, with numbers in little-endian or big-endian order.
    Classic { is_little: bool },
    /// pcapng.
    NextGeneration,
}

impl Kind {
    pub(crate) const fn of(magic: [u8; 4]) -> Option<Self> {
        match u32::from_le_bytes(magic) {
            0xA1B2_C3D4 | 0xA1B2_3C4D => Some(Self::Classic { is_little: true }),
            0xD4C3_B2A1 | 0x4D3C_B2A1 => Some(Self::Classic { is_little: false }),
            0x0A0D_0D0A => Some(Self::NextGeneration),
            _ => None,
        }
    }
}

struct Interface {
    link_type: Linktype,
    units_per_sec: f64,
    offset_secs: f64,
}

/// Progress through a file.
struct Progress {
    kind: Kind,
    interfaces: Vec<Interface>,
    record: u64,
    offset: u64,
    /// Whole seconds of the last packet, as stored.
    last_secs: Option<u32>,
}

pub(crate) fn read<L: Listener>(
    source: impl Read + Send,
    kind: Kind,
    session: &mut Session<L>,
) -> Result<(), CaptureError> {
    let reader: Result<Box<dyn PcapReaderIterator + Send>, _> = match kind {
        Kind::Classic { .. } => {
            LegacyPcapReader::new(BUFFER_BYTES, source).map(|reader| Box::new(reader) as _)
        }
        Kind::NextGeneration => PcapNGReader::new(BUFFER_BYTES, source).map(|reader| Box::new(reader) as _),
    };
    let Ok(mut reader) = reader else { return Err(CaptureError::Header) };
    let mut progress = Progress { kind, interfaces: Vec::new(), record: 0, offset: 0, last_secs: None };
    let mut is_at_end = false;
    while !session.is_done() {
        if progress.is_absurd(reader.data()) {
            if progress.resume(reader.as_mut(), false, session) {
                continue;
            }
            break;
        }
        match reader.next() {
            Ok((length, block)) => {
                progress.handle(&block, session);
                progress.offset += length as u64;
                reader.consume(length);
            }
            Err(PcapError::Eof) => break,
            Err(PcapError::Incomplete(_)) if !is_at_end => {
                let before = reader.data().len();
                let is_refilled = reader.refill().is_ok();
                is_at_end = !is_refilled || (reader.data().len() == before && reader.reader_exhausted());
            }
            Err(error) => {
                let is_cut = matches!(error, PcapError::UnexpectedEof | PcapError::Incomplete(_));
                if !progress.resume(reader.as_mut(), is_cut, session) {
                    break;
                }
                is_at_end = false;
            }
        }
    }
    Ok(())
}

impl Progress {
    /// Returns the place of the next packet.
    const fn place(&self) -> Place {
        Place::Record { number: self.record + 1, offset: self.offset }
    }

    /// Returns whether the next bytes parse as a packet, but are implausible because both lengths
    /// are zero.
    fn is_absurd(&self, data: &[u8]) -> bool {
        let is_classic_packet = matches!(self.kind, Kind::Classic { .. }) && !self.interfaces.is_empty();
        match data.get(8..HEADER_BYTES) {
            Some(lengths) if is_classic_packet => lengths.iter().all(|byte| *byte == 0),
            _ => false,
        }
    }

    /// Continues after damaged bytes. Returns `false` if no packet follows.
    fn resume<L: Listener>(
        &mut self,
        reader: &mut dyn PcapReaderIterator,
        is_cut: bool,
        session: &mut Session<L>,
    ) -> bool {
        let (place, start) = (self.place(), self.offset);
        let is_found = self.find_next(reader);
        let skipped = self.offset - start;
        let what = match (is_found, is_cut) {
            (true, _) => format!("damaged; {skipped} bytes were skipped to the next packet"),
            (false, true) => "the file ends within it".to_owned(),
            (false, false) => format!("damaged; there is no packet in the {skipped} bytes after it"),
        };
        session.fault(Fault { place, what });
        is_found
    }

    /// Skips bytes up to a plausible packet or the beginning of another file. Returns `false` if
    /// there is none.
    fn find_next(&mut self, reader: &mut dyn PcapReaderIterator) -> bool {
        loop {
            let data = reader.data();
            let places = 1..data.len().saturating_sub(HEADER_BYTES - 1);
            if let Some(skipped) = places.into_iter().find(|place| self.is_plausible(&data[*place..])) {
                self.skip(reader, skipped);
                return true;
            }
            // All but the last few bytes are skipped. A header may begin in those.
            let used = data.len().saturating_sub(HEADER_BYTES - 1);
            self.skip(reader, used);
            let before = reader.data().len();
            if reader.refill().is_err() || reader.data().len() == before {
                return false;
            }
        }
    }

    fn skip(&mut self, reader: &mut dyn PcapReaderIterator, bytes: usize) {
        self.offset += bytes as u64;
        reader.consume(bytes);
    }

    fn is_plausible(&self, data: &[u8]) -> bool {
        let word = |at: usize| {
            let bytes = data.get(at..at + 4).and_then(<[u8]>::first_chunk).copied().unwrap_or([0xFF; 4]);
            match self.kind {
                Kind::Classic { is_little: false } => u32::from_be_bytes(bytes),
                _ => u32::from_le_bytes(bytes),
            }
        };
        match self.kind {
            Kind::Classic { .. } => {
                let [secs, part, captured, length] = [0, 4, 8, 12].map(word);
                let is_near = self.last_secs.is_none_or(|last| secs.abs_diff(last) < MAX_APART_SECS);
                // The packet must be complete, and the next one must have a similar time.
                let follows = data.get(HEADER_BYTES + captured as usize..);
                let next = HEADER_BYTES + captured as usize;
                is_near
                    && part < 1_000_000_000
                    && (20..=MAX_PACKET_BYTES).contains(&captured)
                    && (captured..=MAX_PACKET_BYTES).contains(&length)
                    && follows.is_some_and(|rest| {
                        rest.is_empty() || (rest.len() >= 4 && word(next).abs_diff(secs) < MAX_APART_SECS)
                    })
            }
            Kind::NextGeneration => {
                let length = word(4) as usize;
                matches!(word(0), 1..=6 | 0x0A0D_0D0A)
                    && length.is_multiple_of(4)
                    && (12..BUFFER_BYTES).contains(&length)
                    && word(length - 4) as usize == length
            }
        }
    }

    fn handle<L: Listener>(&mut self, block: &PcapBlockOwned<'_>, session: &mut Session<L>) {
        match block {
            PcapBlockOwned::LegacyHeader(header) => {
                let units_per_sec = if header.is_nanosecond_precision() { 1e9 } else { 1e6 };
                self.interfaces.clear();
                self.interfaces.push(Interface {
                    link_type: header.network,
                    units_per_sec,
                    offset_secs: 0.0,
                });
            }
            PcapBlockOwned::Legacy(packet) => {
                let units = self.interfaces.first().map_or(1e6, |interface| interface.units_per_sec);
                let time = f64::from(packet.ts_sec) + f64::from(packet.ts_usec) / units;
                self.last_secs = Some(packet.ts_sec);
                self.frame(0, time, packet.data, session);
            }
            PcapBlockOwned::NG(Block::SectionHeader(_)) => self.interfaces.clear(),
            PcapBlockOwned::NG(Block::InterfaceDescription(description)) => {
                let units_per_sec = description.ts_resolution().map_or(1e6, |units| units as f64);
                self.interfaces.push(Interface {
                    link_type: description.linktype,
                    units_per_sec,
                    offset_secs: description.ts_offset() as f64,
                });
            }
            PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
                let interface = self.interfaces.get(packet.if_id as usize);
                let units = (u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low)) as f64;
                let time = interface.map_or(0.0, |of| of.offset_secs + units / of.units_per_sec);
                let length = (packet.caplen as usize).min(packet.data.len());
                self.frame(packet.if_id as usize, time, &packet.data[..length], session);
            }
            // These packets have no time, so the last known time is used.
            PcapBlockOwned::NG(Block::SimplePacket(packet)) => {
                self.frame(0, session.last_time(), packet.data, session);
            }
            PcapBlockOwned::NG(Block::Unknown(block)) if block.block_type == 2 => {
                let what = "an obsolete packet block (type 2), which is not supported".to_owned();
                session.fault(Fault { place: self.place(), what });
                self.record += 1;
            }
            PcapBlockOwned::NG(_) => {}
        }
    }

    fn frame<L: Listener>(&mut self, interface: usize, time: f64, data: &[u8], session: &mut Session<L>) {
        let place = self.place();
        self.record += 1;
        let Some(interface) = self.interfaces.get(interface) else {
            return session.fault(Fault { place, what: "unknown interface".to_owned() });
        };
        match frame::udp_in(interface.link_type.0, data) {
            Ok(Some(udp)) => session.captured_datagram(time, place, udp.from, udp.to, udp.payload),
            Ok(None) => session.skip(),
            Err(what) => session.fault(Fault { place, what }),
        }
    }
}

/// Number of bytes that suffice to recognise a packet.
const HEADER_BYTES: usize = 16;
