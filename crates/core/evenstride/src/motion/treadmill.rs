//! Animations without a body, to show, measure or draw the motions of a table.
//!
//! The treadmill uses the same player and sequence as a body. It has no interpreter, so commands
//! must be canonical. There is no ground, no route and no velocity of flight.

use alloc::{sync::Arc, vec::Vec};

use evenstride_types::{Pose, Vec3, update::MotionCommand};

use crate::{
    motion::{
        Hook, MotionLibrary,
        items::Item,
        playing::{MotionPlayer, NoMotion, PlayingView, Shared},
        sequence::{Node, Passed},
    },
    outcome::MotionError,
    storage::pool::Pool,
};

/// Plays motions of a table on the spot, and returns the root motion.
///
/// The result is exactly that of a [`MotionWorld`](crate::MotionWorld) with
/// [`RootMotionMode::PerKeyframe`](crate::config::RootMotionMode::PerKeyframe).
///
/// ```
/// use std::sync::Arc;
/// use evenstride::animation::{BUILT_IN_HUMANOID, MotionLibrary, Treadmill};
/// use evenstride::types::update::MotionCommand;
///
/// let library = Arc::new(MotionLibrary::built_in());
/// let mut legs = Treadmill::new(library, BUILT_IN_HUMANOID).ok_or("no such table")?;
/// legs.begin(MotionCommand::RUN_FORWARD, 1.5)?;
/// legs.skip_links();
/// let mut metres = 0.0;
/// for _ in 0..300 {
///     metres += legs.play(1.0 / 30.0, |_| {}).origin().y;
/// }
/// assert!((metres - 10.0 * 1.5 * 4.0).abs() < 0.3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Treadmill {
    /// Animations and tables, shared with the caller.
    library: Arc<MotionLibrary>,
    /// Number of the table. The library contains it.
    table: u32,
    /// The player of animations.
    playing: MotionPlayer,
    /// Animations of this treadmill only.
    nodes: Pool<Node>,
    /// Entries of this treadmill's queues only.
    items: Pool<Item>,
}

/// An occurrence while animations were playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// A keyframe was left.
    Keyframe {
        /// Number of its animation in the library.
        animation: u32,
        /// Number of the keyframe, from 0.
        frame: i32,
        /// Whether the animation was playing forward.
        is_forward: bool,
    },
    /// A hook of that keyframe fired. It follows its keyframe.
    Hook(Hook),
    /// An animation that leads to the cycle has ended.
    Ended,
}

impl Treadmill {
    /// Creates a treadmill in the default stance and posture of a table. Returns `None` if the
    /// library has no such table.
    pub fn new(library: Arc<MotionLibrary>, table: u32) -> Option<Self> {
        library.table(table)?;
        let (playing, nodes, items) = (MotionPlayer::default(), Pool::new(), Pool::new());
        let mut legs = Self { library, table, playing, nodes, items };
        legs.with_table(|playing, shared| playing.initialize(shared));
        legs.skip_links();
        Some(legs)
    }

    /// Begins a motion, a stance or a posture. The speed factor scales rates, velocity and spin,
    /// and is negative for backward or left.
    ///
    /// # Errors
    /// [`MotionError::NoMotion`] if the table has no such motion from here, or
    /// [`MotionError::Failed`] if the speed is not finite.
    pub fn begin(&mut self, motion: MotionCommand, speed: f32) -> Result<(), MotionError> {
        if !speed.is_finite() {
            return Err(MotionError::Failed);
        }
        let begun = self.with_table(|playing, shared| playing.begin(shared, motion, speed));
        match begun {
            Some(Ok(())) => Ok(()),
            Some(Err(NoMotion)) | None => Err(MotionError::NoMotion),
        }
    }

    /// Drops all animations before the cycle, and completes all pending motions.
    pub fn skip_links(&mut self) {
        self.playing.skip_to_cycle(&mut self.nodes, &mut self.items, &mut |_, _| {});
    }

    /// Plays on for `secs` seconds, and returns the root motion in the body's own axes.
    ///
    /// `told` receives each occurrence in order. Seconds that are not finite count as 0. Completed
    /// motions are removed afterwards, as at the end of a step.
    pub fn play(&mut self, secs: f32, mut told: impl FnMut(Played)) -> Pose {
        let Self { library, playing, nodes, items, .. } = self;
        let mut way = Pose::IDENTITY;
        let mut ended = 0u32;
        let secs = if secs.is_finite() { secs } else { 0.0 };
        playing.sequence.play(nodes, library, secs, &mut way, &mut |passed| match passed {
            Passed::Animation => {
                ended += 1;
                told(Played::Ended);
            }
            Passed::Keyframe { animation, frame, is_forward } => {
                told(Played::Keyframe { animation: library.number(animation), frame, is_forward });
                if let Some(of) = library.animation(animation) {
                    of.firing_at(frame, is_forward).for_each(|hook| told(Played::Hook(*hook)));
                }
            }
        });
        for _ in 0..ended {
            playing.animation_ended(items, &mut |_, _| {});
        }
        playing.check_done(items, &mut |_, _| {});
        way
    }

    /// Returns the animation in progress. `None` if there is none.
    pub fn playing(&self) -> Option<PlayingView> {
        self.playing.view(self.table, &self.nodes, &self.library)
    }

    /// Returns the stance, and the posture or motion in it.
    pub const fn posture(&self) -> (MotionCommand, MotionCommand) {
        (self.playing.posture.style, self.playing.posture.substate)
    }

    /// Returns the modifiers with their speed factors, newest first.
    pub fn modifiers(&self) -> Vec<(MotionCommand, f32)> {
        self.playing.posture.modifiers.iter(&self.items).map(|item| (item.motion, item.speed)).collect()
    }

    /// Returns the constant velocity that is added to keyframes, in metres per second along the
    /// body's own axes.
    pub const fn velocity(&self) -> Vec3 {
        self.playing.sequence.velocity
    }

    /// Returns the constant spin that is added to keyframes, in radians per second about the body's
    /// own axes.
    pub const fn omega(&self) -> Vec3 {
        self.playing.sequence.omega
    }

    /// Calls `run` with the player and the motion table. `new` has checked that the library has the
    /// table, so `None` does not occur.
    fn with_table<T>(&mut self, run: impl FnOnce(&mut MotionPlayer, &mut Shared<'_>) -> T) -> Option<T> {
        let Self { library, table, playing, nodes, items } = self;
        let table = library.table(*table)?;
        Some(run(playing, &mut Shared { library, table, nodes, items }))
    }
}
