//! Behaviours of the client that traces pin, each with its function in the client, its traces and
//! what a failure looks like in the game.

mod animation;
mod body;
mod interpreter;
mod math;
mod moveto;
mod queue;
mod receive;

use crate::{
    DriverName,
    compare::Difference,
    trace::{Line, LineKind},
};

/// One behaviour of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behaviour {
    /// Stable name for programs, and anchor in `docs/conformance.md`.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// Functions of the client. Empty if the client has no such function.
    pub client: &'static [&'static str],
    /// What the client does.
    pub says: &'static str,
    /// What a failure looks like in the game.
    pub in_game: &'static str,
    /// Beginnings of the names of its traces, up to an underscore.
    pub traces: &'static [&'static str],
    /// Fields of answers, or names of calls, in which a failure shows.
    pub shown_by: &'static [&'static str],
}

impl Behaviour {
    /// Returns every behaviour, in the order of the documentation.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        GROUPS.iter().flat_map(|group| group.behaviours)
    }

    /// Returns the behaviour with this id.
    pub fn from_id(id: &str) -> Option<&'static Self> {
        Self::all().find(|behaviour| behaviour.id == id)
    }

    /// Returns whether a trace of this name pins the behaviour.
    pub fn is_pinned_by(&self, trace: &str) -> bool {
        let begins =
            |of: &str| trace.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
        self.traces.iter().any(|of| begins(of))
    }

    /// Returns the behaviours that a trace of this name pins.
    pub fn pinned_by(trace: &str) -> Vec<&'static Self> {
        Self::all().filter(|behaviour| behaviour.is_pinned_by(trace)).collect()
    }

    /// Returns the behaviour that a difference in a trace concerns most likely.
    ///
    /// Of the behaviours that the trace pins, it is the first whose call or field differs, else the
    /// first.
    pub fn behind(trace: &str, line: &Line, difference: &Difference) -> Option<&'static Self> {
        let pinned = Self::pinned_by(trace);
        let field = difference.field.rsplit('.').next().unwrap_or(&difference.field);
        let shows = |name: &str| pinned.iter().find(|behaviour| behaviour.shown_by.contains(&name));
        let call = match &line.kind {
            LineKind::Call(op) => shows(op),
            LineKind::Event(_) | LineKind::Tick => None,
        };
        call.or_else(|| shows(field)).or(pinned.first()).copied()
    }

    /// Returns whether lines of a driver show this behaviour one by one, as those of pure functions
    /// do.
    pub fn is_shown_by_call(&self, driver: DriverName, op: &str) -> bool {
        driver == DriverName::MathCalls && self.shown_by.contains(&op)
    }
}

/// Behaviours of one part of the client.
#[derive(Clone, Copy, Debug)]
pub struct BehaviourGroup {
    /// Title for people.
    pub title: &'static str,
    /// Its behaviours.
    pub behaviours: &'static [Behaviour],
}

impl BehaviourGroup {
    /// Returns every group, in the order of the documentation.
    pub const fn all() -> &'static [Self] {
        GROUPS
    }
}

const GROUPS: &[BehaviourGroup] = &[
    BehaviourGroup { title: "Space and stamps", behaviours: math::MATH },
    BehaviourGroup { title: "The queue of waypoints", behaviours: queue::QUEUE },
    BehaviourGroup { title: "Received positions", behaviours: receive::RECEIVE },
    BehaviourGroup { title: "One body", behaviours: body::BODY },
    BehaviourGroup { title: "Animations", behaviours: animation::ANIMATION },
    BehaviourGroup { title: "Goals from the server", behaviours: moveto::MOVETO },
    BehaviourGroup { title: "The motion interpreter", behaviours: interpreter::INTERPRETER },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_are_unique_and_every_text_is_a_sentence() {
        let ids: BTreeSet<&str> = Behaviour::all().map(|of| of.id).collect();
        assert_eq!(ids.len(), Behaviour::all().count());
        for of in Behaviour::all() {
            assert!(of.id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", of.id);
            assert!(!of.traces.is_empty() && !of.shown_by.is_empty(), "{}", of.id);
            for text in [of.says, of.in_game] {
                assert!(text.ends_with('.') && text.starts_with(char::is_uppercase), "{}: {text}", of.id);
            }
        }
    }

    #[test]
    fn a_name_that_only_begins_alike_is_another_trace() {
        let tether = Behaviour::from_id("tether").unwrap();
        assert!(tether.is_pinned_by("h28_constraint_leash_outdoor") && tether.is_pinned_by("h28"));
        assert!(!tether.is_pinned_by("h280_other") && !tether.is_pinned_by("h2"));
    }
}
