//! One run: a script played by a world and by its twin, with every promise checked.
//!
//! The twin gets the same calls as the world. At random moments it is replaced by a world that was
//! restored from a save, so that a saved world must go on like the original from any moment on.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use evenstride::{RestoreError, animation::MotionLibrary};
use evenstride_testkit::with_careless_host;
use evenstride_types::SimTime;

use crate::{coverage::Coverage, ground::Ground, world::Remembered};

/// Longest time that one operation may take. A longer one counts as a hang.
const LONGEST_OPERATION: Duration = Duration::from_secs(2);

/// A world that can be played against, which is a `MotionWorld` or a `PlainWorld`.
pub trait Subject: Sized {
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
    /// Returns whether this operation asks for a twin from a save.
    fn is_restore(op: &Self::Op) -> bool;
    /// Polls everything that a save leaves out, such as events, and returns it.
    fn drain(&mut self) -> String;
    /// Saves state and drawing.
    fn save(&self) -> (Vec<u8>, Vec<u8>);
    /// Restores state and drawing.
    ///
    /// # Errors
    /// [`RestoreError`] if the world refuses what it saved.
    fn restore(saved: &(Vec<u8>, Vec<u8>), library: &Arc<MotionLibrary>) -> Result<Self, RestoreError>;
    /// Returns the library in use.
    fn library(&self) -> &Arc<MotionLibrary>;
    /// Returns the hashes of state and drawing.
    fn hashes(&self) -> (u64, u64);
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
    /// Steps of bodies that are awake.
    pub steps: u64,
    /// What has happened so far. Only that of the world is kept, and not that of its twin.
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
pub fn play<S: Subject>(script: &Script<S>) -> Result<Host, Broken> {
    let mut pair = Pair::new(script);
    let end = script.ending.iter().flat_map(|ending| &ending.ops);
    for (number, op) in script.ops.iter().chain(end).enumerate() {
        pair.apply(number, op).map_err(|what| Broken { op: number, what })?;
    }
    let op = script.ops.len();
    if let Some(Ending { check, .. }) = &script.ending {
        check(&pair.world, &pair.host).map_err(|what| Broken { op, what })?;
    }
    pair.renew_twin().and_then(|()| pair.check()).map_err(|what| Broken { op, what })?;
    Ok(pair.host)
}

/// A world and its twin.
struct Pair<S> {
    world: S,
    twin: S,
    host: Host,
    remembered: Remembered,
}

impl<S: Subject> Pair<S> {
    fn new(script: &Script<S>) -> Self {
        let (ground, coverage) = (script.ground.clone(), Coverage::default());
        let mut host = Host { now: 0.0, ground, steps: 0, coverage };
        host.coverage.count("surroundings", host.ground.name());
        let world = || S::new(&script.config, &script.library);
        Self { world: world(), twin: world(), host, remembered: Remembered::default() }
    }

    fn apply(&mut self, number: usize, op: &S::Op) -> Result<(), String> {
        let (group, name) = S::name(op);
        self.host.coverage.count(group, name);
        let mut shadow = Host { coverage: Coverage::default(), ..self.host.clone() };
        let start = Instant::now();
        // Surroundings may panic. A host that catches it goes on, and so must the world.
        let answer = with_careless_host(|| self.world.apply(op, &mut self.host));
        if start.elapsed() > LONGEST_OPERATION {
            return Err(format!("it took {:?}", start.elapsed()));
        }
        let again = with_careless_host(|| self.twin.apply(op, &mut shadow));
        if answer != again {
            return Err(format!("the world answered {answer:?}, and its twin {again:?}"));
        }
        // Large worlds take long to examine, so not every operation is followed by it.
        if self.world.bodies() <= 24 || number.is_multiple_of(8) {
            self.check()?;
        } else {
            self.remembered.look_away();
        }
        if S::is_restore(op) { self.renew_twin() } else { Ok(()) }
    }

    fn check(&mut self) -> Result<(), String> {
        let (one, other) = (self.world.hashes(), self.twin.hashes());
        if one.0 != other.0 {
            return Err("world and twin are in different states".to_owned());
        }
        if one.1 != other.1 {
            return Err("world and twin draw differently".to_owned());
        }
        self.world.check(&self.host, &mut self.remembered)
    }

    /// Replaces the twin by one that is restored from a save.
    fn renew_twin(&mut self) -> Result<(), String> {
        let (one, other) = (self.world.drain(), self.twin.drain());
        if one != other {
            return Err(format!("the world reports {one}, and its twin {other}"));
        }
        let saved = self.world.save();
        let twin = S::restore(&saved, self.world.library());
        self.twin = twin.map_err(|error| format!("its own save is refused: {error}"))?;
        if self.twin.save() != saved {
            return Err("a restored world saves other bytes".to_owned());
        }
        Ok(())
    }
}
