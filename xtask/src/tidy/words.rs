//! Words that readers stumble over, and that plain sentences do without.

use std::fs;

use super::Source;
use crate::root;

/// Words that documentation, help, errors and README must not use. CONTRIBUTING.md says what to write instead.
const WORDS: [&str; 9] =
    ["whoever", "whomever", "nobody", "somebody", "everybody", "anybody", "anew", "whence", "so many"];

/// Folders whose documents, or scripts of the page, are read as a whole.
const FOLDERS: [(&str, &str); 3] =
    [("", "md"), ("docs", "md"), ("crates/edge/evenstride_report/assets/page", "js")];

/// Document that names these words in order to forbid them.
const RULES: &str = "CONTRIBUTING.md";

/// Returns the places with such words in public text: doc comments, strings, documents, the page.
pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let is_product = |source: &&Source| source.path.contains("/src/") && !source.path.starts_with("xtask/");
    let mut problems: Vec<String> = sources.iter().filter(is_product).flat_map(in_source).collect();
    for (path, text) in documents() {
        problems.extend(
            text.lines().enumerate().filter_map(|(index, line)| {
                found(line).map(|word| format!("{path}:{}: \"{word}\"", index + 1))
            }),
        );
    }
    problems
}

/// Returns path and text of every document.
fn documents() -> Vec<(String, String)> {
    let mut documents = Vec::new();
    for (folder, ending) in FOLDERS {
        let entries = fs::read_dir(root().join(folder)).into_iter().flatten().flatten();
        for path in
            entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|of| of == ending))
        {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name != RULES {
                let text = fs::read_to_string(&path).unwrap_or_default();
                documents.push((format!("{folder}/{name}").trim_start_matches('/').to_owned(), text));
            }
        }
    }
    documents.sort();
    documents
}

/// Returns the problems of one file, without its tests.
fn in_source(source: &Source) -> Vec<String> {
    let text = source.text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let is_public = |line: &str| {
        let line = line.trim_start();
        line.starts_with("///") || line.starts_with("//!") || line.contains('"')
    };
    text.lines()
        .enumerate()
        .filter(|(_, line)| is_public(line))
        .filter_map(|(index, line)| {
            found(line).map(|word| format!("{}:{}: \"{word}\"", source.path, index + 1))
        })
        .collect()
}

/// Returns the first of the words in a line.
fn found(line: &str) -> Option<&'static str> {
    let line = line.to_lowercase();
    let is_letter = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    WORDS.into_iter().find(|word| {
        line.match_indices(word).any(|(start, _)| {
            let (before, after) = (&line[..start], &line[start + word.len()..]);
            !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_and_the_page_are_read() {
        let paths: Vec<String> = documents().into_iter().map(|(path, _)| path).collect();
        for path in ["README.md", "docs/page.md", "crates/edge/evenstride_report/assets/page/map.js"] {
            assert!(paths.iter().any(|of| of == path), "{path}");
        }
    }

    #[test]
    fn whole_words_are_found_and_parts_of_words_are_not() {
        assert_eq!(found("/// Whoever asks, nobody answers."), Some("whoever"));
        assert_eq!(found("after so many seconds"), Some("so many"));
        assert_eq!(found("also many, a newer one"), None);
    }
}
