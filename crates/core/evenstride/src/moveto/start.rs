//! From an order to what has to be done.

use evenstride_types::{Cylinder, EntityId, Placement, SimTime, update::MoveToFlags};

use super::{Goal, How, MoveTo, MoveToEnd, Progress, state::Step, turns::less_a_turn};
use crate::{
    store::{BodyMut, Flags},
    target::{News, Status},
    why::Journal,
};

impl BodyMut<'_> {
    /// Sets out to a place.
    ///
    /// The first look at the distance is at origins, whatever was asked for: the client has not stored yet what was.
    ///
    /// Retail: `MoveToManager::MoveToPosition` (11.4186 @ 0x0052A240)
    /// Disputed: ACE looks at an earlier order's final heading, and may measure between surfaces.
    pub(crate) fn move_to_place(
        &mut self,
        place: Placement,
        how: &How,
        now: SimTime,
        journal: &mut impl Journal,
    ) {
        self.set_out(journal);
        let here = self.body.place;
        let mut way = MoveTo::new(Goal::Place, How { flags: how.flags - MoveToFlags::STICKY, ..*how }, here);
        (way.towards, way.expected) = (Some(place), Some(place));
        if how.choose(here.distance(&place) as f32).command.is_some() {
            way.steps.push(Step::Turn(here.heading_to(&place).degrees()));
            way.steps.push(Step::Go);
        }
        if how.has(MoveToFlags::USE_FINAL_HEADING) {
            way.steps.push(Step::Turn(how.heading));
        }
        self.enter(way);
        self.begin_next_step(now, journal);
    }

    /// Sets out to turn.
    ///
    /// Retail: `MoveToManager::TurnToHeading` (11.4186 @ 0x0052A630)
    /// Disputed: in ACE and GDLE the turn begins a step later.
    pub(crate) fn turn_to_heading(&mut self, how: &How, now: SimTime, journal: &mut impl Journal) {
        if how.has(MoveToFlags::STOP_COMPLETELY) {
            self.set_out(journal);
        }
        let how = How { flags: how.flags - MoveToFlags::STICKY, ..*how };
        let mut way = MoveTo::new(Goal::Face, how, self.body.place);
        way.steps.push(Step::Turn(how.heading));
        self.enter(way);
        self.begin_next_step(now, journal);
    }

    /// Sets out to somebody, of whom nothing was heard yet. Answers whether there is anybody to keep an eye on.
    ///
    /// Retail: `MoveToManager::MoveToObject` (11.4186 @ 0x00529680)
    pub(crate) fn move_to_entity(
        &mut self,
        target: EntityId,
        size: Cylinder,
        how: &How,
        journal: &mut impl Journal,
    ) -> bool {
        self.set_out(journal);
        self.enter(MoveTo { size, ..MoveTo::new(Goal::Entity(target), *how, self.body.place) });
        self.is_other(target, journal)
    }

    /// Sets out to turn to somebody. What heading was asked for does not count: the client writes it where it is never read.
    ///
    /// Retail: `MoveToManager::TurnToObject` (11.4186 @ 0x005297D0)
    pub(crate) fn turn_to_entity(&mut self, target: EntityId, how: &How, journal: &mut impl Journal) -> bool {
        if how.has(MoveToFlags::STOP_COMPLETELY) {
            self.set_out(journal);
        }
        self.enter(MoveTo::new(Goal::FaceEntity(target), *how, self.body.place));
        self.is_other(target, journal)
    }

    /// Nobody goes to himself.
    fn is_other(&mut self, target: EntityId, journal: &mut impl Journal) -> bool {
        let is_other = target != self.body.id;
        if !is_other {
            self.clean_up(MoveToEnd::IsTarget, journal);
            self.stop_completely(journal);
        }
        is_other
    }

    fn set_out(&mut self, journal: &mut impl Journal) {
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
    pub(crate) fn move_to_hears(&mut self, news: &News, now: SimTime, journal: &mut impl Journal) {
        let Some(way) = self.moves.get_mut(self.detail.move_to) else { return };
        if way.goal.entity() != Some(news.about) {
            return;
        }
        match (way.is_begun, news.status, way.goal) {
            (false, Status::Ok, Goal::Entity(_)) => self.begin_chase(news, now, journal),
            (false, Status::Ok, _) => self.begin_facing(news, now, journal),
            (false, ..) => self.cancel_move_to(MoveToEnd::TargetUnknown, journal),
            (true, Status::Ok, Goal::Entity(_)) => {
                way.retrack(news, now);
                self.note_way(journal);
            }
            // Whoever turns to somebody does not turn after him.
            (true, Status::Ok, _) => {}
            (true, ..) => self.cancel_move_to(MoveToEnd::TargetGone, journal),
        }
    }

    /// Retail: `MoveToManager::MoveToObject_Internal` (11.4186 @ 0x0052A400)
    fn begin_chase(&mut self, news: &News, now: SimTime, journal: &mut impl Journal) {
        let (here, own) = (self.body.place, self.size());
        let Some(way) = self.moves.get_mut(self.detail.move_to) else { return };
        (way.towards, way.expected) = (Some(news.at), Some(news.expected));
        let heading = here.heading_to(&news.expected).degrees();
        if way.how.choose(way.distance(&here, own)).command.is_some() {
            way.steps.push(Step::Turn(heading));
            way.steps.push(Step::Go);
        }
        if way.how.has(MoveToFlags::USE_FINAL_HEADING) {
            // As seen from where it begins, and never looked at again.
            way.steps.push(Step::Turn(less_a_turn(heading + way.how.heading)));
        }
        way.is_begun = true;
        self.begin_next_step(now, journal);
    }

    /// Retail: `MoveToManager::TurnToObject_Internal` (11.4186 @ 0x0052A550)
    fn begin_facing(&mut self, news: &News, now: SimTime, journal: &mut impl Journal) {
        let here = self.body.place;
        let Some(way) = self.moves.get_mut(self.detail.move_to) else { return };
        way.towards = Some(news.at);
        way.steps.push(Step::Turn(here.heading_to(&news.at).degrees()));
        way.is_begun = true;
        self.begin_next_step(now, journal);
    }
}

impl MoveTo {
    /// The target is elsewhere. The way goes on as it is, and the audit begins anew.
    fn retrack(&mut self, news: &News, now: SimTime) {
        (self.towards, self.expected) = (Some(news.at), Some(news.expected));
        self.progress = Some(Progress::unknown(now.as_secs()));
    }
}
