//! Every `--json` output follows its published schema, and every schema has outputs.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use assert_cmd::Command;
use evenstride_dat::{ArchiveWriter, LandBlock, RecordId, Region};
use serde_json::Value;

/// Schemas, and the arguments whose outputs follow them. A new command needs a line here, a file in
/// `docs/schemas` and a section in `docs/json.md`.
const OUTPUTS: &[(&str, &str)] = &[
    ("inspect", "inspect CAPTURE --json"),
    ("inspect", "inspect CAPTURE --json --entity 0x50000002 --from 10 --to 20"),
    ("inspect", "inspect LINES CAPTURE NOWHERE --json"),
    ("replay", "replay CAPTURE --json"),
    ("replay", "replay CAPTURE --json --dat ARCHIVE --synctest 60 --profile retail --draw between"),
    ("replay", "replay LINES --json"),
    ("explain", "explain CAPTURE --entity 0x50000002 --json"),
    ("explain", "explain CAPTURE --entity 0x50000002 --json --at 20"),
    ("explain", "explain CAPTURE --entity 0x80000010 --json --at 0:40"),
    ("explain", "explain CAPTURE --json"),
    ("explain", "explain LINES --json"),
    ("moments", "moments CAPTURE --json"),
    ("moments", "moments CAPTURE --json --profile retail --kind teleport --entity ilse"),
    ("archive", "archive CAPTURE LINES --json -o TABLES"),
    ("watch", "watch CAPTURE --json --no-page"),
    ("watch", "watch CAPTURE --json --no-page --profile retail --fps 30"),
    ("score", "score walk jump-running --json"),
    ("score", "score walk turn --json --mean"),
    ("score", "score walk --json --timing"),
    ("score", "score CAPTURE --json"),
    ("conform", "conform --against ECHO --driver math_calls,render38 --json GOLDEN"),
    ("conform", "conform --against REFUSER --driver moveto --json GOLDEN"),
    ("conform", "conform --against NOWHERE --behaviour tether --json GOLDEN"),
    ("dat-ls", "dat ARCHIVE ls --json"),
    ("dat-ls", "dat CELL ls --json"),
    ("dat-check", "dat ARCHIVE check --json"),
    ("dat-check", "dat DAMAGED check --json"),
    ("dat-show", "dat ARCHIVE show 0x02000001 --json"),
    ("dat-show", "dat ARCHIVE show 0x03000003 --json"),
    ("dat-show", "dat ARCHIVE show 0x09000001 --json"),
    ("dat-show", "dat ARCHIVE show 0xFFFF0001 --json"),
    ("dat-show", "dat PORTAL show 0x13000000 --json"),
    ("dat-show", "dat CELL show 0xA9B4FFFF --json --portal PORTAL"),
    ("dat-root-motion", "dat ARCHIVE root-motion 0x09000001 --format json"),
    ("dat-root-motion", "dat ARCHIVE root-motion 0x09000001 --command TurnLeft --format json -o -"),
];

#[test]
fn outputs_follow_their_schemas() {
    let files = Files::new();
    for (schema, line) in OUTPUTS {
        let text = fs::read_to_string(schemas().join(format!("{schema}.schema.json"))).unwrap();
        let schema: Value = serde_json::from_str(&text).unwrap();
        assert!(jsonschema::meta::is_valid(&schema), "{line}");
        let validator = jsonschema::validator_for(&schema).unwrap();
        let args = line.split(' ').map(|word| files.replace(word));
        let output = Command::cargo_bin("evenstride").unwrap().args(args).output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        assert!(!out.is_empty(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        for object in out.lines() {
            let object: Value = serde_json::from_str(object).unwrap();
            let problems: Vec<String> =
                validator.iter_errors(&object).map(|of| format!("{}: {of}", of.instance_path())).collect();
            assert_eq!(problems, [""; 0], "{line}");
            // A schema that accepts anything would promise nothing.
            for field in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                let mut less = object.clone();
                less.as_object_mut().unwrap().remove(field);
                assert!(!validator.is_valid(&less), "{line}: {field} may be missing");
            }
        }
    }
}

#[test]
fn every_schema_has_outputs_and_a_section() {
    let tested: BTreeSet<String> = OUTPUTS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let written: BTreeSet<String> = fs::read_dir(schemas())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap().replace(".schema.json", ""))
        .collect();
    assert_eq!(tested, written);
    let page = fs::read_to_string(schemas().join("../json.md")).unwrap();
    for name in &written {
        assert!(
            page.contains(&format!("(schemas/{name}.schema.json)")),
            "docs/json.md has no link to {name}"
        );
    }
}

/// A command with `--json` in its help has a schema.
#[test]
fn every_command_with_json_has_a_schema() {
    let help = |args: &[&str]| {
        let output = Command::cargo_bin("evenstride").unwrap().args(args).arg("--help").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let commands = |help: &str| -> Vec<String> {
        let list =
            help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        let names = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
    };
    let mut found = 0;
    let mut check = |name: &str, help: &str| {
        let is_json = help.lines().any(|line| line.trim_start().starts_with("--json"));
        found += usize::from(is_json);
        assert!(!is_json || OUTPUTS.iter().any(|(schema, _)| *schema == name), "{name} has no schema");
    };
    for command in commands(&help(&[])).iter().filter(|name| *name != "help") {
        let own = help(&[command]);
        check(command, &own);
        for below in commands(&own).iter().filter(|name| *name != "help") {
            // The archive comes before the command.
            check(&format!("{command}-{below}"), &help(&[command, "FILE", below]));
        }
    }
    assert!(found >= 7, "{found}");
}

fn schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/schemas")
}

fn project(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path);
    path.canonicalize().expect("it is part of the project").display().to_string()
}

/// Returns a command that shakes hands and claims one driver.
fn answerer(driver: &str) -> String {
    let hello = format!(r#"{{"type":"hello","protocol":1,"name":"x","drivers":{{"{driver}":{{}}}}}}"#);
    format!("read line; echo '{hello}';")
}

/// Files that the arguments name.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
        let block = LandBlock {
            id: RecordId(0xA9B4_FFFF),
            has_objects: 0,
            terrain: [0; 81],
            heights: std::array::from_fn(|post| post as u8),
        };
        let region = Region {
            id: RecordId::REGION,
            number: 1,
            name: b"Dereth".to_vec(),
            blocks: [255, 255],
            spacing: 24.0,
            squares: [8, 8],
            sizes: [0.0; 3],
            heights: std::array::from_fn(|step| step as f32 * 2.0),
        };
        write("CELL", &ArchiveWriter::cell().add_record(&block).unwrap().finish().unwrap());
        write("PORTAL", &ArchiveWriter::portal().add_record(&region).unwrap().finish().unwrap());
        let mut damaged = fs::read(project("testdata/archives/synthetic_portal.dat")).unwrap();
        damaged.truncate(8_192);
        write("DAMAGED", &damaged);
        let line = r#"{"dir":"s2c","t_rel":1.5,"payload_hex":"48f7000002000050340000002a00b4a98f49fd42d06414429002bc4299d08c3eaa2076bf5a00010000000000"}"#;
        write("LINES", format!("{line}\nbroken\n").as_bytes());
        Self(folder)
    }

    fn replace(&self, word: &str) -> String {
        match word {
            "CAPTURE" => project("testdata/captures/first-light.pcap"),
            "GOLDEN" => project("testdata/golden"),
            "ECHO" => format!(
                "{} {}",
                answerer("math_calls"),
                r#"sed -u -E 's/^(.*"id":([0-9]+).*)$/{"id":\2,"out":{}}/'"#
            ),
            "REFUSER" => answerer("math_calls"),
            "ARCHIVE" => project("testdata/archives/synthetic_portal.dat"),
            "CELL" | "PORTAL" | "DAMAGED" | "LINES" | "NOWHERE" | "TABLES" => {
                self.0.path().join(word).display().to_string()
            }
            word => word.to_owned(),
        }
    }
}
