//! One entity over the whole recording, frame by frame, with the decisions about it.

use std::sync::Arc;

use evenstride::{Event, Happening, MovedBy, explain::Explanation};
use evenstride_replay::{
    Continued, Frame, Heard, Playback, ReplayObserver, ReplayOptions, Script, Stillness, TraceScope,
};
use evenstride_types::{DVec3, EntityId};

use crate::{
    method::Method, overview::KNOWN_AFTER_SECS, rival_playback::RivalPlayback, viewed_script::ViewedScript,
};

/// Largest number of frames of a track.
pub const MAX_TRACK_FRAMES: usize = 1_000_000;

/// Largest number of decisions of a track.
const MAX_DECISIONS: usize = 50_000;

/// The drawn path of one entity. All lists have one value per frame, NaN where it is not drawn.
#[derive(Clone, Debug, Default)]
pub struct EntityTrack {
    /// Time in seconds.
    pub times: Vec<f64>,
    /// Place in metres from the origin, as x, y and z.
    pub places: Vec<[f32; 3]>,
    /// Heading in degrees.
    pub headings: Vec<f32>,
    /// Speed since the frame before in metres per second.
    pub speeds: Vec<f32>,
    /// Error in metres along the path, positive if ahead.
    pub errors: Vec<f32>,
    /// Distance beside the path in metres.
    pub asides: Vec<f32>,
    /// Height above the ground in metres, 0 on the ground.
    pub heights: Vec<f32>,
    /// 1 if the body did not move there from its place in the frame before, but appeared or was placed.
    pub placed: Vec<u8>,
    /// Where the body was drawn as each position arrived: time in seconds, and metres from the origin.
    pub receipts: Vec<(f64, [f32; 3])>,
    /// Decisions about the entity, oldest first. Empty for a rival.
    pub decisions: Vec<Explanation>,
}

/// Makes a track, a few frames per call.
#[derive(Debug)]
pub struct TrackJob {
    recorder: TrackRecorder,
    player: Player,
    range: (f64, f64),
    /// The end that was asked for, in seconds. A growing recording may reach it later.
    to: f64,
    /// Whether it is of the recording itself and not of a changed one.
    is_recorded: bool,
}

#[derive(Debug)]
enum Player {
    World(Box<Playback<Arc<Script>>>),
    Rival(Box<RivalPlayback>),
}

impl TrackJob {
    /// Prepares the track of an entity. Returns `None` for a script without messages, and for an unknown
    /// entity.
    pub fn new(
        viewed: Arc<ViewedScript>,
        script: Arc<Script>,
        method: &Method,
        fps: f64,
        index: usize,
        range: (f64, f64),
    ) -> Option<Self> {
        let entity = viewed.entities.get(index)?.entity;
        let is_recorded = Arc::ptr_eq(&script, &viewed.script);
        let (to, is_growing) = (range.1, viewed.is_growing && is_recorded);
        let range = (range.0.max(viewed.range.0), range.1.min(viewed.range.1));
        let player = match method {
            Method::Profile(_, config) => {
                let options = ReplayOptions {
                    config: **config,
                    fps,
                    from: range.0,
                    to: if is_growing { to } else { range.1 },
                    trace: TraceScope::One(entity),
                    only: Some(entity),
                    library: viewed.library.clone(),
                    stillness: Stillness::Stepped,
                    ..ReplayOptions::default()
                };
                Player::World(Box::new(Playback::new(script, options)?))
            }
            Method::Rival(_) | Method::Drawn(_) => {
                Player::Rival(Box::new(RivalPlayback::new(script, method, fps, vec![entity], true)?))
            }
        };
        let recorder = TrackRecorder::new(Arc::clone(&viewed), index, entity);
        let mut job = Self { recorder, player, range, to, is_recorded };
        if is_growing {
            job.resume(viewed);
        }
        Some(job)
    }

    /// Lets go of the recording, so that it can be changed.
    pub fn release(&mut self) {
        self.recorder.viewed = Arc::new(ViewedScript::nothing());
        match &mut self.player {
            _ if !self.is_recorded => {}
            Player::World(playback) => playback.release_script(),
            Player::Rival(rival) => rival.release_script(),
        }
    }

    /// Takes the recording back after [`Self::release`], and goes on with what has come. Errors of the last
    /// frames are unknown until the next positions of the entity are known ([`KNOWN_AFTER_SECS`]).
    pub fn resume(&mut self, viewed: Arc<ViewedScript>) {
        let (script, until) = (Arc::clone(&viewed.script), viewed.range.1);
        self.recorder.viewed = viewed;
        if !self.is_recorded {
            return;
        }
        self.range.1 = until.min(self.to);
        let recorder = &mut self.recorder;
        match &mut self.player {
            Player::World(playback) => {
                if playback.go_on_with(script, Some(until)) == Continued::BeginsAgain {
                    let viewed = Arc::clone(&recorder.viewed);
                    *recorder = TrackRecorder::new(viewed, recorder.index, recorder.entity);
                }
            }
            Player::Rival(rival) => rival.go_on_with(script, until, vec![recorder.entity]),
        }
        recorder.judge();
    }

    /// Plays at most `frames` frames. Returns `false` at the end.
    pub fn work(&mut self, frames: u32) -> bool {
        (0..frames).all(|_| self.advance())
    }

    fn advance(&mut self) -> bool {
        if self.recorder.track.times.len() >= MAX_TRACK_FRAMES {
            return false;
        }
        match &mut self.player {
            Player::World(playback) => {
                let mut observer: &mut dyn ReplayObserver = &mut self.recorder;
                playback.advance_frame(&mut observer)
            }
            Player::Rival(rival) => {
                if rival.next_time().is_none_or(|next| next > self.range.1) || !rival.advance() {
                    return false;
                }
                let (time, origin) = (rival.time(), self.recorder.viewed.origin);
                if time >= self.range.0 {
                    let drawn = rival.drawn(origin).next().flatten();
                    let flies = self.recorder.viewed.entities[self.recorder.index].flies(time);
                    self.recorder.add(time, drawn, flies);
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
        ((time - start) / (self.range.1 - start).max(1e-9)).clamp(0.0, 1.0)
    }

    /// Returns the track so far.
    pub const fn track(&self) -> &EntityTrack {
        &self.recorder.track
    }
}

#[derive(Debug)]
struct TrackRecorder {
    viewed: Arc<ViewedScript>,
    index: usize,
    entity: EntityId,
    track: EntityTrack,
    /// Time and place of the last frame in which it was drawn, if that was the last frame.
    last: Option<(f64, DVec3)>,
    /// Whether the body was placed since the last frame.
    is_placed: bool,
    /// Number of frames whose errors no later message changes.
    judged: usize,
}

impl TrackRecorder {
    fn new(viewed: Arc<ViewedScript>, index: usize, entity: EntityId) -> Self {
        let track = EntityTrack::default();
        Self { viewed, index, entity, track, last: None, is_placed: true, judged: 0 }
    }

    /// Computes the errors of the frames about which enough is known by now.
    fn judge(&mut self) {
        let known = self.known_until();
        let track = &mut self.track;
        while let Some(time) = track.times.get(self.judged).filter(|time| **time <= known) {
            let at = DVec3::from(track.places[self.judged].map(f64::from));
            let error = if at.is_nan() { None } else { self.viewed.error(self.index, *time, at) };
            track.errors[self.judged] = error.map_or(f32::NAN, |error| error.signed() as f32);
            track.asides[self.judged] = error.map_or(f32::NAN, |error| error.aside as f32);
            self.judged += 1;
        }
    }

    /// Returns the last time in seconds at which errors are known.
    fn known_until(&self) -> f64 {
        if self.viewed.is_growing { self.viewed.range.1 - KNOWN_AFTER_SECS } else { f64::INFINITY }
    }

    fn add(&mut self, time: f64, drawn: Option<(DVec3, f32)>, flies: bool) {
        let is_known = time <= self.known_until();
        let of = &self.viewed.entities[self.index];
        let track = &mut self.track;
        if is_known && self.judged == track.times.len() {
            self.judged += 1;
        }
        track.times.push(time);
        let is_placed = std::mem::take(&mut self.is_placed) || self.last.is_none();
        let Some((at, heading)) = drawn else {
            track.places.push([f32::NAN; 3]);
            for values in [
                &mut track.headings,
                &mut track.speeds,
                &mut track.errors,
                &mut track.asides,
                &mut track.heights,
            ] {
                values.push(f32::NAN);
            }
            track.placed.push(1);
            self.last = None;
            return;
        };
        let speed = self.last.filter(|_| !is_placed).map(|(then, from)| at.distance(from) / (time - then));
        let error = if is_known { self.viewed.error(self.index, time, at) } else { None };
        let ground = if flies { of.ground(time) } else { None };
        track.places.push(at.as_vec3().to_array());
        track.headings.push(heading);
        track.speeds.push(speed.map_or(f32::NAN, |speed| speed as f32));
        track.errors.push(error.map_or(f32::NAN, |error| error.signed() as f32));
        track.asides.push(error.map_or(f32::NAN, |error| error.aside as f32));
        track.heights.push(ground.map_or(0.0, |ground| (at.z - ground).max(0.0) as f32));
        track.placed.push(u8::from(is_placed));
        self.last = Some((time, at));
    }
}

impl ReplayObserver for TrackRecorder {
    fn heard(&mut self, heard: &Heard<'_>) {
        if let Some((entity, _)) = heard.believed()
            && entity == self.entity
        {
            let drawn =
                heard.drawn.map_or([f32::NAN; 3], |place| self.viewed.metres(&place).as_vec3().to_array());
            self.track.receipts.push((heard.arrived, drawn));
        }
    }

    fn event(&mut self, event: &Event) {
        self.is_placed |= event.entity == self.entity
            && matches!(event.kind, Happening::Snapped { .. } | Happening::Appeared);
    }

    fn decision(&mut self, entity: EntityId, decision: &Explanation) {
        if entity == self.entity && self.track.decisions.len() < MAX_DECISIONS {
            self.track.decisions.push(*decision);
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        let drawn = frame.world.drawn(self.entity, frame.now);
        let drawn = drawn.map(|place| (self.viewed.metres(&place), place.pose.heading().degrees()));
        let view = frame.world.body(self.entity);
        let flies = view.is_some_and(|view| !view.in_contact && view.moved_by == MovedBy::Flight);
        self.add(frame.time, drawn, flies);
    }
}
