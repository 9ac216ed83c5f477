//! Checks that every external dependency has a reason above it.

use std::fs;

use crate::root;

pub(super) fn check() -> Vec<String> {
    let path = root().join("Cargo.toml");
    match fs::read_to_string(&path) {
        Ok(text) => unexplained(&text),
        Err(error) => vec![format!("{}: {error}", path.display())],
    }
}

/// Returns the external entries of `[workspace.dependencies]` without a comment above. One comment
/// serves a run of lines.
fn unexplained(manifest: &str) -> Vec<String> {
    let mut explained = false;
    let mut problems = Vec::new();
    let section = manifest.lines().skip_while(|line| *line != "[workspace.dependencies]").skip(1);
    for line in section.take_while(|line| !line.starts_with('[')) {
        if line.trim().is_empty() {
            explained = false;
        } else if line.starts_with('#') {
            explained = true;
        } else if !explained && !line.contains("path = ") {
            problems.push(format!("Cargo.toml: no reason above `{line}`"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::unexplained;

    #[test]
    fn a_dependency_needs_a_reason() {
        let manifest = "[workspace.dependencies]\nown = { path = \"x\" }\n\n# Why.\na = \"1\"\n\nb = \"1\"\n[other]\nc = \"1\"";
        assert_eq!(unexplained(manifest), ["Cargo.toml: no reason above `b = \"1\"`"]);
    }
}
