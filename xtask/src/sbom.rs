//! The bill of materials of the program, as CycloneDX 1.5 in JSON. The same lock file gives the same
//! bytes. cargo-cyclonedx 0.5 names folders of the machine, and packages that are not built.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use anyhow::{Context, Result, ensure};
use cargo_metadata::Package;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{
    command::cargo,
    graph::{Features, Graph, licence},
    root,
};

const PROGRAM: &str = "evenstride_cli";

/// Returns the document, for every platform and with the features that the program is built with.
pub(crate) fn document() -> Result<String> {
    let graph = Graph::resolve("Cargo.toml", &Features::Default)?;
    let lock = fs::read_to_string(root().join("Cargo.lock")).context("Cargo.lock")?;
    let checksums = checksums(&lock);
    let program = graph.own(PROGRAM)?;
    // Other crates of the workspace turn features on that the program does not have.
    let built = built()?;
    let is_built = |package: &&Package| built.contains(&format!("{} v{}", package.name, package.version));
    let parts: Vec<&Package> = graph.brought_by(program).into_iter().filter(is_built).collect();
    let dependencies: Vec<Value> = std::iter::once(&program)
        .chain(&parts)
        .map(|package| {
            let needed = graph.needed_by(package).into_iter().filter(is_built);
            let needed: Vec<String> = needed.map(url).collect();
            json!({ "ref": url(package), "dependsOn": needed })
        })
        .collect();
    let mut document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(program, "application", &checksums) },
        "components":
            parts.iter().map(|package| component(package, "library", &checksums)).collect::<Vec<_>>(),
        "dependencies": dependencies,
    });
    // A serial number identifies the contents, so it is made of them.
    document["serialNumber"] = serial(&document.to_string()).into();
    Ok(format!("{document:#}\n"))
}

/// Returns name and version of each package that the program is built of, on any platform.
fn built() -> Result<BTreeSet<String>> {
    let args = ["tree", "--locked", "--package", PROGRAM, "--edges", "no-dev", "--target", "all"];
    let output = cargo(&args).args(["--prefix", "none", "--format", "{p}"]).output().context("cargo tree")?;
    ensure!(output.status.success(), "`cargo tree` failed: {}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout)?;
    let first_two = |line: &str| line.splitn(3, ' ').take(2).collect::<Vec<_>>().join(" ");
    Ok(lines.lines().filter(|line| !line.is_empty()).map(first_two).collect())
}

fn component(package: &Package, kind: &str, checksums: &BTreeMap<String, String>) -> Value {
    let mut component = json!({
        "type": kind,
        "bom-ref": url(package),
        "name": package.name.as_str(),
        "version": package.version.to_string(),
        "purl": url(package),
    });
    if let Some(licence) = licence(package) {
        component["licenses"] = json!([{ "expression": licence }]);
    }
    if let Some(checksum) = checksums.get(&url(package)) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    component
}

/// Returns the package URL, which names a package without saying where it lies.
fn url(package: &Package) -> String {
    // A build number is the only part of a version that a URL must encode.
    format!("pkg:cargo/{}@{}", package.name, package.version.to_string().replace('+', "%2B"))
}

/// Returns the checksums of a lock file by package URL. Crates of the project have none.
fn checksums(lock: &str) -> BTreeMap<String, String> {
    let field = |entry: &str, name: &str| {
        let start = format!("{name} = \"");
        entry.lines().find_map(|line| Some(line.strip_prefix(&start)?.trim_end_matches('"').to_owned()))
    };
    let entries = lock.split("[[package]]").filter_map(|entry| {
        let (name, version) = (field(entry, "name")?, field(entry, "version")?.replace('+', "%2B"));
        Some((format!("pkg:cargo/{name}@{version}"), field(entry, "checksum")?))
    });
    entries.collect()
}

/// Returns a UUID of version 8, which is one made of a hash.
fn serial(contents: &str) -> String {
    let mut bytes: [u8; 32] = Sha256::digest(contents).into();
    bytes[6] = bytes[6] & 0x0F | 0x80;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    let digits: String = bytes[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let [a, b, c, d, e] = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    format!("urn:uuid:{a}-{b}-{c}-{d}-{e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<'a>(value: &'a Value, field: &str) -> &'a str {
        value[field].as_str().unwrap_or_else(|| panic!("no {field} in {value}"))
    }

    /// The fields that the schema of CycloneDX 1.5 requires, and references that lead somewhere.
    #[test]
    fn the_document_is_complete_and_the_same_every_time() {
        let written = document().unwrap();
        assert_eq!(written, document().unwrap());
        assert!(!written.contains("file:") && !written.contains(root().to_str().unwrap()), "a local path");

        let document: Value = serde_json::from_str(&written).unwrap();
        assert_eq!((text(&document, "bomFormat"), text(&document, "specVersion")), ("CycloneDX", "1.5"));
        let serial = text(&document, "serialNumber").strip_prefix("urn:uuid:").unwrap();
        assert_eq!(serial.split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);

        let components = document["components"].as_array().unwrap();
        let mut references = BTreeSet::from([text(&document["metadata"]["component"], "bom-ref")]);
        for component in components {
            assert_eq!(text(component, "type"), "library");
            assert!(references.insert(text(component, "bom-ref")), "twice: {component}");
            assert!(!text(component, "version").is_empty());
            text(&component["licenses"][0], "expression");
            let is_ours = text(component, "name").starts_with("evenstride");
            assert_eq!(component["hashes"][0]["content"].as_str().map(str::len), (!is_ours).then_some(64));
        }
        let dependencies = document["dependencies"].as_array().unwrap();
        assert_eq!(dependencies.len(), references.len());
        for dependency in dependencies {
            let needed = dependency["dependsOn"].as_array().unwrap().iter().map(|one| one.as_str().unwrap());
            assert!(needed.chain([text(dependency, "ref")]).all(|one| references.contains(one)));
        }
        let has = |name: &str| components.iter().any(|component| text(component, "name") == name);
        assert!(has("evenstride") && has("flate2") && !has("proptest") && !has("indexmap"));
    }
}
