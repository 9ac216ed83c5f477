//! Names of folders and files.

use crate::{capture::Capture, table::TableSpec};

/// Longest name of a folder or file in characters.
const MAX_NAME: usize = 80;

/// Returns a text with letters, digits, `.`, `_` and `-` only. Other characters become `_`, and an empty text
/// becomes `unknown`.
pub fn escape(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    let name: String =
        text.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).take(MAX_NAME).collect();
    if name.is_empty() { "unknown".to_owned() } else { name }
}

/// Returns the path of a table of a connection inside the archive. Equal captures have equal paths.
pub(super) fn path_of(spec: &TableSpec, capture: &Capture, stem: &str, sha256: &str) -> String {
    let value = |value: &Option<String>| escape(value.as_deref().unwrap_or(""));
    let hash = sha256.get(..12).unwrap_or(sha256);
    let other = capture.other_number().map_or_else(String::new, |number| format!("-{number}"));
    format!(
        "{}/server={}/date={}/{}-{hash}{other}.parquet",
        spec.name,
        value(&capture.server),
        value(&capture.date),
        escape(stem)
    )
}

/// Returns whether a path from a manifest is one that [`path_of`] could have made.
pub(super) fn is_ours(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let [table, server, date, name] = parts[..] else { return false };
    let is_plain =
        |part: &str| part == part.replace(|c: char| !c.is_ascii_alphanumeric() && !"._-=".contains(c), "");
    crate::table::TABLES.iter().any(|spec| spec.name == table)
        && server.starts_with("server=")
        && date.starts_with("date=")
        && name.ends_with(".parquet")
        && parts.into_iter().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_captures_are_plain() {
        assert_eq!(escape("10.0.1.2-9000"), "10.0.1.2-9000");
        assert_eq!(escape("../Frost fell: [1]"), ".._Frost_fell___1_");
        assert_eq!(escape(""), "unknown");
        assert_eq!(escape(&"é".repeat(500)).len(), MAX_NAME);
    }

    #[test]
    fn only_paths_of_the_archive_are_ever_removed() {
        assert!(is_ours("tracks/server=10.0.1.2-9000/date=2013-09-18/a-0123456789ab.parquet"));
        for path in [
            "/etc/passwd",
            "tracks/server=a/date=b/../../x.parquet",
            "tracks/server=a/date=b/x.csv",
            "other/server=a/date=b/x.parquet",
            "tracks/../date=b/x.parquet",
        ] {
            assert!(!is_ours(path), "{path}");
        }
    }
}
