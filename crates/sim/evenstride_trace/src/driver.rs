//! Drivers, which answer traces, and the names of all of them.

use std::fmt;

use serde_json::{Map, Value};

use crate::trace::{Line, Malformed};

/// Applies the lines of a trace, and returns answers in the format of the trace.
pub trait Driver {
    /// Applies one line, and returns the answer to be compared with the expected one.
    ///
    /// # Errors
    /// [`Malformed`] if the line is unknown to this driver, or lacks a field.
    fn apply(&mut self, line: &Line) -> Result<Map<String, Value>, Malformed>;
}

/// The drivers, one for each kind of trace.
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
    /// Every driver, in the order of reports.
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

    /// Returns the name that traces use.
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

    /// Returns the driver with this name, or `None` if the name is unknown.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|driver| driver.name() == name)
    }
}

impl fmt::Display for DriverName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
