//! A recording as a viewer sees it: its entities in a fixed order, and the path on which each of them is
//! believed to be.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use evenstride::animation::MotionLibrary;
use evenstride_replay::{BelievedPath, MOVED_METRES, ON_THE_WAY_SECS, PathError, Said, Script, TAIL_SECS};
use evenstride_types::{
    CellId, DVec3, EntityId, LandblockId, Placement, Stamp,
    update::{MovementKind, PositionUpdate, Update},
};

/// Largest number of entities that a viewer shows. Those with the most positions are shown.
pub const MAX_ENTITIES: usize = 4_096;

/// Number of usual gaps after which an update is late.
const LATE_GAPS: f64 = 3.0;

/// A script, and what a viewer knows of it before anything is replayed.
#[derive(Debug)]
pub struct ViewedScript {
    /// The script.
    pub script: Arc<Script>,
    /// Animations to play, or `None` for the built-in ones.
    pub library: Option<Arc<MotionLibrary>>,
    /// The entities that are shown, by id. Their indices are used everywhere.
    pub entities: Vec<ViewedEntity>,
    /// Number of further entities.
    pub left_out: usize,
    /// The landblock from whose south-west corner places are measured.
    pub origin: LandblockId,
    /// First and last time that is shown, in seconds.
    pub range: (f64, f64),
    indices: HashMap<EntityId, u32>,
}

/// What is known of an entity before anything is replayed.
#[derive(Clone, Debug)]
pub struct ViewedEntity {
    /// The entity.
    pub entity: EntityId,
    /// Its name on one line, or else its id.
    pub name: String,
    /// Whether it is the player whose client is replayed.
    pub is_player: bool,
    /// Received positions, oldest first.
    pub positions: Vec<ReceivedPosition>,
    /// Times in seconds between which it flies, by its messages.
    pub flights: Vec<(f64, f64)>,
    /// Usual time in seconds between two positions. `None` with fewer than three.
    pub usual_gap: Option<f64>,
    /// Times in seconds between which an update was late while the entity moved.
    pub late: Vec<(f64, f64)>,
    /// True places, if they are known: time in seconds and metres from the origin.
    pub truth: Vec<(f64, DVec3)>,
    /// The path against which errors are measured.
    path: BelievedPath,
    /// Times in seconds at which its path leaps.
    teleports: Vec<f64>,
    /// Number of messages about it.
    pub messages: u32,
}

/// A received position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReceivedPosition {
    /// Time of arrival in seconds.
    pub time: f64,
    /// Metres from the origin.
    pub at: DVec3,
    /// Heading in degrees.
    pub heading: f32,
    /// Whether the entity is on the ground.
    pub has_contact: bool,
    /// Whether it lies on the path that leads on from the position before.
    pub is_connected: bool,
}

impl ViewedScript {
    /// Looks through a script. `range` limits the times in seconds that are shown.
    pub fn new(script: Arc<Script>, library: Option<Arc<MotionLibrary>>, range: (f64, f64)) -> Self {
        let (first, last) = script.span().unwrap_or_default();
        let range = (range.0.max(first), range.1.min(last + TAIL_SECS));
        let origin = first_block(&script);
        let mut logs: BTreeMap<EntityId, Log> = BTreeMap::new();
        for message in &script.messages {
            let Said::Server(update) = &message.said else { continue };
            let Some(entity) = update.entity() else { continue };
            logs.entry(entity).or_default().hear(message.time, update, origin);
        }
        for entity in script.player.iter().chain(script.truth.keys()) {
            logs.entry(*entity).or_default();
        }
        let all = logs.len();
        if all > MAX_ENTITIES {
            let mut counts: Vec<(EntityId, usize)> =
                logs.iter().map(|(entity, log)| (*entity, log.positions.len())).collect();
            counts.sort_by_key(|(entity, count)| {
                (Some(*entity) != script.player, std::cmp::Reverse(*count), *entity)
            });
            for (entity, _) in counts.split_off(MAX_ENTITIES) {
                logs.remove(&entity);
            }
        }
        let left_out = all - logs.len();
        let entities: Vec<ViewedEntity> =
            logs.into_iter().map(|(entity, log)| log.finish(entity, &script, origin)).collect();
        let indices = entities.iter().zip(0..).map(|(of, index)| (of.entity, index)).collect();
        Self { script, library, entities, left_out, origin, range, indices }
    }

    /// Returns the index of an entity, or `None` if it is not shown.
    #[inline]
    pub fn index(&self, entity: EntityId) -> Option<usize> {
        self.indices.get(&entity).map(|index| *index as usize)
    }

    /// Returns a place in metres from the origin.
    pub fn metres(&self, place: &Placement) -> DVec3 {
        metres(place, self.origin)
    }
}

impl ViewedEntity {
    /// Returns the error of a body that is drawn at a place, or `None` if the path is unknown then. The
    /// path is unknown before the first position and after the last true place. After a teleport, it is
    /// unknown until the message about it can have arrived.
    #[inline]
    pub fn error(&self, time: f64, drawn: DVec3) -> Option<PathError> {
        if self.truth.last().is_some_and(|(last, _)| time > last + AFTER_TRUTH_SECS) {
            return None;
        }
        let error = self.path.error(time, drawn)?;
        let teleport = self.teleports.partition_point(|teleport| *teleport <= time);
        let is_recent = teleport.checked_sub(1).is_some_and(|of| time - self.teleports[of] < TELEPORT_SECS);
        (!is_recent || error.metres() < TELEPORT_METRES / 2.0).then_some(error)
    }

    /// Returns the height of the ground below a flying body, as far as messages tell.
    pub fn ground(&self, time: f64) -> Option<f64> {
        let before = self.positions.partition_point(|position| position.time <= time);
        self.positions[..before].iter().rev().find(|position| position.has_contact).map(|of| of.at.z)
    }

    /// Returns whether messages have the entity in the air.
    pub fn flies(&self, time: f64) -> bool {
        let next = self.flights.partition_point(|(from, _)| *from <= time);
        next.checked_sub(1).is_some_and(|index| time < self.flights[index].1)
    }
}

/// Gathers the messages of one entity.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) positions: Vec<ReceivedPosition>,
    flights: Vec<(f64, f64)>,
    /// Times in seconds at which a message said whether the entity stands, oldest first.
    rests: Vec<(f64, bool)>,
    messages: u32,
    /// Stamps of the newest position: instance, position and teleport.
    stamps: Option<[Stamp; 3]>,
    is_interrupted: bool,
}

impl Log {
    pub(crate) fn hear(&mut self, time: f64, update: &Update, origin: LandblockId) {
        self.messages += 1;
        match update {
            Update::Position(position) => self.place(time, position, origin),
            Update::PositionAndMovement { position, movement } => {
                self.place(time, position, origin);
                self.note_rest(time, &movement.body.kind);
            }
            Update::Movement(movement) => self.note_rest(time, &movement.movement.body.kind),
            Update::Vector(vector) if vector.velocity.z > 0.5 => self.flights.push((time, f64::INFINITY)),
            Update::Create(_) | Update::Recreate(_) | Update::Delete(_) => {
                self.stamps = None;
                self.is_interrupted = true;
                self.land(time);
            }
            _ => {}
        }
    }

    fn place(&mut self, time: f64, position: &PositionUpdate, origin: LandblockId) {
        let Ok(place) = position.pack.placement().check() else { return };
        let pack = &position.pack;
        if let Some([instance, newest, teleport]) = self.stamps {
            if instance == pack.instance && !pack.position.is_newer_than(newest) {
                return;
            }
            self.is_interrupted |= instance != pack.instance || pack.teleport.is_newer_than(teleport);
        }
        self.stamps = Some([pack.instance, pack.position, pack.teleport]);
        if pack.has_contact {
            self.land(time);
        }
        self.positions.push(ReceivedPosition {
            time,
            at: metres(&place, origin),
            heading: place.pose.heading().degrees(),
            has_contact: pack.has_contact,
            is_connected: !std::mem::take(&mut self.is_interrupted) && !self.positions.is_empty(),
        });
    }

    fn note_rest(&mut self, time: f64, kind: &MovementKind) {
        let stands = match kind {
            MovementKind::Interpreted { state, .. } => state.forward.is_none() && state.sidestep.is_none(),
            _ => false,
        };
        self.rests.push((time, stands));
    }

    /// Returns the places where an entity stood between a position and the next one, with their times. It
    /// went evenly for as long as its messages let it go.
    fn stood_after(&self, index: usize) -> Vec<(f64, DVec3)> {
        let (last, next) = (&self.positions[index], self.positions.get(index + 1));
        let Some(next) = next.filter(|next| next.is_connected && next.time - last.time <= ON_THE_WAY_SECS)
        else {
            return Vec::new();
        };
        // A position and the movement that belongs to it arrive together.
        let first = self.rests.partition_point(|(time, _)| *time <= last.time + TOGETHER_SECS);
        let mut stands = first.checked_sub(1).is_some_and(|before| self.rests[before].1);
        let (mut went, mut since) = (0.0, last.time);
        let mut turns = Vec::new();
        for (time, then) in
            self.rests[first..].iter().take_while(|(time, _)| *time < next.time - TOGETHER_SECS)
        {
            if !stands {
                went += time - since;
            }
            if *then != stands {
                turns.push((*time, went));
            }
            (since, stands) = (*time, *then);
        }
        if !stands {
            went += next.time - since;
        }
        if went < TOGETHER_SECS {
            return Vec::new();
        }
        turns.into_iter().map(|(time, so_far)| (time, last.at.lerp(next.at, so_far / went))).collect()
    }

    /// Returns the place where an entity stopped after its last position, and the time. Servers send no
    /// position of an entity that stands, so its earlier speed tells how far it went until then.
    fn stopped_after(&self, index: usize) -> Option<(f64, DVec3)> {
        let (before, last) = (&self.positions[index.checked_sub(1)?], &self.positions[index]);
        let next = self.positions.get(index + 1).map_or(f64::INFINITY, |next| next.time);
        let later = self.rests.partition_point(|(time, _)| *time <= last.time);
        let (stop, _) = *self.rests[later..].iter().find(|(_, stands)| *stands)?;
        let secs = last.time - before.time;
        let is_unheard = next - last.time > ON_THE_WAY_SECS && stop < next;
        let is_recent = stop - last.time <= ON_THE_WAY_SECS && (0.01..=ON_THE_WAY_SECS).contains(&secs);
        let velocity = (last.at - before.at) / secs;
        (is_unheard && is_recent && last.is_connected)
            .then(|| (stop, last.at + velocity * (stop - last.time)))
    }

    fn land(&mut self, time: f64) {
        if let Some((_, to)) = self.flights.last_mut() {
            *to = to.min(time);
        }
    }

    fn finish(self, entity: EntityId, script: &Script, origin: LandblockId) -> ViewedEntity {
        let truth: Vec<(f64, DVec3)> = script.truth.get(&entity).map_or_else(Vec::new, |truth| {
            truth.iter().map(|of| (of.time, metres(&of.place, origin))).collect()
        });
        let mut path = BelievedPath::default();
        let mut teleports = Vec::new();
        if truth.is_empty() {
            for (index, position) in self.positions.iter().enumerate() {
                if !position.is_connected {
                    path.end();
                    teleports.push(position.time);
                }
                path.add(position.time, position.at);
                for (time, at) in self.stopped_after(index).into_iter().chain(self.stood_after(index)) {
                    path.add(time, at);
                }
            }
        } else {
            let mut before: Option<(f64, DVec3)> = None;
            for (time, at) in &truth {
                // A subject that leaps has been teleported.
                if before.is_some_and(|(_, from)| from.distance(*at) > TELEPORT_METRES) {
                    path.end();
                    teleports.push(*time);
                }
                path.add(*time, *at);
                before = Some((*time, *at));
            }
        }
        let (usual_gap, late) = gaps(&self.positions);
        let is_player = Some(entity) == script.player;
        let Self { positions, flights, messages, .. } = self;
        let name = called(script, entity);
        ViewedEntity {
            entity,
            name,
            is_player,
            positions,
            flights,
            usual_gap,
            late,
            truth,
            path,
            teleports,
            messages,
        }
    }
}

/// Seconds within which messages of one moment arrive.
const TOGETHER_SECS: f64 = 0.05;

/// Distance in metres between two true places beyond which the subject was teleported.
const TELEPORT_METRES: f64 = 20.0;

/// Seconds within which the message about a teleport arrives, also over a slower link than the recording's.
const TELEPORT_SECS: f64 = 2.0;

/// Seconds after the last true place for which the subject is believed to be there.
const AFTER_TRUTH_SECS: f64 = 0.2;

/// Returns the median gap between positions, and the spans in which one was late while the entity moved.
pub(crate) fn gaps(positions: &[ReceivedPosition]) -> (Option<f64>, Vec<(f64, f64)>) {
    let moved = |pair: &[ReceivedPosition]| pair[0].at.distance(pair[1].at) > MOVED_METRES;
    let pairs = || positions.windows(2).filter(|pair| pair[1].is_connected && moved(pair));
    let mut secs: Vec<f64> = pairs().map(|pair| pair[1].time - pair[0].time).collect();
    secs.sort_unstable_by(f64::total_cmp);
    let Some(usual) = secs.get(secs.len() / 2).copied().filter(|_| secs.len() >= 3) else {
        return (None, Vec::new());
    };
    let late = pairs().filter(|pair| pair[1].time - pair[0].time > LATE_GAPS * usual.max(0.05));
    let late = late.map(|pair| (pair[0].time + usual, pair[1].time)).collect();
    (Some(usual), late)
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

/// Returns the landblock of the first position, or else of the first description.
fn first_block(script: &Script) -> LandblockId {
    let of = |message: &evenstride_replay::TimedMessage| match &message.said {
        Said::Server(Update::Position(position) | Update::PositionAndMovement { position, .. }) => {
            position.pack.placement().check().ok()
        }
        Said::Server(Update::Create(create) | Update::Recreate(create)) => {
            create.physics.position.as_ref()?.check().ok()
        }
        Said::Server(_) | Said::Client(_) => None,
    };
    let first = script.messages.iter().find_map(of);
    first.map_or(CellId::CORNER.landblock(), |place| place.cell.landblock())
}
