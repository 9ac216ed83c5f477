//! Conversion of a goal into steps.
//!
//! A goal becomes at most three steps, which are a turn, a walk or run, and a final turn. For a
//! place or a heading this happens at once. For another body it happens when the first update about
//! that body arrives. Later updates move the goal but do not change the steps.

use evenstride_types::{EntityId, Placement, SimTime, update::MoveToFlags};

use crate::{
    body::{body_mut::BodyMut, flags::Flags, locomotion::Locomotion},
    journal::Journal,
    motion::{
        goal::{MoveTo, MoveToGoal, Progress, Step, turns::less_a_turn},
        movement_params::MovementParams,
    },
    outcome::{MoveToEnd, TargetStatus, TargetUpdate},
};

impl<L: Locomotion> BodyMut<'_, L> {
    /// Sets out towards a goal. Returns the body to observe, or `None` for a place or a heading.
    ///
    /// A turn stops the present motions only if the flag `STOP_COMPLETELY` says so. All other goals
    /// always stop them.
    pub(super) fn set_out(
        &mut self,
        goal: &MoveToGoal,
        params: &MovementParams,
        now: SimTime,
        journal: &mut impl Journal,
    ) -> Option<EntityId> {
        match goal {
            MoveToGoal::Place(place) => self.move_to_place(*place, params, now, journal),
            MoveToGoal::Face => self.turn_to_heading(params, now, journal),
            MoveToGoal::Entity { target, .. } => {
                self.stop_for_goal(journal);
                return self.observe_goal(*target, goal, params, journal);
            }
            MoveToGoal::FaceEntity(target) => {
                if params.has(MoveToFlags::STOP_COMPLETELY) {
                    self.stop_for_goal(journal);
                }
                return self.observe_goal(*target, goal, params, journal);
            }
        }
        None
    }

    /// Sets out to a place. The final heading is absolute.
    ///
    /// The first distance is measured between origins, even if the message asks for surfaces. The
    /// client has not stored the new parameters at that point. There is no follow at the end, even
    /// if the message asks for one.
    ///
    /// Retail: `MoveToManager::MoveToPosition` (11.4186 @ 0x0052A240)
    /// Disputed: ACE looks at an earlier goal's final heading, and may measure between surfaces.
    fn move_to_place(
        &mut self,
        place: Placement,
        params: &MovementParams,
        now: SimTime,
        journal: &mut impl Journal,
    ) {
        self.stop_for_goal(journal);
        let here = self.hot.place;
        let params = params.with(MoveToFlags::STICKY, false);
        let mut way = MoveTo::new(MoveToGoal::Place(place), params, here);
        if params.choose(here.distance(&place) as f32).command.is_some() {
            way.steps.push(Step::Turn(here.heading_to(&place).degrees()));
            way.steps.push(Step::Go);
        }
        if params.has(MoveToFlags::USE_FINAL_HEADING) {
            way.steps.push(Step::Turn(params.heading));
        }
        self.enter(way);
        self.begin_next_step(now, journal);
    }

    /// Sets out to turn to a heading.
    ///
    /// Retail: `MoveToManager::TurnToHeading` (11.4186 @ 0x0052A630)
    /// Disputed: in ACE and GDLE the turn begins a step later.
    fn turn_to_heading(&mut self, params: &MovementParams, now: SimTime, journal: &mut impl Journal) {
        if params.has(MoveToFlags::STOP_COMPLETELY) {
            self.stop_for_goal(journal);
        }
        let params = params.with(MoveToFlags::STICKY, false);
        let mut way = MoveTo::new(MoveToGoal::Face, params, self.hot.place);
        way.steps.push(Step::Turn(params.heading));
        self.enter(way);
        self.begin_next_step(now, journal);
    }

    /// Sets out to another body, or to face it, without any steps yet. Returns the target to
    /// observe.
    ///
    /// A body that is its own target is done at once. The heading in a turn to a body has no
    /// effect, because the client never reads it.
    ///
    /// Retail: `MoveToManager::MoveToObject` (11.4186 @ 0x00529680)
    /// Retail: `MoveToManager::TurnToObject` (11.4186 @ 0x005297D0)
    fn observe_goal(
        &mut self,
        target: EntityId,
        goal: &MoveToGoal,
        params: &MovementParams,
        journal: &mut impl Journal,
    ) -> Option<EntityId> {
        self.enter(MoveTo::new(*goal, *params, self.hot.place));
        if target == self.hot.id {
            self.clean_up(MoveToEnd::IsTarget, journal);
            self.stop_completely(journal);
            return None;
        }
        Some(target)
    }

    /// Ends the present move-to and every motion.
    fn stop_for_goal(&mut self, journal: &mut impl Journal) {
        self.cancel_move_to(MoveToEnd::Interrupted, journal);
        self.stop_completely(journal);
    }

    /// Stores a move-to as the body's present one.
    fn enter(&mut self, way: MoveTo) {
        self.moves.remove(&mut self.cold.move_to);
        self.cold.move_to = self.moves.insert(way);
        self.hot.flags.insert(Flags::MOVES_TO);
    }

    /// Applies an update about the target of a move-to. Updates about other entities are ignored.
    ///
    /// | | `Ok` | any other status |
    /// |---|---|---|
    /// | first update | the steps are created and the first begins | ends as `TargetUnknown` |
    /// | later update, going | the goal moves | ends as `TargetGone` |
    /// | later update, turning | no effect | ends as `TargetGone` |
    ///
    /// Retail: `MoveToManager::HandleUpdateTarget` (11.4186 @ 0x0052A7D0)
    pub fn update_move_to_target(&mut self, news: &TargetUpdate, now: SimTime, journal: &mut impl Journal) {
        let Some(way) = self.moves.get_mut(self.cold.move_to) else { return };
        if way.goal.entity() != Some(news.about) {
            return;
        }
        match (way.is_begun, news.status, way.goal) {
            (false, TargetStatus::Ok, MoveToGoal::Entity { .. }) => self.begin_chase(news, now, journal),
            (false, TargetStatus::Ok, _) => self.begin_facing(news, now, journal),
            (false, ..) => self.cancel_move_to(MoveToEnd::TargetUnknown, journal),
            (true, TargetStatus::Ok, MoveToGoal::Entity { .. }) => {
                way.retrack(news, now);
                self.note_way(journal);
            }
            // A turn aims at the place of the first update.
            (true, TargetStatus::Ok, _) => {}
            (true, ..) => self.cancel_move_to(MoveToEnd::TargetGone, journal),
        }
    }

    /// Creates the steps towards another body and begins the first.
    ///
    /// The first turn aims at the expected place of the target. Distance and steering use its
    /// present one.
    ///
    /// Retail: `MoveToManager::MoveToObject_Internal` (11.4186 @ 0x0052A400)
    fn begin_chase(&mut self, news: &TargetUpdate, now: SimTime, journal: &mut impl Journal) {
        let (here, own) = (self.hot.place, self.size());
        let Some(way) = self.moves.get_mut(self.cold.move_to) else { return };
        (way.heard, way.expected) = (Some(news.at), Some(news.expected));
        let heading = here.heading_to(&news.expected).degrees();
        if way.params.choose(way.distance(&here, own)).command.is_some() {
            way.steps.push(Step::Turn(heading));
            way.steps.push(Step::Go);
        }
        if way.params.has(MoveToFlags::USE_FINAL_HEADING) {
            // The final heading is relative to the bearing at the start, and is not adjusted later.
            way.steps.push(Step::Turn(less_a_turn(heading + way.params.heading)));
        }
        way.is_begun = true;
        self.begin_next_step(now, journal);
    }

    /// Creates the turn towards another body and begins it.
    ///
    /// Retail: `MoveToManager::TurnToObject_Internal` (11.4186 @ 0x0052A550)
    fn begin_facing(&mut self, news: &TargetUpdate, now: SimTime, journal: &mut impl Journal) {
        let here = self.hot.place;
        let Some(way) = self.moves.get_mut(self.cold.move_to) else { return };
        way.heard = Some(news.at);
        way.steps.push(Step::Turn(here.heading_to(&news.at).degrees()));
        way.is_begun = true;
        self.begin_next_step(now, journal);
    }
}

impl MoveTo {
    /// Moves the goal to the new place of the target. The steps stay as they are, and the check for
    /// headway starts again.
    fn retrack(&mut self, news: &TargetUpdate, now: SimTime) {
        (self.heard, self.expected) = (Some(news.at), Some(news.expected));
        self.progress = Some(Progress::unknown(now.as_secs()));
    }
}
