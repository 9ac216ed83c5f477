//! The end of a move-to, by arrival or cancellation.
//!
//! Each end stops the motions, ends the observation, and frees the `MoveTo` in its pool.
//! `MoveToEnded` tells hosts the reason.

use evenstride_types::update::MoveToFlags;

use crate::{
    body::{body_mut::BodyMut, flags::Flags, locomotion::Locomotion, observers::FollowRequest},
    journal::{Call, Happening, Journal},
    motion::{interpreted_motion::NONE, movement_params::Pace},
    outcome::MoveToEnd,
};

impl<L: Locomotion> BodyMut<'_, L> {
    /// Ends a move-to before its goal is reached. Without a move-to nothing happens.
    ///
    /// Retail: `MoveToManager::CancelMoveTo` (11.4186 @ 0x00529930)
    pub fn cancel_move_to(&mut self, end: MoveToEnd, journal: &mut impl Journal) {
        if self.hot.flags.contains(Flags::MOVES_TO) {
            self.clean_up(end, journal);
            self.stop_completely(journal);
        }
    }

    /// Ends a move-to that is done.
    ///
    /// With the flag `STICKY` the body then follows its target. The follow is only requested here,
    /// and begins when notices are delivered.
    ///
    /// Retail: `MoveToManager::BeginNextNode` (11.4186 @ 0x00529CB0)
    pub(super) fn finish_move_to(&mut self, journal: &mut impl Journal) {
        let Some(&way) = self.moves.get(self.cold.move_to) else { return };
        self.clean_up(MoveToEnd::Done, journal);
        self.stop_completely(journal);
        if let Some(target) = way.goal.entity().filter(|_| way.params.has(MoveToFlags::STICKY)) {
            self.notices.request(FollowRequest {
                follower: self.hot.id,
                target,
                target_radius: way.goal.size().radius,
            });
        }
    }

    /// Ends the motions and the observation of a move-to, and removes it.
    ///
    /// The caller stops all other motions afterwards. `MOVES_TO` is cleared first, so that stopping
    /// them cannot end the move-to a second time.
    ///
    /// Retail: `MoveToManager::CleanUp` (11.4186 @ 0x005295C0)
    pub(super) fn clean_up(&mut self, end: MoveToEnd, journal: &mut impl Journal) {
        self.hot.flags.remove(Flags::MOVES_TO);
        let Some(&way) = self.moves.get(self.cold.move_to) else { return };
        let mut pace = Pace { speed: 1.0, hold_key: way.params.hold_key };
        for motion in [way.command, way.steering] {
            if motion != NONE {
                self.end_motion(motion, &mut pace, journal);
            }
        }
        if way.goal.entity().is_some() {
            self.clear_target(journal);
        }
        let metres = way.distance(&self.hot.place, self.size());
        self.moves.remove(&mut self.cold.move_to);
        journal.call(Call::End(end));
        journal
            .note(Happening::MoveToEnded { end, metres: if way.towards().is_some() { metres } else { 0.0 } });
    }
}
