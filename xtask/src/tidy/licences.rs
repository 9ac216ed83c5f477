//! A package holds its own licence texts, which must be those of the project.

use std::fs;

use cargo_metadata::MetadataCommand;

use crate::{package::can_be_published, root};

/// Returns the crates that can be published and lack a licence text or a README of their own.
pub(super) fn check() -> Vec<String> {
    let metadata = match MetadataCommand::new().current_dir(root()).no_deps().exec() {
        Ok(metadata) => metadata,
        Err(error) => return vec![format!("cargo metadata: {error}")],
    };
    let mut problems = Vec::new();
    for package in metadata.packages.iter().filter(|package| can_be_published(package)) {
        let Some(folder) = package.manifest_path.parent() else { continue };
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let [own, project] = [folder.as_std_path().join(name), root().join(name)].map(fs::read);
            if own.ok() != project.ok() {
                problems.push(format!("{}: {name} is not the project's", package.name));
            }
        }
        if !folder.join("README.md").exists() {
            problems.push(format!("{}: there is no README.md", package.name));
        }
        for (is_missing, what) in [
            (package.description.is_none(), "description"),
            (package.keywords.is_empty(), "keywords"),
            (package.categories.is_empty(), "categories"),
        ] {
            if is_missing {
                problems.push(format!("{}: no {what} in its manifest", package.name));
            }
        }
    }
    problems
}
