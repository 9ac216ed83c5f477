//! Counts by driver and by behaviour.

use std::collections::BTreeMap;

use evenstride_trace::{Behaviour, DriverName};

use crate::judge::{Judged, Reason, Verdict};

/// Counts of traces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Traces whose every line agreed.
    pub passed: usize,
    /// Traces that differed or were not answered.
    pub failed: usize,
    /// Traces that the program says it cannot run.
    pub unsupported: usize,
    /// Lines that agreed.
    pub lines: usize,
}

impl Counts {
    /// Returns the number of all traces.
    pub const fn all(&self) -> usize {
        self.passed + self.failed + self.unsupported
    }

    /// Returns the share of all traces that passed, in whole percent. It is rounded down, so that
    /// only a complete score is 100.
    pub const fn percent(&self) -> usize {
        match self.all() {
            0 => 0,
            all => self.passed * 100 / all,
        }
    }
}

/// The outcomes of all traces.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Every outcome, in the order of the traces.
    pub judged: Vec<Judged>,
}

impl Score {
    /// Returns the counts of all traces.
    pub fn total(&self) -> Counts {
        self.judged.iter().fold(Counts::default(), |mut counts, judged| {
            count(&mut counts, judged, false);
            counts
        })
    }

    /// Returns the counts by driver. `None` stands for files whose driver is unknown.
    pub fn by_driver(&self) -> BTreeMap<Option<DriverName>, Counts> {
        let mut drivers = BTreeMap::new();
        for judged in &self.judged {
            count(drivers.entry(judged.driver).or_default(), judged, false);
        }
        drivers
    }

    /// Returns the counts by behaviour, in the order of the documentation. A trace counts for each
    /// behaviour that it pins.
    pub fn by_behaviour(&self) -> Vec<(&'static Behaviour, Counts)> {
        let mut behaviours: Vec<_> =
            Behaviour::all().map(|behaviour| (behaviour, Counts::default())).collect();
        for judged in &self.judged {
            for (behaviour, is_cleared) in &judged.behaviours {
                let entry = behaviours.iter_mut().find(|(of, _)| of.id == behaviour.id);
                entry.into_iter().for_each(|(_, counts)| count(counts, judged, *is_cleared));
            }
        }
        behaviours.retain(|(_, counts)| counts.all() > 0);
        behaviours
    }

    /// Returns the first trace that differs.
    pub fn first_difference(&self) -> Option<&Judged> {
        self.judged.iter().find(|judged| matches!(judged.verdict, Verdict::Fail(Reason::Differs { .. })))
    }
}

fn count(counts: &mut Counts, judged: &Judged, is_cleared: bool) {
    counts.lines += judged.lines;
    match judged.verdict {
        Verdict::Pass => counts.passed += 1,
        Verdict::Fail(_) if is_cleared => counts.passed += 1,
        Verdict::Fail(_) => counts.failed += 1,
        Verdict::Unsupported(_) => counts.unsupported += 1,
    }
}
