//! The beginning of each step of a move-to. A step is a turn, or a walk or run to the goal.
//!
//! `start.rs`, `step.rs` and a landing call these functions. A step that is not needed is dropped,
//! and after the last one the move-to ends.

use evenstride_types::{EPSILON, SimTime, update::MotionCommand};

use crate::{
    body::{body_mut::BodyMut, locomotion::Locomotion},
    journal::{Happening, Journal},
    motion::{
        goal::{Progress, Step, turns::turn_left_to_do},
        movement_params::Pace,
    },
    outcome::{MotionError, MoveToEnd, Steering},
};

/// Result of beginning a step.
enum Began {
    /// The step is under way, or waits until pending motions are done.
    Yes,
    /// The body is already where the step would lead.
    NothingToDo,
    /// The motion was refused, which ends the move-to.
    Refused(MotionError),
}

impl<L: Locomotion> BodyMut<'_, L> {
    /// Begins the first step that is necessary. Without any step left, the move-to ends as done.
    ///
    /// Retail: `MoveToManager::BeginNextNode` (11.4186 @ 0x00529CB0)
    pub(super) fn begin_next_step(&mut self, now: SimTime, journal: &mut impl Journal) {
        while let Some(way) = self.moves.get(self.cold.move_to) {
            let began = match way.steps.first() {
                None => return self.finish_move_to(journal),
                Some(Step::Go) => self.begin_going(now, journal),
                Some(Step::Turn(heading)) => self.begin_turning(heading, journal),
            };
            match began {
                Began::Yes => return,
                Began::NothingToDo => {
                    if let Some(way) = self.moves.get_mut(self.cold.move_to) {
                        way.steps.drop_first();
                    }
                }
                Began::Refused(why) => return self.cancel_move_to(MoveToEnd::Refused(why), journal),
            }
        }
    }

    /// Begins to walk or run.
    ///
    /// The remaining distance decides between them here, and only a landing decides again. The
    /// check for headway starts here too. The body does not wait for pending motions.
    ///
    /// Retail: `MoveToManager::BeginMoveForward` (11.4186 @ 0x00529A00)
    fn begin_going(&mut self, now: SimTime, journal: &mut impl Journal) -> Began {
        let (here, own) = (self.hot.place, self.size());
        let Some(way) = self.moves.get(self.cold.move_to) else { return Began::Yes };
        let distance = way.distance(&here, own);
        let choice = way.params.choose(distance);
        let Some((command, is_away)) = choice.command else { return Began::NothingToDo };
        let mut pace = Pace { speed: way.params.speed, hold_key: choice.hold_key };
        if let Err(why) = self.begin_motion(command, &mut pace, journal) {
            return Began::Refused(why);
        }
        if let Some(way) = self.moves.get_mut(self.cold.move_to) {
            (way.command, way.is_away) = (command, is_away);
            way.params.hold_key = choice.hold_key;
            way.progress = Some(Progress::from(distance, now.as_secs()));
        }
        self.note_way(journal);
        Began::Yes
    }

    /// Begins a turn that `step.rs` has found waiting, the shorter way round. While motions are
    /// pending, the turn waits for the next step.
    ///
    /// Retail: `MoveToManager::BeginTurnToHeading` (11.4186 @ 0x00529B90)
    pub(super) fn begin_turn_step(&mut self, heading: f32, now: SimTime, journal: &mut impl Journal) {
        match self.begin_turning(heading, journal) {
            Began::Yes => {}
            Began::NothingToDo => {
                if let Some(way) = self.moves.get_mut(self.cold.move_to) {
                    way.steps.drop_first();
                }
                self.begin_next_step(now, journal);
            }
            Began::Refused(why) => self.cancel_move_to(MoveToEnd::Refused(why), journal),
        }
    }

    /// Begins a turn to `heading`, in degrees, the shorter way round.
    ///
    /// Exactly half a turn goes right. Returns `Yes` without a motion while motions are pending.
    fn begin_turning(&mut self, heading: f32, journal: &mut impl Journal) -> Began {
        if L::is_pending(self) {
            return Began::Yes;
        }
        let turn =
            turn_left_to_do(heading, self.hot.place.pose.heading().degrees(), MotionCommand::TURN_RIGHT);
        let motion = match turn {
            turn if turn <= 180.0 && turn > EPSILON => MotionCommand::TURN_RIGHT,
            turn if turn > 180.0 && turn + EPSILON < 360.0 => MotionCommand::TURN_LEFT,
            _ => return Began::NothingToDo,
        };
        let Some(way) = self.moves.get(self.cold.move_to) else { return Began::Yes };
        let mut pace = Pace { speed: way.params.speed, hold_key: way.params.hold_key };
        if let Err(why) = self.begin_motion(motion, &mut pace, journal) {
            return Began::Refused(why);
        }
        if let Some(way) = self.moves.get_mut(self.cold.move_to) {
            way.command = motion;
            journal.note(Happening::Turns { steering: Steering::of(motion), heading });
            // The client stores a difference where a heading belongs. Only the count of stalled
            // steps reads it.
            way.turned = turn;
        }
        Began::Yes
    }

    /// Begins the present step again after a landing. A body that ran may then walk.
    ///
    /// A move-to that still waits for its target has no step, and therefore ends as done. The
    /// client does the same.
    ///
    /// Retail: `MoveToManager::HitGround` (11.4186 @ 0x00529D70)
    pub fn move_to_hits_ground(&mut self, now: SimTime, journal: &mut impl Journal) {
        self.begin_next_step(now, journal);
    }
}
