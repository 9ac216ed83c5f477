//! `ViewTrack`, one entity frame by frame.

use std::{cell::RefCell, rc::Rc};

use evenstride_viewer::TrackJob;
use js_sys::{Float32Array, Float64Array, Uint8Array};
use serde_json::Value;
use wasm_bindgen::prelude::*;

use crate::{call::call, shares::Shares, to_js};

/// One entity over the whole recording, frame by frame.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ViewTrack {
    job: Rc<RefCell<TrackJob>>,
}

#[wasm_bindgen]
impl ViewTrack {
    /// Plays at most `frames` frames. Returns the part that is done, 0 to 1.
    pub fn work(&self, frames: u32) -> Result<f64, JsError> {
        call(|| {
            let mut job = self.job.borrow_mut();
            Ok(if job.work(frames) { job.done().min(0.999) } else { 1.0 })
        })
    }

    /// Time of each frame in seconds.
    #[wasm_bindgen(getter)]
    pub fn times(&self) -> Result<Float64Array, JsError> {
        call(|| Ok(Float64Array::from(self.job.borrow().track().times.as_slice())))
    }

    /// Place of each frame in metres, as x, y and z.
    #[wasm_bindgen(getter)]
    pub fn places(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.job.borrow().track().places.as_flattened())))
    }

    /// Heading of each frame in degrees.
    #[wasm_bindgen(getter)]
    pub fn headings(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.job.borrow().track().headings.as_slice())))
    }

    /// Speed of each frame in metres per second.
    #[wasm_bindgen(getter)]
    pub fn speeds(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.job.borrow().track().speeds.as_slice())))
    }

    /// Error of each frame along the path in metres, positive if ahead.
    #[wasm_bindgen(getter)]
    pub fn errors(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.job.borrow().track().errors.as_slice())))
    }

    /// Distance of each frame beside the path in metres.
    #[wasm_bindgen(getter)]
    pub fn asides(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.job.borrow().track().asides.as_slice())))
    }

    /// Height of each frame above the ground in metres.
    #[wasm_bindgen(getter)]
    pub fn heights(&self) -> Result<Float32Array, JsError> {
        call(|| Ok(Float32Array::from(self.job.borrow().track().heights.as_slice())))
    }

    /// 1 for each frame that is not connected with the one before.
    #[wasm_bindgen(getter)]
    pub fn placed(&self) -> Result<Uint8Array, JsError> {
        call(|| Ok(Uint8Array::from(self.job.borrow().track().placed.as_slice())))
    }

    /// Where the body was drawn as each position arrived, as time, x, y and z.
    #[wasm_bindgen(getter)]
    pub fn receipts(&self) -> Result<Float64Array, JsError> {
        call(|| {
            let values: Vec<f64> = self
                .job
                .borrow()
                .track()
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
            let job = self.job.borrow();
            let decisions = job.track().decisions.iter().map(evenstride_moments::typed_decision);
            to_js(&Value::Array(decisions.collect()))
        })
    }
}

impl ViewTrack {
    pub(crate) fn new(job: TrackJob, shares: &Shares) -> Self {
        let job = Rc::new(RefCell::new(job));
        shares.add_track(&job);
        Self { job }
    }
}
