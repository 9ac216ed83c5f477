//! Messages with their bytes and fields.

use evenstride_replay::{Said, TimedMessage};
use evenstride_types::EntityId;
use evenstride_wire::{Field, Message, Pretty, encode, fields, opcode_name};
use serde_json::{Value, json};

use crate::viewed_script::ViewedScript;

/// Largest number of messages in a list.
const MAX_LISTED: usize = 50_000;

impl ViewedScript {
    /// Returns the server's messages about an entity as JSON, oldest first: number, time, opcode, label and
    /// size in bytes. The first `from` messages of the recording are left out.
    pub fn messages(&self, entity: EntityId, from: usize) -> Value {
        let all = self.script.messages.iter().enumerate().skip(from);
        let about = all.filter(|(_, message)| is_about(message, entity));
        let listed = about.take(MAX_LISTED).filter_map(|(index, message)| {
            let Said::Server(update) = &message.said else { return None };
            let wire = Message::from(update.clone());
            let opcode = wire.opcode();
            Some(json!({
                "index": index,
                "time": message.time,
                "opcode": format!("{opcode:04X}"),
                "label": opcode_name(opcode).unwrap_or("Message"),
            }))
        });
        Value::Array(listed.collect())
    }

    /// Returns one message as JSON, with its bytes in hexadecimal, its fields and a line of text. Null if
    /// there is none with this number.
    pub fn message(&self, index: usize) -> Value {
        let Some(TimedMessage { time, said: Said::Server(update) }) = self.script.messages.get(index) else {
            return Value::Null;
        };
        let wire = Message::from(update.clone());
        let mut bytes = Vec::new();
        encode(&wire, &mut bytes);
        let opcode = wire.opcode();
        let fields = fields(&bytes);
        let listed: Vec<Value> = (0..fields.len())
            .map(|index| {
                let field = fields[index];
                let value = value_of(field.name, &bytes[field.from..field.to]);
                let name = name_of(&fields, index);
                json!({ "name": name, "value": value, "from": field.from, "to": field.to })
            })
            .collect();
        json!({
            "index": index,
            "time": time,
            "opcode": format!("{opcode:04X}"),
            "label": opcode_name(opcode).unwrap_or("Message"),
            "words": Pretty::new(&wire).to_string(),
            "hex": hex(&bytes),
            "fields": listed,
        })
    }
}

fn is_about(message: &TimedMessage, entity: EntityId) -> bool {
    matches!(&message.said, Said::Server(update) if update.entity() == Some(entity))
}

/// Returns the name of a field. The parts of a vector have the same name, and get their axes.
fn name_of(fields: &[Field], index: usize) -> String {
    let name = fields[index].name;
    let before = fields[..index].iter().rev().take_while(|field| field.name == name).count();
    let after = fields[index + 1..].iter().take_while(|field| field.name == name).count();
    match (before, before + after) {
        (axis @ 0..=2, 2) => format!("{name}.{}", ["x", "y", "z"][axis]),
        _ => name.to_owned(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Names of fields that are numbers with a fraction.
const FRACTIONS: [&str; 12] = [
    "origin",
    "rotation",
    "velocity",
    "speed",
    "omega",
    "friction",
    "elasticity",
    "scale",
    "acceleration",
    "run rate",
    "distance",
    "heading",
];

/// Returns the value of a field in words. Stamps and small numbers are decimal, ids hexadecimal.
fn value_of(name: &str, bytes: &[u8]) -> String {
    match *bytes {
        [one] => one.to_string(),
        [one, two] => u16::from_le_bytes([one, two]).to_string(),
        [one, two, three, four] => {
            let whole = u32::from_le_bytes([one, two, three, four]);
            let fraction = f32::from_bits(whole);
            let is_fraction = FRACTIONS.iter().any(|of| name.contains(of)) && fraction.is_finite();
            if is_fraction { format!("{fraction:.3}") } else { format!("{whole:X}") }
        }
        _ => format!("{} bytes", bytes.len()),
    }
}
