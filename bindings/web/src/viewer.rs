//! `Viewer`, the questions that a page asks of a recording.

use std::{rc::Rc, sync::Arc};

use evenstride_arena::rival::DrawnTrack;
use evenstride_replay::{Script, ScriptOptions, ScriptReader};
use evenstride_viewer::{ReceivedPosition, ViewedEntity, ViewedScript, WhatIf};
use js_sys::{Float64Array, Uint8Array, Uint32Array};
use wasm_bindgen::prelude::*;

use crate::{
    call::{Sentence, call, sentence},
    drawing::Drawing,
    input,
    shares::Shares,
    to_js,
};

/// A recording for a viewer. Entities have indices, in the order of `facts`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Viewer {
    viewed: Arc<ViewedScript>,
    /// Everything that shares the recording.
    shares: Rc<Shares>,
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

    /// Begins a recording that grows by `append`.
    pub fn live() -> Result<Self, JsError> {
        call(|| Ok(Self::of(Script::default(), (f64::NEG_INFINITY, f64::INFINITY))))
    }

    /// Adds the messages of a script that follow those of this recording. Everything up to the time `until`
    /// in seconds has arrived then. Without bytes, only time has passed. Drawings and tracks go on with it.
    /// Returns the indices of entities of which something new is known.
    pub fn append(&mut self, script: Option<Uint8Array>, until: f64) -> Result<Uint32Array, JsError> {
        call(|| {
            let until = input::time(until)?.as_secs();
            let more = match script {
                Some(script) => Script::from_bytes(&input::bytes("script", &script)?).map_err(sentence)?,
                None => Script::default(),
            };
            let last = self.viewed.script.span().map_or(f64::NEG_INFINITY, |(_, last)| last);
            if more.span().is_some_and(|(first, _)| first < last) {
                return Err("script: its messages do not follow those before".to_owned());
            }
            self.shares.release();
            // Nothing else holds it, so nothing is copied.
            let mut viewed = std::mem::replace(&mut self.viewed, Arc::new(nothing()));
            let changed = match Arc::get_mut(&mut viewed) {
                Some(viewed) => viewed.append(more, until),
                None => return Err("the recording is in use".to_owned()),
            };
            self.viewed = viewed;
            self.shares.resume(&self.viewed);
            let changed: Vec<u32> = changed.into_iter().collect();
            Ok(Uint32Array::from(changed.as_slice()))
        })
    }

    /// Adds what another program drew, in the bytes of `DrawnTrack`, before anything is drawn. Returns its
    /// name, which `drawing` takes.
    #[wasm_bindgen(js_name = addDrawn)]
    pub fn add_drawn(&mut self, track: &Uint8Array) -> Result<String, JsError> {
        call(|| {
            let track = DrawnTrack::from_bytes(&input::bytes("track", track)?).map_err(sentence)?;
            let name = track.name.clone();
            let viewed = Arc::get_mut(&mut self.viewed);
            viewed.ok_or("the recording is in use; add tracks first")?.tracks.push(track);
            Ok(name)
        })
    }

    /// Times in seconds between which the recording is known.
    #[wasm_bindgen(getter)]
    pub fn span(&self) -> Result<Float64Array, JsError> {
        call(|| Ok(Float64Array::from([self.viewed.range.0, self.viewed.range.1].as_slice())))
    }

    /// Number of messages.
    #[wasm_bindgen(getter, js_name = messageCount)]
    pub fn message_count(&self) -> Result<f64, JsError> {
        call(|| Ok(self.viewed.script.messages.len() as f64))
    }

    /// Returns what is known of an entity, as `facts` does.
    #[wasm_bindgen(js_name = entityFacts, unchecked_return_type = "Record<string, unknown>")]
    pub fn entity_facts(&self, index: u32) -> Result<JsValue, JsError> {
        call(|| to_js(&self.entity(index)?.facts()))
    }

    /// Returns the times of an entity's received positions, without the first `from` of them.
    #[wasm_bindgen(js_name = receivedTimes)]
    pub fn received_times(&self, index: u32, from: u32) -> Result<Float64Array, JsError> {
        call(|| {
            let new = self.entity(index)?.positions().get(from as usize..).unwrap_or_default();
            let times: Vec<f64> = new.iter().map(|of| of.time).collect();
            Ok(Float64Array::from(times.as_slice()))
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

    /// Returns the server's messages about an entity, without the first `from` messages of the recording
    /// (default: 0).
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown>[]")]
    pub fn messages(&self, index: u32, from: Option<u32>) -> Result<JsValue, JsError> {
        call(|| {
            let from = from.unwrap_or(0) as usize;
            to_js(&self.viewed.messages(self.entity(index)?.entity, from))
        })
    }

    /// Returns a message with its bytes and fields, or null.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown> | null")]
    pub fn message(&self, number: u32) -> Result<JsValue, JsError> {
        call(|| to_js(&self.viewed.message(number as usize)))
    }

    /// Returns the names of all methods that `drawing` takes.
    pub fn methods(&self) -> Result<Vec<String>, JsError> {
        call(|| Ok(self.viewed.methods()))
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
            let method = self.viewed.method(method).ok_or_else(|| {
                let name: String = method.chars().take(40).collect();
                format!("method: {name:?} is unknown; use one of {}", self.viewed.methods().join(", "))
            })?;
            let dropped = dropped.iter().map(|number| *number as usize).collect();
            let what_if = WhatIf { latency_secs: latency, jitter_secs: jitter, loss, seed, dropped };
            let script = what_if.apply(&self.viewed.script)?;
            Drawing::new(Arc::clone(&self.viewed), script, method, fps, &self.shares)
        })
    }
}

impl Viewer {
    fn of(script: Script, range: (f64, f64)) -> Self {
        Self { viewed: Arc::new(ViewedScript::new(Arc::new(script), None, range)), shares: Rc::default() }
    }

    fn entity(&self, index: u32) -> Result<&ViewedEntity, Sentence> {
        let entity = self.viewed.entities.get(index as usize);
        entity.ok_or_else(|| format!("index: {index} is not an entity of {}", self.viewed.entities.len()))
    }
}

fn nothing() -> ViewedScript {
    ViewedScript::new(Arc::default(), None, (0.0, 0.0))
}

/// Returns positions as numbers, six for each.
pub(crate) fn columns(positions: &[ReceivedPosition]) -> Float64Array {
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
