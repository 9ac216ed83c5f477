//! The resolved dependencies of a lock file, for every platform that the project supports.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use cargo_metadata::{CargoOpt, DependencyKind, Metadata, MetadataCommand, Package, PackageId};

use crate::root;

pub(crate) struct Graph {
    metadata: Metadata,
    /// Normal and build dependencies of each package. Those of tests are left out.
    edges: BTreeMap<PackageId, Vec<PackageId>>,
}

/// Platforms on which nothing of the project runs. The clock of `chrono` compiles C++ on Haiku, and the random
/// numbers of `getrandom` link objects of C on WASI.
const UNSUPPORTED: [&str; 2] = [
    "cfg(target_os = \"haiku\")",
    "cfg(all(target_arch = \"wasm32\", target_os = \"wasi\", target_env = \"p2\"))",
];

/// Features that the project's own crates are resolved with.
pub(crate) enum Features {
    Default,
    All,
}

impl Graph {
    /// Resolves a manifest of the project. Fails if its lock file is not up to date.
    pub(crate) fn resolve(manifest: &str, features: &Features) -> Result<Self> {
        let mut command = MetadataCommand::new();
        command.manifest_path(root().join(manifest)).other_options(["--locked".to_owned()]);
        if let Features::All = features {
            command.features(CargoOpt::AllFeatures);
        }
        let metadata = command.exec()?;
        let resolve = metadata.resolve.as_ref().context("cargo metadata resolved nothing")?;
        let mut edges = BTreeMap::new();
        for node in &resolve.nodes {
            let needed = node.deps.iter().filter(|dependency| {
                dependency.dep_kinds.iter().any(|kind| {
                    let platform = kind.target.as_ref().map(ToString::to_string);
                    let is_foreign =
                        platform.is_some_and(|platform| UNSUPPORTED.contains(&platform.as_str()));
                    kind.kind != DependencyKind::Development && !is_foreign
                })
            });
            edges.insert(node.id.clone(), needed.map(|dependency| dependency.pkg.clone()).collect());
        }
        Ok(Self { edges, metadata })
    }

    /// Returns the crates of the project.
    pub(crate) fn ours(&self) -> Vec<&Package> {
        self.metadata.workspace_packages()
    }

    /// Returns one crate of the project.
    pub(crate) fn own(&self, name: &str) -> Result<&Package> {
        let found = self.ours().into_iter().find(|package| package.name.as_str() == name);
        found.with_context(|| format!("the workspace has no crate {name}"))
    }

    /// Returns whether a package comes from elsewhere.
    pub(crate) fn is_outside(&self, package: &Package) -> bool {
        !self.metadata.workspace_members.contains(&package.id)
    }

    /// Returns the package that the project's own crates use under a name. Other packages may use
    /// another version of it.
    pub(crate) fn used(&self, name: &str) -> Option<&Package> {
        let resolve = self.metadata.resolve.as_ref()?;
        let ours = resolve.nodes.iter().filter(|node| self.metadata.workspace_members.contains(&node.id));
        let used: BTreeSet<_> = ours.flat_map(|node| &node.deps).map(|dependency| &dependency.pkg).collect();
        self.packages(used).into_iter().find(|package| package.name.as_str() == name)
    }

    /// Returns the packages that a package needs directly, in order of name and version.
    pub(crate) fn needed_by(&self, package: &Package) -> Vec<&Package> {
        self.packages(self.edges.get(&package.id).into_iter().flatten().collect())
    }

    /// Returns the packages that come with a package, without the package itself, in order of name
    /// and version.
    pub(crate) fn brought_by(&self, package: &Package) -> Vec<&Package> {
        let mut found = BTreeSet::new();
        let mut waiting = vec![&package.id];
        while let Some(id) = waiting.pop() {
            for needed in self.edges.get(id).into_iter().flatten() {
                if found.insert(needed) {
                    waiting.push(needed);
                }
            }
        }
        self.packages(found)
    }

    fn packages(&self, ids: BTreeSet<&PackageId>) -> Vec<&Package> {
        let mut found: Vec<_> =
            self.metadata.packages.iter().filter(|package| ids.contains(&package.id)).collect();
        found.sort_by_key(|package| (package.name.as_str(), &package.version));
        found
    }
}

/// Returns the licence of a package as an SPDX expression.
pub(crate) fn licence(package: &Package) -> Option<String> {
    // Old manifests put a slash between alternatives.
    package.license.as_deref().map(|licence| licence.replace(" / ", "/").replace('/', " OR "))
}
