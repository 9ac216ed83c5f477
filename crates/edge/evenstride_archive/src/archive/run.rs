//! Converts captures on several threads.

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    io::{self, BufWriter},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
    time::UNIX_EPOCH,
};

use thiserror::Error;

use super::{
    manifest::{ArchivedFile, Manifest, ManifestError, Settings, is_there},
    names::name_of,
    partition::path_of,
    place::{MadeTable, place, temporary},
    report::{Event, Outcome, Report},
};
use crate::{
    capture::{Capture, ReadError, name_of as file_name},
    convert::{ConvertOptions, Facts, convert},
    error::TableError,
    hash::hash_of,
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
        let claims = manifest.entries().filter(has_tables);
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
        let captures = distinct(captures);
        let sizes: Vec<u64> = captures.iter().map(|path| size_of_file(path).max(1)).collect();
        let total: u64 = sizes.iter().sum::<u64>().max(1);
        let done = AtomicU64::new(0);
        let mut open: Vec<(&Path, u64)> = captures.iter().copied().zip(sizes).collect();
        let mut before = usize::MAX;
        while !open.is_empty() {
            // Another program may remove tables during the run, so the last round leaves copies as they are.
            let is_last = open.len() >= before;
            before = open.len();
            let dealt = self.all(&open, &|path, size, outcome| {
                let done = done.fetch_add(size, Ordering::Relaxed) + size;
                tell(&Event { capture: path, outcome, done: (done as f64 / total as f64).min(1.0) });
            });
            open.clear();
            for (path, outcome) in dealt {
                match outcome {
                    // The other one could not be converted, so this one is tried.
                    Outcome::Copy(_) if !is_last && self.is_orphan(path) => open.push((path, 0)),
                    outcome => self.lock().report.note(path, outcome),
                }
            }
        }
        let Self { folder, shared, .. } = self;
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        let _ = fs::remove_dir(folder.join(UNFINISHED));
        match shared.failure {
            Some(error) => Err(ArchiveError::Folder { folder, error }),
            None => Ok(shared.report.in_order()),
        }
    }

    /// Deals with captures on several threads. Returns the outcomes in any order.
    fn all<'a>(
        &self,
        captures: &[(&'a Path, u64)],
        tell: &(dyn Fn(&Path, u64, &Outcome) + Sync),
    ) -> Vec<(&'a Path, Outcome)> {
        let (next, dealt) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || {
            while let Some((path, size)) = captures.get(next.fetch_add(1, Ordering::Relaxed)) {
                if self.lock().failure.is_some() {
                    self.lock().report.left += 1;
                    continue;
                }
                let outcome = self.one(path);
                let mut dealt = dealt.lock().unwrap_or_else(PoisonError::into_inner);
                tell(path, *size, &outcome);
                dealt.push((*path, outcome));
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.jobs.min(captures.len()) {
                scope.spawn(work);
            }
            work();
        });
        dealt.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Deals with one capture.
    fn one(&self, path: &Path) -> Outcome {
        let name = name_of(path);
        match self.try_one(path, &name) {
            Ok(outcome) => outcome,
            Err(Stopped::Capture(error)) => {
                // The lock must be free again before a failure is noted.
                let noted = self.lock().manifest.fail(&name, &error);
                if let Err(error) = noted {
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
        let before = self.lock().manifest.entry(name).cloned();
        let is_same = |file: &&ArchivedFile| file.bytes == bytes && file.modified == modified;
        if let Some(file) = before.as_ref().filter(is_same)
            && self.has_tables(file)
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
            connections: Vec::new(),
            faults: 0,
            left_out: 0,
        };
        if let Some(outcome) = self.claim(&new)? {
            return Ok(outcome);
        }
        let converted = self.convert(path, new);
        let mut shared = self.lock();
        match converted {
            Ok(file) => {
                shared.finish(&self.folder, file.clone())?;
                Ok(Outcome::Converted(file))
            }
            Err(stopped) => {
                shared.claims.remove(&sha256);
                Err(stopped)
            }
        }
    }

    /// Claims the tables of a hash for a capture. Returns an outcome if there is nothing to convert.
    fn claim(&self, new: &ArchivedFile) -> Result<Option<Outcome>, Stopped> {
        let mut shared = self.lock();
        let before = shared.manifest.entry(&new.capture).cloned();
        let same = before.filter(|file| file.sha256 == new.sha256);
        let owner = shared.claims.entry(new.sha256.clone()).or_insert_with(|| new.capture.clone()).clone();
        if owner != new.capture {
            let copy = ArchivedFile { same_as: Some(owner.clone()), ..new.clone() };
            if same.as_ref() != Some(&copy) {
                shared.finish(&self.folder, copy)?;
            }
            return Ok(Some(Outcome::Copy(owner)));
        }
        let Some(same) = same.filter(|file| self.has_tables(file)) else { return Ok(None) };
        // The file was only touched.
        let touched = ArchivedFile { bytes: new.bytes, modified: new.modified, ..same };
        shared.finish(&self.folder, touched)?;
        Ok(Some(Outcome::Skipped))
    }

    /// Returns whether a capture has tables of its own, and all of them are there.
    fn has_tables(&self, file: &ArchivedFile) -> bool {
        file.same_as.is_none() && is_there(&self.folder, file)
    }

    /// Returns whether a copy has no tables after all, because the other one could not be converted.
    fn is_orphan(&self, copy: &Path) -> bool {
        let shared = self.lock();
        let Some(entry) = shared.manifest.entry(&name_of(copy)) else { return true };
        let owner = entry.same_as.as_ref().map_or(Some(entry), |of| shared.manifest.entry(of));
        !owner.is_some_and(|owner| owner.sha256 == entry.sha256 && self.has_tables(owner))
    }

    /// Writes the tables of all connections of a capture.
    fn convert(&self, path: &Path, new: ArchivedFile) -> Result<ArchivedFile, Stopped> {
        let mut made = Vec::new();
        let mut file = new;
        let mut each = |capture: Capture| {
            if capture.sha256 != file.sha256 {
                return Err(Stopped::from(ReadError::Changed));
            }
            made.extend(self.make(path, &capture, &mut file)?);
            file.connections.push(capture.connection);
            file.faults = file.faults.max(capture.fault_count);
            Ok(())
        };
        let read = || Capture::read_each(path, &self.options.reading, &mut each);
        catch_unwind(AssertUnwindSafe(read)).map_err(|_| Stopped::panicked())??;
        let paths = made.iter().map(|table| table.path.clone()).collect();
        self.lock().manifest.begin(&file.capture, paths)?;
        file.tables = place(&self.folder, made)?;
        Ok(file)
    }

    /// Makes the five tables of a connection.
    fn make(
        &self,
        path: &Path,
        capture: &Capture,
        file: &mut ArchivedFile,
    ) -> Result<Vec<MadeTable>, Stopped> {
        let (name, other) = (file_name(path), capture.other_number());
        let facts = Facts {
            session: other.map_or_else(|| name.clone(), |number| format!("{name} (connection {number})")),
            capture: file.sha256.clone(),
            connection: other,
            server: capture.server.clone().unwrap_or_default(),
            date: capture.date.clone().unwrap_or_default(),
            ..Facts::default()
        };
        let unfinished = self.folder.join(UNFINISHED);
        let open = |_| Ok(BufWriter::new(temporary(&unfinished)?));
        let (tables, _) = convert(capture, facts, &self.options, open).map_err(|error| match error {
            TableError::Io(error) => Stopped::Archive(error),
            other => Stopped::Capture(other.to_string()),
        })?;
        let stem = stem_of(path);
        let mut made = Vec::with_capacity(tables.len());
        for table in tables {
            file.left_out += table.left_out;
            let path = path_of(table.spec, capture, &stem, &file.sha256);
            made.push(MadeTable::new(table, path)?);
        }
        Ok(made)
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

impl From<ReadError> for Stopped {
    fn from(error: ReadError) -> Self {
        Self::Capture(error.to_string())
    }
}

/// Failures of captures are mapped where they occur, so all others are those of the archive.
impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Archive(error)
    }
}

impl Shared {
    /// Notes that a capture is done. Tables of its earlier version belong to a copy from now on, or to none.
    fn finish(&mut self, folder: &Path, file: ArchivedFile) -> io::Result<()> {
        let before = self.manifest.entry(&file.capture).map(|before| before.sha256.clone());
        let (capture, sha256) = (file.capture.clone(), file.sha256.clone());
        let heir = self.manifest.finish(folder, file)?;
        let Some(before) = before.filter(|before| *before != sha256) else { return Ok(()) };
        if self.claims.get(&before) == Some(&capture) {
            match heir {
                Some(heir) => drop(self.claims.insert(before, heir)),
                None => drop(self.claims.remove(&before)),
            }
        }
        Ok(())
    }
}

/// Returns captures in order, without those that are the same file.
fn distinct(captures: &[PathBuf]) -> Vec<&Path> {
    let mut names = BTreeSet::new();
    captures.iter().map(PathBuf::as_path).filter(|path| names.insert(name_of(path))).collect()
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
    let name = file_name(path);
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    Path::new(plain).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::*;

    fn settings() -> Settings {
        Settings {
            version: String::new(),
            profile: String::new(),
            fps: 60.0,
            changed_only: false,
            tables: String::new(),
            server_ports: String::new(),
        }
    }

    /// Rows got the hash of another version.
    #[test]
    fn a_capture_that_grows_after_it_was_hashed_gives_no_tables() {
        let folder = tempfile::tempdir().unwrap();
        let capture = crate::sample::write_capture(folder.path(), 0, &["walk"]).unwrap();
        let tables = folder.path().join("tables");
        let archive = Archive::open(&tables, &settings(), ConvertOptions::default(), 1).unwrap();
        let new = ArchivedFile {
            capture: name_of(&capture),
            bytes: 0,
            modified: 0,
            sha256: "0".repeat(64),
            same_as: None,
            tables: Vec::new(),
            connections: Vec::new(),
            faults: 0,
            left_out: 0,
        };
        let Err(Stopped::Capture(error)) = archive.convert(&capture, new) else { panic!("it has tables") };
        assert!(error.contains("changed while it was read"), "{error}");
    }

    /// The thread held the lock while it waited for it.
    #[test]
    fn a_bad_capture_and_a_full_disk_never_hang_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let bad = folder.path().join("noise.pcap");
        fs::write(&bad, b"this is no capture").unwrap();
        let tables = folder.path().join("tables");
        let archive = Archive::open(&tables, &settings(), ConvertOptions::default(), 1).unwrap();
        archive.lock().manifest.break_file(fs::File::open(&bad).unwrap());
        let (ended, end) = mpsc::channel();
        thread::spawn(move || ended.send(archive.run(&[bad], &|_| {})));
        let result = end.recv_timeout(Duration::from_secs(120)).expect("the run hangs");
        assert!(matches!(result, Err(ArchiveError::Folder { .. })), "{result:?}");
    }
}
