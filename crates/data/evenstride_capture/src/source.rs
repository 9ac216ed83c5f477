//! Detects the format of a capture.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use crate::{CaptureError, Listener, Session, lines, packets};

const BUFFER_BYTES: usize = 1 << 16;

/// Reads a capture of any supported format to its end. The session's listener receives every
/// message and fault.
///
/// Several captures may be read into one session, one after the other. Each begins with fresh
/// connection state. Connections between the same addresses keep their number.
///
/// # Errors
/// [`CaptureError`] if the capture is not readable at all. Later problems are faults.
pub fn read<L: Listener>(source: impl Read + Send, session: &mut Session<L>) -> Result<(), CaptureError> {
    session.begin_file();
    let mut source = BufReader::with_capacity(BUFFER_BYTES, source);
    if start(&mut source)?.starts_with(&[0x1F, 0x8B]) {
        let inside = BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(source));
        return read_plain(inside, session);
    }
    read_plain(source, session)
}

fn read_plain<L: Listener>(
    mut source: impl BufRead + Send,
    session: &mut Session<L>,
) -> Result<(), CaptureError> {
    let start = start(&mut source)?;
    let Some(magic) = start.first_chunk() else {
        return Err(if start.is_empty() { CaptureError::Empty } else { CaptureError::Format });
    };
    match packets::Kind::of(*magic) {
        Some(kind) => packets::read(source, kind, session),
        None if has_objects(start) => lines::read(source, session),
        None => Err(CaptureError::Format),
    }
}

/// Returns the bytes of the first read.
fn start(source: &mut impl BufRead) -> io::Result<&[u8]> {
    // `fill_buf` reads at most once. A pipe may yield fewer than four bytes, and is then rejected
    // as an unknown format.
    source.fill_buf()
}

/// Returns whether a line of the first read looks like a JSON object. A byte order mark or other
/// lines may stand before it.
fn has_objects(start: &[u8]) -> bool {
    let text = start.strip_prefix(&lines::BYTE_ORDER_MARK).unwrap_or(start);
    text.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_start().starts_with(b"{"))
}
