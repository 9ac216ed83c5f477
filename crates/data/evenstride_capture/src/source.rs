//! What kind of capture it is.

use std::io::{BufRead, BufReader, Read};

use crate::{Listener, NotACapture, Session, lines, packets};

/// Reads a capture to its end, whatever kind it is, and tells the session's listener of every message and fault.
///
/// Several captures may be read into one session, one after the other.
///
/// # Errors
/// [`NotACapture`] when nothing at all could be read. Whatever is wrong later is a fault.
pub fn read<L: Listener>(source: impl Read + Send, session: &mut Session<L>) -> Result<(), NotACapture> {
    let mut source = BufReader::with_capacity(1 << 16, source);
    let start = source.fill_buf()?;
    if start.is_empty() {
        return Err(NotACapture::Empty);
    }
    if start.len() >= 4 && is_packet_capture([start[0], start[1], start[2], start[3]]) {
        return packets::read(source, session);
    }
    match start.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'{') => lines::read(source, session),
        _ => Err(NotACapture::Format),
    }
}

/// The first four bytes of pcap, in both byte orders and both resolutions, and of pcapng.
const fn is_packet_capture(magic: [u8; 4]) -> bool {
    matches!(u32::from_le_bytes(magic), 0xA1B2_C3D4 | 0xD4C3_B2A1 | 0xA1B2_3C4D | 0x4D3C_B2A1 | 0x0A0D_0D0A)
}
