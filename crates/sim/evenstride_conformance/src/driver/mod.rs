//! Drivers that answer traces with the motion core, one for each kind of trace.

mod body;
mod legs;
mod math_calls;
mod moveto;
mod render;
mod scripted;

use evenstride_trace::{Driver, DriverName, Header, Malformed};
use serde_json::{Map, Value};

/// Creates the driver for a trace, in the state that the header describes.
///
/// # Errors
/// [`Malformed`] if the header lacks a field.
pub fn start(name: DriverName, header: &Header) -> Result<Box<dyn Driver>, Malformed> {
    let step = |ticking| Ok(Box::new(body::Body::start(header, ticking)?) as Box<dyn Driver>);
    match name {
        DriverName::MathCalls => Ok(Box::new(math_calls::MathCalls)),
        DriverName::Internal => step(body::Ticking::Step),
        DriverName::UpdateObject => step(body::Ticking::Update),
        DriverName::UseTime => step(body::Ticking::Advance),
        DriverName::Render38 => Ok(Box::new(render::Render::start(header)?)),
        DriverName::Sequence => Ok(Box::new(legs::SequenceDriver::start(header)?)),
        DriverName::MoveTo => Ok(Box::new(moveto::MoveTo::start(header)?)),
        DriverName::MotionTable => Ok(Box::new(legs::TableDriver::start(header)?)),
        DriverName::MotionInterp => Ok(Box::new(legs::InterpreterDriver::start(header)?)),
    }
}

/// Returns the object that a `json!` makes.
fn answer(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
