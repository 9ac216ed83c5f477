//! One run, in which a world plays a script and every promise is checked.
//!
//! The world has a twin that gets the same calls. Every few operations the twin is replaced by a world
//! that was restored from a save ([`SyncTest`]). A saved world must therefore go on like the original
//! from any moment on.

use std::{
    fmt, mem,
    num::NonZeroU32,
    sync::Arc,
    time::{Duration, Instant},
};

use evenstride::{SyncTest, TestedWorld, animation::MotionLibrary};
use evenstride_testkit::with_careless_host;
use evenstride_types::SimTime;

use crate::{coverage::Coverage, ground::Ground, world::Remembered};

/// A world that can be played against, which is a `MotionWorld` or a `PlainWorld`.
pub trait Subject: TestedWorld {
    /// Something that may happen to the world.
    type Op: Clone + fmt::Debug;
    /// Settings of the world.
    type Config: Clone + fmt::Debug;

    /// Makes an empty world at time zero.
    fn new(config: &Self::Config, library: &Arc<MotionLibrary>) -> Self;
    /// Applies an operation, and returns everything that it answered.
    fn apply(&mut self, op: &Self::Op, host: &mut Host) -> String;
    /// Returns the group and the name of an operation, for the record of what was covered.
    fn name(op: &Self::Op) -> (&'static str, &'static str);
    /// Returns the number of bodies.
    fn bodies(&self) -> usize;
    /// Checks every promise about the world.
    ///
    /// # Errors
    /// The broken promise, as a sentence.
    fn check(&self, host: &Host, remembered: &mut Remembered) -> Result<(), String>;
}

/// The host's side of a run.
#[derive(Clone, Debug)]
pub struct Host {
    /// Time in seconds.
    pub now: f64,
    /// Surroundings passed to every call.
    pub ground: Ground,
    /// What has happened in the present operation.
    pub played: Played,
}

/// What has happened in an operation, or in a whole run. Only that of the world counts, and not that of its
/// twin.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// Steps of bodies that are awake.
    pub steps: u64,
    /// What was covered.
    pub coverage: Coverage,
}

impl Host {
    /// Returns the time.
    ///
    /// # Panics
    /// If the time lies outside the range of a world.
    pub fn time(&self) -> SimTime {
        SimTime::from_secs(self.now).expect("a host keeps its time in range")
    }

    /// Moves time on by some seconds, or back, within the range of a world.
    pub const fn pass(&mut self, secs: f64) {
        self.now = (self.now + secs).clamp(-1e12, 1e12);
    }

    /// Calls `frame` for each frame of some seconds, at `fps` frames per second.
    pub fn frames(&mut self, secs: f64, fps: f64, mut frame: impl FnMut(&mut Self)) {
        let end = (self.now + secs).min(1e12);
        while self.now < end {
            // Far from zero, a frame is shorter than the precision of a time.
            self.now = (self.now + 1.0 / fps).max(self.now.next_up()).min(end);
            frame(self);
        }
    }
}

/// Everything that names a run.
#[derive(Clone, Debug)]
pub struct Script<S: Subject> {
    /// Settings of the world.
    pub config: S::Config,
    /// Library that the world starts with.
    pub library: Arc<MotionLibrary>,
    /// Surroundings that the run starts with.
    pub ground: Ground,
    /// Number of checks after which the twin is restored again.
    pub restore_every: NonZeroU32,
    /// What happens, in order.
    pub ops: Vec<S::Op>,
    /// Checks the end of an honest run. `None` if nothing more is promised.
    pub ending: Option<Ending<S>>,
}

/// A promise about the world at the end of a run.
#[derive(Clone)]
pub struct Ending<S: Subject> {
    /// Operations after those of the script, which the promise is about.
    pub ops: Vec<S::Op>,
    /// Tells operations of the script without which the promise is void. Shrinking keeps them.
    pub needs: fn(&S::Op) -> bool,
    /// Checks the promise.
    pub check: EndingCheck<S>,
}

/// Checks a promise about the end of a run. The error is the broken promise, as a sentence.
pub type EndingCheck<S> = Arc<dyn Fn(&S, &Host) -> Result<(), String> + Send + Sync>;

impl<S: Subject> fmt::Debug for Ending<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ending").finish_non_exhaustive()
    }
}

/// A broken promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Number of the operation in the script, from 0.
    pub op: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation {}: {}", self.op, self.what)
    }
}

/// Plays a script.
///
/// # Errors
/// The first broken promise.
///
/// # Panics
/// If the core does.
pub fn play<S: Subject>(script: &Script<S>) -> Result<Played, Broken> {
    play_within(script, Duration::MAX)
}

/// Plays a script, in which no operation may take longer than this on the machine's clock.
///
/// # Errors
/// The first broken promise.
///
/// # Panics
/// If the core does.
pub fn play_within<S: Subject>(script: &Script<S>, longest: Duration) -> Result<Played, Broken> {
    let world = S::new(&script.config, &script.library);
    let mut run = Run::new(world, script.ground.clone(), script.restore_every, longest);
    let end = script.ending.iter().flat_map(|ending| &ending.ops);
    run.apply_all(script.ops.iter().chain(end))?;
    if let Some(Ending { check, .. }) = &script.ending {
        let op = script.ops.len();
        check(run.test.world(), &run.host).map_err(|what| Broken { op, what })?;
    }
    Ok(run.played)
}

/// Applies operations to a world that exists already, such as one that was restored from foreign bytes.
///
/// # Errors
/// The first broken promise.
///
/// # Panics
/// If the core does.
pub fn play_on<S: Subject>(world: S, ground: Ground, ops: &[S::Op]) -> Result<Played, Broken> {
    let mut run = Run::new(world, ground, NonZeroU32::MIN, Duration::MAX);
    run.apply_all(ops)?;
    Ok(run.played)
}

/// A world with its twin, and the host.
struct Run<S> {
    test: SyncTest<S>,
    host: Host,
    remembered: Remembered,
    longest: Duration,
    played: Played,
}

impl<S: Subject> Run<S> {
    fn new(world: S, ground: Ground, restore_every: NonZeroU32, longest: Duration) -> Self {
        let mut played = Played::default();
        played.coverage.count("surroundings", ground.name());
        let host = Host { now: world.motion().now().as_secs(), ground, played: Played::default() };
        let test = SyncTest::new(world, restore_every);
        Self { test, host, remembered: Remembered::default(), longest, played }
    }

    fn apply_all<'a>(&mut self, ops: impl IntoIterator<Item = &'a S::Op>) -> Result<(), Broken>
    where
        S::Op: 'a,
    {
        let mut op = 0;
        for next in ops {
            self.apply(op, next).map_err(|what| Broken { op, what })?;
            op += 1;
        }
        self.check().map_err(|what| Broken { op, what })
    }

    fn apply(&mut self, number: usize, op: &S::Op) -> Result<(), String> {
        let before = self.host.clone();
        let Applied { answer, host, took } = self.test.apply(|world| {
            let (mut host, start) = (before.clone(), Instant::now());
            // Surroundings may panic. A host that catches it goes on, and so must the world.
            let answer = with_careless_host(|| world.apply(op, &mut host));
            Applied { answer, host, took: start.elapsed() }
        });
        self.host = host;
        let Played { steps, coverage } = mem::take(&mut self.host.played);
        self.played.steps += steps;
        self.played.coverage.absorb(coverage);
        let (group, name) = S::name(op);
        self.played.coverage.count(group, name);
        if answer.is_none() {
            self.played.coverage.count("surroundings", Ground::PANIC);
        }
        if took > self.longest {
            return Err(format!("it took {took:?}"));
        }
        // Large worlds take long to examine, so not every operation is followed by it.
        if self.test.world().bodies() <= 24 || number.is_multiple_of(8) {
            return self.check();
        }
        self.remembered.look_away();
        Ok(())
    }

    fn check(&mut self) -> Result<(), String> {
        self.test.check().map_err(|desync| desync.to_string())?;
        self.test.world().check(&self.host, &mut self.remembered)
    }
}

/// An operation that was applied to the world or to its twin.
struct Applied {
    /// `None` if the surroundings panicked.
    answer: Option<String>,
    host: Host,
    took: Duration,
}

/// Everything in which world and twin must agree.
impl fmt::Debug for Applied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {} s", self.answer, self.host.now)
    }
}
