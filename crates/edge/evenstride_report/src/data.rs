//! Data of the page. Series are whole numbers, each stored as the difference from the previous one.

use std::collections::BTreeMap;

use serde::Serialize;

/// All data of a page.
#[derive(Debug, Serialize)]
pub(crate) struct Page {
    pub(crate) title: String,
    pub(crate) profile: String,
    pub(crate) fps: f64,
    /// First and last time in seconds.
    pub(crate) span: [f64; 2],
    pub(crate) player: Option<String>,
    pub(crate) summary: Vec<[String; 2]>,
    /// Facts that the reader should know first.
    pub(crate) notes: Vec<String>,
    /// What a person would notice, worst first.
    pub(crate) moments: Vec<Moment>,
    pub(crate) thinned: Vec<String>,
    /// The landblock whose corner is the origin of the map.
    pub(crate) origin: String,
    pub(crate) entities: Vec<Entity>,
}

/// One moment.
#[derive(Debug, Serialize)]
pub(crate) struct Moment {
    pub(crate) kind: &'static str,
    /// Index of the entity.
    pub(crate) entity: usize,
    /// Start and end in seconds.
    pub(crate) span: [f64; 2],
    pub(crate) words: String,
}

/// One entity.
#[derive(Debug, Serialize)]
pub(crate) struct Entity {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) updates: u64,
    pub(crate) snaps: BTreeMap<&'static str, u64>,
    pub(crate) jumps: u64,
    /// Largest distance behind in metres, and its time in seconds.
    pub(crate) worst: Option<[f64; 2]>,
    /// Largest distance ahead in metres, and its time in seconds.
    pub(crate) ahead: Option<[f64; 2]>,
    /// Median, 95th percentile and maximum of the distance in metres from its own reports.
    pub(crate) off: Option<[f64; 3]>,
    pub(crate) drawn: Series,
    /// Indices in `drawn` before which the entity was absent or was snapped.
    pub(crate) breaks: Vec<usize>,
    pub(crate) heard: Series,
    pub(crate) truth: Series,
    /// Time in milliseconds, kind and text of each mark.
    pub(crate) marks: Vec<(i64, &'static str, String)>,
    pub(crate) decisions: Vec<(i64, String)>,
}

/// Numbers over time, in milliseconds, centimetres, degrees and centimetres per second. All but the
/// first are differences.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Series {
    pub(crate) t: Vec<i64>,
    pub(crate) x: Vec<i64>,
    pub(crate) y: Vec<i64>,
    pub(crate) z: Vec<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) h: Vec<i64>,
    /// Speed in centimetres per second.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) s: Vec<i64>,
    /// Distance along the believed path in centimetres, positive if ahead. [`NO_ERROR`] before the
    /// first position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) b: Vec<i64>,
    /// Number of waypoints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) r: Vec<i64>,
}

/// Stands for a missing error, in metres.
pub(crate) const NO_ERROR: f64 = -1e7;

/// Returns each number as the difference from the previous one. The first number stays as it is.
pub(crate) fn differences(numbers: impl IntoIterator<Item = i64>) -> Vec<i64> {
    let mut before = 0;
    numbers.into_iter().map(|number| number - std::mem::replace(&mut before, number)).collect()
}
