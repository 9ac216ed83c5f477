//! Rows of the table `decisions`.

use std::fmt::Write as _;

use evenstride::{Happening, explain::Explanation};
use evenstride_replay::ReplayObserver;
use evenstride_types::EntityId;

use crate::{
    batch::Value,
    error::TableError,
    sink::{BatchSink, Filled, Filling},
    table::DECISIONS,
};

use super::to_microseconds;

/// Observes a replay that traces entities, and makes a row for every decision about them.
#[derive(Debug)]
pub struct DecisionRows<S> {
    out: Filling<S>,
    capture: String,
    words: String,
}

impl<S: BatchSink> DecisionRows<S> {
    /// Creates an observer. `capture` is the text of the column of that name.
    pub fn new(sink: S, capture: &str) -> Self {
        Self { out: Filling::new(&DECISIONS, sink), capture: capture.to_owned(), words: String::new() }
    }

    /// Leaves out all rows after `rows` rows.
    #[must_use]
    pub fn with_limit(mut self, rows: u64) -> Self {
        self.out = self.out.with_limit(rows);
        self
    }

    /// Writes the last rows.
    ///
    /// # Errors
    /// The first error that occurred while writing.
    pub fn finish(self) -> Result<Filled<S>, TableError> {
        self.out.finish()
    }
}

impl<S: BatchSink> ReplayObserver for DecisionRows<S> {
    fn decision(&mut self, entity: EntityId, decision: &Explanation) {
        if self.out.admit(1) == 0 {
            return;
        }
        let code = decision.decision.code();
        self.words.clear();
        // Writing to a string never fails.
        let _ = write!(self.words, "{}", decision.decision);
        self.out.batch.push([
            Value::Text(&self.capture),
            Value::Double(to_microseconds(decision.at.as_secs())),
            Value::Number(entity.raw()),
            Value::Text(&kind_of(code)),
            Value::Number(u32::from(code)),
            Value::Text(&self.words),
        ]);
        self.out.settle();
    }
}

/// Returns the name of a kind of happening, in snake case.
fn kind_of(code: u16) -> String {
    let name =
        Happening::CODES.codes.iter().find(|(_, number)| *number == code).map_or("", |(name, _)| *name);
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::kind_of;

    #[test]
    fn kinds_have_the_names_of_the_json_outputs() {
        let landed = evenstride::Happening::Landed { speed: 1.0 };
        assert_eq!(kind_of(landed.code()), "landed");
        assert_eq!(kind_of(evenstride::Happening::RanDry.code()), "ran_dry");
    }
}
