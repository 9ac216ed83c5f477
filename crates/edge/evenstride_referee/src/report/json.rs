//! JSON, one object for each trace and one for the whole.

use serde_json::{Map, Value, json};

use crate::{
    judge::{Judged, Reason, Verdict},
    protocol::{Claims, PROTOCOL},
    report::{explain, reason},
    score::{Counts, Score},
};

/// Returns the object of a trace.
pub fn of_trace(judged: &Judged) -> Value {
    let mut object = json!({
        "type": "trace",
        "trace": judged.name,
        "driver": judged.driver.map(|driver| driver.name()),
        "behaviours": judged.behaviours.iter().map(|(behaviour, _)| behaviour.id).collect::<Vec<_>>(),
        "result": result(&judged.verdict),
        "lines": judged.lines,
    });
    if let Some(reason) = reason(judged) {
        object["reason"] = reason.into();
    }
    if let Verdict::Fail(Reason::Differs { difference, .. }) = &judged.verdict {
        object["difference"] = json!({
            "line": difference.line,
            "what": difference.what,
            "field": difference.field,
            "expected": difference.expected,
            "got": difference.got,
        });
    }
    if let Some(explanation) = explain(judged) {
        object["behaviour"] = explanation.behaviour.id.into();
        object["client"] = explanation.behaviour.says.into();
        object["functions"] = explanation.behaviour.client.into();
        object["see"] = explanation.see.into();
    }
    object
}

/// Returns the word for a verdict.
pub(crate) const fn result(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail(_) => "fail",
        Verdict::Unsupported(_) => "unsupported",
    }
}

/// Returns the object of the whole.
pub fn summary(score: &Score, claims: Option<&Claims>) -> Value {
    let total = score.total();
    let drivers = score.by_driver().into_iter().map(|(driver, counts)| {
        (driver.map_or("(unknown)", |driver| driver.name()).to_owned(), of_counts(counts))
    });
    let behaviours = score
        .by_behaviour()
        .into_iter()
        .map(|(behaviour, counts)| (behaviour.id.to_owned(), of_counts(counts)));
    json!({
        "type": "summary",
        "program": claims.map(|claims| &claims.name),
        "protocol": PROTOCOL,
        "passed": total.passed,
        "failed": total.failed,
        "unsupported": total.unsupported,
        "percent": total.percent(),
        "drivers": drivers.collect::<Map<_, _>>(),
        "behaviours": behaviours.collect::<Map<_, _>>(),
    })
}

fn of_counts(counts: Counts) -> Value {
    json!({"passed": counts.passed, "failed": counts.failed, "unsupported": counts.unsupported})
}
