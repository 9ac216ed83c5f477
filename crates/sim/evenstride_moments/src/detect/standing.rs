//! Bodies that stand while their entities move: frozen, and stop-and-go.
//!
//! Only the next position tells that an entity moved, so both are found when it arrives.

use super::STANDS;
use crate::{
    cause::{Cause, Reason},
    moment::{Moment, MomentKind, Severity},
    track::{Receipt, Track},
};

/// Shortest time in seconds that a person notices a standing body.
const FROZEN_SECS: f64 = 0.4;

/// Distance in metres that an entity moves at least while its body is frozen, and that the body is
/// behind afterwards.
const FROZEN_METRES: f64 = 0.3;

/// Fraction of the time between two positions for which a body stands if it stands all the time.
const ALL_THE_TIME: f64 = 0.9;

/// Number of starts that make stop-and-go.
const STARTS: u32 = 3;

/// Speed of an entity in metres per second above which its stops are counted.
const ON_THE_WAY: f64 = 0.3;

/// Fraction of the entity's speed below which its body stops.
const STOPS: f64 = 0.2;

/// Fraction of the time for which the body stands in stop-and-go.
const STOPPED_PART: f64 = 0.15;

/// Longest gap in seconds between positions whose line is the entity's path.
const PATH_SECS: f64 = 1.5;

/// Longest stop-and-go in seconds that is one moment.
const EPISODE_SECS: f64 = 30.0;

/// State of the detector.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    episode: Option<Episode>,
    frozen: Option<Frozen>,
    /// Highest speed of the entity between its last positions, in metres per second.
    fastest: f64,
    /// Whether the body stood at the end of the last interval.
    stood: bool,
}

/// A stop-and-go under way.
#[derive(Clone, Debug)]
struct Episode {
    from: f64,
    to: f64,
    starts: u32,
    stood: f64,
    /// Distance in metres between even motion and the drawn one, added up.
    uneven: f64,
    cause: Cause,
}

/// A body that has stood through one or more intervals.
#[derive(Clone, Debug)]
struct Frozen {
    from: f64,
    to: f64,
    /// Way of the entity in metres.
    missed: f64,
    /// Largest distance in metres by which the body was behind.
    behind: f64,
    cause: Cause,
}

/// What the samples between two positions show.
#[derive(Clone, Copy, Debug, Default)]
struct Interval {
    stood: f64,
    starts: u32,
    uneven: f64,
    /// Start and end of the longest time for which the body stood.
    longest: (f64, f64),
    stands_at_end: bool,
}

impl Track {
    /// Looks at the time before the newest position.
    pub(crate) fn look_at_standing(&mut self, receipt: &Receipt, is_gliding: bool) -> Vec<Moment> {
        let Some(gap) = receipt.gap else {
            self.standing.stood = false;
            return self.end_standing();
        };
        let mut found = Vec::new();
        let interval = self.interval(receipt, gap);
        found.extend(self.look_for_frozen(receipt, gap, &interval, is_gliding));
        let is_stop_and_go = receipt.speed() > ON_THE_WAY
            && gap <= PATH_SECS
            && interval.stood / gap > STOPPED_PART
            && (interval.starts > 0 || self.standing.episode.is_some());
        if is_stop_and_go {
            let cause = self.cause_of(receipt, is_gliding);
            let from = receipt.time - gap;
            let episode = self.standing.episode.get_or_insert(Episode {
                from,
                to: from,
                starts: 0,
                stood: 0.0,
                uneven: 0.0,
                cause,
            });
            episode.to = receipt.time;
            episode.starts += interval.starts;
            episode.stood += interval.stood;
            episode.uneven += interval.uneven;
        }
        let is_over = |episode: &Episode| !is_stop_and_go || episode.to - episode.from > EPISODE_SECS;
        if self.standing.episode.as_ref().is_some_and(is_over) {
            found.extend(self.end_stop_and_go());
        }
        self.standing.fastest = (0.8 * self.standing.fastest).max(receipt.speed());
        self.standing.stood = interval.stands_at_end;
        found
    }

    /// Ends everything that is under way.
    pub(crate) fn end_standing(&mut self) -> Vec<Moment> {
        [self.end_stop_and_go(), self.end_frozen()].into_iter().flatten().collect()
    }

    fn end_stop_and_go(&mut self) -> Option<Moment> {
        let Episode { from, to, starts, stood, uneven, cause } = self.standing.episode.take()?;
        let kind = MomentKind::StopAndGo;
        (starts >= STARTS).then(|| Moment {
            kind,
            entity: self.entity,
            from,
            to,
            severity: Severity::of(kind, uneven, stood, 0.0),
            // It lasts as long as positions alone move the body, or at another speed.
            cause: Cause { reason: Reason::WaitedForPositions, from, to, ..cause },
            correction: None,
            also: Vec::new(),
            decisions: Vec::new(),
            seen: None,
        })
    }

    fn interval(&self, receipt: &Receipt, gap: f64) -> Interval {
        let mut interval = Interval::default();
        let start = receipt.time - gap;
        let stops = (STOPS * receipt.speed()).max(f64::from(STANDS));
        let (mut stands_since, mut did_stand) = (None, self.standing.stood);
        for (before, now) in self.pairs(start, receipt.time) {
            // A body that stood before has one long pair.
            let since = before.time.max(start);
            let (secs, all) = (now.time - since, now.time - before.time);
            if secs <= 0.0 {
                continue;
            }
            let way = f64::from((now.at - before.at).length()) * secs / all;
            let is_still = way / secs < stops;
            interval.uneven += (way - receipt.speed() * secs).abs() / 2.0;
            if is_still {
                interval.stood += secs;
                let since = *stands_since.get_or_insert(since);
                if now.time - since > interval.longest.1 - interval.longest.0 {
                    interval.longest = (since, now.time);
                }
            } else {
                stands_since = None;
                interval.starts += u32::from(did_stand);
            }
            did_stand = is_still;
        }
        interval.stands_at_end = did_stand;
        interval
    }

    /// Returns a finding if the body stood for longer than the entity can have stood.
    fn look_for_frozen(
        &mut self,
        receipt: &Receipt,
        gap: f64,
        interval: &Interval,
        is_gliding: bool,
    ) -> Option<Moment> {
        let moved = f64::from(receipt.moved.length());
        let (from, to) = interval.longest;
        // The entity may have stood too, if it is fast enough to cover its way in less time.
        let fastest = self.standing.fastest.max(receipt.speed());
        let may_stand = (gap - moved / fastest.max(1e-3)).max(0.0);
        let behind = receipt.off().map_or(0.0, |(ahead, _)| -ahead);
        let stood_through = interval.stood >= ALL_THE_TIME * gap && moved > 0.03;
        if stood_through || (to - from - may_stand >= FROZEN_SECS && behind >= FROZEN_METRES) {
            let cause = self.cause_of(receipt, is_gliding);
            let from = from + may_stand;
            let frozen =
                self.standing.frozen.get_or_insert(Frozen { from, to, missed: 0.0, behind: 0.0, cause });
            frozen.to = to.max(frozen.from);
            frozen.missed += moved;
            frozen.behind = frozen.behind.max(behind);
            if stood_through {
                return None;
            }
        }
        self.end_frozen()
    }

    fn end_frozen(&mut self) -> Option<Moment> {
        let Frozen { from, to, missed, behind, cause } = self.standing.frozen.take()?;
        // A body that is at its place, or beyond, has not missed anything.
        if to - from < FROZEN_SECS || missed < FROZEN_METRES || behind < FROZEN_METRES {
            return None;
        }
        let kind = MomentKind::Frozen;
        let reason = match cause.reason {
            Reason::UpdateGap => Reason::UpdateGap,
            _ => Reason::NoStride,
        };
        Some(Moment {
            kind,
            entity: self.entity,
            from,
            to,
            severity: Severity::of(kind, behind, to - from, 0.0),
            cause: Cause { reason, from: from.min(cause.from), to: to.max(cause.to), ..cause },
            correction: None,
            also: Vec::new(),
            decisions: Vec::new(),
            seen: None,
        })
    }
}
