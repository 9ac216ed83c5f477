//! Overviews as JSON, with the sentence that opens a page.

use evenstride_arena::{Column, Score};
use evenstride_moments::{Moment, MomentKind, sentence_of, typed_moment};
use evenstride_types::EntityClass;
use serde_json::{Value, json};

use crate::{method::PROFILE_NAMES, overview::FinishedOverview, viewed_script::ViewedScript};

/// Number of values in a sparkline.
pub const SPARK: usize = 64;

/// Largest number of moments that a page lists.
const MAX_MOMENTS: usize = 200;

/// Largest number of episodes that a page lists.
const MAX_EPISODES: usize = 40;

/// Error in metres from which a rival's drawing is worth a look.
const EPISODE_METRES: f64 = 1.0;

/// Seconds between two episodes of one entity.
const EPISODE_GAP_SECS: f64 = 2.0;

impl ViewedScript {
    /// Returns the fixed facts of a recording as JSON.
    pub fn facts(&self) -> Value {
        let entities = self.entities.iter().map(|of| {
            json!({
                "id": of.entity.raw(),
                "guid": of.entity.to_string(),
                "name": of.name,
                "is_player": of.is_player,
                "sort": if of.entity.class() == EntityClass::Player { "player" } else { "creature" },
                "usual": of.usual_gap,
                "late": of.late,
                "has_truth": !of.truth.is_empty(),
                "messages": of.messages,
            })
        });
        let player = self.script.player.and_then(|player| self.index(player));
        json!({
            "span": [self.range.0, self.range.1],
            "player": player,
            "likely_player": self.script.likely_player.map(|player| player.to_string()),
            "start_date": self.script.start,
            "messages": self.script.messages.len(),
            "updates": self.entities.iter().map(|of| of.positions.len()).sum::<usize>(),
            "entities": entities.collect::<Vec<_>>(),
            "left_out": self.left_out,
            "origin": self.origin.to_string(),
            "places_anything": self.script.places_anything(),
        })
    }
}

impl FinishedOverview {
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
        // Missing tables are a warning of the page, not a moment.
        let seen = || self.moments.iter().filter(|moment| moment.kind != MomentKind::MissingTable);
        let moments: Vec<Value> = seen().take(MAX_MOMENTS).filter_map(|moment| self.moment(moment)).collect();
        json!({
            "lines": lines.collect::<Vec<_>>(),
            "moments": moments,
            "moment_count": seen().count(),
            "within": self.within().map(rounded),
        })
    }

    /// Returns the largest error of all entities in metres, without its sign.
    pub fn within(&self) -> Option<f64> {
        self.lines.iter().filter_map(|line| line.worst).map(|(metres, _)| metres.abs()).reduce(f64::max)
    }

    fn moment(&self, moment: &Moment) -> Option<Value> {
        let index = self.viewed.index(moment.entity)?;
        let name = &self.viewed.entities[index].name;
        let mut value = typed_moment(moment, Some(name), name);
        let (from, to) = moment.span_seen();
        value["index"] = json!(index);
        // The page stops where the error is largest, and shows that error everywhere.
        let at = moment.correction.map_or(from, |correction| correction.from);
        let before = (at - self.bin_secs).max(moment.from);
        let largest = match moment.kind {
            // The position that shows how far it went may also show that the entity has turned round.
            MomentKind::Overshoot => self
                .largest_ahead(index, at - self.bin_secs, at)
                .filter(|(metres, _)| *metres >= moment.severity.metres / 2.0),
            // The bin of that time may hold frames after the correction began.
            kind if level(kind) != "note" => self.largest(index, moment.from, before),
            _ => None,
        };
        let off = match (largest, moment.kind) {
            (Some((metres, _)), _) => Some(metres),
            // With more latency, a body may be too far for what was received, and yet behind.
            (None, MomentKind::Overshoot) => Some(moment.severity.metres),
            (None, _) => self.largest(index, from, to).map(|(metres, _)| metres),
        };
        let off = off.map(rounded);
        value["at"] = json!(largest.map_or_else(|| rounded(at), |(_, time)| frame_after(time)));
        value["level"] = json!(level(moment.kind));
        value["off"] = json!(off);
        value["headline"] = json!(moment.headline());
        value["short"] = json!(short(moment, off));
        let words = sentence_of(moment, name);
        value["cause"] = json!(cause(&words));
        value["words"] = json!(words);
        Some(value)
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

    /// Returns the times at which a method is farthest off, as moments in JSON, worst first. `best` is the
    /// overview of the method to compare it with.
    pub fn episodes(&self, name: &str, best: &Self, best_name: &str) -> Value {
        let mut found: Vec<(f64, Value)> = Vec::new();
        for (index, line) in self.lines.iter().enumerate() {
            let of = &self.viewed.entities[index];
            let mut episode: Option<(f64, f64, f64)> = None;
            let times = (0u32..).map(|number| self.viewed.range.0 + f64::from(number) * self.bin_secs);
            let bins = line.bins.iter().map(|error| f64::from(*error)).chain([f64::NAN]);
            for (time, error) in times.zip(bins) {
                let is_off = error >= EPISODE_METRES;
                match &mut episode {
                    Some((_, at, most)) if is_off && error > *most => (*at, *most) = (time, error),
                    None if is_off => episode = Some((time, time, error)),
                    _ => {}
                }
                let is_over = !is_off
                    && episode.is_some_and(|(_, at, _)| error.is_nan() || time - at > EPISODE_GAP_SECS);
                if is_over && let Some((from, at, most)) = episode.take() {
                    let ours = best.largest(index, at, at).map_or(0.0, |(metres, _)| metres);
                    if most - ours < EPISODE_METRES {
                        continue;
                    }
                    let silent = of.positions.partition_point(|position| position.time <= at);
                    let silent = silent.checked_sub(1).map(|last| at - of.positions[last].time);
                    let silence = silent.filter(|secs| *secs > 2.0 * of.usual_gap.unwrap_or(0.5));
                    let why = silence.map_or_else(String::new, |secs| {
                        format!(" Its last update came {secs:.1} s before.")
                    });
                    let words =
                        format!("{} is {most:.1} m off, {best_name} {ours:.1} m.{why}", capital(name));
                    found.push((
                        most,
                        json!({
                            "index": index,
                            "name": of.name,
                            "kind": "off",
                            "from": rounded(from),
                            "to": rounded(time),
                            "at": rounded(at),
                            "level": "bad",
                            "off": rounded(most),
                            "headline": format!("is drawn {most:.1} m off by {name}"),
                            "short": format!("is drawn {most:.1} m off by {name}"),
                            "cause": words,
                            "words": words,
                        }),
                    ));
                }
            }
        }
        found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        Value::Array(found.into_iter().take(MAX_EPISODES).map(|(_, moment)| moment).collect())
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns how much a kind of moment matters: `bad` if a person sees it, `watch` if it is mild, and `note`
/// if it is intended.
const fn level(kind: MomentKind) -> &'static str {
    match kind {
        MomentKind::Snap
        | MomentKind::PullBack
        | MomentKind::Reversal
        | MomentKind::Flick
        | MomentKind::Frozen
        | MomentKind::StopAndGo
        | MomentKind::Stall => "bad",
        MomentKind::Teleport | MomentKind::MissingTable | MomentKind::LateCreation => "note",
        _ => "watch",
    }
}

/// Longest cause in a list, in characters.
const MAX_CAUSE: usize = 150;

/// Returns the sentences after the first one, as many as fit into a list. The first one is the headline.
fn cause(words: &str) -> String {
    let mut told = String::new();
    for sentence in words.split_inclusive(". ").skip(1) {
        if !told.is_empty() && told.len() + sentence.len() > MAX_CAUSE {
            break;
        }
        told.push_str(sentence);
    }
    told.trim().to_owned()
}

/// Returns a time in seconds that is surely not before the frame at `time`, which was rounded.
fn frame_after(time: f64) -> f64 {
    (time * 1e3).ceil() / 1e3 + 0.001
}

/// Returns the headline without its details, for a sentence with others. How far a body went too far is the
/// largest error.
fn short(moment: &Moment, off: Option<f64>) -> String {
    if let (MomentKind::Overshoot, Some(off)) = (moment.kind, off) {
        return format!("went {off:.2} m too far");
    }
    let headline = moment.headline();
    let end = headline.find(" within ").or_else(|| headline.find(", "));
    headline[..end.unwrap_or(headline.len())].to_owned()
}

fn rounded(number: f64) -> f64 {
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
pub fn comparison(scores: &[Score]) -> Value {
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
        .map(|column| cells.iter().filter_map(|row| number(&row[column])).reduce(f64::min))
        .collect();
    let rows = scores.iter().zip(&cells).map(|(score, row)| {
        let is_best: Vec<bool> = row
            .iter()
            .zip(&best)
            .map(|(cell, best)| number(cell).is_some() && number(cell) == *best)
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
