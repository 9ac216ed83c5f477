//! Message handling that all rivals share: the newest places, and the speed that the messages
//! state.

use std::collections::HashMap;

use evenstride::limits::{RUN_SPEED, SIDESTEP_SPEED, TURN_SPEED, WALK_SPEED};
use evenstride_types::{
    CellId, EntityId, Heading, Placement, Pose, Stamp, StampKind, Vec3,
    update::{
        CommandTable, DescribedMovement, InterpretedState, MotionCommand, MovementKind, PositionUpdate,
        Update,
    },
};

use super::Shown;

/// A received place and its time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard {
    pub(super) time: f64,
    pub(super) shown: Shown,
}

/// State of one entity, as far as its messages tell.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Received places, newest last, at most 16.
    pub(super) heard: Vec<Heard>,
    /// Velocity that the legs make, in the entity's own axes. `None` before the first movement
    /// message and during a move-to.
    pub(super) legs: Option<Vec3>,
    /// Turn to the right in degrees per second.
    pub(super) turn: f32,
    /// Velocity in world axes, while the entity is in the air.
    pub(super) thrown: Option<Vec3>,
    /// Whether the newest place came with a teleport.
    pub(super) has_jumped: bool,
    position: Stamp,
    teleport: Stamp,
}

/// Places kept per entity.
const KEPT: usize = 16;

/// All known entities.
#[derive(Clone, Debug, Default)]
pub(super) struct Feed {
    pub(super) known: HashMap<EntityId, Known>,
}

impl Feed {
    /// Handles a message. Returns the entity whose newest place has changed.
    pub(super) fn hear(&mut self, now: f64, update: &Update) -> Option<EntityId> {
        match update {
            Update::Create(create) | Update::Recreate(create) => {
                let place = create.physics.position.as_ref()?.check().ok()?;
                let stamps = &create.physics.stamps;
                let mut known = Known::at(now, &place);
                known.position = stamps.seen(StampKind::Position);
                known.teleport = stamps.seen(StampKind::Teleport);
                known.thrown = create.physics.velocity;
                if let Some(DescribedMovement::Doing { body, .. }) = &create.physics.movement {
                    known.told(&body.kind);
                }
                self.known.insert(create.entity, known);
                Some(create.entity)
            }
            Update::Delete(delete) => {
                self.known.remove(&delete.entity);
                None
            }
            Update::Position(position) => self.place(now, position),
            Update::PositionAndMovement { position, movement } => {
                let about = self.place(now, position);
                self.known.get_mut(&position.entity)?.told(&movement.body.kind);
                about
            }
            Update::Movement(movement) => {
                self.known.get_mut(&movement.entity)?.told(&movement.movement.body.kind);
                None
            }
            Update::Vector(vector) => {
                self.known.get_mut(&vector.entity)?.thrown = Some(vector.velocity);
                None
            }
            _ => None,
        }
    }
}

impl Feed {
    /// Handles a position if it is newer. A position of an unknown entity adds the entity.
    fn place(&mut self, now: f64, position: &PositionUpdate) -> Option<EntityId> {
        let place = position.pack.placement().check().ok()?;
        let Some(known) = self.known.get_mut(&position.entity) else {
            let mut known = Known::at(now, &place);
            (known.position, known.teleport) = (position.pack.position, position.pack.teleport);
            self.known.insert(position.entity, known);
            return Some(position.entity);
        };
        if !position.pack.position.is_newer_than(known.position) {
            return None;
        }
        known.position = position.pack.position;
        known.has_jumped = position.pack.teleport.is_newer_than(known.teleport);
        if known.has_jumped {
            known.teleport = position.pack.teleport;
            known.heard.clear();
        }
        if position.pack.has_contact {
            known.thrown = None;
        }
        if known.heard.len() == KEPT {
            known.heard.remove(0);
        }
        known.heard.push(Heard { time: now, shown: shown(&place) });
        Some(position.entity)
    }
}

impl Known {
    const fn nothing() -> Self {
        let zero = Stamp::new(0);
        Self {
            heard: Vec::new(),
            legs: None,
            turn: 0.0,
            thrown: None,
            has_jumped: true,
            position: zero,
            teleport: zero,
        }
    }

    fn at(now: f64, place: &Placement) -> Self {
        Self { heard: vec![Heard { time: now, shown: shown(place) }], ..Self::nothing() }
    }

    fn told(&mut self, kind: &MovementKind) {
        match kind {
            MovementKind::Interpreted { state, .. } => {
                self.legs = Some(velocity(state));
                self.turn = turning(state);
            }
            // During a move-to, only positions show the speed.
            _ => (self.legs, self.turn) = (None, 0.0),
        }
    }

    pub(super) fn newest(&self) -> Option<Heard> {
        self.heard.last().copied()
    }

    /// Returns the velocity in world axes: of the flight, else of the legs, else from the last two
    /// places.
    pub(super) fn velocity(&self, now: f64) -> Vec3 {
        let Some(newest) = self.newest() else { return Vec3::ZERO };
        match (self.thrown, self.legs) {
            (Some(thrown), _) => thrown,
            (None, Some(legs)) => turned(legs, newest.shown.heading),
            (None, None) => self.seen_velocity(now),
        }
    }

    /// Returns the velocity from the last two places, or zero if they are too old.
    pub(super) fn seen_velocity(&self, now: f64) -> Vec3 {
        let [.., before, newest] = self.heard.as_slice() else { return Vec3::ZERO };
        let secs = newest.time - before.time;
        if !(0.01..=2.5).contains(&secs) || now - newest.time > 2.5 * secs {
            return Vec3::ZERO;
        }
        (newest.shown.at - before.shown.at) / secs as f32
    }
}

/// Returns a place in the axes of the scene, in metres from the corner of one landblock.
pub(crate) fn shown(place: &Placement) -> Shown {
    let corner = Placement::new(CellId::new(0xA9B4_0001).unwrap_or(CellId::CORNER), Pose::IDENTITY);
    Shown { at: corner.offset_to(place), heading: place.pose.heading().degrees() }
}

/// Returns the turn from one heading to another in degrees, −180 to 180, positive to the right.
pub(crate) fn between_headings(from: f32, to: f32) -> f32 {
    (to - from + 540.0).rem_euclid(360.0) - 180.0
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
