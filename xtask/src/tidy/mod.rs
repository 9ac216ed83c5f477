//! House rules that no other tool checks.

pub(crate) mod folders;
pub(crate) mod layers;
mod licences;
mod manifests;
mod words;

use std::{fs, path::Path};

use anyhow::{Context, Result};

use crate::{
    generated::{DOCUMENTS, Document},
    provenance::{Provenance, retail_text},
    report::Findings,
    root, web,
};

/// Longest source file that is not a test, in lines.
const MAX_LINES: usize = 700;

/// One `.rs` file of the project.
pub(crate) struct Source {
    /// Path from the project's folder, with forward slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    fn is_test(&self) -> bool {
        self.path.split('/').any(|part| part == "tests" || part == "benches")
    }
}

pub(crate) fn run() -> Findings {
    let sources = match sources() {
        Ok(sources) => sources,
        Err(error) => return Findings::one_failure(format!("{error:#}")),
    };
    let rules: [(&str, Vec<String>); 11] = [
        ("which crate may use which", layers::check()),
        ("which folder of the core may use which", folders::check(&sources)),
        ("a reason and a replacement beside every dependency", manifests::check()),
        ("`Retail:` lines", sources.iter().flat_map(bad_retail_lines).collect()),
        ("generated documents", DOCUMENTS.iter().filter_map(Document::problem).collect()),
        ("file sizes", sources.iter().filter_map(too_long).collect()),
        ("unsafe code", sources.iter().flat_map(stray_unsafe).collect()),
        ("the probe", sources.iter().flat_map(stray_probe).collect()),
        ("what a package needs", licences::check()),
        ("the core for browsers is made of these sources", web::problems()),
        ("words that readers stumble over", words::check(&sources)),
    ];
    let mut findings = Findings::default();
    for (rule, problems) in rules {
        println!("{} {rule}", if problems.is_empty() { "ok  " } else { "FAIL" });
        if problems.is_empty() {
            findings.passed += 1;
        }
        findings.failures.extend(problems);
    }
    println!("{}", sizes(&sources));
    findings
}

/// Returns a line about the length of files, and the share of documentation in the core.
fn sizes(sources: &[Source]) -> String {
    let mut lines: Vec<(usize, &str)> = sources
        .iter()
        .filter(|source| !source.is_test())
        .map(|source| (source.text.lines().count(), source.path.as_str()))
        .collect();
    lines.sort_unstable();
    let median = lines.get(lines.len() / 2).map_or(0, |(lines, _)| *lines);
    let (longest, path) = lines.last().copied().unwrap_or_default();
    let core = || {
        let core = sources.iter().filter(|source| source.path.starts_with("crates/core/evenstride/src/"));
        core.flat_map(|source| source.text.lines()).map(str::trim).filter(|line| !line.is_empty())
    };
    let docs = core().filter(|line| line.starts_with("///") || line.starts_with("//!")).count();
    let share = 100 * docs / core().count().max(1);
    format!(
        "     files: median {median} lines, longest {longest} ({path}); documentation: {share} % of the core's lines"
    )
}

/// Returns every source file of the project, in order of path.
pub(crate) fn sources() -> Result<Vec<Source>> {
    let mut found = Vec::new();
    for folder in ["adapters", "bindings", "crates", "xtask", "fuzz", "benches"] {
        collect(&root().join(folder), &mut found)?;
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<Source>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                collect(&path, found)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let relative = path.strip_prefix(root())?.components();
            let path = relative.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
            found.push(Source { path, text });
        }
    }
    Ok(())
}

fn bad_retail_lines(source: &Source) -> Vec<String> {
    numbered(source)
        .filter_map(|(number, line)| {
            let problem = Provenance::parse(retail_text(line)?).err()?;
            Some(format!("{}:{number}: Retail line: {problem}", source.path))
        })
        .collect()
}

fn too_long(source: &Source) -> Option<String> {
    let lines = source.text.lines().count();
    (lines > MAX_LINES && !source.is_test())
        .then(|| format!("{}: {lines} lines, more than {MAX_LINES}", source.path))
}

/// Returns the lines with unsafe blocks or items outside the bindings.
fn stray_unsafe(source: &Source) -> Vec<String> {
    // The patterns are assembled here so that this file does not match them.
    let patterns = ["{", "fn", "impl", "trait", "extern"].map(|what| ["un", "safe ", what].concat());
    if source.path.starts_with("bindings/") {
        return Vec::new();
    }
    numbered(source)
        .filter(|(_, line)| {
            let code = line.split("//").next().unwrap_or_default();
            patterns.iter().any(|pattern| code.contains(pattern))
        })
        .map(|(number, _)| format!("{}:{number}: unsafe code outside the bindings", source.path))
        .collect()
}

/// Returns the lines that use the core's probe outside the conformance crate.
fn stray_probe(source: &Source) -> Vec<String> {
    let door = ["evenstride", "::probe"].concat();
    if source.path.starts_with("crates/sim/evenstride_conformance/") {
        return Vec::new();
    }
    numbered(source)
        .filter(|(_, line)| line.contains(&door))
        .map(|(number, _)| format!("{}:{number}: the probe is for evenstride_conformance alone", source.path))
        .collect()
}

fn numbered(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    source.text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.into(), text: text.into() }
    }

    #[test]
    fn long_files_are_named_unless_they_are_tests() {
        let long = "x\n".repeat(MAX_LINES + 1);
        assert!(too_long(&source("crates/a/src/b.rs", &long)).is_some());
        assert!(too_long(&source("crates/a/tests/b.rs", &long)).is_none());
    }

    #[test]
    fn unsafe_is_found_where_it_does_not_belong() {
        let text = ["un", "safe { x() }"].concat();
        assert_eq!(stray_unsafe(&source("crates/core/a/src/b.rs", &text)).len(), 1);
        assert!(stray_unsafe(&source("bindings/a/src/b.rs", &text)).is_empty());
    }

    #[test]
    fn broken_retail_lines_are_found() {
        assert_eq!(bad_retail_lines(&source("a.rs", "/// Retail: nothing")).len(), 1);
    }
}
