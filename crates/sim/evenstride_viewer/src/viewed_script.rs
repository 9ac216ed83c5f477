//! A recording as a viewer sees it: its entities in a fixed order, and the path on which each of them is
//! believed to be.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use evenstride::animation::MotionLibrary;
use evenstride_arena::rival::DrawnTrack;
use evenstride_replay::{PathError, Said, Script, TAIL_SECS, TimedMessage};
use evenstride_types::{CellId, DVec3, EntityId, LandblockId, Placement, update::Update};

use crate::{method::Method, viewed_entity::ViewedEntity};

/// Largest number of entities that a viewer shows. Those with the most positions are shown, or the first
/// ones of a recording that is still growing.
pub const MAX_ENTITIES: usize = 4_096;

/// Largest number of further entities that are counted.
const MAX_LEFT_OUT: usize = 1 << 17;

/// A script, and what a viewer knows of it before anything is replayed.
#[derive(Debug)]
pub struct ViewedScript {
    /// The script.
    pub script: Arc<Script>,
    /// Animations to play, or `None` for the built-in ones.
    pub library: Option<Arc<MotionLibrary>>,
    /// What other programs drew.
    pub tracks: Vec<DrawnTrack>,
    /// The entities that are shown, by id. Further ones of a growing recording follow in the order in which
    /// they appear. Their indices are used everywhere.
    pub entities: Vec<ViewedEntity>,
    /// Number of further entities.
    pub left_out: usize,
    /// The landblock from whose south-west corner places are measured.
    pub origin: LandblockId,
    /// First and last time that is shown, in seconds.
    pub range: (f64, f64),
    /// Whether messages may follow, so that nothing after the range is known.
    pub is_growing: bool,
    indices: HashMap<EntityId, u32>,
    has_origin: bool,
    not_shown: HashSet<EntityId>,
}

impl ViewedScript {
    /// Looks through a script. `range` limits the times in seconds that are shown.
    pub fn new(script: Arc<Script>, library: Option<Arc<MotionLibrary>>, range: (f64, f64)) -> Self {
        let (first, last) = script.span().unwrap_or_default();
        let range = (range.0.max(first), range.1.min(last + TAIL_SECS));
        let first_block = first_block(&script.messages);
        let origin = first_block.unwrap_or_else(|| CellId::CORNER.landblock());
        let mut known: BTreeMap<EntityId, ViewedEntity> = BTreeMap::new();
        for TimedMessage { time, said } in &script.messages {
            let Said::Server(update) = said else { continue };
            let Some(entity) = update.entity() else { continue };
            known.entry(entity).or_insert_with(|| ViewedEntity::new(entity)).hear(*time, update, origin);
        }
        for entity in script.player.iter().chain(script.truth.keys()) {
            known.entry(*entity).or_insert_with(|| ViewedEntity::new(*entity));
        }
        let all = known.len();
        if all > MAX_ENTITIES {
            let mut counts: Vec<(EntityId, usize)> =
                known.iter().map(|(entity, of)| (*entity, of.positions().len())).collect();
            counts.sort_by_key(|(entity, count)| (Some(*entity) != script.player, Reverse(*count), *entity));
            for (entity, _) in counts.split_off(MAX_ENTITIES) {
                known.remove(&entity);
            }
        }
        let left_out = all - known.len();
        let mut entities: Vec<ViewedEntity> = known.into_values().collect();
        for of in &mut entities {
            of.name = called(&script, of.entity);
            of.is_player = Some(of.entity) == script.player;
            if let Some(truth) = script.truth.get(&of.entity) {
                of.truth = truth.iter().map(|of| (of.time, metres(&of.place, origin))).collect();
            }
            of.update();
        }
        let indices = entities.iter().zip(0..).map(|(of, index)| (of.entity, index)).collect();
        let (is_growing, has_origin) = (false, first_block.is_some());
        let not_shown = HashSet::new();
        Self {
            script,
            library,
            tracks: Vec::new(),
            entities,
            left_out,
            origin,
            range,
            is_growing,
            indices,
            has_origin,
            not_shown,
        }
    }

    /// Returns the method with a name, which may be that of a track. Case does not matter.
    pub fn method(&self, name: &str) -> Option<Method> {
        let track = self.tracks.iter().find(|track| track.name.eq_ignore_ascii_case(name));
        track.map(|track| Method::Drawn(track.clone())).or_else(|| Method::find(name))
    }

    /// Returns the names of all methods and tracks.
    pub fn methods(&self) -> Vec<String> {
        let names = Method::names().into_iter().map(str::to_owned);
        names.chain(self.tracks.iter().map(|track| track.name.clone())).collect()
    }

    /// Returns a recording without messages.
    pub(crate) fn nothing() -> Self {
        Self::new(Arc::default(), None, (0.0, 0.0))
    }

    /// Adds messages that follow those of the script. Everything up to the time `until` in seconds is known
    /// then. Returns the indices of the entities of which something new is known.
    pub fn append(&mut self, more: Script, until: f64) -> BTreeSet<u32> {
        self.is_growing = true;
        let mut changed = BTreeSet::new();
        let named: Vec<EntityId> = more.names.keys().copied().collect();
        let reported: Vec<EntityId> = more.truth.keys().copied().collect();
        let mut script = std::mem::take(&mut self.script);
        let from = script.messages.len();
        let player = script.player;
        Arc::make_mut(&mut script).append(more);
        let new = &script.messages[from..];
        if let Some(first) = first_block(new).filter(|_| !self.has_origin) {
            (self.origin, self.has_origin) = (first, true);
        }
        for TimedMessage { time, said } in new {
            let Said::Server(update) = said else { continue };
            if let Some(index) = update.entity().and_then(|entity| self.index_or_add(entity, &script)) {
                self.entities[index as usize].hear(*time, update, self.origin);
                changed.insert(index);
            }
        }
        if script.player != player {
            for (index, of) in (0..).zip(&mut self.entities) {
                if of.is_player || Some(of.entity) == script.player {
                    of.is_player = Some(of.entity) == script.player;
                    changed.insert(index);
                }
            }
        }
        for entity in script.player.into_iter().chain(reported) {
            let Some(index) = self.index_or_add(entity, &script) else { continue };
            let origin = self.origin;
            let of = &mut self.entities[index as usize];
            let truth = script.truth.get(&entity).map_or(&[][..], Vec::as_slice);
            let new = truth.get(of.truth.len()..).unwrap_or_default();
            if !new.is_empty() {
                of.truth.extend(new.iter().map(|of| (of.time, metres(&of.place, origin))));
                changed.insert(index);
            }
        }
        for entity in named {
            if let Some(index) = self.indices.get(&entity) {
                self.entities[*index as usize].name = called(&script, entity);
                changed.insert(*index);
            }
        }
        for index in &changed {
            let of = &mut self.entities[*index as usize];
            of.is_growing = true;
            of.update();
        }
        let first = script.span().map_or(until, |(first, _)| first);
        self.range = (first, until.max(first));
        self.script = script;
        changed
    }

    /// Returns the index of an entity, or `None` if it is not shown.
    #[inline]
    pub fn index(&self, entity: EntityId) -> Option<usize> {
        self.indices.get(&entity).map(|index| *index as usize)
    }

    /// Returns the error of the body of an entity that is drawn at a place in metres from the origin, or
    /// `None` if the entity's path is unknown at that time.
    #[inline]
    pub fn error(&self, index: usize, time: f64, drawn: DVec3) -> Option<PathError> {
        let (_, last_message) = self.script.span()?;
        self.entities[index].error(time, drawn, last_message)
    }

    /// Returns a place in metres from the origin.
    pub fn metres(&self, place: &Placement) -> DVec3 {
        metres(place, self.origin)
    }

    fn index_or_add(&mut self, entity: EntityId, script: &Script) -> Option<u32> {
        if let Some(index) = self.indices.get(&entity) {
            return Some(*index);
        }
        let index = self.entities.len();
        if index >= MAX_ENTITIES {
            if self.not_shown.len() < MAX_LEFT_OUT && self.not_shown.insert(entity) {
                self.left_out += 1;
            }
            return None;
        }
        let mut of = ViewedEntity::new(entity);
        of.name = called(script, entity);
        of.is_player = Some(entity) == script.player;
        self.entities.push(of);
        self.indices.insert(entity, index as u32);
        Some(index as u32)
    }
}

/// Returns the name of an entity on one line, or else its id.
fn called(script: &Script, entity: EntityId) -> String {
    let name = script.names.get(&entity).map_or("", String::as_str);
    let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
    if name.trim().is_empty() { entity.to_string() } else { name }
}

pub(crate) fn metres(place: &Placement, origin: LandblockId) -> DVec3 {
    origin.offset_to(place.cell.landblock()).as_dvec3() + place.pose.origin().as_dvec3()
}

/// Returns the landblock of the first position or description.
fn first_block(messages: &[TimedMessage]) -> Option<LandblockId> {
    let of = |message: &TimedMessage| match &message.said {
        Said::Server(Update::Position(position) | Update::PositionAndMovement { position, .. }) => {
            position.pack.placement().check().ok()
        }
        Said::Server(Update::Create(create) | Update::Recreate(create)) => {
            create.physics.position.as_ref()?.check().ok()
        }
        Said::Server(_) | Said::Client(_) => None,
    };
    messages.iter().find_map(of).map(|place| place.cell.landblock())
}
