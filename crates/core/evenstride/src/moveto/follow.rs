//! The end of a follow, and updates about its target.
//!
//! `goal.rs` begins follows, and [`motion::follow`](crate::motion::follow) computes their motion.

use crate::{
    body::{body_mut::BodyMut, flags::Flags, locomotion::Locomotion},
    journal::{Call, Happening, Journal},
    outcome::{MoveToEnd, TargetStatus, TargetUpdate},
};

impl<L: Locomotion> BodyMut<'_, L> {
    /// Ends a follow, its observation and any move-to. Without a follow nothing happens.
    ///
    /// Retail: `StickyManager::UnStick` (11.4186 @ 0x00555400)
    pub fn end_follow(&mut self, journal: &mut impl Journal) {
        if self.hot.flags.contains(Flags::FOLLOWS) {
            journal.call(Call::Unstick);
            self.follows.remove(&mut self.cold.follow);
            self.hot.flags.remove(Flags::FOLLOWS);
            journal.note(Happening::FollowEnded);
            self.clear_target(journal);
            self.cancel_move_to(MoveToEnd::Interrupted, journal);
        }
    }

    /// Applies an update about the target of a follow. Any status but `Ok` ends the follow.
    ///
    /// Retail: `StickyManager::HandleUpdateTarget` (11.4186 @ 0x00555780)
    pub fn update_follow_target(&mut self, news: &TargetUpdate, journal: &mut impl Journal) {
        let Some(follow) = self.follows.get_mut(self.cold.follow) else { return };
        if follow.target != news.about {
            return;
        }
        match news.status {
            TargetStatus::Ok => follow.heard = Some(news.at),
            _ => self.end_follow(journal),
        }
    }
}
