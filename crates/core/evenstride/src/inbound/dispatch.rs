//! The door for what arrived: every message finds its body, or waits for it.

use evenstride_types::{
    EntityId, Placement, SimTime, Stamp, StampKind,
    update::{
        DeleteUpdate, ParentUpdate, PhysicsState, PickupUpdate, PositionPack, PositionUpdate, StateUpdate,
        TeleportUpdate, Update, VectorUpdate,
    },
};

use crate::{
    body::{context::Context, flags::Flags, hold_links::Loose},
    config::{EarlyUpdatePolicy, UnknownEntityPolicy},
    inbound::{
        ContactWord, GatedMovement,
        stamps::{self, Life, life},
    },
    journal::Happening,
    outcome::{
        Disposition, DropReason, Heard, IgnoreReason, Outcome, ParkReason, PlaceReason, RemoveReason,
        TargetStatus,
    },
    storage::parking::Parked,
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
            let disposition = self.apply_position(now, slot, &position.pack, ContactWord::Said, surroundings);
            return self.counted(slot, disposition);
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
            Update::Position(position) => self.on_position(now, position, update, surroundings),
            Update::Movement(movement) => {
                self.on_body(now, movement.entity, movement.instance, update, |world, slot| {
                    world.on_movement(now, slot, GatedMovement::from(&movement.movement))
                })
            }
            Update::Vector(vector) => {
                self.on_body(now, vector.entity, vector.instance, update, |world, slot| {
                    world.on_vector(now, slot, vector)
                })
            }
            Update::State(state) => self.on_body(now, state.entity, state.instance, update, |world, slot| {
                world.on_state(now, slot, state)
            }),
            Update::PositionAndMovement { position, movement } => {
                let first = self.on_position(now, position, update, surroundings);
                match self.slot(position.entity) {
                    Some(slot) if !is_about_another_life(&first) => {
                        let second = self.on_movement(now, slot, GatedMovement::from(movement));
                        let second = self.counted(slot, second);
                        if matches!(first, Disposition::Ignored(_)) { second } else { first }
                    }
                    _ => first,
                }
            }
            Update::Create(create) => self.on_create(now, create, false, update, surroundings),
            Update::Recreate(create) => self.on_create(now, create, true, update, surroundings),
            Update::Delete(delete) => self.on_delete(now, *delete, update),
            Update::Pickup(pickup) => {
                self.on_body(now, pickup.entity, pickup.instance, update, |world, slot| {
                    world.on_pickup(now, slot, *pickup)
                })
            }
            Update::Parent(parent) => self.on_parent(now, *parent, update),
            Update::LocalPlayer(entity) => self.on_local_player(now, *entity),
            Update::Teleport(teleport) => self.on_teleport(now, *teleport),
            _ => Disposition::Ignored(IgnoreReason::NotUnderstood),
        }
    }

    /// Lets a message take effect on its body, and counts what became of it. Without such a body, or for another life of it, the answer is
    /// that.
    #[inline]
    fn on_body(
        &mut self,
        now: SimTime,
        entity: EntityId,
        instance: Stamp,
        update: &Update,
        take: impl FnOnce(&mut Self, usize) -> Disposition,
    ) -> Disposition {
        match self.find(now, entity, instance, update) {
            Ok(slot) => {
                let disposition = take(self, slot);
                self.counted(slot, disposition)
            }
            Err(answer) => answer,
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
    pub(super) fn answer_other_life(
        &mut self,
        now: SimTime,
        slot: usize,
        life: Life,
        update: &Update,
    ) -> Disposition {
        let entity = self.store.bodies[slot].id;
        let answer = match life {
            Life::Later if self.config.early_life == EarlyUpdatePolicy::Kept => {
                self.park(now, entity, update, ParkReason::NewerInstance)
            }
            Life::Later => {
                self.store.stats.parked_lost += 1;
                Disposition::Dropped(DropReason::OldBodyStillThere)
            }
            Life::Earlier | Life::This => Disposition::Ignored(IgnoreReason::OlderInstance),
        };
        self.decide(now, slot, Happening::of(update, &answer));
        self.counted(slot, answer)
    }

    pub(super) fn park(
        &mut self,
        now: SimTime,
        entity: EntityId,
        update: &Update,
        reason: ParkReason,
    ) -> Disposition {
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
        self.decide_about(now, update.entity().unwrap_or(entity), Happening::of(update, &answer));
        answer
    }

    #[inline]
    fn on_position(
        &mut self,
        now: SimTime,
        position: &PositionUpdate,
        update: &Update,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        if self.config.unknown == UnknownEntityPolicy::Adopt && self.slot(position.entity).is_none() {
            return self.adopt(now, position, surroundings);
        }
        self.on_body(now, position.entity, position.pack.instance, update, |world, slot| {
            world.apply_position(now, slot, &position.pack, ContactWord::Said, surroundings)
        })
    }

    /// A position of a body that is there, and of this life of it.
    #[inline]
    pub(super) fn apply_position(
        &mut self,
        now: SimTime,
        slot: usize,
        pack: &PositionPack,
        word: ContactWord,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        let (flags, before) = (self.store.bodies[slot].flags, self.store.bodies[slot].place);
        let disposition = if flags.contains(Flags::LOCAL) {
            self.correct_player(now, slot, pack, surroundings)
        } else {
            self.with_body(now, slot, |body, config, journal| {
                body.receive_position(pack, word, Context { now, config, surroundings }, journal)
            })
        };
        if pack.placement_frame.is_some() || flags.contains(Flags::HELD) {
            self.after_position(now, slot, pack, &disposition);
        }
        if let Disposition::Placed { reason, done } = disposition {
            self.after_placement(now, slot, reason, done, flags, before);
        }
        if flags.contains(Flags::TRACED) {
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
            let resources = &mut self.store.extras[slot].resources;
            if resources.motion_table == 0 {
                resources.placement_frame = pack.placement_frame.unwrap_or(0);
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
        let waiting = self.store.routes.get(body.links.route).map_or(0, |route| route.list.len() as u8);
        let (stamp, outcome) = (pack.position, Outcome::from(disposition));
        self.decide(now, slot, Happening::Position { stamp, outcome, waiting, metres });
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
            self.tell_observers(now, slot, TargetStatus::Teleported);
        }
        self.leaving.clear(entity);
        if done {
            let was_somewhere = flags.contains(Flags::HAS_CELL);
            let here = &self.store.bodies[slot].place;
            let metres = if was_somewhere { before.distance(here) as f32 } else { 0.0 };
            self.record.event((now, entity, Happening::Snapped { reason, metres }));
        }
    }

    pub(super) fn on_vector(&mut self, now: SimTime, slot: usize, vector: &VectorUpdate) -> Disposition {
        let is_obeyed = self.obeys_server(slot);
        let disposition = self.store.body_mut(slot).receive_vector(vector, is_obeyed, now);
        let (stamp, outcome) = (vector.stamp, Outcome::from(&disposition));
        self.decide(now, slot, Happening::Vector { stamp, outcome, rise: vector.velocity.z });
        disposition
    }

    pub(super) fn on_state(&mut self, now: SimTime, slot: usize, state: &StateUpdate) -> Disposition {
        let before = self.store.bodies[slot].state;
        let disposition = self.with_body(now, slot, |body, _, journal| body.receive_state(state, journal));
        self.decide(now, slot, Happening::heard(Heard::State, &disposition));
        if disposition == Disposition::Applied {
            self.mark_changed(slot);
            let is_hidden = self.store.bodies[slot].state.contains(PhysicsState::HIDDEN);
            if before.contains(PhysicsState::HIDDEN) != is_hidden {
                self.with_body(now, slot, |body, _, journal| body.skip_links(journal));
                self.tell(now, slot, Happening::Hidden(is_hidden));
            }
            if !is_hidden && self.store.bodies[slot].flags.contains(Flags::LOCAL) {
                self.end_teleport(now, slot);
            }
        }
        disposition
    }

    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    fn on_delete(&mut self, now: SimTime, delete: DeleteUpdate, update: &Update) -> Disposition {
        if self.player.as_ref().is_some_and(|player| player.entity == delete.entity) {
            return Disposition::Ignored(IgnoreReason::LocalPlayerStays);
        }
        match self.find(now, delete.entity, delete.instance, update) {
            Ok(slot) => {
                self.decide(now, slot, Happening::heard(Heard::Delete, &Disposition::Removed));
                self.take_out(now, delete.entity, RemoveReason::Deleted);
                Disposition::Removed
            }
            Err(answer) => answer,
        }
    }

    pub(super) fn on_pickup(&mut self, now: SimTime, slot: usize, pickup: PickupUpdate) -> Disposition {
        let disposition = match stamps::accept_place(&mut self.store.ledgers[slot].stamps, pickup.position) {
            Ok(()) => {
                self.detach(now, slot, Loose::GoesElsewhere);
                self.leave(now, slot);
                Disposition::Applied
            }
            Err(reason) => Disposition::Ignored(reason),
        };
        self.decide(now, slot, Happening::heard(Heard::Pickup, &disposition));
        disposition
    }

    /// The holder is looked for first, and it is the holder's life the message names.
    ///
    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    fn on_parent(&mut self, now: SimTime, parent: ParentUpdate, update: &Update) -> Disposition {
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
            self.store.extras[held].resources.placement_frame = parent.placement_frame;
        }
        if disposition != Disposition::Applied {
            self.decide(now, held, Happening::heard(Heard::Hold, &disposition));
        }
        self.counted(held, disposition)
    }

    pub(super) fn take_hold(
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
        if let Err(reason) = stamps::accept_place(&mut self.store.ledgers[held].stamps, position) {
            return Disposition::Ignored(reason);
        }
        self.decide(now, held, Happening::heard(Heard::Hold, &Disposition::Applied));
        self.attach(now, held, holder, location);
        Disposition::Applied
    }

    /// There is one local player, once it is known.
    ///
    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    fn on_local_player(&mut self, now: SimTime, entity: EntityId) -> Disposition {
        if self.player.is_some() {
            return Disposition::Ignored(IgnoreReason::PlayerKnown);
        }
        self.set_local_player(now, Some(entity));
        Disposition::Applied
    }

    /// The local player's teleport begins. The stamp is compared and not stored: the move itself brings it again.
    ///
    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    fn on_teleport(&mut self, now: SimTime, teleport: TeleportUpdate) -> Disposition {
        let Some(player) = &mut self.player else {
            return Disposition::Ignored(IgnoreReason::NoLocalPlayer);
        };
        let entity = player.entity;
        let slot = self.slots.get(&entity).map(|slot| *slot as usize);
        if let Some(slot) = slot
            && let Err(reason) = stamps::check_teleport(&self.store.ledgers[slot].stamps, teleport.teleport)
        {
            return Disposition::Ignored(reason);
        }
        player.awaits_teleport = true;
        self.record.event((now, entity, Happening::TeleportBegan));
        if let Some(slot) = slot {
            self.decide(now, slot, Happening::heard(Heard::Teleport, &Disposition::Applied));
        }
        Disposition::Applied
    }

    /// A position that whoever calls found to be old by its own count.
    pub(crate) fn ignore_old_position(&mut self, now: SimTime, slot: usize) -> Disposition {
        let answer = Disposition::Ignored(IgnoreReason::StalePosition);
        let (stamp, outcome) =
            (self.store.ledgers[slot].stamps.seen(StampKind::Position), Outcome::from(&answer));
        self.decide(now, slot, Happening::Position { stamp, outcome, waiting: 0, metres: 0.0 });
        self.counted(slot, answer)
    }

    /// Counts what became of an update, for the body and in total: once for each message, whatever its parts.
    #[inline]
    pub(crate) fn counted(&mut self, slot: usize, disposition: Disposition) -> Disposition {
        self.store.ledgers[slot].counters.count(&disposition);
        self.store.stats.heard.count(&disposition);
        disposition
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
