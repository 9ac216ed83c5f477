//! Rows of the table `entities`.

use std::collections::HashMap;

use evenstride_moments::Moments;
use evenstride_replay::{EntitySummary, Said, Script, Summary, quantile};
use evenstride_types::{EntityClass, EntityId, Placement, update::Update};

use crate::{
    batch::{Batch, Value},
    described::Described,
    table::ENTITIES,
};

/// Returns a row for every entity that a message names or that was shown, by id. `capture` is the text of the
/// column of that name.
pub fn entity_rows(
    summary: &Summary,
    moments: &Moments,
    script: &Script,
    described: &Described,
    capture: &str,
) -> Batch {
    let mut bad: HashMap<EntityId, (u32, f64)> = HashMap::new();
    for moment in moments.iter() {
        let (count, badness) = bad.entry(moment.entity).or_default();
        (*count, *badness) = (*count + 1, *badness + moment.severity.rank);
    }
    let ways = Ways::of(script);
    let mut batch = Batch::new(&ENTITIES);
    for of in summary.entities() {
        push(&mut batch, of, bad.get(&of.entity), &ways, script, described, capture);
    }
    batch
}

fn push(
    batch: &mut Batch,
    of: &EntitySummary,
    bad: Option<&(u32, f64)>,
    ways: &Ways,
    script: &Script,
    described: &Described,
    capture: &str,
) {
    let (moments, badness) = bad.copied().unwrap_or_default();
    let way = ways.0.get(&of.entity);
    let count = |count: u64| Value::Number(u32::try_from(count).unwrap_or(u32::MAX));
    batch.push([
        Value::Text(capture),
        Value::Number(of.entity.raw()),
        Value::Text(script.names.get(&of.entity).map_or("", String::as_str)),
        Value::Text(class_of(of.entity)),
        Value::Flag(script.player == Some(of.entity)),
        Value::number(described.setup(of.entity)),
        Value::number(described.motion_table(of.entity)),
        count(of.updates),
        count(of.snaps.values().sum()),
        count(of.jumps),
        Value::double(quantile(&of.off_when_heard, 0.5)),
        Value::double(quantile(&of.off_when_heard, 0.95)),
        Value::double(of.worst_behind.map(|(metres, _)| metres)),
        Value::double(of.worst_ahead.map(|(metres, _)| metres)),
        Value::Number(moments),
        Value::Double(badness),
        Value::double(way.and_then(|way| quantile(&way.gaps, 0.5))),
        Value::Double(way.map_or(0.0, |way| way.metres)),
    ]);
}

const fn class_of(entity: EntityId) -> &'static str {
    match entity.class() {
        EntityClass::Player => "player",
        EntityClass::Static => "static",
        EntityClass::Dynamic => "dynamic",
        EntityClass::Other => "other",
    }
}

/// The ways through received positions, by entity.
struct Ways(HashMap<EntityId, Way>);

#[derive(Default)]
struct Way {
    last: Option<(f64, Placement)>,
    metres: f64,
    /// Seconds between positions while the entity moved.
    gaps: Vec<f64>,
}

/// Distance in metres within which an entity has not moved.
const STOOD_METRES: f64 = 0.05;

/// Distance in metres between two positions beyond which an entity leaps.
const LEAP_METRES: f64 = 20.0;

impl Ways {
    fn of(script: &Script) -> Self {
        let mut ways: HashMap<EntityId, Way> = HashMap::new();
        for message in &script.messages {
            let Said::Server(Update::Position(position) | Update::PositionAndMovement { position, .. }) =
                &message.said
            else {
                continue;
            };
            let Ok(place) = position.pack.placement().check() else { continue };
            let way = ways.entry(position.entity).or_default();
            if let Some((time, last)) = way.last.replace((message.time, place)) {
                let metres = last.distance(&place);
                if (STOOD_METRES..LEAP_METRES).contains(&metres) {
                    way.metres += metres;
                    way.gaps.push(message.time - time);
                }
            }
        }
        Self(ways)
    }
}
