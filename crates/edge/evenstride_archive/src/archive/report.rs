//! What a run tells about captures.

use std::path::Path;

use super::{manifest::ArchivedFile, names::name_of};

/// The result of a run.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Captures that this run converted.
    pub converted: Vec<ArchivedFile>,
    /// Number of captures that were done before.
    pub skipped: u64,
    /// Captures with the same bytes as another, and that other one.
    pub copies: Vec<(String, String)>,
    /// Captures that could not be converted, with the reasons.
    pub failed: Vec<(String, String)>,
    /// Number of captures that have not been looked at, because the archive itself failed.
    pub left: u64,
}

/// What happened to a capture.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// Its tables were written.
    Converted(ArchivedFile),
    /// It was done before.
    Skipped,
    /// Another capture has the same bytes.
    Copy(String),
    /// It could not be converted.
    Failed(String),
}

/// A capture was dealt with.
#[derive(Debug)]
#[non_exhaustive]
pub struct Event<'a> {
    /// Path of the capture.
    pub capture: &'a Path,
    /// What happened to it.
    pub outcome: &'a Outcome,
    /// Part of the work that is done, from 0 to 1.
    pub done: f64,
}

impl Report {
    pub(super) fn note(&mut self, path: &Path, outcome: Outcome) {
        let name = name_of(path);
        match outcome {
            Outcome::Converted(file) => self.converted.push(file),
            Outcome::Skipped => self.skipped += 1,
            Outcome::Copy(of) => self.copies.push((name, of)),
            Outcome::Failed(error) => self.failed.push((name, error)),
        }
    }

    /// Sorts all lists by capture, whatever the threads did first.
    pub(super) fn in_order(mut self) -> Self {
        self.converted.sort_by(|one, other| one.capture.cmp(&other.capture));
        self.copies.sort();
        self.failed.sort();
        self
    }
}
