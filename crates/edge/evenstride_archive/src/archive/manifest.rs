//! The manifest, which tells what an archive contains and what is unfinished. It has one JSON object per
//! line, and lines are only added.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::partition::is_ours;

/// Version of the format.
const FORMAT: u32 = 1;

/// Largest manifest in bytes, which has room for a million captures.
const MAX_BYTES: u64 = 2 << 30;

/// Settings that all captures of an archive share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Version of the program.
    pub version: String,
    /// Name of the profile.
    pub profile: String,
    /// Frames per second.
    pub fps: f64,
    /// Whether frames without changes are left out.
    pub changed_only: bool,
    /// Hash of the motion tables, or empty for the built-in ones.
    pub tables: String,
}

/// A capture whose tables are done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedFile {
    /// Path of the capture.
    pub capture: String,
    /// Size of the capture in bytes.
    pub bytes: u64,
    /// Time of its last change in nanoseconds since 1970, or 0.
    pub modified: u64,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Capture with the same bytes whose tables stand for this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// Its tables.
    pub tables: Vec<ArchivedTable>,
    /// Number of unreadable parts.
    pub faults: u64,
    /// Number of rows that did not fit.
    pub left_out: u64,
}

/// A table of a capture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedTable {
    /// Path inside the archive.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of rows.
    pub rows: u64,
}

/// A line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
enum Line {
    Archive { format: u32, settings: Settings },
    Begun { capture: String, paths: Vec<String> },
    Done(ArchivedFile),
    Failed { capture: String, error: String },
}

/// The reason why a manifest cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another run is using the archive.
    #[error("another run is writing to this folder")]
    Locked,
    /// A line is damaged.
    #[error("manifest.jsonl: line {0} is damaged; move the folder away and begin again")]
    Line(usize),
    /// The manifest is too large or has an unknown format.
    #[error("manifest.jsonl: not of this program's format {FORMAT}; use another folder")]
    Format,
    /// The folder has tables of other settings.
    #[error("this folder has tables of {0}; use the same settings, or another folder")]
    Settings(String),
}

/// The manifest of an archive, locked for this run.
#[derive(Debug)]
pub(super) struct Manifest {
    file: File,
    /// The newest entry of each capture that is done.
    pub(super) done: HashMap<String, ArchivedFile>,
}

impl Manifest {
    /// Opens the manifest of a folder or creates it, and removes what an unfinished run left behind.
    pub(super) fn open(folder: &Path, settings: &Settings) -> Result<Self, ManifestError> {
        let path = folder.join("manifest.jsonl");
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        if file.try_lock().is_err() {
            return Err(ManifestError::Locked);
        }
        if file.metadata()?.len() > MAX_BYTES {
            return Err(ManifestError::Format);
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        // A killed run may have written a part of its last line.
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        text.truncate(whole);
        let mut manifest = Self { file, done: HashMap::new() };
        let begun = manifest.take(&text, settings)?;
        if whole == 0 {
            manifest.add(&Line::Archive { format: FORMAT, settings: settings.clone() })?;
        }
        manifest.remove_unfinished(folder, &begun);
        Ok(manifest)
    }

    /// Reads all lines. Returns the paths of captures that were begun and not done.
    fn take(&mut self, text: &[u8], settings: &Settings) -> Result<Vec<String>, ManifestError> {
        let mut begun: HashMap<String, Vec<String>> = HashMap::new();
        for (number, line) in
            text.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty())
        {
            let line = serde_json::from_slice(line).map_err(|_| ManifestError::Line(number + 1))?;
            match line {
                Line::Archive { format, settings: theirs } => {
                    if format != FORMAT {
                        return Err(ManifestError::Format);
                    }
                    if theirs != *settings {
                        return Err(ManifestError::Settings(theirs.in_words()));
                    }
                }
                _ if number == 0 => return Err(ManifestError::Format),
                Line::Begun { capture, paths } => {
                    begun.entry(capture).or_default().extend(paths);
                }
                Line::Done(file) => {
                    begun.remove(&file.capture);
                    self.done.insert(file.capture.clone(), file);
                }
                // Tables of an earlier version stay until a later one replaces them.
                Line::Failed { .. } => {}
            }
        }
        Ok(begun.into_values().flatten().collect())
    }

    /// Removes tables that were begun and not done, unless they belong to a capture that is.
    fn remove_unfinished(&self, folder: &Path, begun: &[String]) {
        let kept: std::collections::HashSet<&str> =
            self.done.values().flat_map(|file| &file.tables).map(|table| table.path.as_str()).collect();
        for path in begun.iter().filter(|path| is_ours(path) && !kept.contains(path.as_str())) {
            // A table that is missing was never finished.
            let _ = fs::remove_file(folder.join(path));
        }
    }

    pub(super) fn begin(&mut self, capture: &str, paths: Vec<String>) -> io::Result<()> {
        self.add(&Line::Begun { capture: capture.to_owned(), paths })
    }

    pub(super) fn finish(&mut self, file: ArchivedFile) -> io::Result<()> {
        let line = Line::Done(file);
        self.add(&line)?;
        if let Line::Done(file) = line {
            self.done.insert(file.capture.clone(), file);
        }
        Ok(())
    }

    pub(super) fn fail(&mut self, capture: &str, error: &str) -> io::Result<()> {
        self.add(&Line::Failed { capture: capture.to_owned(), error: error.to_owned() })
    }

    /// Adds a line with one call, so that a killed run leaves whole lines or a part of the last one.
    fn add(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.write_all(&text)
    }
}

impl Settings {
    fn in_words(&self) -> String {
        let frames = if self.changed_only { "changed frames" } else { "all frames" };
        let tables = if self.tables.is_empty() { "built-in animations" } else { "motion tables of a file" };
        format!("version {}, profile {}, {} fps, {frames}, {tables}", self.version, self.profile, self.fps)
    }
}

/// Returns whether all tables of a capture are there, with their sizes.
pub(super) fn is_there(folder: &Path, file: &ArchivedFile) -> bool {
    let has = |table: &ArchivedTable| {
        let path: PathBuf = folder.join(&table.path);
        is_ours(&table.path) && fs::metadata(path).is_ok_and(|found| found.len() == table.bytes)
    };
    file.tables.iter().all(has)
}
