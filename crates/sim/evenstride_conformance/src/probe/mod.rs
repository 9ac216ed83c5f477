//! Ways to apply single events to the core, and to read what is inside. Everything in between is the code that ships.

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

/// Returns every animation of a sequence in the order it is played, and whether it is part of the cycle.
fn nodes_of(sequence: &Sequence, pool: &Pool<Node>) -> Vec<(Node, bool)> {
    let (mut link, mut is_cyclic, mut found) = (sequence.head, false, Vec::new());
    while let Some(node) = pool.get(link) {
        is_cyclic |= link == sequence.first_cyclic;
        found.push((*node, is_cyclic));
        link = node.next;
    }
    found
}

/// Returns which animation of a sequence is being played.
fn current_of(sequence: &Sequence, pool: &Pool<Node>) -> Option<usize> {
    let (mut link, mut place) = (sequence.head, 0);
    while let Some(node) = pool.get(link) {
        if link == sequence.current {
            return Some(place);
        }
        (link, place) = (node.next, place + 1);
    }
    None
}
