//! The error of a drawn body against the path on which its entity is believed to be.
//!
//! [`PathError`] defines that error for the summary, moments and pages. The summary and moments look
//! at positions as they arrive, and [`BelievedPath`] at any time in between.

use std::collections::BTreeSet;

use evenstride_types::DVec3;

/// Longest time in seconds between two positions of an entity on its way. Servers send nothing about
/// an entity that stands, so after a longer time it is believed to have stood.
pub const ON_THE_WAY_SECS: f64 = 2.5;

/// Shortest way in metres of an entity that has moved between two positions.
pub const MOVED_METRES: f64 = 0.1;

/// Shortest way in metres that has a direction.
const WAY_METRES: f64 = 0.05;

/// Distance between a drawn body and the place where its entity is believed to be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PathError {
    /// Distance in metres along the entity's path. It is positive for a body that is ahead, and
    /// negative for one that is behind.
    pub ahead: f64,
    /// Distance in metres beside the path, never negative. An entity that stands has no path, so all
    /// of its error is beside it.
    pub aside: f64,
}

impl PathError {
    /// Returns the error of a body at `off` from its entity, which moves along `way`.
    pub fn new(off: DVec3, way: DVec3) -> Self {
        let way = if way.length() >= WAY_METRES { way.normalize_or_zero() } else { DVec3::ZERO };
        let ahead = off.dot(way);
        Self { ahead, aside: (off - way * ahead).length() }
    }

    /// Returns the error of a body at `off` from a position that arrives. `moved` is the way of the
    /// entity since the position before, and `body_moved` that of its body. The path of an entity that
    /// stands is that of its body. Returns `None` if both stood.
    pub fn on_receipt(off: DVec3, moved: DVec3, body_moved: DVec3) -> Option<Self> {
        let way = [moved, body_moved].into_iter().find(|way| way.length() > MOVED_METRES)?;
        Some(Self::new(off, way))
    }

    /// Returns the error as one number in metres, positive if the body is ahead and negative if it is
    /// behind. Lists, plots and sentences show this number. An entity that stands has no path, so its
    /// whole distance counts, as a positive number.
    pub fn signed(&self) -> f64 {
        if self.ahead == 0.0 { self.aside } else { self.ahead }
    }

    /// Returns the distance in metres.
    pub fn metres(&self) -> f64 {
        self.ahead.hypot(self.aside)
    }
}

/// The received positions of an entity, between which it is believed to move evenly.
#[derive(Clone, Debug, Default)]
pub struct BelievedPath {
    /// Time in seconds and place in metres of each position, by time.
    points: Vec<(f64, DVec3)>,
    /// Indices of the positions to which no path leads.
    starts: BTreeSet<usize>,
}

impl BelievedPath {
    /// Adds a position. Positions come in order of time.
    pub fn add(&mut self, time: f64, at: DVec3) {
        self.points.push((time, at));
    }

    /// Ends the path, because the entity was teleported or left. The next position begins another one.
    pub fn end(&mut self) {
        self.starts.insert(self.points.len());
    }

    /// Returns the number of positions.
    pub const fn len(&self) -> usize {
        self.points.len()
    }

    /// Returns whether it has no positions.
    pub const fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Keeps the first positions. Later ones may be other ones then.
    pub fn truncate(&mut self, length: usize) {
        self.points.truncate(length);
        self.starts.split_off(&length);
    }

    /// Returns the error of a body drawn at a place, or `None` before the first position.
    pub fn error(&self, time: f64, drawn: DVec3) -> Option<PathError> {
        let next = self.points.partition_point(|(then, _)| *then <= time);
        let (then, before) = *self.points.get(next.checked_sub(1)?)?;
        let on_the_way = self.points.get(next).filter(|_| !self.starts.contains(&next));
        let on_the_way = on_the_way.filter(|(after, _)| after - then <= ON_THE_WAY_SECS);
        let Some((after, there)) = on_the_way else {
            return Some(PathError::new(drawn - before, self.last_way(next)));
        };
        let part = (time - then) / (after - then);
        let way = *there - before;
        let way = if way.length() < WAY_METRES { self.last_way(next) } else { way };
        Some(PathError::new(drawn - before.lerp(*there, part), way))
    }

    /// Returns the way that led to the position before `next`. While an entity stands, its last direction
    /// still tells ahead from behind.
    fn last_way(&self, next: usize) -> DVec3 {
        let way = next.checked_sub(2).filter(|_| !self.starts.contains(&(next - 1))).and_then(|earlier| {
            let [(from_time, from), (time, to)] = [self.points[earlier], self.points[earlier + 1]];
            (time - from_time <= ON_THE_WAY_SECS).then(|| to - from)
        });
        way.unwrap_or(DVec3::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_ahead_or_behind_by_its_entitys_path() {
        let mut path = BelievedPath::default();
        assert_eq!(path.error(0.0, DVec3::ZERO), None);
        path.add(0.0, DVec3::ZERO);
        path.add(1.0, DVec3::new(4.0, 0.0, 0.0));
        let error = |time, x, y| path.error(time, DVec3::new(x, y, 0.0)).map(|of| (of.ahead, of.aside));
        assert_eq!(error(0.5, 2.5, 0.0), Some((0.5, 0.0)), "ahead of the middle");
        assert_eq!(error(0.5, 1.0, 0.25), Some((-1.0, 0.25)), "behind and beside");
        // An empty queue is no excuse: it ran on for a metre after the last position.
        assert_eq!(error(9.0, 5.0, 0.0), Some((1.0, 0.0)));
    }

    /// Otherwise its error leaps in the moment in which it stops, because distance beside the path counts then.
    #[test]
    fn an_entity_that_has_just_stopped_keeps_its_direction() {
        let mut path = BelievedPath::default();
        for (time, x) in [(0.0, 0.0), (1.0, 4.0), (2.0, 4.0), (3.0, 8.0)] {
            path.add(time, DVec3::new(x, 0.0, 0.0));
        }
        let error = |time| path.error(time, DVec3::new(4.5, 1.0, 0.0)).map(|of| (of.ahead, of.aside));
        assert_eq!(error(1.5), Some((0.5, 1.0)));
    }

    #[test]
    fn no_path_leads_to_a_teleport() {
        let mut path = BelievedPath::default();
        path.add(0.0, DVec3::ZERO);
        path.end();
        path.add(0.2, DVec3::new(3000.0, 0.0, 0.0));
        let metres = |time, x| path.error(time, DVec3::new(x, 0.0, 0.0)).unwrap().metres();
        assert_eq!((metres(0.1, 0.5), metres(0.3, 3000.5)), (0.5, 0.5));
    }

    #[test]
    fn an_entity_that_stood_has_no_path() {
        let mut path = BelievedPath::default();
        path.add(0.0, DVec3::ZERO);
        path.add(60.0, DVec3::new(4.0, 0.0, 0.0));
        let error = path.error(30.0, DVec3::ZERO).unwrap();
        assert_eq!((error.ahead, error.aside, error.metres()), (0.0, 0.0, 0.0));
        assert_eq!(path.error(30.0, DVec3::new(0.0, 2.0, 0.0)).unwrap().aside, 2.0);
    }
}
