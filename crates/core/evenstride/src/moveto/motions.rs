//! Single motions that a move-to begins and ends.
//!
//! Each function passes the motion to [`Locomotion`]. It notes the canonical motion, its speed and
//! the client's number for the answer in the journal.

use evenstride_types::{Cylinder, Heading, update::MotionCommand};

use crate::{
    body::{body_mut::BodyMut, flags::Flags, locomotion::Locomotion},
    journal::{Call, Journal},
    motion::movement_params::Pace,
    outcome::MotionError,
};

impl<L: Locomotion> BodyMut<'_, L> {
    /// Returns radius and height of the body, in metres.
    pub(super) const fn size(&self) -> Cylinder {
        Cylinder { radius: self.moving.dimensions.radius, height: self.moving.dimensions.height }
    }

    /// Begins a motion. The pace takes on the canonical speed, which later motions of the same step
    /// share.
    ///
    /// Retail: `MoveToManager::_DoMotion` (11.4186 @ 0x00529010)
    pub(super) fn begin_motion(
        &mut self,
        motion: MotionCommand,
        pace: &mut Pace,
        journal: &mut impl Journal,
    ) -> Result<(), MotionError> {
        let (motion, answer) = L::begin(self, motion, pace, journal);
        journal.call(Call::Do { motion, speed: pace.speed, code: code(answer) });
        answer
    }

    /// Ends a motion if it is being done. The pace changes as in
    /// [`begin_motion`](Self::begin_motion).
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

    /// Turns the body on the spot to the exact heading at the end of a turn.
    ///
    /// The place of the previous step stays, so that the last part of the turn is drawn smoothly.
    ///
    /// Retail: `CPhysicsObj::set_heading`, called by `MoveToManager::HandleTurnToHeading` (11.4186 @ 0x0052A0C0)
    pub(super) fn face(&mut self, degrees: f32, journal: &mut impl Journal) {
        journal.call(Call::SetHeading(degrees));
        if let Ok(heading) = Heading::from_degrees(degrees) {
            self.hot.place.pose = self.hot.place.pose.with_heading(heading);
            // One more step is needed, or the body would be drawn turning forever.
            self.hot.flags.insert(Flags::WAS_MOVING);
        }
    }
}

/// Returns the client's number for an answer, 0 for success.
fn code(answer: Result<(), MotionError>) -> u32 {
    answer.map_or_else(MotionError::client_code, |()| 0)
}
