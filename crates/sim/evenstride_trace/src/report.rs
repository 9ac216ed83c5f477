//! Counts by driver.

use std::collections::BTreeMap;

use crate::{DriverName, Outcome, Verdict};

/// Number of traces that passed and failed, in all and by driver.
#[derive(Clone, Debug, Default)]
pub struct Report {
    drivers: BTreeMap<Option<DriverName>, Tally>,
    not_selected: usize,
}

/// Passed and failed traces, and the lines that agreed in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Traces in which every line agreed.
    pub passed: usize,
    /// All other selected traces.
    pub failed: usize,
    /// Lines that agreed.
    pub lines: usize,
}

impl Report {
    /// Counts one more trace.
    pub fn count(&mut self, outcome: &Outcome) {
        if matches!(outcome.verdict, Verdict::NotSelected) {
            self.not_selected += 1;
            return;
        }
        let tally = self.drivers.entry(outcome.driver).or_default();
        tally.lines += outcome.lines;
        match outcome.verdict {
            Verdict::Pass => tally.passed += 1,
            _ => tally.failed += 1,
        }
    }

    /// Returns the counts by driver, in a fixed order. `None` stands for files whose driver is
    /// unknown.
    pub fn by_driver(&self) -> impl Iterator<Item = (Option<DriverName>, Tally)> {
        self.drivers.iter().map(|(driver, tally)| (*driver, *tally))
    }

    /// Returns the counts of all drivers together.
    pub fn total(&self) -> Tally {
        self.drivers.values().fold(Tally::default(), |sum, tally| Tally {
            passed: sum.passed + tally.passed,
            failed: sum.failed + tally.failed,
            lines: sum.lines + tally.lines,
        })
    }

    /// Returns the number of traces whose driver was not selected.
    pub const fn not_selected(&self) -> usize {
        self.not_selected
    }
}
