//! What kind of capture it is.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use crate::{CaptureError, Listener, Session, lines, packets};

const BUFFER_BYTES: usize = 1 << 16;

/// Reads a capture to its end, whatever kind it is, and tells the session's listener of every message and fault.
///
/// Several captures may be read into one session, one after the other; each begins with new connections.
///
/// # Errors
/// [`CaptureError`] when nothing at all could be read. Whatever is wrong later is a fault.
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

/// As much of the beginning as comes at once, four bytes at least if there are as many.
fn start(source: &mut impl BufRead) -> io::Result<&[u8]> {
    // A pipe may give very little at first, but a buffer asks for all it can hold: four bytes fail to come only at the end.
    source.fill_buf()
}

/// Whether some line at the beginning looks like a JSON object. There may be a byte order mark, or a line of something else.
fn has_objects(start: &[u8]) -> bool {
    let text = start.strip_prefix(&lines::BYTE_ORDER_MARK).unwrap_or(start);
    text.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_start().starts_with(b"{"))
}
