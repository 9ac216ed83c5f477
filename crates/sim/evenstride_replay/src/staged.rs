//! The world of a replay, alone or in a sync test.

use std::{fmt::Debug, num::NonZeroU32, ops::Deref};

use evenstride::{Desync, MotionWorld, SyncTest};

/// A world that is read directly and changed through [`apply`](Self::apply).
#[derive(Debug)]
pub(crate) enum StagedWorld {
    /// A world alone.
    Alone(Box<MotionWorld>),
    /// A world in a sync test, and the first difference.
    Tested(Box<SyncTest>, Option<SyncDifference>),
}

/// The result of a sync test.
#[derive(Clone, Debug, PartialEq)]
pub struct SyncTested {
    /// Number of frames that were compared. Frames in which nothing moves count as one if they were
    /// treated together.
    pub frames: u64,
    /// Number of times that the world was saved and restored.
    pub restores: u64,
    /// The first difference, or `None` if everything was the same.
    pub difference: Option<SyncDifference>,
}

/// A difference between the world of a replay and its restored twin.
#[derive(Clone, Debug, PartialEq)]
pub struct SyncDifference {
    /// Time of the frame that found it, in seconds on the recording's clock.
    pub time: f64,
    /// The difference.
    pub desync: Desync,
}

impl StagedWorld {
    /// Takes a world. With `sync_test`, it is saved and restored each time that number of frames has
    /// passed.
    pub(crate) fn new(world: MotionWorld, sync_test: Option<NonZeroU32>) -> Self {
        match sync_test {
            None => Self::Alone(Box::new(world)),
            Some(every) => Self::Tested(Box::new(SyncTest::new(world, every)), None),
        }
    }

    /// Changes the world, and its twin in a sync test.
    pub(crate) fn apply<T: Debug>(&mut self, run: impl Fn(&mut MotionWorld) -> T) -> T {
        match self {
            Self::Alone(world) => run(world),
            Self::Tested(test, _) => test.apply(run),
        }
    }

    /// Ends a frame of a sync test. The replay goes on after a difference, and the first one is kept.
    pub(crate) fn check(&mut self, time: f64) {
        if let Self::Tested(test, difference) = self
            && let Err(desync) = test.check()
        {
            difference.get_or_insert(SyncDifference { time, desync });
        }
    }

    /// Returns the result of the sync test.
    pub(crate) fn finish(self) -> Option<SyncTested> {
        match self {
            Self::Alone(_) => None,
            Self::Tested(test, difference) => {
                Some(SyncTested { frames: test.frames(), restores: test.restores(), difference })
            }
        }
    }
}

impl Deref for StagedWorld {
    type Target = MotionWorld;

    fn deref(&self) -> &MotionWorld {
        match self {
            Self::Alone(world) => world,
            Self::Tested(test, _) => test.world(),
        }
    }
}
