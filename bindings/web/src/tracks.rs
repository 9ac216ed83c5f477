//! The drawn path of one entity over a whole replay.

use evenstride_arena::rival::{Rival, rivals};
use evenstride_replay::{BelievedPath, Frame, Heard, ReplayObserver, Said};
use evenstride_types::{CellId, DVec3, EntityId, LandblockId};
use js_sys::{Float32Array, Float64Array};
use wasm_bindgen::prelude::*;

use crate::drawn::{POSE, pose};

/// The drawn path of one entity. Every array has its values frame by frame. NaN means that the entity is
/// not drawn, or has no path.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Track {
    pub(crate) times: Vec<f64>,
    pub(crate) poses: Vec<f32>,
    pub(crate) errors: Vec<f32>,
}

#[wasm_bindgen]
impl Track {
    /// Time of each frame in seconds.
    #[wasm_bindgen(getter)]
    pub fn times(&self) -> Float64Array {
        Float64Array::from(self.times.as_slice())
    }

    /// Drawn pose of each frame, as x, y, z, qw, qx, qy and qz in metres from the origin.
    #[wasm_bindgen(getter)]
    pub fn poses(&self) -> Float32Array {
        Float32Array::from(self.poses.as_slice())
    }

    /// Error of each frame against the believed path in metres, as two values. The first is the distance
    /// along the path, negative for a body that is behind. The second is the distance beside it.
    #[wasm_bindgen(getter)]
    pub fn errors(&self) -> Float32Array {
        Float32Array::from(self.errors.as_slice())
    }
}

/// The path that a rival method draws.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RivalTrack {
    name: String,
    places: Vec<f32>,
}

#[wasm_bindgen]
impl RivalTrack {
    /// Name of the method.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// Drawn place of each frame, as x, y and z in metres from the origin and the heading in degrees. NaN
    /// means that the entity is not drawn.
    #[wasm_bindgen(getter)]
    pub fn places(&self) -> Float32Array {
        Float32Array::from(self.places.as_slice())
    }
}

/// Records the drawn path of an entity.
pub(crate) struct TrackRecorder {
    entity: EntityId,
    origin: LandblockId,
    track: Track,
    /// Drawn place of each frame in metres, NaN if it is not drawn.
    at: Vec<DVec3>,
    believed: BelievedPath,
}

impl TrackRecorder {
    pub(crate) fn new(entity: EntityId, origin: LandblockId) -> Self {
        let track = Track { times: Vec::new(), poses: Vec::new(), errors: Vec::new() };
        Self { entity, origin, track, at: Vec::new(), believed: BelievedPath::default() }
    }

    /// Returns the track, with its errors against the positions before and after each frame.
    pub(crate) fn finish(mut self) -> Track {
        for (time, at) in self.track.times.iter().zip(&self.at) {
            let error = self.believed.error(*time, *at).filter(|_| at.is_finite());
            let error = error.map_or([f32::NAN; 2], |error| [error.ahead as f32, error.aside as f32]);
            self.track.errors.extend(error);
        }
        self.track
    }
}

impl ReplayObserver for TrackRecorder {
    fn heard(&mut self, heard: &Heard<'_>) {
        if let Some((entity, place)) = heard.believed()
            && entity == self.entity
        {
            let [x, y, z, ..] = pose(&place, self.origin).map(f64::from);
            self.believed.add(heard.time, DVec3::new(x, y, z));
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        let drawn = frame.world.drawn(self.entity, frame.now);
        let values = drawn.map_or([f32::NAN; POSE], |place| pose(&place, self.origin));
        let [x, y, z, ..] = values.map(f64::from);
        self.track.times.push(frame.time);
        self.track.poses.extend(values);
        self.at.push(DVec3::new(x, y, z));
    }
}

/// Records the paths that rival methods draw.
pub(crate) struct RivalRecorder {
    entity: EntityId,
    origin: LandblockId,
    rivals: Vec<(Box<dyn Rival>, RivalTrack)>,
}

impl RivalRecorder {
    pub(crate) fn new(entity: EntityId, origin: LandblockId) -> Self {
        let rivals = rivals().into_iter().map(|rival| {
            let name = rival.name().to_owned();
            (rival, RivalTrack { name, places: Vec::new() })
        });
        Self { entity, origin, rivals: rivals.collect() }
    }

    pub(crate) fn finish(self) -> Vec<RivalTrack> {
        self.rivals.into_iter().map(|(_, track)| track).collect()
    }
}

impl ReplayObserver for RivalRecorder {
    fn heard(&mut self, heard: &Heard<'_>) {
        if let Said::Server(update) = heard.said {
            self.rivals.iter_mut().for_each(|(rival, _)| rival.hear(heard.time, update));
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        let offset = self.origin.offset_to(SCENE);
        for (rival, track) in &mut self.rivals {
            let shown = rival.show(self.entity, frame.time).map(|shown| {
                let [x, y, z] = (shown.at + offset).to_array();
                [x, y, z, shown.heading]
            });
            track.places.extend(shown.unwrap_or([f32::NAN; 4]));
        }
    }
}

/// The landblock whose corner is the origin of the rivals' scene.
const SCENE: LandblockId = match CellId::new(0xA9B4_0001) {
    Ok(cell) => cell.landblock(),
    Err(_) => CellId::CORNER.landblock(),
};
