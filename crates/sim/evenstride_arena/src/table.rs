//! Scorecards as text.

use std::fmt::Write;

use crate::score::{Column, Rank, Score, rank};

/// A printed column: heading, unit, digits, width, and the column of the score.
type Printed = (&'static str, &'static str, usize, usize, Column);

/// How it moves.
const MOTION: [Printed; 12] = [
    ("pops", "", 0, 5, Column::Pops),
    ("frozen", "%", 1, 7, Column::Frozen),
    ("spot", "%", 1, 6, Column::OnTheSpot),
    ("dragged", "%", 1, 8, Column::Dragged),
    ("back", "%", 1, 6, Column::Backwards),
    ("revers", "/min", 1, 7, Column::Reversals),
    ("dv rms", "m/s", 2, 7, Column::VelocityChange),
    ("dv most", "m/s", 1, 8, Column::VelocityChangeMost),
    ("jerk", "m/s3", 0, 7, Column::Jerk),
    ("flicks", "", 0, 7, Column::Flicks),
    ("spin", "deg/s2", 0, 7, Column::HeadingAcceleration),
    ("slide", "%", 0, 6, Column::FootSlide),
];

/// Where it is.
const PLACE: [Printed; 11] = [
    ("off", "m", 2, 6, Column::Off),
    ("p95", "m", 2, 6, Column::OffP95),
    ("most", "m", 2, 6, Column::OffMost),
    ("behind", "s", 2, 7, Column::Behind),
    ("p95", "s", 2, 6, Column::BehindP95),
    ("over", "m", 2, 6, Column::Overshoot),
    ("rest", "m", 2, 6, Column::RestOff),
    ("heading", "deg", 1, 8, Column::HeadingOff),
    ("air", "m", 2, 6, Column::AirOff),
    ("recover", "s", 2, 8, Column::SecsToTruth),
    ("path", "x", 2, 6, Column::Path),
];

/// Width of names.
const NAME: usize = 22;

/// Returns a scorecard as tables for people. `truth` is the score of the truth itself, for
/// comparison.
///
/// An asterisk marks the best value of a column among contestants that are not late.
pub fn table(scores: &[Score], truth: Option<&Score>) -> String {
    let rank = rank(scores);
    let mut out = String::new();
    part(&mut out, "how it moves", &MOTION, scores, truth, &rank);
    out.push('\n');
    part(&mut out, "where it is", &PLACE, scores, None, &rank);
    let names =
        |of: &[usize]| of.iter().map(|index| scores[*index].name.as_str()).collect::<Vec<_>>().join("; ");
    // Without a truth there is neither a delay nor a distance to trade.
    if scores.iter().any(|score| score.secs_behind.is_some()) {
        let _ = writeln!(out, "\ntrade-off front of delay, distance and jerk: {}", names(&rank.front));
    }
    if !rank.late.is_empty() {
        let _ = writeln!(out, "more than 0.5 s late, so never marked as best: {}", names(&rank.late));
    }
    out
}

fn part(
    out: &mut String,
    title: &str,
    columns: &[Printed],
    scores: &[Score],
    truth: Option<&Score>,
    rank: &Rank,
) {
    // A column without a single value tells nothing.
    let columns: Vec<&Printed> =
        columns.iter().filter(|column| scores.iter().any(|score| column.4.of(score).is_some())).collect();
    let _ = write!(out, "{title:<NAME$}");
    for (heading, _, _, width, _) in &columns {
        let _ = write!(out, "{heading:>width$} ");
    }
    let _ = write!(out, "\n{:<NAME$}", "");
    for (_, unit, _, width, _) in &columns {
        let _ = write!(out, "{unit:>width$} ");
    }
    out.push('\n');
    for (index, score) in
        scores.iter().map(|score| (Some(score), score)).chain(truth.map(|truth| (None, truth))).enumerate()
    {
        let (contestant, score) = score;
        let _ =
            write!(out, "{:<NAME$}", if contestant.is_some() { score.name.as_str() } else { "(the truth)" });
        for (_, _, digits, width, column) in &columns {
            let value = column.of(score);
            let number = value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"));
            let position = Column::ALL.iter().position(|of| of == column).unwrap_or(0);
            let is_best = contestant.is_some() && rank.best[position].contains(&index);
            let _ = write!(out, "{number:>width$}{}", if is_best { '*' } else { ' ' });
        }
        while out.ends_with(' ') {
            out.pop();
        }
        out.push('\n');
    }
}
