//! The page of a contest, in which methods draw the same messages side by side.

use std::{collections::BTreeMap, sync::Arc};

use evenstride_arena::{Score, rival::DrawnTrack};
use evenstride_replay::{Script, Truth};
use evenstride_types::EntityId;
use evenstride_viewer::{OverviewJob, ViewedScript, comparison};
use serde_json::{Value, json};

use crate::{
    page::{Content, html},
    report::{sentence, table},
};

/// Seconds between two true places on the page. A subject moves on a straight line in between.
const TRUTH_SECS: f64 = 0.1;

/// The methods that a page shows first: Evenstride's, and the most used alternative.
const SHOWN: [&str; 2] = ["glide", "dead reckoning"];

/// What the heading of the page tells.
#[derive(Clone, Debug)]
pub struct ContestAbout {
    /// Name of the scenario or capture.
    pub title: String,
    /// Facts beside it, such as the number of lost packets.
    pub facts: Vec<String>,
    /// Frames per second.
    pub fps: f64,
    /// Facts that the reader should know first.
    pub notes: Vec<String>,
}

/// Returns the page of a contest as HTML. `truth` has the true places, if they are known, and `track` what
/// another program drew, which is shown beside Evenstride's.
pub fn contest_report(
    about: &ContestAbout,
    script: &Script,
    truth: &BTreeMap<EntityId, Vec<Truth>>,
    scores: &[Score],
    track: Option<&DrawnTrack>,
) -> String {
    let truth = truth.iter().filter(|(_, places)| !places.is_empty());
    let truth = truth.map(|(entity, places)| (*entity, thinned(places))).collect();
    let script = Arc::new(Script { truth, ..script.clone() });
    // Nothing is known after the last true place.
    let last = script.truth.values().filter_map(|places| places.last()).map(|of| of.time).reduce(f64::max);
    let range = (f64::NEG_INFINITY, last.unwrap_or(f64::INFINITY));
    let mut viewed = ViewedScript::new(Arc::clone(&script), None, range);
    viewed.tracks = track.into_iter().cloned().collect();
    let viewed = Arc::new(viewed);
    let shown = [SHOWN[0], track.map_or(SHOWN[1], |track| &track.name)];
    let overview = |name: &str| {
        let method = viewed.method(name)?;
        Some(OverviewJob::new(Arc::clone(&viewed), Arc::clone(&script), &method, about.fps)?.finish())
    };
    let overviews: Vec<_> = shown.iter().filter_map(|name| overview(name)).collect();
    let [ours, other] = &overviews[..] else { return String::new() };
    let mut opening = ours.to_json();
    opening["episodes"] = other.episodes(shown[1], ours, shown[0]);
    let known: Vec<Score> =
        scores.iter().filter(|score| viewed.method(&score.name).is_some()).cloned().collect();
    let compare = comparison(&known);
    let content = Content {
        title: format!("{} – Evenstride", about.title),
        sentence: sentence(ours, &opening),
        table: rows(&compare).unwrap_or_else(|| table(ours, &opening)),
        about: json!({
            "kind": "demo",
            "title": about.title,
            "facts": about.facts,
            "panes": shown,
            "fps": about.fps,
            "range": [viewed.range.0, viewed.range.1],
            "warnings": about.notes,
            "opening": opening,
            "compare": compare,
        }),
        is_live: false,
        drawn: track.map(DrawnTrack::to_bytes),
    };
    html(content, &script)
}

/// Returns the comparison as rows of text.
fn rows(compare: &Value) -> Option<Vec<Vec<String>>> {
    let text = |value: &Value| value.as_str().unwrap_or("–").to_owned();
    let columns = compare["columns"].as_array()?;
    let heading =
        columns.iter().map(|column| format!("{} {}", text(&column["label"]), text(&column["unit"])));
    let mut rows = vec![std::iter::once("method".to_owned()).chain(heading).collect()];
    for row in compare["rows"].as_array()? {
        let values = row["values"].as_array()?.iter().map(text);
        rows.push(std::iter::once(text(&row["name"])).chain(values).collect());
    }
    Some(rows)
}

/// Returns true places that are at least a tenth of a second apart, and the last one.
fn thinned(places: &[Truth]) -> Vec<Truth> {
    let mut kept: Vec<Truth> = Vec::new();
    for (index, place) in places.iter().enumerate() {
        let is_due = kept.last().is_none_or(|last| place.time - last.time >= TRUTH_SECS - 1e-6);
        if is_due || index + 1 == places.len() {
            kept.push(*place);
        }
    }
    kept
}
