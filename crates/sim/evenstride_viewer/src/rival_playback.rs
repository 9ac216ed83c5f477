//! A replay of a rival, frame by frame, which can go back.

use std::sync::Arc;

use evenstride_arena::rival::{Rival, Shown};
use evenstride_replay::{Said, Script, TAIL_SECS};
use evenstride_types::{CellId, DVec3, EntityId, LandblockId};

use crate::method::Method;

/// Seconds between two key frames.
const KEY_FRAME_SECS: f64 = 2.0;

/// Largest number of key frames. Beyond it, every second one is dropped.
const MAX_KEY_FRAMES: usize = 256;

/// A replay of a rival. Its frames have the times of a [`Playback`](evenstride_replay::Playback) of the
/// same script.
pub(crate) struct RivalPlayback {
    script: Arc<Script>,
    point: Point,
    key_frames: Vec<Point>,
    /// Number of frames between two key frames.
    every: u64,
    /// The entities to be drawn.
    entities: Vec<EntityId>,
    /// Whether only messages about the first entity matter.
    is_alone: bool,
    start: f64,
    end: f64,
    frame_secs: f64,
    shown: Vec<Option<Shown>>,
}

/// A point of the replay, from which it can go on.
struct Point {
    /// Number of the next frame.
    number: u64,
    heard: usize,
    rival: Box<dyn Rival>,
}

impl Point {
    fn copy(&self) -> Self {
        Self { number: self.number, heard: self.heard, rival: self.rival.boxed_clone() }
    }
}

impl RivalPlayback {
    /// Prepares a replay. Returns `None` for a profile, and for a script without messages.
    pub(crate) fn new(
        script: Arc<Script>,
        method: &Method,
        fps: f64,
        entities: Vec<EntityId>,
        is_alone: bool,
    ) -> Option<Self> {
        let (start, last) = script.span()?;
        let point = Point { number: 0, heard: 0, rival: method.rival()? };
        let fps = fps.clamp(1.0, 1_000.0);
        Some(Self {
            key_frames: vec![point.copy()],
            point,
            every: (fps * KEY_FRAME_SECS).round() as u64,
            shown: vec![None; entities.len()],
            entities,
            is_alone,
            start,
            end: last + TAIL_SECS,
            frame_secs: 1.0 / fps,
            script,
        })
    }

    /// Lets go of the script, until [`Self::go_on_with`] brings it back.
    pub(crate) fn release_script(&mut self) {
        self.script = Arc::default();
    }

    /// Goes on with a longer script and with further entities, and plays no frame after `until`.
    pub(crate) fn go_on_with(&mut self, script: Arc<Script>, until: f64, entities: Vec<EntityId>) {
        self.script = script;
        self.end = until;
        self.shown.resize(entities.len(), None);
        self.entities = entities;
    }

    /// Plays the next frame. Returns `false` at the end.
    pub(crate) fn advance(&mut self) -> bool {
        let time = self.time_of(self.point.number);
        if time > self.end {
            return false;
        }
        if self.key_frames.last().is_none_or(|last| self.point.number >= last.number + self.every) {
            self.take_key_frame();
        }
        let Self { script, point, entities, is_alone, shown, .. } = self;
        while let Some(message) = script.messages.get(point.heard).filter(|message| message.time <= time) {
            point.heard += 1;
            let Said::Server(update) = &message.said else { continue };
            if !*is_alone || update.entity() == entities.first().copied() {
                point.rival.hear(time, update);
            }
        }
        for (entity, shown) in entities.iter().zip(shown) {
            *shown = point.rival.show(*entity, time);
        }
        point.number += 1;
        true
    }

    fn take_key_frame(&mut self) {
        self.key_frames.push(self.point.copy());
        if self.key_frames.len() > MAX_KEY_FRAMES {
            let mut is_kept = false;
            self.key_frames.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
            self.every *= 2;
        }
    }

    /// Plays the first frame after the last key frame that is not later than a time, unless going on is
    /// shorter.
    pub(crate) fn approach(&mut self, time: f64) {
        let wanted = ((time - self.start) / self.frame_secs).max(0.0) as u64;
        let after = self.key_frames.partition_point(|point| point.number <= wanted);
        let nearest = &self.key_frames[after.saturating_sub(1)];
        if self.point.number > wanted + 1 || self.point.number < nearest.number {
            self.point = nearest.copy();
            let _ = self.advance();
        }
    }

    /// Returns the time of the last frame in seconds.
    pub(crate) fn time(&self) -> f64 {
        self.time_of(self.point.number.saturating_sub(1))
    }

    pub(crate) fn next_time(&self) -> Option<f64> {
        let time = self.time_of(self.point.number);
        (time <= self.end).then_some(time)
    }

    pub(crate) const fn span(&self) -> (f64, f64) {
        (self.start, self.end)
    }

    fn time_of(&self, number: u64) -> f64 {
        self.start + number as f64 * self.frame_secs
    }

    /// Returns where each entity is drawn in the last frame, in the order of the entities: metres from the
    /// origin, and heading in degrees.
    pub(crate) fn drawn(&self, origin: LandblockId) -> impl Iterator<Item = Option<(DVec3, f32)>> {
        let offset = origin.offset_to(SCENE).as_dvec3();
        self.shown.iter().map(move |shown| shown.map(|shown| (shown.at.as_dvec3() + offset, shown.heading)))
    }
}

/// The landblock whose corner is the origin of the rivals' scene.
const SCENE: LandblockId = match CellId::new(0xA9B4_0001) {
    Ok(cell) => cell.landblock(),
    Err(_) => CellId::CORNER.landblock(),
};

impl std::fmt::Debug for RivalPlayback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RivalPlayback").field("frame", &self.point.number).finish_non_exhaustive()
    }
}
