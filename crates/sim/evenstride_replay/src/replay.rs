//! The replay loop, which runs frames and handles the messages between them.

use std::{num::NonZeroU32, ops::Range, sync::Arc};

use evenstride::{
    Config, Disposition, Event, MotionWorld, OpenField,
    animation::{DrawnMotion, MotionLibrary},
    config::{Gate, MissingViewpoint, UnknownEntityPolicy},
    explain::Explanation,
    limits::{RUN_SPEED, WALK_SPEED},
    player::{Autonomy, Skills},
};
use evenstride_types::{
    EntityId, Placement, SimTime, length,
    update::{MotionCommand, MovementKind, MovementUpdate, PlayerAction, Update},
};

use crate::{
    recording::{Said, TimedMessage},
    related::Related,
    script::Script,
    staged::{StagedWorld, SyncTested},
};

/// Seconds for which bodies are shown after the last message.
const TAIL_SECS: f64 = 3.0;

/// Longest silence in seconds that is replayed in full. A recording may be silent for hours, and
/// every timeout of the world expires within this time.
const MAX_SILENCE_SECS: f64 = 60.0;

/// Number of frames after which the world is asked again whether anything moves.
const STILL_CHECK_FRAMES: u64 = 16;

/// Longest requested span in seconds that is shown in full, including silence.
const MAX_SHOWN_SECS: f64 = 86_400.0;

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
impl<One: ReplayObserver> ReplayObserver for &mut One {
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
    world: &'a MotionWorld,
    start: f64,
    frame_secs: f64,
    numbers: Range<u64>,
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
    let Some((start, last)) = script.span() else { return Replayed::default() };
    let mut related = options.only.map(|entity| Related::new(script, entity));
    let mut stage = Stage::new(script, options, start);
    let frame_secs = 1.0 / options.fps.clamp(1.0, 1_000.0);
    let end = (last + TAIL_SECS).min(options.to);
    let mut replayed = Replayed::default();
    let mut heard = 0;
    let mut silent_since = start;
    let mut number = 0u64;
    let mut has_begun = false;
    loop {
        let time = start + number as f64 * frame_secs;
        if time > end {
            break;
        }
        let now = at(time);
        let is_shown = time >= options.from;
        if is_shown && !has_begun {
            has_begun = true;
            watcher.begin();
        }
        stage.world.apply(|world| world.advance(now, &OpenField));
        stage.tell(watcher);
        while let Some(message) = script.messages.get(heard).filter(|message| message.time <= time) {
            match related.as_mut().filter(|related| !related.contains(&message.said)) {
                None => {
                    stage.hear(time, message, watcher);
                    // Events are passed on at once, because a world keeps a limited number of them.
                    stage.tell(watcher);
                }
                Some(related) => {
                    if related.is_position(&message.said) {
                        stage.world.apply(|world| world.note_arrival(now));
                    }
                }
            }
            replayed.updates += u64::from(is_shown && matches!(message.said, Said::Server(_)));
            heard += 1;
            silent_since = time;
        }
        replayed.frames += 1;
        stage.world.check(time);
        if is_shown {
            watcher.frame(&Frame { time, now, world: &stage.world });
        }
        number += 1;
        let is_asked_for = is_shown && options.to - options.from < MAX_SHOWN_SECS;
        if number.is_multiple_of(STILL_CHECK_FRAMES)
            && silent_since < time
            && let Some(next) = script.messages.get(heard)
            && options.stillness == Stillness::Together
        {
            // A silence ends with a message, with the time from which on frames are shown, or with the
            // time from which on it is skipped.
            let skipped_from = if is_asked_for { f64::INFINITY } else { silent_since + MAX_SILENCE_SECS };
            let shown_from = if is_shown { f64::INFINITY } else { options.from };
            let until = next.time.min(end).min(skipped_from).min(shown_from);
            let until = stage.rests_until(until);
            // The last frame before that is stepped, whatever its time is rounded to.
            let frames = ((until - start) / frame_secs).floor() as u64;
            if frames > number + STILL_CHECK_FRAMES {
                let numbers = number..frames - 1;
                let still = Still { world: &stage.world, start, frame_secs, numbers };
                if is_shown {
                    watcher.still(&still);
                }
                replayed.frames += still.count();
                let last = start + (frames - 2) as f64 * frame_secs;
                stage.world.apply(|world| world.advance(at(last), &OpenField));
                stage.tell(watcher);
                stage.world.check(last);
                number = frames - 1;
            }
        }
        // Nothing happens until the next message, so the replay skips to the last frame before it.
        // A silence that is to be shown is not skipped.
        if time - silent_since > MAX_SILENCE_SECS
            && !is_asked_for
            && let Some(next) = script.messages.get(heard)
        {
            let from = if is_shown { f64::INFINITY } else { options.from };
            let until = next.time.min(end).min(from);
            let frames = ((until - start) / frame_secs).floor() as u64;
            if frames > number {
                replayed.skipped += (frames - number) as f64 * frame_secs;
                number = frames;
            }
            silent_since = until;
        }
    }
    if !has_begun {
        // No frame is shown, so nothing from before must remain.
        watcher.begin();
    }
    replayed.seconds = (end - start.max(options.from)).max(0.0);
    replayed.state_hash = stage.world.state_hash();
    replayed.sync_test = stage.world.finish();
    replayed
}

fn at(time: f64) -> SimTime {
    // Times of recordings are always valid for a world.
    SimTime::from_secs(time).unwrap_or(SimTime::ZERO)
}

/// A world, and the client whose view it is.
struct Stage {
    world: StagedWorld,
    player: Option<EntityId>,
    has_own_words: bool,
}

impl Stage {
    fn new(script: &Script, options: &ReplayOptions, start: f64) -> Self {
        let config = options.config.with(|config| {
            config.unknown = UnknownEntityPolicy::Adopt;
            config.no_viewpoint = MissingViewpoint::AllNear;
        });
        let mut world = MotionWorld::new(config, at(start));
        if let Some(library) = &options.library {
            world.set_library(Arc::clone(library));
        }
        match options.trace {
            TraceScope::None => {}
            TraceScope::One(entity) => world.trace(entity),
            TraceScope::All => world.trace_all(),
        }
        let world = StagedWorld::new(world, options.sync_test);
        let mut stage = Self { world, player: None, has_own_words: script.has_own_words() };
        if let Some(player) = script.player {
            stage.meet(at(start), player);
        }
        stage
    }

    fn meet(&mut self, now: SimTime, player: EntityId) {
        self.player = Some(player);
        self.world.apply(|world| world.set_local_player(now, Some(player)));
        if !self.has_own_words {
            // The player's keys are unknown, so only the server's messages move it.
            let _ = self.world.apply(|world| world.set_autonomy(Autonomy::Server));
        }
    }

    fn hear(&mut self, time: f64, message: &TimedMessage, watcher: &mut impl ReplayObserver) {
        let now = at(time);
        let TimedMessage { time: arrived, said } = message;
        let arrived = *arrived;
        match said {
            Said::Server(update) => {
                self.learn_run_rate(update);
                let drawn = match update {
                    Update::Position(position) | Update::PositionAndMovement { position, .. } => {
                        self.world.apply(|world| world.drawn(position.entity, now))
                    }
                    _ => None,
                };
                let disposition = self.world.apply(|world| world.handle(now, update, &OpenField));
                if let Update::LocalPlayer(player) = update
                    && self.player != Some(*player)
                {
                    self.meet(now, *player);
                }
                watcher.heard(&Heard {
                    time,
                    arrived,
                    said,
                    disposition: Some(&disposition),
                    off: None,
                    drawn,
                });
            }
            Said::Client(action) => {
                let off = self.replay_action(now, action);
                watcher.heard(&Heard { time, arrived, said, disposition: None, off, drawn: None });
            }
        }
    }

    fn replay_action(&mut self, now: SimTime, action: &PlayerAction) -> Option<f64> {
        match self.world.apply(|world| world.replay_action(now, action, &OpenField)) {
            Ok(off) => {
                self.world.apply(|world| world.set_viewpoint(None));
                action.position().map(|_| off)
            }
            Err(_) => {
                // Until the player has a body, the viewpoint is the place that its client reports.
                if let Some(place) = action.position().and_then(|position| position.check().ok()) {
                    self.world.apply(|world| world.set_viewpoint(Some(place)));
                }
                None
            }
        }
    }

    /// Learns the player's run rate. Its client does not send it, but the server sends the player a
    /// copy of its own movement.
    fn learn_run_rate(&mut self, update: &Update) {
        let Update::Movement(MovementUpdate { entity, movement, .. }) = update else { return };
        if Some(*entity) != self.player {
            return;
        }
        let runs = |index| {
            let command = MotionCommand::from_index(index, self.world.config().commands);
            command == Some(MotionCommand::RUN_FORWARD)
        };
        let rate = match &movement.body.kind {
            MovementKind::Interpreted { state, .. } if state.forward.is_some_and(runs) => state.forward_speed,
            MovementKind::MoveToObject { run_rate, .. } | MovementKind::MoveToPosition { run_rate, .. } => {
                Some(*run_rate)
            }
            _ => None,
        };
        if let Some(rate) = rate.filter(|rate| rate.is_finite()) {
            let _ = self.world.apply(|world| world.set_skills(Skills::running_at(rate)));
        }
    }

    /// Returns the time in seconds until which nothing moves, at most `until`. Only with fixed steps
    /// does a world not depend on the frames in between.
    fn rests_until(&mut self, until: f64) -> f64 {
        if self.world.config().gate != Gate::Fixed {
            return f64::NEG_INFINITY;
        }
        self.world.apply(|world| world.next_due()).map_or(until, |due| due.as_secs().min(until))
    }

    /// Passes on events and decisions, and discards the messages that the world would send.
    fn tell(&mut self, watcher: &mut impl ReplayObserver) {
        while let Some(event) = self.world.apply(MotionWorld::poll_event) {
            watcher.event(&event);
        }
        while let Some((entity, decision)) = self.world.apply(MotionWorld::poll_decision) {
            watcher.decision(entity, &decision);
        }
        while self.world.apply(MotionWorld::poll_action).is_some() {}
    }
}
