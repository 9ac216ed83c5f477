//! The part of a move-to that happens in every step of the body.
//!
//! A step steers, checks headway and detects arrival. It comes after the body was moved and before
//! finished motions are completed.

use evenstride_types::{EPSILON, EntityId, SimTime, length, update::MotionCommand};

use crate::{
    body::{body_mut::BodyMut, flags::Flags, locomotion::Locomotion},
    journal::{Happening, Journal},
    motion::{
        goal::{
            MoveToView, Progress, Step,
            steering::steer,
            turns::{is_past, turn_left_to_do},
        },
        interpreted_motion::NONE,
        movement_params::Pace,
    },
    outcome::MoveToEnd,
};

/// Speed in metres per second up to which no arrival time is computed.
///
/// Retail: `MoveToManager::HandleMoveToPosition` (11.4186 @ 0x00529D80)
const MIN_SPEED_TO_TELL: f64 = 0.1;

/// Change of the arrival time, in seconds, beyond which the body asks for another look-ahead.
///
/// Retail: `MoveToManager::HandleMoveToPosition` (11.4186 @ 0x00529D80)
const ARRIVAL_CHANGE_SECS: f64 = 1.0;

impl<L: Locomotion> BodyMut<'_, L> {
    /// Continues the present step of a move-to.
    ///
    /// It does nothing in the air, or before the first update about a target.
    ///
    /// Retail: `MoveToManager::UseTime` (11.4186 @ 0x0052A780)
    pub fn step_move_to(&mut self, now: SimTime, journal: &mut impl Journal) {
        if !self.hot.flags.contains(Flags::CONTACT) {
            return;
        }
        let Some(way) = self.moves.get(self.cold.move_to) else { return };
        if way.goal.entity().is_some() && !way.is_begun {
            return;
        }
        match way.steps.first() {
            Some(Step::Go) => self.go_on(now, journal),
            Some(Step::Turn(heading)) => self.turn_on(heading, now, journal),
            None => {}
        }
    }

    /// Continues towards the goal.
    ///
    /// Arrival and the fail distance are checked only if the body makes headway. As in the client,
    /// a body that stalls is therefore never cancelled, and does not arrive either. Stalled steps
    /// are not counted while motions are pending or waypoints move the body.
    ///
    /// Retail: `MoveToManager::HandleMoveToPosition` (11.4186 @ 0x00529D80)
    fn go_on(&mut self, now: SimTime, journal: &mut impl Journal) {
        let Some(way) = self.moves.get(self.cold.move_to) else { return };
        let mut pace = Pace { speed: way.params.speed, hold_key: way.params.hold_key };
        let is_pending = L::is_pending(self);
        self.steer(&mut pace, is_pending, journal);
        let (here, own) = (self.hot.place, self.size());
        let Some(way) = self.moves.get_mut(self.cold.move_to) else { return };
        let distance = way.distance(&here, own);
        let progress = way.progress.get_or_insert(Progress::unknown(now.as_secs()));
        if progress.check(distance, way.is_away, now.as_secs()) {
            way.stalled = 0;
            let has_arrived =
                if way.is_away { distance >= way.params.far } else { distance <= way.params.near };
            if has_arrived {
                self.arrive(&mut pace, now, journal);
            } else if way.params.fail_distance < f32::MAX
                && way.start.distance(&here) > f64::from(way.params.fail_distance)
            {
                self.cancel_move_to(MoveToEnd::TooFar, journal);
            }
        } else if !L::is_pending(self) && !L::is_on_route(self) {
            self.count_stalled(journal);
        }
        self.look_ahead(distance, journal);
    }

    /// Begins or ends the turn that corrects the course.
    ///
    /// The body does not turn while motions are pending, or within 20° of the aim.
    fn steer(&mut self, pace: &mut Pace, is_pending: bool, journal: &mut impl Journal) {
        let here = self.hot.place;
        let Some(way) = self.moves.get(self.cold.move_to) else { return };
        let Some(towards) = way.towards() else { return };
        let was = way.steering;
        let wanted = if is_pending { NONE } else { steer(&here, towards, way.command, way.is_away) };
        if wanted == was {
            return;
        }
        if wanted == NONE {
            self.end_motion(was, pace, journal);
        } else {
            // The answer is ignored, and a turn to the other side is not ended first.
            let _ = self.begin_motion(wanted, pace, journal);
        }
        if let Some(way) = self.moves.get_mut(self.cold.move_to) {
            way.steering = wanted;
        }
        self.note_way(journal);
    }

    /// Notes the progress of the move-to of a traced body. A step that only turns has a note of its
    /// own.
    pub(super) fn note_way(&self, journal: &mut impl Journal) {
        if !self.hot.flags.contains(Flags::TRACED) {
            return;
        }
        let Some(way) = self.moves.get(self.cold.move_to) else { return };
        let view = way.view(&self.hot.place, self.size(), self.motion);
        let MoveToView { target, steering, is_running, is_away, .. } = view;
        if let Some(metres) = view.metres.filter(|_| view.is_going) {
            let target = target.unwrap_or(EntityId::new(0));
            journal.note(Happening::OnItsWay { target, metres, steering, is_running, is_away });
        }
    }

    /// Ends the walk or run and its steering, and begins the next step.
    ///
    /// The motions of a step share one pace. After a turn to the left, a run may therefore keep
    /// going. The end of the move-to stops it.
    fn arrive(&mut self, pace: &mut Pace, now: SimTime, journal: &mut impl Journal) {
        let Some(way) = self.moves.get_mut(self.cold.move_to) else { return };
        way.steps.drop_first();
        let (command, steering) = (way.command, way.steering);
        (way.command, way.steering) = (NONE, NONE);
        self.end_motion(command, pace, journal);
        if steering != NONE {
            self.end_motion(steering, pace, journal);
        }
        self.begin_next_step(now, journal);
    }

    /// Asks the target to predict its place at the time when the body will arrive.
    fn look_ahead(&mut self, distance: f32, journal: &mut impl Journal) {
        let Some(way) = self.moves.get(self.cold.move_to) else { return };
        if way.goal.entity().is_none() {
            return;
        }
        let speed = length(self.moving.last_velocity);
        if speed > MIN_SPEED_TO_TELL {
            let arrival = f64::from(distance) / speed;
            let quantum = self.target().map_or(0.0, |target| target.quantum);
            if (arrival - quantum).abs() > ARRIVAL_CHANGE_SECS {
                self.set_target_quantum(arrival, journal);
            }
        }
    }

    /// Continues a turn on the spot to the heading `goal`, in degrees.
    ///
    /// A turn that has passed its goal is set to the exact heading. A turn that waited for pending
    /// motions begins here.
    ///
    /// Retail: `MoveToManager::HandleTurnToHeading` (11.4186 @ 0x0052A0C0)
    fn turn_on(&mut self, goal: f32, now: SimTime, journal: &mut impl Journal) {
        let is_busy = L::is_pending(self) || L::is_on_route(self);
        let heading = self.hot.place.pose.heading().degrees();
        let Some(way) = self.moves.get_mut(self.cold.move_to) else { return };
        let motion = way.command;
        if !matches!(motion, MotionCommand::TURN_RIGHT | MotionCommand::TURN_LEFT) {
            return self.begin_turn_step(goal, now, journal);
        }
        if is_past(heading, goal, motion) {
            way.stalled = 0;
            way.steps.drop_first();
            way.command = NONE;
            let mut pace = Pace { speed: 1.0, hold_key: way.params.hold_key };
            self.face(goal, journal);
            self.end_motion(motion, &mut pace, journal);
            return self.begin_next_step(now, journal);
        }
        let turned = turn_left_to_do(heading, way.turned, motion);
        way.turned = heading;
        if turned > EPSILON && turned < 180.0 {
            way.stalled = 0;
        } else if !is_busy {
            self.count_stalled(journal);
        }
    }

    /// Counts a step without headway. The first such step after headway is noted in the journal.
    fn count_stalled(&mut self, journal: &mut impl Journal) {
        if let Some(way) = self.moves.get_mut(self.cold.move_to) {
            way.stalled = way.stalled.saturating_add(1);
            if way.stalled == 1 {
                journal.note(Happening::NoHeadway);
            }
        }
    }
}
