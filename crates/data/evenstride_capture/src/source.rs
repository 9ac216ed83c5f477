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
/// # Errors
/// [`CaptureError`] if the capture is not readable at all. Later problems are faults, including
/// failures of the source itself.
pub fn read<L: Listener>(mut source: impl Read + Send, session: &mut Session<L>) -> Result<(), CaptureError> {
    session.begin_file();
    let mut magic = Vec::new();
    (&mut source).take(GZIP.len() as u64).read_to_end(&mut magic)?;
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
/// processed first.
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
        let wanted = if self.has_begun { 1 } else { buffer.len() };
        self.has_begun = true;
        let mut filled = 0;
        while filled < wanted && self.error.is_none() {
            match self.source.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.error = Some(error),
            }
        }
        Ok(filled)
    }
}

/// First two bytes of a gzipped file.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Number of bytes that identify a format.
const MAGIC_BYTES: usize = 4;
