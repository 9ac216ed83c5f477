//! The manifest, which tells what an archive contains and what is unfinished. It has one JSON object per
//! line, and lines are only added.

use std::{
    collections::{BTreeSet, HashMap},
    fs::{self, File, OpenOptions},
    io::{self, Read},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{lines::Lines, partition::is_ours};

/// Version of the format. The names of captures in version 1 depended on the working directory.
const FORMAT: u32 = 2;

/// Start of the first line.
const FIRST: &[u8] = br#"{"line":"archive""#;

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
    /// First and last UDP port of servers, like `12000-12001`, or empty for the usual ones.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub server_ports: String,
}

/// A capture whose tables are done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedFile {
    /// Path of the capture, from the root and without links.
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
    /// Its tables, which are five for each connection.
    pub tables: Vec<ArchivedTable>,
    /// Numbers of the connections that have tables, the one with the most messages first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connections: Vec<u32>,
    /// Number of unreadable parts, and of connections without tables.
    pub faults: u64,
    /// Number of rows and messages that did not fit.
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
    lines: Lines<File>,
    entries: Entries,
    /// Tables that this run is about to finish. They may have the names of older ones.
    begun: BTreeSet<String>,
}

/// The newest entry of each capture that is done, and indices of them.
#[derive(Debug, Default)]
struct Entries {
    done: HashMap<String, ArchivedFile>,
    /// Captures by hash.
    by_hash: HashMap<String, BTreeSet<String>>,
    /// Number of entries that keep each table.
    kept: HashMap<String, usize>,
}

impl Entries {
    /// Replaces the entry of a capture, and returns the old one.
    fn replace(&mut self, file: ArchivedFile) -> Option<ArchivedFile> {
        for table in &file.tables {
            *self.kept.entry(table.path.clone()).or_default() += 1;
        }
        self.by_hash.entry(file.sha256.clone()).or_default().insert(file.capture.clone());
        let hash = file.sha256.clone();
        let old = self.done.insert(file.capture.clone(), file)?;
        for table in &old.tables {
            if let Some(count) = self.kept.get_mut(&table.path) {
                *count -= 1;
                if *count == 0 {
                    self.kept.remove(&table.path);
                }
            }
        }
        if old.sha256 != hash
            && let Some(names) = self.by_hash.get_mut(&old.sha256)
        {
            names.remove(&old.capture);
            if names.is_empty() {
                self.by_hash.remove(&old.sha256);
            }
        }
        Some(old)
    }

    /// Returns the captures with a hash, in order.
    fn with_hash(&self, sha256: &str) -> Vec<&ArchivedFile> {
        let names = self.by_hash.get(sha256).into_iter().flatten();
        names.filter_map(|name| self.done.get(name)).collect()
    }
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
        let first = Line::Archive { format: FORMAT, settings: settings.clone() };
        if whole == 0 && !FIRST.starts_with(&text) && !text.starts_with(FIRST) {
            return Err(ManifestError::Format);
        }
        let mut manifest = Self {
            lines: Lines::new(file, whole as u64),
            entries: Entries::default(),
            begun: BTreeSet::new(),
        };
        let left_behind = manifest.take(&text[..whole], settings)?;
        // Nothing is changed before the file has proved to be a manifest.
        manifest.lines.cut()?;
        if whole == 0 {
            manifest.add(&first)?;
        }
        manifest.remove(folder, &left_behind);
        Ok(manifest)
    }

    /// Reads all lines. Returns the paths of tables that were begun and not done, and of tables that were
    /// replaced.
    fn take(&mut self, text: &[u8], settings: &Settings) -> Result<BTreeSet<String>, ManifestError> {
        let mut left_behind = BTreeSet::new();
        for (number, line) in
            text.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty())
        {
            let line = serde_json::from_slice(line).map_err(|_| match number {
                0 => ManifestError::Format,
                _ => ManifestError::Line(number + 1),
            })?;
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
                Line::Begun { paths, .. } => left_behind.extend(paths),
                Line::Done(file) => {
                    for table in &file.tables {
                        left_behind.remove(&table.path);
                    }
                    // A run that was killed before it removed them has left them behind.
                    let old = self.entries.replace(file);
                    left_behind.extend(old.into_iter().flat_map(|old| old.tables).map(|table| table.path));
                }
                // Tables of an earlier version stay until a later one replaces them.
                Line::Failed { .. } => {}
            }
        }
        Ok(left_behind)
    }

    /// Removes tables that no capture keeps.
    pub(super) fn remove<'a>(&self, folder: &Path, paths: impl IntoIterator<Item = &'a String>) {
        for path in paths {
            if is_ours(path) && !self.entries.kept.contains_key(path) && !self.begun.contains(path) {
                // An earlier run may have removed it, or never finished it.
                let _ = fs::remove_file(folder.join(path));
            }
        }
    }

    /// Returns the entry of a capture.
    pub(super) fn entry(&self, capture: &str) -> Option<&ArchivedFile> {
        self.entries.done.get(capture)
    }

    /// Returns all entries.
    pub(super) fn entries(&self) -> impl Iterator<Item = &ArchivedFile> {
        self.entries.done.values()
    }

    /// Notes the tables of a capture before they get their names. The line survives a loss of power, so that
    /// the next run knows what to remove.
    pub(super) fn begin(&mut self, capture: &str, paths: Vec<String>) -> io::Result<()> {
        self.begun.extend(paths.iter().cloned());
        self.add(&Line::Begun { capture: capture.to_owned(), paths })?;
        self.lines.sync()
    }

    /// Notes that a capture is done, and removes tables that no capture keeps any more. Copies of its earlier
    /// version inherit their tables. Returns the capture that inherited them.
    pub(super) fn finish(&mut self, folder: &Path, file: ArchivedFile) -> io::Result<Option<String>> {
        let mut old = Vec::new();
        let before = self.entry(&file.capture);
        let before =
            before.filter(|before| before.sha256 != file.sha256 && !before.tables.is_empty()).cloned();
        let heir = match before {
            Some(before) => self.bequeath(&before, &mut old)?,
            None => None,
        };
        let (capture, hash, has_tables) = (file.capture.clone(), file.sha256.clone(), file.same_as.is_none());
        let finished: Vec<String> = file.tables.iter().map(|table| table.path.clone()).collect();
        old.extend(self.note(file)?);
        self.begun.retain(|path| !finished.contains(path));
        if has_tables {
            // Equal captures have tables once. An earlier owner has lost some of its own.
            let others = self.entries.with_hash(&hash).into_iter();
            let others = others.filter(|other| other.capture != capture && other.same_as.is_none());
            let others: Vec<ArchivedFile> = others.map(|other| copy_of(other, &capture)).collect();
            for other in others {
                old.extend(self.note(other)?);
            }
        }
        let replaced: Vec<&String> =
            old.iter().flat_map(|file| &file.tables).map(|table| &table.path).collect();
        if !replaced.is_empty() {
            // After a loss of power, the new entry must be there if the old tables are not.
            self.lines.sync()?;
        }
        self.remove(folder, replaced);
        Ok(heir)
    }

    /// Gives the tables of a capture that has changed to a copy of its earlier version.
    fn bequeath(&mut self, before: &ArchivedFile, old: &mut Vec<ArchivedFile>) -> io::Result<Option<String>> {
        let copies = self.entries.with_hash(&before.sha256).into_iter();
        let mut copies: Vec<ArchivedFile> =
            copies.filter(|copy| copy.capture != before.capture && copy.same_as.is_some()).cloned().collect();
        if copies.is_empty() {
            return Ok(None);
        }
        let first = copies.remove(0);
        let heir = ArchivedFile {
            capture: first.capture.clone(),
            bytes: first.bytes,
            modified: first.modified,
            ..before.clone()
        };
        old.extend(self.note(heir)?);
        for copy in copies {
            old.extend(self.note(copy_of(&copy, &first.capture))?);
        }
        Ok(Some(first.capture))
    }

    /// Writes an entry. Returns the one that it replaces.
    fn note(&mut self, file: ArchivedFile) -> io::Result<Option<ArchivedFile>> {
        let line = Line::Done(file);
        self.add(&line)?;
        let Line::Done(file) = line else { return Ok(None) };
        Ok(self.entries.replace(file))
    }

    pub(super) fn fail(&mut self, capture: &str, error: &str) -> io::Result<()> {
        self.add(&Line::Failed { capture: capture.to_owned(), error: error.to_owned() })
    }

    fn add(&mut self, line: &Line) -> io::Result<()> {
        self.lines.add(serde_json::to_vec(line)?)
    }

    /// Replaces the file by one that cannot be written to.
    #[cfg(test)]
    pub(super) fn break_file(&mut self, read_only: File) {
        self.lines = Lines::new(read_only, 0);
    }
}

/// Returns the entry of a capture whose tables are those of another.
fn copy_of(file: &ArchivedFile, owner: &str) -> ArchivedFile {
    ArchivedFile {
        same_as: Some(owner.to_owned()),
        tables: Vec::new(),
        connections: Vec::new(),
        faults: 0,
        left_out: 0,
        ..file.clone()
    }
}

impl Settings {
    fn in_words(&self) -> String {
        let frames = if self.changed_only { "changed frames" } else { "all frames" };
        let tables = if self.tables.is_empty() { "built-in animations" } else { "motion tables of a file" };
        let ports = if self.server_ports.is_empty() { "usual" } else { &self.server_ports };
        format!(
            "version {}, profile {}, {} fps, {frames}, {tables}, {ports} server ports",
            self.version, self.profile, self.fps
        )
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
