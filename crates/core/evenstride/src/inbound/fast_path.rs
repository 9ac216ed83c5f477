//! The fast path of positions, which most positions take.
//!
//! Most positions are newer than the last one, and about a remote body that stands on the ground near
//! the viewpoint. Such a position joins the body's route and has no other effect. It is handled on the
//! rows themselves. Everything unusual is noticed before anything is changed, and `position.rs` handles
//! it. Both share the rules, and lead to the same bits.

use evenstride_types::{SimTime, StampKind, update::PositionPack};

use crate::{
    body::{cull::ACTIVE_RADIUS_M, flags::Flags, locomotion::Locomotion, store::Store},
    config::{Config, MissingTables, Orientation},
    inbound::stamps::is_next_position,
    journal::Journal,
    motion::{
        route::{HeadingMode, snap_distance},
        tether::Leeway,
    },
    outcome::Enqueued,
};

/// Flags of a remote body that is awake and on the ground.
const ORDINARY: Flags = Flags::ACTIVE.union(Flags::HAS_CELL).union(Flags::CONTACT);

/// Flags that decide whether a body is an ordinary one.
const MASK: Flags = ORDINARY
    .union(Flags::LOCAL)
    .union(Flags::SUSPENDED)
    .union(Flags::HELD)
    .union(Flags::TRACED)
    .union(Flags::MOVES_TO)
    .union(Flags::KEEPS_HEADING)
    .union(Flags::INERT)
    .union(Flags::DOZES);

impl<L: Locomotion> Store<L> {
    /// Takes a position to the route of its body. Returns `None` if anything about it is unusual. Then
    /// nothing has changed, except that the body no longer rests.
    ///
    /// `BodyMut::receive_position` is the general path.
    #[inline(always)]
    pub(super) fn fast_position(
        &mut self,
        now: SimTime,
        slot: usize,
        pack: &PositionPack,
        config: &Config,
        journal: &mut impl Journal,
    ) -> Option<Enqueued> {
        if config.orientation != Orientation::OnTheWay || !pack.has_contact || pack.placement_frame.is_some()
        {
            return None;
        }
        self.settle(slot);
        let (hot, messages) = (self.hot.get_mut(slot)?, self.messages.get_mut(slot)?);
        let stamps = &mut messages.stamps;
        if hot.flags & MASK != ORDINARY || hot.distance >= ACTIVE_RADIUS_M || !is_next_position(stamps, pack)
        {
            return None;
        }
        let place = pack.placement().check().ok()?;
        let (moving, route) = (self.moving.get_mut(slot)?, self.routes.get_mut(slot)?);
        stamps.set(StampKind::Position, pack.position);
        journal.about(hot.id, now, false);
        let (here, keep) = (&hot.place, HeadingMode::Adopt);
        let (snap, mut kept) = (snap_distance(here.cell), keep);
        let queued =
            route.enqueue(&mut self.waypoints, here, place, keep, &mut kept, snap, &mut self.stats, journal);
        hot.flags.set(Flags::ROUTED, route.is_on());
        moving.tether.arm(0.0, Leeway::of(here.cell));
        if config.missing_tables == MissingTables::HeardSpeed {
            self.locomotion.hear_position(hot, &place, queued != Enqueued::Far, &self.library);
        }
        if queued == Enqueued::AlreadyThere {
            self.body_mut(slot).take_heading(&place);
        }
        Some(queued)
    }
}
