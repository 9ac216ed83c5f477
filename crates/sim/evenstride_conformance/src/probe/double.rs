//! Replacement for animations in the move-to traces. It has three channels, and a count of steps
//! during which motions are pending.

use std::collections::BTreeMap;

use evenstride::{
    config::{RootMotionMode, Takeoff},
    limits::{BACKWARDS_FACTOR, RUN_SPEED, SIDESTEP_SPEED, WALK_SPEED},
    outcome::MotionError,
    probe::{
        Answer, BodyMut, Flags, Journal, Locomotion, NONE, Pace, PoolIndex, RootMotion, Walker, adjust,
        refused,
    },
};
use evenstride_types::{
    Cylinder, EntityId, Heading, Placement, Pose, Vec3,
    update::{HoldKey, MotionCommand},
};

/// One body of a trace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoubleSetup {
    pub(crate) entity: EntityId,
    pub(crate) place: Placement,
    pub(crate) size: Cylinder,
    pub(crate) contact: bool,
    pub(crate) walkable: bool,
    pub(crate) holder: Option<EntityId>,
    pub(crate) run_rate: f32,
    pub(crate) reported_run_rate: Option<f32>,
    pub(crate) has_game: bool,
    pub(crate) is_creature: bool,
    pub(crate) hold_key: HoldKey,
    pub(crate) link_ticks: u32,
}

/// Replacement for one body's animations.
#[derive(Clone, Debug)]
pub(super) struct Double {
    pub(super) forward: (MotionCommand, f32),
    pub(super) turn: (MotionCommand, f32),
    side: (MotionCommand, f32),
    pub(super) pending: u32,
    link_ticks: u32,
    pub(super) is_on_route: bool,
    /// Motions that fail, with the client's error code.
    pub(super) errors: Vec<(MotionCommand, u32)>,
    pub(super) walker: Walker,
}

/// The doubles of a trace.
#[derive(Clone, Debug, Default)]
pub(super) struct Doubles(pub(super) BTreeMap<EntityId, Double>);

impl Double {
    pub(super) fn new(setup: &DoubleSetup, run_rate: f32) -> Self {
        Self {
            forward: (MotionCommand::READY, 1.0),
            turn: (NONE, 1.0),
            side: (NONE, 1.0),
            pending: 0,
            link_ticks: setup.link_ticks,
            is_on_route: false,
            errors: Vec::new(),
            walker: Walker {
                walks: !setup.has_game || setup.is_creature,
                hold_key: setup.hold_key,
                run_rate,
            },
        }
    }

    pub(super) fn adjust(&self, motion: MotionCommand, speed: f32, key: HoldKey) -> (MotionCommand, f32) {
        adjust(motion, speed, key, &self.walker)
    }

    pub(super) fn begin(&mut self, motion: MotionCommand, speed: f32) -> Answer {
        if let Some((_, code)) = self.errors.iter().find(|(fails, _)| *fails == motion) {
            return Err(match code {
                0x43 => MotionError::NoMotion,
                code => refused(*code).unwrap_or(MotionError::Failed),
            });
        }
        match motion {
            MotionCommand::WALK_FORWARD
            | MotionCommand::RUN_FORWARD
            | MotionCommand::WALK_BACKWARDS
            | MotionCommand::READY => self.set_forward((motion, speed)),
            MotionCommand::TURN_LEFT | MotionCommand::TURN_RIGHT => self.turn = (motion, speed),
            MotionCommand::SIDESTEP_LEFT | MotionCommand::SIDESTEP_RIGHT => self.side = (motion, speed),
            _ => return Err(MotionError::NoMotion),
        }
        Ok(())
    }

    fn end(&mut self, motion: MotionCommand) -> Answer {
        if motion == self.forward.0 && motion != MotionCommand::READY {
            self.set_forward((MotionCommand::READY, 1.0));
        } else if motion == self.turn.0 {
            self.turn = (NONE, 1.0);
        } else if motion == self.side.0 {
            self.side = (NONE, 1.0);
        } else {
            return Err(MotionError::NoMotion);
        }
        Ok(())
    }

    fn stop(&mut self) {
        self.set_forward((MotionCommand::READY, 1.0));
        self.turn = (NONE, 1.0);
        self.side = (NONE, 1.0);
    }

    pub(super) fn set_forward(&mut self, forward: (MotionCommand, f32)) {
        if forward.0 != self.forward.0 {
            self.pending = self.pending.max(self.link_ticks);
        }
        self.forward = forward;
    }

    fn way(&self, secs: f32, stands: bool) -> Pose {
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
}

/// Returns the double of a body.
fn of<'a>(body: &'a mut BodyMut<'_, Doubles>) -> &'a mut Double {
    let id = body.hot.id;
    body.locomotion.0.get_mut(&id).expect("every body of a trace has a double")
}

/// Returns the double of a body, and a motion in its canonical form. The speed in `pace` is
/// adjusted to that form.
fn canonically<'a>(
    body: &'a mut BodyMut<'_, Doubles>,
    motion: MotionCommand,
    pace: &mut Pace,
) -> (&'a mut Double, MotionCommand) {
    let double = of(body);
    let (motion, speed) = double.adjust(motion, pace.speed, pace.hold_key);
    pace.speed = speed;
    (double, motion)
}

impl Locomotion for Doubles {
    fn prepare(_: &mut BodyMut<'_, Self>, _: &mut impl Journal) {}

    fn remove(&mut self, _: &mut PoolIndex) {}

    fn begin(
        body: &mut BodyMut<'_, Self>,
        motion: MotionCommand,
        pace: &mut Pace,
        _: &mut impl Journal,
    ) -> (MotionCommand, Answer) {
        let (double, motion) = canonically(body, motion, pace);
        (motion, double.begin(motion, pace.speed))
    }

    fn end(
        body: &mut BodyMut<'_, Self>,
        motion: MotionCommand,
        pace: &mut Pace,
        _: &mut impl Journal,
    ) -> (MotionCommand, Answer) {
        let (double, motion) = canonically(body, motion, pace);
        (motion, double.end(motion))
    }

    fn stop(body: &mut BodyMut<'_, Self>, _: &mut impl Journal) {
        of(body).stop();
    }

    fn is_pending(body: &BodyMut<'_, Self>) -> bool {
        body.locomotion.0[&body.hot.id].pending > 0
    }

    fn is_on_route(body: &BodyMut<'_, Self>) -> bool {
        body.locomotion.0[&body.hot.id].is_on_route
    }

    fn root_motion(
        body: &mut BodyMut<'_, Self>,
        secs: f32,
        _: RootMotionMode,
        _: &mut impl Journal,
    ) -> RootMotion {
        let stands = body.hot.flags.contains(Flags::WALKABLE);
        RootMotion { way: of(body).way(secs, stands), ended: 0 }
    }

    fn end_animations(_: &mut BodyMut<'_, Self>, _: u32, _: &mut impl Journal) {}

    fn finish_step(body: &mut BodyMut<'_, Self>, _: &mut impl Journal) {
        let double = of(body);
        double.pending = double.pending.saturating_sub(1);
    }

    fn leave_ground(_: &mut BodyMut<'_, Self>, _: Takeoff, _: &mut impl Journal) -> Option<Vec3> {
        None
    }

    fn hit_ground(_: &mut BodyMut<'_, Self>, _: &mut impl Journal) {}
}
