//! Archives: what is done is skipped, what was killed goes on, and bad files stop nothing.

use std::{
    collections::BTreeMap,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use evenstride_archive::{
    ConvertOptions,
    archive::{Archive, ArchiveError, ManifestError, Report, Settings, find_captures},
    sample::write_capture,
};

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

    fn open(&self) -> Result<Archive, ArchiveError> {
        Archive::open(&self.tables(), &settings(), ConvertOptions::default(), 2)
    }

    fn run(&self) -> Report {
        let captures = find_captures(&[self.captures().display().to_string()]).unwrap();
        self.open().unwrap().run(&captures, &|_| {}).unwrap()
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
    }
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
    let captures = find_captures(&[stage.captures().display().to_string()]).unwrap();
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
    let mut whole =
        fs::read(find_captures(&[stage.captures().display().to_string()]).unwrap().pop().unwrap()).unwrap();
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
    let captures = find_captures(&[stage.captures().display().to_string()]).unwrap();
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
    let captures = find_captures(&[stage.captures().display().to_string()]).unwrap();
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
    let captures = find_captures(&[stage.captures().display().to_string()]).unwrap();
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
