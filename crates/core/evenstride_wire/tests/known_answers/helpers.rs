//! Reading bytes as the specification prints them.

use evenstride_types::{
    Vec3,
    update::{PlayerAction, Update},
};
use evenstride_wire::{ActionMessage, Guard, KeyStream, Message, Packet, decode, encode, write_packet};

pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    assert!(digits.len().is_multiple_of(2), "half a byte: {text}");
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

/// Numbers by their bytes, in wire order.
pub(crate) fn floats<const N: usize>(text: &str) -> [f32; N] {
    let bytes = hex(text);
    assert_eq!(bytes.len(), 4 * N, "{text}");
    std::array::from_fn(|index| f32::from_bits(word(&bytes, 4 * index)))
}

pub(crate) fn float(text: &str) -> f32 {
    floats::<1>(text)[0]
}

pub(crate) fn vector(text: &str) -> Vec3 {
    Vec3::from_array(floats(text))
}

pub(crate) fn double(text: &str) -> f64 {
    f64::from_le_bytes(hex(text).try_into().unwrap())
}

pub(crate) fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// As near as a number written down in decimals can be expected to be.
#[track_caller]
pub(crate) fn near(actual: f32, stated: f32) {
    assert!((actual - stated).abs() <= 1e-4 * stated.abs(), "{actual} is not {stated}");
}

#[track_caller]
pub(crate) fn near_vector(actual: Vec3, stated: [f32; 3]) {
    actual.to_array().into_iter().zip(stated).for_each(|(actual, stated)| near(actual, stated));
}

/// Reads a datagram, and checks that it is written back to the same bytes and that its header's hash is the
/// sum it should be.
pub(crate) fn datagram(bytes: &[u8]) -> Packet<'_> {
    let packet = Packet::read(bytes).unwrap();
    assert_eq!(packet.fault, None);
    let key = match packet.guard() {
        Guard::Key(key) => Some(key),
        Guard::Fits => None,
        Guard::Broken => panic!("{packet:?}"),
    };
    let mut written = Vec::new();
    write_packet(&packet.header, &packet.sections, &packet.fragments, key, &mut written);
    assert_eq!(written, bytes);
    let header = &packet.header;
    let words = [
        header.sequence,
        header.flags.bits(),
        u32::from(header.recipient) | (u32::from(header.interval) << 16),
        u32::from(header.size) | (u32::from(header.iteration) << 16),
    ];
    assert_eq!(header.hash(), words.into_iter().fold(0xBAF1_70DD, u32::wrapping_add));
    packet
}

/// The header's hash, the payload's, and what is left of the checksum.
pub(crate) fn sums(packet: &Packet<'_>) -> (u32, u32, Guard) {
    (packet.header.hash(), packet.payload_hash(), packet.guard())
}

/// Seeds of the recorded session, as its handshake gives them.
pub(crate) const SERVER_SEED: u32 = 0x6A98_D361;
pub(crate) const CLIENT_SEED: u32 = 0x1C08_CCF5;

/// The word of a seed's stream that guards the packet of this number.
pub(crate) fn key_of(seed: u32, sequence: usize) -> u32 {
    let mut keys = KeyStream::new(seed);
    std::iter::repeat_with(|| keys.next_key()).nth(sequence - 2).unwrap()
}

/// Decodes a message, and checks that it is written back to the same bytes.
pub(crate) fn read_back(bytes: &[u8]) -> Message {
    let decoded = decode(bytes).unwrap_or_else(|error| panic!("{bytes:02x?}: {error}"));
    assert_eq!(decoded.odd_padding, None, "{bytes:02x?}");
    let mut written = Vec::new();
    encode(&decoded.message, &mut written);
    assert_eq!(written, bytes);
    decoded.message
}

#[track_caller]
pub(crate) fn says(text: &str, expected: Update) {
    assert_eq!(read_back(&hex(text)), Message::Update(expected), "{text}");
}

#[track_caller]
pub(crate) fn asks(text: &str, counter: u32, action: PlayerAction) {
    let expected = Message::Action(ActionMessage { counter, action: Ok(action) });
    assert_eq!(read_back(&hex(text)), expected, "{text}");
}
