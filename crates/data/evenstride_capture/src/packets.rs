//! Reads packet captures in the formats pcap and pcapng.

use std::io::Read;

use pcap_parser::{
    Block, InterfaceDescriptionBlock, LegacyPcapReader, Linktype, PcapBlockOwned, PcapError, PcapNGReader,
    traits::PcapReaderIterator,
};

use crate::{
    CaptureError, Fault, Listener, Place, Session, frame,
    resume::{BUFFER_BYTES, Layout},
};

/// Largest number of interfaces of one section. A file may describe millions in a few bytes each.
const MAX_INTERFACES: usize = 1_024;

/// Format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// pcap.
    Classic,
    /// pcapng.
    NextGeneration,
}

impl Kind {
    /// Detects the format from the first four bytes. The second value tells whether numbers are
    /// little-endian, which the sections of a pcapng file state themselves.
    pub(crate) const fn of(magic: [u8; 4]) -> Option<(Self, bool)> {
        match u32::from_le_bytes(magic) {
            0xA1B2_C3D4 | 0xA1B2_3C4D => Some((Self::Classic, true)),
            0xD4C3_B2A1 | 0x4D3C_B2A1 => Some((Self::Classic, false)),
            0x0A0D_0D0A => Some((Self::NextGeneration, true)),
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
    layout: Layout,
    interfaces: Vec<Interface>,
    /// Number of interfaces of this section beyond the limit.
    more_interfaces: u64,
    record: u64,
    offset: u64,
}

/// Reads all packets. Returns the place where reading ended.
pub(crate) fn read<L: Listener>(
    source: impl Read + Send,
    (kind, is_little): (Kind, bool),
    session: &mut Session<L>,
) -> Result<Place, CaptureError> {
    let reader: Result<Box<dyn PcapReaderIterator + Send>, _> = match kind {
        Kind::Classic => LegacyPcapReader::new(BUFFER_BYTES, source).map(|reader| Box::new(reader) as _),
        Kind::NextGeneration => PcapNGReader::new(BUFFER_BYTES, source).map(|reader| Box::new(reader) as _),
    };
    let Ok(mut reader) = reader else { return Err(CaptureError::Header) };
    let layout = Layout { kind, is_little, link_type: 0 };
    let mut progress = Progress { layout, interfaces: Vec::new(), more_interfaces: 0, record: 0, offset: 0 };
    let mut is_at_end = false;
    while !session.is_done() {
        if progress.has_begun() && !progress.layout.fits(reader.as_mut()) {
            // Either this packet is damaged or the one that begins inside, so both are read.
            if progress.layout.is_readable(reader.as_ref())
                && let Ok((_, block)) = reader.next()
            {
                progress.handle(&block, session);
            }
            if progress.resume(reader.as_mut(), false, session) {
                continue;
            }
            break;
        }
        match reader.next() {
            Ok((length, block)) => {
                let strange_before = session.strange_packets();
                progress.handle(&block, session);
                // A packet of which a part is missing may end exactly where a later one does, and hide
                // that one.
                if session.strange_packets() != strange_before
                    && !progress.layout.hides_nothing(reader.as_mut(), length)
                {
                    if progress.resume(reader.as_mut(), false, session) {
                        continue;
                    }
                    break;
                }
                progress.skip(reader.as_mut(), length);
            }
            Err(PcapError::Eof) => break,
            Err(PcapError::Incomplete(_)) if !is_at_end => {
                let before = reader.data().len();
                match reader.refill() {
                    Ok(()) => is_at_end = reader.data().len() == before && reader.reader_exhausted(),
                    // The source has nothing for now. It reports every other error as its end.
                    Err(_) => session.wait(),
                }
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
    Ok(progress.place())
}

impl Progress {
    /// Returns the place of the next packet.
    const fn place(&self) -> Place {
        Place::Record { number: self.record + 1, offset: self.offset }
    }

    /// Returns whether the header of the file was read, so that packets follow.
    fn has_begun(&self) -> bool {
        self.offset > 0
    }

    /// Continues after damaged bytes. Returns `false` if no packet follows.
    fn resume<L: Listener>(
        &mut self,
        reader: &mut dyn PcapReaderIterator,
        is_cut: bool,
        session: &mut Session<L>,
    ) -> bool {
        let (place, start) = (self.place(), self.offset);
        let layout = self.layout;
        let is_found = layout.find_next(reader, |reader, bytes| self.skip(reader, bytes));
        let skipped = self.offset - start;
        let what = match (is_found, is_cut) {
            (true, _) => format!("damaged; {skipped} bytes were skipped to the next packet"),
            (false, true) => "the file ends within it".to_owned(),
            (false, false) => format!("damaged; there is no packet in the {skipped} bytes after it"),
        };
        session.fault(Fault { place, what });
        is_found
    }

    fn skip(&mut self, reader: &mut dyn PcapReaderIterator, bytes: usize) {
        self.offset += bytes as u64;
        reader.consume(bytes);
    }

    fn handle<L: Listener>(&mut self, block: &PcapBlockOwned<'_>, session: &mut Session<L>) {
        match block {
            PcapBlockOwned::LegacyHeader(header) => {
                let units_per_sec = if header.is_nanosecond_precision() { 1e9 } else { 1e6 };
                self.layout.link_type = header.network.0;
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
                self.frame(0, time, packet.data, session);
            }
            PcapBlockOwned::NG(Block::SectionHeader(section)) => {
                self.layout.is_little = !section.big_endian();
                self.interfaces.clear();
                self.more_interfaces = 0;
            }
            PcapBlockOwned::NG(Block::InterfaceDescription(description)) => {
                self.describe(description, session);
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

    fn describe<L: Listener>(
        &mut self,
        description: &InterfaceDescriptionBlock<'_>,
        session: &mut Session<L>,
    ) {
        if self.interfaces.len() >= MAX_INTERFACES {
            self.more_interfaces += 1;
            if self.more_interfaces == 1 {
                let what = format!("more than {MAX_INTERFACES} interfaces; the others are left out");
                session.fault(Fault { place: self.place(), what });
            }
            return;
        }
        self.interfaces.push(Interface {
            link_type: description.linktype,
            units_per_sec: units_per_sec(description.if_tsresol),
            offset_secs: description.ts_offset() as f64,
        });
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

/// Returns the units per second of a pcapng interface. The highest bit of its option selects a power
/// of two instead of a power of ten.
///
/// The parser's own conversion tests the size before it removes that bit, and so rejects every power
/// of two.
fn units_per_sec(resolution: u8) -> f64 {
    let exponent = i32::from(resolution & 0x7F);
    if resolution & 0x80 == 0 { 10.0f64.powi(exponent) } else { 2.0f64.powi(exponent) }
}
