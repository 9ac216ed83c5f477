//! The page of a replay.

use std::sync::Arc;

use evenstride_viewer::FinishedOverview;
use serde_json::{Value, json};

use crate::page::{Content, html};

/// What the heading of a page tells.
#[derive(Clone, Debug)]
pub struct About {
    /// Names of the captures.
    pub title: String,
    /// Name of the method that is shown, such as `glide`.
    pub profile: String,
    /// Frames per second.
    pub fps: f64,
    /// Facts that the reader should know first, such as missing motion tables.
    pub notes: Vec<String>,
}

/// Returns the page of a replay as HTML. It has all messages of the overview's recording, and the core that
/// replays them.
pub fn report(about: &About, overview: &FinishedOverview<'_>) -> String {
    let opening = overview.to_json();
    let content = Content {
        title: format!("{} – Evenstride", about.title),
        sentence: sentence(overview, &opening),
        table: table(overview, &opening),
        about: json!({
            "kind": "report",
            "title": about.title,
            "panes": [about.profile],
            "fps": about.fps,
            "range": [overview.viewed.range.0, overview.viewed.range.1],
            "warnings": about.notes,
            "opening": opening,
        }),
        is_live: false,
        drawn: None,
    };
    html(content, &overview.viewed.script)
}

/// Returns the page that shows a session while it goes on, as HTML. It gets its messages from the server that
/// it came from, at the address `events` beside its own.
///
/// `hint` tells what to do while nothing has arrived.
pub fn live_page(about: &About, hint: &str) -> String {
    let content = Content {
        title: format!("{} – Evenstride", about.title),
        sentence: "This page draws a session while it goes on, and needs a browser with WebAssembly."
            .to_owned(),
        table: Vec::new(),
        about: json!({
            "kind": "live",
            "title": about.title,
            "hint": hint,
            "panes": [about.profile],
            "fps": about.fps,
            "warnings": about.notes,
        }),
        is_live: true,
        drawn: None,
    };
    html(content, &Arc::default())
}

/// Returns the summary for browsers that cannot run the core.
pub(crate) fn sentence(overview: &FinishedOverview<'_>, opening: &Value) -> String {
    let count = overview.viewed.entities.len();
    let within = overview
        .within()
        .map_or_else(String::new, |metres| format!(" Bodies are drawn within {metres:.2} m of their paths."));
    let worst = opening["moments"].get(0).map_or_else(String::new, |moment| {
        format!(
            " The worst moment: {} {} at {:.1} s.",
            moment["name"].as_str().unwrap_or_default(),
            moment["short"].as_str().unwrap_or_default(),
            moment["at"].as_f64().unwrap_or_default()
        )
    });
    let entities = if count == 1 { "entity" } else { "entities" };
    let (from, to) = overview.viewed.range;
    format!("{:.1} s with {count} {entities}.{within}{worst}", (to - from).max(0.0))
}

/// Largest number of entities in the table for browsers that cannot run the core.
const MAX_ROWS: usize = 100;

/// Returns the entities that are farthest off.
pub(crate) fn table(overview: &FinishedOverview<'_>, opening: &Value) -> Vec<Vec<String>> {
    let mut rows: Vec<(f64, Vec<String>)> = Vec::new();
    for (of, line) in overview.viewed.entities.iter().zip(opening["lines"].as_array().into_iter().flatten()) {
        let number = |key: &str| line[key].as_f64();
        let worst = number("worst").unwrap_or(0.0);
        let cells = vec![
            of.name.clone(),
            of.entity.to_string(),
            of.positions().len().to_string(),
            number("worst").map_or_else(String::new, |metres| format!("{metres:+.2} m")),
            number("worst_at").map_or_else(String::new, |time| format!("{time:.2} s")),
        ];
        rows.push((worst.abs(), cells));
    }
    rows.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    rows.truncate(MAX_ROWS);
    let heading = ["entity", "id", "updates", "largest error", "at"].map(str::to_owned).to_vec();
    std::iter::once(heading).chain(rows.into_iter().map(|(_, row)| row)).collect()
}
