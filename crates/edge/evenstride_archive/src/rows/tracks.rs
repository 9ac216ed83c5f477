//! Rows of the table `tracks`.

use std::{collections::HashMap, sync::Arc};

use evenstride::{MovedBy, drawing::Tracked};
use evenstride_replay::{Frame, Heard, ReplayObserver, Said, Still, moved_by};
use evenstride_types::{EntityId, Placement};

use crate::{
    batch::{KnownText, Values},
    error::TableError,
    sink::{BatchSink, Filled, Filling},
    table::TRACKS,
};

use super::to_microseconds;

/// Which frames get rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameScope {
    /// All of them.
    #[default]
    All,
    /// Those in which something about the entity changes. The frames before and after a rest have rows, so a
    /// straight line between two rows is what was drawn. So does the last frame of an entity.
    Changed,
}

/// Observes a replay, and makes a row for every entity and frame.
#[derive(Debug)]
pub struct TrackRows<S> {
    out: Filling<S>,
    capture: String,
    scope: FrameScope,
    /// Entities to show in order, or empty for all.
    only: Vec<EntityId>,
    /// Bodies of the present frame, in order of entity.
    bodies: Vec<Body>,
    /// Bodies of the last frame, in order of entity.
    before: Vec<Body>,
    /// Index in `outcomes` of the last update about each entity.
    heard: HashMap<EntityId, u32>,
    /// All outcomes. The first is empty.
    outcomes: Outcomes,
    sources: [Option<KnownText>; SOURCES.len()],
    /// Time of the last frame.
    last: f64,
    /// Buffer for the rows to add.
    chosen: Vec<Body>,
}

/// A body in a frame.
#[derive(Clone, Copy, Debug)]
struct Body {
    tracked: Tracked,
    place: Placement,
    drawn: Placement,
    /// Index of the outcome of its last update.
    outcome: u32,
    /// Whether its last row has been left out.
    is_held: bool,
}

/// Outcomes of updates, each of which is kept once.
#[derive(Debug)]
struct Outcomes {
    all: Vec<(Arc<str>, Option<KnownText>)>,
    indices: HashMap<Arc<str>, u32>,
}

impl Outcomes {
    fn new() -> Self {
        let empty: Arc<str> = Arc::from("");
        Self { all: vec![(Arc::clone(&empty), None)], indices: HashMap::from([(empty, 0)]) }
    }

    fn index_of(&mut self, text: &str) -> u32 {
        self.indices.get(text).copied().unwrap_or_else(|| {
            let (index, text) = (self.all.len() as u32, Arc::<str>::from(text));
            self.all.push((Arc::clone(&text), None));
            self.indices.insert(text, index);
            index
        })
    }
}

impl<S: BatchSink> TrackRows<S> {
    /// Creates an observer of the given entities, or of all if there are none. `capture` is the text of the
    /// column of that name.
    pub fn new(sink: S, capture: &str, scope: FrameScope, only: impl IntoIterator<Item = EntityId>) -> Self {
        let mut only: Vec<EntityId> = only.into_iter().collect();
        only.sort_unstable();
        only.dedup();
        Self {
            out: Filling::new(&TRACKS, sink),
            capture: capture.to_owned(),
            scope,
            only,
            bodies: Vec::new(),
            before: Vec::new(),
            heard: HashMap::new(),
            outcomes: Outcomes::new(),
            sources: [None; SOURCES.len()],
            last: 0.0,
            chosen: Vec::new(),
        }
    }

    /// Leaves out all rows after `rows` rows.
    #[must_use]
    pub fn with_limit(mut self, rows: u64) -> Self {
        self.out = self.out.with_limit(rows);
        self
    }

    /// Writes the last rows.
    ///
    /// # Errors
    /// The first error that occurred while writing.
    pub fn finish(mut self) -> Result<Filled<S>, TableError> {
        // The last row of each rest.
        self.chosen.extend(self.bodies.iter().filter(|body| body.is_held));
        self.add(self.last);
        self.out.finish()
    }

    fn is_wanted(&self, entity: EntityId) -> bool {
        self.only.is_empty() || self.only.binary_search(&entity).is_ok()
    }

    /// Counts a frame as left out if the table has no room. Fetching the bodies of all further frames would
    /// take as long as before. Rows without changes are counted too.
    fn leaves_out(&mut self, frame: &Frame<'_>, times: u64) -> bool {
        if !self.out.leaves_out() {
            return false;
        }
        self.bodies.clear();
        let bodies = match &self.only[..] {
            [] => frame.world.len(),
            only => only.iter().filter(|entity| frame.world.get(**entity).is_some()).count(),
        };
        self.out.leave_out((bodies as u64).saturating_mul(times));
        true
    }

    /// Fetches the bodies of a frame, in order of entity.
    fn fetch(&mut self, frame: &Frame<'_>) {
        std::mem::swap(&mut self.bodies, &mut self.before);
        let mut bodies = std::mem::take(&mut self.bodies);
        bodies.clear();
        frame.world.tracked_each(frame.now, |tracked| {
            if self.is_wanted(tracked.entity) {
                let outcome = self.heard.get(&tracked.entity).copied().unwrap_or(0);
                let place = tracked.place.unwrap_or(tracked.drawn);
                let drawn = tracked.drawn.settled().unwrap_or(tracked.drawn);
                bodies.push(Body { tracked, place, drawn, outcome, is_held: false });
            }
        });
        if !bodies.is_sorted_by_key(|body| body.tracked.entity) {
            bodies.sort_by_key(|body| body.tracked.entity);
        }
        self.bodies = bodies;
    }

    /// Chooses the rows of a frame, and adds those of the last frame that ended a rest.
    fn choose(&mut self) {
        if self.scope == FrameScope::All {
            self.chosen.extend_from_slice(&self.bodies);
            return;
        }
        let mut late = Vec::new();
        let mut before = self.before.iter().peekable();
        for body in &mut self.bodies {
            while let Some(gone) = before.next_if(|gone| gone.tracked.entity < body.tracked.entity) {
                late.extend(gone.is_held.then_some(*gone));
            }
            match before.next_if(|same| same.tracked.entity == body.tracked.entity) {
                Some(same) if same.is_like(body) => body.is_held = true,
                Some(same) => {
                    late.extend(same.is_held.then_some(*same));
                    self.chosen.push(*body);
                }
                None => self.chosen.push(*body),
            }
        }
        late.extend(before.filter(|gone| gone.is_held));
        if !late.is_empty() {
            let now = std::mem::replace(&mut self.chosen, late);
            self.add(self.last);
            self.chosen = now;
        }
    }

    /// Adds the chosen rows.
    fn add(&mut self, time: f64) {
        let mut rows = std::mem::take(&mut self.chosen);
        rows.truncate(self.out.admit(rows.len()));
        if !rows.is_empty() {
            self.write(time, &rows);
            self.out.settle();
        }
        rows.clear();
        self.chosen = rows;
    }

    /// Adds rows, column by column in the order of the table.
    fn write(&mut self, time: f64, rows: &[Body]) {
        let mut columns = Columns(self.out.batch.columns_mut().iter_mut());
        columns.same_text(&self.capture, rows.len());
        let time = to_microseconds(time);
        columns.doubles(std::iter::repeat_n(time, rows.len()));
        columns.numbers(rows.iter().map(|row| row.tracked.entity.raw()));
        columns.place(rows, |row| &row.place);
        columns.place(rows, |row| &row.drawn);
        for axis in 0..3 {
            columns.floats(rows.iter().map(|row| row.tracked.velocity.to_array()[axis]));
        }
        if let Some(Values::Text(texts)) = columns.next() {
            for row in rows {
                let known = &mut self.sources[source_index(row.tracked.moved_by)];
                let text = known.filter(|known| texts.knows(*known));
                let text = text.unwrap_or_else(|| texts.know(moved_by(row.tracked.moved_by)));
                *known = Some(text);
                texts.push_known(text);
            }
        }
        columns.numbers(rows.iter().map(|row| row.tracked.waypoints as u32));
        if let Some(Values::Text(texts)) = columns.next() {
            for row in rows {
                let Some((text, known)) = self.outcomes.all.get_mut(row.outcome as usize) else { continue };
                let text = known.filter(|known| texts.knows(*known)).unwrap_or_else(|| texts.know(text));
                *known = Some(text);
                texts.push_known(text);
            }
        }
    }
}

/// The columns of a batch, one after the other.
struct Columns<'a>(std::slice::IterMut<'a, crate::batch::Column>);

impl<'a> Columns<'a> {
    fn next(&mut self) -> Option<&'a mut Values> {
        self.0.next().map(|column| &mut column.values)
    }

    fn same_text(&mut self, text: &str, times: usize) {
        if let Some(Values::Text(texts)) = self.next() {
            let known = texts.know(text);
            texts.repeat_known(known, times);
        }
    }

    fn doubles(&mut self, values: impl Iterator<Item = f64>) {
        if let Some(Values::Double(column)) = self.next() {
            column.extend(values);
        }
    }

    fn floats(&mut self, values: impl Iterator<Item = f32>) {
        if let Some(Values::Float(column)) = self.next() {
            column.extend(values);
        }
    }

    fn numbers(&mut self, values: impl Iterator<Item = u32>) {
        if let Some(Values::Number(column)) = self.next() {
            column.extend(values);
        }
    }

    fn place(&mut self, rows: &[Body], of: impl Fn(&Body) -> &Placement) {
        self.numbers(rows.iter().map(|row| of(row).cell.raw()));
        for axis in 0..3 {
            self.floats(rows.iter().map(|row| of(row).pose.origin().to_array()[axis]));
        }
        for part in 0..4 {
            self.floats(rows.iter().map(|row| of(row).pose.rotation().to_wxyz()[part]));
        }
    }
}

impl Body {
    /// Returns whether two rows differ in nothing but the time.
    fn is_like(&self, other: &Self) -> bool {
        self.outcome == other.outcome
            && bits(&self.place) == bits(&other.place)
            && bits(&self.drawn) == bits(&other.drawn)
            && self.tracked.velocity.to_array().map(f32::to_bits)
                == other.tracked.velocity.to_array().map(f32::to_bits)
            && self.tracked.moved_by == other.tracked.moved_by
            && self.tracked.waypoints == other.tracked.waypoints
    }
}

/// Returns a place bit by bit. Zero and its negative are equal numbers, and different rows.
fn bits(place: &Placement) -> (u32, [u32; 3], [u32; 4]) {
    let (origin, rotation) = (place.pose.origin().to_array(), place.pose.rotation().to_wxyz());
    (place.cell.raw(), origin.map(f32::to_bits), rotation.map(f32::to_bits))
}

const SOURCES: [MovedBy; 6] =
    [MovedBy::Nothing, MovedBy::Route, MovedBy::Follow, MovedBy::Legs, MovedBy::Flight, MovedBy::Holder];

fn source_index(source: MovedBy) -> usize {
    SOURCES.iter().position(|known| *known == source).unwrap_or(0)
}

impl<S: BatchSink> ReplayObserver for TrackRows<S> {
    fn heard(&mut self, heard: &Heard<'_>) {
        if let (Said::Server(update), Some(disposition)) = (heard.said, heard.disposition)
            && let Some(entity) = update.entity().filter(|entity| self.is_wanted(*entity))
        {
            let outcome = self.outcomes.index_of(&disposition.to_string());
            self.heard.insert(entity, outcome);
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        if self.leaves_out(frame, 1) {
            return;
        }
        self.fetch(frame);
        self.choose();
        self.add(frame.time);
        self.last = frame.time;
    }

    fn still(&mut self, still: &Still<'_>) {
        let mut frames = still.frames();
        let Some(first) = frames.next() else { return };
        if self.leaves_out(&first, still.count()) {
            return;
        }
        self.frame(&first);
        // All bodies are as in the first frame.
        if self.scope == FrameScope::Changed {
            if let Some(last) = frames.next_back() {
                self.last = last.time;
                self.bodies.iter_mut().for_each(|body| body.is_held = true);
            }
            return;
        }
        for (done, frame) in (1..).zip(frames) {
            if self.leaves_out(&frame, still.count() - done) {
                return;
            }
            self.chosen.extend_from_slice(&self.bodies);
            self.add(frame.time);
            self.last = frame.time;
        }
    }
}
