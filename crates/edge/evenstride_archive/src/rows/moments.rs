//! Rows of the table `moments`.

use evenstride_moments::{Moment, Moments, sentence_of};
use evenstride_replay::Script;
use serde_json::Value as Json;

use crate::{
    batch::{Batch, Value},
    described::Described,
    table::MOMENTS,
};

/// Returns a row for every moment, worst first. `capture` is the text of the column of that name.
pub fn moment_rows(moments: &Moments, script: &Script, described: &Described, capture: &str) -> Batch {
    let mut batch = Batch::new(&MOMENTS);
    for moment in moments.iter() {
        let name = script.names.get(&moment.entity).map_or("", String::as_str);
        let (severity, cause) = (&moment.severity, &moment.cause);
        batch.push([
            Value::Text(capture),
            Value::Number(moment.entity.raw()),
            Value::Text(name),
            Value::number(described.motion_table_at(moment.entity, moment.from)),
            Value::Text(moment.kind.name()),
            Value::Double(moment.from),
            Value::Double(moment.to),
            Value::Double(severity.rank),
            Value::Double(severity.metres),
            Value::Double(severity.seconds),
            Value::Double(severity.degrees),
            Value::Text(&reason_of(moment)),
            Value::double(cause.gap),
            Value::double(cause.usual_gap),
            Value::double(cause.ahead),
            Value::double(cause.aside),
            Value::Text(&sentence_of(moment, &called(moment, name))),
        ]);
    }
    batch
}

/// Returns the name of a reason as in the JSON outputs.
fn reason_of(moment: &Moment) -> String {
    let reason = serde_json::to_value(moment.cause.reason).unwrap_or_default();
    reason.get("code").and_then(Json::as_str).unwrap_or_default().to_owned()
}

fn called(moment: &Moment, name: &str) -> String {
    if name.is_empty() { moment.entity.to_string() } else { name.to_owned() }
}
