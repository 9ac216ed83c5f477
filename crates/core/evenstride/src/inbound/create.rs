//! Creation of bodies.
//!
//! A description creates a body, replaces it, or is merged into it. With
//! `UnknownEntityPolicy::Adopt`, a position of an unknown entity creates a body too. `describe.rs`
//! checks the values, and this file stores them and puts the body into the world. Messages that
//! were parked for the entity are queued for replay at the end.

use evenstride_types::{
    EntityId, Placement, SimTime, StampKind,
    update::{
        CreateUpdate, DescribedMovement, PhysicsDescription, PhysicsState, PickupUpdate, PositionPack,
        PositionUpdate, SparseQuaternion, StateUpdate, Update, VectorUpdate,
    },
};

use crate::{
    body::{
        context::Context,
        flags::Flags,
        rows::{NOWHERE, ResourceIds},
        setup::BodySetup,
    },
    config::DescribedGoals,
    inbound::{
        ContactWord, Described, GatedMovement, checked_place, describe, place_of,
        stamps::{Life, first_heard, life},
        task::MovementTask,
    },
    journal::Happening,
    outcome::{CreateHow, Disposition, Heard, MergedParts, Outcome, ParkReason, RefuseReason, RemoveReason},
    storage::parking::PARKING_SECS,
    surroundings::Surroundings,
    world::MotionWorld,
};

impl MotionWorld {
    /// Handles a description of an entity.
    ///
    /// `recreates` is `true` for a message that always replaces the body (F7DB). `update` is the
    /// message itself, which is parked for the holder if that is unknown.
    ///
    /// A description of an earlier life is ignored, and one of this life is merged. A later life
    /// replaces the body, and so does the first description of an adopted body. An invalid
    /// description is refused before the old body is removed.
    ///
    /// A new body is completed in this order.
    ///
    /// 1. The row is added, with the stamps of the description.
    /// 2. The motion begins, and with `DescribedGoals::BeforePlacement` a goal or a follow too.
    /// 3. The body enters the world, or a hand.
    /// 4. With `DescribedGoals::AfterPlacement`, the goal or the follow begins.
    /// 5. Parked messages are queued for replay, and a local player reports for the first time.
    ///
    /// Retail: `SmartBox::HandleCreateObject` (11.4186 @ 0x00454C80)
    pub(super) fn on_create(
        &mut self,
        now: SimTime,
        create: &CreateUpdate,
        recreates: bool,
        update: &Update,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        let CreateUpdate { entity, physics, .. } = create;
        let holder = match physics.parent {
            Some(parent) if parent.entity == *entity => {
                self.store.stats.refused_holds += 1;
                return Disposition::Refused(RefuseReason::HoldsItself);
            }
            Some(parent) if self.slot(parent.entity).is_none() => {
                return self.park(now, parent.entity, update, ParkReason::UnknownHolder);
            }
            parent => parent,
        };
        let known = self.slot(*entity);
        if let Some(slot) = known.filter(|_| !recreates) {
            let instance = physics.stamps.seen(StampKind::Instance);
            let is_adopted = self.store.hot[slot].flags.contains(Flags::ADOPTED);
            match life(&self.store.messages[slot].stamps, instance) {
                Life::Earlier => return self.answer_other_life(now, slot, Life::Earlier, update),
                Life::This if !is_adopted => return self.merge(now, slot, create, surroundings),
                // An adopted body lacks most of a description, so it is replaced.
                Life::This | Life::Later => {}
            }
        }
        let described = describe(create, self.config.commands, &self.store.library).and_then(|described| {
            if known.is_none() {
                self.check_room(*entity)?;
            }
            if let Some(holder) = holder.and_then(|holder| self.slot(holder.entity)) {
                self.may_hold(holder, known)?;
            }
            Ok(described)
        });
        let described = match described {
            Ok(described) => described,
            Err(reason) => {
                self.store.stats.refused_creates += 1;
                let answer = Disposition::Refused(reason);
                self.decide_about(now, *entity, Happening::heard(Heard::Create, &answer));
                return answer;
            }
        };
        let how = if known.is_some() { CreateHow::Replaced } else { CreateHow::New };
        let instance = physics.stamps.seen(StampKind::Instance);
        let is_described = known.is_some_and(|slot| {
            self.store.hot[slot].flags.contains(Flags::ADOPTED)
                && life(&self.store.messages[slot].stamps, instance) == Life::This
        });
        let reason = if is_described { RemoveReason::Described } else { RemoveReason::Replaced };
        self.take_out(now, *entity, reason);
        let slot = self.push(now, *entity, &described.setup, described.resources, Flags::empty());
        if is_described {
            self.store.take_over_observers(slot);
        }
        let answer = Disposition::Created { how };
        self.decide(now, slot, Happening::heard(Heard::Create, &answer));
        let task = self.begin_described(now, slot, physics, &described);
        match (holder, described.place) {
            (Some(holder), _) => {
                if let Some(holder_slot) = self.slot(holder.entity) {
                    self.attach(now, slot, holder_slot, holder.location);
                }
            }
            (None, Some(place)) => self.enter(now, slot, place, described.stands, surroundings),
            (None, None) => {}
        }
        if self.store.hot[slot].state.contains(PhysicsState::HIDDEN) {
            self.tell(now, slot, Happening::Hidden(true));
        }
        if physics.movement.is_some() {
            self.explain_table(now, slot);
        }
        self.run_task(now, slot, task);
        self.on_inserted(now, slot);
        self.counted(slot, answer)
    }

    /// Applies the movement of a description before the body has a place.
    ///
    /// Returns the task that is left to do once the body has a place. The result is
    /// `MovementTask::None` if there is no goal, if the goal is invalid, or if it has begun here.
    /// With `DescribedGoals::BeforePlacement` it begins here, as in the client. The body then sets
    /// out from the corner of the map.
    ///
    /// Retail: `CPhysicsObj::set_description` (11.4186 @ 0x00514F40)
    fn begin_described(
        &mut self,
        now: SimTime,
        slot: usize,
        physics: &PhysicsDescription,
        described: &Described,
    ) -> MovementTask {
        let Some(DescribedMovement::Doing { body: movement, .. }) = &physics.movement else {
            return MovementTask::None;
        };
        if let Some(valid) = &described.movement {
            self.with_body(now, slot, |body, config, journal| {
                body.apply_movement(movement, valid, config.commands, journal);
            });
        }
        let entity = self.store.hot[slot].id;
        let task = match self.task(entity, movement) {
            Ok(task) => task,
            Err(_) => {
                // An invalid goal does not prevent the creation.
                self.store.stats.refused_movements += 1;
                return MovementTask::None;
            }
        };
        let needs_others = !matches!(task, MovementTask::None);
        if needs_others && self.config.described_goals == DescribedGoals::BeforePlacement {
            // The client has the body in no table at this point, so the first answer of its target
            // is lost.
            self.slots.remove(&entity);
            self.run_task(now, slot, task);
            self.slots.insert(entity, slot as u32);
            return MovementTask::None;
        }
        task
    }

    /// Merges a description into an existing body.
    ///
    /// Each part has its own stamp, and older parts are skipped. The order is place, movement,
    /// state, velocity, as in the client. An invalid place refuses the whole description before any
    /// stamp is stored.
    ///
    /// Returns `Merged` with the parts that took effect, which may be none. A body that is left
    /// without cell and holder is removed after 25 s.
    ///
    /// Retail: `SmartBox::HandleCreateObject` (11.4186 @ 0x00454C80)
    fn merge(
        &mut self,
        now: SimTime,
        slot: usize,
        create: &CreateUpdate,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        let physics = &create.physics;
        let seen = |kind| physics.stamps.seen(kind);
        if let Err(reason) = place_of(physics.position.as_ref()) {
            self.store.stats.refused_creates += 1;
            return Disposition::Refused(reason);
        }
        let mut parts = MergedParts::empty();
        let mut took = |part, answer: Disposition| {
            if !matches!(answer, Disposition::Ignored(_) | Disposition::Refused(_)) {
                parts |= part;
            }
        };
        let instance = seen(StampKind::Instance);
        let holder = physics.parent.and_then(|parent| Some((self.slot(parent.entity)?, parent.location)));
        let place = if let Some((holder, location)) = holder {
            self.take_hold(now, slot, holder, location, seen(StampKind::Position))
        } else if let Some(position) = physics.position.as_ref().filter(|position| position.cell != 0) {
            let pack = PositionPack {
                cell: position.cell,
                origin: position.origin,
                rotation: SparseQuaternion::full(position.wxyz),
                velocity: None,
                placement_frame: physics.placement_frame,
                has_contact: true,
                other_flags: 0,
                instance,
                position: seen(StampKind::Position),
                teleport: seen(StampKind::Teleport),
                force_position: seen(StampKind::ForcePosition),
            };
            self.apply_position(now, slot, &pack, ContactWord::Presumed, surroundings)
        } else {
            let position = seen(StampKind::Position);
            self.on_pickup(now, slot, PickupUpdate { entity: create.entity, instance, position })
        };
        // The disposition of the message is `Merged`, so a placement within it is counted here.
        if let Disposition::Placed { reason, done: true } = place {
            self.store.body_mut(slot).count_snap(reason);
        }
        took(MergedParts::PLACE, place);
        if let Some(DescribedMovement::Doing { body, autonomous }) = &physics.movement {
            let movement = GatedMovement {
                stamp: seen(StampKind::Movement),
                server_control: seen(StampKind::ServerControlledMove),
                is_autonomous: *autonomous != 0,
                body,
            };
            took(MergedParts::MOVEMENT, self.on_movement(now, slot, movement));
        }
        let (entity, state, stamp) = (create.entity, physics.state, seen(StampKind::State));
        took(MergedParts::STATE, self.on_state(now, slot, &StateUpdate { entity, state, instance, stamp }));
        let vector = VectorUpdate {
            entity,
            velocity: physics.velocity.unwrap_or_default(),
            omega: physics.omega.unwrap_or_default(),
            instance,
            stamp: seen(StampKind::Vector),
        };
        took(MergedParts::VECTOR, self.on_vector(now, slot, &vector));
        if self.store.hot[slot].flags.intersects(Flags::HAS_CELL | Flags::HELD) {
            self.leaving.clear(entity);
        } else {
            self.leaving.set(entity, now.as_secs() + PARKING_SECS);
        }
        let answer = Disposition::Merged(parts);
        self.decide(now, slot, Happening::heard(Heard::Create, &answer));
        self.counted(slot, answer)
    }

    /// Creates an entity from its first position, without a description.
    ///
    /// Runs only with `UnknownEntityPolicy::Adopt`. The body gets the client's default sizes and
    /// the four stamps of the position. Every other kind of stamp stays unheard, so the first
    /// message of each kind is newer.
    pub(super) fn adopt(
        &mut self,
        now: SimTime,
        position: &PositionUpdate,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        let PositionUpdate { entity, pack } = position;
        let place = match checked_place(pack, &mut self.store.stats) {
            Ok(place) => place,
            Err(answer) => return answer,
        };
        if let Err(reason) = self.check_room(*entity) {
            self.store.stats.refused_creates += 1;
            return Disposition::Refused(RefuseReason::Setup(reason));
        }
        let setup = BodySetup { stamps: first_heard(pack), grounded: false, ..BodySetup::at(NOWHERE) };
        let resources =
            ResourceIds { placement_frame: pack.placement_frame.unwrap_or(0), ..ResourceIds::default() };
        let slot = self.push(now, *entity, &setup, resources, Flags::ADOPTED);
        self.enter(now, slot, place, pack.has_contact, surroundings);
        self.on_inserted(now, slot);
        let answer = Disposition::Created { how: CreateHow::Adopted };
        let (stamp, outcome) = (pack.position, Outcome::Adopted);
        self.decide(now, slot, Happening::Position { stamp, outcome, waiting: 0, metres: 0.0 });
        self.counted(slot, answer)
    }

    /// Puts a body that is outside the world into it.
    ///
    /// `grounded` is a hint for the surroundings, which decide about contact. If they refuse, the
    /// body stays outside the world. If they panic, the body is removed.
    fn enter(
        &mut self,
        now: SimTime,
        slot: usize,
        place: Placement,
        grounded: bool,
        surroundings: &(impl Surroundings + ?Sized),
    ) {
        let entity = self.store.hot[slot].id;
        let mut unfinished = Unfinished { world: self, now, entity, has_entered: false };
        unfinished.world.with_body(now, slot, |body, config, journal| {
            let context = Context { now, config, surroundings };
            if body.put(place, grounded, context, journal) {
                // Only a description drops links. A position that brings a body back into the world
                // keeps them.
                body.skip_links(journal);
            }
        });
        unfinished.has_entered = true;
    }
}

/// A body that is being created, while code of the host runs.
///
/// Surroundings may panic, and a host may catch that and use the world again. The body is removed
/// then, because nothing would complete it later. A local player, for example, would not be marked
/// as such.
struct Unfinished<'a> {
    world: &'a mut MotionWorld,
    now: SimTime,
    entity: EntityId,
    /// Whether the surroundings have answered.
    has_entered: bool,
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if !self.has_entered {
            self.world.take_out(self.now, self.entity, RemoveReason::ByHost);
        }
    }
}
