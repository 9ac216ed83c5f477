//! Any bytes as a capture file: no panic, no hang, bounded memory, the same twice.

use evenstride_capture::{CapturedMessage, Fault, Listener, Session, Totals, read};
use evenstride_wire::{Pretty, decode};

#[derive(Default)]
struct Heard {
    messages: u64,
    bytes: usize,
    faults: Vec<String>,
}

impl Listener for Heard {
    fn message(&mut self, message: &CapturedMessage<'_>) {
        self.messages += 1;
        self.bytes += message.bytes.len();
        if let Ok(decoded) = decode(message.bytes) {
            let _ = Pretty::new(&decoded.message).to_string();
        }
    }

    fn fault(&mut self, fault: Fault) {
        self.faults.push(fault.to_string());
    }
}

fn heard(data: &[u8]) -> Option<(Totals, usize, Vec<String>)> {
    let mut session = Session::new(Heard::default());
    read(data, &mut session).ok()?;
    let totals = session.totals();
    let Heard { messages, bytes, faults } = session.listener;
    assert_eq!(totals.messages, messages);
    assert_eq!(totals.faults + totals.checksum_failures, faults.len() as u64);
    assert!(bytes <= data.len(), "{bytes} bytes of messages from {} of a file", data.len());
    Some((totals, bytes, faults))
}

/// Reads any bytes as a capture, twice.
pub fn capture(data: &[u8]) {
    assert_eq!(heard(data), heard(data));
}
