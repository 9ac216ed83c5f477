//! Drivers `sequence`, `motion_table` and `motion_interp`, for one body's animations without the
//! body.

mod interpreter;
mod library;
mod sequence;
mod table;

pub(super) use self::{interpreter::InterpreterDriver, sequence::SequenceDriver, table::TableDriver};
pub(super) use library::animations;

use crate::probe::{Played, ProbeItem, TableReading};
use serde_json::{Map, Value, json};

use super::answer;

fn hex(number: u32) -> String {
    format!("0x{number:08X}")
}

fn items(list: &[ProbeItem], item: impl Fn(&ProbeItem) -> Value) -> Vec<Value> {
    list.iter().map(item).collect()
}

/// Returns the fields that every answer of `motion_table` and `motion_interp` has.
fn table_block(reading: &TableReading) -> Map<String, Value> {
    answer(json!({
        "style": hex(reading.style),
        "substate": hex(reading.substate),
        "substate_mod": reading.speed,
        "modifiers": items(&reading.modifiers, |item| json!([hex(item.0), item.1])),
        "actions": items(&reading.actions, |item| json!([hex(item.0), item.1])),
        "pending": items(&reading.pending, |item| json!([hex(item.0), item.2])),
        "counter": reading.counter,
        "nodes": reading.nodes.iter().map(|(number, rate, low, high, is_cyclic)| {
            json!([number, rate, low, high, u32::from(*is_cyclic)])
        }).collect::<Vec<_>>(),
        "node": reading.node.map_or(-1, |place| place as i64),
        "frame_number": reading.frame,
        "vel": reading.velocity.to_array(),
        "omega": reading.omega.to_array(),
        "done": reading.done.iter().map(|(motion, success)| {
            json!([hex(*motion), u32::from(*success)])
        }).collect::<Vec<_>>(),
    }))
}

fn played_block(played: &Played, scale: f32) -> Map<String, Value> {
    answer(json!({
        "offset": (played.way.origin() * scale).to_array(),
        "quat": played.way.rotation().to_wxyz(),
        "anim_done": played.ended,
    }))
}
