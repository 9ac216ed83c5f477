//! What is known of an entity before anything is replayed, and the path on which it is believed to be.

use evenstride_replay::{BelievedPath, ON_THE_WAY_SECS, PathError};
use evenstride_types::{DVec3, EntityId, LandblockId, update::Update};

use crate::log::{Log, ReceivedPosition, gaps, late_span};

/// Distance in metres between two true places beyond which the subject was teleported.
const TELEPORT_METRES: f64 = 20.0;

/// Seconds within which the message about a teleport arrives, also over a slower link than the recording's.
const TELEPORT_SECS: f64 = 2.0;

/// Seconds after the last true place for which the subject is believed to be there.
const AFTER_TRUTH_SECS: f64 = 0.2;

/// What is known of an entity before anything is replayed.
#[derive(Clone, Debug)]
pub struct ViewedEntity {
    /// The entity.
    pub entity: EntityId,
    /// Its name on one line, or else its id.
    pub name: String,
    /// Whether it is the player whose client is replayed.
    pub is_player: bool,
    /// Usual time in seconds between two positions. `None` with fewer than three.
    pub usual_gap: Option<f64>,
    /// Times in seconds between which an update was late while the entity moved.
    pub late: Vec<(f64, f64)>,
    /// True places, if they are known: time in seconds and metres from the origin.
    pub truth: Vec<(f64, DVec3)>,
    /// Whether messages may follow.
    pub(crate) is_growing: bool,
    log: Log,
    /// The path against which errors are measured.
    path: Path,
    /// Number of positions that `usual_gap` and `late` take into account, and the number with which the
    /// usual gap was computed.
    in_gaps: (usize, usize),
}

/// The path of an entity, as far as messages tell by now.
#[derive(Clone, Debug, Default)]
struct Path {
    believed: BelievedPath,
    /// Times in seconds at which it leaps.
    teleports: Vec<f64>,
    /// Number of received positions, or of true places, that are part of it.
    used: usize,
    /// Number of its points that no later message changes.
    settled: usize,
    is_true: bool,
}

impl ViewedEntity {
    pub(crate) fn new(entity: EntityId) -> Self {
        Self {
            entity,
            name: entity.to_string(),
            is_player: false,
            usual_gap: None,
            late: Vec::new(),
            truth: Vec::new(),
            is_growing: false,
            log: Log::default(),
            path: Path::default(),
            in_gaps: (0, 0),
        }
    }

    /// Returns the received positions, oldest first.
    pub fn positions(&self) -> &[ReceivedPosition] {
        &self.log.positions
    }

    /// Returns the number of messages about it.
    pub const fn messages(&self) -> u32 {
        self.log.messages
    }

    /// Returns the error of a body that is drawn at a place, or `None` if the path is unknown then. The
    /// path is unknown before the first position and after the last true place. After a teleport, it is
    /// unknown until the message about it can have arrived. Where a recording ends while an entity moves,
    /// its further way is unknown. `last_message` is the time in seconds of the recording's last message.
    #[inline]
    pub(crate) fn error(&self, time: f64, drawn: DVec3, last_message: f64) -> Option<PathError> {
        // While a recording grows, the subject may be standing, and then its client reports nothing.
        let is_over = |(last, _): &(f64, DVec3)| time > last + AFTER_TRUTH_SECS && !self.is_growing;
        if self.truth.last().is_some_and(is_over) {
            return None;
        }
        let is_cut_off = |last: &ReceivedPosition| {
            time > last.time && last_message - last.time < ON_THE_WAY_SECS && self.log.moves_on()
        };
        if self.truth.is_empty() && self.positions().last().is_some_and(is_cut_off) {
            return None;
        }
        let error = self.path.believed.error(time, drawn)?;
        let teleports = &self.path.teleports;
        let teleport = teleports.partition_point(|teleport| *teleport <= time);
        let is_recent = teleport.checked_sub(1).is_some_and(|of| time - teleports[of] < TELEPORT_SECS);
        (!is_recent || error.metres() < TELEPORT_METRES / 2.0).then_some(error)
    }

    /// Returns the height of the ground below a flying body, as far as messages tell.
    pub fn ground(&self, time: f64) -> Option<f64> {
        let positions = self.positions();
        let before = positions.partition_point(|position| position.time <= time);
        positions[..before].iter().rev().find(|position| position.has_contact).map(|of| of.at.z)
    }

    /// Returns whether messages have the entity in the air.
    pub fn flies(&self, time: f64) -> bool {
        let flights = &self.log.flights;
        let next = flights.partition_point(|(from, _)| *from <= time);
        next.checked_sub(1).is_some_and(|index| time < flights[index].1)
    }

    pub(crate) fn hear(&mut self, time: f64, update: &Update, origin: LandblockId) {
        self.log.hear(time, update, origin);
    }

    /// Brings path and gaps up to date after messages.
    pub(crate) fn update(&mut self) {
        if self.truth.is_empty() {
            self.path.take_positions(&self.log);
        } else {
            self.path.take_truth(&self.truth);
        }
        self.update_gaps();
    }

    /// Computes the usual gap only if it may have changed, because all gaps are sorted for it.
    fn update_gaps(&mut self) {
        let count = self.log.positions.len();
        let (known, computed) = self.in_gaps;
        if known == count {
            return;
        }
        if count < 64 || count - computed > computed / 8 {
            (self.usual_gap, self.late) = gaps(&self.log.positions);
            self.in_gaps = (count, count);
            return;
        }
        if let Some(usual) = self.usual_gap {
            let pairs = self.log.positions[known.saturating_sub(1)..].windows(2);
            self.late.extend(pairs.filter_map(|pair| late_span(pair, usual)));
        }
        self.in_gaps.0 = count;
    }
}

impl Path {
    fn take_positions(&mut self, log: &Log) {
        if let Some(last) = self.used.checked_sub(1) {
            // What came after the last position tells whether the entity stood there.
            self.believed.truncate(self.settled);
            self.add_stops(log, last);
        }
        for (index, position) in log.positions.iter().enumerate().skip(self.used) {
            if !position.is_connected {
                self.believed.end();
                self.teleports.push(position.time);
            }
            self.believed.add(position.time, position.at);
            self.settled = self.believed.len();
            self.add_stops(log, index);
        }
        self.used = log.positions.len();
    }

    fn add_stops(&mut self, log: &Log, index: usize) {
        for (time, at) in log.stopped_after(index).into_iter().chain(log.stood_after(index)) {
            self.believed.add(time, at);
        }
    }

    fn take_truth(&mut self, truth: &[(f64, DVec3)]) {
        if !self.is_true {
            *self = Self { is_true: true, ..Self::default() };
        }
        for index in self.used..truth.len() {
            let (time, at) = truth[index];
            // A subject that leaps has been teleported.
            if index.checked_sub(1).is_some_and(|before| truth[before].1.distance(at) > TELEPORT_METRES) {
                self.believed.end();
                self.teleports.push(time);
            }
            self.believed.add(time, at);
        }
        self.used = truth.len();
    }
}
