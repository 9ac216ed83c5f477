//! Archives: what is done is skipped, what was killed goes on, and bad files stop nothing.

use std::{
    collections::BTreeMap,
    fs,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use evenstride_archive::{
    ConvertOptions,
    archive::{Archive, ArchiveError, ManifestError, Report, Settings, find_captures},
    hash_of,
    sample::write_capture,
};
use flate2::read::MultiGzDecoder;

const SCENARIOS: [&str; 2] = ["walk", "turn"];

struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    fn new(captures: u64) -> Self {
        let stage = Self { folder: tempfile::tempdir().unwrap() };
        for number in 0..captures {
            write_capture(&stage.captures(), number, &SCENARIOS).unwrap();
        }
        stage
    }

    fn captures(&self) -> PathBuf {
        self.folder.path().join("captures")
    }

    fn tables(&self) -> PathBuf {
        self.folder.path().join("tables")
    }

    fn found(&self) -> Vec<PathBuf> {
        let found = find_captures(&[self.captures().display().to_string()]).unwrap();
        assert!(found.unreadable.is_empty(), "{:?}", found.unreadable);
        found.captures
    }

    /// Replaces a capture by another session.
    fn change(&self, capture: &Path, number: u64) {
        let other = write_capture(&self.folder.path().join("more"), number, &SCENARIOS).unwrap();
        fs::copy(other, capture).unwrap();
    }

    /// Starts of the hashes of all captures that have tables, one for each file of moments.
    fn hashes(&self) -> Vec<String> {
        let files = self.files();
        let moments = files.keys().filter(|path| path.starts_with("moments/"));
        let hash = |path: &String| path.trim_end_matches(".parquet").rsplit('-').next().unwrap().to_owned();
        let mut hashes: Vec<String> = moments.map(hash).collect();
        assert_eq!(hashes.len() * 5, files.len(), "{:?}", files.keys());
        hashes.sort();
        hashes
    }

    fn open(&self) -> Result<Archive, ArchiveError> {
        Archive::open(&self.tables(), &settings(), ConvertOptions::default(), 2)
    }

    fn run(&self) -> Report {
        self.open().unwrap().run(&self.found(), &|_| {}).unwrap()
    }

    /// Paths of all tables and their bytes.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.tables(), &self.tables(), &mut files);
        files
    }
}

fn settings() -> Settings {
    Settings {
        version: "0.1.0".into(),
        profile: "glide".into(),
        fps: 60.0,
        changed_only: false,
        tables: String::new(),
        server_ports: String::new(),
    }
}

/// Returns the start of a file's hash, as it stands in the names of tables.
fn hash(path: &Path) -> String {
    hash_of(path).unwrap()[..12].to_owned()
}

fn sorted(mut hashes: Vec<String>) -> Vec<String> {
    hashes.sort();
    hashes
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else if !path.ends_with("manifest.jsonl") {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            files.insert(name, fs::read(path).unwrap());
        }
    }
}

#[test]
fn every_capture_has_five_tables_by_server_and_date() {
    let stage = Stage::new(4);
    let report = stage.run();
    assert_eq!((report.converted.len(), report.skipped, report.failed.len()), (4, 0, 0));
    let files = stage.files();
    assert_eq!(files.len(), 20);
    let with = |text: &str| files.keys().filter(|path| path.contains(text)).count();
    assert_eq!(with("/server=10.0.1.1-9000/date=2013-09-01/walk-00000-"), 5, "{:?}", files.keys());
    assert_eq!((with("tracks/"), with("entities/"), with("server=10.0.1.2-9000")), (4, 4, 5));
}

#[test]
fn what_is_done_is_skipped_and_a_lost_table_is_made_again() {
    let stage = Stage::new(3);
    let _ = stage.run();
    let before = stage.files();
    let report = stage.run();
    assert_eq!((report.converted.len(), report.skipped), (0, 3));
    let lost = before.keys().find(|path| path.starts_with("moments/")).unwrap();
    fs::remove_file(stage.tables().join(lost)).unwrap();
    let report = stage.run();
    assert_eq!((report.converted.len(), report.skipped), (1, 2));
    assert_eq!(stage.files(), before);
}

#[test]
fn a_touched_capture_is_skipped_and_a_changed_one_replaces_its_tables() {
    let stage = Stage::new(2);
    let _ = stage.run();
    let captures = stage.found();
    let file = fs::File::options().append(true).open(&captures[0]).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(5)).unwrap();
    let report = stage.run();
    assert_eq!((report.converted.len(), report.skipped), (0, 2));
    // Another session under the same name.
    let other = write_capture(&stage.folder.path().join("more"), 8, &SCENARIOS).unwrap();
    fs::copy(other, &captures[0]).unwrap();
    let report = stage.run();
    assert_eq!((report.converted.len(), report.skipped), (1, 1));
    assert_eq!(stage.files().len(), 10, "no table of the old session is left");
}

#[test]
fn bad_files_are_listed_and_stop_nothing() {
    let stage = Stage::new(2);
    fs::write(stage.captures().join("noise.pcap"), b"this is no capture").unwrap();
    fs::write(stage.captures().join("empty.pcap.gz"), b"").unwrap();
    let mut whole = fs::read(stage.found().pop().unwrap()).unwrap();
    whole.truncate(whole.len() / 2);
    fs::write(stage.captures().join("cut.pcap.gz"), whole).unwrap();
    let report = stage.run();
    assert_eq!(report.converted.len(), 3, "{report:?}");
    let failed: Vec<(&str, &str)> =
        report.failed.iter().map(|(path, error)| (path.as_str(), error.as_str())).collect();
    let [(empty, why_empty), (noise, why_noise)] = failed[..] else { panic!("{failed:?}") };
    assert!(empty.ends_with("empty.pcap.gz") && why_empty.contains("empty"), "{why_empty}");
    assert!(noise.ends_with("noise.pcap") && why_noise.contains("not a capture"), "{why_noise}");
    let cut = report.converted.iter().find(|file| file.capture.ends_with("cut.pcap.gz")).unwrap();
    assert!(cut.faults > 0);
    // They are tried again, and the others are not.
    let report = stage.run();
    assert_eq!((report.converted.len(), report.skipped, report.failed.len()), (0, 3, 2));
}

#[test]
fn a_copy_of_a_capture_gives_no_second_tables() {
    let stage = Stage::new(2);
    let captures = stage.found();
    fs::copy(&captures[0], stage.captures().join("again.pcap.gz")).unwrap();
    for run in 0..2 {
        let report = stage.run();
        assert_eq!((report.copies.len(), stage.files().len()), (1, 10), "run {run}");
    }
}

/// Both have the same name, so their tables have the same paths. Whichever comes first converts.
#[test]
fn a_copy_of_the_same_name_never_removes_the_tables_of_the_other() {
    let stage = Stage::new(1);
    let captures = stage.found();
    let other = stage.captures().join("a-folder-before-the-other");
    fs::create_dir_all(&other).unwrap();
    let _ = stage.run();
    let before = stage.files();
    fs::copy(&captures[0], other.join(captures[0].file_name().unwrap())).unwrap();
    let lost = before.keys().next().unwrap();
    fs::remove_file(stage.tables().join(lost)).unwrap();
    for _ in 0..3 {
        let _ = stage.run();
        assert_eq!(stage.files(), before);
    }
}

#[test]
fn tables_of_a_capture_that_was_bad_for_a_while_are_replaced() {
    let stage = Stage::new(1);
    let captures = stage.found();
    let _ = stage.run();
    fs::write(&captures[0], b"this is no capture").unwrap();
    let report = stage.run();
    assert_eq!((report.failed.len(), stage.files().len()), (1, 5));
    let other = write_capture(&stage.folder.path().join("more"), 8, &SCENARIOS).unwrap();
    fs::copy(other, &captures[0]).unwrap();
    let report = stage.run();
    assert_eq!((report.converted.len(), stage.files().len()), (1, 5));
}

#[test]
fn what_a_killed_run_left_behind_is_removed() {
    let stage = Stage::new(2);
    let _ = stage.run();
    let before = stage.files();
    let orphan = "tracks/server=a/date=b/killed-0123456789ab.parquet";
    fs::create_dir_all(stage.tables().join(orphan).parent().unwrap()).unwrap();
    fs::write(stage.tables().join(orphan), b"half").unwrap();
    fs::create_dir_all(stage.tables().join(".unfinished")).unwrap();
    fs::write(stage.tables().join(".unfinished/x.part"), b"half").unwrap();
    let outside = stage.folder.path().join("mine.parquet");
    fs::write(&outside, b"mine").unwrap();
    let mut manifest = fs::File::options().append(true).open(stage.tables().join("manifest.jsonl")).unwrap();
    let line = format!(r#"{{"line":"begun","capture":"k.pcap","paths":["{orphan}","../mine.parquet"]}}"#);
    // The last line is cut off in the middle.
    write!(manifest, "{line}\n{{\"line\":\"done\",\"capt").unwrap();
    drop(manifest);
    let report = stage.run();
    assert_eq!((report.converted.len(), report.skipped), (0, 2));
    assert_eq!(stage.files(), before);
    assert_eq!(fs::read(outside).unwrap(), b"mine", "only tables of the archive are removed");
}

#[test]
fn other_settings_and_a_second_run_are_refused() {
    let stage = Stage::new(1);
    let _ = stage.run();
    let retail = Settings { profile: "retail".into(), ..settings() };
    let refused = Archive::open(&stage.tables(), &retail, ConvertOptions::default(), 1);
    let Err(ArchiveError::Manifest { error: ManifestError::Settings(words), .. }) = refused else {
        panic!("settings")
    };
    assert!(words.contains("profile glide"), "{words}");
    let first = stage.open().unwrap();
    let second = stage.open();
    assert!(matches!(second, Err(ArchiveError::Manifest { error: ManifestError::Locked, .. })));
    drop(first);
    assert!(stage.open().is_ok());
}

#[test]
fn a_pattern_that_matches_nothing_is_named() {
    let problem = find_captures(&["nowhere/**/*.pcap".to_owned()]).unwrap_err();
    assert!(problem.starts_with("nowhere/**/*.pcap: no file matches"), "{problem}");
}

#[test]
fn a_changed_capture_named_by_another_spelling_replaces_its_tables() {
    let stage = Stage::new(1);
    let _ = stage.run();
    let captures = stage.found();
    stage.change(&captures[0], 8);
    let spelling = stage.captures().join("../captures/./server-0").join(captures[0].file_name().unwrap());
    let report = stage.open().unwrap().run(&[spelling], &|_| {}).unwrap();
    assert_eq!((report.converted.len(), stage.hashes()), (1, vec![hash(&captures[0])]));
    assert!(Path::new(&report.converted[0].capture).is_absolute());
}

/// Its copy relied on its tables, which were removed. They were nowhere until another run.
#[test]
fn a_capture_that_is_copied_and_recorded_again_loses_no_rows() {
    for copy in ["a-copy.pcap.gz", "z-copy.pcap.gz"] {
        for is_known in [true, false] {
            let stage = Stage::new(1);
            let _ = stage.run();
            let original = stage.found().remove(0);
            let copy = stage.captures().join(copy);
            fs::copy(&original, &copy).unwrap();
            if is_known {
                let _ = stage.run();
            }
            stage.change(&original, 8);
            let both = sorted(vec![hash(&original), hash(&copy)]);
            for run in 0..3 {
                let report = stage.run();
                assert!(report.failed.is_empty(), "{report:?}");
                assert_eq!(stage.hashes(), both, "run {run}, {}", copy.display());
            }
            // The copy owns the tables now, and takes them along.
            stage.change(&copy, 6);
            let _ = stage.run();
            assert_eq!(stage.hashes(), sorted(vec![hash(&original), hash(&copy)]));
        }
    }
}

/// A run of the original alone must not remove what stands for the copy.
#[test]
fn a_capture_that_is_recorded_again_leaves_its_old_tables_to_a_copy_that_the_run_does_not_name() {
    let stage = Stage::new(1);
    let original = stage.found().remove(0);
    let copies = ["b", "c"].map(|name| stage.captures().join(format!("{name}.pcap.gz")));
    for copy in &copies {
        fs::copy(&original, copy).unwrap();
    }
    assert_eq!(stage.run().copies.len(), 2);
    let before = stage.hashes();
    let owner = stage.found().into_iter().next().unwrap();
    stage.change(&owner, 8);
    let report = stage.open().unwrap().run(std::slice::from_ref(&owner), &|_| {}).unwrap();
    assert_eq!(report.converted.len(), 1);
    assert_eq!(stage.hashes(), sorted([&before[..], &[hash(&owner)]].concat()));
    let report = stage.run();
    assert_eq!((report.converted.len(), report.skipped, report.copies.len()), (0, 2, 1));
}

#[test]
fn captures_that_change_places_keep_their_rows() {
    let stage = Stage::new(2);
    let _ = stage.run();
    let captures = stage.found();
    let hashes = stage.hashes();
    let aside = stage.folder.path().join("aside");
    fs::rename(&captures[0], &aside).unwrap();
    fs::rename(&captures[1], &captures[0]).unwrap();
    fs::rename(&aside, &captures[1]).unwrap();
    for _ in 0..2 {
        let _ = stage.run();
        assert_eq!(stage.hashes(), hashes);
    }
}

/// Long names are cut, so both have tables of the same names.
#[test]
fn equal_captures_with_long_names_keep_their_tables() {
    let stage = Stage::new(1);
    let original = stage.found().remove(0);
    let long = "x".repeat(100);
    let names = ["1", "2"].map(|end| stage.captures().join(format!("{long}{end}.pcap.gz")));
    fs::rename(&original, &names[0]).unwrap();
    let _ = stage.run();
    fs::copy(&names[0], &names[1]).unwrap();
    let _ = stage.run();
    let lost = stage.files().into_keys().next().unwrap();
    fs::remove_file(stage.tables().join(lost)).unwrap();
    // Only the copy is named, and becomes the owner of files with the same names.
    let _ = stage.open().unwrap().run(&names[1..], &|_| {}).unwrap();
    assert_eq!(stage.hashes(), [hash(&names[0])]);
    stage.change(&names[0], 8);
    let _ = stage.run();
    assert_eq!(stage.hashes(), sorted(names.iter().map(|path| hash(path)).collect()));
}

#[test]
fn tables_that_a_killed_run_replaced_and_did_not_remove_are_removed_by_the_next() {
    let stage = Stage::new(2);
    let _ = stage.run();
    let old = stage.files();
    let captures = stage.found();
    stage.change(&captures[0], 8);
    let _ = stage.run();
    let new = stage.files();
    // It was killed after the line `done`, and before the old tables were removed.
    for (path, bytes) in old {
        fs::write(stage.tables().join(path), bytes).unwrap();
    }
    let report = stage.run();
    assert_eq!((report.converted.len(), report.skipped), (0, 2));
    assert!(stage.files() == new, "{:?}", stage.files().keys());
}

#[test]
fn a_foreign_manifest_is_left_as_it_is() {
    let stage = Stage::new(1);
    fs::create_dir_all(stage.tables()).unwrap();
    for text in ["{\"mine\":1}\n{\"no end", "no line at all"] {
        let path = stage.tables().join("manifest.jsonl");
        fs::write(&path, text).unwrap();
        let refused = stage.open();
        assert!(matches!(refused, Err(ArchiveError::Manifest { error: ManifestError::Format, .. })));
        drop(refused);
        assert_eq!(fs::read_to_string(path).unwrap(), text);
    }
}

/// Joins captures to one with a connection for each of them.
fn joined(paths: &[PathBuf]) -> Vec<u8> {
    let mut all = Vec::new();
    for path in paths {
        let mut pcap = Vec::new();
        MultiGzDecoder::new(fs::File::open(path).unwrap()).read_to_end(&mut pcap).unwrap();
        // A pcap file has one header of 24 bytes.
        all.extend_from_slice(&pcap[if all.is_empty() { 0 } else { 24 }..]);
    }
    all
}

/// They vanished silently, except for the one with the most messages.
#[test]
fn every_connection_of_a_capture_has_tables() {
    let stage = Stage::new(3);
    let alone = stage.run();
    let captures = stage.found();
    let both = joined(&captures);
    captures.iter().for_each(|path| fs::remove_file(path).unwrap());
    fs::remove_dir_all(stage.tables()).unwrap();
    let path = stage.captures().join("both.pcap");
    fs::write(&path, both).unwrap();
    let report = stage.run();
    let [file] = &report.converted[..] else { panic!("{report:?}") };
    assert_eq!((file.connections.len(), file.tables.len(), file.faults), (3, 15, 0));
    let updates = |report: &Report| {
        let tables = report.converted.iter().flat_map(|file| &file.tables);
        sorted(
            tables
                .filter(|table| table.path.starts_with("updates/"))
                .map(|table| table.rows.to_string())
                .collect(),
        )
    };
    assert_eq!(updates(&report), updates(&alone));
    let files = stage.files();
    assert_eq!(files.len(), 15);
    for server in 1..=3 {
        let folder = format!("server=10.0.1.{server}-9000");
        assert_eq!(files.keys().filter(|path| path.contains(&folder)).count(), 5, "{:?}", files.keys());
    }
    // All three are skipped together, and go together.
    assert_eq!(stage.run().skipped, 1);
    stage.change(&path, 8);
    let _ = stage.run();
    assert_eq!(stage.files().len(), 5);
}

#[test]
fn captures_of_json_lines_are_of_an_unknown_server_and_date() {
    let stage = Stage::new(0);
    fs::create_dir_all(stage.captures()).unwrap();
    let message = "48f7000002000050340000002a00b4a98f49fd42d06414429002bc4299d08c3eaa2076bf5a00010000000000";
    let whole = format!("{{\"dir\":\"s2c\",\"t_rel\":1,\"payload_hex\":\"{message}\"}}\n");
    fs::write(stage.captures().join("messages.jsonl"), whole).unwrap();
    // The same as datagrams, whose addresses are made up.
    let mut lines = String::new();
    let mut tape = evenstride_replay::Tape::new().unwrap();
    let bytes: Vec<u8> = (0..message.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&message[at..at + 2], 16).unwrap())
        .collect();
    let message = evenstride_wire::decode(&bytes).unwrap().message;
    for datagram in tape.server_datagrams(&[message]) {
        let hex: String = datagram.iter().map(|byte| format!("{byte:02x}")).collect();
        lines += &format!("{{\"dir\":\"s2c\",\"t\":1,\"pair\":0,\"data\":\"{hex}\"}}\n");
    }
    fs::write(stage.captures().join("datagrams.jsonl"), lines).unwrap();
    let report = stage.run();
    assert_eq!(report.converted.len(), 2, "{report:?}");
    let files = stage.files();
    assert_eq!(files.len(), 10);
    assert!(files.keys().all(|path| path.contains("/server=unknown/date=unknown/")), "{:?}", files.keys());
}

#[cfg(unix)]
#[test]
fn links_that_lead_back_give_no_second_spelling_and_what_cannot_be_read_is_named() {
    use std::os::unix::{ffi::OsStrExt, fs::symlink};

    let stage = Stage::new(2);
    let folder = stage.captures();
    symlink(".", folder.join("again")).unwrap();
    symlink("..", folder.join("server-0/above")).unwrap();
    symlink(&stage.found()[0], folder.join("link.pcap.gz")).unwrap();
    let odd = folder.join(std::ffi::OsStr::from_bytes(b"odd-\xFF.pcap.gz"));
    fs::rename(&stage.found()[1], &odd).unwrap();
    for pattern in ["", "/**/*.pcap.gz", "/**/*.gz", "/*/../**/*.gz"] {
        let found = find_captures(&[format!("{}{pattern}", folder.display())]).unwrap();
        assert_eq!((found.captures.len(), found.unreadable.len()), (2, 0), "{pattern}: {found:?}");
        assert!(found.captures.contains(&odd) || pattern.contains(".."));
    }
    symlink("itself", folder.join("itself")).unwrap();
    let found = find_captures(&[folder.display().to_string()]).unwrap();
    assert_eq!(found.captures.len(), 2);
    assert_eq!(found.unreadable.iter().map(|(path, _)| path).collect::<Vec<_>>(), [&folder.join("itself")]);
}

#[test]
fn the_same_number_gives_the_same_capture() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..3 {
        let [one, other] = ["one", "other"].map(|name| {
            write_capture(&folder.path().join(name), number, &["walk", "beasts", "chase-5hz"]).unwrap()
        });
        assert_eq!(one.file_name(), other.file_name());
        assert!(fs::read(one).unwrap() == fs::read(other).unwrap(), "number {number}");
    }
}
