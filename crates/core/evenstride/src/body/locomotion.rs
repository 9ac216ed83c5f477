//! What moves a body from within: a step and a move-to know animations only through this.

use evenstride_types::{Pose, Vec3, update::MotionCommand};

use crate::{
    body::body_mut::BodyMut,
    config::{RootMotionMode, Takeoff},
    journal::Journal,
    motion::{interpreter::Answer, movement_params::Pace},
    storage::pool::PoolIndex,
};

/// What moves bodies from within: begins and ends motions, and yields root motion.
///
/// [`AnimationPools`](crate::motion::animator::AnimationPools) plays animations. Reference traces of move-to bring a simpler one of their own.
pub trait Locomotion: Sized {
    /// Gives a body what it needs to move, if it has it not yet.
    fn prepare(body: &mut BodyMut<'_, Self>, journal: &mut impl Journal);

    /// Releases what a body took.
    fn remove(&mut self, animator: &mut PoolIndex);

    /// Begins a motion. Returns its canonical form; the pace takes on its speed.
    fn begin(
        body: &mut BodyMut<'_, Self>,
        motion: MotionCommand,
        pace: &mut Pace,
        journal: &mut impl Journal,
    ) -> (MotionCommand, Answer);

    /// Ends a motion. Returns its canonical form; the pace takes on its speed.
    fn end(
        body: &mut BodyMut<'_, Self>,
        motion: MotionCommand,
        pace: &mut Pace,
        journal: &mut impl Journal,
    ) -> (MotionCommand, Answer);

    /// Ends every motion.
    fn stop(body: &mut BodyMut<'_, Self>, journal: &mut impl Journal);

    /// Returns whether a motion is begun and not done: links are still being played.
    fn is_pending(body: &BodyMut<'_, Self>) -> bool;

    /// Returns whether waypoints move the body.
    fn is_on_route(body: &BodyMut<'_, Self>) -> bool {
        body.body.links.route.is_some()
    }

    /// Plays on for a step, and returns where that carries the body.
    fn root_motion(
        body: &mut BodyMut<'_, Self>,
        secs: f32,
        mode: RootMotionMode,
        journal: &mut impl Journal,
    ) -> RootMotion;

    /// Completes the motions of animations that ended in this step; comes before the sweep.
    fn end_animations(body: &mut BodyMut<'_, Self>, ended: u32, journal: &mut impl Journal);

    /// Completes motions that take no time; comes at the end of a step.
    fn finish_step(body: &mut BodyMut<'_, Self>, journal: &mut impl Journal);

    /// Notices that the ground is gone. Returns the velocity that the body takes off with, world axes.
    fn leave_ground(
        body: &mut BodyMut<'_, Self>,
        takeoff: Takeoff,
        journal: &mut impl Journal,
    ) -> Option<Vec3>;

    /// Notices that the body stands again.
    fn hit_ground(body: &mut BodyMut<'_, Self>, journal: &mut impl Journal);
}

/// What a step of animations came to.
#[derive(Clone, Copy, Debug)]
pub struct RootMotion {
    /// The way of the root, as far as the ground lets it count.
    pub way: Pose,
    /// Animations that ended, whose motions may be done.
    pub ended: u32,
}

impl RootMotion {
    pub const NONE: Self = Self { way: Pose::IDENTITY, ended: 0 };
}
