//! From a goal to what has to be done.

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
    /// Sets out towards a goal. Returns the body to observe, if there is one.
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

    /// Sets out to a place.
    ///
    /// The first look at the distance is at origins, whatever was asked for: the client has not stored yet what was.
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
        let here = self.body.place;
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

    /// Sets out to turn.
    ///
    /// Retail: `MoveToManager::TurnToHeading` (11.4186 @ 0x0052A630)
    /// Disputed: in ACE and GDLE the turn begins a step later.
    fn turn_to_heading(&mut self, params: &MovementParams, now: SimTime, journal: &mut impl Journal) {
        if params.has(MoveToFlags::STOP_COMPLETELY) {
            self.stop_for_goal(journal);
        }
        let params = params.with(MoveToFlags::STICKY, false);
        let mut way = MoveTo::new(MoveToGoal::Face, params, self.body.place);
        way.steps.push(Step::Turn(params.heading));
        self.enter(way);
        self.begin_next_step(now, journal);
    }

    /// Sets out to another body, or to face it; of the target nothing is known yet. A body that is its own target is done at once.
    ///
    /// The heading of a turn to a body does not count: the client writes it where it is never read.
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
        self.enter(MoveTo::new(*goal, *params, self.body.place));
        if target == self.body.id {
            self.clean_up(MoveToEnd::IsTarget, journal);
            self.stop_completely(journal);
            return None;
        }
        Some(target)
    }

    fn stop_for_goal(&mut self, journal: &mut impl Journal) {
        self.cancel_move_to(MoveToEnd::Interrupted, journal);
        self.stop_completely(journal);
    }

    fn enter(&mut self, way: MoveTo) {
        self.moves.remove(&mut self.detail.move_to);
        self.detail.move_to = self.moves.insert(way);
        self.body.flags.insert(Flags::MOVES_TO);
    }

    /// Its target was heard of, or is gone.
    ///
    /// Retail: `MoveToManager::HandleUpdateTarget` (11.4186 @ 0x0052A7D0)
    pub fn update_move_to_target(&mut self, news: &TargetUpdate, now: SimTime, journal: &mut impl Journal) {
        let Some(way) = self.moves.get_mut(self.detail.move_to) else { return };
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
            // A turn to a body does not follow it.
            (true, TargetStatus::Ok, _) => {}
            (true, ..) => self.cancel_move_to(MoveToEnd::TargetGone, journal),
        }
    }

    /// Retail: `MoveToManager::MoveToObject_Internal` (11.4186 @ 0x0052A400)
    fn begin_chase(&mut self, news: &TargetUpdate, now: SimTime, journal: &mut impl Journal) {
        let (here, own) = (self.body.place, self.size());
        let Some(way) = self.moves.get_mut(self.detail.move_to) else { return };
        (way.heard, way.expected) = (Some(news.at), Some(news.expected));
        let heading = here.heading_to(&news.expected).degrees();
        if way.params.choose(way.distance(&here, own)).command.is_some() {
            way.steps.push(Step::Turn(heading));
            way.steps.push(Step::Go);
        }
        if way.params.has(MoveToFlags::USE_FINAL_HEADING) {
            // As seen from where it begins, and never looked at again.
            way.steps.push(Step::Turn(less_a_turn(heading + way.params.heading)));
        }
        way.is_begun = true;
        self.begin_next_step(now, journal);
    }

    /// Retail: `MoveToManager::TurnToObject_Internal` (11.4186 @ 0x0052A550)
    fn begin_facing(&mut self, news: &TargetUpdate, now: SimTime, journal: &mut impl Journal) {
        let here = self.body.place;
        let Some(way) = self.moves.get_mut(self.detail.move_to) else { return };
        way.heard = Some(news.at);
        way.steps.push(Step::Turn(here.heading_to(&news.at).degrees()));
        way.is_begun = true;
        self.begin_next_step(now, journal);
    }
}

impl MoveTo {
    /// The target is elsewhere. The way goes on as it is, and the audit begins again.
    fn retrack(&mut self, news: &TargetUpdate, now: SimTime) {
        (self.heard, self.expected) = (Some(news.at), Some(news.expected));
        self.progress = Some(Progress::unknown(now.as_secs()));
    }
}
