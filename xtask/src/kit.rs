//! The conformance kit as an archive, with the same bytes on every machine.

use std::{collections::BTreeMap, fmt::Write as _, fs, io::Write as _, path::Path};

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};

use crate::root;

/// Files of the project, and their places in the kit. A folder stands for every file in it.
const CONTENTS: &[(&str, &str)] = &[
    ("docs/kit.md", "README.md"),
    ("docs/conformance.md", "docs/conformance.md"),
    ("docs/conformance-protocol.md", "docs/conformance-protocol.md"),
    ("docs/trace-format.md", "docs/trace-format.md"),
    ("docs/schemas/conform.schema.json", "docs/schemas/conform.schema.json"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("testdata/golden", "traces"),
    ("testdata/sessions", "sessions"),
    ("adapters", "adapters"),
];

/// Name of the list of checksums, which `sha256sum -c` reads.
const CHECKSUMS: &str = "SHA256SUMS";

/// Writes the archive into a folder.
pub(crate) fn write(folder: &Path) -> Result<()> {
    let name = format!("evenstride-conformance-{}", env!("CARGO_PKG_VERSION"));
    let bytes = archive(&name, &contents()?)?;
    let path = folder.join(format!("{name}.tar.gz"));
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    fs::write(&path, &bytes).with_context(|| path.display().to_string())?;
    println!("wrote {} ({} bytes, sha256 {})", path.display(), bytes.len(), hex(&bytes));
    Ok(())
}

/// Returns every file of the kit, by its path in it.
fn contents() -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for (from, to) in CONTENTS {
        add(&mut files, &root().join(from), to)?;
    }
    let mut sums = String::new();
    for (path, bytes) in &files {
        writeln!(sums, "{}  {path}", hex(bytes))?;
    }
    files.insert(CHECKSUMS.to_owned(), sums.into_bytes());
    Ok(files)
}

fn add(files: &mut BTreeMap<String, Vec<u8>>, from: &Path, to: &str) -> Result<()> {
    let named = || from.display().to_string();
    if !from.is_dir() {
        files.insert(to.to_owned(), fs::read(from).with_context(named)?);
        return Ok(());
    }
    for entry in fs::read_dir(from).with_context(named)? {
        let entry = entry.with_context(named)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // What tools leave beside sources is not part of the kit.
        if !name.starts_with(['.', '_']) && !["target", "node_modules"].contains(&name.as_str()) {
            add(files, &entry.path(), &format!("{to}/{name}"))?;
        }
    }
    Ok(())
}

/// Packs files in order of their paths, without times, owners or names of this machine.
fn archive(name: &str, files: &BTreeMap<String, Vec<u8>>) -> Result<Vec<u8>> {
    let mut tar = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        header.set_entry_type(tar::EntryType::Regular);
        tar.append_data(&mut header, format!("{name}/{path}"), bytes.as_slice())?;
    }
    let mut gzip = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    gzip.write_all(&tar.into_inner()?)?;
    Ok(gzip.finish()?)
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn the_kit_is_the_same_each_time_and_every_file_has_its_checksum() {
        let files = contents().unwrap();
        let packed = archive("kit", &files).unwrap();
        assert_eq!(packed, archive("kit", &contents().unwrap()).unwrap());
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(packed.as_slice()));
        let mut unpacked = BTreeMap::new();
        for entry in tar.entries().unwrap() {
            let mut entry = entry.unwrap();
            assert_eq!((entry.header().mtime().unwrap(), entry.header().uid().unwrap()), (0, 0));
            let path = entry.path().unwrap().to_string_lossy().into_owned();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            unpacked.insert(path.strip_prefix("kit/").unwrap().to_owned(), bytes);
        }
        assert_eq!(unpacked, files);
        let sums = String::from_utf8(unpacked.remove(CHECKSUMS).unwrap()).unwrap();
        let listed: BTreeMap<&str, &str> =
            sums.lines().map(|line| line.split_once("  ").unwrap()).map(|(sum, path)| (path, sum)).collect();
        assert_eq!(listed.len(), unpacked.len());
        for (path, bytes) in &unpacked {
            assert_eq!(listed[path.as_str()], hex(bytes), "{path}");
        }
        let traces = unpacked.keys().filter(|path| path.starts_with("traces/") && path.ends_with(".gz"));
        assert_eq!(traces.count(), 352);
        for file in [
            "rust/src/main.rs",
            "python/adapter.py",
            "csharp/Adapter.cs",
            "csharp-native/Body.cs",
            "javascript/adapter.mjs",
        ] {
            assert!(unpacked.contains_key(&format!("adapters/{file}")), "{file}");
        }
    }
}
