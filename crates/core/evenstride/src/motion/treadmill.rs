//! Legs without a body: to see, measure or draw what a motion table does.

use alloc::{sync::Arc, vec::Vec};

use evenstride_types::{Pose, Vec3, update::MotionCommand};

use crate::{
    motion::{
        Hook, MotionLibrary,
        items::Item,
        playing::{MotionPlayer, NoMotion, PlayingView, Shared},
        sequence::{Node, Passed},
    },
    outcome::MotionRefused,
    storage::pool::Pool,
};

/// Legs that run on the spot: motions of a table in, the way of the root out, exactly as in a [`MotionWorld`](crate::MotionWorld) whose
/// bodies move by whole keyframes.
///
/// ```
/// use std::sync::Arc;
/// use evenstride::{BUILT_IN_HUMANOID, MotionLibrary, Treadmill};
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
    library: Arc<MotionLibrary>,
    table: u32,
    playing: MotionPlayer,
    nodes: Pool<Node>,
    items: Pool<Item>,
}

/// Something that came by while legs were playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// A keyframe was left.
    Keyframe {
        /// Of which animation.
        animation: u32,
        /// Which.
        frame: i32,
        /// In which direction.
        is_forward: bool,
    },
    /// Something happened at that keyframe.
    Hook(Hook),
    /// An animation before the one that goes round was finished.
    Ended,
}

impl Treadmill {
    /// Legs that stand in the table's own stance and posture; `None` if the library has no such table.
    pub fn new(library: Arc<MotionLibrary>, table: u32) -> Option<Self> {
        library.table(table)?;
        let (playing, nodes, items) = (MotionPlayer::default(), Pool::new(), Pool::new());
        let mut legs = Self { library, table, playing, nodes, items };
        legs.with_table(|playing, shared| playing.initialize(shared));
        legs.skip_links();
        Some(legs)
    }

    /// Begins a motion, a stance or a posture, as the table has it: what is not in it is refused.
    ///
    /// # Errors
    /// [`MotionRefused::NoMotion`], or [`MotionRefused::Failed`] for a speed that is no number.
    pub fn begin(&mut self, motion: MotionCommand, speed: f32) -> Result<(), MotionRefused> {
        if !speed.is_finite() {
            return Err(MotionRefused::Failed);
        }
        let begun = self.with_table(|playing, shared| playing.begin(shared, motion, speed));
        match begun {
            Some(Ok(())) => Ok(()),
            Some(Err(NoMotion)) | None => Err(MotionRefused::NoMotion),
        }
    }

    /// Leaves out what only leads to the motion that goes round.
    pub fn skip_links(&mut self) {
        self.playing.skip_to_cycle(&mut self.nodes, &mut self.items, &mut |_, _| {});
    }

    /// Plays on for so many seconds; answers where that carries the root, and tells what came by.
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

    /// What is being played; `None` if nothing is.
    pub fn playing(&self) -> Option<PlayingView> {
        self.playing.view(self.table, &self.nodes, &self.library)
    }

    /// The stance and the posture or motion they are in.
    pub const fn posture(&self) -> (MotionCommand, MotionCommand) {
        (self.playing.posture.style, self.playing.posture.substate)
    }

    /// What comes on top of that, newest first, and how fast.
    pub fn modifiers(&self) -> Vec<(MotionCommand, f32)> {
        self.playing.posture.modifiers.iter(&self.items).map(|item| (item.motion, item.speed)).collect()
    }

    /// Velocity beside what keyframes do, metres a second, own axes.
    pub const fn velocity(&self) -> Vec3 {
        self.playing.sequence.velocity
    }

    /// Spin beside what keyframes do, radians a second, own axes.
    pub const fn omega(&self) -> Vec3 {
        self.playing.sequence.omega
    }

    fn with_table<T>(&mut self, run: impl FnOnce(&mut MotionPlayer, &mut Shared<'_>) -> T) -> Option<T> {
        let Self { library, table, playing, nodes, items } = self;
        let table = library.table(*table)?;
        Some(run(playing, &mut Shared { library, table, nodes, items }))
    }
}
