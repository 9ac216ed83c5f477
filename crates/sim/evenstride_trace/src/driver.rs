//! Who answers a trace, and what one line of each kind of trace does.

use std::fmt;

use serde_json::{Map, Value};

use crate::{
    compare::Rule,
    trace::{Line, LineKind, Malformed},
};

/// Does what a line says and answers in the trace's own terms.
pub trait Driver {
    /// Applies one line; the answer is compared with what the line expects.
    ///
    /// # Errors
    /// [`Malformed`] when the line is none that this driver knows, or lacks a field.
    fn apply(&mut self, line: &Line) -> Result<Map<String, Value>, Malformed>;

    /// Returns what the answer must be, field by field.
    ///
    /// # Errors
    /// [`Malformed`] when the line has no answer.
    fn expected(&self, line: &Line) -> Result<Map<String, Value>, Malformed> {
        line.expected().cloned()
    }

    /// Returns how a field of the answer to a line is compared.
    fn rule(&self, line: &LineKind, field: &str) -> Rule;
}

/// The drivers that traces name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DriverName {
    /// Pure functions of space and stamps.
    MathCalls,
    /// One body, stepped directly.
    Internal,
    /// One body, stepped through its own time slicing.
    UpdateObject,
    /// One body, stepped through the client's 30 Hz gate.
    UseTime,
    /// Render interpolation of a local body.
    Render38,
    /// An animation sequence.
    Sequence,
    /// Server-controlled movement of several bodies.
    MoveTo,
    /// The motion table.
    MotionTable,
    /// The motion interpreter.
    MotionInterp,
}

impl DriverName {
    /// Every driver, in the order they are reported.
    pub const ALL: [Self; 9] = [
        Self::MathCalls,
        Self::Internal,
        Self::UpdateObject,
        Self::UseTime,
        Self::Render38,
        Self::Sequence,
        Self::MoveTo,
        Self::MotionTable,
        Self::MotionInterp,
    ];

    /// The name in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MathCalls => "math_calls",
            Self::Internal => "internal",
            Self::UpdateObject => "update_object",
            Self::UseTime => "use_time",
            Self::Render38 => "render38",
            Self::Sequence => "sequence",
            Self::MoveTo => "moveto",
            Self::MotionTable => "motion_table",
            Self::MotionInterp => "motion_interp",
        }
    }

    /// The driver of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|driver| driver.name() == name)
    }
}

impl fmt::Display for DriverName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
