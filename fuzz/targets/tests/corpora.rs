//! Every input of the kept corpora, without a fuzzing engine.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::Read,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::{Path, PathBuf},
};

use evenstride_fuzz_targets::{TARGETS, Target};
use flate2::read::GzDecoder;

/// Returns a folder of the fuzz crate.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(name)
}

/// Returns the names of the files in a folder, without their ending.
fn names(name: &str, ending: &str) -> BTreeSet<String> {
    let files = fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().file_name());
    files
        .map(|file| {
            let file = file.to_string_lossy().into_owned();
            file.strip_suffix(ending).unwrap_or_else(|| panic!("{name}/{file}: not a {ending}")).to_owned()
        })
        .collect()
}

/// Unpacks a corpus. Returns the name and content of each input.
fn corpus(target: &str) -> BTreeMap<String, Vec<u8>> {
    let file = File::open(folder("corpora").join(format!("{target}.tar.gz"))).unwrap();
    let mut archive = tar::Archive::new(GzDecoder::new(file));
    let files =
        archive.entries().unwrap().map(Result::unwrap).filter(|entry| entry.header().entry_type().is_file());
    files
        .map(|mut entry| {
            let name = entry.path().unwrap().to_string_lossy().into_owned();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            (name, bytes)
        })
        .collect()
}

fn run(name: &str, target: Target) -> usize {
    let corpus = corpus(name);
    for (input, bytes) in &corpus {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| target(bytes))) {
            eprintln!("target {name}, input {input} of {} bytes", bytes.len());
            resume_unwind(panic);
        }
    }
    corpus.len()
}

#[test]
fn every_target_has_a_corpus_and_a_shell() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names("corpora", ".tar.gz"), targets);
    assert_eq!(names("fuzz_targets", ".rs"), targets);
}

#[test]
fn no_target_objects_to_its_corpus() {
    for (name, target) in TARGETS {
        let inputs = run(name, *target);
        println!("{name}: {inputs} inputs");
        assert!(inputs >= 20, "{name}: only {inputs} inputs");
    }
}

#[test]
fn no_target_objects_to_an_empty_input_or_to_that_of_another() {
    for (_, target) in TARGETS {
        target(&[]);
    }
    let messages = corpus("message");
    for (_, target) in TARGETS {
        messages.values().take(50).for_each(|bytes| target(bytes));
    }
}
