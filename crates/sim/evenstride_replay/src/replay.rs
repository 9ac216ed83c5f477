//! The options of a replay, its result, and what observers hear of it.

use std::{num::NonZeroU32, ops::Range, sync::Arc};

use evenstride::{
    Config, Disposition, Event, MotionWorld,
    animation::{DrawnMotion, MotionLibrary},
    explain::Explanation,
    limits::{RUN_SPEED, WALK_SPEED},
};
use evenstride_types::{
    EntityId, Placement, SimTime, length,
    update::{MotionCommand, Update},
};

use crate::{playback::Playback, recording::Said, script::Script, staged::SyncTested};

/// Options of a replay.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayOptions {
    /// Configuration of the world (default: `Config::GLIDE`). A replay overrides two switches. It
    /// adopts entities that have no description, and treats all entities as near while there is no
    /// viewpoint.
    pub config: Config,
    /// Frames per second, 1 to 1,000 (default: 60).
    pub fps: f64,
    /// Time in seconds of the first frame shown (default: the start). Everything before it is
    /// replayed too.
    pub from: f64,
    /// Time in seconds at which the replay ends (default: the end).
    pub to: f64,
    /// Entities whose decisions are reported (default: none).
    pub trace: TraceScope,
    /// The only entity of interest (default: none, which means all). Messages that cannot affect it
    /// are left out, which is faster. Its simulated motion and the decisions about it are the same.
    /// Gliding poses may differ by millimetres after the whole link was silent.
    pub only: Option<EntityId>,
    /// Animations to play (default: the built-in ones).
    pub library: Option<Arc<MotionLibrary>>,
    /// Treatment of frames in which nothing moves (default: together).
    pub stillness: Stillness,
    /// Number of frames after which the world is saved, restored and compared again (default: no
    /// sync test). Frames in which nothing moves count as one if they are treated together.
    pub sync_test: Option<NonZeroU32>,
}

/// Treatment of frames in which nothing moves. The results are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stillness {
    /// The world is asked when it moves next, and is not stepped until then. This needs fixed steps,
    /// and a world without a local player.
    Together,
    /// Every frame is stepped.
    Stepped,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self {
            config: Config::GLIDE,
            fps: 60.0,
            from: f64::NEG_INFINITY,
            to: f64::INFINITY,
            trace: TraceScope::None,
            only: None,
            library: None,
            stillness: Stillness::Together,
            sync_test: None,
        }
    }
}

/// The entities whose decisions are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceScope {
    /// No entity, which is fastest.
    None,
    /// One entity.
    One(EntityId),
    /// All entities.
    All,
}

/// Observes a replay. Every method has an empty default.
pub trait ReplayObserver {
    /// Called before the first frame that is shown. Observers discard earlier counts.
    fn begin(&mut self) {}

    /// Called after a server message was handled, or an action of the client was replayed.
    fn heard(&mut self, _heard: &Heard<'_>) {}

    /// Called for every event.
    fn event(&mut self, _event: &Event) {}

    /// Called for every decision about a traced entity.
    fn decision(&mut self, _entity: EntityId, _decision: &Explanation) {}

    /// Called when a frame is ready to be drawn.
    fn frame(&mut self, _frame: &Frame<'_>) {}

    /// Called for several frames in which nothing moves (default: calls `frame` for each).
    fn still(&mut self, still: &Still<'_>) {
        still.frames().for_each(|frame| self.frame(&frame));
    }
}

/// No observer.
impl ReplayObserver for () {}

/// Two observers of the same replay.
impl<One: ReplayObserver, Other: ReplayObserver> ReplayObserver for (One, Other) {
    fn begin(&mut self) {
        self.0.begin();
        self.1.begin();
    }

    fn heard(&mut self, heard: &Heard<'_>) {
        self.0.heard(heard);
        self.1.heard(heard);
    }

    fn event(&mut self, event: &Event) {
        self.0.event(event);
        self.1.event(event);
    }

    fn decision(&mut self, entity: EntityId, decision: &Explanation) {
        self.0.decision(entity, decision);
        self.1.decision(entity, decision);
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        self.0.frame(frame);
        self.1.frame(frame);
    }

    fn still(&mut self, still: &Still<'_>) {
        self.0.still(still);
        self.1.still(still);
    }
}

/// A borrowed observer.
impl<One: ReplayObserver + ?Sized> ReplayObserver for &mut One {
    fn begin(&mut self) {
        One::begin(self);
    }

    fn heard(&mut self, heard: &Heard<'_>) {
        One::heard(self, heard);
    }

    fn event(&mut self, event: &Event) {
        One::event(self, event);
    }

    fn decision(&mut self, entity: EntityId, decision: &Explanation) {
        One::decision(self, entity, decision);
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        One::frame(self, frame);
    }

    fn still(&mut self, still: &Still<'_>) {
        One::still(self, still);
    }
}

/// Any number of observers.
impl<One: ReplayObserver> ReplayObserver for Vec<One> {
    fn begin(&mut self) {
        self.iter_mut().for_each(ReplayObserver::begin);
    }

    fn heard(&mut self, heard: &Heard<'_>) {
        self.iter_mut().for_each(|watcher| watcher.heard(heard));
    }

    fn event(&mut self, event: &Event) {
        self.iter_mut().for_each(|watcher| watcher.event(event));
    }

    fn decision(&mut self, entity: EntityId, decision: &Explanation) {
        self.iter_mut().for_each(|watcher| watcher.decision(entity, decision));
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        self.iter_mut().for_each(|watcher| watcher.frame(frame));
    }

    fn still(&mut self, still: &Still<'_>) {
        self.iter_mut().for_each(|watcher| watcher.still(still));
    }
}

/// A message and its outcome.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'a> {
    /// Time of the frame in which the message was handled, in seconds on the recording's clock.
    pub time: f64,
    /// Time at which the message arrived, at most one frame earlier.
    pub arrived: f64,
    /// The message.
    pub said: &'a Said,
    /// The outcome. `None` for messages of the client.
    pub disposition: Option<&'a Disposition>,
    /// Distance in metres between the local player and the place that its client reported. `None`
    /// for other messages, and while the player has no body.
    pub off: Option<f64>,
    /// Place where the entity of a position message was drawn just before that message. `None` for
    /// other messages, and if the entity was not drawn.
    pub drawn: Option<Placement>,
}

impl Heard<'_> {
    /// Returns the entity and place of a position message, if the world accepted it.
    pub fn believed(&self) -> Option<(EntityId, Placement)> {
        let Said::Server(Update::Position(position) | Update::PositionAndMovement { position, .. }) =
            self.said
        else {
            return None;
        };
        let place = position.pack.placement().check().ok()?;
        self.disposition?.is_accepted().then_some((position.entity, place))
    }
}

/// One frame of a replay, ready to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Seconds on the recording's clock.
    pub time: f64,
    /// The same time, as the world's time.
    pub now: SimTime,
    /// The world, after all arrived messages were handled.
    pub world: &'a MotionWorld,
}

impl Frame<'_> {
    /// Returns the speed of the animation that is shown, in metres per second. `None` while it
    /// stands, and while the body is in the air or unknown.
    pub fn stride(&self, entity: EntityId) -> Option<f32> {
        let body = self.world.get(entity)?;
        let speed = length(body.root_velocity().with_z(0.0)) as f32;
        match body.animation(self.now).drawn {
            DrawnMotion::AsPlayed { playback } => (speed > STRIDES).then_some(speed * playback),
            DrawnMotion::Going { command: MotionCommand::RUN_FORWARD, speed } => {
                Some(RUN_SPEED * speed.abs())
            }
            DrawnMotion::Going { speed, .. } => Some(WALK_SPEED * speed.abs()),
            _ => None,
        }
    }
}

/// Speed in metres per second up to which an animation stands.
const STRIDES: f32 = 0.1;

/// Several frames of a replay in which nothing moves.
#[derive(Clone, Debug)]
pub struct Still<'a> {
    pub(crate) world: &'a MotionWorld,
    pub(crate) start: f64,
    pub(crate) frame_secs: f64,
    pub(crate) numbers: Range<u64>,
}

impl<'a> Still<'a> {
    /// Returns the frames in order.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = Frame<'a>> + use<'a> {
        let Self { world, start, frame_secs, .. } = *self;
        self.numbers.clone().map(move |number| {
            let time = start + number as f64 * frame_secs;
            Frame { time, now: at(time), world }
        })
    }

    /// Returns the number of frames, which is never 0.
    pub const fn count(&self) -> u64 {
        self.numbers.end - self.numbers.start
    }
}

/// The result of a replay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replayed {
    /// Number of frames, including those not shown.
    pub frames: u64,
    /// Number of server messages that were handled in the part shown.
    pub updates: u64,
    /// Length of the part shown, in seconds on the recording's clock.
    pub seconds: f64,
    /// Seconds of silence that were skipped.
    pub skipped: f64,
    /// Hash of the world's state at the end.
    pub state_hash: u64,
    /// Result of the sync test. `None` without one.
    pub sync_test: Option<SyncTested>,
}

/// Replays a script from its beginning.
pub fn replay(script: &Script, options: &ReplayOptions, watcher: &mut impl ReplayObserver) -> Replayed {
    let Some(mut playback) = Playback::new(script, options.clone()) else { return Replayed::default() };
    while playback.advance_frame(watcher) {}
    playback.finish()
}

pub(crate) fn at(time: f64) -> SimTime {
    // Times of recordings are always valid for a world.
    SimTime::from_secs(time).unwrap_or(SimTime::ZERO)
}
