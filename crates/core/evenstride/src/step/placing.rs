//! Putting bodies somewhere, and taking them out of the world.

use evenstride_types::{Placement, SimTime, Vec3};

use crate::{
    body::{body_mut::BodyMut, context::Context, flags::Flags, locomotion::Locomotion},
    config::{CatchUp, Takeoff},
    journal::{Happening, Journal},
    motion::flight::Flight,
    outcome::MoveToEnd,
    surroundings::{GroundBelow, Placed, Placing, Surroundings},
};

/// A body in flight that is put no farther away than this, in metres, flies on over the same ground. Ours: the client knows the ground.
const SAME_GROUND_M: f32 = 10.0;

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
            radius: self.detail.dimensions.radius,
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
                // Far from there, or on it, the ground it took off from means nothing.
                let is_same_flight = !grounded && was_somewhere && metres < SAME_GROUND_M;
                if self.body.links.flight.is_some() && !is_same_flight {
                    self.set_flight(Flight { ground: GroundBelow::Unknown, missed: None, ..self.flight() });
                }
                if self.body.flags.contains(Flags::LOCAL)
                    && context.config.player_catch_up == CatchUp::OneStepPerFrame
                    && context.now.as_secs() - self.body.updated > context.config.max_step_secs
                {
                    // What it has not caught up with was to be spent elsewhere.
                    self.restart_clock(context.now.as_secs());
                }
                self.body.flags.insert(Flags::HAS_CELL);
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
