//! What each adapter passes.

use crate::common::{Adapter, golden, score};
use evenstride_referee::{Mode, Score, Verdict, report};
use evenstride_trace::{DriverName, find_traces};

/// Runs an adapter against all traces, and returns what it passes of each driver.
fn passed(adapter: &Adapter) -> Vec<(&'static str, usize)> {
    let (score, session) = score(&adapter.command, Mode::Dialogue, &find_traces(&golden()).unwrap());
    assert_eq!(failures(&score), [""; 0], "{}", adapter.command);
    assert_eq!(session.starts(), 1);
    assert_eq!(score.total().all(), 352);
    let supported = |(driver, counts): (Option<DriverName>, evenstride_referee::Counts)| {
        (counts.passed > 0).then(|| (driver.unwrap().name(), counts.passed))
    };
    score.by_driver().into_iter().filter_map(supported).collect()
}

fn failures(score: &Score) -> Vec<String> {
    let failed = score.judged.iter().filter(|judged| matches!(judged.verdict, Verdict::Fail(_)));
    failed.map(|judged| format!("{}: {}", judged.name, report::reason(judged).unwrap())).collect()
}

#[test]
fn the_public_api_passes_its_part() {
    assert_eq!(passed(&Adapter::rust()), RUST);
}

#[test]
fn the_python_adapter_passes_functions_and_the_queue() {
    assert_eq!(passed(&Adapter::python()), QUEUE);
}

#[test]
fn the_csharp_adapter_passes_what_the_python_adapter_passes() {
    assert_eq!(passed(&Adapter::csharp()), QUEUE);
}

#[test]
fn the_csharp_package_passes_what_the_public_api_passes() {
    assert_eq!(passed(&Adapter::csharp_native()), RUST);
}

#[test]
fn the_npm_package_passes_its_part() {
    assert_eq!(passed(&Adapter::javascript()), JAVASCRIPT);
}

#[test]
fn a_batch_has_the_score_of_a_dialogue() {
    let traces: Vec<_> = find_traces(&golden()).unwrap().into_iter().take(30).collect();
    let adapter = Adapter::rust();
    let [dialogue, batch] = [Mode::Dialogue, Mode::Batch].map(|mode| score(&adapter.command, mode, &traces));
    assert_eq!(dialogue.0.total(), batch.0.total());
    assert_eq!((dialogue.1.starts(), batch.1.starts()), (1, 30));
}

const RUST: [(&str, usize); 4] = [("math_calls", 4), ("internal", 18), ("update_object", 2), ("use_time", 6)];
const QUEUE: [(&str, usize); 4] =
    [("math_calls", 4), ("internal", 27), ("update_object", 14), ("use_time", 7)];
const JAVASCRIPT: [(&str, usize); 4] =
    [("math_calls", 4), ("internal", 11), ("update_object", 1), ("use_time", 4)];
