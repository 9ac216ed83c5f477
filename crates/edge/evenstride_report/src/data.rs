//! What the page is given: whole numbers, each told as the difference from the one before it.

use std::collections::BTreeMap;

use serde::Serialize;

/// Everything.
#[derive(Debug, Serialize)]
pub(crate) struct Page {
    pub(crate) title: String,
    pub(crate) profile: String,
    pub(crate) fps: f64,
    /// First and last second.
    pub(crate) span: [f64; 2],
    pub(crate) player: Option<String>,
    pub(crate) summary: Vec<[String; 2]>,
    pub(crate) thinned: Vec<String>,
    /// The landblock whose corner is the middle of the map.
    pub(crate) origin: String,
    pub(crate) entities: Vec<Entity>,
}

/// One entity.
#[derive(Debug, Serialize)]
pub(crate) struct Entity {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) updates: u64,
    pub(crate) snaps: BTreeMap<&'static str, u64>,
    pub(crate) jumps: u64,
    /// Metres, and when.
    pub(crate) worst: Option<[f64; 2]>,
    /// Metres from where it said it was: median, the 95th of a hundred, most.
    pub(crate) off: Option<[f64; 3]>,
    pub(crate) drawn: Series,
    /// Places in `drawn` before which it was not there, or was put somewhere.
    pub(crate) breaks: Vec<usize>,
    pub(crate) heard: Series,
    pub(crate) truth: Series,
    /// When, what kind, and in words.
    pub(crate) marks: Vec<(i64, &'static str, String)>,
    pub(crate) decisions: Vec<(i64, String)>,
}

/// Numbers over time: milliseconds, centimetres, degrees, centimetres a second, all of them differences but the first.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Series {
    pub(crate) t: Vec<i64>,
    pub(crate) x: Vec<i64>,
    pub(crate) y: Vec<i64>,
    pub(crate) z: Vec<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) h: Vec<i64>,
    /// Speed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) s: Vec<i64>,
    /// Distance behind the last update; -1 while there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) b: Vec<i64>,
    /// Waypoints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) r: Vec<i64>,
}

/// Each number as the difference from the one before it.
pub(crate) fn differences(numbers: impl IntoIterator<Item = i64>) -> Vec<i64> {
    let mut before = 0;
    numbers.into_iter().map(|number| number - std::mem::replace(&mut before, number)).collect()
}
