//! Probes, which apply single events to the core and read its internals. Everything in between is
//! the code that ships.

mod body;
mod double;
mod interpreter;
mod moveto;

pub(crate) use self::{
    body::{Probe, ProbeSetup, ProbeWaypoint, Projectile, Reading},
    double::DoubleSetup,
    interpreter::{
        InterpreterProbe, InterpreterReading, Played, ProbeBody, ProbeGame, ProbeItem, ProbeParams,
        TableReading,
    },
    moveto::{MoveToProbe, ProbeCall, ProbeGoal, ProbeMoveTo, pure},
};

use evenstride::probe::{Node, Pool, Sequence};

/// Returns every animation of a sequence in playing order, and whether it is part of the cycle.
fn nodes_of(sequence: &Sequence, pool: &Pool<Node>) -> Vec<(Node, bool)> {
    let mut is_cyclic = false;
    let marked = sequence.list.indexed(pool).map(|(index, node)| {
        is_cyclic |= index == sequence.first_cyclic;
        (node, is_cyclic)
    });
    marked.collect()
}

/// Returns the index of the animation being played.
fn current_of(sequence: &Sequence, pool: &Pool<Node>) -> Option<usize> {
    sequence.list.indexed(pool).position(|(index, _)| index == sequence.current)
}
