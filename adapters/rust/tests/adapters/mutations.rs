//! Mistakes that ports of the client really make. Each is caught, and explained by the behaviour that
//! it breaks.

use std::{fs, path::PathBuf};

use crate::common::{Adapter, golden, score};
use evenstride_referee::{Mode, report};

/// A mistake: file, text, wrong text, a trace that shows it, the behaviour and the field.
type Mistake = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

const MISTAKES: [Mistake; 7] = [
    (
        "body.py",
        "self.travelled += length(origin)",
        "self.travelled = length(origin)",
        "h28_constraint_leash_outdoor",
        "tether",
        "constraint",
    ),
    (
        "waypoints.py",
        "self.fail += left >= 0.2\n                return self.complete(left < 0.2)",
        "self.fail += 1\n                return self.complete(False)",
        "h19_stall_within_0p2_counts_as_reached",
        "stall-acceptance",
        "fail",
    ),
    (
        "waypoints.py",
        "len(self.queue) >= 20",
        "len(self.queue) >= 30",
        "h21_queue_overflow",
        "queue-overflow",
        "queue",
    ),
    (
        "waypoints.py",
        "100.0 if self.outdoors() else 20.0",
        "100.0",
        "h13_indoor_far_blip",
        "far-blip",
        "fail",
    ),
    (
        "waypoints.py",
        "speed = 2 * 4.0 * (",
        "speed = 4.0 * (",
        "h44_no_weenie_speed",
        "chase-speed",
        "constraint",
    ),
    ("space.py", "> 0x7FFF else", "> 0x3FFF else", "r_math_7000", "stamp-halves", "ok"),
    ("space.py", "axes(q)[1][2]])", "0.0])", "r_math_7000", "headings", "quat"),
];

#[test]
fn a_broken_adapter_is_caught_and_the_client_explained() {
    for (file, right, wrong, trace, behaviour, field) in MISTAKES {
        let adapter = Adapter::python();
        let path = adapter.folder.as_ref().unwrap().path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(right).count(), 1, "{file}: {right}");
        let trace: PathBuf = golden().join(format!("{trace}.jsonl.gz"));
        let run = || score(&adapter.command, Mode::Dialogue, std::slice::from_ref(&trace)).0;
        assert_eq!(run().total().passed, 1, "{}", trace.display());
        fs::write(&path, text.replace(right, wrong)).unwrap();
        let score = run();
        let judged = &score.judged[0];
        let reason = report::reason(judged).unwrap_or_else(|| panic!("{wrong} passes {}", trace.display()));
        assert!(reason.contains(&format!(": {field}: expected ")), "{wrong}: {reason}");
        let explanation = report::explain(judged).unwrap();
        assert_eq!(explanation.behaviour.id, behaviour, "{wrong}: {reason}");
        assert_eq!(explanation.see, format!("docs/conformance.md#{behaviour}"));
        assert!(!explanation.behaviour.says.is_empty() && !explanation.functions.is_empty());
    }
}
