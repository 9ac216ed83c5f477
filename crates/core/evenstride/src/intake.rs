//! What a received message does to a body.

use evenstride_types::{
    Placement, SimTime, Stamp, StampKind, StampOrder, Vec3,
    update::{CommandTable, Movement, MovementKind, PositionPack, VectorUpdate},
};

use crate::{
    config::{Config, Landing, Orientation},
    disposition::{Disposition, EarlyReason, IgnoreReason, PlaceReason, RefuseReason},
    follow::Follow,
    journal::{Journal, Note},
    route::{Enqueued, HeadingMode, snap_distance},
    store::{Flags, Store},
    surroundings::{Contact, Placed, Placing, Surroundings},
    tether::Leeway,
};

/// From here on a body is put where it is heard of instead of walking there.
///
/// Retail: `CPhysicsObj::MoveOrTeleport` (11.4186 @ 0x00516330)
pub const FAR_FROM_VIEWPOINT: f32 = 96.0;

/// The arguments that everything at the door needs.
pub(crate) struct Door<'a, S: ?Sized> {
    pub(crate) now: SimTime,
    pub(crate) config: &'a Config,
    pub(crate) surroundings: &'a S,
}

impl<S: ?Sized> Clone for Door<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

// Not derived: that would ask the surroundings to be `Copy` too.
impl<S: ?Sized> Copy for Door<'_, S> {}

impl Store {
    /// A received position of a body that is not the local player's.
    ///
    /// Retail: `SmartBox::HandleReceivedPosition` (11.4186 @ 0x00453FD0)
    #[inline]
    pub(crate) fn receive_position(
        &mut self,
        slot: usize,
        pack: &PositionPack,
        door: Door<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> Disposition {
        if let Some(answer) = self.other_instance(slot, pack.instance) {
            return answer;
        }
        // Before any stamp is stored: what cannot be must leave no trace.
        let place = match pack.placement().check() {
            Ok(place) => place,
            Err(reason) => {
                self.stats.refused_positions += 1;
                return Disposition::Refused(reason.into());
            }
        };
        let stamps = &mut self.stamps[slot];
        let before = stamps.seen(StampKind::Position);
        let teleport = stamps.order(StampKind::Teleport, pack.teleport);
        if !stamps.accept(StampKind::Position, pack.position).is_newer() {
            return Disposition::Ignored(match teleport {
                StampOrder::Newer => IgnoreReason::StalePositionNewerTeleport,
                _ => IgnoreReason::StalePosition,
            });
        }
        if teleport == StampOrder::Older {
            stamps.set(StampKind::Position, before);
            return Disposition::Ignored(IgnoreReason::StaleTeleport);
        }
        let disposition = self.move_or_place(slot, place, pack, door, journal);
        if !matches!(disposition, Disposition::Ignored(_)) {
            // Anchored at the body's own place, so the path starts at zero.
            self.wake(slot, door.now.as_secs());
            self.tether[slot].arm(0.0, Leeway::of(self.place[slot].cell));
        }
        disposition
    }

    /// Retail: `CPhysicsObj::MoveOrTeleport` (11.4186 @ 0x00516330)
    #[inline]
    fn move_or_place(
        &mut self,
        slot: usize,
        place: Placement,
        pack: &PositionPack,
        door: Door<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> Disposition {
        let teleports = self.stamps[slot].accept(StampKind::Teleport, pack.teleport).is_newer();
        let enters = !self.flags[slot].contains(Flags::HAS_CELL);
        if teleports || enters {
            self.let_go(slot);
            let done = self.put(slot, place, pack.has_contact, door, journal);
            let reason = if teleports { PlaceReason::Teleport } else { PlaceReason::EntersWorld };
            return Disposition::Placed { reason, done };
        }
        if !pack.has_contact {
            return Disposition::Ignored(IgnoreReason::Airborne);
        }
        let lands_here =
            door.config.landing == Landing::OnGroundedUpdate || door.surroundings.lands_by_update();
        if lands_here && !self.flags[slot].contains(Flags::CONTACT) {
            return self.land(slot, place, door, journal);
        }
        if self.distance[slot] >= FAR_FROM_VIEWPOINT {
            self.routes.stop(&mut self.links[slot].route);
            let done = self.put(slot, place, true, door, journal);
            return Disposition::Placed { reason: PlaceReason::FarFromViewpoint, done };
        }
        let keep =
            if self.flags[slot].contains(Flags::MOVES_TO) { HeadingMode::Keep } else { HeadingMode::Adopt };
        if door.config.orientation == Orientation::OnReceipt {
            self.turn(slot, place.pose.rotation());
        }
        Disposition::Queued(self.enqueue(slot, place, keep, door.now, journal))
    }

    /// Appends a place to the body's route; if it is there already, only turns it.
    pub(crate) fn enqueue(
        &mut self,
        slot: usize,
        place: Placement,
        keep: HeadingMode,
        now: SimTime,
        journal: &mut impl Journal,
    ) -> Enqueued {
        self.wake(slot, now.as_secs());
        let here = &self.place[slot];
        let mut kept = self.heading_mode(slot);
        let snap = snap_distance(here.cell);
        let link = &mut self.links[slot].route;
        let enqueued =
            self.routes.enqueue(link, here, place, keep, &mut kept, snap, &mut self.stats, journal);
        self.flags[slot].set(Flags::KEEPS_HEADING, kept == HeadingMode::Keep);
        if enqueued == Enqueued::AlreadyThere && keep == HeadingMode::Adopt {
            let turned = self.place[slot].pose.rotation().with_heading(place.pose.heading());
            self.turn(slot, turned);
        }
        enqueued
    }

    /// The end of a flight that no ground ended: placed, stopped, standing.
    fn land(
        &mut self,
        slot: usize,
        place: Placement,
        door: Door<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> Disposition {
        self.routes.stop(&mut self.links[slot].route);
        let done = self.put(slot, place, true, door, journal);
        if done {
            self.set_contact(slot, Contact::On(Vec3::Z), door, journal);
            self.set_velocity(slot, Vec3::ZERO, door.now.as_secs());
        }
        Disposition::Placed { reason: PlaceReason::Landing, done }
    }

    /// Puts a body somewhere, if the surroundings let it. Says whether they did.
    ///
    /// Retail: `CPhysicsObj::SetPositionSimple` (11.4186 @ 0x005162B0)
    pub(crate) fn put(
        &mut self,
        slot: usize,
        at: Placement,
        grounded: bool,
        door: Door<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> bool {
        if !self.flags[slot].contains(Flags::HAS_CELL) {
            self.updated[slot] = door.now.as_secs();
            self.flags[slot].insert(Flags::ACTIVE);
        }
        let placing = Placing {
            entity: self.id[slot],
            at,
            grounded,
            state: self.state[slot],
            radius: self.build[slot].radius,
        };
        match door.surroundings.place(&placing) {
            Placed::At { at, contact } if at.pose.is_in_bounds() => {
                self.place[slot] = at;
                // Nothing is ever drawn on its way to a placement.
                self.previous[slot] = at;
                self.flags[slot].insert(Flags::HAS_CELL);
                self.set_contact(slot, contact, door, journal);
                journal.note(Note::Placed);
                true
            }
            Placed::At { .. } | Placed::Refused => {
                journal.note(Note::PlacementRefused);
                false
            }
        }
    }

    /// What a teleport does to everything the body was doing. Velocity and contact stay.
    ///
    /// Retail: `CPhysicsObj::teleport_hook` (11.4186 @ 0x00514ED0)
    pub(crate) fn let_go(&mut self, slot: usize) {
        self.flags[slot].remove(Flags::MOVES_TO);
        self.end_follow(slot);
        self.routes.stop(&mut self.links[slot].route);
        self.tether[slot].release();
    }

    /// Velocity and spin. Nothing else changes: the next step finds out that the body leaves the ground.
    ///
    /// Retail: `SmartBox::DoVectorUpdate` (11.4186 @ 0x004521C0)
    pub(crate) fn receive_vector(&mut self, slot: usize, update: &VectorUpdate, now: SimTime) -> Disposition {
        if let Some(answer) = self.other_instance(slot, update.instance) {
            return answer;
        }
        if let Err(reason) =
            check_vector("velocity", update.velocity).and(check_vector("omega", update.omega))
        {
            self.stats.refused_vectors += 1;
            return Disposition::Refused(reason);
        }
        if !self.stamps[slot].accept(StampKind::Vector, update.stamp).is_newer() {
            return Disposition::Ignored(IgnoreReason::StaleVector);
        }
        self.set_velocity(slot, update.velocity, now.as_secs());
        self.set_omega(slot, update.omega);
        Disposition::Applied
    }

    /// What the body is doing from now on. `target` is where and how wide the one to follow is, if it is known.
    ///
    /// Retail: `CPhysics::SetObjectMovement` (11.4186 @ 0x00509690)
    pub(crate) fn receive_movement(
        &mut self,
        slot: usize,
        instance: Stamp,
        movement: &Movement,
        table: CommandTable,
        target: Option<(Placement, f32)>,
        now: SimTime,
    ) -> Disposition {
        if let Some(answer) = self.other_instance(slot, instance) {
            return answer;
        }
        let gait = match &movement.body.kind {
            MovementKind::Interpreted { state, .. } => match self.gait[slot].after(state, table) {
                Ok(gait) => Some(gait),
                Err(reason) => {
                    self.stats.refused_movements += 1;
                    return Disposition::Refused(reason.into());
                }
            },
            _ => None,
        };
        let stamps = &mut self.stamps[slot];
        if !stamps.accept(StampKind::Movement, movement.stamp).is_newer() {
            return Disposition::Ignored(IgnoreReason::StaleMovement);
        }
        if stamps.order(StampKind::ServerControlledMove, movement.server_control) == StampOrder::Older {
            return Disposition::Ignored(IgnoreReason::StaleServerControl);
        }
        stamps.set(StampKind::ServerControlledMove, movement.server_control);
        self.flags[slot].remove(Flags::MOVES_TO);
        self.end_follow(slot);
        let (Some(gait), MovementKind::Interpreted { stick_to, .. }) = (gait, &movement.body.kind) else {
            return Disposition::Ignored(IgnoreReason::UnhandledMovement);
        };
        self.gait[slot] = gait;
        if let (Some(target_id), Some((place, radius))) = (stick_to, target) {
            let mut follow = Follow::begin(*target_id, radius, now);
            follow.heard = Some(place);
            self.begin_follow(slot, follow, now);
        }
        Disposition::Applied
    }

    pub(crate) fn begin_follow(&mut self, slot: usize, follow: Follow, now: SimTime) {
        self.end_follow(slot);
        self.wake(slot, now.as_secs());
        self.links[slot].follow = self.follows.insert(follow);
    }

    /// The answer to a message about another life of the entity.
    #[inline]
    fn other_instance(&self, slot: usize, instance: Stamp) -> Option<Disposition> {
        match self.stamps[slot].order(StampKind::Instance, instance) {
            StampOrder::Same => None,
            StampOrder::Newer => Some(Disposition::Early(EarlyReason::NewerInstance)),
            StampOrder::Older => Some(Disposition::Ignored(IgnoreReason::OlderInstance)),
        }
    }
}

fn check_vector(what: &'static str, v: Vec3) -> Result<(), RefuseReason> {
    let names = match what {
        "velocity" => ["velocity.x", "velocity.y", "velocity.z"],
        _ => ["omega.x", "omega.y", "omega.z"],
    };
    match names.into_iter().zip(v.to_array()).find(|(_, value)| !value.is_finite()) {
        Some((field, value)) => Err(RefuseReason::Vector { field, value }),
        None => Ok(()),
    }
}
