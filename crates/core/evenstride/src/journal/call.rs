//! Calls that a move-to, a follow, an observation or the interpreter makes, one by one.
//!
//! Reference traces compare them with the calls of a model of the client. No production code reads
//! them.

use evenstride_types::{EntityId, update::MotionCommand};

use crate::outcome::{MoveToEnd, TargetUpdate};

/// One call, about the body that is the subject of the journal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Call {
    /// A motion was begun. Motion and speed are in canonical form, as in
    /// [`InterpretedMotion`](crate::animation::InterpretedMotion). `code` is the client's number
    /// for the answer (0 for success).
    Do { motion: MotionCommand, speed: f32, code: u32 },
    /// A motion was ended. The fields are those of [`Call::Do`].
    Stop { motion: MotionCommand, speed: f32, code: u32 },
    /// All motions were ended.
    StopCompletely,
    /// The body was turned on the spot to this heading, in degrees.
    SetHeading(f32),
    /// The body begins to observe an entity. `quantum` is the look-ahead, in seconds, of the
    /// predicted place that it asks for.
    SetTarget { entity: EntityId, quantum: f64 },
    /// The body ends its observation.
    ClearTarget,
    /// The body asks for the place of its target this many seconds ahead.
    SetQuantum(f64),
    /// The body begins to follow an entity. `radius` is the target's, in metres.
    Stick { entity: EntityId, radius: f32 },
    /// The body ends its follow.
    Unstick,
    /// An observer is sent an update about its target. `quantum` is the observer's, in seconds.
    Tell { to: EntityId, news: TargetUpdate, quantum: f32 },
    /// The move-to of the body has ended.
    End(MoveToEnd),
    /// The interpreter asks for the end of the move-to. The caller of the interpreter has ended it
    /// already.
    CancelMoveTo,
    /// A pending motion is done. `success` is `false` if its animation was not played to the end.
    MotionDone { motion: MotionCommand, success: bool },
}
