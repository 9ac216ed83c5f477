//! Moments and decisions as JSON, with a stable name, a stable number and one field for each value.

use evenstride::{
    Event, Happening,
    explain::Explanation,
    outcome::{CodeTable, Enqueued, MoveToEnd, Outcome, PlaceReason, RemoveReason, Steering, TableOrigin},
};
use serde_json::{Map, Value, json};

use crate::{moment::Moment, words::sentence_of};

/// Returns a moment as a JSON object, with the name of its entity and its paragraph. `called` is the
/// name that the paragraph uses.
pub fn typed_moment(moment: &Moment, name: Option<&str>, called: &str) -> Value {
    let mut value = json!(moment);
    value["name"] = json!(name);
    value["words"] = json!(sentence_of(moment, called));
    value["decisions"] = moment.decisions.iter().map(typed_decision).collect::<Vec<_>>().into();
    value
}

/// Returns a decision as a JSON object.
///
/// It has `time`, `kind`, `code` and `words`, and the fields of its kind. Kinds and numbers are those
/// of `docs/codes.md`, and names are in snake case.
pub fn typed_decision(decision: &Explanation) -> Value {
    Value::Object(typed(decision.at.as_secs(), &decision.decision))
}

/// Returns an event as a JSON object. It has the fields of a decision, and `entity`.
pub fn typed_event(event: &Event) -> Value {
    let mut object = typed(event.at.as_secs(), &event.kind);
    object.insert("entity".to_owned(), json!(event.entity.to_string()));
    Value::Object(object)
}

fn typed(time: f64, happening: &Happening) -> Map<String, Value> {
    let code = happening.code();
    let mut object = Map::new();
    object.insert("time".to_owned(), json!(time));
    object.insert("kind".to_owned(), json!(name_of(&Happening::CODES, code)));
    object.insert("code".to_owned(), json!(code));
    if let Value::Object(fields) = fields(happening) {
        object.extend(fields);
    }
    object.insert("words".to_owned(), json!(happening.to_string()));
    object
}

fn fields(happening: &Happening) -> Value {
    match *happening {
        Happening::Position { stamp, outcome, waiting, metres } => {
            let mut value = with_outcome(outcome);
            value["stamp"] = json!(stamp.raw());
            value["waiting"] = json!(waiting);
            // 0 and the largest number mean that the distance is unknown.
            value["metres"] = json!((metres > 0.0 && metres < f32::MAX).then_some(metres));
            value
        }
        Happening::Movement { stamp, outcome, forward, speed } => {
            let mut value = with_outcome(outcome);
            value["stamp"] = json!(stamp.raw());
            value["forward"] = json!((forward != 0).then_some(forward));
            value["speed"] = json!(speed);
            value
        }
        Happening::Vector { stamp, outcome, rise } => {
            let mut value = with_outcome(outcome);
            value["stamp"] = json!(stamp.raw());
            value["rise"] = json!(rise);
            value
        }
        Happening::Heard { what, outcome } => {
            let mut value = with_outcome(outcome);
            value["what"] = json!(what.to_string());
            value
        }
        Happening::Replayed { count } | Happening::ParkedExpired { count } => json!({ "count": count }),
        Happening::Removed(reason) => json!({ "reason": name_of(&RemoveReason::CODES, reason.code()) }),
        Happening::Attached { holder, location } => {
            json!({ "holder": holder.to_string(), "location": location })
        }
        Happening::Hidden(hidden) => json!({ "hidden": hidden }),
        Happening::Reached { left } => json!({ "left": left }),
        Happening::GivenUp { headway, given_up } => json!({ "headway": headway, "given_up": given_up }),
        Happening::Placed { metres } => json!({ "metres": metres }),
        Happening::Snapped { reason, metres } => {
            json!({ "reason": name_of(&PlaceReason::CODES, reason.code()), "metres": metres })
        }
        Happening::TookOff { rise } => json!({ "rise": rise }),
        Happening::Landed { speed } => json!({ "speed": speed }),
        Happening::Legs { table, own, origin } => json!({
            "table": format!("0x{table:08X}"),
            "own": (own != 0).then(|| format!("0x{own:08X}")),
            "origin": name_of(&TableOrigin::CODES, origin.code()),
        }),
        Happening::OtherLegs { meant, does } => json!({ "meant": meant, "does": does }),
        Happening::Hook { kind, value } => json!({ "hook": kind, "value": value }),
        Happening::ActionDone { action, is_complete } => {
            json!({ "action": format!("0x{:08X}", action.0), "is_complete": is_complete })
        }
        Happening::FollowBegan { target } => json!({ "target": target.to_string() }),
        Happening::SetOut { target } => json!({ "target": target.map(|target| target.to_string()) }),
        Happening::OnItsWay { target, metres, steering, is_running, is_away } => json!({
            "target": (target.raw() != 0).then(|| target.to_string()),
            "metres": metres,
            "steering": name_of(&Steering::CODES, steering.code()),
            "is_running": is_running,
            "is_away": is_away,
        }),
        Happening::Turns { steering, heading } => {
            json!({ "steering": name_of(&Steering::CODES, steering.code()), "heading": heading })
        }
        Happening::MoveToEnded { end, metres } => {
            json!({ "end": name_of(&MoveToEnd::CODES, end.code()), "metres": metres })
        }
        _ => json!({}),
    }
}

/// Returns the outcome of a message and its reason.
fn with_outcome(outcome: Outcome) -> Value {
    let (name, reason) = match outcome {
        Outcome::Applied => ("applied", None),
        Outcome::AppliedInPart => ("applied_in_part", None),
        Outcome::Queued(enqueued) => ("queued", Some(name_of(&Enqueued::CODES, enqueued.code()))),
        Outcome::Placed(reason) => ("placed", Some(name_of(&PlaceReason::CODES, reason.code()))),
        Outcome::NotPlaced(reason) => ("not_placed", Some(name_of(&PlaceReason::CODES, reason.code()))),
        Outcome::Created => ("created", None),
        Outcome::Adopted => ("adopted", None),
        Outcome::Merged => ("merged", None),
        Outcome::Removed => ("removed", None),
        Outcome::Ignored(reason) => {
            ("ignored", Some(name_of(&evenstride::outcome::IgnoreReason::CODES, reason.code())))
        }
        Outcome::Parked(reason) => {
            ("parked", Some(name_of(&evenstride::outcome::ParkReason::CODES, reason.code())))
        }
        Outcome::Dropped(reason) => {
            ("dropped", Some(name_of(&evenstride::outcome::DropReason::CODES, reason.code())))
        }
        Outcome::Refused => ("refused", None),
        _ => ("other", None),
    };
    json!({ "outcome": name, "reason": reason })
}

/// Returns the name of a variant in snake case.
pub(crate) fn name_of(table: &CodeTable, code: u16) -> String {
    let name = table.codes.iter().find(|(_, number)| *number == code).map_or("", |(name, _)| *name);
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
