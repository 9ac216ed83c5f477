//! The follow of a body: how it ends, and what it hears of its target.

use crate::{
    body::{body_mut::BodyMut, locomotion::Locomotion},
    journal::{Call, Happening, Journal},
    outcome::{MoveToEnd, TargetStatus, TargetUpdate},
};

impl<L: Locomotion> BodyMut<'_, L> {
    /// Ends a follow, and with it any server-controlled movement.
    ///
    /// Retail: `StickyManager::UnStick` (11.4186 @ 0x00555400)
    pub fn end_follow(&mut self, journal: &mut impl Journal) {
        if self.body.links.follow.is_some() {
            journal.call(Call::Unstick);
            self.follows.remove(&mut self.body.links.follow);
            journal.note(Happening::FollowEnded);
            self.clear_target(journal);
            self.cancel_move_to(MoveToEnd::Interrupted, journal);
        }
    }

    /// Whom it follows was heard of, or is gone.
    ///
    /// Retail: `StickyManager::HandleUpdateTarget` (11.4186 @ 0x00555780)
    pub fn update_follow_target(&mut self, news: &TargetUpdate, journal: &mut impl Journal) {
        let Some(follow) = self.follows.get_mut(self.body.links.follow) else { return };
        if follow.target != news.about {
            return;
        }
        match news.status {
            TargetStatus::Ok => follow.heard = Some(news.at),
            _ => self.end_follow(journal),
        }
    }
}
