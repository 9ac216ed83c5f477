//! Any bytes as a message: refused with a field and a byte, or written back as they were.

use evenstride_wire::{Pretty, decode, encode};

/// Reads any bytes as a message of the opcode that the first byte chooses.
pub fn message(data: &[u8]) {
    // The opcode is no obstacle: the first byte chooses one that is known.
    const OPCODES: [u32; 20] = [
        0xF745, 0xF7DB, 0xF746, 0xF747, 0xF748, 0xF749, 0xF74A, 0xF74B, 0xF74C, 0xF74E, 0xF751, 0xF619,
        0xF625, 0xF7B1, 0xF755, 0xF750, 0xF754, 0xF7B0, 0x02DB, 0x02DC,
    ];
    let Some((&choice, rest)) = data.split_first() else { return };
    let mut bytes = OPCODES[usize::from(choice) % OPCODES.len()].to_le_bytes().to_vec();
    bytes.extend(rest);
    let Ok(decoded) = decode(&bytes) else { return };
    let _ = Pretty::new(&decoded.message).to_string();
    let mut written = Vec::new();
    encode(&decoded.message, &mut written);
    if decoded.odd_padding.is_none() {
        assert_eq!(written, bytes);
    }
    let again = decode(&written).expect("what was written can be read");
    let mut twice = Vec::new();
    encode(&again.message, &mut twice);
    assert_eq!(twice, written);
}
