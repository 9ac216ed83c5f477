//! Finds trace files in a path.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The reason why no traces were found in a path.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The path is missing, or may not be read.
    #[error("{}: {error}", .path.display())]
    Unreadable {
        /// The given path, or one below it.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// A folder without traces.
    #[error("{}: no traces (*.jsonl or *.jsonl.gz) in this folder", .path.display())]
    Empty {
        /// The given path.
        path: PathBuf,
    },
}

/// Returns the trace files at `path`. That is the file itself, or every `*.jsonl` and `*.jsonl.gz`
/// below a folder, sorted by path.
///
/// # Errors
/// [`CorpusError`] if there is nothing to run. A missing trace must fail and is never skipped.
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

/// Collects the traces below a folder. Links to folders are not followed, so a loop of links is
/// harmless.
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
