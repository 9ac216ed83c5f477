//! What a received message does to a body.
//!
//! `position.rs` routes positions, `movement.rs` takes everything a body is told to do, `describe.rs` makes bodies. All of it is
//! behind stamps; none of it knows about other bodies.

mod describe;
mod dispatch;
pub(crate) mod hold;
mod movement;
mod position;
pub(crate) mod task;

use evenstride_types::{Placement, SimTime, Stamp, StampKind, StampOrder, StampTable, Vec3};

pub(crate) use crate::inbound::describe::Described;
pub(crate) use crate::inbound::describe::NOWHERE;
pub(crate) use crate::inbound::describe::describe;
pub(crate) use crate::inbound::describe::place_of;
pub(crate) use crate::inbound::movement::Told;
pub use crate::inbound::position::FAR_FROM_VIEWPOINT;
pub(crate) use crate::inbound::position::checked_place;
use crate::config::Config;
use crate::config::Takeoff;
use crate::motion::flight::Flight;
use crate::body::locomotion::Locomotion;
use crate::moveto::MoveToEnd;
use crate::body::store::BodyMut;
use crate::body::store::Flags;
use crate::surroundings::GroundBelow;
use crate::surroundings::Placed;
use crate::surroundings::Placing;
use crate::surroundings::Surroundings;
use crate::explain::Journal;
use crate::explain::Note;

/// The arguments that everything needs.
pub struct Context<'a, S: ?Sized> {
    pub now: SimTime,
    pub config: &'a Config,
    pub surroundings: &'a S,
}

impl<S: ?Sized> Clone for Context<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

// Not derived: that would ask the surroundings to be `Copy` too.
impl<S: ?Sized> Copy for Context<'_, S> {}

/// Which life of an entity a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    This,
    Earlier,
    Later,
}

#[inline]
pub const fn life(stamps: &StampTable, instance: Stamp) -> Life {
    match stamps.order(StampKind::Instance, instance) {
        StampOrder::Same => Life::This,
        StampOrder::Newer => Life::Later,
        StampOrder::Older => Life::Earlier,
    }
}

impl<L: Locomotion> BodyMut<'_, L> {
    /// Puts a body somewhere, if the surroundings let it. Says whether they did.
    ///
    /// Retail: `CPhysicsObj::SetPositionSimple` (11.4186 @ 0x005162B0)
    pub fn put(
        &mut self,
        at: Placement,
        grounded: bool,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> bool {
        if !self.body.flags.contains(Flags::HAS_CELL) {
            self.restart_clock(context.now.as_secs());
            self.body.flags.insert(Flags::ACTIVE);
        }
        let placing = Placing {
            entity: self.body.id,
            at,
            grounded,
            state: self.body.state,
            radius: self.detail.build.radius,
        };
        match context.surroundings.place(&placing) {
            Placed::At { at, contact } if at.pose.is_in_bounds() => {
                let was_somewhere = self.body.flags.contains(Flags::HAS_CELL);
                let metres = if was_somewhere { self.body.place.distance(&at) as f32 } else { 0.0 };
                self.body.place = at;
                // Nothing is ever drawn on its way to a placement.
                if let Some(previous) = &mut self.previous {
                    **previous = at;
                }
                if self.body.links.flight.is_some() {
                    // The ground it took off from means nothing here.
                    self.set_flight(Flight { ground: GroundBelow::Unknown, ..self.flight() });
                }
                self.body.flags.insert(Flags::HAS_CELL);
                self.set_contact(contact, was_somewhere.then(|| at.pose.origin().z), context, journal);
                journal.note(Note::Placed { metres });
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
    pub fn abandon_course(&mut self, journal: &mut impl Journal) {
        self.cancel_move_to(MoveToEnd::Teleported, journal);
        self.end_follow(journal);
        self.routes.stop(&mut self.body.links.route);
        self.detail.tether.release();
        self.clear_target(journal);
    }

    /// Takes a body out of the world without forgetting it: into a pack, or into a hand.
    ///
    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    pub fn leave_world(&mut self, now: SimTime, takeoff: Takeoff, journal: &mut impl Journal) {
        self.abandon_course(journal);
        let stood = self.body.flags.contains(Flags::WALKABLE | Flags::HAS_CELL);
        self.body.flags.remove(Flags::CONTACT | Flags::WALKABLE | Flags::HAS_NORMAL);
        if stood {
            self.leave_ground(now, takeoff, journal);
        }
        self.body.flags.remove(Flags::HAS_CELL | Flags::ACTIVE | Flags::FALLING | Flags::WAS_MOVING);
        self.detail.last_velocity = Vec3::ZERO;
    }
}
