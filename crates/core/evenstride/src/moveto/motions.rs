//! The motions of a move-to, as it begins and ends them.

use evenstride_types::{Cylinder, Heading, update::MotionCommand};

use crate::{
    body::{body_mut::BodyMut, flags::Flags, locomotion::Locomotion},
    journal::{Call, Journal},
    motion::movement_params::Pace,
    outcome::MotionRefused,
};

impl<L: Locomotion> BodyMut<'_, L> {
    /// Returns the size of the body.
    pub(super) const fn size(&self) -> Cylinder {
        Cylinder { radius: self.detail.dimensions.radius, height: self.detail.dimensions.height }
    }

    /// Begins a motion.
    ///
    /// Retail: `MoveToManager::_DoMotion` (11.4186 @ 0x00529010)
    pub(super) fn begin_motion(
        &mut self,
        motion: MotionCommand,
        pace: &mut Pace,
        journal: &mut impl Journal,
    ) -> Result<(), MotionRefused> {
        let (motion, answer) = L::begin(self, motion, pace, journal);
        journal.call(Call::Do { motion, speed: pace.speed, code: code(answer) });
        answer
    }

    /// Ends a motion, if it is being done.
    ///
    /// Retail: `MoveToManager::_StopMotion` (11.4186 @ 0x00529080)
    pub(super) fn end_motion(&mut self, motion: MotionCommand, pace: &mut Pace, journal: &mut impl Journal) {
        let (motion, answer) = L::end(self, motion, pace, journal);
        journal.call(Call::Stop { motion, speed: pace.speed, code: code(answer) });
    }

    /// Ends every motion. The caller has ended any move-to already.
    ///
    /// Retail: `CMotionInterp::StopCompletely` (11.4186 @ 0x00527E40)
    pub fn stop_completely(&mut self, journal: &mut impl Journal) {
        journal.call(Call::StopCompletely);
        L::stop(self, journal);
    }

    /// Turns on the spot, as the end of a turn that was drawn: from where the last step left it.
    ///
    /// Retail: `CPhysicsObj::set_heading`, called by `MoveToManager::HandleTurnToHeading` (11.4186 @ 0x0052A0C0)
    pub(super) fn face(&mut self, degrees: f32, journal: &mut impl Journal) {
        journal.call(Call::SetHeading(degrees));
        if let Ok(heading) = Heading::from_degrees(degrees) {
            self.body.place.pose = self.body.place.pose.with_heading(heading);
            // One more step, or the turn would be drawn for ever.
            self.body.flags.insert(Flags::WAS_MOVING);
        }
    }
}

fn code(answer: Result<(), MotionRefused>) -> u32 {
    answer.map_or_else(MotionRefused::code, |()| 0)
}
