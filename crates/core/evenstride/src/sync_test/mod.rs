//! Sync tests, which compare a world with a restored copy of itself while the host plays.
//!
//! ```text
//! frame        0 ──── 1 ──── 2 ──── 3 ──── 4 ──── 5 ──── 6        every = 3
//! world        ●──────●──────●──────●──────●──────●──────●─►
//! twin         └──────=──────=──────┘──────=──────=──────┘        = compared
//!              saved and restored   again                again
//! ```
//!
//! `desync.rs` has the error, and `tested.rs` says how the two kinds of world are saved and
//! compared.

mod desync;
mod tested;

use alloc::{boxed::Box, format, vec::Vec};
use core::{fmt::Debug, num::NonZeroU32};

use evenstride_types::SimTime;

pub use self::{
    desync::{Desync, Difference},
    tested::TestedWorld,
};

use crate::{clock::Advanced, generic::PlainWorld, surroundings::Surroundings, world::MotionWorld};

/// A world and its twin, which was saved and restored a few frames ago.
///
/// Every call of the host is applied to both. Both must give the same answers and the same bits.
/// A sync test therefore finds [`Surroundings`] with hidden state, host code that depends on more
/// than its inputs, and errors of saving and restoring. The world itself is never restored and goes
/// on as it would without the test.
///
/// ```
/// use core::num::NonZeroU32;
/// use evenstride::{BodySetup, Config, FlatGround, MotionWorld, SyncTest};
/// use evenstride::types::{CellId, EntityId, Placement, Pose, SimTime};
///
/// let ground = FlatGround { z: 0.0 };
/// let place = Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY);
/// let world = MotionWorld::new(Config::GLIDE, SimTime::ZERO);
/// // The world is saved and restored every 10 frames.
/// let mut sync = SyncTest::new(world, NonZeroU32::new(10).ok_or("zero")?);
/// sync.apply(|world| world.insert(SimTime::ZERO, EntityId::new(7), &BodySetup::at(place)))?;
/// for frame in 1..=60u32 {
///     sync.frame(SimTime::from_secs(f64::from(frame) / 60.0)?, &ground)?;
///     // Messages, keys and polls go through `apply`, and drawing reads `world`.
///     while let Some(event) = sync.apply(|world| world.poll_event()) {
///         println!("{event:?}");
///     }
///     assert!(sync.world().drawn(EntityId::new(7), sync.world().now()).is_some());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Each frame costs two worlds and the comparison of their saves. A host therefore turns sync tests
/// on in tests and in debug builds.
///
/// # What is compared
///
/// - The answer of every [`apply`](Self::apply), as its `Debug` text. Answers may quote NaN, which
///   equals nothing. Equal texts of finite numbers mean equal bits.
/// - Once per frame everything that [`MotionWorld::save`] writes. This covers all motion
///   ([`MotionWorld::state_hash`]), counters, messages to be sent and traced entities.
/// - Once per frame ghosts and poses ([`MotionWorld::drawing_hash`]), and unpolled events.
/// - After every restore, the save of the twin with the save of the world.
///
/// A save leaves out unpolled events and recorded decisions. The twin therefore gets copies of them.
/// Every body of a restored world counts as [changed](MotionWorld::changed), so a host reads changed
/// bodies from [`world`](Self::world) and not in `apply`.
///
/// If code of the host panics in `apply`, the twin is dropped. The next frame restores a new one.
#[derive(Clone, Debug)]
pub struct SyncTest<W = MotionWorld> {
    /// The world that the host sees.
    world: W,
    /// Restored copy. `None` after a difference, and while the host's code runs.
    twin: Option<Box<W>>,
    /// Frames from one restore to the next.
    every: NonZeroU32,
    /// Frames since the start.
    frames: u64,
    /// Number of restores, including the one at the start.
    restores: u64,
    /// Frames before the last restore.
    restored_after: u64,
    /// Calls of `apply` since the last frame.
    calls: u32,
    /// First difference that was not reported yet.
    difference: Option<Difference>,
    /// Buffers for the saves of world and twin, kept because every frame needs them.
    saves: [Vec<u8>; 2],
}

impl<W: TestedWorld> SyncTest<W> {
    /// Starts a sync test. The world is saved and restored at once, and again after every `every`
    /// frames.
    ///
    /// If the world cannot be restored, the first [`check`](Self::check) reports it.
    pub fn new(world: W, every: NonZeroU32) -> Self {
        let mut test = Self {
            world,
            twin: None,
            every,
            frames: 0,
            restores: 0,
            restored_after: 0,
            calls: 0,
            difference: None,
            saves: [Vec::new(), Vec::new()],
        };
        test.restore();
        test
    }

    /// Runs a function on the world and on its twin, and returns the world's answer.
    ///
    /// Everything that changes the world goes through here, such as messages, keys, commands and
    /// polls. The function must do the same in both calls. The next [`check`](Self::check) reports
    /// the first answers that differ.
    pub fn apply<T: Debug>(&mut self, run: impl Fn(&mut W) -> T) -> T {
        self.calls = self.calls.saturating_add(1);
        // The twin is put back only if neither call panics.
        let twin = self.twin.take();
        let answer = run(&mut self.world);
        if let Some(mut twin) = twin {
            let (one, other) = (format!("{answer:?}"), format!("{:?}", run(&mut twin)));
            if one == other {
                self.twin = Some(twin);
            } else {
                self.difference = Some(Difference::Answer { call: self.calls, world: one, twin: other });
            }
        }
        answer
    }

    /// Ends a frame. Compares the world with its twin, and restores a new twin if it is due.
    ///
    /// [`frame`](Self::frame) calls it. Hosts that advance in [`apply`](Self::apply) call it
    /// themselves, once per frame.
    ///
    /// # Errors
    /// [`Desync`] with the first difference since the last check. The test goes on with a new twin,
    /// so an error that passes is reported once.
    pub fn check(&mut self) -> Result<(), Desync> {
        self.frames += 1;
        if let Some(twin) = &self.twin {
            self.difference = W::difference(&self.world, twin, &mut self.saves);
        }
        let restored_after = self.restored_after;
        let is_due = self.frames - self.restored_after >= u64::from(self.every.get());
        if is_due || self.twin.is_none() || self.difference.is_some() {
            self.restore();
        }
        self.calls = 0;
        match self.difference.take() {
            Some(what) => Err(Desync { frame: self.frames, restored_after, what }),
            None => Ok(()),
        }
    }

    /// Returns the world, to be read and drawn.
    pub const fn world(&self) -> &W {
        &self.world
    }

    /// Ends the test and returns the world.
    pub fn into_world(self) -> W {
        self.world
    }

    /// Returns the number of frames that were checked.
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// Returns the number of times that the world was saved and restored, including the start.
    pub const fn restores(&self) -> u64 {
        self.restores
    }

    /// Replaces the twin by a restored copy of the world. An earlier difference stays the one that
    /// is reported.
    fn restore(&mut self) {
        self.restored_after = self.frames;
        self.twin = match self.world.restored(&mut self.saves) {
            Ok(twin) => {
                self.restores += 1;
                Some(Box::new(twin))
            }
            Err(what) => {
                self.difference.get_or_insert(what);
                None
            }
        };
    }
}

impl SyncTest<MotionWorld> {
    /// Advances world and twin as [`MotionWorld::advance`] does, and compares them.
    ///
    /// # Errors
    /// [`Desync`] with the first difference since the last frame.
    pub fn frame(
        &mut self,
        now: SimTime,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<Advanced, Desync> {
        let advanced = self.apply(|world| world.advance(now, surroundings));
        self.check().map(|()| advanced)
    }
}

impl SyncTest<PlainWorld> {
    /// Advances world and twin as [`PlainWorld::advance`] does, and compares them.
    ///
    /// # Errors
    /// [`Desync`] with the first difference since the last frame.
    pub fn frame(&mut self, now: SimTime) -> Result<Advanced, Desync> {
        let advanced = self.apply(|world| world.advance(now));
        self.check().map(|()| advanced)
    }

    /// Advances world and twin as [`PlainWorld::advance_in`] does, and compares them.
    ///
    /// # Errors
    /// [`Desync`] with the first difference since the last frame.
    pub fn frame_in(
        &mut self,
        now: SimTime,
        surroundings: &(impl Surroundings + ?Sized),
    ) -> Result<Advanced, Desync> {
        let advanced = self.apply(|world| world.advance_in(now, surroundings));
        self.check().map(|()| advanced)
    }
}
