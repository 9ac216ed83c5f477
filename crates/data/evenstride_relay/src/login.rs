//! Logins without account and password.

use evenstride_wire::{HEADER_BYTES, Packet, PacketFlags, Section, write_packet};

/// The letter in place of those of accounts and passwords.
const BLANK: u8 = b'*';

/// Returns a login datagram with account and password blanked, in the same length. Its checksum fits if it
/// did before. Returns `None` for any other datagram.
///
/// The layout is that of section 1.9 of the wire specification. A login that is laid out otherwise is blanked
/// from its first unknown byte on.
pub fn blank_login(bytes: &[u8]) -> Option<Vec<u8>> {
    let packet = Packet::read(bytes).ok()?;
    if !packet.header.flags.contains(PacketFlags::LOGIN_REQUEST) {
        return None;
    }
    let Some(Section::LoginRequest(login)) = packet.sections.last() else {
        // It announces a login and is damaged before it. Nothing of it is worth a password.
        let mut blank = bytes.to_vec();
        blank.iter_mut().skip(HEADER_BYTES).for_each(|byte| *byte = BLANK);
        return Some(blank);
    };
    let mut login = login.clone();
    blank_body(&mut login);
    let mut sections = packet.sections.clone();
    sections.pop();
    sections.push(Section::LoginRequest(login));
    let mut blank = Vec::with_capacity(bytes.len());
    write_packet(&packet.header, &sections, &[], None, &mut blank);
    // A wrong checksum stays wrong by as much.
    let right = packet.header.hash().wrapping_add(packet.payload_hash());
    let wrong_by = packet.header.checksum.wrapping_sub(right);
    if let Some(checksum) = blank.get_mut(8..12) {
        let fitting = checksum.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
        checksum.copy_from_slice(&fitting.wrapping_add(wrong_by).to_le_bytes());
    }
    // A logger may have padded it.
    blank.resize(bytes.len(), BLANK);
    Some(blank)
}

/// Largest number of bytes of a version like `1802`. A longer text may be anything.
const VERSION_BYTES: usize = 8;

fn blank_body(body: &mut [u8]) {
    let end = body.len();
    // Version, number of bytes that follow, kind, flags and time.
    let Some(account) = string_end(body, 0).filter(|end| *end <= VERSION_BYTES).map(|version| version + 16)
    else {
        return body.fill(BLANK);
    };
    let Some(after) = string_end(body, account).filter(|after| *after <= end) else {
        let from = account.min(end);
        return body[from..].fill(BLANK);
    };
    let length = string_length(body, account).unwrap_or(0);
    body[account + 2..account + 2 + length].fill(BLANK);
    // An empty buffer, then the length of the password with its own length. All of them stay.
    let Some(size) = body.get(after + 4..after + 8) else {
        return body[after.min(end)..].fill(BLANK);
    };
    let is_empty = body[after..after + 4] == [0; 4];
    let size = u32::from_le_bytes([size[0], size[1], size[2], size[3]]) as usize;
    let password = after + 8;
    if !is_empty || password + size != end {
        return body[after..].fill(BLANK);
    }
    let prefix = match body.get(password) {
        Some(length) if *length >= 0x80 => 2,
        _ => 1,
    };
    body[(password + prefix).min(end)..].fill(BLANK);
}

/// Returns the offset after a string with a length of two bytes, padded to four.
fn string_end(body: &[u8], at: usize) -> Option<usize> {
    let length = string_length(body, at)?;
    let end = at + (2 + length).next_multiple_of(4);
    (end <= body.len()).then_some(end)
}

fn string_length(body: &[u8], at: usize) -> Option<usize> {
    let bytes = body.get(at..at + 2)?;
    Some(usize::from(u16::from_le_bytes([bytes[0], bytes[1]])))
}
