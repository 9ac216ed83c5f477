//! The door for what arrived: every message finds its body, or waits for it.

use evenstride_types::{
    EntityId, Placement, SimTime, Stamp, StampKind, StampOrder, StampTable,
    update::{
        CreateUpdate, DeleteUpdate, DescribedMovement, ParentUpdate, PhysicsDescription, PhysicsState,
        PickupUpdate, PositionPack, PositionUpdate, SparseQuaternion, StateUpdate, TeleportUpdate, Update,
        VectorUpdate,
    },
};

use crate::{
    body::{
        context::Context,
        flags::Flags,
        hold_links::Loose,
        rows::{Looks, NOWHERE},
        setup::BodySetup,
    },
    config::{DescribedGoals, EarlyLife, Unknown},
    explain::{Decision, EventKind, Heard, Outcome, RemoveReason},
    inbound::{
        ContactWord, Described, Told, checked_place, describe, place_of,
        stamps::{Life, life},
        task::Errand,
    },
    journal::Journal,
    outcome::{
        CreateHow, Disposition, DropReason, IgnoreReason, MergedParts, ParkReason, PlaceReason, RefuseReason,
        Status,
    },
    storage::parking::{PARKING_SECS, Parked},
    surroundings::Surroundings,
    world::MotionWorld,
};

impl MotionWorld {
    /// Takes a message from the server, and answers what became of it.
    ///
    /// A message about an entity that is not there yet waits for it, and is handled when it is created: an order to delete it too, as in the
    /// client, which then deletes it at once. Of a position and a movement in
    /// one message the answer is the position's, unless that was ignored.
    ///
    /// The surroundings are asked at once whether a body fits where it is put.
    ///
    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    pub fn handle(
        &mut self,
        now: SimTime,
        update: &Update,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        self.catch_up(now, surroundings);
        if !self.replay.is_empty() {
            self.replay_all(now, surroundings);
        }
        // Positions are nine messages out of ten, and none of those that find their body lets another go on.
        if let Update::Position(position) = update
            && let Some(slot) = self.slot(position.entity)
            && life(&self.store.ledgers[slot].stamps, position.pack.instance) == Life::This
        {
            return self.take_position(now, slot, &position.pack, ContactWord::Said, surroundings);
        }
        let disposition = self.apply(now, update, surroundings);
        self.replay_all(now, surroundings);
        disposition
    }

    /// Handles updates whose entity has come. Those that wait for what these create follow directly.
    pub(crate) fn replay_all(&mut self, now: SimTime, surroundings: &(impl Surroundings + ?Sized)) {
        while let Some(update) = self.replay.pop() {
            let _ = self.apply(now, &update, surroundings);
        }
    }

    #[inline(never)]
    fn apply(
        &mut self,
        now: SimTime,
        update: &Update,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        match update {
            Update::Position(position) => self.hear_position(now, position, update, surroundings),
            Update::Movement(movement) => {
                let slot = match self.find(now, movement.entity, movement.instance, update) {
                    Ok(slot) => slot,
                    Err(answer) => return answer,
                };
                self.hear_movement(now, slot, Told::from(&movement.movement))
            }
            Update::Vector(vector) => match self.find(now, vector.entity, vector.instance, update) {
                Ok(slot) => self.hear_vector(now, slot, vector),
                Err(answer) => answer,
            },
            Update::State(state) => match self.find(now, state.entity, state.instance, update) {
                Ok(slot) => self.hear_state(now, slot, state),
                Err(answer) => answer,
            },
            Update::PositionAndMovement { position, movement } => {
                let first = self.hear_position(now, position, update, surroundings);
                match self.slot(position.entity) {
                    Some(slot) if !is_about_another_life(&first) => {
                        let second = self.hear_movement(now, slot, Told::from(movement));
                        if matches!(first, Disposition::Ignored(_)) { second } else { first }
                    }
                    _ => first,
                }
            }
            Update::Create(create) => self.hear_create(now, create, false, update, surroundings),
            Update::Recreate(create) => self.hear_create(now, create, true, update, surroundings),
            Update::Delete(delete) => self.hear_delete(now, *delete, update),
            Update::Pickup(pickup) => match self.find(now, pickup.entity, pickup.instance, update) {
                Ok(slot) => self.hear_pickup(now, slot, *pickup),
                Err(answer) => answer,
            },
            Update::Parent(parent) => self.hear_parent(now, *parent, update),
            Update::LocalPlayer(entity) => self.hear_local_player(now, *entity),
            Update::Teleport(teleport) => self.hear_teleport(now, *teleport),
            _ => Disposition::Ignored(IgnoreReason::NotUnderstood),
        }
    }

    /// The body a message is about; or the answer, if that is not there, or another life of it.
    #[inline]
    fn find(
        &mut self,
        now: SimTime,
        entity: EntityId,
        instance: Stamp,
        update: &Update,
    ) -> Result<usize, Disposition> {
        let Some(slot) = self.slot(entity) else {
            return Err(self.park(now, entity, update, ParkReason::UnknownEntity));
        };
        match life(&self.store.ledgers[slot].stamps, instance) {
            Life::This => Ok(slot),
            other => Err(self.answer_other_life(now, slot, other, update)),
        }
    }

    #[cold]
    fn answer_other_life(&mut self, now: SimTime, slot: usize, life: Life, update: &Update) -> Disposition {
        let entity = self.store.bodies[slot].id;
        let answer = match life {
            Life::Later if self.config.early_life == EarlyLife::Kept => {
                self.park(now, entity, update, ParkReason::NewerInstance)
            }
            Life::Later => {
                self.store.stats.parked_lost += 1;
                Disposition::Dropped(DropReason::OldBodyStillThere)
            }
            Life::Earlier | Life::This => Disposition::Ignored(IgnoreReason::OlderInstance),
        };
        self.count(slot, &answer);
        self.decide(now, slot, Decision::of(update, &answer));
        answer
    }

    fn park(&mut self, now: SimTime, entity: EntityId, update: &Update, reason: ParkReason) -> Disposition {
        let answer = match self.parking.park(now, entity, update, &self.config.limits) {
            Parked::Waits { dropped } => {
                self.store.stats.parked_dropped += dropped;
                self.store.stats.heard.parked = self.store.stats.heard.parked.saturating_add(1);
                Disposition::Parked(reason)
            }
            Parked::NoRoom => {
                self.store.stats.parked_dropped += 1;
                Disposition::Dropped(DropReason::NoRoom)
            }
        };
        self.decide_about(now, update.entity().unwrap_or(entity), Decision::of(update, &answer));
        answer
    }

    #[inline]
    fn hear_position(
        &mut self,
        now: SimTime,
        position: &PositionUpdate,
        update: &Update,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        if self.config.unknown == Unknown::Adopt && self.slot(position.entity).is_none() {
            return self.adopt(now, position, surroundings);
        }
        match self.find(now, position.entity, position.pack.instance, update) {
            Ok(slot) => self.take_position(now, slot, &position.pack, ContactWord::Said, surroundings),
            Err(answer) => answer,
        }
    }

    /// A position of a body that is there, and of this life of it.
    #[inline]
    fn take_position(
        &mut self,
        now: SimTime,
        slot: usize,
        pack: &PositionPack,
        word: ContactWord,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        let mut body = self.store.at(slot);
        let (flags, before) = (body.body.flags, body.body.place);
        self.record.about(body.body.id, now, flags.contains(Flags::WATCHED));
        let disposition = if flags.contains(Flags::LOCAL) {
            let answer = self.correct_player(now, slot, pack, surroundings);
            self.count(slot, &answer);
            answer
        } else {
            let context = Context { now, config: &self.config, surroundings };
            let answer = body.receive_position(pack, word, context, &mut self.record);
            body.count(&answer);
            // Whoever lands may be done with where it was going.
            self.store.deliver(&self.slots, now, &mut self.record);
            answer
        };
        if pack.placement_frame.is_some() || flags.contains(Flags::HELD) {
            self.after_position(now, slot, pack, &disposition);
        }
        if let Disposition::Placed { reason, done } = disposition {
            self.after_placement(now, slot, reason, done, flags, before);
        }
        if flags.contains(Flags::WATCHED) {
            self.explain_position(now, slot, pack, &disposition, flags, before);
        }
        let is_without_effect = matches!(disposition, Disposition::Ignored(_) | Disposition::Refused(_))
            && self.store.bodies[slot].place == before;
        if !flags.contains(Flags::CHANGED) && !is_without_effect {
            self.mark_changed(slot);
        }
        disposition
    }

    /// What a position does besides moving, even if it moves nothing: it takes the body out of any hand, and poses what has no animation.
    ///
    /// Retail: `SmartBox::HandleReceivedPosition` (11.4186 @ 0x00453FD0)
    #[cold]
    fn after_position(&mut self, now: SimTime, slot: usize, pack: &PositionPack, answer: &Disposition) {
        let is_taken = match answer {
            Disposition::Ignored(reason) => !reason.is_stale(),
            Disposition::Refused(_) => false,
            _ => true,
        };
        if is_taken {
            self.detach(now, slot, Loose::GoesElsewhere);
            let looks = &mut self.store.extras[slot].looks;
            if looks.motion_table == 0 {
                looks.placement_frame = pack.placement_frame.unwrap_or(0);
            }
        }
    }

    /// Remembers what became of a position.
    #[cold]
    fn explain_position(
        &mut self,
        now: SimTime,
        slot: usize,
        pack: &PositionPack,
        disposition: &Disposition,
        flags: Flags,
        before: Placement,
    ) {
        let body = &self.store.bodies[slot];
        let metres = match disposition {
            Disposition::Placed { .. } if !flags.contains(Flags::HAS_CELL) => 0.0,
            Disposition::Placed { .. } => before.distance(&body.place) as f32,
            _ => body.distance,
        };
        let waiting = self.store.routes.get(body.links.route).map_or(0, |route| route.count as u8);
        let (stamp, outcome) = (pack.position, Outcome::from(disposition));
        self.decide(now, slot, Decision::Position { stamp, outcome, waiting, metres });
    }

    /// What a placement means for others: followers, holders, and whoever listens to events.
    #[cold]
    fn after_placement(
        &mut self,
        now: SimTime,
        slot: usize,
        reason: PlaceReason,
        done: bool,
        flags: Flags,
        before: Placement,
    ) {
        let entity = self.store.bodies[slot].id;
        if matches!(reason, PlaceReason::Teleport | PlaceReason::EntersWorld) {
            self.tell_watchers(now, slot, Status::Teleported);
        }
        self.leaving.clear(entity);
        if done {
            let was_somewhere = flags.contains(Flags::HAS_CELL);
            let here = &self.store.bodies[slot].place;
            let metres = if was_somewhere { before.distance(here) as f32 } else { 0.0 };
            self.record.event((now, entity, EventKind::Snapped { reason, metres }));
        }
    }

    /// The first position of an entity nobody has described makes it, if that is wanted.
    fn adopt(
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
        let mut stamps = StampTable::unheard();
        stamps.set(StampKind::Instance, pack.instance);
        stamps.set(StampKind::Position, pack.position);
        stamps.set(StampKind::Teleport, pack.teleport);
        stamps.set(StampKind::ForcePosition, pack.force_position);
        let setup = BodySetup { stamps, grounded: false, ..BodySetup::at(NOWHERE) };
        let looks = Looks { placement_frame: pack.placement_frame.unwrap_or(0), ..Looks::default() };
        let slot = self.push(now, *entity, &setup, looks, Flags::ADOPTED);
        self.enter(now, slot, place, pack.has_contact, surroundings);
        self.welcome(now, slot);
        let answer = Disposition::Created { how: CreateHow::Adopted };
        self.count(slot, &answer);
        let (stamp, outcome) = (pack.position, Outcome::Adopted);
        self.decide(now, slot, Decision::Position { stamp, outcome, waiting: 0, metres: 0.0 });
        answer
    }

    /// Puts a body that is nowhere into the world.
    fn enter(
        &mut self,
        now: SimTime,
        slot: usize,
        place: Placement,
        grounded: bool,
        surroundings: &(impl Surroundings + ?Sized),
    ) {
        let context = Context { now, config: &self.config, surroundings };
        let body = &self.store.bodies[slot];
        self.record.about(body.id, now, body.flags.contains(Flags::WATCHED));
        let mut body = self.store.at(slot);
        if body.put(place, grounded, context, &mut self.record) {
            // Only a description drops links. A position that brings a body back from nowhere keeps them.
            body.skip_links(&mut self.record);
        }
        // A body that hits the ground may be done with where it was going.
        self.store.deliver(&self.slots, now, &mut self.record);
    }

    fn hear_vector(&mut self, now: SimTime, slot: usize, vector: &VectorUpdate) -> Disposition {
        let is_obeyed = self.obeys_server(slot);
        let disposition = self.store.at(slot).receive_vector(vector, is_obeyed, now);
        self.count(slot, &disposition);
        let (stamp, outcome) = (vector.stamp, Outcome::from(&disposition));
        self.decide(now, slot, Decision::Vector { stamp, outcome, rise: vector.velocity.z });
        disposition
    }

    fn hear_state(&mut self, now: SimTime, slot: usize, state: &StateUpdate) -> Disposition {
        let before = self.store.bodies[slot].state;
        self.about(now, slot);
        let disposition = self.store.at(slot).receive_state(state, &mut self.record);
        self.count(slot, &disposition);
        self.decide(now, slot, Decision::heard(Heard::State, &disposition));
        if disposition == Disposition::Applied {
            self.mark_changed(slot);
            let is_hidden = self.store.bodies[slot].state.contains(PhysicsState::HIDDEN);
            if before.contains(PhysicsState::HIDDEN) != is_hidden {
                self.about(now, slot);
                self.store.at(slot).skip_links(&mut self.record);
                self.tell(now, slot, EventKind::Hidden(is_hidden), None);
            }
            if !is_hidden && self.store.bodies[slot].flags.contains(Flags::LOCAL) {
                self.end_teleport(now, slot);
            }
        }
        disposition
    }

    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    fn hear_delete(&mut self, now: SimTime, delete: DeleteUpdate, update: &Update) -> Disposition {
        if self.player.as_ref().is_some_and(|player| player.entity == delete.entity) {
            return Disposition::Ignored(IgnoreReason::LocalPlayerStays);
        }
        match self.find(now, delete.entity, delete.instance, update) {
            Ok(slot) => {
                self.decide(now, slot, Decision::heard(Heard::Delete, &Disposition::Removed));
                self.take_out(now, delete.entity, RemoveReason::Deleted);
                Disposition::Removed
            }
            Err(answer) => answer,
        }
    }

    fn hear_pickup(&mut self, now: SimTime, slot: usize, pickup: PickupUpdate) -> Disposition {
        let stamps = &mut self.store.ledgers[slot].stamps;
        let disposition = if stamps.accept(StampKind::Position, pickup.position).is_newer() {
            self.detach(now, slot, Loose::GoesElsewhere);
            self.leave(now, slot);
            Disposition::Applied
        } else {
            Disposition::Ignored(IgnoreReason::StalePosition)
        };
        self.count(slot, &disposition);
        self.decide(now, slot, Decision::heard(Heard::Pickup, &disposition));
        disposition
    }

    /// The holder is looked for first, and it is the holder's life the message names.
    ///
    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    fn hear_parent(&mut self, now: SimTime, parent: ParentUpdate, update: &Update) -> Disposition {
        let Some(holder) = self.slot(parent.holder) else {
            return self.park(now, parent.holder, update, ParkReason::UnknownHolder);
        };
        let life = life(&self.store.ledgers[holder].stamps, parent.holder_instance);
        if life == Life::Later {
            return self.answer_other_life(now, holder, life, update);
        }
        let Some(held) = self.slot(parent.held) else {
            return self.park(now, parent.held, update, ParkReason::UnknownEntity);
        };
        if life == Life::Earlier {
            return self.answer_other_life(now, holder, life, update);
        }
        let disposition = self.take_hold(now, held, holder, parent.location, parent.held_position);
        if disposition == Disposition::Applied {
            self.store.extras[held].looks.placement_frame = parent.placement_frame;
        }
        self.count(held, &disposition);
        if disposition != Disposition::Applied {
            self.decide(now, held, Decision::heard(Heard::Hold, &disposition));
        }
        disposition
    }

    fn take_hold(
        &mut self,
        now: SimTime,
        held: usize,
        holder: usize,
        location: u32,
        position: Stamp,
    ) -> Disposition {
        if let Err(reason) = self.may_hold(holder, Some(held)) {
            self.store.stats.refused_holds += 1;
            return Disposition::Refused(reason);
        }
        if !self.store.ledgers[held].stamps.accept(StampKind::Position, position).is_newer() {
            return Disposition::Ignored(IgnoreReason::StalePosition);
        }
        self.decide(now, held, Decision::heard(Heard::Hold, &Disposition::Applied));
        self.attach(now, held, holder, location);
        Disposition::Applied
    }

    /// Retail: `SmartBox::HandleCreateObject` (11.4186 @ 0x00454C80)
    fn hear_create(
        &mut self,
        now: SimTime,
        create: &CreateUpdate,
        anew: bool,
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
        if let Some(slot) = known.filter(|_| !anew) {
            let instance = physics.stamps.seen(StampKind::Instance);
            let is_adopted = self.store.bodies[slot].flags.contains(Flags::ADOPTED);
            match life(&self.store.ledgers[slot].stamps, instance) {
                Life::Earlier => return self.answer_other_life(now, slot, Life::Earlier, update),
                Life::This if !is_adopted => return self.merge(now, slot, create, surroundings),
                // What was adopted lacks most of a description: it is made anew.
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
                self.decide_about(now, *entity, Decision::heard(Heard::Create, &answer));
                return answer;
            }
        };
        let how = if known.is_some() { CreateHow::Replaced } else { CreateHow::New };
        let instance = physics.stamps.seen(StampKind::Instance);
        let is_described = known.is_some_and(|slot| {
            self.store.bodies[slot].flags.contains(Flags::ADOPTED)
                && life(&self.store.ledgers[slot].stamps, instance) == Life::This
        });
        let reason = if is_described { RemoveReason::Described } else { RemoveReason::Replaced };
        self.take_out(now, *entity, reason);
        let slot = self.push(now, *entity, &described.setup, described.looks, Flags::empty());
        if is_described {
            self.store.take_watchers_over(slot);
        }
        let answer = Disposition::Created { how };
        self.decide(now, slot, Decision::heard(Heard::Create, &answer));
        let errand = self.begin_described(now, slot, physics, &described);
        match (holder, described.place) {
            (Some(holder), _) => {
                if let Some(holder_slot) = self.slot(holder.entity) {
                    self.attach(now, slot, holder_slot, holder.location);
                }
            }
            (None, Some(place)) => self.enter(now, slot, place, described.stands, surroundings),
            (None, None) => {}
        }
        if self.store.bodies[slot].state.contains(PhysicsState::HIDDEN) {
            self.tell(now, slot, EventKind::Hidden(true), None);
        }
        if physics.movement.is_some() {
            self.explain_legs(now, slot);
        }
        self.run_errand(now, slot, errand);
        self.count(slot, &answer);
        self.welcome(now, slot);
        answer
    }

    /// Does what a description says that a body is doing, before it has a place. Returns what is left to do once it has one.
    ///
    /// Retail: `CPhysicsObj::set_description` (11.4186 @ 0x00514F40)
    fn begin_described(
        &mut self,
        now: SimTime,
        slot: usize,
        physics: &PhysicsDescription,
        described: &Described,
    ) -> Errand {
        let Some(DescribedMovement::Doing { body: movement, .. }) = &physics.movement else {
            return Errand::None;
        };
        self.about(now, slot);
        if let Some(valid) = &described.movement {
            self.store.at(slot).apply_movement(movement, valid, self.config.commands, &mut self.record);
        }
        let entity = self.store.bodies[slot].id;
        let errand = match self.errand(entity, movement) {
            Ok(errand) => errand,
            Err(_) => {
                // It is there all the same.
                self.store.stats.refused_movements += 1;
                return Errand::None;
            }
        };
        if self.config.described_goals == DescribedGoals::BeforePlacement {
            // Its own answers do not find it: it is in no table yet.
            self.slots.remove(&entity);
            self.run_errand(now, slot, errand);
            self.slots.insert(entity, slot as u32);
            return Errand::None;
        }
        errand
    }

    /// A description of an entity that is there already: each part of it is behind its own stamp.
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
        let before = [self.store.ledgers[slot].counters, self.store.stats.heard];
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
            self.take_position(now, slot, &pack, ContactWord::Presumed, surroundings)
        } else {
            let position = seen(StampKind::Position);
            self.hear_pickup(now, slot, PickupUpdate { entity: create.entity, instance, position })
        };
        took(MergedParts::PLACE, place);
        if let Some(DescribedMovement::Doing { body, autonomous }) = &physics.movement {
            let movement = Told {
                stamp: seen(StampKind::Movement),
                server_control: seen(StampKind::ServerControlledMove),
                is_autonomous: *autonomous != 0,
                body,
            };
            took(MergedParts::MOVEMENT, self.hear_movement(now, slot, movement));
        }
        let (entity, state, stamp) = (create.entity, physics.state, seen(StampKind::State));
        took(MergedParts::STATE, self.hear_state(now, slot, &StateUpdate { entity, state, instance, stamp }));
        let vector = VectorUpdate {
            entity,
            velocity: physics.velocity.unwrap_or_default(),
            omega: physics.omega.unwrap_or_default(),
            instance,
            stamp: seen(StampKind::Vector),
        };
        took(MergedParts::VECTOR, self.hear_vector(now, slot, &vector));
        if self.store.bodies[slot].flags.intersects(Flags::HAS_CELL | Flags::HELD) {
            self.leaving.clear(entity);
        } else {
            self.leaving.set(entity, now.as_secs() + PARKING_SECS);
        }
        let answer = Disposition::Merged(parts);
        // One message, whatever became of its parts.
        let after = [&mut self.store.ledgers[slot].counters, &mut self.store.stats.heard];
        for (after, before) in after.into_iter().zip(before) {
            (after.fresh, after.stale) = (before.fresh, before.stale);
        }
        self.count(slot, &answer);
        self.decide(now, slot, Decision::heard(Heard::Create, &answer));
        answer
    }

    /// There is one local player, once it is known.
    ///
    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    fn hear_local_player(&mut self, now: SimTime, entity: EntityId) -> Disposition {
        if self.player.is_some() {
            return Disposition::Ignored(IgnoreReason::PlayerKnown);
        }
        self.set_local_player(now, Some(entity));
        Disposition::Applied
    }

    /// The local player's teleport begins. The stamp is compared and not stored: the move itself brings it again.
    ///
    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    fn hear_teleport(&mut self, now: SimTime, teleport: TeleportUpdate) -> Disposition {
        let Some(player) = &mut self.player else {
            return Disposition::Ignored(IgnoreReason::NoLocalPlayer);
        };
        let entity = player.entity;
        let slot = self.slots.get(&entity).map(|slot| *slot as usize);
        let is_stale = slot.is_some_and(|slot| {
            self.store.ledgers[slot].stamps.order(StampKind::Teleport, teleport.teleport) == StampOrder::Older
        });
        if is_stale {
            return Disposition::Ignored(IgnoreReason::StaleTeleport);
        }
        player.awaits_teleport = true;
        self.record.event((now, entity, EventKind::TeleportBegan));
        if let Some(slot) = slot {
            self.decide(now, slot, Decision::heard(Heard::Teleport, &Disposition::Applied));
        }
        Disposition::Applied
    }

    /// A position that whoever calls found to be old by its own count.
    pub(crate) fn ignore_old_position(&mut self, now: SimTime, slot: usize) -> Disposition {
        let answer = Disposition::Ignored(IgnoreReason::StalePosition);
        self.count(slot, &answer);
        let (stamp, outcome) =
            (self.store.ledgers[slot].stamps.seen(StampKind::Position), Outcome::from(&answer));
        self.decide(now, slot, Decision::Position { stamp, outcome, waiting: 0, metres: 0.0 });
        answer
    }

    /// Counts what became of an update, for the body and in total.
    #[inline]
    pub(crate) fn count(&mut self, slot: usize, disposition: &Disposition) {
        self.store.ledgers[slot].counters.count(disposition);
        self.store.stats.heard.count(disposition);
    }
}

fn is_about_another_life(answer: &Disposition) -> bool {
    matches!(
        answer,
        Disposition::Ignored(IgnoreReason::OlderInstance)
            | Disposition::Parked(_)
            | Disposition::Dropped(_)
            | Disposition::Refused(_)
    )
}
