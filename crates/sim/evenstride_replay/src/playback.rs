//! The replay loop, which runs frames and handles the messages between them, one frame per call.

use std::{borrow::Borrow, sync::Arc};

use evenstride::{MotionWorld, OpenField, RestoreError};
use evenstride_types::EntityId;

use crate::{
    recording::{Said, TimedMessage},
    related::Related,
    replay::{Frame, ReplayObserver, ReplayOptions, Replayed, Still, Stillness, at},
    script::Script,
    stage::Stage,
    staged::StagedWorld,
};

/// Seconds for which bodies are shown after the last message.
pub const TAIL_SECS: f64 = 3.0;

/// Longest silence in seconds that is replayed in full. A recording may be silent for hours, and
/// every timeout of the world expires within this time.
const MAX_SILENCE_SECS: f64 = 60.0;

/// Number of frames after which the world is asked again whether anything moves.
const STILL_CHECK_FRAMES: u64 = 16;

/// Longest requested span in seconds that is shown in full, including silence.
const MAX_SHOWN_SECS: f64 = 86_400.0;

/// A replay that its caller advances, frame by frame. [`replay`](crate::replay()) is a loop around it.
///
/// The script is borrowed or shared, as a `&Script` or an `Arc<Script>`.
///
/// ```
/// use evenstride_replay::{Playback, ReplayOptions, replay, sample};
///
/// let (script, options) = (sample::crowd(3, 1), ReplayOptions::default());
/// let mut playback = Playback::new(&script, options.clone()).expect("a script with messages");
/// while playback.advance_frame(&mut ()) {}
/// assert_eq!(playback.finish(), replay(&script, &options, &mut ()));
/// ```
#[derive(Debug)]
pub struct Playback<S> {
    script: S,
    options: ReplayOptions,
    stage: Stage,
    start: f64,
    end: f64,
    /// Time of the last message, also after it was dropped.
    last: f64,
    frame_secs: f64,
    /// Time of the last frame, or `start` before the first.
    time: f64,
    progress: Progress,
    /// The player that the script named at the beginning.
    player: Option<EntityId>,
    /// Number of the script's messages that were looked at for facts about the whole script.
    known: usize,
    /// Whether handled messages were dropped, so that it cannot begin again.
    has_forgotten: bool,
}

/// What a playback did with a longer script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Continued {
    /// It goes on where it was.
    GoesOn,
    /// The script tells something new about its beginning, such as the player. The playback is before its
    /// first frame again, and observers must begin again too.
    BeginsAgain,
}

/// The part of a playback that changes, except for the world.
#[derive(Clone, Debug)]
struct Progress {
    /// Number of the next frame.
    number: u64,
    related: Option<Related>,
    /// Number of messages that were handled or left out.
    heard: usize,
    /// Time in seconds of the frame with the last message.
    silent_since: f64,
    has_begun: bool,
    replayed: Replayed,
}

impl Progress {
    fn new(script: &Script, options: &ReplayOptions, start: f64) -> Self {
        Self {
            number: 0,
            related: options.only.map(|entity| Related::new(script, entity)),
            heard: 0,
            silent_since: start,
            has_begun: false,
            replayed: Replayed::default(),
        }
    }
}

/// A point of a playback, from which it goes on as if nothing had happened since.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    time: f64,
    progress: Progress,
    player: Option<EntityId>,
    world: Vec<u8>,
    drawing: Vec<u8>,
}

impl Mark {
    /// Returns the number of the next frame.
    pub(crate) const fn number(&self) -> u64 {
        self.progress.number
    }

    /// Returns the memory it takes in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let related = self.progress.related.as_ref().map_or(0, Related::bytes);
        size_of::<Self>() + self.world.capacity() + self.drawing.capacity() + related
    }
}

impl<S: Borrow<Script>> Playback<S> {
    /// Prepares a replay from the script's beginning. Returns `None` for a script without messages.
    pub fn new(script: S, options: ReplayOptions) -> Option<Self> {
        let of = script.borrow();
        let (start, last) = of.span()?;
        let progress = Progress::new(of, &options, start);
        let stage = Stage::new(of, &options, start);
        let frame_secs = 1.0 / options.fps.clamp(1.0, 1_000.0);
        let end = (last + TAIL_SECS).min(options.to);
        let (player, known) = (of.player, of.messages.len());
        Some(Self {
            script,
            options,
            stage,
            start,
            end,
            last,
            frame_secs,
            time: start,
            progress,
            player,
            known,
            has_forgotten: false,
        })
    }

    /// Goes on with a script that begins with the messages of the present one, and plays no frame after
    /// `until`, in seconds. Without `until`, the script is complete.
    ///
    /// Frames are those of a replay of the complete script if every message up to `until` is in this one.
    pub fn go_on_with(&mut self, script: S, until: Option<f64>) -> Continued {
        let of = script.borrow();
        let new = of.messages.get(self.known..).unwrap_or_default();
        let is_client = |message: &TimedMessage| matches!(message.said, Said::Client(_));
        let gets_words = !self.stage.has_own_words && new.iter().any(is_client);
        let is_related = self.progress.related.as_mut().is_some_and(|related| related.learn(new));
        let begins_again = !self.has_forgotten && (of.player != self.player || gets_words || is_related);
        self.known = of.messages.len();
        self.last = of.span().map_or(self.last, |(_, last)| last);
        self.end = until.unwrap_or(self.last + TAIL_SECS);
        self.end = self.end.min(self.options.to);
        if begins_again {
            self.player = of.player;
            self.stage = Stage::new(of, &self.options, self.start);
            self.progress = Progress::new(of, &self.options, self.start);
            self.time = self.start;
        }
        self.script = script;
        if begins_again { Continued::BeginsAgain } else { Continued::GoesOn }
    }

    /// Returns the script.
    pub fn script(&self) -> &Script {
        self.script.borrow()
    }

    /// Returns the options.
    pub const fn options(&self) -> &ReplayOptions {
        &self.options
    }

    /// Returns the times in seconds between which frames lie.
    pub const fn span(&self) -> (f64, f64) {
        (self.start, self.end)
    }

    /// Returns the time in seconds of the last frame, or that of the first one before any.
    pub const fn time(&self) -> f64 {
        self.time
    }

    /// Returns the time in seconds of the next frame, or `None` at the end.
    pub fn next_time(&self) -> Option<f64> {
        let time = self.time_of(self.progress.number);
        (time <= self.end).then_some(time)
    }

    /// Returns the last frame, as observers see it.
    pub fn frame(&self) -> Frame<'_> {
        Frame { time: self.time, now: at(self.time), world: &self.stage.world }
    }

    /// Returns the world.
    pub fn world(&self) -> &MotionWorld {
        &self.stage.world
    }

    pub(crate) const fn next_number(&self) -> u64 {
        self.progress.number
    }

    pub(crate) fn time_of(&self, number: u64) -> f64 {
        self.start + number as f64 * self.frame_secs
    }

    /// Runs the next frame, and the frames after it in which nothing moves if they are treated together
    /// ([`ReplayOptions::stillness`]). Returns `false` at the end.
    pub fn advance_frame(&mut self, watcher: &mut impl ReplayObserver) -> bool {
        let Some(time) = self.next_time() else {
            if !self.progress.has_begun {
                // No frame is shown, so nothing from before must remain.
                self.progress.has_begun = true;
                watcher.begin();
            }
            return false;
        };
        let Self { script, options, stage, progress, .. } = self;
        let script = (*script).borrow();
        let now = at(time);
        let is_shown = time >= options.from;
        if is_shown && !progress.has_begun {
            progress.has_begun = true;
            watcher.begin();
        }
        stage.world.apply(|world| world.advance(now, &OpenField));
        stage.tell(watcher);
        while let Some(message) = script.messages.get(progress.heard).filter(|message| message.time <= time) {
            match progress.related.as_mut().filter(|related| !related.contains(&message.said)) {
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
            progress.replayed.updates += u64::from(is_shown && matches!(message.said, Said::Server(_)));
            progress.heard += 1;
            progress.silent_since = time;
        }
        progress.replayed.frames += 1;
        stage.world.check(time);
        if is_shown {
            watcher.frame(&Frame { time, now, world: &stage.world });
        }
        progress.number += 1;
        self.time = time;
        self.pass_stillness(is_shown, watcher);
        self.skip_silence(time, is_shown);
        true
    }

    /// Returns whether a silence is to be shown in full.
    fn is_asked_for(&self, is_shown: bool) -> bool {
        is_shown && self.options.to - self.options.from < MAX_SHOWN_SECS
    }

    /// Passes over frames in which nothing moves.
    fn pass_stillness(&mut self, is_shown: bool, watcher: &mut impl ReplayObserver) {
        let Progress { number, silent_since, heard, .. } = self.progress;
        if number.is_multiple_of(STILL_CHECK_FRAMES)
            && silent_since < self.time
            && let Some(next) = self.script.borrow().messages.get(heard).map(|message| message.time)
            && self.options.stillness == Stillness::Together
        {
            // A silence ends with a message, with the time from which on frames are shown, or with the
            // time from which on it is skipped.
            let is_asked_for = self.is_asked_for(is_shown);
            let skipped_from = if is_asked_for { f64::INFINITY } else { silent_since + MAX_SILENCE_SECS };
            let shown_from = if is_shown { f64::INFINITY } else { self.options.from };
            let until = next.min(self.end).min(skipped_from).min(shown_from);
            let until = self.stage.rests_until(until);
            // The last frame before that is stepped, whatever its time is rounded to.
            let frames = ((until - self.start) / self.frame_secs).floor() as u64;
            if frames > number + STILL_CHECK_FRAMES {
                let numbers = number..frames - 1;
                let (start, frame_secs) = (self.start, self.frame_secs);
                let still = Still { world: &self.stage.world, start, frame_secs, numbers };
                if is_shown {
                    watcher.still(&still);
                }
                self.progress.replayed.frames += still.count();
                self.time = self.time_of(frames - 2);
                let last = self.time;
                self.stage.world.apply(|world| world.advance(at(last), &OpenField));
                self.stage.tell(watcher);
                self.stage.world.check(last);
                self.progress.number = frames - 1;
            }
        }
    }

    /// Skips to the last frame before the next message after a long silence, in which nothing happens.
    /// A silence that is to be shown is not skipped.
    fn skip_silence(&mut self, time: f64, is_shown: bool) {
        if time - self.progress.silent_since > MAX_SILENCE_SECS
            && !self.is_asked_for(is_shown)
            && let Some(next) = self.script.borrow().messages.get(self.progress.heard)
        {
            let from = if is_shown { f64::INFINITY } else { self.options.from };
            let until = next.time.min(self.end).min(from);
            let frames = ((until - self.start) / self.frame_secs).floor() as u64;
            if frames > self.progress.number {
                self.progress.replayed.skipped += (frames - self.progress.number) as f64 * self.frame_secs;
                self.progress.number = frames;
            }
            self.progress.silent_since = until;
        }
    }

    /// Returns everything from which the replay goes on, or `None` in a sync test, whose twin is not
    /// saved.
    pub(crate) fn mark(&self) -> Option<Mark> {
        let StagedWorld::Alone(world) = &self.stage.world else { return None };
        Some(Mark {
            time: self.time,
            progress: self.progress.clone(),
            player: self.stage.player,
            world: world.save(),
            drawing: world.save_drawing(),
        })
    }

    /// Goes back to a mark of the same replay.
    ///
    /// # Errors
    /// [`RestoreError`] if the world cannot be restored. Nothing has changed then.
    pub(crate) fn return_to(&mut self, mark: &Mark) -> Result<(), RestoreError> {
        let library = Arc::clone(self.stage.world.library());
        let mut world = MotionWorld::restore_with(&mark.world, library)?;
        world.restore_drawing(&mark.drawing)?;
        self.stage.world = StagedWorld::Alone(Box::new(world));
        self.stage.player = mark.player;
        let related = self.progress.related.take();
        self.progress = mark.progress.clone();
        // What the script has told since stays known.
        if let (Some(then), Some(related)) = (&mut self.progress.related, related) {
            then.know(related);
        }
        self.time = mark.time;
        Ok(())
    }

    /// Returns the result so far.
    pub fn replayed(&self) -> Replayed {
        let seconds = (self.end - self.start.max(self.options.from)).max(0.0);
        Replayed { seconds, state_hash: self.stage.world.state_hash(), ..self.progress.replayed.clone() }
    }

    /// Ends the replay and returns its result.
    pub fn finish(self) -> Replayed {
        let replayed = self.replayed();
        Replayed { sync_test: self.stage.world.finish(), ..replayed }
    }
}

impl Playback<Arc<Script>> {
    /// Lets go of a shared script, so that its owner can change it without a copy. [`Self::go_on_with`]
    /// brings it back. Until then, no frame must be played.
    pub fn release_script(&mut self) {
        self.script = Arc::default();
    }
}

impl Playback<Script> {
    /// Adds messages that follow those of the script, as [`Self::go_on_with`] does.
    pub fn append(&mut self, more: Script, until: Option<f64>) -> Continued {
        let mut script = std::mem::take(&mut self.script);
        script.append(more);
        self.go_on_with(script, until)
    }

    /// Drops the messages that were handled, and true places. The playback cannot begin again then, so
    /// later facts about the whole script are left aside.
    pub fn forget_heard(&mut self) {
        let heard = std::mem::take(&mut self.progress.heard);
        self.script.messages.drain(..heard);
        self.script.truth.clear();
        self.known = self.script.messages.len();
        self.has_forgotten = true;
    }
}
