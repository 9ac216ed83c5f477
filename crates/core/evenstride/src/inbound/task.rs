//! Movements, as far as they involve other bodies or a goal.
//!
//! A movement message becomes a task here. The motion interpreter takes the rest of it
//! (`movement.rs`), and `moveto/` carries the goal out. This file also notes which animations a
//! traced body plays.

use evenstride_types::{
    Cylinder, EntityId, RawPlacement, SimTime, Stamp, Vec3,
    update::{MotionCommand, MovementBody, MovementKind, TurnToParams},
};

use crate::{
    body::{flags::Flags, observers::FollowRequest},
    inbound::GatedMovement,
    journal::{Happening, Journal},
    motion::{InterpretedMotion, goal::MoveToGoal, movement_params::MovementParams},
    outcome::{Disposition, Outcome, RefuseReason, TableOrigin},
    world::MotionWorld,
};

/// The part of a movement that involves other bodies or a goal.
pub(crate) enum MovementTask {
    /// The movement concerns only the body itself.
    None,
    /// Type 0 that names a body to follow.
    Follow(FollowRequest),
    /// Types 6 to 9, with checked parameters.
    MoveTo(MoveToGoal, MovementParams),
}

impl MotionWorld {
    /// Handles a movement of an existing body of the same life.
    ///
    /// An invalid goal is refused before any stamp is stored. Otherwise the interpreter takes the
    /// movement, the decision is noted, and the task begins. The local player then loses control to
    /// the server.
    pub(crate) fn on_movement(
        &mut self,
        now: SimTime,
        slot: usize,
        movement: GatedMovement<'_>,
    ) -> Disposition {
        let task = match self.task(self.store.hot[slot].id, movement.body) {
            Ok(task) => task,
            Err(reason) => {
                self.store.stats.refused_movements += 1;
                let answer = Disposition::Refused(reason);
                self.decide_movement(now, slot, movement.stamp, &answer, &MovementTask::None);
                return answer;
            }
        };
        let animator_before = self.store.hot[slot].animator;
        let is_local = self.store.hot[slot].flags.contains(Flags::LOCAL);
        let disposition = self.with_body(now, slot, |body, config, journal| {
            body.receive_movement(movement, config.commands, journal)
        });
        if self.store.hot[slot].animator != animator_before {
            self.explain_table(now, slot);
        }
        self.decide_movement(now, slot, movement.stamp, &disposition, &task);
        if disposition == Disposition::Applied {
            self.run_task(now, slot, task);
        }
        if is_local && matches!(disposition, Disposition::Applied | Disposition::AppliedInPart(_)) {
            self.lose_control(now, slot);
        }
        disposition
    }

    /// Notes the disposition of a movement of a traced body, with its motion from then on.
    fn decide_movement(
        &mut self,
        now: SimTime,
        slot: usize,
        stamp: Stamp,
        answer: &Disposition,
        task: &MovementTask,
    ) {
        let InterpretedMotion { forward, turn, .. } = self.store.motions[slot];
        // A body that turns on the spot is described by its turn.
        let turns = forward.command == MotionCommand::READY && turn.in_use().is_some();
        let forward = if turns { turn } else { forward };
        // A move-to chooses the motion itself, a little later.
        let is_sent = matches!(task, MovementTask::MoveTo(..));
        let (forward, speed) = (if is_sent { 0 } else { forward.command.index().0 }, forward.speed);
        self.decide(now, slot, Happening::Movement { stamp, outcome: Outcome::from(answer), forward, speed });
    }

    /// Returns the task of a movement of `entity`.
    ///
    /// A body that is sent to an unknown entity goes to the place that the message names beside it.
    /// A turn to an unknown entity becomes a turn to the named heading, and a follow does not
    /// begin. An entity outside the world is treated like an unknown one (safety bound S18).
    ///
    /// # Errors
    /// [`RefuseReason`] if a parameter of the goal is invalid. Nothing has changed then.
    ///
    /// Retail: `MovementManager::unpack_movement` (11.4186 @ 0x00524440)
    pub(crate) fn task(&self, entity: EntityId, body: &MovementBody) -> Result<MovementTask, RefuseReason> {
        let place =
            |cell: u32, origin: Vec3| RawPlacement { cell, origin, wxyz: [1.0, 0.0, 0.0, 0.0] }.check();
        let (goal, params) = match &body.kind {
            MovementKind::Interpreted { stick_to, .. } => {
                return Ok(match stick_to.and_then(|target| self.top_of(target)) {
                    Some(top) => MovementTask::Follow(FollowRequest {
                        follower: entity,
                        target: self.store.hot[top].id,
                        target_radius: self.store.moving[top].dimensions.radius,
                    }),
                    None => MovementTask::None,
                });
            }
            MovementKind::MoveToObject { target, cell, origin, params, .. } => {
                let params = MovementParams::going(params)?;
                let goal = match self.slot(*target).zip(self.top_of(*target)) {
                    Some((named, top)) => {
                        let dimensions = self.store.moving[named].dimensions;
                        let size = Cylinder { radius: dimensions.radius, height: dimensions.height };
                        MoveToGoal::Entity { target: self.store.hot[top].id, size }
                    }
                    None => MoveToGoal::Place(place(*cell, *origin)?),
                };
                (goal, params)
            }
            MovementKind::MoveToPosition { cell, origin, params, .. } => {
                (MoveToGoal::Place(place(*cell, *origin)?), MovementParams::going(params)?)
            }
            MovementKind::TurnToObject { target, heading_deg, params } => match self.top_of(*target) {
                Some(top) => {
                    let target = self.store.hot[top].id;
                    (MoveToGoal::FaceEntity(target), MovementParams::turning(params)?)
                }
                None => {
                    let params = TurnToParams { desired_heading_deg: *heading_deg, ..*params };
                    (MoveToGoal::Face, MovementParams::turning(&params)?)
                }
            },
            MovementKind::TurnToHeading(params) => (MoveToGoal::Face, MovementParams::turning(params)?),
            MovementKind::Other { .. } => return Ok(MovementTask::None),
        };
        Ok(MovementTask::MoveTo(goal, params))
    }

    /// Begins a task, once the movement has been applied.
    ///
    /// With a move-to, the motion of the body is not decided yet. Its animations are therefore
    /// explained only for the other tasks.
    pub(crate) fn run_task(&mut self, now: SimTime, slot: usize, task: MovementTask) {
        if !matches!(task, MovementTask::MoveTo(..)) {
            self.explain_other_legs(now, slot);
        }
        let Self { store, slots, record, .. } = self;
        let body = &store.hot[slot];
        record.about(body.id, now, body.flags.contains(Flags::TRACED));
        match task {
            MovementTask::None => {}
            MovementTask::Follow(request) => store.begin_follow(slot, &request, slots, now, record),
            MovementTask::MoveTo(goal, params) => store.perform(slot, &goal, &params, slots, now, record),
        }
    }

    /// Returns the body to go to or to follow in place of an entity, which is its holder or itself.
    /// `None` if the entity is unknown or outside the world.
    fn top_of(&self, entity: EntityId) -> Option<usize> {
        let slot = self.bearer(self.slot(entity)?)?;
        self.store.hot[slot].flags.contains(Flags::HAS_CELL).then_some(slot)
    }

    /// Notes that a traced body plays another motion than the interpreted one.
    ///
    /// The motion table has no such motion from here, or restores another one.
    fn explain_other_legs(&mut self, now: SimTime, slot: usize) {
        let body = &self.store.hot[slot];
        if !body.flags.contains(Flags::TRACED) {
            return;
        }
        let Some(legs) = self.store.locomotion.animators.get(body.animator).filter(|legs| legs.table != 0)
        else {
            return;
        };
        let (meant, does) = (self.store.motions[slot].forward.command, legs.playing.posture.substate);
        // A body in the air does not obey, and a standing body may well turn.
        let may_walk = body.flags.contains(Flags::CONTACT | Flags::WALKABLE);
        if may_walk && does != meant && meant.is_cycle() && meant != MotionCommand::READY {
            self.decide(now, slot, Happening::OtherLegs { meant: meant.index().0, does: does.index().0 });
        }
    }

    /// Notes which motion table a traced body follows. A body without a table has nothing to note.
    #[cold]
    pub(crate) fn explain_table(&mut self, now: SimTime, slot: usize) {
        let legs = self.store.locomotion.animators.get(self.store.hot[slot].animator);
        if let Some(table) = legs.map(|legs| legs.table).filter(|table| *table != 0) {
            let own = self.store.cold[slot].resources.motion_table;
            let origin = self.store.library.origin(table).unwrap_or(TableOrigin::BuiltIn);
            self.decide(now, slot, Happening::Legs { table, own, origin });
        }
    }
}
