//! Rows as columns in memory.

use std::collections::BTreeMap;

use evenstride::MovedBy;
use evenstride_types::{CellId, EntityId};

use super::{Row, micros, moved_by, roster::Roster};
use crate::replay::{Frame, Heard, ReplayObserver, Still};

/// Tracks as one column per value, with one row per entity and frame. The rows are those that a
/// [`TrackWriter`](super::TrackWriter) writes, in the same order.
///
/// ```
/// use evenstride_replay::{ColumnRecorder, ReplayOptions, replay, sample};
///
/// let mut recorder = ColumnRecorder::new([]);
/// let replayed = replay(&sample::crowd(3, 1), &ReplayOptions::default(), &mut recorder);
/// let tracks = recorder.finish();
/// assert_eq!(tracks.len() as u64, 3 * replayed.frames);
/// let east = tracks.drawn_position.iter().map(|[x, ..]| *x).fold(f32::MIN, f32::max);
/// assert!(east > 60.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TrackColumns {
    /// Seconds on the recording's clock.
    pub time: Vec<f64>,
    /// The entity.
    pub entity: Vec<EntityId>,
    /// The cell of the entity.
    pub cell: Vec<CellId>,
    /// Position after its last step, in metres in the cell's landblock.
    pub position: Vec<[f32; 3]>,
    /// Rotation after its last step, as w, x, y, z.
    pub rotation: Vec<[f32; 4]>,
    /// The cell in which it is drawn.
    pub drawn_cell: Vec<CellId>,
    /// Position at which it is drawn, in metres in the drawn cell's landblock.
    pub drawn_position: Vec<[f32; 3]>,
    /// Rotation with which it is drawn, as w, x, y, z.
    pub drawn_rotation: Vec<[f32; 4]>,
    /// Velocity of its last step in metres per second.
    pub velocity: Vec<[f32; 3]>,
    /// The source of its motion.
    pub moved_by: Vec<MovedBy>,
    /// Number of waypoints on its route.
    pub route: Vec<u32>,
    /// Outcome of the last update about it, as an index into `outcomes`.
    pub last_update: Vec<u32>,
    /// All outcomes that `last_update` refers to. The first is empty, for entities without an update.
    pub outcomes: Vec<String>,
    /// Number of rows that exceeded the limit.
    pub left_out: u64,
}

impl TrackColumns {
    /// Returns the number of rows.
    pub const fn len(&self) -> usize {
        self.time.len()
    }

    /// Returns whether there are no rows.
    pub const fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// Removes all rows and keeps their memory.
    pub fn clear(&mut self) {
        let Self {
            time,
            entity,
            cell,
            position,
            rotation,
            drawn_cell,
            drawn_position,
            drawn_rotation,
            velocity,
            moved_by,
            route,
            last_update,
            outcomes,
            left_out,
        } = self;
        time.clear();
        entity.clear();
        cell.clear();
        position.clear();
        rotation.clear();
        drawn_cell.clear();
        drawn_position.clear();
        drawn_rotation.clear();
        velocity.clear();
        moved_by.clear();
        route.clear();
        last_update.clear();
        outcomes.clear();
        *left_out = 0;
    }

    /// Returns a row, or `None` beyond the last.
    pub fn row(&self, index: usize) -> Option<Row<'_>> {
        Some(Row {
            time: *self.time.get(index)?,
            entity: self.entity.get(index)?.to_string(),
            cell: self.cell.get(index)?.to_string(),
            position: *self.position.get(index)?,
            rotation: *self.rotation.get(index)?,
            drawn_cell: self.drawn_cell.get(index)?.to_string(),
            drawn_position: *self.drawn_position.get(index)?,
            drawn_rotation: *self.drawn_rotation.get(index)?,
            velocity: *self.velocity.get(index)?,
            moved_by: moved_by(*self.moved_by.get(index)?),
            route: *self.route.get(index)? as usize,
            last_update: self.outcomes.get(*self.last_update.get(index)? as usize)?,
        })
    }
}

/// Collects [`TrackColumns`] during a replay.
#[derive(Debug)]
pub struct ColumnRecorder {
    columns: TrackColumns,
    roster: Roster,
    /// The outcome in the last row about each entity, by the number of its seat.
    outcomes: Vec<KeptOutcome>,
    /// Index of each text in the columns' `outcomes`.
    indices: BTreeMap<String, u32>,
    /// Largest number of rows.
    limit: usize,
}

/// The outcome in the last row about an entity.
#[derive(Clone, Copy, Debug)]
struct KeptOutcome {
    entity: EntityId,
    version: u32,
    index: u32,
}

impl ColumnRecorder {
    /// Creates a recorder of the given entities, or of all if there are none.
    pub fn new(only: impl IntoIterator<Item = EntityId>) -> Self {
        Self::reusing(TrackColumns::default(), only)
    }

    /// Creates a recorder of the given entities, or of all if there are none. It uses the memory of
    /// columns whose rows are no longer needed, which is faster than new memory.
    pub fn reusing(mut columns: TrackColumns, only: impl IntoIterator<Item = EntityId>) -> Self {
        columns.clear();
        columns.outcomes.push(String::new());
        let indices = BTreeMap::from([(String::new(), 0)]);
        Self { columns, roster: Roster::new(only), outcomes: Vec::new(), indices, limit: usize::MAX }
    }

    /// Leaves out all rows after `rows` rows. A row takes 97 bytes.
    #[must_use]
    pub const fn with_limit(mut self, rows: usize) -> Self {
        self.limit = rows;
        self
    }

    /// Returns the columns.
    pub fn finish(self) -> TrackColumns {
        self.columns
    }

    /// Adds a row for every body in the roster.
    fn add(&mut self, time: f64) {
        let rows = self.roster.len().min(self.limit - self.columns.len());
        let columns = &mut self.columns;
        let bodies = || self.roster.bodies().take(rows);
        columns.left_out += (self.roster.len() - rows) as u64;
        columns.time.extend(std::iter::repeat_n(micros(time), rows));
        columns.entity.extend(bodies().map(|body| body.entity));
        columns.cell.extend(bodies().map(|body| body.place.cell));
        columns.position.extend(bodies().map(|body| body.place.pose.origin().to_array()));
        columns.rotation.extend(bodies().map(|body| body.place.pose.rotation().to_wxyz()));
        columns.drawn_cell.extend(bodies().map(|body| body.drawn.cell));
        columns.drawn_position.extend(bodies().map(|body| body.drawn.pose.origin().to_array()));
        columns.drawn_rotation.extend(bodies().map(|body| body.drawn.pose.rotation().to_wxyz()));
        columns.velocity.extend(bodies().map(|body| body.velocity.to_array()));
        columns.moved_by.extend(bodies().map(|body| body.moved_by));
        columns.route.extend(bodies().map(|body| body.route as u32));
        for (seat, update) in self.roster.seats().take(rows) {
            let kept = self.outcomes.get(seat.number as usize);
            let kept = kept.filter(|kept| kept.entity == seat.entity && kept.version == update.version);
            let index = kept.map(|kept| kept.index).unwrap_or_else(|| {
                let index = self.indices.get(&update.text).copied().unwrap_or_else(|| {
                    let index = columns.outcomes.len() as u32;
                    columns.outcomes.push(update.text.clone());
                    self.indices.insert(update.text.clone(), index);
                    index
                });
                let kept = KeptOutcome { entity: seat.entity, version: update.version, index };
                match self.outcomes.get_mut(seat.number as usize) {
                    Some(place) => *place = kept,
                    None => self.outcomes.push(kept),
                }
                index
            });
            columns.last_update.push(index);
        }
    }
}

impl ReplayObserver for ColumnRecorder {
    fn heard(&mut self, heard: &Heard<'_>) {
        self.roster.hear(heard);
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        self.roster.fetch(frame);
        self.add(frame.time);
    }

    fn still(&mut self, still: &Still<'_>) {
        let mut frames = still.frames();
        frames.next().iter().for_each(|frame| self.frame(frame));
        // All bodies are as in the first frame.
        frames.for_each(|frame| self.add(frame.time));
    }
}
