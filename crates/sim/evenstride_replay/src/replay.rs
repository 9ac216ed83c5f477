//! The loop: frames, and what arrived between them.

use std::sync::Arc;

use evenstride::{
    Config, Disposition, Event, MotionWorld, OpenField,
    animation::MotionLibrary,
    config::{MissingViewpoint, UnknownEntityPolicy},
    explain::Explanation,
    player::{Autonomy, Skills},
};
use evenstride_types::{
    EntityId, Placement, SimTime,
    update::{MotionCommand, MovementKind, MovementUpdate, PlayerAction, Update},
};

use crate::{recording::Said, script::Script};

/// How long after the last message bodies are still shown, in seconds.
const TAIL_SECS: f64 = 3.0;

/// Silences longer than this are not stepped through to their end, in seconds: a recording may sleep for hours. Everything that waits for
/// something has given up by then.
const MAX_SILENCE_SECS: f64 = 60.0;

/// A part of a recording that is no longer than this is shown to its end, silent or not, in seconds.
const MAX_SHOWN_SECS: f64 = 86_400.0;

/// How a replay is to be done.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayOptions {
    /// How the world decides. Entities that nobody has described are adopted, whatever it says.
    pub config: Config,
    /// Frames a second, 1 to 1,000.
    pub fps: f64,
    /// Frames before this time are not shown, though everything before it is done.
    pub from: f64,
    /// The replay ends here.
    pub to: f64,
    /// About whom decisions are wanted.
    pub trace: TraceScope,
    /// What legs can play, if it is more than what is built in.
    pub library: Option<Arc<MotionLibrary>>,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self {
            config: Config::SMOOTH,
            fps: 60.0,
            from: f64::NEG_INFINITY,
            to: f64::INFINITY,
            trace: TraceScope::None,
            library: None,
        }
    }
}

/// Whose decisions are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceScope {
    /// Nobody's: the fastest.
    None,
    /// One entity's.
    One(EntityId),
    /// Everybody's.
    All,
}

/// Is told of a replay as it goes. Everything has a default: implement what you need.
pub trait ReplayObserver {
    /// The next frame is the first to be shown. What was counted before does not count.
    fn begin(&mut self) {}

    /// A message was handled, or what the client said was repeated.
    fn heard(&mut self, _heard: &Heard<'_>) {}

    /// Something happened.
    fn event(&mut self, _event: &Event) {}

    /// Something was decided about a traced entity.
    fn decision(&mut self, _entity: EntityId, _decision: &Explanation) {}

    /// A frame is ready to be drawn.
    fn frame(&mut self, _frame: &Frame<'_>) {}
}

/// Two watchers see the same replay.
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
}

/// A watcher that somebody else keeps.
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
}

/// As many as there are: none, one of an option, all of a list.
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
}

/// A message, and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'a> {
    /// Seconds on the recording's clock, at the frame in which it was handled.
    pub time: f64,
    /// The message.
    pub said: &'a Said,
    /// What became of it; `None` for what the client said itself.
    pub disposition: Option<&'a Disposition>,
    /// How far the local player was from where it said it was, in metres.
    pub off: Option<f64>,
    /// Where the entity that a position is about was drawn just before.
    pub drawn: Option<Placement>,
}

impl Heard<'_> {
    /// Where the server says an entity is, if it was believed.
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

/// A frame.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Seconds on the recording's clock.
    pub time: f64,
    /// The same for the world.
    pub now: SimTime,
    /// The world, after everything that had arrived was handled.
    pub world: &'a MotionWorld,
}

/// What a replay came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Replayed {
    /// Frames, all of them.
    pub frames: u64,
    /// Messages of the server that were handled.
    pub updates: u64,
    /// Seconds on the recording's clock.
    pub seconds: f64,
    /// Seconds of silence that were not stepped through.
    pub skipped: f64,
    /// The state at the end.
    pub state_hash: u64,
}

/// Replays a script from its beginning.
pub fn replay(script: &Script, options: &ReplayOptions, watcher: &mut impl ReplayObserver) -> Replayed {
    let Some((start, last)) = script.span() else { return Replayed::default() };
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
        stage.world.advance(now, &OpenField);
        stage.tell(watcher);
        while let Some(moment) = script.moments.get(heard).filter(|moment| moment.time <= time) {
            stage.hear(time, &moment.said, watcher);
            // At once: a world keeps only so many events.
            stage.tell(watcher);
            replayed.updates += u64::from(is_shown && matches!(moment.said, Said::Server(_)));
            heard += 1;
            silent_since = time;
        }
        replayed.frames += 1;
        if is_shown {
            watcher.frame(&Frame { time, now, world: &stage.world });
        }
        number += 1;
        // The last frame before the next message: nothing will happen until then. What is to be shown of it is shown.
        let is_asked_for = is_shown && options.to - options.from < MAX_SHOWN_SECS;
        if time - silent_since > MAX_SILENCE_SECS
            && !is_asked_for
            && let Some(next) = script.moments.get(heard)
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
    replayed.seconds = (end - start.max(options.from)).max(0.0);
    replayed.state_hash = stage.world.state_hash();
    replayed
}

fn at(time: f64) -> SimTime {
    // Recordings have no times that a world cannot have.
    SimTime::from_secs(time).unwrap_or(SimTime::ZERO)
}

/// A world, and the client whose view it is.
struct Stage {
    world: MotionWorld,
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
        let mut stage = Self { world, player: None, has_own_words: script.has_own_words() };
        if let Some(player) = script.player {
            stage.meet(at(start), player);
        }
        stage
    }

    fn meet(&mut self, now: SimTime, player: EntityId) {
        self.player = Some(player);
        self.world.set_local_player(now, Some(player));
        if !self.has_own_words {
            // Nobody knows what its keys did: the server's word is all there is.
            let _ = self.world.set_autonomy(Autonomy::Server);
        }
    }

    fn hear(&mut self, time: f64, said: &Said, watcher: &mut impl ReplayObserver) {
        let now = at(time);
        match said {
            Said::Server(update) => {
                self.learn_run_rate(update);
                let drawn = match update {
                    Update::Position(position) | Update::PositionAndMovement { position, .. } => {
                        self.world.drawn(position.entity, now)
                    }
                    _ => None,
                };
                let disposition = self.world.handle(now, update, &OpenField);
                if let Update::LocalPlayer(player) = update
                    && self.player != Some(*player)
                {
                    self.meet(now, *player);
                }
                watcher.heard(&Heard { time, said, disposition: Some(&disposition), off: None, drawn });
            }
            Said::Client(action) => {
                let off = self.replay_action(now, action);
                watcher.heard(&Heard { time, said, disposition: None, off, drawn: None });
            }
        }
    }

    fn replay_action(&mut self, now: SimTime, action: &PlayerAction) -> Option<f64> {
        match self.world.replay_action(now, action, &OpenField) {
            Ok(off) => {
                self.world.set_viewpoint(None);
                action.position().map(|_| off)
            }
            Err(_) => {
                // Until its body is there, it looks from where it says it is.
                if let Some(place) = action.position().and_then(|position| position.check().ok()) {
                    self.world.set_viewpoint(Some(place));
                }
                None
            }
        }
    }

    /// How fast the player runs it does not say, but the server tells the others, and sends a copy.
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
            let _ = self.world.set_skills(Skills::running_at(rate));
        }
    }

    /// Passes on what the world has to tell, and takes away what it would send.
    fn tell(&mut self, watcher: &mut impl ReplayObserver) {
        while let Some(event) = self.world.poll_event() {
            watcher.event(&event);
        }
        while let Some((entity, decision)) = self.world.poll_decision() {
            watcher.decision(entity, &decision);
        }
        while self.world.poll_action().is_some() {}
    }
}
