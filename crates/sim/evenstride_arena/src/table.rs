//! Scorecards as tables: the numbers to show, and their text.

use std::fmt;

use crate::score::{Column, LATE_SECS, SPARSE_SHARE, Score, rank};

/// Returns a scorecard as tables for people. `truth` is the score of the truth itself, for
/// comparison.
pub fn table(scores: &[Score], truth: Option<&Score>) -> String {
    Scorecard::of(scores, truth).to_string()
}

/// A scorecard for people. Its text has full width.
#[derive(Clone, Debug, PartialEq)]
pub struct Scorecard {
    /// The tables: how it moves, and where it is.
    pub parts: Vec<CardPart>,
    /// Sentences below the tables. The last one is the legend.
    pub notes: Vec<String>,
}

/// A table of a scorecard.
#[derive(Clone, Debug, PartialEq)]
pub struct CardPart {
    /// Title of the table, which is the heading of the names.
    pub title: &'static str,
    /// Columns. A column without a single value is left out.
    pub columns: Vec<CardColumn>,
    /// Rows, with one cell for each column.
    pub rows: Vec<CardRow>,
}

/// A column of a scorecard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardColumn {
    /// Heading.
    pub heading: &'static str,
    /// Unit, or empty.
    pub unit: &'static str,
    /// Order of importance, from 1 for the most important column of its table.
    pub rank: u8,
    /// The column of the score.
    pub column: Column,
    digits: usize,
}

/// A row of a scorecard.
#[derive(Clone, Debug, PartialEq)]
pub struct CardRow {
    /// Name of the contestant, or of several with the same numbers, or `(the truth)`.
    pub name: String,
    /// Numbers.
    pub cells: Vec<CardCell>,
}

/// A number of a scorecard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardCell {
    /// The number, or a dash if it is unknown.
    pub text: String,
    /// Whether it is the best of its column, among contestants that are not late.
    pub is_best: bool,
}

impl Scorecard {
    /// Returns the scorecard of a contest. `truth` is the score of the truth itself.
    pub fn of(scores: &[Score], truth: Option<&Score>) -> Self {
        let rank = rank(scores);
        let mut parts = [("how it moves", &MOTION[..]), ("where it is", &PLACE)].map(|(title, columns)| {
            let columns: Vec<CardColumn> = columns
                .iter()
                .copied()
                .filter(|of| scores.iter().any(|score| of.column.of(score).is_some()))
                .collect();
            let row = |(index, score): (usize, &Score)| CardRow {
                name: score.name.clone(),
                cells: columns
                    .iter()
                    .map(|of| of.cell(score, rank.best[of.position()].contains(&index)))
                    .collect(),
            };
            let rows = scores.iter().enumerate().map(row).collect();
            CardPart { title, columns, rows }
        });
        fold(&mut parts);
        // The truth is where it is.
        if let (Some(truth), [motion, _]) = (truth, &mut parts) {
            let cells = motion.columns.iter().map(|of| of.cell(truth, false)).collect();
            motion.rows.push(CardRow { name: "(the truth)".to_owned(), cells });
        }
        let names =
            |of: &[usize]| of.iter().map(|index| scores[*index].name.as_str()).collect::<Vec<_>>().join("; ");
        let mut notes = Vec::new();
        // Without a truth there is neither a delay nor a distance to trade.
        if scores.iter().any(|score| score.secs_behind.is_some()) {
            notes.push(format!("trade-off front of delay, distance and jerk: {}", names(&rank.front)));
        }
        if !rank.late.is_empty() {
            notes.push(format!(
                "more than {LATE_SECS} s late, so never marked as best: {}",
                names(&rank.late)
            ));
        }
        if !rank.sparse.is_empty() {
            let share =
                |index: &usize| format!("{} ({:.1} %)", scores[*index].name, 100.0 * scores[*index].drawn);
            notes.push(format!(
                "in less than {:.0} % of the frames that others draw, so never marked as best: {}",
                100.0 * SPARSE_SHARE,
                rank.sparse.iter().map(share).collect::<Vec<_>>().join("; ")
            ));
        }
        notes.push(legend(scores));
        Self { parts: parts.into(), notes }
    }
}

impl CardColumn {
    fn cell(&self, score: &Score, is_best: bool) -> CardCell {
        let digits = self.digits;
        let number = self.column.of(score).map(|value| format!("{value:.digits$}"));
        CardCell { text: number.unwrap_or_else(|| "-".to_owned()), is_best }
    }

    fn position(&self) -> usize {
        Column::ALL.iter().position(|of| *of == self.column).unwrap_or(0)
    }
}

/// Folds variants of `retail` that have its numbers in all tables into its row.
fn fold(parts: &mut [CardPart; 2]) {
    for variant in ["acdream", "retail, 30 fps"] {
        let row = |part: &CardPart, name: &str| {
            part.rows.iter().position(|row| row.name.split(" = ").next() == Some(name))
        };
        let texts = |part: &CardPart, row: usize| -> Vec<String> {
            part.rows[row].cells.iter().map(|cell| cell.text.clone()).collect()
        };
        let is_same = |part: &CardPart| {
            let rows = row(part, "retail").zip(row(part, variant));
            rows.is_some_and(|(retail, variant)| texts(part, retail) == texts(part, variant))
        };
        if !parts.iter().all(is_same) {
            continue;
        }
        for part in parts.iter_mut() {
            let Some((retail, variant)) = row(part, "retail").zip(row(part, variant)) else { continue };
            let folded = part.rows[variant].clone();
            let kept = &mut part.rows[retail];
            kept.name = format!("{} = {}", kept.name, folded.name);
            for (cell, other) in kept.cells.iter_mut().zip(folded.cells) {
                cell.is_best |= other.is_best;
            }
            part.rows.remove(variant);
        }
    }
}

fn legend(scores: &[Score]) -> String {
    let path = if scores.iter().any(|score| score.path.is_some()) { ", but 1 is best for path" } else { "" };
    let fps = scores.iter().map(|score| score.fps);
    let is_slow = fps.clone().fold(f32::MAX, f32::min) < fps.fold(0.0, f32::max);
    let slow = if is_slow {
        " A row with its own frame rate is scored on its own frames, and never marked."
    } else {
        ""
    };
    format!("Lower is better{path}. An asterisk marks the best value of a column.{slow}")
}

impl fmt::Display for Scorecard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.parts.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            part.fmt(f)?;
        }
        writeln!(f)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}

impl fmt::Display for CardPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.rows.iter().map(|row| row.name.len()).chain([self.title.len()]).max().unwrap_or(0);
        let width = |index: usize| {
            let cells = self.rows.iter().map(|row| row.cells[index].text.len());
            let CardColumn { heading, unit, .. } = self.columns[index];
            cells.chain([heading.len(), unit.len()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut line = |name: &str, cells: &mut dyn Iterator<Item = (&str, bool)>| {
            let mut text = format!("{name:<names$} ");
            for ((cell, is_best), width) in cells.zip(&widths) {
                text += &format!(" {cell:>width$}{}", if is_best { '*' } else { ' ' });
            }
            writeln!(f, "{}", text.trim_end())
        };
        line(self.title, &mut self.columns.iter().map(|column| (column.heading, false)))?;
        line("", &mut self.columns.iter().map(|column| (column.unit, false)))?;
        for row in &self.rows {
            line(&row.name, &mut row.cells.iter().map(|cell| (cell.text.as_str(), cell.is_best)))?;
        }
        Ok(())
    }
}

/// How it moves.
const MOTION: [CardColumn; 12] = [
    column("pops", "", 0, 1, Column::Pops),
    column("frozen", "%", 1, 2, Column::Frozen),
    column("spot", "%", 1, 7, Column::OnTheSpot),
    column("dragged", "%", 1, 9, Column::Dragged),
    column("back", "%", 1, 5, Column::Backwards),
    column("revers", "/min", 1, 4, Column::Reversals),
    column("dv rms", "m/s", 2, 6, Column::VelocityChange),
    column("dv most", "m/s", 1, 11, Column::VelocityChangeMost),
    column("jerk", "m/s3", 0, 3, Column::Jerk),
    column("flicks", "", 0, 12, Column::Flicks),
    column("spin", "deg/s2", 0, 10, Column::HeadingAcceleration),
    column("slide", "%", 0, 8, Column::FootSlide),
];

/// Where it is.
const PLACE: [CardColumn; 11] = [
    column("off", "m", 2, 3, Column::Off),
    column("off p95", "m", 2, 2, Column::OffP95),
    column("most", "m", 2, 7, Column::OffMost),
    column("behind", "s", 2, 1, Column::Behind),
    column("behind p95", "s", 2, 9, Column::BehindP95),
    column("over", "m", 2, 4, Column::Overshoot),
    column("rest", "m", 2, 5, Column::RestOff),
    column("heading", "deg", 1, 6, Column::HeadingOff),
    column("air", "m", 2, 11, Column::AirOff),
    column("recover", "s", 2, 8, Column::SecsToTruth),
    column("path", "x", 2, 10, Column::Path),
];

const fn column(
    heading: &'static str,
    unit: &'static str,
    digits: usize,
    rank: u8,
    column: Column,
) -> CardColumn {
    CardColumn { heading, unit, rank, column, digits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{contest, scenario, score};

    fn names(scenario_name: &str) -> Vec<String> {
        let scenario = scenario(scenario_name).unwrap().unwrap();
        let (contest, _) = contest(&scenario, 1).unwrap();
        let card = Scorecard::of(&score(&contest), None);
        assert!(card.parts.iter().all(|part| part.rows.len() == card.parts[0].rows.len()));
        card.parts[0].rows.iter().map(|row| row.name.clone()).collect()
    }

    #[test]
    fn a_variant_of_retail_has_a_row_where_a_shown_number_differs() {
        let run = names("run-1hz");
        assert!(
            run.contains(&"retail = acdream".to_owned()) && run.contains(&"retail, 30 fps".to_owned()),
            "{run:?}"
        );
        let jump = names("jump-running");
        assert!(jump.contains(&"retail".to_owned()) && jump.contains(&"acdream".to_owned()), "{jump:?}");
        // With one frame per second there is no faster drawing.
        assert!(names("client-1fps").contains(&"retail = retail, 30 fps".to_owned()));
    }
}
