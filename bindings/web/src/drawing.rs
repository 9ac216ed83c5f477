//! `Drawing`, a recording as one method draws it.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use evenstride_replay::Script;
use evenstride_viewer::{
    Arrivals, FinishedOverview, Line, Method, OverviewJob, Scene, TrackJob, ViewedEntity, ViewedScript,
};
use js_sys::{Float32Array, Float64Array};
use serde_json::Value;
use wasm_bindgen::prelude::*;

use crate::{
    call::{Sentence, call},
    hex,
    shares::Shares,
    to_js,
    view_track::ViewTrack,
    viewer::columns,
};

/// A recording as one method draws it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Drawing {
    drawn: Rc<RefCell<Drawn>>,
    shares: Rc<Shares>,
}

/// The part of a drawing that changes with its recording.
#[derive(Debug)]
pub(crate) struct Drawn {
    viewed: Arc<ViewedScript>,
    script: Arc<Script>,
    method: Method,
    fps: f64,
    scene: Scene,
    overview: Option<OverviewJob>,
    done: Option<FinishedOverview<'static>>,
    arrivals: Option<Vec<Arrivals>>,
    /// Whether it draws the recording itself and not a changed one.
    is_recorded: bool,
}

#[wasm_bindgen]
impl Drawing {
    /// Goes towards the frame at `time` by at most `frames` frames. Returns whether it is reached.
    pub fn seek(&self, time: f64, frames: u32) -> Result<bool, JsError> {
        call(|| Ok(self.drawn.borrow_mut().scene.seek(time, frames)))
    }

    /// Time of the present frame in seconds.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> Result<f64, JsError> {
        call(|| Ok(self.drawn.borrow().scene.time()))
    }

    /// Number of frames that were played so far, to measure work.
    #[wasm_bindgen(getter, js_name = framesPlayed)]
    pub fn frames_played(&self) -> Result<f64, JsError> {
        call(|| Ok(self.drawn.borrow().scene.frames_played as f64))
    }

    /// Returns the bodies of the present frame, by index: x, y, z, heading, ground, radius, height, flags.
    pub fn bodies(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.drawn.borrow().scene.bodies())))
    }

    /// Returns the times of the beads behind the bodies in seconds, oldest first.
    #[wasm_bindgen(js_name = beadTimes)]
    pub fn bead_times(&self) -> Result<Float64Array, JsError> {
        call(|| {
            let times: Vec<f64> = self.drawn.borrow().scene.beads().map(|(time, _)| time).collect();
            Ok(Float64Array::from(times.as_slice()))
        })
    }

    /// Returns the places of the beads, x, y and z of each body, oldest bead first.
    pub fn beads(&self) -> Result<Float32Array, JsError> {
        call(|| {
            let drawn = self.drawn.borrow();
            let places: Vec<f32> = drawn.scene.beads().flat_map(|(_, places)| places).copied().collect();
            Ok(Float32Array::from(places.as_slice()))
        })
    }

    /// Returns the positions of an entity with the times at which they arrive here, in the columns of
    /// `Viewer.received`.
    pub fn received(&self, index: u32) -> Result<Float64Array, JsError> {
        call(|| self.drawn.borrow_mut().received(index))
    }

    /// Returns the times between which an update of an entity is late here, as first and last time.
    pub fn late(&self, index: u32) -> Result<Float64Array, JsError> {
        call(|| {
            let late: Vec<f64> =
                self.drawn.borrow_mut().late(index)?.iter().flat_map(|(from, to)| [*from, *to]).collect();
            Ok(Float64Array::from(late.as_slice()))
        })
    }

    /// Returns the times at which the messages about an entity arrive here, in the order of `Viewer.messages`.
    /// NaN for one that does not arrive. Empty if all arrive when they did.
    #[wasm_bindgen(js_name = messageTimes)]
    pub fn message_times(&self, index: u32) -> Result<Float64Array, JsError> {
        call(|| {
            let mut drawn = self.drawn.borrow_mut();
            if drawn.is_recorded {
                return Ok(Float64Array::new_with_length(0));
            }
            Ok(Float64Array::from(drawn.arrivals(index)?.messages.as_slice()))
        })
    }

    /// Returns what a body is doing in the present frame, and where it is going.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown>")]
    pub fn state(&self, index: u32) -> Result<JsValue, JsError> {
        call(|| {
            let drawn = self.drawn.borrow();
            let entity = drawn.viewed.entities.get(index as usize).ok_or("index: unknown")?.entity;
            to_js(&drawn.scene.state(entity))
        })
    }

    /// Returns the hash of the world's state in hexadecimal, or nothing for a rival.
    #[wasm_bindgen(js_name = stateHash)]
    pub fn state_hash(&self) -> Result<Option<String>, JsError> {
        call(|| Ok(self.drawn.borrow().scene.state_hash().map(hex)))
    }

    /// Works on the overview by at most `frames` frames. Returns the part that is done, 0 to 1. The overview
    /// of a growing recording is done as far as errors are known by now.
    pub fn survey(&self, frames: u32) -> Result<f64, JsError> {
        call(|| self.drawn.borrow_mut().survey(frames))
    }

    /// Returns the overview, or null before `survey` is done. That of a growing recording is what is known
    /// by now.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown> | null")]
    pub fn overview(&self) -> Result<JsValue, JsError> {
        call(|| {
            let drawn = self.drawn.borrow();
            match (&drawn.done, &drawn.overview) {
                (Some(done), _) => to_js(&done.to_json()),
                (None, Some(job)) if drawn.is_growing() => to_js(&job.look().to_json()),
                _ => to_js(&Value::Null),
            }
        })
    }

    /// Returns the largest error of an entity in each tenth of a second, without sign. Empty before
    /// `survey` is done.
    pub fn errors(&self, index: u32) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.drawn.borrow().errors(index).0)))
    }

    /// Length in seconds of the times of `errors`, or 0 before `survey` is done.
    #[wasm_bindgen(getter, js_name = binSecs)]
    pub fn bin_secs(&self) -> Result<f64, JsError> {
        call(|| Ok(self.drawn.borrow().errors(0).1))
    }

    /// Returns the times at which this method is farthest off, compared with another. Empty before both
    /// surveys are done.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown>[]")]
    pub fn episodes(&self, best: &Self) -> Result<JsValue, JsError> {
        call(|| {
            let (one, best) = (self.drawn.borrow(), best.drawn.borrow());
            match (&one.done, &best.done) {
                (Some(done), Some(other)) => {
                    to_js(&done.episodes(one.method.name(), other, best.method.name()))
                }
                _ => to_js(&Value::Array(Vec::new())),
            }
        })
    }

    /// Begins the track of an entity between two times in seconds.
    pub fn track(&self, index: u32, from: f64, to: f64) -> Result<ViewTrack, JsError> {
        call(|| {
            let drawn = self.drawn.borrow();
            let (viewed, script) = (Arc::clone(&drawn.viewed), Arc::clone(&drawn.script));
            let job = TrackJob::new(viewed, script, &drawn.method, drawn.fps, index as usize, (from, to));
            Ok(ViewTrack::new(job.ok_or("index: it is not an entity of this recording")?, &self.shares))
        })
    }
}

impl Drawing {
    pub(crate) fn new(
        viewed: Arc<ViewedScript>,
        script: Arc<Script>,
        method: Method,
        fps: f64,
        shares: &Rc<Shares>,
    ) -> Result<Self, Sentence> {
        let scene = Scene::new(Arc::clone(&viewed), Arc::clone(&script), &method, fps);
        let scene = scene.ok_or("it has no messages, so there is nothing to draw")?;
        let is_recorded = Arc::ptr_eq(&script, &viewed.script);
        let drawn = Drawn {
            viewed,
            script,
            method,
            fps,
            scene,
            overview: None,
            done: None,
            arrivals: None,
            is_recorded,
        };
        let drawn = Rc::new(RefCell::new(drawn));
        shares.add_drawing(&drawn);
        Ok(Self { drawn, shares: Rc::clone(shares) })
    }
}

impl Drawn {
    /// Lets go of the recording, so that it can be changed.
    pub(crate) fn release(&mut self) {
        self.scene.release();
        self.overview.iter_mut().for_each(OverviewJob::release);
        self.viewed = Arc::new(ViewedScript::new(Arc::default(), None, (0.0, 0.0)));
        if self.is_recorded {
            self.script = Arc::default();
        }
        if let Some(done) = &mut self.done {
            done.viewed = Arc::clone(&self.viewed);
        }
    }

    /// Takes the recording back, and goes on with what has come.
    pub(crate) fn resume(&mut self, viewed: &Arc<ViewedScript>) {
        self.scene.resume(Arc::clone(viewed));
        self.overview.iter_mut().for_each(|job| job.resume(Arc::clone(viewed)));
        self.viewed = Arc::clone(viewed);
        if self.is_recorded {
            self.script = Arc::clone(&viewed.script);
        }
        if let Some(done) = &mut self.done {
            done.viewed = Arc::clone(viewed);
            done.lines.to_mut().resize(viewed.entities.len(), Line::default());
        }
    }

    fn is_growing(&self) -> bool {
        self.is_recorded && self.viewed.is_growing
    }

    fn entity(&self, index: u32) -> Result<&ViewedEntity, Sentence> {
        let entity = self.viewed.entities.get(index as usize);
        entity.ok_or_else(|| format!("index: {index} is not an entity of this recording"))
    }

    fn received(&mut self, index: u32) -> Result<Float64Array, Sentence> {
        if self.is_recorded {
            return Ok(columns(self.entity(index)?.positions()));
        }
        Ok(columns(&self.arrivals(index)?.positions))
    }

    fn late(&mut self, index: u32) -> Result<&[(f64, f64)], Sentence> {
        if self.is_recorded {
            return Ok(&self.entity(index)?.late);
        }
        Ok(&self.arrivals(index)?.late)
    }

    fn arrivals(&mut self, index: u32) -> Result<&Arrivals, Sentence> {
        let all = self.arrivals.get_or_insert_with(|| self.viewed.arrivals(&self.script));
        all.get(index as usize).ok_or_else(|| format!("index: {index} is not an entity of this recording"))
    }

    fn survey(&mut self, frames: u32) -> Result<f64, Sentence> {
        if self.done.is_some() {
            return Ok(1.0);
        }
        let mut job = match self.overview.take() {
            Some(job) => job,
            None => {
                let (viewed, script) = (Arc::clone(&self.viewed), Arc::clone(&self.script));
                let job = OverviewJob::new(viewed, script, &self.method, self.fps);
                job.ok_or("it has no messages, so there is nothing to draw")?
            }
        };
        let has_more = job.work(frames);
        if has_more || self.is_growing() {
            let part = if has_more { job.done().min(0.999) } else { 1.0 };
            self.overview = Some(job);
            return Ok(part);
        }
        self.done = Some(job.finish());
        Ok(1.0)
    }

    fn errors(&self, index: u32) -> (&[f32], f64) {
        match (&self.done, &self.overview) {
            (Some(done), _) => {
                (done.lines.get(index as usize).map_or(&[][..], |line| &line.bins), done.bin_secs)
            }
            (None, Some(job)) if self.is_growing() => job.errors(index as usize),
            _ => (&[], 0.0),
        }
    }
}
