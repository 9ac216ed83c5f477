//! The end of a way: arrived, or given up.

use core::fmt;

use evenstride_types::update::MoveToFlags;

use crate::moveto::motions::Pace;
use crate::motion::MotionRefused;
use crate::motion::interpreted_motion::NONE;
use crate::body::locomotion::Locomotion;
use crate::body::store::BodyMut;
use crate::body::store::Flags;
use crate::moveto::observers::Wish;
use crate::explain::Call;
use crate::explain::Journal;
use crate::explain::Note;

/// How a movement under the server's control ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveToEnd {
    /// It is done.
    Done,
    /// It was to go to itself.
    IsTarget,
    /// Something else was to be done.
    Interrupted,
    /// The target left or was put elsewhere.
    TargetGone,
    /// The target was never heard of.
    TargetUnknown,
    /// It was put elsewhere itself.
    Teleported,
    /// It went farther than it was to.
    TooFar,
    /// Its legs cannot do it.
    Refused(MotionRefused),
}

impl MoveToEnd {
    /// The client's number for it; 0 when all is well.
    pub const fn code(self) -> u32 {
        match self {
            Self::Done | Self::IsTarget => 0,
            Self::Interrupted => 0x36,
            Self::TargetGone => 0x37,
            Self::TargetUnknown => 0x38,
            Self::Teleported => 0x3C,
            Self::TooFar => 0x3D,
            Self::Refused(refused) => refused.code(),
        }
    }
}

impl fmt::Display for MoveToEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("done"),
            Self::IsTarget => f.write_str("it was to go to itself"),
            Self::Interrupted => f.write_str("something else was to be done"),
            Self::TargetGone => f.write_str("its target left, or was put elsewhere"),
            Self::TargetUnknown => f.write_str("nothing was heard of its target"),
            Self::Teleported => f.write_str("it was put elsewhere itself"),
            Self::TooFar => f.write_str("it went farther than it was to"),
            Self::Refused(refused) => write!(f, "its legs refused: {refused}"),
        }
    }
}

impl<L: Locomotion> BodyMut<'_, L> {
    /// Ends it without its aim, if there is anything to end.
    ///
    /// Retail: `MoveToManager::CancelMoveTo` (11.4186 @ 0x00529930)
    pub fn cancel_move_to(&mut self, end: MoveToEnd, journal: &mut impl Journal) {
        if self.body.flags.contains(Flags::MOVES_TO) {
            self.clean_up(end, journal);
            self.stop_completely(journal);
        }
    }

    /// Ends a move-to that is done. A body that was to stay close follows its target from now on.
    ///
    /// Retail: `MoveToManager::BeginNextNode` (11.4186 @ 0x00529CB0)
    pub(super) fn finish_move_to(&mut self, journal: &mut impl Journal) {
        let Some(&way) = self.moves.get(self.detail.move_to) else { return };
        self.clean_up(MoveToEnd::Done, journal);
        self.stop_completely(journal);
        if let Some(target) = way.goal.entity().filter(|_| way.params.has(MoveToFlags::STICKY)) {
            self.post.wish(Wish { follower: self.body.id, target, target_radius: way.goal.size().radius });
        }
    }

    /// Retail: `MoveToManager::CleanUp` (11.4186 @ 0x005295C0)
    pub(super) fn clean_up(&mut self, end: MoveToEnd, journal: &mut impl Journal) {
        self.body.flags.remove(Flags::MOVES_TO);
        let Some(&way) = self.moves.get(self.detail.move_to) else { return };
        let mut pace = Pace { speed: 1.0, hold_key: way.params.hold_key };
        for motion in [way.command, way.steering] {
            if motion != NONE {
                self.end_motion(motion, &mut pace, journal);
            }
        }
        if way.goal.entity().is_some() {
            self.clear_target(journal);
        }
        let metres = way.distance(&self.body.place, self.size());
        self.moves.remove(&mut self.detail.move_to);
        journal.call(Call::End(end));
        journal.note(Note::MoveToEnded { end, metres: if way.towards().is_some() { metres } else { 0.0 } });
    }
}
