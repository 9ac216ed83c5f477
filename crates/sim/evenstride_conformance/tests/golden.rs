//! The reference traces, through the same code the program runs.

use std::{
    collections::BTreeMap,
    io::Read,
    path::{Path, PathBuf},
};

use evenstride_conformance::start;
use evenstride_trace::{
    DriverName, Failure, LineKind, Report, Trace, Verdict, find_traces, run_file, run_trace,
};
use evenstride_types::StateHash;
use serde_json::Value;

fn golden() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../testdata/golden");
    find_traces(&folder).expect("the reference traces are part of the project")
}

/// No trace may be missing, added or edited unnoticed.
#[test]
fn all_352_traces_are_there_to_the_byte() {
    let mut hash = StateHash::new();
    let mut by_driver = BTreeMap::<String, (usize, usize)>::new();
    for path in golden() {
        let mut text = String::new();
        let file = std::fs::File::open(&path).unwrap();
        flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
        let trace = Trace::parse(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        assert_eq!(path.file_name().unwrap().to_str().unwrap(), format!("{}.jsonl.gz", trace.header.name));
        let (files, lines) = by_driver.entry(trace.header.driver).or_default();
        *files += 1;
        *lines += trace.lines.len();
        hash.bytes(text.as_bytes());
    }
    let table: Vec<_> =
        by_driver.into_iter().map(|(driver, (files, lines))| format!("{driver} {files} {lines}")).collect();
    insta::assert_snapshot!(format!("{}\nfnv {:016X}", table.join("\n"), hash.finish()));
}

#[test]
fn every_driver_passes_every_trace() {
    let mut report = Report::default();
    let mut failures = Vec::new();
    for path in golden() {
        let outcome = run_file(&path, |_| true, start);
        match &outcome.verdict {
            Verdict::Fail(failure) => failures.push(format!("{}: {failure}", path.display())),
            Verdict::Pass | Verdict::NotSelected => {}
        }
        report.count(&outcome);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let passed: Vec<_> = report.by_driver().map(|(driver, tally)| (driver.unwrap(), tally.passed)).collect();
    let expected = DriverName::ALL.into_iter().zip([4, 58, 24, 18, 7, 13, 104, 64, 60]).collect::<Vec<_>>();
    assert_eq!(passed, expected);
}

/// A comparison that cannot fail is worth nothing: bend every single answer of a trace and see it noticed.
#[test]
fn a_changed_answer_anywhere_is_noticed() {
    for (name, least) in [
        ("r_math_7000", 200),
        ("h14_airborne_jump_landing", 1_000),
        ("h61_render38_teleport", 400),
        ("h53_seq_links_then_cycle", 100),
        ("t20_promotion_of_modifier_to_substate", 100),
        ("i10_raw_commands_local_player", 500),
    ] {
        let path = golden().into_iter().find(|p| p.ends_with(format!("{name}.jsonl.gz"))).unwrap();
        let trace = Trace::read(&path).unwrap();
        let mut bent = 0;
        for index in 0..trace.lines.len() {
            // Lines before the bent one set the scene; a sample of them is enough for long traces.
            if trace.lines.len() > 100 && index % 7 != 3 {
                continue;
            }
            let fields: Vec<String> = trace.lines[index].expected().unwrap().keys().cloned().collect();
            for field in fields.iter().filter(|field| !["type", "tick", "t", "dt"].contains(&field.as_str()))
            {
                let mut changed = trace.clone();
                changed.lines.truncate(index + 1);
                let line = &mut changed.lines[index];
                let out = if line.kind == LineKind::Tick {
                    &mut line.fields
                } else {
                    line.fields["out"].as_object_mut().unwrap()
                };
                out[field] = bend(&out[field]);
                match run_trace(&changed, |_| true, start).verdict {
                    Verdict::Fail(Failure::Differs(difference)) => {
                        assert_eq!(
                            (difference.line, &difference.field),
                            (line_number(&trace, index), field),
                            "{name}"
                        );
                    }
                    other => panic!("{name} line {} {field}: {other:?}", line_number(&trace, index)),
                }
                bent += 1;
            }
        }
        assert!(bent > least / 7, "{name}: {bent}");
    }
}

fn line_number(trace: &Trace, index: usize) -> usize {
    trace.lines[index].number
}

/// The smallest change that must be noticed: more than any tolerance.
fn bend(value: &Value) -> Value {
    match value {
        Value::Array(items) if items.is_empty() => Value::Array(vec!["surprise".into()]),
        Value::Array(items) => {
            let mut items = items.clone();
            items[0] = bend(&items[0]);
            items.into()
        }
        Value::Number(number) => (number.as_f64().unwrap() + 0.06).into(),
        _ => "0x00000000".into(),
    }
}
