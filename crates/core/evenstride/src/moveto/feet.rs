//! What going somewhere does to the legs.

use evenstride_types::{
    Cylinder, Heading,
    update::{HoldKey, MotionCommand},
};

use crate::{
    gait::{Gait, SPEED_LIMIT},
    legs::{
        MotionRefused,
        states::{NONE, Params},
    },
    store::BodyMut,
    why::{Call, Journal},
};

/// How fast motions are to be done.
///
/// One pace serves several motions of a step, and each changes it: after a turn to the left its speed is negative, and what is done next with it
/// may be another motion than was meant. The client is like that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) speed: f32,
    pub(super) hold_key: HoldKey,
}

impl BodyMut<'_> {
    /// How large the body is.
    pub(super) const fn size(&self) -> Cylinder {
        Cylinder { radius: self.detail.build.radius, height: self.detail.build.height }
    }

    /// Begins a motion.
    ///
    /// Retail: `MoveToManager::_DoMotion` (11.4186 @ 0x00529010)
    pub(super) fn do_motion(
        &mut self,
        motion: MotionCommand,
        pace: &mut Pace,
        journal: &mut impl Journal,
    ) -> Result<(), MotionRefused> {
        #[cfg(feature = "_conform")]
        if let Some(double) = self.double.as_deref_mut() {
            let (motion, speed) = double.adjust(motion, pace.speed, pace.hold_key);
            pace.speed = speed;
            let code = double.begin(motion, speed);
            journal.call(Call::Do { motion, speed, code });
            return if code == 0 { Ok(()) } else { Err(MotionRefused::of_double(code)) };
        }
        let done = self.with_legs(|legs| {
            let (motion, speed) = legs.adjust(motion, pace.speed, pace.hold_key);
            pace.speed = speed;
            (motion, legs.begin(motion, &params(pace)))
        });
        let Some((motion, answer)) = done else { return Err(MotionRefused::NoTable) };
        self.take_gait_from_legs();
        let code = answer.map_or_else(MotionRefused::code, |()| 0);
        journal.call(Call::Do { motion, speed: pace.speed, code });
        answer
    }

    /// Ends a motion, if it is being done.
    ///
    /// Retail: `MoveToManager::_StopMotion` (11.4186 @ 0x00529080)
    pub(super) fn stop_motion(&mut self, motion: MotionCommand, pace: &mut Pace, journal: &mut impl Journal) {
        #[cfg(feature = "_conform")]
        if let Some(double) = self.double.as_deref_mut() {
            let (motion, speed) = double.adjust(motion, pace.speed, pace.hold_key);
            pace.speed = speed;
            let code = double.end(motion);
            journal.call(Call::Stop { motion, speed, code });
            return;
        }
        let done = self.with_legs(|legs| {
            let (motion, speed) = legs.adjust(motion, pace.speed, pace.hold_key);
            pace.speed = speed;
            (motion, legs.end(motion, &params(pace)))
        });
        if let Some((motion, answer)) = done {
            self.take_gait_from_legs();
            let code = answer.map_or_else(MotionRefused::code, |()| 0);
            journal.call(Call::Stop { motion, speed: pace.speed, code });
        }
    }

    /// Ends everything the legs do. Whoever calls has ended any way to somewhere already.
    ///
    /// Retail: `CMotionInterp::StopCompletely` (11.4186 @ 0x00527E40)
    pub(crate) fn stop_completely(&mut self, journal: &mut impl Journal) {
        journal.call(Call::StopCompletely);
        #[cfg(feature = "_conform")]
        if let Some(double) = self.double.as_deref_mut() {
            double.stop();
            return;
        }
        let stopped = self.with_legs(|legs| {
            legs.stop();
            // What takes no time is done at once, not a step later.
            legs.check_done();
        });
        if stopped.is_some() {
            self.take_gait_from_legs();
        } else {
            let gait = self.gait.stopped();
            self.set_gait(gait);
        }
    }

    /// Whether a motion is begun and not done: links are still being played.
    pub(crate) fn has_motions_pending(&self) -> bool {
        #[cfg(feature = "_conform")]
        if let Some(double) = self.double.as_deref() {
            return double.pending > 0;
        }
        self.limbs.states.get(self.body.links.legs).is_some_and(|state| !state.interpreter.waiting.is_empty())
    }

    /// Whether waypoints move it.
    pub(super) fn is_on_route(&self) -> bool {
        #[cfg(feature = "_conform")]
        if let Some(double) = self.double.as_deref() {
            return double.is_on_route;
        }
        self.body.links.route.is_some()
    }

    /// Turns on the spot, as the end of a turn that was drawn: from where the last step left it.
    ///
    /// Retail: `CPhysicsObj::set_heading`, called by `MoveToManager::HandleTurnToHeading` (11.4186 @ 0x0052A0C0)
    pub(super) fn face(&mut self, degrees: f32, journal: &mut impl Journal) {
        journal.call(Call::SetHeading(degrees));
        if let Ok(heading) = Heading::from_degrees(degrees) {
            self.body.place.pose = self.body.place.pose.with_heading(heading);
        }
    }

    /// The gait is what the legs mean to do.
    fn take_gait_from_legs(&mut self) {
        let Some(state) = self.limbs.states.get(self.body.links.legs) else { return };
        let meant = &state.interpreter.meant;
        let used = |axis: MotionCommand| (axis != NONE).then_some(axis);
        // Legs multiply speeds; a gait has limits.
        let limited = |speed: f32| speed.clamp(-SPEED_LIMIT, SPEED_LIMIT);
        let gait = Gait {
            style: meant.style,
            forward: meant.forward.0,
            forward_speed: limited(meant.forward.1),
            sidestep: used(meant.sidestep.0),
            sidestep_speed: limited(meant.sidestep.1),
            turn: used(meant.turn.0),
            turn_speed: limited(meant.turn.1),
            ..*self.gait
        };
        self.set_gait(gait);
    }
}

fn params(pace: &Pace) -> Params {
    let default = Params::default();
    Params {
        bits: default.bits & !Params::CANCEL_MOVE_TO,
        speed: pace.speed,
        hold_key: pace.hold_key,
        ..default
    }
}

#[cfg(feature = "_conform")]
pub(crate) use self::double::Double;

/// Legs that traces prescribe: three channels, and a count of steps during which motions are pending.
#[cfg(feature = "_conform")]
mod double {
    use alloc::vec::Vec;

    use evenstride_types::{
        Heading, Pose, Vec3,
        update::{HoldKey, MotionCommand},
    };

    use crate::{
        gait::{RUN_SPEED, SIDESTEP_SPEED, WALK_SPEED},
        legs::{
            MotionRefused,
            interpreter::{Walker, adjust},
            states::NONE,
        },
        player::BACKWARDS_FACTOR,
    };

    /// What takes the place of legs.
    #[derive(Clone, Debug)]
    pub(crate) struct Double {
        pub(crate) forward: (MotionCommand, f32),
        pub(crate) turn: (MotionCommand, f32),
        pub(crate) side: (MotionCommand, f32),
        pub(crate) pending: u32,
        pub(crate) link_ticks: u32,
        pub(crate) is_on_route: bool,
        /// Motions that fail, and how.
        pub(crate) errors: Vec<(MotionCommand, u32)>,
        pub(crate) walker: Walker,
    }

    impl Double {
        pub(crate) fn adjust(&self, motion: MotionCommand, speed: f32, key: HoldKey) -> (MotionCommand, f32) {
            adjust(motion, speed, key, &self.walker)
        }

        pub(crate) fn begin(&mut self, motion: MotionCommand, speed: f32) -> u32 {
            if let Some((_, code)) = self.errors.iter().find(|(fails, _)| *fails == motion) {
                return *code;
            }
            match motion {
                MotionCommand::WALK_FORWARD
                | MotionCommand::RUN_FORWARD
                | MotionCommand::WALK_BACKWARDS
                | MotionCommand::READY => self.set_forward((motion, speed)),
                MotionCommand::TURN_LEFT | MotionCommand::TURN_RIGHT => self.turn = (motion, speed),
                MotionCommand::SIDESTEP_LEFT | MotionCommand::SIDESTEP_RIGHT => self.side = (motion, speed),
                _ => return MotionRefused::NoMotion.code(),
            }
            0
        }

        pub(crate) fn end(&mut self, motion: MotionCommand) -> u32 {
            if motion == self.forward.0 && motion != MotionCommand::READY {
                self.set_forward((MotionCommand::READY, 1.0));
            } else if motion == self.turn.0 {
                self.turn = (NONE, 1.0);
            } else if motion == self.side.0 {
                self.side = (NONE, 1.0);
            } else {
                return MotionRefused::NoMotion.code();
            }
            0
        }

        pub(crate) fn stop(&mut self) {
            self.set_forward((MotionCommand::READY, 1.0));
            self.turn = (NONE, 1.0);
            self.side = (NONE, 1.0);
        }

        pub(crate) fn set_forward(&mut self, forward: (MotionCommand, f32)) {
            if forward.0 != self.forward.0 {
                self.pending = self.pending.max(self.link_ticks);
            }
            self.forward = forward;
        }

        /// The way of a step.
        pub(crate) fn stride(&self, secs: f32, stands: bool) -> Pose {
            let ahead = match self.forward {
                (MotionCommand::WALK_FORWARD, speed) => WALK_SPEED * speed * secs,
                (MotionCommand::RUN_FORWARD, speed) => RUN_SPEED * speed * secs,
                (MotionCommand::WALK_BACKWARDS, speed) => -(WALK_SPEED * BACKWARDS_FACTOR * speed * secs),
                _ => 0.0,
            };
            let aside = match self.side {
                (MotionCommand::SIDESTEP_RIGHT, speed) => SIDESTEP_SPEED * speed * secs,
                (MotionCommand::SIDESTEP_LEFT, speed) => -(SIDESTEP_SPEED * speed * secs),
                _ => 0.0,
            };
            let turn = match self.turn {
                (MotionCommand::TURN_RIGHT, speed) => 90.0 * speed * secs,
                (MotionCommand::TURN_LEFT, speed) => -(90.0 * speed * secs),
                _ => 0.0,
            };
            let origin = if stands { Vec3::new(aside, ahead, 0.0) } else { Vec3::ZERO };
            let way = Pose::IDENTITY.with_origin(origin).unwrap_or(Pose::IDENTITY);
            Heading::from_degrees(turn).map_or(way, |heading| way.with_heading(heading))
        }

        /// A step is over.
        pub(crate) fn finish(&mut self) {
            self.pending = self.pending.saturating_sub(1);
        }
    }
}
