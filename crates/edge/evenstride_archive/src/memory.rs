//! One table of a capture in memory.

use evenstride_moments::MomentFinder;
use evenstride_replay::{ReplayOptions, Summary, TraceScope, replay};
use evenstride_types::EntityId;

use crate::{
    batch::Batch,
    capture::Capture,
    convert::ConvertOptions,
    described::Described,
    error::TableError,
    rows::{DecisionRows, TrackRows, UpdateRows, entity_rows, moment_rows},
    sink::{Filled, InMemory},
    table::TableSpec,
};

/// Replays a connection and returns one table of it. `only` names the entities of tracks, or none for all.
///
/// # Errors
/// [`TableError::TooLarge`] if the table has more than `max_rows` rows.
pub fn table_in_memory(
    capture: &Capture,
    options: &ConvertOptions,
    spec: &'static TableSpec,
    only: &[EntityId],
    max_rows: u64,
) -> Result<Batch, TableError> {
    let (script, id) = (&capture.script, &capture.id());
    let described = Described::of(script);
    let traced = options.replay();
    let plain = ReplayOptions { trace: TraceScope::None, ..traced.clone() };
    match spec.name {
        "tracks" => {
            let rows = TrackRows::new(InMemory, id, options.frames, only.iter().copied());
            let mut rows = rows.with_limit(max_rows);
            let _ = replay(script, &plain, &mut rows);
            within(rows.finish()?, max_rows)
        }
        "updates" => {
            let mut rows = UpdateRows::new(InMemory, id, script.player, described).with_limit(max_rows);
            let _ = replay(script, &plain, &mut rows);
            within(rows.finish()?, max_rows)
        }
        "decisions" => {
            let mut rows = DecisionRows::new(InMemory, id).with_limit(max_rows);
            let _ = replay(script, &traced, &mut rows);
            within(rows.finish()?, max_rows)
        }
        _ => {
            let (mut summary, mut finder) = (Summary::new(script), MomentFinder::new(script.player));
            let _ = replay(script, &traced, &mut (&mut summary, &mut finder));
            let moments = finder.finish();
            let batch = match spec.name {
                "moments" => moment_rows(&moments, script, &described, id),
                _ => entity_rows(&summary, &moments, script, &described, id),
            };
            if batch.rows() as u64 > max_rows {
                return Err(too_many(batch.rows() as u64, max_rows));
            }
            Ok(batch)
        }
    }
}

fn within(filled: Filled<InMemory>, limit: u64) -> Result<Batch, TableError> {
    match filled.left_out {
        0 => Ok(filled.batch),
        more => Err(too_many(filled.rows.saturating_add(more), limit)),
    }
}

const fn too_many(found: u64, limit: u64) -> TableError {
    TableError::TooLarge { what: "number of rows", found, limit }
}
