//! What every rival does with messages: keeps what is newest, and how fast the entity says it moves.

use std::collections::HashMap;

use evenstride::{RUN_SPEED, SIDESTEP_SPEED, TURN_SPEED, WALK_SPEED};
use evenstride_types::{
    CellId, EntityId, Heading, Placement, Pose, Stamp, Vec3,
    update::{CommandTable, InterpretedState, MotionCommand, MovementKind, Update},
};

use super::Shown;

/// A place that was heard of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard {
    pub(super) time: f64,
    pub(super) shown: Shown,
}

/// What is known about one entity.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Newest last; as many as anybody needs.
    pub(super) heard: Vec<Heard>,
    /// Velocity its legs make, own axes; none if nobody has said, or it goes by itself.
    pub(super) legs: Option<Vec3>,
    /// Degrees a second, to the right.
    pub(super) turn: f32,
    /// Whether it was put elsewhere with the newest place.
    pub(super) has_jumped: bool,
    position: Stamp,
    teleport: Stamp,
}

/// Places that are remembered of each entity.
const KEPT: usize = 16;

/// Everybody.
#[derive(Clone, Debug, Default)]
pub(super) struct Feed {
    pub(super) known: HashMap<EntityId, Known>,
}

impl Feed {
    /// Takes a message. Answers whose newest place has changed.
    pub(super) fn hear(&mut self, now: f64, update: &Update) -> Option<EntityId> {
        match update {
            Update::Create(create) | Update::Recreate(create) => {
                let place = create.physics.position.as_ref()?.check().ok()?;
                let heard = vec![Heard { time: now, shown: shown(&place) }];
                let zero = Stamp::new(0);
                let known =
                    Known { heard, legs: None, turn: 0.0, has_jumped: true, position: zero, teleport: zero };
                self.known.insert(create.entity, known);
                Some(create.entity)
            }
            Update::Delete(delete) => {
                self.known.remove(&delete.entity);
                None
            }
            Update::Position(position) | Update::PositionAndMovement { position, .. } => {
                let place = position.pack.placement().check().ok()?;
                let known = self.known.get_mut(&position.entity)?;
                if !position.pack.position.is_newer_than(known.position) {
                    return None;
                }
                known.position = position.pack.position;
                known.has_jumped = position.pack.teleport.is_newer_than(known.teleport);
                if known.has_jumped {
                    known.teleport = position.pack.teleport;
                    known.heard.clear();
                }
                if known.heard.len() == KEPT {
                    known.heard.remove(0);
                }
                known.heard.push(Heard { time: now, shown: shown(&place) });
                Some(position.entity)
            }
            Update::Movement(movement) => {
                let known = self.known.get_mut(&movement.entity)?;
                match &movement.movement.body.kind {
                    MovementKind::Interpreted { state, .. } => {
                        known.legs = Some(velocity(state));
                        known.turn = turning(state);
                    }
                    // It goes by itself: how fast can only be seen.
                    _ => (known.legs, known.turn) = (None, 0.0),
                }
                None
            }
            _ => None,
        }
    }
}

impl Known {
    pub(super) fn newest(&self) -> Option<Heard> {
        self.heard.last().copied()
    }

    /// World axes: what its legs say, or what its last two places say.
    pub(super) fn velocity(&self) -> Vec3 {
        let Some(newest) = self.newest() else { return Vec3::ZERO };
        match self.legs {
            Some(legs) => turned(legs, newest.shown.heading),
            None => self.seen_velocity(),
        }
    }

    /// What its last two places say.
    pub(super) fn seen_velocity(&self) -> Vec3 {
        let [.., before, newest] = self.heard.as_slice() else { return Vec3::ZERO };
        let secs = newest.time - before.time;
        if !(0.01..=1.0).contains(&secs) {
            return Vec3::ZERO;
        }
        (newest.shown.at - before.shown.at) / secs as f32
    }
}

/// In the axes of the scene: metres from the corner of one landblock.
pub(crate) fn shown(place: &Placement) -> Shown {
    let corner = Placement::new(CellId::new(0xA9B4_0001).unwrap_or(CellId::CORNER), Pose::IDENTITY);
    Shown { at: corner.offset_to(place), heading: place.pose.heading().degrees() }
}

fn turned(local: Vec3, heading: f32) -> Vec3 {
    let nose = Heading::from_degrees(heading).unwrap_or(Heading::NORTH).direction();
    nose * local.y + Vec3::new(nose.y, -nose.x, 0.0) * local.x
}

fn command(index: Option<evenstride_types::update::CommandIndex>) -> Option<MotionCommand> {
    MotionCommand::from_index(index?, CommandTable::Final)
}

fn velocity(state: &InterpretedState) -> Vec3 {
    let speed = state.forward_speed.unwrap_or(1.0);
    let ahead = match command(state.forward) {
        Some(MotionCommand::WALK_FORWARD) => WALK_SPEED * speed,
        Some(MotionCommand::RUN_FORWARD) => RUN_SPEED * speed,
        _ => 0.0,
    };
    let aside = match command(state.sidestep) {
        Some(MotionCommand::SIDESTEP_RIGHT) => SIDESTEP_SPEED * state.sidestep_speed.unwrap_or(1.0),
        _ => 0.0,
    };
    Vec3::new(aside, ahead, 0.0)
}

fn turning(state: &InterpretedState) -> f32 {
    match command(state.turn) {
        Some(MotionCommand::TURN_RIGHT) => TURN_SPEED.to_degrees() * state.turn_speed.unwrap_or(1.0),
        _ => 0.0,
    }
}
