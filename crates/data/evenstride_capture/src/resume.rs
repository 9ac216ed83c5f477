//! Finds the next packet after damaged bytes, and recognises lengths that are wrong.

use pcap_parser::traits::PcapReaderIterator;

use crate::{packets::Kind, timeline::MAX_APART_SECS};

/// Size of the largest block that is read, in bytes.
pub(crate) const BUFFER_BYTES: usize = 1 << 20;

/// Number of bytes that suffice to recognise a packet.
const HEADER_BYTES: usize = 16;

/// Largest plausible packet in bytes.
const MAX_PACKET_BYTES: u32 = 1 << 18;

/// Number of bytes after a place that show whether a packet begins there.
const LOOK_AHEAD_BYTES: usize = MAX_PACKET_BYTES as usize + 2 * HEADER_BYTES;

/// Format of a file, as far as damage is concerned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) kind: Kind,
    /// Whether numbers are in little-endian order. It may differ between sections of a pcapng file.
    pub(crate) is_little: bool,
    /// Whole seconds of the last packet, as stored.
    pub(crate) last_secs: Option<u32>,
}

impl Layout {
    /// Returns whether the next packet of a pcap file has a plausible length. A wrong length may reach
    /// into packets that are undamaged.
    ///
    /// Its date is not tested, because a wrong date makes no packet unreadable.
    pub(crate) fn fits(&self, reader: &mut dyn PcapReaderIterator) -> bool {
        fill(reader, HEADER_BYTES);
        if reader.data().len() < HEADER_BYTES {
            // The parser reports the cut.
            return true;
        }
        let captured = self.word(reader.data(), 8);
        if captured == 0 || captured > MAX_PACKET_BYTES {
            return false;
        }
        let next = HEADER_BYTES + captured as usize;
        fill(reader, next + HEADER_BYTES);
        match reader.data().get(next..) {
            // The file ends after the packet, or within the next header.
            Some(rest) if rest.len() < HEADER_BYTES => return true,
            Some(rest) if self.is_header(rest) || self.is_near(rest) => return true,
            // Either the next header is damaged, or the length is wrong and hides a packet.
            _ => {}
        }
        fill(reader, next + LOOK_AHEAD_BYTES);
        let data = reader.data();
        !(1..next.min(data.len())).any(|place| self.is_plausible(&data[place..]))
    }

    /// Skips bytes up to a plausible packet or the beginning of another section. Returns `false` if
    /// there is none.
    pub(crate) fn find_next(
        &self,
        reader: &mut dyn PcapReaderIterator,
        mut skip: impl FnMut(&mut dyn PcapReaderIterator, usize),
    ) -> bool {
        loop {
            let is_at_end = fill(reader, BUFFER_BYTES);
            let data = reader.data();
            // Places close to the end of the buffer are searched when the rest has been read.
            let margin = if is_at_end { HEADER_BYTES - 1 } else { LOOK_AHEAD_BYTES };
            let end = data.len().saturating_sub(margin).max(1);
            if let Some(found) = (1..end).find(|place| self.is_plausible(&data[*place..])) {
                skip(reader, found);
                return true;
            }
            let searched = if is_at_end { end.min(data.len()) } else { end - 1 };
            skip(reader, searched);
            if is_at_end {
                return false;
            }
        }
    }

    fn is_plausible(&self, data: &[u8]) -> bool {
        match self.kind {
            Kind::Classic => {
                let captured = self.word(data, 8);
                if captured < 20 || !self.is_header(data) {
                    return false;
                }
                // The packet must be complete, and the next one must fit it.
                match data.get(HEADER_BYTES + captured as usize..) {
                    Some(rest) if rest.len() < HEADER_BYTES => self.is_dated_like(data, self.last_secs),
                    Some(rest) => {
                        let is_chain =
                            self.is_header(rest) && self.is_dated_like(rest, Some(self.word(data, 0)));
                        let is_near = self.is_near(rest) || self.is_header(rest);
                        is_chain || (is_near && self.last_secs.is_some() && self.is_near(data))
                    }
                    None => false,
                }
            }
            Kind::NextGeneration => {
                let length = self.word(data, 4) as usize;
                matches!(self.word(data, 0), 1..=6 | 0x0A0D_0D0A)
                    && length.is_multiple_of(4)
                    && (12..BUFFER_BYTES).contains(&length)
                    && self.word(data, length - 4) as usize == length
            }
        }
    }

    /// Returns whether bytes have plausible lengths for the header of a pcap packet.
    fn is_header(&self, data: &[u8]) -> bool {
        let [part, captured, length] = [4, 8, 12].map(|at| self.word(data, at));
        part < 1_000_000_000
            && (1..=MAX_PACKET_BYTES).contains(&captured)
            && (captured..=MAX_PACKET_BYTES).contains(&length)
    }

    /// Returns whether a header has a date like that of the last packet, and a possible length.
    fn is_near(&self, data: &[u8]) -> bool {
        self.word(data, 8) <= MAX_PACKET_BYTES && self.is_dated_like(data, self.last_secs)
    }

    fn is_dated_like(&self, data: &[u8], secs: Option<u32>) -> bool {
        secs.is_none_or(|secs| self.word(data, 0).abs_diff(secs) < MAX_APART_SECS)
    }

    fn word(&self, data: &[u8], at: usize) -> u32 {
        let bytes = data.get(at..at + 4).and_then(<[u8]>::first_chunk).copied().unwrap_or([0xFF; 4]);
        if self.is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }
    }
}

/// Reads until the buffer has `wanted` bytes. Returns whether the source has no more.
fn fill(reader: &mut dyn PcapReaderIterator, wanted: usize) -> bool {
    loop {
        let before = reader.data().len();
        if before >= wanted {
            return false;
        }
        if reader.refill().is_err() {
            return true;
        }
        if reader.data().len() == before {
            // Either the buffer is full, or the source has ended.
            return reader.reader_exhausted();
        }
    }
}
