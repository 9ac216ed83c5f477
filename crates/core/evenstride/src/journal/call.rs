//! What going somewhere asks of a body, call by call: for reference traces, which write it all down.

use evenstride_types::{EntityId, update::MotionCommand};

use crate::outcome::{MoveToEnd, TargetUpdate};

/// One call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Call {
    /// A motion was begun; the answer is the client's number for it.
    Do { motion: MotionCommand, speed: f32, code: u32 },
    /// A motion was ended.
    Stop { motion: MotionCommand, speed: f32, code: u32 },
    /// Everything was ended.
    StopCompletely,
    /// It was turned on the spot.
    SetHeading(f32),
    /// It keeps an eye on somebody.
    SetTarget { entity: EntityId, quantum: f64 },
    /// It keeps an eye on nobody.
    ClearTarget,
    /// It wants to know so far ahead.
    SetQuantum(f64),
    /// It follows somebody.
    Stick { entity: EntityId, radius: f32 },
    /// It follows nobody.
    Unstick,
    /// It tells somebody about itself.
    Tell { to: EntityId, news: TargetUpdate, quantum: f32 },
    /// It goes nowhere any more.
    End(MoveToEnd),
    /// A move-to is to end. The caller of the interpreter has ended it already.
    CancelMoveTo,
    /// A motion is done, played to its end or not.
    MotionDone { motion: MotionCommand, success: bool },
}
