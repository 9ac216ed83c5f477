//! `Viewer`, the questions that a page asks of a recording.

use std::sync::Arc;

use evenstride_replay::{Script, ScriptOptions, ScriptReader};
use evenstride_viewer::{
    Arrivals, EntityTrack, FinishedOverview, Method, OverviewJob, ReceivedPosition, Scene, TrackJob,
    ViewedScript, WhatIf,
};
use js_sys::{Float32Array, Float64Array, Uint8Array};
use serde_json::Value;
use wasm_bindgen::prelude::*;

use crate::{
    call::{Sentence, call, sentence},
    hex, input, to_js,
};

/// A recording for a viewer. Entities have indices, in the order of `facts`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Viewer {
    viewed: Arc<ViewedScript>,
}

#[wasm_bindgen]
impl Viewer {
    /// Reads a script, and limits what is shown to the times from `from` to `to` in seconds.
    #[wasm_bindgen(constructor)]
    pub fn new(script: &Uint8Array, from: f64, to: f64) -> Result<Self, JsError> {
        call(|| {
            let script = Script::from_bytes(&input::bytes("script", script)?).map_err(sentence)?;
            Ok(Self::of(script, (from, to)))
        })
    }

    /// Reads a capture in any format that the program reads. An error is the decoder's own sentence.
    pub fn open(capture: &Uint8Array, name: &str) -> Result<Self, JsError> {
        call(|| {
            let bytes = input::bytes("capture", capture)?;
            let name: String = name.chars().filter(|letter| !letter.is_control()).take(80).collect();
            Ok(Self::of(script_of(&bytes, &name)?, (f64::NEG_INFINITY, f64::INFINITY)))
        })
    }

    /// Returns the fixed facts of the recording.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown>")]
    pub fn facts(&self) -> Result<JsValue, JsError> {
        call(|| to_js(&self.viewed.facts()))
    }

    /// Returns the received positions of an entity, as time, x, y, z, heading and 1 if a path leads there
    /// from the position before.
    pub fn received(&self, index: u32) -> Result<Float64Array, JsError> {
        call(|| Ok(columns(self.entity(index)?.positions())))
    }

    /// Returns the true places of an entity as time, x, y and z. Empty if they are unknown.
    pub fn truth(&self, index: u32) -> Result<Float64Array, JsError> {
        call(|| {
            let truth = &self.entity(index)?.truth;
            let values: Vec<f64> = truth.iter().flat_map(|(time, at)| [*time, at.x, at.y, at.z]).collect();
            Ok(Float64Array::from(values.as_slice()))
        })
    }

    /// Returns the server's messages about an entity.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown>[]")]
    pub fn messages(&self, index: u32) -> Result<JsValue, JsError> {
        call(|| to_js(&self.viewed.messages(self.entity(index)?.entity)))
    }

    /// Returns a message with its bytes and fields, or null.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown> | null")]
    pub fn message(&self, number: u32) -> Result<JsValue, JsError> {
        call(|| to_js(&self.viewed.message(number as usize)))
    }

    /// Returns the names of all methods that `drawing` takes.
    pub fn methods(&self) -> Result<Vec<String>, JsError> {
        call(|| Ok(Method::names().into_iter().map(str::to_owned).collect()))
    }

    /// Returns the recording as a method draws it, over a network that adds latency and jitter in seconds
    /// and loss from 0 to 1. `dropped` has the numbers of messages that are left out.
    #[expect(clippy::too_many_arguments, reason = "JavaScript passes numbers without an object")]
    pub fn drawing(
        &self,
        method: &str,
        fps: f64,
        latency: f64,
        jitter: f64,
        loss: f64,
        seed: u32,
        dropped: &[u32],
    ) -> Result<Drawing, JsError> {
        call(|| {
            let fps = input::fps(fps)?;
            let method = Method::find(method).ok_or_else(|| {
                let name: String = method.chars().take(40).collect();
                format!("method: {name:?} is unknown; use one of {}", Method::names().join(", "))
            })?;
            let dropped = dropped.iter().map(|number| *number as usize).collect();
            let what_if = WhatIf { latency_secs: latency, jitter_secs: jitter, loss, seed, dropped };
            let script = what_if.apply(&self.viewed.script)?;
            let scene = Scene::new(Arc::clone(&self.viewed), Arc::clone(&script), &method, fps);
            let scene = scene.ok_or("it has no messages, so there is nothing to draw")?;
            Ok(Drawing {
                viewed: Arc::clone(&self.viewed),
                script,
                method,
                fps,
                scene,
                overview: None,
                done: None,
                arrivals: None,
            })
        })
    }
}

impl Viewer {
    fn of(script: Script, range: (f64, f64)) -> Self {
        Self { viewed: Arc::new(ViewedScript::new(Arc::new(script), None, range)) }
    }

    fn entity(&self, index: u32) -> Result<&evenstride_viewer::ViewedEntity, Sentence> {
        let entity = self.viewed.entities.get(index as usize);
        entity.ok_or_else(|| format!("index: {index} is not an entity of {}", self.viewed.entities.len()))
    }
}

/// Returns positions as numbers, six for each.
fn columns(positions: &[ReceivedPosition]) -> Float64Array {
    let values: Vec<f64> = positions
        .iter()
        .flat_map(|of| {
            let connected = f64::from(u8::from(of.is_connected));
            [of.time, of.at.x, of.at.y, of.at.z, f64::from(of.heading), connected]
        })
        .collect();
    Float64Array::from(values.as_slice())
}

fn script_of(bytes: &[u8], name: &str) -> Result<Script, Sentence> {
    if let Ok(script) = Script::from_bytes(bytes) {
        return Ok(script);
    }
    let mut reader = ScriptReader::new(ScriptOptions::default());
    let notices = reader
        .read(name, 0.0, |session| {
            evenstride_capture::read(bytes, session).map_err(|error| format!("{name}: {error}"))
        })
        .map_err(sentence)?;
    let (script, _) = reader.finish().map_err(|error| match notices.first() {
        Some(notice) => notice.to_string(),
        None => format!("{name}: {error}"),
    })?;
    if script.messages.is_empty() {
        let first = notices.first().map_or_else(String::new, |notice| format!(" {notice}"));
        return Err(format!("{name}: nothing in it is about motion.{first}"));
    }
    Ok(script)
}

/// A recording as one method draws it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Drawing {
    viewed: Arc<ViewedScript>,
    script: Arc<Script>,
    method: Method,
    fps: f64,
    scene: Scene,
    overview: Option<OverviewJob>,
    done: Option<FinishedOverview>,
    arrivals: Option<Vec<Arrivals>>,
}

#[wasm_bindgen]
impl Drawing {
    /// Goes towards the frame at `time` by at most `frames` frames. Returns whether it is reached.
    pub fn seek(&mut self, time: f64, frames: u32) -> Result<bool, JsError> {
        call(|| Ok(self.scene.seek(time, frames)))
    }

    /// Time of the present frame in seconds.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> Result<f64, JsError> {
        call(|| Ok(self.scene.time()))
    }

    /// Number of frames that were played so far, to measure work.
    #[wasm_bindgen(getter, js_name = framesPlayed)]
    pub fn frames_played(&self) -> Result<f64, JsError> {
        call(|| Ok(self.scene.frames_played as f64))
    }

    /// Returns the bodies of the present frame, by index: x, y, z, heading, ground, radius, height, flags.
    pub fn bodies(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.scene.bodies())))
    }

    /// Returns the times of the beads behind the bodies in seconds, oldest first.
    #[wasm_bindgen(js_name = beadTimes)]
    pub fn bead_times(&self) -> Result<Float64Array, JsError> {
        call(|| {
            let times: Vec<f64> = self.scene.beads().map(|(time, _)| time).collect();
            Ok(Float64Array::from(times.as_slice()))
        })
    }

    /// Returns the places of the beads, x, y and z of each body, oldest bead first.
    pub fn beads(&self) -> Result<Float32Array, JsError> {
        call(|| {
            let places: Vec<f32> = self.scene.beads().flat_map(|(_, places)| places).copied().collect();
            Ok(Float32Array::from(places.as_slice()))
        })
    }

    /// Returns the positions of an entity with the times at which they arrive here, in the columns of
    /// `Viewer.received`.
    pub fn received(&mut self, index: u32) -> Result<Float64Array, JsError> {
        call(|| Ok(columns(&self.arrivals(index)?.positions)))
    }

    /// Returns the times between which an update of an entity is late here, as first and last time.
    pub fn late(&mut self, index: u32) -> Result<Float64Array, JsError> {
        call(|| {
            let late: Vec<f64> =
                self.arrivals(index)?.late.iter().flat_map(|(from, to)| [*from, *to]).collect();
            Ok(Float64Array::from(late.as_slice()))
        })
    }

    /// Returns the times at which the messages about an entity arrive here, in the order of `Viewer.messages`.
    /// NaN for one that does not arrive.
    #[wasm_bindgen(js_name = messageTimes)]
    pub fn message_times(&mut self, index: u32) -> Result<Float64Array, JsError> {
        call(|| Ok(Float64Array::from(self.arrivals(index)?.messages.as_slice())))
    }

    /// Returns what a body is doing in the present frame, and where it is going.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown>")]
    pub fn state(&self, index: u32) -> Result<JsValue, JsError> {
        call(|| {
            let entity = self.viewed.entities.get(index as usize).ok_or("index: unknown")?.entity;
            to_js(&self.scene.state(entity))
        })
    }

    /// Returns the hash of the world's state in hexadecimal, or nothing for a rival.
    #[wasm_bindgen(js_name = stateHash)]
    pub fn state_hash(&self) -> Result<Option<String>, JsError> {
        call(|| Ok(self.scene.state_hash().map(hex)))
    }

    /// Works on the overview by at most `frames` frames. Returns the part that is done, 0 to 1.
    pub fn survey(&mut self, frames: u32) -> Result<f64, JsError> {
        call(|| {
            if self.done.is_some() {
                return Ok(1.0);
            }
            let mut job = match self.overview.take() {
                Some(job) => job,
                None => self.job()?,
            };
            if job.work(frames) {
                let part = job.done().min(0.999);
                self.overview = Some(job);
                return Ok(part);
            }
            self.done = Some(job.finish());
            Ok(1.0)
        })
    }

    /// Returns the overview, or null before `survey` is done.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown> | null")]
    pub fn overview(&self) -> Result<JsValue, JsError> {
        call(|| to_js(&self.done.as_ref().map_or(Value::Null, FinishedOverview::to_json)))
    }

    /// Returns the largest error of an entity in each tenth of a second, without sign. Empty before
    /// `survey` is done.
    pub fn errors(&self, index: u32) -> Result<Float32Array, JsError> {
        call(|| {
            let line = self.done.as_ref().and_then(|done| done.lines.get(index as usize));
            Ok(Float32Array::from(line.map_or(&[][..], |line| line.bins.as_slice())))
        })
    }

    /// Length in seconds of the times of `errors`, or 0 before `survey` is done.
    #[wasm_bindgen(getter, js_name = binSecs)]
    pub fn bin_secs(&self) -> Result<f64, JsError> {
        call(|| Ok(self.done.as_ref().map_or(0.0, |done| done.bin_secs)))
    }

    /// Returns the times at which this method is farthest off, compared with another. Empty before both
    /// surveys are done.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown>[]")]
    pub fn episodes(&self, best: &Self) -> Result<JsValue, JsError> {
        call(|| match (&self.done, &best.done) {
            (Some(one), Some(other)) => to_js(&one.episodes(self.method.name(), other, best.method.name())),
            _ => to_js(&Value::Array(Vec::new())),
        })
    }

    /// Begins the track of an entity between two times in seconds.
    pub fn track(&self, index: u32, from: f64, to: f64) -> Result<ViewTrack, JsError> {
        call(|| {
            let (viewed, script) = (Arc::clone(&self.viewed), Arc::clone(&self.script));
            let job = TrackJob::new(viewed, script, &self.method, self.fps, index as usize, (from, to));
            Ok(ViewTrack { job: job.ok_or("index: it is not an entity of this recording")? })
        })
    }
}

impl Drawing {
    fn arrivals(&mut self, index: u32) -> Result<&Arrivals, Sentence> {
        let all = self.arrivals.get_or_insert_with(|| self.viewed.arrivals(&self.script));
        all.get(index as usize).ok_or_else(|| format!("index: {index} is not an entity of this recording"))
    }

    fn job(&self) -> Result<OverviewJob, Sentence> {
        let (viewed, script) = (Arc::clone(&self.viewed), Arc::clone(&self.script));
        let job = OverviewJob::new(viewed, script, &self.method, self.fps);
        job.ok_or_else(|| "it has no messages, so there is nothing to draw".to_owned())
    }
}

/// One entity over the whole recording, frame by frame.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ViewTrack {
    job: TrackJob,
}

#[wasm_bindgen]
impl ViewTrack {
    /// Plays at most `frames` frames. Returns the part that is done, 0 to 1.
    pub fn work(&mut self, frames: u32) -> Result<f64, JsError> {
        call(|| Ok(if self.job.work(frames) { self.job.done().min(0.999) } else { 1.0 }))
    }

    /// Time of each frame in seconds.
    #[wasm_bindgen(getter)]
    pub fn times(&self) -> Result<Float64Array, JsError> {
        call(|| Ok(Float64Array::from(self.of().times.as_slice())))
    }

    /// Place of each frame in metres, as x, y and z.
    #[wasm_bindgen(getter)]
    pub fn places(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.of().places.as_flattened())))
    }

    /// Heading of each frame in degrees.
    #[wasm_bindgen(getter)]
    pub fn headings(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.of().headings.as_slice())))
    }

    /// Speed of each frame in metres per second.
    #[wasm_bindgen(getter)]
    pub fn speeds(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.of().speeds.as_slice())))
    }

    /// Error of each frame along the path in metres, positive if ahead.
    #[wasm_bindgen(getter)]
    pub fn errors(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.of().errors.as_slice())))
    }

    /// Distance of each frame beside the path in metres.
    #[wasm_bindgen(getter)]
    pub fn asides(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.of().asides.as_slice())))
    }

    /// Height of each frame above the ground in metres.
    #[wasm_bindgen(getter)]
    pub fn heights(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.of().heights.as_slice())))
    }

    /// 1 for each frame that is not connected with the one before.
    #[wasm_bindgen(getter)]
    pub fn placed(&self) -> Result<Uint8Array, JsError> {
        call(|| Ok(Uint8Array::from(self.of().placed.as_slice())))
    }

    /// Where the body was drawn as each position arrived, as time, x, y and z.
    #[wasm_bindgen(getter)]
    pub fn receipts(&self) -> Result<Float64Array, JsError> {
        call(|| {
            let values: Vec<f64> = self
                .of()
                .receipts
                .iter()
                .flat_map(|(time, [x, y, z])| [*time, f64::from(*x), f64::from(*y), f64::from(*z)])
                .collect();
            Ok(Float64Array::from(values.as_slice()))
        })
    }

    /// Decisions about the entity, oldest first.
    #[wasm_bindgen(unchecked_return_type = "Decision[]")]
    pub fn decisions(&self) -> Result<JsValue, JsError> {
        call(|| {
            let decisions = self.of().decisions.iter().map(evenstride_moments::typed_decision);
            to_js(&Value::Array(decisions.collect()))
        })
    }
}

impl ViewTrack {
    const fn of(&self) -> &EntityTrack {
        self.job.track()
    }
}
