//! Converts captures on several threads.

use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, BufWriter},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::UNIX_EPOCH,
};

use tempfile::NamedTempFile;
use thiserror::Error;

use super::{
    manifest::{ArchivedFile, ArchivedTable, Manifest, ManifestError, Settings, is_there},
    partition::path_of,
};
use crate::{
    capture::{Capture, hash_of, name_of},
    convert::{ConvertOptions, Facts, WrittenTable, convert},
    error::TableError,
};

/// An archive to be written or continued.
#[derive(Debug)]
pub struct Archive {
    folder: PathBuf,
    options: ConvertOptions,
    jobs: usize,
    shared: Mutex<Shared>,
}

/// What all threads share.
#[derive(Debug)]
struct Shared {
    manifest: Manifest,
    /// Capture that has, or is about to have, the tables of each hash.
    claims: HashMap<String, String>,
    report: Report,
    /// The first failure of the archive itself.
    failure: Option<io::Error>,
}

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

/// The reason why an archive cannot be written at all.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The folder cannot be written to.
    #[error("{folder}: {error}")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The manifest cannot be used.
    #[error("{folder}: {error}")]
    Manifest {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        error: ManifestError,
    },
}

/// Folder of unfinished tables, inside the archive.
const UNFINISHED: &str = ".unfinished";

impl Archive {
    /// Opens a folder, which is made if it is missing, and removes what a killed run left behind.
    ///
    /// # Errors
    /// If the folder cannot be written to, if another run is using it, or if it has tables of other settings.
    pub fn open(
        folder: &Path,
        settings: &Settings,
        options: ConvertOptions,
        jobs: usize,
    ) -> Result<Self, ArchiveError> {
        let failed = |error| ArchiveError::Folder { folder: folder.to_owned(), error };
        fs::create_dir_all(folder).map_err(failed)?;
        let manifest = Manifest::open(folder, settings)
            .map_err(|error| ArchiveError::Manifest { folder: folder.to_owned(), error })?;
        // The lock is held, so no other run has anything in there.
        let unfinished = folder.join(UNFINISHED);
        if unfinished.exists() {
            fs::remove_dir_all(&unfinished).map_err(failed)?;
        }
        fs::create_dir(&unfinished).map_err(failed)?;
        let has_tables = |file: &&ArchivedFile| file.same_as.is_none() && is_there(folder, file);
        let claims = manifest.done.values().filter(has_tables);
        let claims = claims.map(|file| (file.sha256.clone(), file.capture.clone())).collect();
        let shared = Shared { manifest, claims, report: Report::default(), failure: None };
        Ok(Self { folder: folder.to_owned(), options, jobs: jobs.max(1), shared: Mutex::new(shared) })
    }

    /// Converts all captures that are not done yet. `tell` hears of each, on the threads that convert.
    ///
    /// # Errors
    /// If the folder can no longer be written to. A capture that cannot be read is no error. It is listed in
    /// the report.
    pub fn run(
        self,
        captures: &[PathBuf],
        tell: &(dyn Fn(&Event<'_>) + Sync),
    ) -> Result<Report, ArchiveError> {
        let sizes: Vec<u64> = captures.iter().map(|path| size_of_file(path).max(1)).collect();
        let total: u64 = sizes.iter().sum::<u64>().max(1);
        let (next, done) = (AtomicUsize::new(0), Mutex::new(0_u64));
        let work = || {
            while let Some((path, size)) = {
                let index = next.fetch_add(1, Ordering::Relaxed);
                captures.get(index).zip(sizes.get(index))
            } {
                if self.lock().failure.is_some() {
                    self.lock().report.left += 1;
                    continue;
                }
                let outcome = self.one(path);
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                *done += size;
                tell(&Event { capture: path, outcome: &outcome, done: *done as f64 / total as f64 });
                drop(done);
                self.lock().report.note(path, outcome);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.jobs.min(captures.len()) {
                scope.spawn(work);
            }
            work();
        });
        let Self { folder, shared, .. } = self;
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        let _ = fs::remove_dir(folder.join(UNFINISHED));
        match shared.failure {
            Some(error) => Err(ArchiveError::Folder { folder, error }),
            None => Ok(shared.report.in_order()),
        }
    }

    /// Deals with one capture.
    fn one(&self, path: &Path) -> Outcome {
        let name = path.to_string_lossy().into_owned();
        match self.try_one(path, &name) {
            Ok(outcome) => outcome,
            Err(Stopped::Capture(error)) => {
                if let Err(error) = self.lock().manifest.fail(&name, &error) {
                    self.lock().failure.get_or_insert(error);
                }
                Outcome::Failed(error)
            }
            Err(Stopped::Archive(error)) => {
                let text = error.to_string();
                self.lock().failure.get_or_insert(error);
                Outcome::Failed(text)
            }
        }
    }

    fn try_one(&self, path: &Path, name: &str) -> Result<Outcome, Stopped> {
        let (bytes, modified) = facts_of(path).map_err(|error| Stopped::Capture(error.to_string()))?;
        let before = self.lock().manifest.done.get(name).cloned();
        let is_same = |file: &&ArchivedFile| file.bytes == bytes && file.modified == modified;
        if let Some(file) = before.as_ref().filter(is_same)
            && file.same_as.is_none()
            && is_there(&self.folder, file)
        {
            return Ok(Outcome::Skipped);
        }
        let sha256 = hash_of(path).map_err(|error| Stopped::Capture(error.to_string()))?;
        let new = ArchivedFile {
            capture: name.to_owned(),
            bytes,
            modified,
            sha256: sha256.clone(),
            same_as: None,
            tables: Vec::new(),
            faults: 0,
            left_out: 0,
        };
        if let Some(other) = self.claim(&sha256, name) {
            let is_known = before.as_ref().is_some_and(|file| file.same_as.as_ref() == Some(&other));
            if !is_known {
                let copy = ArchivedFile { same_as: Some(other.clone()), ..new };
                self.lock().manifest.finish(copy).map_err(Stopped::Archive)?;
                // The other one writes the same files if it has the same name in another folder.
                let is_shared = stem_of(path) == stem_of(Path::new(&other));
                let is_same = before.as_ref().is_some_and(|file| file.sha256 == sha256);
                if !(is_shared && is_same) {
                    self.remove_tables(before.as_ref(), &[]);
                }
            }
            return Ok(Outcome::Copy(other));
        }
        if let Some(file) = before.as_ref()
            && file.sha256 == sha256
            && file.same_as.is_none()
            && is_there(&self.folder, file)
        {
            // The file was only touched.
            let file = ArchivedFile { bytes, modified, ..file.clone() };
            self.lock().manifest.finish(file).map_err(Stopped::Archive)?;
            return Ok(Outcome::Skipped);
        }
        let converted = self.convert(path, name, new);
        if converted.is_err() {
            self.lock().claims.remove(&sha256);
        }
        let file = converted?;
        self.remove_tables(before.as_ref(), &file.tables);
        Ok(Outcome::Converted(file))
    }

    /// Claims a hash for a capture. Returns the other capture that has it.
    fn claim(&self, sha256: &str, name: &str) -> Option<String> {
        let mut shared = self.lock();
        let owner = shared.claims.entry(sha256.to_owned()).or_insert_with(|| name.to_owned());
        (owner != name).then(|| owner.clone())
    }

    /// Removes the tables of an earlier version of a capture.
    fn remove_tables(&self, before: Option<&ArchivedFile>, kept: &[ArchivedTable]) {
        for table in before.into_iter().flat_map(|file| &file.tables) {
            let is_kept = kept.iter().any(|other| other.path == table.path);
            if !is_kept && super::partition::is_ours(&table.path) {
                // Another run may have removed it.
                let _ = fs::remove_file(self.folder.join(&table.path));
            }
        }
    }

    fn convert(&self, path: &Path, name: &str, new: ArchivedFile) -> Result<ArchivedFile, Stopped> {
        let read = catch_unwind(AssertUnwindSafe(|| Capture::read(path)));
        let capture =
            read.map_err(|_| Stopped::panicked())?.map_err(|error| Stopped::Capture(error.to_string()))?;
        let facts = Facts {
            session: name_of(path),
            capture: new.sha256.clone(),
            server: capture.server.clone().unwrap_or_default(),
            date: capture.date.clone().unwrap_or_default(),
            ..Facts::default()
        };
        let unfinished = self.folder.join(UNFINISHED);
        let open = |_| Ok(BufWriter::new(temporary(&unfinished)?));
        let converted = catch_unwind(AssertUnwindSafe(|| convert(&capture, facts, &self.options, open)));
        let (tables, _) = converted.map_err(|_| Stopped::panicked())?.map_err(|error| match error {
            TableError::Io(error) => Stopped::Archive(error),
            other => Stopped::Capture(other.to_string()),
        })?;
        let stem = stem_of(path);
        let paths: Vec<String> =
            tables.iter().map(|table| path_of(table.spec, &capture, &stem, &new.sha256)).collect();
        self.lock().manifest.begin(name, paths.clone()).map_err(Stopped::Archive)?;
        let mut file = ArchivedFile { faults: capture.fault_count, ..new };
        for (table, path) in tables.into_iter().zip(paths) {
            let (rows, left_out) = (table.rows, table.left_out);
            file.left_out += left_out;
            let bytes = place(table, &self.folder.join(&path)).map_err(Stopped::Archive)?;
            file.tables.push(ArchivedTable { path, bytes, rows });
        }
        self.lock().manifest.finish(file.clone()).map_err(Stopped::Archive)?;
        Ok(file)
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What kept a capture from being converted.
enum Stopped {
    /// The capture itself.
    Capture(String),
    /// The folder of the archive.
    Archive(io::Error),
}

impl Stopped {
    fn panicked() -> Self {
        Self::Capture("the program made a mistake with this file; please report it".to_owned())
    }
}

impl Report {
    fn note(&mut self, path: &Path, outcome: Outcome) {
        let name = path.to_string_lossy().into_owned();
        match outcome {
            Outcome::Converted(file) => self.converted.push(file),
            Outcome::Skipped => self.skipped += 1,
            Outcome::Copy(of) => self.copies.push((name, of)),
            Outcome::Failed(error) => self.failed.push((name, error)),
        }
    }

    /// Sorts all lists by capture, whatever the threads did first.
    fn in_order(mut self) -> Self {
        self.converted.sort_by(|one, other| one.capture.cmp(&other.capture));
        self.copies.sort();
        self.failed.sort();
        self
    }
}

/// Returns size and time of the last change.
fn facts_of(path: &Path) -> io::Result<(u64, u64)> {
    let metadata = fs::metadata(path)?;
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Ok((metadata.len(), modified.map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(0))))
}

fn size_of_file(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Returns the name of a capture without its endings.
fn stem_of(path: &Path) -> String {
    let name = name_of(path);
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    Path::new(plain).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.suffix(".part").tempfile_in(folder)
}

/// Gives a table its name. Returns its size in bytes.
fn place(table: WrittenTable<BufWriter<NamedTempFile>>, path: &Path) -> io::Result<u64> {
    let file = table.out.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let file: File = file.persist(path).map_err(|error| error.error)?;
    Ok(file.metadata()?.len())
}
