//! Placing bodies without a step, and taking them out of the world.
//!
//! Messages, hosts, corrections of the local player and failed routes place bodies. The
//! surroundings may move or refuse the placement. A body that a host inserts does not pass through
//! here.

use evenstride_types::{Placement, SimTime, Vec3};

use crate::{
    body::{body_mut::BodyMut, context::Context, flags::Flags, locomotion::Locomotion},
    config::{CatchUp, Takeoff},
    journal::{Happening, Journal},
    motion::flight::Flight,
    outcome::MoveToEnd,
    surroundings::{GroundBelow, Placed, Placing, Surroundings},
};

/// Distance in metres below which a placed body in flight is still over the same ground.
///
/// The client needs no such limit, because it knows the ground.
const SAME_GROUND_M: f32 = 10.0;

impl<L: Locomotion> BodyMut<'_, L> {
    /// Places a body if the surroundings allow it. Returns `false` if they refuse.
    ///
    /// `grounded` tells the surroundings that the body is known to stand on the ground there. They
    /// may still answer with another place or contact. A body from outside the world becomes active
    /// and starts its clock.
    ///
    /// Route, follow and move-to are left alone, and callers end them as needed.
    ///
    /// Retail: `CPhysicsObj::SetPositionSimple` (11.4186 @ 0x005162B0)
    pub fn put(
        &mut self,
        at: Placement,
        grounded: bool,
        context: Context<'_, impl Surroundings + ?Sized>,
        journal: &mut impl Journal,
    ) -> bool {
        if !self.hot.flags.contains(Flags::HAS_CELL) {
            self.restart_clock(context.now.as_secs());
            self.hot.flags.insert(Flags::ACTIVE);
        }
        let placing = Placing {
            entity: self.hot.id,
            at,
            grounded,
            state: self.hot.state,
            radius: self.moving.dimensions.radius,
            height: self.moving.dimensions.height,
            scale: self.moving.dimensions.scale,
        };
        match context.surroundings.place(&placing) {
            Placed::At { at, contact } if at.pose.is_in_bounds() => {
                let was_somewhere = self.hot.flags.contains(Flags::HAS_CELL);
                let metres = if was_somewhere { self.hot.place.distance(&at) as f32 } else { 0.0 };
                self.hot.place = at;
                // A placement is never interpolated.
                if let Some(previous) = &mut self.previous {
                    **previous = at;
                }
                // The height of the take-off is meaningless far away and on the ground.
                let is_same_flight = !grounded && was_somewhere && metres < SAME_GROUND_M;
                if self.hot.flags.contains(Flags::FLIES) && !is_same_flight {
                    self.set_flight(Flight { ground: GroundBelow::Unknown, missed: None, ..self.flight() });
                }
                if self.hot.flags.contains(Flags::LOCAL)
                    && context.config.player_catch_up == CatchUp::OneStepPerFrame
                    && context.now.as_secs() - self.hot.updated > context.config.max_step_secs
                {
                    // Time that the player has not caught up with belongs to its earlier place.
                    self.restart_clock(context.now.as_secs());
                }
                self.hot.flags.insert(Flags::HAS_CELL);
                self.set_contact(contact, was_somewhere.then(|| at.pose.origin().z), context, journal);
                journal.note(Happening::Placed { metres });
                true
            }
            Placed::At { .. } | Placed::Refused => {
                journal.note(Happening::PlacementRefused);
                false
            }
        }
    }

    /// Ends everything that leads the body somewhere, as a teleport does.
    ///
    /// Move-to, follow, route, tether and the observation of a target end, in this order. Velocity
    /// and contact stay.
    ///
    /// Retail: `CPhysicsObj::teleport_hook` (11.4186 @ 0x00514ED0)
    pub fn abandon_course(&mut self, journal: &mut impl Journal) {
        self.cancel_move_to(MoveToEnd::Teleported, journal);
        self.end_follow(journal);
        self.stop_route();
        self.moving.tether.release();
        self.clear_target(journal);
    }

    /// Takes a body out of the world, into a pack or a hand, and keeps its row.
    ///
    /// If the body stood, the interpreter is told that the ground is gone, as in the client. The
    /// caller sets the place to `NOWHERE`.
    ///
    /// Retail: `ACSmartBox::DispatchSmartBoxEvent` (11.4186 @ 0x005595D0)
    pub fn leave_world(&mut self, now: SimTime, takeoff: Takeoff, journal: &mut impl Journal) {
        self.abandon_course(journal);
        let stood = self.hot.flags.contains(Flags::WALKABLE | Flags::HAS_CELL);
        self.hot.flags.remove(Flags::CONTACT | Flags::WALKABLE | Flags::HAS_NORMAL);
        if stood {
            self.leave_ground(now, takeoff, journal);
        }
        self.hot.flags.remove(Flags::HAS_CELL | Flags::ACTIVE | Flags::FALLING | Flags::WAS_MOVING);
        self.moving.last_velocity = Vec3::ZERO;
    }
}
