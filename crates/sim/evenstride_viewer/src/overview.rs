//! All entities over the whole recording: errors, marks and moments.

use std::{borrow::Cow, ops::Range, sync::Arc};

use evenstride::{Event, Happening, explain::Explanation, outcome::PlaceReason};
use evenstride_moments::{MomentFinder, Moments};
use evenstride_replay::{
    Continued, Frame, Heard, ON_THE_WAY_SECS, Playback, ReplayObserver, ReplayOptions, Script, Still,
    Stillness, TraceScope,
};
use evenstride_types::{DVec3, EntityId};

use crate::{method::Method, rival_playback::RivalPlayback, viewed_script::ViewedScript};

/// Shortest time in seconds of which the largest error is kept.
const BIN_SECS: f64 = 0.1;

/// Largest number of such times over all entities. A longer recording has longer ones.
const MAX_BINS: f64 = 4_000_000.0;

/// Largest number of marks of one entity.
const MAX_MARKS: usize = 2_000;

/// Seconds after which the path of an entity no longer depends on messages that have not come yet.
/// Errors of a growing recording are known that much later.
pub const KNOWN_AFTER_SECS: f64 = ON_THE_WAY_SECS + 0.1;

/// The errors of all entities, and what happened to them. It observes a replay.
#[derive(Debug)]
pub struct Overview {
    viewed: Arc<ViewedScript>,
    /// Length in seconds of the time of which the largest error is kept.
    pub bin_secs: f64,
    /// One per entity, in the order of [`ViewedScript::entities`].
    pub lines: Vec<Line>,
    finder: MomentFinder,
}

/// One entity over the whole recording.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Largest error in each bin in metres, without its sign. NaN where the entity is not drawn, or has
    /// no path.
    pub bins: Vec<f32>,
    /// Time of the largest error in each bin, in seconds after the first time that is shown.
    pub(crate) times: Vec<f32>,
    /// Largest error ahead of the path in each bin in metres, and its time as above. Negative where the
    /// entity was behind all the time.
    ahead: Vec<[f32; 2]>,
    /// Largest error in metres, positive if ahead, and its time in seconds.
    pub worst: Option<(f64, f64)>,
    /// What happened, oldest first.
    pub marks: Vec<Mark>,
    /// First and last time in seconds at which it is drawn.
    pub drawn: Option<(f64, f64)>,
}

/// Something that happened to an entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Time in seconds.
    pub time: f64,
    /// Kind, such as `snap`.
    pub kind: &'static str,
    /// A few words.
    pub words: String,
}

impl Overview {
    /// Creates an empty overview.
    pub fn new(viewed: Arc<ViewedScript>) -> Self {
        let bin_secs = BIN_SECS.max(least_bin_secs(&viewed));
        let finder = MomentFinder::new(viewed.script.player);
        Self { lines: vec![Line::default(); viewed.entities.len()], bin_secs, finder, viewed }
    }

    /// Ends the observation, and returns the moments too.
    pub fn finish(self) -> FinishedOverview<'static> {
        let Self { viewed, bin_secs, lines, finder } = self;
        FinishedOverview { viewed, bin_secs, lines: Cow::Owned(lines), moments: finder.finish() }
    }

    /// Returns what is known by now.
    fn look(&self) -> FinishedOverview<'_> {
        let Self { viewed, bin_secs, lines, finder } = self;
        let moments = finder.clone().finish();
        FinishedOverview {
            viewed: Arc::clone(viewed),
            bin_secs: *bin_secs,
            lines: Cow::Borrowed(lines),
            moments,
        }
    }

    /// Takes a recording that has grown.
    fn resume(&mut self, viewed: Arc<ViewedScript>) {
        self.viewed = viewed;
        self.lines.resize(self.viewed.entities.len(), Line::default());
        while self.bin_secs < least_bin_secs(&self.viewed) {
            self.bin_secs *= 2.0;
            self.lines.iter_mut().for_each(Line::join_bins);
        }
    }

    fn bin(&self, time: f64) -> usize {
        ((time - self.viewed.range.0) / self.bin_secs).max(0.0) as usize
    }

    fn drawn(&mut self, index: usize, time: f64, at: DVec3) {
        let bin = self.bin(time);
        let line = &mut self.lines[index];
        line.drawn = Some((line.drawn.map_or(time, |(first, _)| first), time));
        let Some(error) = self.viewed.error(index, time, at) else { return };
        let error = error.signed();
        if line.bins.len() <= bin {
            line.bins.resize(bin + 1, f32::NAN);
            line.times.resize(bin + 1, f32::NAN);
            line.ahead.resize(bin + 1, [f32::NEG_INFINITY; 2]);
        }
        let since = (time - self.viewed.range.0) as f32;
        let metres = error.abs() as f32;
        if line.bins[bin].is_nan() || metres > line.bins[bin] {
            (line.bins[bin], line.times[bin]) = (metres, since);
        }
        if error as f32 > line.ahead[bin][0] {
            line.ahead[bin] = [error as f32, since];
        }
        if line.worst.is_none_or(|(worst, _)| error.abs() > worst.abs()) {
            line.worst = Some((error, time));
        }
    }

    fn mark(&mut self, event: &Event, kind: &'static str, words: String) {
        if let Some(index) = self.viewed.index(event.entity)
            && self.lines[index].marks.len() < MAX_MARKS
        {
            self.lines[index].marks.push(Mark { time: event.at.as_secs(), kind, words });
        }
    }
}

/// Returns the shortest bin of which all fit into memory.
fn least_bin_secs(viewed: &ViewedScript) -> f64 {
    let (from, to) = viewed.range;
    (to - from) * viewed.entities.len().max(1) as f64 / MAX_BINS
}

impl Line {
    /// Joins every two bins.
    fn join_bins(&mut self) {
        let pairs = self.bins.len().div_ceil(2);
        for pair in 0..pairs {
            let (one, other) = (2 * pair, (2 * pair + 1).min(self.bins.len() - 1));
            let is_other = self.bins[one].is_nan() || self.bins[other] > self.bins[one];
            let largest = if is_other { other } else { one };
            (self.bins[pair], self.times[pair]) = (self.bins[largest], self.times[largest]);
            let [near, far] = [self.ahead[one], self.ahead[other]];
            self.ahead[pair] = if far[0] > near[0] { far } else { near };
        }
        self.bins.truncate(pairs);
        self.times.truncate(pairs);
        self.ahead.truncate(pairs);
    }
}

impl ReplayObserver for Overview {
    fn begin(&mut self) {
        self.lines.iter_mut().for_each(|line| *line = Line::default());
        self.finder.begin();
    }

    fn heard(&mut self, heard: &Heard<'_>) {
        self.finder.heard(heard);
    }

    fn event(&mut self, event: &Event) {
        match event.kind {
            Happening::Appeared => self.mark(event, "appears", "appears".to_owned()),
            Happening::Removed(_) | Happening::LeftWorld => self.mark(event, "gone", "is gone".to_owned()),
            Happening::Snapped { reason: PlaceReason::EntersWorld, .. } => {}
            Happening::Snapped { reason, metres } => {
                let kind = if reason == PlaceReason::Teleport { "teleport" } else { "snap" };
                self.mark(event, kind, format!("placed {metres:.2} m away: {reason}"));
            }
            Happening::TookOff { rise } => {
                self.mark(event, "jump", format!("leaves the ground, {rise:.1} m/s upwards"));
            }
            Happening::Landed { speed } => self.mark(event, "landing", format!("lands at {speed:.1} m/s")),
            Happening::GivenUp { .. } => self.mark(event, "stall", event.kind.to_string()),
            _ => {}
        }
        self.finder.event(event);
    }

    fn decision(&mut self, entity: EntityId, decision: &Explanation) {
        self.finder.decision(entity, decision);
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        let viewed = Arc::clone(&self.viewed);
        frame.world.drawn_each(frame.now, |body| {
            if let Some(index) = viewed.index(body.entity) {
                self.drawn(index, frame.time, viewed.metres(&body.place));
            }
        });
        self.finder.frame(frame);
    }

    fn still(&mut self, still: &Still<'_>) {
        // Nothing moves and no position arrives, so each bin needs only one frame.
        let viewed = Arc::clone(&self.viewed);
        let mut next = f64::NEG_INFINITY;
        let last = still.count() - 1;
        for (frame, number) in still.frames().zip(0..) {
            if frame.time < next && number < last {
                continue;
            }
            next = frame.time + self.bin_secs;
            frame.world.drawn_each(frame.now, |body| {
                if let Some(index) = viewed.index(body.entity) {
                    self.drawn(index, frame.time, viewed.metres(&body.place));
                }
            });
        }
        self.finder.still(still);
    }
}

/// An overview of the whole recording, or of what has come of it so far.
#[derive(Debug)]
pub struct FinishedOverview<'a> {
    /// The recording.
    pub viewed: Arc<ViewedScript>,
    /// Length in seconds of each bin.
    pub bin_secs: f64,
    /// One per entity.
    pub lines: Cow<'a, [Line]>,
    /// What a person would notice. Empty for a rival.
    pub moments: Moments,
}

impl FinishedOverview<'_> {
    /// Returns the largest error of an entity between two times in metres, without its sign, and its time
    /// in seconds. Both times are rounded to bins.
    pub fn largest(&self, index: usize, from: f64, to: f64) -> Option<(f64, f64)> {
        let line = &self.lines[index];
        let known = self.bins(index, from, to).filter(|bin| !line.bins[*bin].is_nan());
        let largest = known.max_by(|one, other| line.bins[*one].total_cmp(&line.bins[*other]))?;
        Some((f64::from(line.bins[largest]), self.viewed.range.0 + f64::from(line.times[largest])))
    }

    /// Returns how far an entity was ahead of its path at most between two times, as [`Self::largest`] does.
    /// An entity that turns round is ahead before the turn and behind after it, at the same place.
    pub fn largest_ahead(&self, index: usize, from: f64, to: f64) -> Option<(f64, f64)> {
        let ahead = self.bins(index, from, to).map(|bin| self.lines[index].ahead[bin]);
        let [metres, since] = ahead.max_by(|one, other| one[0].total_cmp(&other[0]))?;
        (metres > 0.0).then(|| (f64::from(metres), self.viewed.range.0 + f64::from(since)))
    }

    fn bins(&self, index: usize, from: f64, to: f64) -> Range<usize> {
        let bin = |time: f64| ((time - self.viewed.range.0) / self.bin_secs).max(0.0) as usize;
        let end = (bin(to) + 1).min(self.lines[index].bins.len());
        bin(from).min(end)..end
    }
}

/// Makes an overview, a few frames per call.
#[derive(Debug)]
pub struct OverviewJob {
    overview: Overview,
    player: Player,
    end: f64,
    /// Whether it surveys the recording itself and not a changed one.
    is_recorded: bool,
}

#[derive(Debug)]
enum Player {
    World(Box<Playback<Arc<Script>>>),
    Rival(Box<RivalPlayback>),
}

impl OverviewJob {
    /// Prepares an overview of what a method draws. Returns `None` for a script without messages.
    pub fn new(viewed: Arc<ViewedScript>, script: Arc<Script>, method: &Method, fps: f64) -> Option<Self> {
        let (from, to) = viewed.range;
        let overview = Overview::new(Arc::clone(&viewed));
        let is_recorded = Arc::ptr_eq(&script, &viewed.script);
        let is_growing = viewed.is_growing && is_recorded;
        let player = match method {
            Method::Profile(_, config) => {
                let options = ReplayOptions {
                    config: **config,
                    fps,
                    from,
                    to: if is_growing { f64::INFINITY } else { to },
                    trace: TraceScope::All,
                    library: viewed.library.clone(),
                    stillness: Stillness::Together,
                    ..ReplayOptions::default()
                };
                Player::World(Box::new(Playback::new(script, options)?))
            }
            Method::Rival(_) | Method::Drawn(_) => {
                let entities = viewed.entities.iter().map(|of| of.entity).collect();
                Player::Rival(Box::new(RivalPlayback::new(script, method, fps, entities, false)?))
            }
        };
        let mut job = Self { overview, player, end: to, is_recorded };
        if is_growing {
            job.resume(viewed);
        }
        Some(job)
    }

    /// Lets go of the recording, so that it can be changed.
    pub fn release(&mut self) {
        self.overview.viewed = Arc::new(ViewedScript::nothing());
        match &mut self.player {
            _ if !self.is_recorded => {}
            Player::World(playback) => playback.release_script(),
            Player::Rival(rival) => rival.release_script(),
        }
    }

    /// Takes the recording back after [`Self::release`], and goes on with what has come, as far as errors
    /// are known ([`KNOWN_AFTER_SECS`]).
    pub fn resume(&mut self, viewed: Arc<ViewedScript>) {
        let script = Arc::clone(&viewed.script);
        let until = (viewed.range.1 - KNOWN_AFTER_SECS).max(viewed.range.0);
        self.overview.resume(Arc::clone(&viewed));
        if !self.is_recorded {
            return;
        }
        self.end = until;
        match &mut self.player {
            Player::World(playback) => {
                if playback.go_on_with(script, Some(until)) == Continued::BeginsAgain {
                    self.overview = Overview::new(viewed);
                }
            }
            Player::Rival(rival) => {
                rival.go_on_with(script, until, viewed.entities.iter().map(|of| of.entity).collect());
            }
        }
    }

    /// Returns what is known by now.
    pub fn look(&self) -> FinishedOverview<'_> {
        self.overview.look()
    }

    /// Returns the largest error of an entity in each bin so far, and the length of a bin in seconds.
    pub fn errors(&self, index: usize) -> (&[f32], f64) {
        (self.overview.lines.get(index).map_or(&[][..], |line| &line.bins), self.overview.bin_secs)
    }

    /// Plays at most `frames` frames. Returns `false` at the end.
    pub fn work(&mut self, frames: u32) -> bool {
        (0..frames).all(|_| self.advance())
    }

    fn advance(&mut self) -> bool {
        match &mut self.player {
            Player::World(playback) => {
                let mut observer: &mut dyn ReplayObserver = &mut self.overview;
                playback.advance_frame(&mut observer)
            }
            Player::Rival(rival) => {
                if rival.next_time().is_none_or(|next| next > self.end) || !rival.advance() {
                    return false;
                }
                let time = rival.time();
                if time >= self.overview.viewed.range.0 {
                    for (index, drawn) in rival.drawn(self.overview.viewed.origin).enumerate() {
                        if let Some((at, _)) = drawn {
                            self.overview.drawn(index, time, at);
                        }
                    }
                }
                true
            }
        }
    }

    /// Returns the part that is done, 0 to 1.
    pub fn done(&self) -> f64 {
        let (time, start) = match &self.player {
            Player::World(playback) => (playback.time(), playback.span().0),
            Player::Rival(rival) => (rival.time(), rival.span().0),
        };
        ((time - start) / (self.end - start).max(1e-9)).clamp(0.0, 1.0)
    }

    /// Plays the rest and returns the overview.
    pub fn finish(mut self) -> FinishedOverview<'static> {
        while self.advance() {}
        self.overview.finish()
    }
}
