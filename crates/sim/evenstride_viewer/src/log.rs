//! The messages about one entity, as far as they tell its path.

use evenstride_replay::{MOVED_METRES, ON_THE_WAY_SECS};
use evenstride_types::{
    DVec3, LandblockId, Stamp,
    update::{MovementKind, PositionUpdate, Update},
};

use crate::viewed_script::metres;

/// Number of usual gaps after which an update is late.
const LATE_GAPS: f64 = 3.0;

/// Seconds within which messages of one moment arrive.
const TOGETHER_SECS: f64 = 0.05;

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

/// Gathers the messages of one entity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    pub(crate) positions: Vec<ReceivedPosition>,
    pub(crate) flights: Vec<(f64, f64)>,
    /// Times in seconds at which a message said whether the entity stands, oldest first.
    rests: Vec<(f64, bool)>,
    pub(crate) messages: u32,
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

    /// Returns whether the entity moves after its last position, as far as messages tell.
    pub(crate) fn moves_on(&self) -> bool {
        if let Some((_, stands)) = self.rests.last() {
            return !stands;
        }
        let [.., before, last] = self.positions.as_slice() else { return false };
        last.is_connected && (last.at - before.at).length() > MOVED_METRES
    }

    /// Returns the places where an entity stood between a position and the next one, with their times. It
    /// went evenly for as long as its messages let it go.
    pub(crate) fn stood_after(&self, index: usize) -> Vec<(f64, DVec3)> {
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
    pub(crate) fn stopped_after(&self, index: usize) -> Option<(f64, DVec3)> {
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
}

/// Returns the median gap between positions, and the spans in which one was late while the entity moved.
pub(crate) fn gaps(positions: &[ReceivedPosition]) -> (Option<f64>, Vec<(f64, f64)>) {
    let moving = positions.windows(2).filter(|pair| has_moved(pair));
    let mut secs: Vec<f64> = moving.map(|pair| pair[1].time - pair[0].time).collect();
    secs.sort_unstable_by(f64::total_cmp);
    let Some(usual) = secs.get(secs.len() / 2).copied().filter(|_| secs.len() >= 3) else {
        return (None, Vec::new());
    };
    (Some(usual), positions.windows(2).filter_map(|pair| late_span(pair, usual)).collect())
}

/// Returns the span in which the second position of a pair was late.
pub(crate) fn late_span(pair: &[ReceivedPosition], usual: f64) -> Option<(f64, f64)> {
    let is_late = has_moved(pair) && pair[1].time - pair[0].time > LATE_GAPS * usual.max(0.05);
    is_late.then(|| (pair[0].time + usual, pair[1].time))
}

fn has_moved(pair: &[ReceivedPosition]) -> bool {
    pair[1].is_connected && pair[0].at.distance(pair[1].at) > MOVED_METRES
}
