//! Finds captures.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Endings of files that are captures. A pattern may name files with other endings too.
const ENDINGS: [&str; 6] = [".pcap", ".pcapng", ".jsonl", ".pcap.gz", ".pcapng.gz", ".jsonl.gz"];

/// Returns all files that match patterns such as `captures/**/*.pcap.gz`, in order and each once. A folder
/// stands for all captures in it and below.
///
/// # Errors
/// A sentence about a pattern that is invalid or matches nothing.
pub fn find_captures(patterns: &[String]) -> Result<Vec<PathBuf>, String> {
    let mut found = BTreeSet::new();
    for pattern in patterns {
        let before = found.len();
        let path = Path::new(pattern);
        if path.is_dir() {
            let below = format!("{}/**/*", glob::Pattern::escape(pattern.trim_end_matches('/')));
            let is_capture = |path: &Path| {
                let name = path.to_string_lossy().to_ascii_lowercase();
                ENDINGS.iter().any(|ending| name.ends_with(ending))
            };
            found.extend(matching(&below)?.filter(|path| is_capture(path)));
        } else if path.is_file() {
            found.insert(path.to_owned());
        } else {
            found.extend(matching(pattern)?);
        }
        if found.len() == before && matching(pattern)?.next().is_none() {
            return Err(format!("{pattern}: no file matches; quote patterns, like 'captures/**/*.pcap.gz'"));
        }
    }
    Ok(found.into_iter().collect())
}

fn matching(pattern: &str) -> Result<impl Iterator<Item = PathBuf>, String> {
    let paths = glob::glob(pattern).map_err(|error| format!("{pattern}: {error}"))?;
    // Folders that cannot be read are passed over, as a shell does.
    Ok(paths.filter_map(Result::ok).filter(|path| path.is_file()))
}
