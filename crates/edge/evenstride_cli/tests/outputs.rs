//! Inputs are never overwritten, and outputs appear whole or not at all.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn first_light() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../testdata/captures/first-light.pcap");
    path.canonicalize().expect("the capture is part of the project")
}

/// Runs the program in a folder, through a shell where `PROGRAM` and `CAPTURE` are set.
fn shell(folder: &Path, script: &str) -> (i32, String) {
    let program = assert_cmd::cargo::cargo_bin("evenstride");
    let Output { status, stderr, stdout } = Command::new("sh")
        .args(["-c", script])
        .current_dir(folder)
        .env("PROGRAM", program)
        .env("CAPTURE", first_light())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    (status.code().unwrap_or(-1), text)
}

const SCENARIO: &str = "title = \"One walks\"\nseconds = 3\n[[actor]]\nname = \"Ilse\"\nkind = \"player\"\nat = [90, 100]\nscript = [\"1 walk\"]\n";

/// Names of all files in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_scenario_named_as_output_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    fs::write(&path, SCENARIO).unwrap();
    for arguments in [
        "demo mine.toml -o ./mine.toml",
        "simulate mine.toml -o mine.toml",
        "simulate mine.toml -o a.pcap --truth mine.toml",
    ] {
        let (code, text) = shell(folder.path(), &format!("$PROGRAM {arguments}"));
        assert!(code == 2 && text.contains("is also an input (the scenario)"), "{arguments}: {code} {text}");
        assert_eq!(fs::read_to_string(&path).unwrap(), SCENARIO, "{arguments}");
    }
    assert_eq!(names(folder.path()), ["mine.toml"]);
}

#[test]
fn an_output_that_is_standard_input_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let line = "{\"dir\":\"s2c\",\"t_rel\":1,\"payload_hex\":\"46f7000002000050\"}\n";
    fs::write(folder.path().join("in.jsonl"), line).unwrap();
    let (code, text) = shell(folder.path(), "$PROGRAM replay - -o in.jsonl < in.jsonl");
    assert!(code == 2 && text.contains("is also an input (a capture)"), "{code} {text}");
    assert_eq!(fs::read_to_string(folder.path().join("in.jsonl")).unwrap(), line);
    let (code, text) = shell(folder.path(), "$PROGRAM replay in.jsonl -o out.jsonl > out.jsonl");
    assert!(code == 2 && text.contains("is also the standard output"), "{code} {text}");
}

#[cfg(unix)]
#[test]
fn two_names_of_one_file_are_not_written_both() {
    for (prepare, arguments) in [
        ("echo x > a.csv; ln a.csv b.csv", "replay $CAPTURE -o a.csv -o b.csv"),
        ("echo x > a.csv; ln -s a.csv b.csv", "replay $CAPTURE -o a.csv -o b.csv"),
        ("ln -s a.csv b.csv", "replay $CAPTURE -o a.csv -o b.csv"),
        ("mkdir c; ln -s . d", "replay $CAPTURE -o c/../a.csv -o d/a.csv"),
        ("echo x > a.pcap; ln a.pcap b.csv", "simulate walk -o a.pcap --truth b.csv"),
        ("true", "simulate walk -o a.pcap --truth ./a.pcap"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (code, text) = shell(folder.path(), &format!("{prepare}; $PROGRAM {arguments}"));
        assert!(
            code == 2 && text.contains("would be written twice"),
            "{prepare}; {arguments}: {code} {text}"
        );
        if prepare.starts_with("echo x > a.csv") {
            assert_eq!(fs::read_to_string(folder.path().join("a.csv")).unwrap(), "x\n", "{prepare}");
        }
    }
}

/// Every command that writes a file, and the file.
const WRITERS: [(&str, &str); 7] = [
    ("replay $CAPTURE -o kept.csv", "kept.csv"),
    ("replay $CAPTURE -o kept.jsonl", "kept.jsonl"),
    ("replay $CAPTURE -o kept.html", "kept.html"),
    ("demo walk -o kept.html", "kept.html"),
    ("simulate crowd-200 -o kept.pcap", "kept.pcap"),
    ("simulate crowd-200 -o other.pcap --truth kept.csv", "kept.csv"),
    ("dat $ARCHIVE root-motion 0x09000001 -o kept.csv --seconds 60", "kept.csv"),
];

/// A limit on the size of files stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_previous_file_whole() {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../testdata/archives");
    let archive = fs::read_dir(archive).unwrap().find_map(|entry| {
        let path = entry.unwrap().path();
        (path.extension()? == "dat").then_some(path)
    });
    let archive = archive.expect("an archive is part of the project").canonicalize().unwrap();
    for (arguments, name) in WRITERS {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), "precious").unwrap();
        let script = format!(
            "trap '' XFSZ; ulimit -f 8; ARCHIVE={}; $PROGRAM {}",
            archive.display(),
            arguments.replace("other.pcap", "/dev/null")
        );
        let (code, text) = shell(folder.path(), &script);
        assert!(code == 2 && text.contains("File too large"), "{arguments}: {code} {text}");
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "precious", "{arguments}");
        assert_eq!(names(folder.path()), [name], "{arguments}: nothing unfinished is left");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_the_previous_file_whole() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("kept.csv"), "precious").unwrap();
    // A shell makes its background jobs ignore an interrupt, so the program gets a similar signal. The unfinished file shows that
    // rows are being written.
    let script = "$PROGRAM replay $CAPTURE --fps 1000 -o kept.csv & pid=$!\n\
        for i in $(seq 500); do [ -n \"$(ls | grep part)\" ] && break; sleep 0.01; done\n\
        kill -TERM $pid; wait $pid";
    let (code, text) = shell(folder.path(), script);
    assert_ne!(code, 0, "{text}");
    assert_eq!(fs::read_to_string(folder.path().join("kept.csv")).unwrap(), "precious");
}

#[cfg(unix)]
#[test]
fn devices_links_and_permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (code, text) = shell(
        folder.path(),
        "$PROGRAM simulate walk -o /dev/null && $PROGRAM demo walk -o /dev/stdout > demo.txt",
    );
    assert_eq!(code, 0, "{text}");
    let demo = fs::read_to_string(path("demo.txt")).unwrap();
    assert!(demo.starts_with("<!doctype html>") && demo.contains("Open /dev/stdout in a browser"), "{demo}");
    let (code, text) = shell(
        folder.path(),
        "mkfifo pipe.html; cat pipe.html > got.html & $PROGRAM demo walk -o pipe.html; wait",
    );
    assert!(code == 0 && fs::read_to_string(path("got.html")).unwrap().ends_with("</html>\n"), "{text}");
    let (code, text) = shell(folder.path(), "$PROGRAM simulate walk -o /dev/full");
    assert!(code == 2 && text.contains("No space left on device"), "{code} {text}");
    // A link stays a link, a mode stays a mode, and a new file has the usual one.
    let script = "umask 022; echo x > real.html; chmod 640 real.html; ln -s real.html link.html; $PROGRAM demo walk -o link.html; $PROGRAM demo walk -o new.html";
    let (code, text) = shell(folder.path(), script);
    assert_eq!(code, 0, "{text}");
    let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
    assert!(fs::symlink_metadata(path("link.html")).unwrap().is_symlink());
    assert!(fs::read_to_string(path("real.html")).unwrap().ends_with("</html>\n"));
    assert_eq!((mode("real.html"), mode("new.html")), (0o640, 0o644));
    assert!(names(folder.path()).iter().all(|name| !name.contains("part")));
}

#[test]
fn changed_rows_alone_are_for_tables() {
    let folder = tempfile::tempdir().unwrap();
    let (code, text) = shell(folder.path(), "$PROGRAM replay $CAPTURE -o a.csv --changed");
    assert!(code == 2 && text.contains("--changed is for tracks as .parquet"), "{code} {text}");
    let both =
        "$PROGRAM replay $CAPTURE -q -o all.parquet && $PROGRAM replay $CAPTURE -q --changed -o some.parquet";
    let (code, text) = shell(folder.path(), both);
    assert_eq!(code, 0, "{text}");
    let size = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len();
    assert!(size("some.parquet") < size("all.parquet"));
    assert_eq!(names(folder.path()), ["all.parquet", "some.parquet"]);
    // Standard output takes a table too.
    let (code, text) = shell(folder.path(), "$PROGRAM replay $CAPTURE -q --format parquet -o - | head -c 4");
    assert!(text.starts_with("PAR1"), "{code} {text}");
}
