//! Packet captures: pcap and pcapng.

use std::io::Read;

use pcap_parser::{Block, Linktype, PcapBlockOwned, PcapError, create_reader};

use crate::{Fault, Listener, NotACapture, Place, Session, frame};

/// Largest block that is read.
const BUFFER_BYTES: usize = 1 << 20;

struct Interface {
    link_type: Linktype,
    units_per_sec: f64,
    offset_secs: f64,
}

pub(crate) fn read<L: Listener>(
    source: impl Read + Send,
    session: &mut Session<L>,
) -> Result<(), NotACapture> {
    let mut reader = match create_reader(BUFFER_BYTES, source) {
        Ok(reader) => reader,
        Err(_) => return Err(NotACapture::Format),
    };
    let mut interfaces: Vec<Interface> = Vec::new();
    let mut record = 0;
    let mut is_at_end = false;
    loop {
        match reader.next() {
            Ok((length, block)) => {
                handle(&block, &mut interfaces, &mut record, session);
                reader.consume(length);
            }
            Err(PcapError::Eof) => return Ok(()),
            Err(PcapError::Incomplete(_)) if !is_at_end => {
                let before = reader.data().len();
                if let Err(error) = reader.refill() {
                    return end(session, record, &error);
                }
                is_at_end = reader.data().len() == before && reader.reader_exhausted();
            }
            Err(error) => return end(session, record, &error),
        }
    }
}

/// What comes after this cannot be read.
fn end<L: Listener>(
    session: &mut Session<L>,
    record: u64,
    error: &PcapError<&[u8]>,
) -> Result<(), NotACapture> {
    let what = match error {
        PcapError::UnexpectedEof | PcapError::Incomplete(_) => "the file ends in the middle of it".to_owned(),
        other => format!("cannot be read, nor anything after it ({other})"),
    };
    session.fault(Fault { place: Place::Record(record + 1), what });
    Ok(())
}

fn handle<L: Listener>(
    block: &PcapBlockOwned<'_>,
    interfaces: &mut Vec<Interface>,
    record: &mut u64,
    session: &mut Session<L>,
) {
    match block {
        PcapBlockOwned::LegacyHeader(header) => {
            let units_per_sec = if header.is_nanosecond_precision() { 1e9 } else { 1e6 };
            interfaces.clear();
            interfaces.push(Interface { link_type: header.network, units_per_sec, offset_secs: 0.0 });
        }
        PcapBlockOwned::Legacy(packet) => {
            *record += 1;
            let units = interfaces.first().map_or(1e6, |interface| interface.units_per_sec);
            let time = f64::from(packet.ts_sec) + f64::from(packet.ts_usec) / units;
            frame(interfaces.first(), time, packet.data, *record, session);
        }
        PcapBlockOwned::NG(Block::SectionHeader(_)) => interfaces.clear(),
        PcapBlockOwned::NG(Block::InterfaceDescription(description)) => {
            let units_per_sec = description.ts_resolution().map_or(1e6, |units| units as f64);
            interfaces.push(Interface {
                link_type: description.linktype,
                units_per_sec,
                offset_secs: description.ts_offset() as f64,
            });
        }
        PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
            *record += 1;
            let interface = interfaces.get(packet.if_id as usize);
            let units = (u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low)) as f64;
            let time = interface.map_or(0.0, |of| of.offset_secs + units / of.units_per_sec);
            let length = (packet.caplen as usize).min(packet.data.len());
            frame(interface, time, &packet.data[..length], *record, session);
        }
        PcapBlockOwned::NG(Block::SimplePacket(packet)) => {
            *record += 1;
            // These have no time: the last one known is the best there is.
            frame(interfaces.first(), session.last_time(), packet.data, *record, session);
        }
        PcapBlockOwned::NG(_) => {}
    }
}

fn frame<L: Listener>(
    interface: Option<&Interface>,
    time: f64,
    data: &[u8],
    record: u64,
    session: &mut Session<L>,
) {
    let place = Place::Record(record);
    let Some(interface) = interface else {
        return session.fault(Fault { place, what: "of an interface nobody has described".to_owned() });
    };
    match frame::udp_in(interface.link_type.0, data) {
        Ok(Some(udp)) => session.datagram(time, place, udp.from, udp.to, udp.payload),
        Ok(None) => session.skip(),
        Err(what) => session.fault(Fault { place, what }),
    }
}
