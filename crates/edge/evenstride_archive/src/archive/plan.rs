//! Finds captures.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, Metadata},
    io,
    path::{Component, Path, PathBuf},
};

use glob::{MatchOptions, Pattern};

/// Endings of files that are captures. A pattern may name files with other endings too.
const ENDINGS: [&str; 6] = [".pcap", ".pcapng", ".jsonl", ".pcap.gz", ".pcapng.gz", ".jsonl.gz"];

/// Files that match patterns.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FoundCaptures {
    /// Files in order, each once, whatever links lead to it.
    pub captures: Vec<PathBuf>,
    /// Folders and files that cannot be looked at, with the reasons. They are not among the captures.
    pub unreadable: Vec<(PathBuf, String)>,
}

/// Returns all files that match patterns such as `captures/**/*.pcap.gz`. A folder stands for all captures in
/// it and below.
///
/// # Errors
/// A sentence about a pattern that is invalid or matches nothing.
pub fn find_captures(patterns: &[String]) -> Result<FoundCaptures, String> {
    let mut search = Search::default();
    for pattern in patterns {
        let before = search.matches;
        let path = Path::new(pattern);
        if path.is_dir() {
            search.below(path);
        } else if path.is_file() {
            search.add(path.to_owned());
        } else {
            search.matching(pattern)?;
        }
        if search.matches == before {
            let unreadable = search.unreadable.iter().next();
            let why = unreadable.map(|(folder, error)| format!(" ({}: {error})", folder.display()));
            return Err(format!(
                "{pattern}: no file matches{}; quote patterns, like 'captures/**/*.pcap.gz'",
                why.unwrap_or_default()
            ));
        }
    }
    let mut captures: Vec<PathBuf> = search.found.into_values().collect();
    captures.sort();
    Ok(FoundCaptures { captures, unreadable: search.unreadable.into_iter().collect() })
}

#[derive(Default)]
struct Search {
    /// The first spelling of each file, by its path without links.
    found: BTreeMap<PathBuf, PathBuf>,
    unreadable: BTreeMap<PathBuf, String>,
    /// Number of matches, with those of files that were found before.
    matches: usize,
}

impl Search {
    fn add(&mut self, path: PathBuf) {
        self.matches += 1;
        // A file that cannot be resolved is listed as failed later.
        let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
        self.found.entry(whole).or_insert(path);
    }

    /// Adds all captures in a folder and below.
    fn below(&mut self, folder: &Path) {
        for folder in self.folders(vec![folder.to_owned()]) {
            for path in self.entries(&folder) {
                let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase());
                let is_capture = name.is_some_and(|name| ENDINGS.iter().any(|ending| name.ends_with(ending)));
                if is_capture && self.is_file(&path) {
                    self.add(path);
                }
            }
        }
    }

    /// Adds all files that match a pattern. It is matched one name after the other, so that no folder is read
    /// that cannot contain a match.
    fn matching(&mut self, pattern: &str) -> Result<(), String> {
        Pattern::new(pattern).map_err(|error| format!("{pattern}: {error}"))?;
        let mut paths = vec![PathBuf::new()];
        for component in Path::new(pattern).components() {
            let Component::Normal(name) = component else {
                paths.iter_mut().for_each(|path| path.push(component));
                continue;
            };
            let name = name.to_string_lossy();
            if name == "**" {
                paths = self.folders(paths);
            } else if name.contains(['*', '?', '[']) {
                let name = Pattern::new(&name).map_err(|error| format!("{pattern}: {error}"))?;
                let folders = std::mem::take(&mut paths);
                for folder in folders {
                    if self.is_folder(&folder) {
                        let entries = self.entries(&folder).into_iter();
                        paths.extend(entries.filter(|path| is_match(&name, path)));
                    }
                }
            } else {
                paths.iter_mut().for_each(|path| path.push(&*name));
                paths.retain(|path| path.exists());
            }
        }
        for path in paths {
            if self.is_file(&path) {
                self.add(path);
            }
        }
        Ok(())
    }

    /// Returns folders and all folders below, each once, although links may lead to them again.
    fn folders(&mut self, mut open: Vec<PathBuf>) -> Vec<PathBuf> {
        let (mut seen, mut folders) = (BTreeSet::new(), Vec::new());
        open.reverse();
        while let Some(folder) = open.pop() {
            let Ok(whole) = here_if_empty(&folder).canonicalize() else { continue };
            if !self.is_folder(&folder) || !seen.insert(whole) {
                continue;
            }
            for path in self.entries(&folder).into_iter().rev() {
                if self.is_folder(&path) {
                    open.push(path);
                }
            }
            folders.push(folder);
        }
        folders
    }

    fn is_file(&mut self, path: &Path) -> bool {
        self.metadata(path).is_some_and(|metadata| metadata.is_file())
    }

    fn is_folder(&mut self, path: &Path) -> bool {
        self.metadata(path).is_some_and(|metadata| metadata.is_dir())
    }

    /// Returns what a path leads to. A link to nothing is nothing, and other failures are noted.
    fn metadata(&mut self, path: &Path) -> Option<Metadata> {
        let path = here_if_empty(path);
        match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                self.unreadable.insert(path.to_owned(), error.to_string());
                None
            }
        }
    }

    /// Returns the paths in a folder in order. A folder that cannot be read is noted.
    fn entries(&mut self, folder: &Path) -> Vec<PathBuf> {
        let whole = here_if_empty(folder);
        let names = || -> io::Result<Vec<PathBuf>> {
            fs::read_dir(whole)?.map(|entry| Ok(folder.join(entry?.file_name()))).collect()
        };
        match names() {
            Ok(mut paths) => {
                paths.sort();
                paths
            }
            Err(error) => {
                self.unreadable.insert(whole.to_owned(), error.to_string());
                Vec::new()
            }
        }
    }
}

/// Returns the path of a folder. The empty path is the working directory.
fn here_if_empty(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

fn is_match(pattern: &Pattern, path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    name.is_some_and(|name| pattern.matches_with(&name, MatchOptions::default()))
}
