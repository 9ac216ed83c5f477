//! Detects the format of a capture.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

use crate::{CaptureError, Fault, Listener, Session, lines, packets};

const BUFFER_BYTES: usize = 1 << 16;

/// Reads a capture of any supported format to its end. The session's listener receives every
/// message and fault.
///
/// Several captures may be read into one session, one after the other. Each begins with fresh
/// connection state. Connections between the same addresses keep their number.
///
/// A capture may still be growing. A source that has nothing for now returns
/// [`WouldBlock`](io::ErrorKind::WouldBlock) after a short wait, and is asked again after
/// [`Listener::waits`]. A packet is delivered as soon as it is complete.
///
/// # Errors
/// [`CaptureError`] if the capture is not readable at all. Later problems are faults, including
/// failures of the source itself.
pub fn read<L: Listener>(mut source: impl Read + Send, session: &mut Session<L>) -> Result<(), CaptureError> {
    session.begin_file();
    let mut magic = Vec::new();
    while let Err(error) = (&mut source).take((GZIP.len() - magic.len()) as u64).read_to_end(&mut magic) {
        if error.kind() != io::ErrorKind::WouldBlock {
            return Err(error.into());
        }
    }
    let is_gzipped = magic == GZIP;
    let whole = Cursor::new(magic).chain(source);
    if is_gzipped {
        return read_plain(MultiGzDecoder::new(BufReader::with_capacity(BUFFER_BYTES, whole)), session);
    }
    read_plain(whole, session)
}

fn read_plain<L: Listener>(source: impl Read + Send, session: &mut Session<L>) -> Result<(), CaptureError> {
    let mut source = BufReader::with_capacity(BUFFER_BYTES, UntilError::new(source));
    let start = source.fill_buf()?;
    let (length, kind) = (start.len(), start.first_chunk().copied().and_then(packets::Kind::of));
    let is_lines = length >= MAGIC_BYTES && has_objects(start);
    let place = match kind {
        Some(kind) => packets::read(&mut source, kind, session)?,
        None if is_lines => lines::read(&mut source, session),
        None => {
            return Err(match source.into_inner().error {
                Some(error) => CaptureError::Io(error),
                None if length == 0 => CaptureError::Empty,
                None => CaptureError::Format,
            });
        }
    };
    if let Some(error) = source.into_inner().error {
        session.fault(Fault { place, what: format!("reading failed: {error}") });
    }
    Ok(())
}

/// Returns whether a line of the first read looks like a JSON object. A byte order mark or other
/// lines may stand before it.
fn has_objects(start: &[u8]) -> bool {
    let text = start.strip_prefix(&lines::BYTE_ORDER_MARK).unwrap_or(start);
    text.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_start().starts_with(b"{"))
}

/// A source that ends at its first error and keeps that error. Everything before the error is
/// processed first. The only error it returns says that there is nothing for now.
pub(crate) struct UntilError<R> {
    source: R,
    has_begun: bool,
    error: Option<io::Error>,
}

impl<R> UntilError<R> {
    const fn new(source: R) -> Self {
        Self { source, has_begun: false, error: None }
    }
}

impl<R: Read> Read for UntilError<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // The format is detected in the first read, which is therefore complete. A pipe may deliver
        // a few bytes at a time.
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        let mut filled = 0;
        let lacks = |read: &[u8]| if is_first { lacks_header(read) } else { read.is_empty() };
        while filled < buffer.len() && lacks(&buffer[..filled]) && self.error.is_none() {
            match self.source.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if !is_first {
                        return Err(error);
                    }
                }
                Err(error) => self.error = Some(error),
            }
        }
        Ok(filled)
    }
}

/// Returns whether the beginning of a file is too short to tell its format and to read its header.
fn lacks_header(start: &[u8]) -> bool {
    let word = |at: usize| start.get(at..at + 4).and_then(<[u8]>::first_chunk).copied();
    match (word(0).map(packets::Kind::of), word(4)) {
        (Some(Some((packets::Kind::Classic, _))), _) => start.len() < PCAP_HEADER_BYTES,
        (Some(Some((packets::Kind::NextGeneration, _))), Some(length)) => {
            // Its byte order is not known yet. Of both, one gives a plausible length.
            let length = u32::from_le_bytes(length).min(u32::from_be_bytes(length));
            start.len() < (length as usize).clamp(PCAPNG_HEADER_BYTES, BUFFER_BYTES)
        }
        // Other lines may stand before the first object.
        _ => start.len() < MAGIC_BYTES || !has_objects(start),
    }
}

/// Number of bytes of the header of a pcap file.
const PCAP_HEADER_BYTES: usize = 24;

/// Smallest number of bytes of the header of a pcapng file.
const PCAPNG_HEADER_BYTES: usize = 28;

/// First two bytes of a gzipped file.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Number of bytes that identify a format.
const MAGIC_BYTES: usize = 4;
