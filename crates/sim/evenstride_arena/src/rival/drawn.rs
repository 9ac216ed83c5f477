//! Places that another program drew, as a rival that hears nothing.

use std::{collections::BTreeMap, sync::Arc};

use evenstride_types::{EntityId, Vec3, update::Update};

use super::{Rival, Shown};

/// Longest time in seconds between two drawn places, within which a body moves on a straight line. A
/// body is not drawn in a longer gap.
pub const MAX_GAP_SECS: f64 = 0.25;

/// Longest name in bytes.
const MAX_NAME: usize = 200;

/// First bytes of a packed track.
const MAGIC: [u8; 4] = *b"EVD1";

/// Bytes of a packed row.
const ROW_BYTES: usize = 20;

/// The places that another program drew, by entity and time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawnTrack {
    /// Its name.
    pub name: String,
    places: Arc<BTreeMap<EntityId, Vec<(f64, Shown)>>>,
}

/// The reason why bytes are not a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: not a packed track")]
pub struct DrawnTrackError {
    /// Where reading ended.
    pub at: usize,
}

impl DrawnTrack {
    /// Makes a track. The places of each entity must be sorted by time, in seconds on the clock of the
    /// script.
    pub fn new(name: String, places: BTreeMap<EntityId, Vec<(f64, Shown)>>) -> Self {
        Self { name, places: Arc::new(places) }
    }

    /// Returns the drawn place at a time, on a straight line between two rows.
    pub fn place(&self, entity: EntityId, time: f64) -> Option<Shown> {
        place_at(self.places.get(&entity)?, time)
    }

    /// Returns the track as bytes. Times and places have the accuracy of `f32`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut end = self.name.len().min(MAX_NAME);
        while !self.name.is_char_boundary(end) {
            end -= 1;
        }
        let mut bytes = MAGIC.to_vec();
        bytes.push(end as u8);
        bytes.extend_from_slice(&self.name.as_bytes()[..end]);
        for (entity, rows) in self.places.iter().filter(|(_, rows)| !rows.is_empty()) {
            bytes.extend_from_slice(&entity.raw().to_le_bytes());
            bytes.extend_from_slice(&(rows.len() as u32).to_le_bytes());
            let first = rows[0].0;
            bytes.extend_from_slice(&first.to_le_bytes());
            for (time, Shown { at, heading }) in rows {
                for value in [(time - first) as f32, at.x, at.y, at.z, *heading] {
                    bytes.extend_from_slice(&value.to_le_bytes());
                }
            }
        }
        bytes
    }

    /// Reads bytes that [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`DrawnTrackError`] if they are something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DrawnTrackError> {
        let mut rest = Bytes { all: bytes, at: 0 };
        if rest.array()? != MAGIC {
            return Err(DrawnTrackError { at: 0 });
        }
        let [length] = rest.array()?;
        let name = rest.take(usize::from(length))?;
        let name = String::from_utf8(name.to_vec()).map_err(|_| rest.error())?;
        let mut places: BTreeMap<EntityId, Vec<(f64, Shown)>> = BTreeMap::new();
        while rest.at < bytes.len() {
            let entity = EntityId::new(u32::from_le_bytes(rest.array()?));
            let count = u32::from_le_bytes(rest.array()?) as usize;
            let first = f64::from_le_bytes(rest.array()?);
            let length = count.checked_mul(ROW_BYTES).ok_or(rest.error())?;
            let mut last = f64::NEG_INFINITY;
            let mut rows = Vec::new();
            for row in rest.take(length)?.chunks_exact(ROW_BYTES) {
                let mut values = row
                    .chunks_exact(4)
                    .map(|of| of.first_chunk().map_or(f32::NAN, |of| f32::from_le_bytes(*of)));
                let mut next = || values.next().unwrap_or(f32::NAN);
                let time = first + f64::from(next());
                let shown = Shown { at: Vec3::new(next(), next(), next()), heading: next() };
                let is_sound = time.is_finite() && shown.at.is_finite() && shown.heading.is_finite();
                if !is_sound || time < last {
                    return Err(rest.error());
                }
                last = time;
                rows.push((time, shown));
            }
            places.insert(entity, rows);
        }
        Ok(Self::new(name, places))
    }
}

/// Returns the place at a time among rows that are sorted by time.
pub fn place_at(rows: &[(f64, Shown)], time: f64) -> Option<Shown> {
    let next = rows.partition_point(|(at, _)| *at <= time);
    let (before, here) = rows.get(next.checked_sub(1)?)?;
    let Some((after, there)) = rows.get(next) else {
        return (time - before <= MAX_GAP_SECS / 10.0).then_some(*here);
    };
    if after - before > MAX_GAP_SECS {
        return None;
    }
    let part = ((time - before) / (after - before)) as f32;
    let turn = (there.heading - here.heading + 540.0).rem_euclid(360.0) - 180.0;
    let heading = (here.heading + turn * part).rem_euclid(360.0);
    Some(Shown { at: here.at.lerp(there.at, part), heading })
}

impl Rival for DrawnTrack {
    fn name(&self) -> &'static str {
        "drawn elsewhere"
    }

    fn boxed_clone(&self) -> Box<dyn Rival> {
        Box::new(self.clone())
    }

    fn hear(&mut self, _: f64, _: &Update) {}

    fn show(&mut self, entity: EntityId, now: f64) -> Option<Shown> {
        self.place(entity, now)
    }
}

/// Bytes that are read from their beginning.
struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], DrawnTrackError> {
        let end = self.at.checked_add(length).ok_or(self.error())?;
        let taken = self.all.get(self.at..end).ok_or(self.error())?;
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DrawnTrackError> {
        let error = self.error();
        self.take(N)?.first_chunk().copied().ok_or(error)
    }

    const fn error(&self) -> DrawnTrackError {
        DrawnTrackError { at: self.at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track() -> DrawnTrack {
        let row = |time: f64, x: f32, heading: f32| (time, Shown { at: Vec3::new(x, 2.0, 3.0), heading });
        let rows = vec![row(1.0, 0.0, 350.0), row(1.1, 1.0, 10.0), row(2.0, 4.0, 10.0)];
        DrawnTrack::new(
            "µ mine".to_owned(),
            BTreeMap::from([(EntityId::new(7), rows), (EntityId::new(9), vec![])]),
        )
    }

    #[test]
    fn places_lie_between_rows_and_gaps_are_not_bridged() {
        let track = track();
        let of = |time: f64| track.place(EntityId::new(7), time);
        let between = of(1.05).unwrap();
        assert!(
            (between.at.x - 0.5).abs() < 1e-5 && !(1e-3..359.999).contains(&between.heading),
            "{between:?}"
        );
        assert_eq!((of(0.9), of(1.5), of(2.01).is_some(), of(2.1)), (None, None, true, None));
        assert_eq!(track.place(EntityId::new(8), 1.05), None);
    }

    #[test]
    fn packed_tracks_come_back_and_everything_else_is_refused() {
        let track = track();
        let bytes = track.to_bytes();
        let again = DrawnTrack::from_bytes(&bytes).unwrap();
        assert_eq!(again.name, track.name);
        for time in [1.0, 1.05, 2.0] {
            let (one, other) = (track.place(EntityId::new(7), time), again.place(EntityId::new(7), time));
            assert!(one.unwrap().at.distance(other.unwrap().at) < 1e-4, "{time}");
        }
        for length in 0..bytes.len() {
            // A name alone is a track without places.
            let is_whole = length == 5 + track.name.len();
            assert_eq!(DrawnTrack::from_bytes(&bytes[..length]).is_ok(), is_whole, "{length}");
        }
        let mut endless = bytes.clone();
        endless[5 + track.name.len() + 4..][..4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(DrawnTrack::from_bytes(&endless).is_err());
        let mut backwards = bytes;
        let end = backwards.len();
        backwards[end - ROW_BYTES..end - ROW_BYTES + 4].copy_from_slice(&(-5.0f32).to_le_bytes());
        assert!(DrawnTrack::from_bytes(&backwards).is_err());
    }
}
