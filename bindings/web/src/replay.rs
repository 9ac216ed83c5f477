//! `Replay`, a recording that can be played and scrubbed.

use std::sync::Arc;

use evenstride::explain::Explanation;
use evenstride_arena::relinked;
use evenstride_link::LinkConfig;
use evenstride_moments::{MomentFinder, typed_decision, typed_moment};
use evenstride_replay::{
    DrawnHash, Frame, Playback, ReplayObserver, ReplayOptions, Script, Scrubber, TraceScope,
};
use evenstride_types::EntityId;
use js_sys::{Float32Array, Float64Array, Uint8Array, Uint32Array};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

use crate::{
    call::{Sentence, call, sentence},
    drawn::DrawnArrays,
    hex, input, to_js,
    tracks::{RivalRecorder, RivalTrack, Track, TrackRecorder},
};

/// A recording. `step` plays the next frame, and `seek` goes to any time. Frames are the same bit for bit
/// in both ways.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Replay {
    scrubber: Scrubber<Arc<Script>>,
    script: Arc<Script>,
    drawn: DrawnArrays,
}

#[wasm_bindgen]
impl Replay {
    /// Reads a script and shows its first frame. `profile` is `RETAIL`, `ACDREAM`, `SMOOTH`, `GLIDE` or
    /// `SPECTATOR`. `fps` is the number of frames per second, 1 to 1000.
    #[wasm_bindgen(constructor)]
    pub fn new(script: &Uint8Array, profile: &str, fps: f64) -> Result<Self, JsError> {
        call(|| {
            let script = Script::from_bytes(&input::bytes("script", script)?).map_err(sentence)?;
            Self::of(Arc::new(script), profile, fps)
        })
    }

    /// Plays the next frame. Returns `false` at the end.
    pub fn step(&mut self) -> Result<bool, JsError> {
        call(|| Ok(self.scrubber.advance_frame(&mut no_observer())))
    }

    /// Goes to the last frame that is not later than `time` seconds. Times outside the recording mean its
    /// first or last frame. Returns the time of the frame.
    pub fn seek(&mut self, time: f64) -> Result<f64, JsError> {
        call(|| {
            if time.is_nan() {
                return Err("time: NaN is not a time in seconds".to_owned());
            }
            self.scrubber.seek(time, &mut no_observer());
            Ok(self.scrubber.playback().time())
        })
    }

    /// Changes profile and frame rate, and stays at the same time.
    pub fn configure(&mut self, profile: &str, fps: f64) -> Result<(), JsError> {
        call(|| {
            let time = self.scrubber.playback().time();
            let mut other = Self::of(Arc::clone(&self.script), profile, fps)?;
            other.scrubber.seek(time, &mut no_observer());
            *self = other;
            Ok(())
        })
    }

    /// Returns the recording as it would have arrived over another network. `link` is one of `perfect`,
    /// `broadband` and the other presets, and `seed` chooses its random events.
    pub fn relinked(&self, link: &str, seed: u32) -> Result<Self, JsError> {
        call(|| {
            let config = LinkConfig::preset(link).ok_or_else(|| {
                let names: Vec<&str> = LinkConfig::PRESETS.iter().map(|(name, _)| *name).collect();
                let link: String = link.chars().take(40).collect();
                format!("link: {link:?} is unknown; use one of {}", names.join(", "))
            })?;
            let script = relinked(&self.script, config.seed(u64::from(seed))).map_err(sentence)?;
            Self::with(Arc::new(script), self.scrubber.playback().options().clone())
        })
    }

    /// Time of the present frame in seconds.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> Result<f64, JsError> {
        call(|| Ok(self.scrubber.playback().time()))
    }

    /// Time of the first frame in seconds.
    #[wasm_bindgen(getter)]
    pub fn start(&self) -> Result<f64, JsError> {
        call(|| Ok(self.scrubber.playback().span().0))
    }

    /// Time in seconds after which there is no frame.
    #[wasm_bindgen(getter)]
    pub fn end(&self) -> Result<f64, JsError> {
        call(|| Ok(self.scrubber.playback().span().1))
    }

    /// Times of the key frames so far, in seconds. Going there takes one frame.
    #[wasm_bindgen(js_name = keyFrames)]
    pub fn key_frames(&self) -> Result<Float64Array, JsError> {
        call(|| Ok(Float64Array::from(self.scrubber.key_frames().collect::<Vec<_>>().as_slice())))
    }

    /// Writes every body of the present frame into the arrays `ids`, `poses` and `hidden`, and returns
    /// their number. Poses are in metres from the south-west corner of the landblock `origin`.
    pub fn draw(&mut self, origin: u32) -> Result<u32, JsError> {
        call(|| {
            let origin = input::landblock(origin)?;
            let Frame { now, world, .. } = self.scrubber.playback().frame();
            self.drawn.clear(world.len());
            world.drawn_each(now, |body| self.drawn.push(&body, origin));
            Ok(self.drawn.len())
        })
    }

    /// Returns the entities that `draw` wrote. The array is a view, which is valid until the next call of
    /// anything in this package.
    pub fn ids(&self) -> Result<Uint32Array, JsError> {
        call(|| Ok(self.drawn.ids()))
    }

    /// Returns the poses that `draw` wrote, as x, y, z, qw, qx, qy and qz for each entity. The array is a
    /// view, which is valid until the next call of anything in this package.
    pub fn poses(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(self.drawn.poses()))
    }

    /// Returns 1 for each entity that `draw` wrote and that is invisible, and 0 for the others. The array
    /// is a view, which is valid until the next call of anything in this package.
    pub fn hidden(&self) -> Result<Uint8Array, JsError> {
        call(|| Ok(self.drawn.hidden()))
    }

    /// Returns the landblock of the first position in the recording, which is a good origin.
    #[wasm_bindgen(js_name = firstLandblock)]
    pub fn first_landblock(&self) -> Result<u32, JsError> {
        call(|| {
            let first = self.script.messages.iter().find_map(first_block);
            Ok(first.map_or(0xA9B4, u32::from))
        })
    }

    /// Returns the entities of the recording with their names.
    #[wasm_bindgen(unchecked_return_type = "{ id: number; name: string }[]")]
    pub fn entities(&self) -> Result<JsValue, JsError> {
        call(|| {
            let named = |entity: EntityId| json!({ "id": entity.raw(), "name": self.called(entity) });
            to_js(&Value::Array(self.script.entities().into_iter().map(named).collect()))
        })
    }

    /// Returns the hash of everything that further motion depends on, in hexadecimal.
    #[wasm_bindgen(js_name = stateHash)]
    pub fn state_hash(&self) -> Result<String, JsError> {
        call(|| Ok(hex(self.scrubber.playback().world().state_hash())))
    }

    /// Returns the hash of all poses of the profile `GLIDE`, in hexadecimal.
    #[wasm_bindgen(js_name = drawingHash)]
    pub fn drawing_hash(&self) -> Result<String, JsError> {
        call(|| Ok(hex(self.scrubber.playback().world().drawing_hash())))
    }

    /// Replays everything and returns the hashes of the end. `drawn` covers every body in every frame.
    #[wasm_bindgen(unchecked_return_type = "Fingerprints")]
    pub fn fingerprints(&self) -> Result<JsValue, JsError> {
        call(|| {
            let mut drawn = DrawnHash::default();
            let playback = self.play(self.options(), &mut drawn)?;
            to_js(&json!({
                "frames": playback.replayed().frames,
                "state": hex(playback.world().state_hash()),
                "drawing": hex(playback.world().drawing_hash()),
                "drawn": hex(drawn.finish()),
            }))
        })
    }

    /// Returns what a person would notice in the whole recording, worst first.
    #[wasm_bindgen(unchecked_return_type = "Moment[]")]
    pub fn moments(&self) -> Result<JsValue, JsError> {
        call(|| {
            let mut finder = MomentFinder::new(self.script.player);
            let options = ReplayOptions { trace: TraceScope::All, ..self.options() };
            let _ = self.play(options, &mut finder)?;
            let moments = finder.finish();
            let typed = moments.iter().map(|moment| {
                let name = self.script.names.get(&moment.entity).map(String::as_str);
                typed_moment(moment, name, &self.called(moment.entity))
            });
            to_js(&Value::Array(typed.collect()))
        })
    }

    /// Returns the decisions about an entity between two times in seconds, oldest first.
    #[wasm_bindgen(unchecked_return_type = "Decision[]")]
    pub fn explain(&self, entity: u32, from: f64, to: f64) -> Result<JsValue, JsError> {
        call(|| {
            if from.is_nan() || to.is_nan() {
                return Err("from, to: NaN is not a time in seconds".to_owned());
            }
            let entity = input::entity(entity);
            let mut decisions = Decisions(Vec::new());
            let options =
                ReplayOptions { trace: TraceScope::One(entity), only: Some(entity), to, ..self.options() };
            let _ = self.play(options, &mut decisions)?;
            let wanted = decisions.0.iter().filter(|of| of.at.as_secs() >= from);
            to_js(&Value::Array(wanted.map(typed_decision).collect()))
        })
    }

    /// Returns the drawn path of an entity over the whole recording, and its errors. The positions are
    /// in metres from the south-west corner of the landblock `origin`.
    pub fn track(&self, entity: u32, origin: u32) -> Result<Track, JsError> {
        call(|| {
            let entity = input::entity(entity);
            let mut recorder = TrackRecorder::new(entity, input::landblock(origin)?);
            let options = ReplayOptions { only: Some(entity), ..self.options() };
            let _ = self.play(options, &mut recorder)?;
            Ok(recorder.finish())
        })
    }

    /// Returns the paths that common methods would draw for an entity, in the frames of `track`.
    pub fn rivals(&self, entity: u32, origin: u32) -> Result<Vec<RivalTrack>, JsError> {
        call(|| {
            let entity = input::entity(entity);
            let mut recorder = RivalRecorder::new(entity, input::landblock(origin)?);
            let options = ReplayOptions { only: Some(entity), ..self.options() };
            let _ = self.play(options, &mut recorder)?;
            Ok(recorder.finish())
        })
    }
}

impl Replay {
    fn of(script: Arc<Script>, profile: &str, fps: f64) -> Result<Self, Sentence> {
        let (config, fps) = (input::profile(profile)?, input::fps(fps)?);
        Self::with(script, ReplayOptions { config, fps, ..ReplayOptions::default() })
    }

    fn with(script: Arc<Script>, options: ReplayOptions) -> Result<Self, Sentence> {
        let scrubber = Scrubber::new(Arc::clone(&script), options);
        let mut scrubber = scrubber.ok_or("script: it has no messages, so there is nothing to replay")?;
        let _ = scrubber.advance_frame(&mut no_observer());
        Ok(Self { scrubber, script, drawn: DrawnArrays::default() })
    }

    /// Returns the options of a replay apart from the frames that are shown.
    fn options(&self) -> ReplayOptions {
        let of = self.scrubber.playback().options();
        ReplayOptions { config: of.config, fps: of.fps, ..ReplayOptions::default() }
    }

    /// Replays everything from the beginning. All observers share one loop, which keeps the module small.
    fn play(
        &self,
        options: ReplayOptions,
        watcher: &mut dyn ReplayObserver,
    ) -> Result<Playback<Arc<Script>>, Sentence> {
        let playback = Playback::new(Arc::clone(&self.script), options);
        let mut playback = playback.ok_or("script: it has no messages, so there is nothing to replay")?;
        let mut watcher = watcher;
        while playback.advance_frame(&mut watcher) {}
        Ok(playback)
    }

    /// Returns the name of an entity on one line, or else its id.
    fn called(&self, entity: EntityId) -> String {
        let name = self.script.names.get(&entity).map_or("", String::as_str);
        let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
        if name.is_empty() { entity.to_string() } else { name }
    }
}

/// Returns an observer of the same type as [`Replay::play`] has, for frames that are not observed.
fn no_observer() -> &'static mut dyn ReplayObserver {
    // An observer without fields takes no memory, so this allocates nothing.
    Box::leak(Box::new(()))
}

/// Returns the landblock of a position message.
fn first_block(message: &evenstride_replay::TimedMessage) -> Option<u16> {
    use evenstride_types::update::Update;

    let evenstride_replay::Said::Server(Update::Position(position)) = &message.said else { return None };
    Some(position.pack.placement().check().ok()?.cell.landblock().raw())
}

/// Keeps all decisions.
struct Decisions(Vec<Explanation>);

impl ReplayObserver for Decisions {
    fn decision(&mut self, _: EntityId, decision: &Explanation) {
        self.0.push(*decision);
    }
}
