//! Programs that hang, flood, write rubbish, end or echo. Each fails the present trace, and the run
//! goes on. They are scripts of the shell, so these tests run on Unix.

#![cfg(unix)]

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use evenstride_referee::{Fault, Mode, Reason, Score, Session, Settings, Verdict, judge_file, report};
use evenstride_trace::{DriverName, find_traces};
use serde_json::{Map, Value};

/// A handshake that claims everything.
const HELLO: &str = r#"read line; echo '{"type":"hello","protocol":1,"name":"bad","drivers":{"math_calls":{},"internal":{},"update_object":{},"use_time":{},"render38":{},"sequence":{},"moveto":{},"motion_table":{},"motion_interp":{}}}'; "#;

/// The same with the fewest fields that a program may claim.
const LEAST: &str = r#"read line; echo '{"type":"hello","protocol":1,"name":"bad","drivers":{"math_calls":{},"internal":{"fields":["cell","pos"]},"update_object":{"fields":["cell","pos"]},"use_time":{"fields":["cell","pos"]},"render38":{"fields":["render"]},"sequence":{"fields":["offset"]},"moveto":{"fields":["pos","h","mt","value","ok","cmd","speed"]},"motion_table":{"fields":["style","substate","nodes"]},"motion_interp":{"fields":["style","substate","interp"]}}}'; "#;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../testdata/golden").join(name)
}

fn traces(names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| golden(&format!("{name}.jsonl.gz"))).collect()
}

fn score(command: &str, mode: Mode, timeout_secs: f64, traces: &[PathBuf]) -> (Score, Session) {
    let timeout = Duration::from_secs_f64(timeout_secs);
    let mut session = Session::new(Settings { command: command.to_owned(), timeout, mode });
    let judged = traces.iter().map(|path| judge_file(&mut session, path)).collect();
    (Score { judged }, session)
}

/// Runs a program against two traces. Returns the fault of the first, and how often it was started.
fn fault_of(command: &str) -> (Fault, u32) {
    let (score, session) = score(command, Mode::Dialogue, 1.0, &traces(&["r_math_7000", "r_math_7001"]));
    let faults: Vec<Fault> = score
        .judged
        .iter()
        .map(|judged| match &judged.verdict {
            Verdict::Fail(Reason::Fault(fault)) => fault.clone(),
            other => panic!("{command}: {other:?}"),
        })
        .collect();
    assert_eq!(score.total().failed, 2, "{command}");
    (faults[0].clone(), session.starts())
}

#[test]
fn a_program_that_hangs_costs_its_time_and_is_started_again() {
    let before = Instant::now();
    let (fault, starts) = fault_of(&format!("{HELLO} sleep 600"));
    assert!(matches!(&fault, Fault::Hung { to, .. } if to == "the header"), "{fault}");
    assert_eq!(starts, 2);
    assert!(before.elapsed() < Duration::from_secs(20));
    let (fault, _) = fault_of("sleep 600");
    assert_eq!(fault.to_string(), "no answer to the handshake within 1 s");
}

#[test]
fn a_program_that_does_not_even_read_cannot_stop_the_referee() {
    let header = r#"{"type":"header","schema":1,"name":"x","driver":"internal","settings":{}}"#;
    let tick = r#"{"type":"tick","tick":0,"t":0.5,"dt":0.5,"queue":0}"#;
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("long.jsonl");
    // Its inputs are longer than any pipe.
    fs::write(&trace, format!("{header}\n{}", vec![tick; 30_000].join("\n"))).unwrap();
    for mode in [Mode::Dialogue, Mode::Batch] {
        let (score, _) = score(&format!("{HELLO} sleep 600"), mode, 0.5, std::slice::from_ref(&trace));
        assert!(
            matches!(&score.judged[0].verdict, Verdict::Fail(Reason::Fault(Fault::Hung { .. }))),
            "{mode:?}"
        );
    }
}

#[test]
fn a_program_that_ends_is_quoted_and_started_again() {
    let (fault, starts) = fault_of(&format!("{HELLO} read line; echo 'out of mana' >&2; exit 3"));
    let said = fault.to_string();
    assert!(said.contains("ended (exit status: 3) before it answered the header"), "{said}");
    assert!(said.ends_with("its last words were: out of mana"), "{said}");
    assert_eq!(starts, 2);
    let (fault, _) = fault_of("this-program-is-not-installed");
    assert!(fault.to_string().contains("exit status: 127"), "{fault}");
}

#[test]
fn a_program_that_floods_is_read_within_bounds() {
    let (fault, starts) = fault_of(&format!("{HELLO} yes | tr -d '\\n'"));
    assert!(matches!(fault, Fault::Flooded { limit: 1_048_576, .. }), "{fault}");
    assert_eq!(starts, 2);
    // A flood of lines answers no question.
    let (fault, _) = fault_of(&format!("{HELLO} yes '{{\"id\":-1,\"out\":{{}}}}'"));
    assert!(fault.to_string().contains("id: missing; repeat the id"), "{fault}");
    // A flood of complaints is read and forgotten.
    let (fault, _) = fault_of(&format!("{HELLO} yes complaint | head -c 9000000 >&2; exit 1"));
    assert!(fault.to_string().len() < 1_500, "{fault}");
}

#[test]
fn rubbish_is_quoted_without_its_control_characters() {
    let (fault, starts) = fault_of(&format!("{HELLO} printf 'hello \\033[2J\\n'; cat >&2"));
    let said = fault.to_string();
    assert!(said.contains("not JSON at column 1"), "{said}");
    assert!(said.contains("\"hello \\u{1b}[2J\""), "{said}");
    assert_eq!(starts, 2);
    for (answer, reason) in [
        ("[]", "not a JSON object"),
        ("[[[[", "not JSON"),
        (r#"{"id":0,"out":7}"#, "out: not an object"),
        (r#"{"id":9,"out":{}}"#, "id: 9 is not the id of the question, 0"),
        ("\\377\\376", "not JSON"),
    ] {
        let (fault, _) = fault_of(&format!("{HELLO} read line; printf '{answer}\\n'; cat > /dev/null"));
        assert!(fault.to_string().contains(reason), "{answer}: {fault}");
    }
}

#[test]
fn a_handshake_of_another_version_is_refused_in_words() {
    let (fault, _) =
        fault_of(r#"read line; echo '{"type":"hello","protocol":2,"drivers":{}}'; cat > /dev/null"#);
    assert_eq!(fault.to_string(), "handshake: protocol 2 is unknown; answer with protocol 1");
}

#[test]
fn a_program_that_never_starts_is_given_up() {
    let paths: Vec<PathBuf> = find_traces(&golden("")).unwrap().into_iter().take(40).collect();
    let (score, session) = score("exit 1", Mode::Dialogue, 1.0, &paths);
    assert_eq!((score.total().failed, session.starts()), (40, 3));
    let last = report::reason(&score.judged[39]).unwrap();
    assert_eq!(last, "not run, because the program 3 times in a row failed to start");
}

#[test]
fn a_program_that_hangs_five_times_in_a_row_is_given_up_and_an_answer_in_between_counts() {
    let paths: Vec<PathBuf> = find_traces(&golden("")).unwrap().into_iter().take(12).collect();
    let [answered, ..] = paths[4].file_stem().unwrap().to_str().unwrap().split('.').collect::<Vec<_>>()[..]
    else {
        panic!("a trace without a name")
    };
    // It answers the fifth trace only.
    let command = format!(
        r#"{HELLO} read header; case "$header" in
        *'"name":"{answered}"'*) id=${{header##*'"id":'}}; echo "{{\"id\":${{id%%[,\}}]*}},\"unsupported\":\"x\"}}";;
        esac; sleep 600"#
    );
    let (score, session) = score(&command, Mode::Dialogue, 0.5, &paths);
    let hung = |index: usize| {
        matches!(&score.judged[index].verdict, Verdict::Fail(Reason::Fault(Fault::Hung { .. })))
    };
    assert!((0..4).chain(5..10).all(hung), "{:?}", score.judged);
    assert!(matches!(score.judged[4].verdict, Verdict::Unsupported(_)), "{:?}", score.judged[4].verdict);
    for judged in &score.judged[10..] {
        let said = report::reason(judged).unwrap();
        assert_eq!(said, "not run, because the program 5 times in a row did not answer in time");
    }
    // The program runs on after its answer, so the sixth trace needs no start.
    assert_eq!(session.starts(), 9);
}

#[test]
fn everything_that_a_program_starts_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("alive");
    let command = format!("{HELLO} (sleep 2; touch '{}') & sleep 600", file.display());
    let (score, _) = score(&command, Mode::Dialogue, 0.3, &traces(&["r_math_7000"]));
    assert_eq!(score.total().failed, 1);
    std::thread::sleep(Duration::from_secs(3));
    assert!(!file.exists());
}

#[test]
fn what_a_program_leaves_behind_after_its_own_end_ends_too() {
    let folder = tempfile::tempdir().unwrap();
    let answers = r#"read line; echo '{"id":0,"unsupported":"x"}'; cat > /dev/null"#;
    let ends = [("crash", "kill -9 $$"), ("exit", "exit 0"), ("end of its input", answers)];
    for (name, end) in ends {
        let file = folder.path().join(name);
        let command = format!("{HELLO} (sleep 2; touch '{}') > /dev/null 2>&1 & {end}", file.display());
        let (score, _) = score(&command, Mode::Dialogue, 1.0, &traces(&["r_math_7000"]));
        assert_eq!(score.total().passed, 0);
    }
    std::thread::sleep(Duration::from_secs(3));
    for (name, _) in ends {
        assert!(!folder.path().join(name).exists(), "{name}");
    }
}

#[test]
fn a_stopped_run_ends_its_program_and_starts_no_other() {
    let settings = Settings {
        command: format!("{HELLO} sleep 600"),
        timeout: Duration::from_secs(60),
        mode: Mode::Dialogue,
    };
    let mut session = Session::new(settings);
    let stopper = session.stopper();
    let waits = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        stopper.stop();
    });
    let before = Instant::now();
    let verdicts: Vec<String> = traces(&["r_math_7000", "r_math_7001"])
        .iter()
        .map(|path| report::reason(&judge_file(&mut session, path)).unwrap())
        .collect();
    waits.join().unwrap();
    assert!(before.elapsed() < Duration::from_secs(30));
    assert!(verdicts[0].contains("ended (signal: 9"), "{verdicts:?}");
    assert!(verdicts[1].contains("the run was stopped"), "{verdicts:?}");
}

#[test]
fn a_batch_with_unread_answers_does_not_wait_for_each_program() {
    let paths: Vec<PathBuf> = find_traces(&golden("")).unwrap().into_iter().take(40).collect();
    // It answers everything at once, and its first answer is wrong.
    let command = format!(r#"{HELLO} sed -E 's/^.*"id":([0-9]+).*$/{{"id":\1,"out":{{}}}}/'; yes"#);
    let before = Instant::now();
    let (score, session) = score(&command, Mode::Batch, 10.0, &paths);
    assert_eq!((score.total().failed, session.starts()), (40, 40));
    // Half a second for each would be 20 s.
    assert!(before.elapsed() < Duration::from_secs(15), "{:?}", before.elapsed());
}

#[test]
fn a_program_cannot_claim_less_for_the_traces_that_it_fails() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("started");
    // From its second start on, it claims no driver.
    let command = format!(
        r#"if [ -e '{0}' ]; then read line; echo '{{"type":"hello","protocol":1,"name":"bad","drivers":{{}}}}'; else touch '{0}'; {HELLO} fi; cat > /dev/null"#,
        file.display()
    );
    let (score, session) = score(&command, Mode::Batch, 1.0, &traces(&["r_math_7000", "r_math_7001"]));
    assert_eq!((score.total().failed, score.total().unsupported), (2, 0));
    let said = report::reason(&score.judged[1]).unwrap();
    assert!(said.contains("not those of the first start; claim the same at every start"), "{said}");
    assert!(session.claims().unwrap().supports(DriverName::MathCalls));
}

#[test]
fn a_long_answer_is_shortened_in_every_report() {
    let long = "9".repeat(300_000);
    for (out, trace) in [
        (format!(r#"{{"cell":"{long}","pos":[0,0,0]}}"#), "h01_straight_1hz_run"),
        (
            format!(r#"{{"objs":[{{"id":1,"end":"{long}","{long}":1,"{long}.pos":1}}]}}"#),
            "m01_t1_walk_to_point",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("out");
        fs::write(&file, &out).unwrap();
        let command = format!(
            r#"{HELLO} id=0; while read line; do echo "{{\"id\":$id,\"out\":$(cat '{}')}}"; id=$((id + 1)); done"#,
            file.display()
        );
        let (score, session) = score(&command, Mode::Dialogue, 10.0, &traces(&[trace]));
        assert!(
            matches!(score.judged[0].verdict, Verdict::Fail(Reason::Differs { .. })),
            "{:?}",
            report::reason(&score.judged[0])
        );
        let reports = [
            report::of_trace(&score.judged[0]).to_string(),
            report::junit(&score),
            report::html(&score, session.claims()),
        ];
        for text in reports {
            assert!(!text.contains(&long[..5_000]), "{trace}: {} bytes", text.len());
        }
    }
}

#[test]
fn a_program_that_echoes_scores_nothing() {
    let all = find_traces(&golden("")).unwrap();
    let echoes = [
        // The question itself.
        "cat".to_owned(),
        // The question as an answer, and the same with only the arguments of calls.
        r#"sed -u -E 's/^(.*"id":([0-9]+).*)$/{"id":\2,"out":\1}/'"#.to_owned(),
        r#"sed -u -E -e 's/^.*"a":(\{[^}]*\}).*"id":([0-9]+).*$/{"id":\2,"out":\1}/' -e t -e 's/^(.*"id":([0-9]+).*)$/{"id":\2,"out":\1}/'"#.to_owned(),
        // Nothing at all.
        r#"sed -u -E 's/^(.*"id":([0-9]+).*)$/{"id":\2,"out":{}}/'"#.to_owned(),
    ];
    for echo in echoes {
        for hello in [HELLO, LEAST] {
            let (score, _) = score(&format!("{hello} {echo}"), Mode::Dialogue, 10.0, &all);
            let total = score.total();
            assert_eq!((total.passed, total.failed), (0, 352), "{echo}");
        }
    }
}

/// The answers of a trace are what this process knows. A program must not get them.
#[test]
fn expected_values_never_leave_this_process() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("heard");
    let mut ticks = 0;
    for path in find_traces(&golden("")).unwrap() {
        let listener = format!("cat > '{}'", file.display());
        let (_, session) = score(&listener, Mode::Batch, 10.0, std::slice::from_ref(&path));
        drop(session);
        let trace = evenstride_trace::Trace::read(&path).unwrap();
        let heard = fs::read_to_string(&file).unwrap();
        let heard: Vec<Map<String, Value>> =
            heard.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(heard.len(), trace.lines.len() + 2, "{}", path.display());
        let driver = DriverName::from_name(&trace.header.driver).unwrap();
        for (line, heard) in trace.lines.iter().zip(&heard[2..]) {
            assert!(!heard.contains_key("out") && heard.contains_key("id"));
            if line.kind == evenstride_trace::LineKind::Tick {
                ticks += 1;
                assert!(heard.keys().all(|name| ["type", "tick", "t", "dt", "id"].contains(&name.as_str())));
                assert!(driver.expected(line).unwrap().keys().all(|name| !heard.contains_key(name)));
            }
        }
        assert!(heard[1].keys().all(|name| {
            ["type", "id", "name", "driver", "settings", "anims", "table"].contains(&name.as_str())
        }));
    }
    assert!(ticks > 20_000, "{ticks}");
}
