//! Which trace files a path stands for.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Why a path stands for no traces.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// Nothing is there, or it may not be read.
    #[error("{}: {error}", .path.display())]
    Unreadable {
        /// As given, or found below it.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A folder without traces in it.
    #[error("{}: no traces (*.jsonl or *.jsonl.gz) in this folder", .path.display())]
    Empty {
        /// As given.
        path: PathBuf,
    },
}

/// The trace files at `path`: itself if a file, otherwise every `*.jsonl` and `*.jsonl.gz` below it, sorted by name.
///
/// # Errors
/// [`CorpusError`] when there is nothing to run: a missing trace must fail, never be skipped.
pub fn find_traces(path: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let metadata = fs::metadata(path).map_err(|error| unreadable(path, error))?;
    if !metadata.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    collect(path, &mut found)?;
    if found.is_empty() {
        return Err(CorpusError::Empty { path: path.to_owned() });
    }
    found.sort();
    Ok(found)
}

/// Links to folders are not followed, so a loop cannot trap us.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), CorpusError> {
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
        let entry = entry.map_err(|error| unreadable(folder, error))?;
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&path, found)?;
        } else if is_trace(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn is_trace(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        let name = name.to_string_lossy();
        name.ends_with(".jsonl") || name.ends_with(".jsonl.gz")
    })
}

fn unreadable(path: &Path, error: io::Error) -> CorpusError {
    CorpusError::Unreadable { path: path.to_owned(), error }
}
