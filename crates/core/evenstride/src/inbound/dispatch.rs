//! Entry point of messages.
//!
//! Each message finds its body by entity and its life by instance stamp. A message without a body
//! is parked until the entity is created.
//!
//! The functions `on_…` each handle one kind of message, and note the decision for traced entities.
//! The function that found the body counts the disposition.
//!
//! | message | opcode | stamps besides the instance | handler |
//! |---|---|---|---|
//! | position | F748 | position, teleport, force | `apply_position` |
//! | position and movement | F619 | those of both | `apply_position`, `on_movement` |
//! | movement | F74C | movement, server control | `on_movement` |
//! | velocity and spin | F74E | vector | `on_vector` |
//! | state bits | F74B | state | `on_state` |
//! | description | F745 | one for each part | `on_create` |
//! | description that replaces | F7DB | none | `on_create` |
//! | delete | F747 | none | `on_delete` |
//! | pickup | F74A | position | `on_pickup` |
//! | hold | F749 | position of the held entity | `on_parent` |
//! | local player | F746 | none | `on_local_player` |
//! | start of a teleport | F751 | teleport, compared only | `on_teleport` |

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
    /// Handles a message from the server and returns its disposition.
    ///
    /// A message about an unknown entity is parked, and handled when the entity is created. A
    /// parked delete removes the new entity at once, as in the client.
    ///
    /// A message with a position and a movement has the disposition of the position. If the body
    /// ignored only the position, it has the disposition of the movement.
    ///
    /// With [`Gate::Fixed`](crate::config::Gate::Fixed), ticks that are due by `now` are stepped
    /// first. The surroundings are asked at once whether a placed body fits.
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
        // Nine messages out of ten are positions. A position that finds its body releases no parked
        // message.
        if let Update::Position(position) = update
            && let Some(slot) = self.slot(position.entity)
            && let Some(disposition) = self.on_known_position(now, slot, position, surroundings)
        {
            return disposition;
        }
        let disposition = self.apply(now, update, surroundings);
        self.replay_all(now, surroundings);
        disposition
    }

    /// Handles a position about the life that the body in `slot` is in. Returns `None` if it is about
    /// another life, and then does nothing.
    #[inline(always)]
    pub(super) fn on_known_position(
        &mut self,
        now: SimTime,
        slot: usize,
        position: &PositionUpdate,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Option<Disposition> {
        let pack = &position.pack;
        if let Some(queued) = self.store.fast_position(now, slot, pack, &self.config, &mut self.record) {
            let disposition = Disposition::Queued(queued);
            if self.store.glides.is_on {
                self.glide_heard(now, slot, pack, &disposition);
            }
            self.mark_changed(slot);
            return Some(self.counted(slot, disposition));
        }
        if life(&self.store.messages[slot].stamps, position.pack.instance) != Life::This {
            return None;
        }
        let disposition = self.apply_position(now, slot, &position.pack, ContactWord::Said, surroundings);
        Some(self.counted(slot, disposition))
    }

    /// Handles the messages whose entity was created.
    ///
    /// The stack is worked off depth first. Messages that wait for an entity created here are
    /// handled before the rest. Their dispositions are counted and noted, but returned to no
    /// caller.
    pub(crate) fn replay_all(&mut self, now: SimTime, surroundings: &(impl Surroundings + ?Sized)) {
        while let Some(update) = self.replay.pop() {
            let _ = self.apply(now, &update, surroundings);
            self.parking.recycle(update, &self.config.limits);
        }
    }

    /// Handles one message of any kind, without replaying parked ones.
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

    /// Applies a message to its body with `take`, and counts the disposition.
    ///
    /// Without such a body, or for another life of it, `take` does not run. The disposition is then
    /// the one that [`find`](Self::find) returns.
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

    /// Returns the slot of the body that a message is about.
    ///
    /// # Errors
    /// The disposition of the message, if the entity is unknown or the message is about another
    /// life of it.
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
        match life(&self.store.messages[slot].stamps, instance) {
            Life::This => Ok(slot),
            other => Err(self.answer_other_life(now, slot, other, update)),
        }
    }

    /// Returns the disposition of a message about another life of an existing body, and counts it.
    ///
    /// A message about an earlier life is ignored. A message about a later life is parked with
    /// `EarlyUpdatePolicy::Kept`. Otherwise it is dropped, because the client loses it together
    /// with the earlier body.
    #[cold]
    pub(super) fn answer_other_life(
        &mut self,
        now: SimTime,
        slot: usize,
        life: Life,
        update: &Update,
    ) -> Disposition {
        let entity = self.store.hot[slot].id;
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

    /// Parks a message until `entity` is created.
    ///
    /// The awaited entity differs from the entity of the message when a holder is missing. Older
    /// parked messages may be dropped to make room. Returns `Dropped` if the message is larger than
    /// the limits allow.
    ///
    /// Parked messages are counted for the world here, and for the entity once it exists.
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

    /// Handles a position. An unknown entity is adopted if the configuration says so, and awaited
    /// otherwise.
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

    /// Applies a position to an existing body of the same life.
    ///
    /// The local player follows rules of its own (`correct_player`). After the move come the
    /// release from a hand, notices to observers, the note for a traced body, and the list of
    /// changed bodies. The caller counts the disposition.
    #[inline]
    pub(super) fn apply_position(
        &mut self,
        now: SimTime,
        slot: usize,
        pack: &PositionPack,
        word: ContactWord,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Disposition {
        let (flags, before) = (self.store.hot[slot].flags, self.store.hot[slot].place);
        let disposition = if flags.contains(Flags::LOCAL) {
            self.correct_player(now, slot, pack, surroundings)
        } else {
            self.with_body(now, slot, |body, config, journal| {
                body.receive_position(pack, word, Context { now, config, surroundings }, journal)
            })
        };
        if self.store.glides.is_on {
            self.glide_heard(now, slot, pack, &disposition);
        }
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
            && self.store.hot[slot].place == before;
        if !is_without_effect {
            self.mark_changed(slot);
        }
        disposition
    }

    /// Applies the side effects that a position has besides moving the body.
    ///
    /// The body leaves any hand. A body without a motion table takes on the placement frame, which
    /// is its pose without animation. Both happen even if the position moves nothing, but not if it
    /// is stale or refused. The caller skips this for a body that is not held if the position has
    /// no placement frame.
    ///
    /// Retail: `SmartBox::HandleReceivedPosition` (11.4186 @ 0x00453FD0)
    #[cold]
    fn after_position(&mut self, now: SimTime, slot: usize, pack: &PositionPack, answer: &Disposition) {
        let is_taken = match answer {
            Disposition::Ignored(reason) => !reason.is_stale() && *reason != IgnoreReason::Suspended,
            Disposition::Refused(_) => false,
            _ => true,
        };
        if is_taken {
            self.detach(now, slot, Loose::GoesElsewhere);
            let resources = &mut self.store.cold[slot].resources;
            if resources.motion_table == 0 {
                resources.placement_frame = pack.placement_frame.unwrap_or(0);
            }
        }
    }

    /// Notes the disposition of a position of a traced body.
    ///
    /// `flags` and `before` are those from before the position. The noted distance is the one moved
    /// if the body was placed, and 0 if it entered the world. Otherwise it is the distance from the
    /// viewpoint at the last tick.
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
        let body = &self.store.hot[slot];
        let metres = match disposition {
            Disposition::Placed { .. } if !flags.contains(Flags::HAS_CELL) => 0.0,
            Disposition::Placed { .. } => before.distance(&body.place) as f32,
            _ => body.distance,
        };
        let waiting = self.store.routes[slot].len() as u8;
        let (stamp, outcome) = (pack.position, Outcome::from(disposition));
        self.decide(now, slot, Happening::Position { stamp, outcome, waiting, metres });
    }

    /// Tells observers and hosts of a placement, and ends the removal timeout of the body.
    ///
    /// Observers hear only of a teleport or an entry into the world, even if the surroundings
    /// refused it. Hosts hear of a snap only if it was done. `flags` and `before` are those from
    /// before the position.
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
        let entity = self.store.hot[slot].id;
        if matches!(reason, PlaceReason::Teleport | PlaceReason::EntersWorld) {
            self.tell_observers(now, slot, TargetStatus::Teleported);
        }
        self.leaving.clear(entity);
        if done {
            let was_somewhere = flags.contains(Flags::HAS_CELL);
            let here = &self.store.hot[slot].place;
            let metres = if was_somewhere { before.distance(here) as f32 } else { 0.0 };
            self.record.event((now, entity, Happening::Snapped { reason, metres }));
        }
    }

    /// Handles velocity and spin. A local player that decides for itself only stores the stamp.
    pub(super) fn on_vector(&mut self, now: SimTime, slot: usize, vector: &VectorUpdate) -> Disposition {
        let is_obeyed = self.obeys_server(slot);
        let disposition = self.store.body_mut(slot).receive_vector(vector, is_obeyed, now);
        let (stamp, outcome) = (vector.stamp, Outcome::from(&disposition));
        self.decide(now, slot, Happening::Vector { stamp, outcome, rise: vector.velocity.z });
        disposition
    }

    /// Handles state bits.
    ///
    /// Hiding and reappearing drop link animations. A pending teleport of the local player ends
    /// with the first accepted state in which the player is visible.
    pub(super) fn on_state(&mut self, now: SimTime, slot: usize, state: &StateUpdate) -> Disposition {
        let before = self.store.hot[slot].state;
        let disposition = self.with_body(now, slot, |body, _, journal| body.receive_state(state, journal));
        self.decide(now, slot, Happening::heard(Heard::State, &disposition));
        if disposition == Disposition::Applied {
            self.mark_changed(slot);
            let is_hidden = self.store.hot[slot].state.contains(PhysicsState::HIDDEN);
            if before.contains(PhysicsState::HIDDEN) != is_hidden {
                self.with_body(now, slot, |body, _, journal| body.skip_links(journal));
                self.tell(now, slot, Happening::Hidden(is_hidden));
            }
            if !is_hidden && self.store.hot[slot].flags.contains(Flags::LOCAL) {
                self.end_teleport(now, slot);
            }
        }
        disposition
    }

    /// Removes an entity. The local player is never removed, as in the client.
    ///
    /// A removal is not counted, neither for the entity nor for the world.
    ///
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

    /// Takes an entity out of the world, into a pack.
    ///
    /// The position stamp decides, because a pack counts as a place. The entity stays known, and no
    /// removal timeout begins.
    pub(super) fn on_pickup(&mut self, now: SimTime, slot: usize, pickup: PickupUpdate) -> Disposition {
        let disposition = match stamps::accept_place(&mut self.store.messages[slot].stamps, pickup.position) {
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

    /// Puts an entity into the hand of another.
    ///
    /// The instance stamp of the message is the holder's, and the holder is looked up first. A
    /// later life of the holder is answered before the held entity is looked up, an earlier life
    /// after it. The position stamp is that of the held entity.
    ///
    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    fn on_parent(&mut self, now: SimTime, parent: ParentUpdate, update: &Update) -> Disposition {
        let Some(holder) = self.slot(parent.holder) else {
            return self.park(now, parent.holder, update, ParkReason::UnknownHolder);
        };
        let life = life(&self.store.messages[holder].stamps, parent.holder_instance);
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
            self.store.cold[held].resources.placement_frame = parent.placement_frame;
        }
        if disposition != Disposition::Applied {
            self.decide(now, held, Happening::heard(Heard::Hold, &disposition));
        }
        self.counted(held, disposition)
    }

    /// Puts a body into a hand if its position stamp is newer.
    ///
    /// Returns `Refused` before any stamp is stored if the bodies would hold each other or be
    /// nested too deep. `location` is the place on the holder, by the game's number.
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
        if let Err(reason) = stamps::accept_place(&mut self.store.messages[held].stamps, position) {
            return Disposition::Ignored(reason);
        }
        self.decide(now, held, Happening::heard(Heard::Hold, &Disposition::Applied));
        self.attach(now, held, holder, location);
        Disposition::Applied
    }

    /// Names the local player. The message is ignored if there is a local player already.
    ///
    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    fn on_local_player(&mut self, now: SimTime, entity: EntityId) -> Disposition {
        if self.player.is_some() {
            return Disposition::Ignored(IgnoreReason::PlayerKnown);
        }
        self.set_local_player(now, Some(entity));
        Disposition::Applied
    }

    /// Begins the local player's teleport.
    ///
    /// The stamp is compared and not stored, because the move itself brings it again. The player
    /// may lack a body at this point, and then every stamp is accepted.
    ///
    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    fn on_teleport(&mut self, now: SimTime, teleport: TeleportUpdate) -> Disposition {
        let Some(player) = &mut self.player else {
            return Disposition::Ignored(IgnoreReason::NoLocalPlayer);
        };
        let entity = player.entity;
        let slot = self.slots.get(&entity).map(|slot| *slot as usize);
        if let Some(slot) = slot
            && let Err(reason) = stamps::check_teleport(&self.store.messages[slot].stamps, teleport.teleport)
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

    /// Records a position that the caller found to be old by its own count. No stamp is compared or
    /// stored.
    ///
    /// The generic API calls this, because its messages carry an order of their own instead of
    /// stamps.
    pub(crate) fn ignore_old_position(&mut self, now: SimTime, slot: usize) -> Disposition {
        let answer = Disposition::Ignored(IgnoreReason::StalePosition);
        let (stamp, outcome) =
            (self.store.messages[slot].stamps.seen(StampKind::Position), Outcome::from(&answer));
        self.decide(now, slot, Happening::Position { stamp, outcome, waiting: 0, metres: 0.0 });
        self.counted(slot, answer)
    }

    /// Counts a disposition for its body and for the world, and returns it.
    ///
    /// Each message is counted once, except that a position and a movement in one message count
    /// separately.
    #[inline]
    pub(crate) fn counted(&mut self, slot: usize, disposition: Disposition) -> Disposition {
        self.store.messages[slot].counters.count(&disposition);
        self.store.stats.heard.count(&disposition);
        disposition
    }
}

/// Returns whether the movement beside a position is skipped.
///
/// This is so if the position was about another life, was parked or dropped, or was refused as
/// invalid.
fn is_about_another_life(answer: &Disposition) -> bool {
    matches!(
        answer,
        Disposition::Ignored(IgnoreReason::OlderInstance)
            | Disposition::Parked(_)
            | Disposition::Dropped(_)
            | Disposition::Refused(_)
    )
}
