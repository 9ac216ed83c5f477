//! Finds the next packet after damaged bytes, and recognises lengths that are wrong.

use pcap_parser::traits::PcapReaderIterator;

use crate::{frame, packets::Kind};

/// Size of the largest block that is read, in bytes.
pub(crate) const BUFFER_BYTES: usize = 1 << 20;

/// Number of bytes that suffice to recognise a packet.
const HEADER_BYTES: usize = 16;

/// Largest plausible packet in bytes.
const MAX_PACKET_BYTES: u32 = 1 << 18;

/// Type of the block that begins a section. It is the same in both byte orders.
const SECTION: u32 = 0x0A0D_0D0A;

/// Usual time between two packets in seconds. A number read from a wrong place is rarely that close.
const MAX_PAUSE_SECS: u32 = 86_400;

/// Largest plausible number of bytes after a datagram. Ethernet pads frames and adds a checksum.
const MAX_SPARE_BYTES: usize = 46;

/// Number of bytes after a place that show whether a packet begins there.
const LOOK_AHEAD_BYTES: usize = MAX_PACKET_BYTES as usize + 2 * HEADER_BYTES;

/// Format of a file, as far as damage is concerned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) kind: Kind,
    /// Whether numbers are in little-endian order. It may differ between sections of a pcapng file.
    pub(crate) is_little: bool,
    /// Link type of a pcap file's packets.
    pub(crate) link_type: i32,
}

impl Layout {
    /// Returns whether the next packet or block has a plausible length. A wrong length may reach into
    /// packets that are undamaged.
    ///
    /// Its date is not tested, because a wrong date makes no packet unreadable.
    pub(crate) fn fits(&self, reader: &mut dyn PcapReaderIterator) -> bool {
        fill(reader, HEADER_BYTES);
        match self.kind {
            // The parser reports the cut.
            _ if reader.data().len() < HEADER_BYTES => true,
            Kind::Classic => self.packet_fits(reader),
            Kind::NextGeneration => self.block_fits(reader),
        }
    }

    /// Returns whether a block ends with its length. The parser tests that for known blocks only.
    fn block_fits(&self, reader: &mut dyn PcapReaderIterator) -> bool {
        if self.word(reader.data(), 0) == SECTION {
            // It states its own byte order.
            return true;
        }
        let length = self.word(reader.data(), 4) as usize;
        if !(12..BUFFER_BYTES).contains(&length) {
            return false;
        }
        fill(reader, length + HEADER_BYTES);
        if reader.data().len() < length {
            // The file is cut within this block, or the length is wrong and other blocks follow.
            return self.hides_nothing(reader, length);
        }
        if !self.is_block(reader.data()) {
            return false;
        }
        let rest = &reader.data()[length..];
        let next = self.word(rest, 4) as usize;
        if rest.len() < HEADER_BYTES || (next.is_multiple_of(4) && (12..BUFFER_BYTES).contains(&next)) {
            return true;
        }
        // The block may be cut, and its last word that of the next block.
        self.hides_nothing(reader, length)
    }

    fn packet_fits(&self, reader: &mut dyn PcapReaderIterator) -> bool {
        let captured = self.word(reader.data(), 8);
        if captured == 0 || captured > MAX_PACKET_BYTES {
            return false;
        }
        let next = HEADER_BYTES + captured as usize;
        fill(reader, next + HEADER_BYTES);
        // The headers inside have a length too.
        let spare = self.frame(reader.data()).and_then(|frame| frame::spare_bytes(self.link_type, frame));
        if spare.is_some_and(|spare| spare <= MAX_SPARE_BYTES) && self.follows(reader.data(), next) {
            return true;
        }
        self.hides_nothing(reader, next)
    }

    /// Returns whether no packet begins within the next `length` bytes. A wrong length, or a part that
    /// is missing, hides such a packet.
    pub(crate) fn hides_nothing(&self, reader: &mut dyn PcapReaderIterator, length: usize) -> bool {
        fill(reader, length + LOOK_AHEAD_BYTES);
        let data = reader.data();
        !(1..length.min(data.len())).any(|place| self.is_plausible(&data[place..]))
    }

    /// Returns whether the data end after the first `length` bytes, which are a pcap packet, or another
    /// packet can follow there.
    fn follows(&self, data: &[u8], length: usize) -> bool {
        let Some(next) = data.get(length..) else { return false };
        let is_soon = || self.word(next, 0).abs_diff(self.word(data, 0)) < MAX_PAUSE_SECS;
        next.is_empty() || (self.is_header(next) && (is_soon() || self.is_udp(next)))
    }

    /// Returns whether the next packet or block is complete.
    pub(crate) fn is_readable(&self, reader: &dyn PcapReaderIterator) -> bool {
        match self.kind {
            Kind::Classic => self.is_udp(reader.data()),
            Kind::NextGeneration => self.is_block(reader.data()),
        }
    }

    /// Skips bytes up to a plausible packet or the beginning of another section. Returns `false` if
    /// there is none.
    pub(crate) fn find_next(
        &self,
        reader: &mut dyn PcapReaderIterator,
        mut skip: impl FnMut(&mut dyn PcapReaderIterator, usize),
    ) -> bool {
        loop {
            // Half the buffer suffices, and rarely needs to be moved.
            let filled = fill(reader, 2 * LOOK_AHEAD_BYTES);
            let is_at_end = filled == Filled::AtEnd;
            let data = reader.data();
            // Places close to the end of the buffer are searched when the rest has been read. A source that
            // has nothing for now may take hours to send it, so a packet that is complete is taken at once.
            let margin = if filled == Filled::Enough { LOOK_AHEAD_BYTES } else { HEADER_BYTES - 1 };
            let end = data.len().saturating_sub(margin).max(1);
            let begins =
                |place: &usize| self.is_plausible(&data[*place..]) && !self.holds_blocks(&data[*place..]);
            if let Some(found) = (1..end).find(begins) {
                skip(reader, found);
                return true;
            }
            let searched = match filled {
                Filled::Enough => end - 1,
                Filled::AtEnd => end.min(data.len()),
                // The next packet may be incomplete, so its beginning stays.
                Filled::Waiting => (end - 1).saturating_sub(LOOK_AHEAD_BYTES),
            };
            skip(reader, searched);
            if is_at_end {
                return false;
            }
        }
    }

    /// Returns whether a block of a pcapng file holds two others, so that its beginning and its end only
    /// look like those of a block.
    fn holds_blocks(&self, data: &[u8]) -> bool {
        let length = self.word(data, 4) as usize;
        let is_block = |place: &usize| self.is_plausible(&data[*place..]);
        matches!(self.kind, Kind::NextGeneration)
            && (1..length.min(data.len())).filter(is_block).nth(1).is_some()
    }

    fn is_plausible(&self, data: &[u8]) -> bool {
        match self.kind {
            // Only packets of the game matter, and those are UDP.
            Kind::Classic => self.is_header(data) && self.is_udp(data),
            Kind::NextGeneration => matches!(self.word(data, 0), 1..=6 | SECTION) && self.is_block(data),
        }
    }

    /// Returns whether a block of a pcapng file is complete, with the same length at both ends.
    fn is_block(&self, data: &[u8]) -> bool {
        let length = self.word(data, 4) as usize;
        length.is_multiple_of(4)
            && (12..BUFFER_BYTES).contains(&length)
            && self.word(data, length - 4) as usize == length
    }

    /// Returns whether bytes have plausible lengths for the header of a pcap packet.
    fn is_header(&self, data: &[u8]) -> bool {
        let [part, captured, length] = [4, 8, 12].map(|at| self.word(data, at));
        part < 1_000_000_000
            && (1..=MAX_PACKET_BYTES).contains(&captured)
            && (captured..=MAX_PACKET_BYTES).contains(&length)
    }

    /// Returns whether a pcap packet is complete, and is UDP.
    fn is_udp(&self, data: &[u8]) -> bool {
        let udp = self.frame(data).map(|frame| frame::udp_in(self.link_type, frame));
        matches!(udp, Some(Ok(Some(_))))
    }

    /// Returns the content of a pcap packet, if it is complete.
    fn frame<'a>(&self, data: &'a [u8]) -> Option<&'a [u8]> {
        data.get(HEADER_BYTES..)?.get(..self.word(data, 8) as usize)
    }

    fn word(&self, data: &[u8], at: usize) -> u32 {
        let bytes = data.get(at..at + 4).and_then(<[u8]>::first_chunk).copied().unwrap_or([0xFF; 4]);
        if self.is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }
    }
}

/// Whether a buffer has as many bytes as it should.
#[derive(Clone, Copy, PartialEq)]
enum Filled {
    Enough,
    /// The source has ended.
    AtEnd,
    /// The source has nothing for now.
    Waiting,
}

/// Reads until the buffer has `wanted` bytes, or the source has no more.
fn fill(reader: &mut dyn PcapReaderIterator, wanted: usize) -> Filled {
    loop {
        let before = reader.data().len();
        if before >= wanted {
            return Filled::Enough;
        }
        if reader.refill().is_err() {
            return Filled::Waiting;
        }
        if reader.data().len() == before {
            // Either the buffer is full, or the source has ended.
            return if reader.reader_exhausted() { Filled::AtEnd } else { Filled::Enough };
        }
    }
}
