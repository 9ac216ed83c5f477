//! The trait through which a step and a move-to use animations.
//!
//! It covers everything that moves a body from within. Waypoints, velocity and gravity are not part
//! of it. With the trait, a step does not depend on motion tables, and reference traces of move-to
//! can use a simple implementation.

use evenstride_types::{Placement, Pose, Vec3, update::MotionCommand};

use crate::{
    body::{body_mut::BodyMut, flags::Flags, rows::HotRow},
    config::{RootMotionMode, Takeoff},
    journal::Journal,
    motion::{MotionLibrary, interpreter::Answer, movement_params::Pace},
    storage::pool::PoolIndex,
};

/// Begins and ends motions of bodies, and yields their root motion.
///
/// [`AnimationPools`](crate::motion::animator::AnimationPools) implements it by playing animations.
/// The conformance crate brings a simpler implementation for the traces of move-to.
pub trait Locomotion: Sized {
    /// Gives a body the state it needs to move, if it has none. Called before a motion begins.
    fn prepare(body: &mut BodyMut<'_, Self>, journal: &mut impl Journal);

    /// Frees the state of a body that is removed, and sets `animator` to `NONE`.
    fn remove(&mut self, animator: &mut PoolIndex);

    /// Begins a motion of a move-to.
    ///
    /// Returns the canonical form of the motion, and an error if the motion cannot begin. The pace
    /// takes on the speed of the canonical form.
    fn begin(
        body: &mut BodyMut<'_, Self>,
        motion: MotionCommand,
        pace: &mut Pace,
        journal: &mut impl Journal,
    ) -> (MotionCommand, Answer);

    /// Ends a motion of a move-to.
    ///
    /// Returns the canonical form of the motion, and an error if the motion is not being done. The
    /// pace takes on the speed of the canonical form.
    fn end(
        body: &mut BodyMut<'_, Self>,
        motion: MotionCommand,
        pace: &mut Pace,
        journal: &mut impl Journal,
    ) -> (MotionCommand, Answer);

    /// Ends every motion, so that the body stands.
    fn stop(body: &mut BodyMut<'_, Self>, journal: &mut impl Journal);

    /// Returns whether a motion has begun and is not done. A move-to does not steer while one is
    /// pending.
    fn is_pending(body: &BodyMut<'_, Self>) -> bool;

    /// Returns whether waypoints move the body.
    fn is_on_route(body: &BodyMut<'_, Self>) -> bool {
        body.hot.flags.contains(Flags::ROUTED)
    }

    /// Takes a received position of a remote body, which tells how fast borrowed animations should
    /// move it. `is_way` tells whether the body walks there.
    fn hear_position(&mut self, _body: &HotRow, _place: &Placement, _is_way: bool, _library: &MotionLibrary) {
    }

    /// Plays animations for `secs` seconds and returns the motion of the root.
    ///
    /// The first phase of a step calls this, unless the body is hidden or its animations have no
    /// effect.
    fn root_motion(
        body: &mut BodyMut<'_, Self>,
        secs: f32,
        mode: RootMotionMode,
        journal: &mut impl Journal,
    ) -> RootMotion;

    /// Returns the result of an ordinary step of a body's animations, without changing anything.
    ///
    /// Returns `None` if the step does more than continue one looping animation, or if a motion
    /// is pending. [`root_motion`](Self::root_motion) then plays the step. `scale` is the size of the
    /// body, which stands on walkable ground.
    fn stride(
        &self,
        _animator: PoolIndex,
        _scale: f32,
        _secs: f32,
        _mode: RootMotionMode,
        _library: &MotionLibrary,
    ) -> Option<Stride> {
        None
    }

    /// Touches what ordinary steps of some bodies need, up to 64 of them, so that the waits for memory
    /// overlap. Nothing changes.
    fn touch(&self, _animators: &[PoolIndex]) {}

    /// Stores the progress after an ordinary step.
    fn set_progress(&mut self, _animator: PoolIndex, _progress: AnimationProgress) {}

    /// Completes the motions of `ended` animations that ended in this step.
    ///
    /// A step calls this after it has computed the trial pose and before the sweep, as in the
    /// client.
    fn end_animations(body: &mut BodyMut<'_, Self>, ended: u32, journal: &mut impl Journal);

    /// Completes motions that take no time. A step calls this near its end, after the move-to.
    fn finish_step(body: &mut BodyMut<'_, Self>, journal: &mut impl Journal);

    /// Tells the interpreter that the body has lost walkable ground.
    ///
    /// Returns the velocity at take-off in metres per second, world axes. `None` leaves the
    /// velocity as it is.
    fn leave_ground(
        body: &mut BodyMut<'_, Self>,
        takeoff: Takeoff,
        journal: &mut impl Journal,
    ) -> Option<Vec3>;

    /// Tells the interpreter that the body stands on walkable ground again.
    fn hit_ground(body: &mut BodyMut<'_, Self>, journal: &mut impl Journal);
}

/// Result of an ordinary step of one looping animation.
#[derive(Clone, Copy, Debug)]
pub struct Stride {
    /// Offset in the body's own axes.
    pub way: Pose,
    /// The animation after the step.
    pub progress: AnimationProgress,
}

/// Progress of one looping animation.
#[derive(Clone, Copy, Debug)]
pub struct AnimationProgress {
    /// Place in the animation in keyframes.
    pub frame: f64,
    /// Way of the unchanged animation in metres, if borrowed legs measure it.
    pub played: Option<f32>,
}

/// Result of playing animations for one step.
#[derive(Clone, Copy, Debug)]
pub struct RootMotion {
    /// Offset in the body's own axes. Its translation is zero unless the body stands on walkable
    /// ground.
    pub way: Pose,
    /// Number of animations that ended, whose motions may be done.
    pub ended: u32,
}

impl RootMotion {
    /// Root motion of a body whose animations are not played.
    pub const NONE: Self = Self { way: Pose::IDENTITY, ended: 0 };
}
