//! Overviews as JSON, with the sentence that opens a page.

use evenstride_arena::{Column, Score, rank};
use evenstride_types::EntityClass;
use serde_json::{Value, json};

use crate::{
    method::PROFILE_NAMES,
    overview::FinishedOverview,
    viewed_entity::ViewedEntity,
    viewed_script::{MAX_ENTITIES, ViewedScript},
};

/// Number of values in a sparkline.
pub const SPARK: usize = 64;

/// Largest number of moments that a page lists.
const MAX_MOMENTS: usize = 200;

impl ViewedScript {
    /// Returns the fixed facts of a recording as JSON.
    pub fn facts(&self) -> Value {
        let entities = self.entities.iter().map(ViewedEntity::facts);
        let player = self.script.player.and_then(|player| self.index(player));
        json!({
            "span": [self.range.0, self.range.1],
            "player": player,
            "likely_player": self.script.likely_player.map(|player| player.to_string()),
            "start_date": self.script.start,
            "messages": self.script.messages.len(),
            "updates": self.entities.iter().map(|of| of.positions().len()).sum::<usize>(),
            "entities": entities.collect::<Vec<_>>(),
            "left_out": self.left_out,
            "max_entities": MAX_ENTITIES,
            "origin": self.origin.to_string(),
            "places_anything": self.script.places_anything(),
        })
    }
}

impl ViewedEntity {
    /// Returns what is known of an entity as JSON.
    pub fn facts(&self) -> Value {
        json!({
            "id": self.entity.raw(),
            "guid": self.entity.to_string(),
            "name": self.name,
            "is_player": self.is_player,
            "sort": if self.entity.class() == EntityClass::Player { "player" } else { "creature" },
            "usual": self.usual_gap,
            "late": self.late,
            "has_truth": !self.truth.is_empty(),
            "messages": self.messages(),
        })
    }
}

impl FinishedOverview<'_> {
    /// Returns the overview as JSON: each entity's largest error, sparkline and marks, and the moments.
    pub fn to_json(&self) -> Value {
        let lines = self.lines.iter().map(|line| {
            let marks: Vec<Value> = line
                .marks
                .iter()
                .map(|mark| json!({ "time": rounded(mark.time), "kind": mark.kind, "words": mark.words }))
                .collect();
            json!({
                "worst": line.worst.map(|(metres, _)| rounded(metres)),
                "worst_at": line.worst.map(|(_, time)| rounded(time)),
                "drawn": line.drawn.map(|(from, to)| [rounded(from), rounded(to)]),
                "spark": self.spark(&line.bins),
                "marks": marks,
            })
        });
        let mut moments = self.shown_moments();
        let moment_count = moments.len();
        moments.truncate(MAX_MOMENTS);
        json!({
            "lines": lines.collect::<Vec<_>>(),
            "moments": moments,
            "moment_count": moment_count,
            "within": self.within().map(rounded),
        })
    }

    /// Returns the largest error of all entities in metres, without its sign.
    pub fn within(&self) -> Option<f64> {
        self.lines.iter().filter_map(|line| line.worst).map(|(metres, _)| metres.abs()).reduce(f64::max)
    }

    /// Returns the largest errors over time, as a fixed number of values.
    fn spark(&self, bins: &[f32]) -> Vec<f64> {
        let all = ((self.viewed.range.1 - self.viewed.range.0) / self.bin_secs).max(1.0);
        let mut spark = vec![0.0f64; SPARK];
        for (error, number) in bins.iter().zip(0u32..) {
            let at = (f64::from(number) / all * SPARK as f64) as usize;
            if !error.is_nan() {
                let value = &mut spark[at.min(SPARK - 1)];
                *value = value.max(rounded(f64::from(*error)));
            }
        }
        spark
    }
}

pub(crate) fn rounded(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}

/// Columns of the comparison: heading, unit, definition, decimals and the scorecard's column.
const COLUMNS: [(&str, &str, &str, usize, Column); 4] = [
    ("off p95", "m", "Distance from the truth in metres: 95 % of the frames are nearer", 2, Column::OffP95),
    ("leaps", "", "Frames in which a body leaps without reason", 0, Column::Pops),
    ("frozen", "%", "Frames without movement while the entity moves", 1, Column::Frozen),
    ("late", "s", "Seconds behind the moving truth, median", 2, Column::Behind),
];

/// Returns the comparison of methods as JSON. The best values of each column are marked, after rounding.
/// Methods that draw in fewer frames than others are never marked.
pub fn comparison(scores: &[Score]) -> Value {
    let sparse: Vec<&str> = rank(scores).sparse.into_iter().map(|index| &*scores[index].name).collect();
    // Evenstride's own profiles come first, the default before the others.
    let mut scores: Vec<&Score> = scores.iter().collect();
    let order = |score: &&Score| PROFILE_NAMES.iter().position(|name| score.name == *name);
    scores.sort_by_key(|score| order(score).unwrap_or(PROFILE_NAMES.len()));
    let cells: Vec<Vec<Option<String>>> = scores
        .iter()
        .map(|score| {
            let cell = |(_, _, _, digits, column): &(&str, &str, &str, usize, Column)| {
                column.of(score).map(|value| format!("{value:.digits$}"))
            };
            COLUMNS.iter().map(cell).collect()
        })
        .collect();
    let number =
        |cell: &Option<String>| cell.as_ref().and_then(|text| text.parse::<f64>().ok()).map(f64::abs);
    let best: Vec<Option<f64>> = (0..COLUMNS.len())
        .map(|column| {
            let whole = scores.iter().zip(&cells).filter(|(score, _)| !sparse.contains(&&*score.name));
            whole.filter_map(|(_, row)| number(&row[column])).reduce(f64::min)
        })
        .collect();
    let rows = scores.iter().zip(&cells).map(|(score, row)| {
        let is_best: Vec<bool> = row
            .iter()
            .zip(&best)
            .map(|(cell, best)| {
                number(cell).is_some() && number(cell) == *best && !sparse.contains(&&*score.name)
            })
            .collect();
        json!({
            "name": score.name,
            "values": row,
            "best": is_best,
            "leaps": score.pops,
            "strays": score.metres_off.map(|[_, _, most]| most),
        })
    });
    let columns =
        COLUMNS.map(|(label, unit, title, _, _)| json!({ "label": label, "unit": unit, "title": title }));
    json!({ "columns": columns, "rows": rows.collect::<Vec<_>>(), "isCurrent": true })
}
