//! The published tolerances, by driver and field.

use crate::{DriverName, compare::Rule, trace::LineKind};

impl DriverName {
    /// Returns the rule for comparing a field of the answer to a line. Fields of several bodies have
    /// names like `1.pos`.
    pub fn rule(self, line: &LineKind, field: &str) -> Rule {
        let field = field.rsplit('.').next().unwrap_or(field);
        if !matches!(line, LineKind::Call(_)) && INPUTS.contains(&field) {
            return Rule::Input;
        }
        match self {
            Self::MathCalls => of_math(line, field),
            Self::Internal | Self::UpdateObject | Self::UseTime => of_body(field),
            Self::Render38 => of_render(field),
            Self::Sequence => of_sequence(field),
            Self::MoveTo => of_move_to(line, field),
            Self::MotionTable => of_table(field),
            Self::MotionInterp => of_interpreter(field),
        }
    }
}

/// Fields of events and ticks that tell what happens. Their values are inputs in every line.
pub(crate) const INPUTS: [&str; 4] = ["type", "tick", "t", "dt"];

fn of_math(line: &LineKind, field: &str) -> Rule {
    match field {
        "pos" => Rule::Within(1e-3),
        "quat" => Rule::Rotation(1e-3),
        "vec" => Rule::Within(2e-3),
        "value" if matches!(line, LineKind::Call(op) if op.ends_with("heading")) => Rule::Degrees(1e-2),
        "value" => Rule::Within(1e-2),
        _ => Rule::Exact,
    }
}

fn of_body(field: &str) -> Rule {
    match field {
        "pos" | "vel" => Rule::Within(1e-3),
        "quat" => Rule::Rotation(1e-3),
        "cvel" => Rule::Within(5e-2),
        "od" | "pd" | "constraint" => Rule::Within(2e-3),
        "pq" => Rule::Within(1e-4),
        "quanta" | "frame_number" => Rule::Within(1e-6),
        _ => Rule::Exact,
    }
}

fn of_render(field: &str) -> Rule {
    match field {
        "pos" | "vel" | "render" | "alpha" => Rule::Within(1e-3),
        "quat" => Rule::Rotation(1e-3),
        "accum" => Rule::Within(1e-5),
        "quanta" => Rule::Within(1e-6),
        _ => Rule::Exact,
    }
}

fn of_sequence(field: &str) -> Rule {
    match field {
        "offset" | "pos" => Rule::Within(1e-4),
        "quat" => Rule::Rotation(1e-4),
        "frame_number" => Rule::Within(1e-6),
        _ => Rule::Exact,
    }
}

fn of_move_to(line: &LineKind, field: &str) -> Rule {
    match (line, field) {
        (LineKind::Call(_), "value") => Rule::Degrees(2e-3),
        (LineKind::Call(_), "speed" | "pd" | "pdt") => Rule::Within(2e-3),
        (_, "pos" | "tp") => Rule::Within(2e-3),
        (_, "h" | "ph") => Rule::Degrees(0.02),
        (_, "cvel" | "sp" | "tq" | "voy" | "msgs") => Rule::Within(0.02),
        (_, "nodes" | "calls") => Rule::Degrees(0.02),
        (_, "pd" | "od") => Rule::Within(4e-3),
        (_, "pdt" | "odt") => Rule::Within(1e-6),
        (_, "fwd" | "turn") => Rule::Within(1e-3),
        _ => Rule::Exact,
    }
}

fn of_table(field: &str) -> Rule {
    match field {
        "offset" | "vel" | "omega" => Rule::Within(1e-4),
        "quat" => Rule::Rotation(1e-4),
        "frame_number" => Rule::Within(1e-5),
        "nodes" | "modifiers" | "actions" | "substate_mod" => Rule::Within(1e-4),
        _ => Rule::Exact,
    }
}

fn of_interpreter(field: &str) -> Rule {
    match field {
        "jump_extent" | "state_vel" | "leave_vel" | "pvel" | "jump_vz" | "max_speed" | "adj_max_speed"
        | "my_run_rate" | "raw" | "interp" | "adjusted" | "decoded" | "int_actions" | "raw_actions" => {
            Rule::Within(1e-4)
        }
        _ => of_table(field),
    }
}
