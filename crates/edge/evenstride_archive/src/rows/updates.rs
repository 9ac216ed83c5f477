//! Rows of the table `updates`.

use std::collections::{BTreeSet, HashMap};

use evenstride_replay::{Frame, Heard, ReplayObserver, Said, Still};
use evenstride_types::{
    EntityId, Placement, RawPlacement,
    update::{DescribedMovement, MovementBody, MovementKind, PlayerAction, Update},
};

use crate::{
    batch::Value,
    described::Described,
    error::TableError,
    sink::{BatchSink, Filled, Filling},
    table::UPDATES,
};

use super::to_microseconds;

/// Observes a replay, and makes a row for every message.
#[derive(Debug)]
pub struct UpdateRows<S> {
    out: Filling<S>,
    capture: String,
    player: Option<EntityId>,
    described: Described,
    heard: HashMap<EntityId, LastHeard>,
    /// Entities that the server sent somewhere. The world decides when they walk, run and stop.
    sent: BTreeSet<EntityId>,
}

/// What was heard last about an entity.
#[derive(Clone, Copy, Debug, Default)]
struct LastHeard {
    position: Option<(f64, Placement)>,
    /// Index of the forward motion, and its speed factor.
    command: Option<(u16, f32)>,
    /// Whether the motion is the same since the last position.
    is_steady: bool,
}

/// Index of the motion of an entity that stands, which is the default.
const READY: u16 = 3;

impl<S: BatchSink> UpdateRows<S> {
    /// Creates an observer. `capture` is the text of the column of that name. `player` is the player whose
    /// client recorded it.
    pub fn new(sink: S, capture: &str, player: Option<EntityId>, described: Described) -> Self {
        let out = Filling::new(&UPDATES, sink);
        Self {
            out,
            capture: capture.to_owned(),
            player,
            described,
            heard: HashMap::new(),
            sent: BTreeSet::new(),
        }
    }

    /// Leaves out all rows after `rows` rows.
    #[must_use]
    pub fn with_limit(mut self, rows: u64) -> Self {
        self.out = self.out.with_limit(rows);
        self
    }

    /// Writes the last rows.
    ///
    /// # Errors
    /// The first error that occurred while writing.
    pub fn finish(self) -> Result<Filled<S>, TableError> {
        self.out.finish()
    }
}

impl LastHeard {
    /// Notes the forward motion and its speed factor.
    fn note(&mut self, command: Option<(u16, f32)>) {
        if command != self.command {
            (self.command, self.is_steady) = (command, false);
        }
    }
}

/// Returns the forward motion that a movement names, and its speed factor. `None` if the server only names a
/// goal.
fn command_of(body: &MovementBody) -> Option<(u16, f32)> {
    let MovementKind::Interpreted { state, .. } = &body.kind else { return None };
    Some((state.forward.map_or(READY, |command| command.0), state.forward_speed.unwrap_or(1.0)))
}

impl<S: BatchSink> ReplayObserver for UpdateRows<S> {
    fn heard(&mut self, heard: &Heard<'_>) {
        let (entity, place) = match heard.said {
            Said::Server(update) => (update.entity(), place_of(update)),
            Said::Client(action) => (self.player, action.position().copied()),
        };
        let is_accepted = heard.disposition.is_none_or(evenstride::Disposition::is_accepted);
        let mut row = LastHeard::default();
        let (mut gap, mut moved, mut error, mut steady) = (None, None, None, None);
        if let (Some(entity), Said::Server(update)) = (entity, heard.said) {
            let last = self.heard.entry(entity).or_default();
            if let Some(body) = movement_of(update).filter(|_| is_accepted) {
                last.note(command_of(body));
                match body.kind {
                    MovementKind::MoveToObject { .. } | MovementKind::MoveToPosition { .. } => {
                        self.sent.insert(entity);
                    }
                    _ => drop(self.sent.remove(&entity)),
                }
            }
            if let Some((_, here)) = heard.believed() {
                if let Some((time, there)) = last.position {
                    (gap, moved) = (Some(heard.arrived - time), Some(there.distance_on_map(&here) as f32));
                    steady = last.command.map(|_| last.is_steady);
                }
                error = heard.drawn.map(|drawn| drawn.distance(&here) as f32);
                (last.position, last.is_steady) = (Some((heard.arrived, here)), true);
            }
            if matches!(update, Update::Delete(_) | Update::Recreate(_)) {
                last.position = None;
                self.sent.remove(&entity);
            }
            row = *last;
        }
        if self.out.admit(1) == 0 {
            return;
        }
        let outcome = heard.disposition.map(ToString::to_string).unwrap_or_default();
        let axis = |of: fn(&RawPlacement) -> f32| Value::float(place.as_ref().map(of));
        self.out.batch.push([
            Value::Text(&self.capture),
            Value::Double(to_microseconds(heard.time)),
            Value::Double(heard.arrived),
            Value::number(entity.map(EntityId::raw)),
            Value::Flag(matches!(heard.said, Said::Server(_))),
            Value::Text(kind_of(heard.said)),
            Value::Text(&outcome),
            Value::Flag(is_accepted),
            Value::double(gap),
            Value::float(moved),
            Value::number(place.as_ref().map(|place| place.cell)),
            axis(|place| place.origin.x),
            axis(|place| place.origin.y),
            axis(|place| place.origin.z),
            Value::float(error),
            Value::number(row.command.map(|(command, _)| u32::from(command))),
            Value::float(row.command.map(|(_, speed)| speed)),
            steady.map_or(Value::Missing, Value::Flag),
            Value::number(entity.and_then(|entity| self.described.motion_table_at(entity, heard.arrived))),
            Value::float(entity.and_then(|entity| self.described.scale_at(entity, heard.arrived))),
        ]);
        self.out.settle();
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        for entity in &self.sent {
            let Some(body) = frame.world.get(*entity) else { continue };
            let gait = body.animation(frame.now).gait;
            let last = self.heard.entry(*entity).or_default();
            last.note(Some((gait.forward.index().0, gait.forward_speed)));
        }
    }

    /// Nothing moves, so no motion changes.
    fn still(&mut self, _: &Still<'_>) {}
}

/// Returns the place in a message.
fn place_of(update: &Update) -> Option<RawPlacement> {
    match update {
        Update::Position(position) | Update::PositionAndMovement { position, .. } => {
            Some(position.pack.placement())
        }
        Update::Create(create) | Update::Recreate(create) => create.physics.position,
        _ => None,
    }
}

fn movement_of(update: &Update) -> Option<&MovementBody> {
    match update {
        Update::Movement(update) => Some(&update.movement.body),
        Update::PositionAndMovement { movement, .. } => Some(&movement.body),
        Update::Create(create) | Update::Recreate(create) => match &create.physics.movement {
            Some(DescribedMovement::Doing { body, .. }) => Some(body),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the name of a kind of message, in snake case.
const fn kind_of(said: &Said) -> &'static str {
    match said {
        Said::Server(update) => match update {
            Update::Create(_) => "create",
            Update::Recreate(_) => "recreate",
            Update::LocalPlayer(_) => "local_player",
            Update::Delete(_) => "delete",
            Update::Position(_) => "position",
            Update::Parent(_) => "parent",
            Update::Pickup(_) => "pickup",
            Update::State(_) => "state",
            Update::Movement(_) => "movement",
            Update::Vector(_) => "vector",
            Update::Teleport(_) => "teleport",
            Update::PositionAndMovement { .. } => "position_and_movement",
            _ => "other",
        },
        Said::Client(action) => match action {
            PlayerAction::MoveToState(_) => "move_to_state",
            PlayerAction::AutonomousPosition(_) => "autonomous_position",
            PlayerAction::Jump(_) => "jump",
            PlayerAction::ServerJump { .. } => "server_jump",
            PlayerAction::MovementCommand(_) => "movement_command",
            PlayerAction::StopCommand(_) => "stop_command",
            PlayerAction::TurnTo { .. } => "turn_to",
            PlayerAction::AutonomyLevel(_) => "autonomy_level",
            _ => "other_action",
        },
    }
}
