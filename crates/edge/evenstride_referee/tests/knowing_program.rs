//! A program that knows every answer passes every trace, and one wrong value is named with its
//! behaviour. Its answers come from the traces, and it is a script of the shell.

#![cfg(unix)]

use std::{fs, path::Path, path::PathBuf, time::Duration};

use evenstride_referee::{Mode, Reason, Score, Session, Settings, Verdict, judge, report};
use evenstride_trace::{DriverName, LineKind, Trace, find_traces};
use serde_json::{Map, Value, json};

const HELLO: &str = r#"{"type":"hello","protocol":1,"name":"knowing","drivers":{"math_calls":{},"internal":{},"update_object":{},"use_time":{},"render38":{},"sequence":{},"moveto":{},"motion_table":{},"motion_interp":{}}}"#;

fn golden() -> Vec<Trace> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../testdata/golden");
    find_traces(&folder).unwrap().iter().map(|path| Trace::read(path).unwrap()).collect()
}

/// Returns the answers to a trace, one for the header and one for each line.
fn answers(trace: &Trace) -> Vec<Map<String, Value>> {
    let of = |line: &evenstride_trace::Line| {
        let mut out = line.expected().unwrap().clone();
        if line.kind == LineKind::Tick {
            ["type", "tick", "t", "dt"].iter().for_each(|input| drop(out.remove(*input)));
        }
        out
    };
    std::iter::once(Map::new()).chain(trace.lines.iter().map(of)).collect()
}

/// Writes a program that answers its first questions with these. Returns its command.
fn program(folder: &Path, answers: impl Iterator<Item = Map<String, Value>>) -> String {
    let mut text = format!("{HELLO}\n");
    for (id, out) in answers.enumerate() {
        text += &format!("{}\n", json!({"id": id, "out": out}));
    }
    let file: PathBuf = folder.join("answers");
    fs::write(&file, text).unwrap();
    // For each line that it reads, it writes the next one of the file.
    format!("sed -u -e 'R {}' -e d", file.display())
}

fn run(command: String, mode: Mode, traces: &[Trace]) -> Score {
    let mut session = Session::new(Settings { command, timeout: Duration::from_secs(60), mode });
    Score { judged: traces.iter().map(|trace| judge(&mut session, trace)).collect() }
}

fn failures(score: &Score) -> Vec<String> {
    let failed = score.judged.iter().filter(|judged| judged.verdict != Verdict::Pass);
    failed.map(|judged| format!("{}: {}", judged.name, report::reason(judged).unwrap())).collect()
}

#[test]
fn a_program_that_knows_every_answer_passes_352_of_352_traces() {
    let traces = golden();
    let folder = tempfile::tempdir().unwrap();
    let command = program(folder.path(), traces.iter().flat_map(answers));
    let score = run(command, Mode::Dialogue, &traces);
    assert_eq!(failures(&score), [""; 0]);
    assert_eq!((score.total().passed, score.total().all(), score.total().percent()), (352, 352, 100));
    let drivers = score.by_driver();
    assert!(DriverName::ALL.iter().all(|driver| drivers[&Some(*driver)].passed > 0));
}

#[test]
fn a_program_that_knows_every_answer_passes_a_batch_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut passed = 0;
    for trace in golden() {
        let command = program(folder.path(), answers(&trace).into_iter());
        let score = run(command, Mode::Batch, std::slice::from_ref(&trace));
        assert_eq!(failures(&score), [""; 0]);
        passed += score.total().passed;
    }
    assert_eq!(passed, 352);
}

/// A wrong value: driver, trace, field and the behaviour that it breaks.
const WRONG: [(DriverName, &str, &str, &str); 9] = [
    (DriverName::MathCalls, "r_math_7000", "ok", "outdoor-cells"),
    (DriverName::Internal, "h21_queue_overflow", "queue", "queue-overflow"),
    (DriverName::UpdateObject, "h34_huge_dt_and_slicing", "quanta", "slicing"),
    (DriverName::UseTime, "h32_dt_below_min_quantum", "quanta", "frame-gate"),
    (DriverName::Render38, "h58_render38_60fps", "alpha", "drawn-between-steps"),
    (DriverName::Sequence, "h50_seq_forward_cyclic", "frame_number", "sequence"),
    (DriverName::MoveTo, "m12_t8_flee_position", "away", "keep-away"),
    (DriverName::MotionTable, "t14_action_from_ready", "actions", "table-actions"),
    (DriverName::MotionInterp, "i11_adjust_motion_matrix", "adjusted", "adjust-motion"),
];

#[test]
fn one_wrong_value_of_each_driver_is_named_with_its_behaviour() {
    let traces = golden();
    for (driver, name, field, behaviour) in WRONG {
        let trace = traces.iter().find(|trace| trace.header.name == name).unwrap();
        assert_eq!(trace.header.driver, driver.name());
        let mut answers = answers(trace);
        let spoilt = answers.iter_mut().position(|answer| spoil(answer, field)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let command = program(folder.path(), answers.into_iter());
        let score = run(command, Mode::Dialogue, std::slice::from_ref(trace));
        let Verdict::Fail(Reason::Differs { difference, behaviour: found }) = &score.judged[0].verdict else {
            panic!("{name}: {:?}", score.judged[0].verdict)
        };
        let named = difference.field.rsplit('.').next().unwrap();
        // The answer to the header comes first, so the answers are counted as the lines are.
        assert_eq!((named, difference.line), (field, spoilt + 1), "{name}");
        assert_eq!(found.unwrap().id, behaviour, "{name}: {}", difference.what);
    }
}

/// Changes a field of an answer, or of a body in it. Returns whether it has the field.
fn spoil(answer: &mut Map<String, Value>, field: &str) -> bool {
    if let Some(value) = answer.get_mut(field) {
        *value = wrong(value);
        return true;
    }
    let bodies = answer.get_mut("objs").and_then(Value::as_array_mut);
    bodies.into_iter().flatten().filter_map(Value::as_object_mut).any(|body| spoil(body, field))
}

/// Returns another value of the same kind.
fn wrong(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().unwrap() + 7.0),
        Value::Array(list) if list.is_empty() => json!([7]),
        Value::Array(list) => list.iter().map(wrong).collect(),
        Value::Bool(flag) => json!(!flag),
        _ => json!("wrong"),
    }
}
