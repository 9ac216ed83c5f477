//! The decision log of one entity, with ordinary lines folded.
//!
//! Most decisions are a position that was accepted and then reached. They become one line, and the
//! unusual ones stand out.

use evenstride::{
    Happening,
    explain::Explanation,
    outcome::{Enqueued, Outcome},
};
use evenstride_replay::quantile;

use crate::gaps::Gaps;

/// Number of positions in a row that are folded.
const FOLDED: usize = 3;

/// A position later than this many times the usual gap is not folded with those before.
const LATE: f64 = 2.0;

/// A decision log that can be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecisionLog {
    /// Lines, oldest first.
    pub lines: Vec<LogLine>,
}

/// One line of a log.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LogLine {
    /// Time of the first decision in seconds.
    pub from: f64,
    /// Time of the last decision in seconds.
    pub to: f64,
    /// Number of decisions in the line.
    pub decisions: usize,
    /// The line without its time.
    pub words: String,
}

impl DecisionLog {
    /// Folds decisions, which must be in order of time. Those of the span `kept` stay apart, and are
    /// only folded if there are many.
    pub fn of(decisions: &[Explanation], kept: Option<(f64, f64)>) -> Self {
        let mut lines = Vec::new();
        let mut rest = decisions;
        while let Some(first) = rest.first() {
            let (run, after) = rest.split_at(ordinary_run(rest, kept).max(1));
            let positions = count_positions(run);
            let is_kept = side(first, kept) == Side::Kept && run.len() <= SHORT;
            if positions >= FOLDED && !is_kept {
                lines.push(folded(run, positions));
            } else {
                lines.extend(run.iter().map(single));
            }
            rest = after;
        }
        Self { lines }
    }
}

impl std::fmt::Display for LogLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.decisions == 1 {
            write!(f, "{:.2} s: {}", self.from, self.words)
        } else {
            write!(f, "{:.2} to {:.2} s: {}", self.from, self.to, self.words)
        }
    }
}

/// Number of decisions in the kept span that are not folded.
const SHORT: usize = 24;

/// Where a decision is, relative to the kept span.
#[derive(PartialEq)]
enum Side {
    Before,
    Kept,
    After,
}

fn side(decision: &Explanation, kept: Option<(f64, f64)>) -> Side {
    let time = decision.at.as_secs();
    match kept {
        Some((from, to)) if time >= from && time <= to => Side::Kept,
        Some((from, _)) if time >= from => Side::After,
        _ => Side::Before,
    }
}

fn single(decision: &Explanation) -> LogLine {
    let time = decision.at.as_secs();
    LogLine { from: time, to: time, decisions: 1, words: decision.decision.to_string() }
}

/// Returns the number of decisions at the beginning that are ordinary and regular.
fn ordinary_run(decisions: &[Explanation], kept: Option<(f64, f64)>) -> usize {
    let Some(first) = decisions.first() else { return 0 };
    let mut gaps = Gaps::default();
    let mut last_position = None;
    for (index, decision) in decisions.iter().enumerate() {
        if !is_ordinary(decision) || side(decision, kept) != side(first, kept) {
            return index;
        }
        if matches!(decision.decision, Happening::Position { .. }) {
            let time = decision.at.as_secs();
            if let Some(last) = last_position {
                let gap = time - last;
                let usual = gaps.usual(1);
                if usual.is_some_and(|usual| gap > LATE * usual) || (usual.is_none() && gap > 1.5) {
                    return index;
                }
                gaps.add(gap);
            }
            last_position = Some(time);
        }
    }
    decisions.len()
}

const fn is_ordinary(decision: &Explanation) -> bool {
    matches!(
        decision.decision,
        Happening::Position { outcome: Outcome::Queued(Enqueued::Near | Enqueued::AlreadyThere), .. }
            | Happening::Reached { .. }
            | Happening::RanDry
            | Happening::NewestReplaced
    )
}

fn count_positions(decisions: &[Explanation]) -> usize {
    decisions.iter().filter(|of| matches!(of.decision, Happening::Position { .. })).count()
}

fn folded(decisions: &[Explanation], positions: usize) -> LogLine {
    let from = decisions.first().map_or(0.0, |first| first.at.as_secs());
    let to = decisions.last().map_or(from, |last| last.at.as_secs());
    let times: Vec<f64> = decisions
        .iter()
        .filter(|of| matches!(of.decision, Happening::Position { .. }))
        .map(|of| of.at.as_secs())
        .collect();
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let every = quantile(&gaps, 0.5).unwrap_or(0.0);
    let most_waiting = decisions.iter().filter_map(|of| match of.decision {
        Happening::Position { outcome: Outcome::Queued(Enqueued::Near), waiting, .. } => Some(waiting),
        _ => None,
    });
    let what = match most_waiting.max() {
        Some(most) if most > 1 => format!("position accepted and reached, up to {most} waiting"),
        _ => "position accepted and reached".to_owned(),
    };
    LogLine {
        from,
        to,
        decisions: decisions.len(),
        words: format!("{positions} × {what}, every {every:.2} s"),
    }
}
