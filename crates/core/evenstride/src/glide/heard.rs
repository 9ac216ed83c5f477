//! Received positions, and what they tell about the ghost.

use evenstride_types::Vec3A;

use crate::glide::{
    Carried, Glide, LONG_AGO, estimate::braked, larger, length, shortened, turn, turned, wrapped,
};

/// Error in metres beyond which a ghost is put where the position says.
const LOST_METRES: f32 = 3.0;

/// Part of an error, and of a turn, that a position corrects at once.
const TRUST: f32 = 0.8;

/// Weight of a new measurement in the bias. While an animation moves the ghost, most of the
/// difference is jitter of the network.
const BIAS_TRUST: f32 = 0.7;
const BIAS_TRUST_WALKING: f32 = 0.35;

/// Shortest and longest gap in seconds between two positions of which a velocity is believed.
const MIN_GAP_SECS: f64 = 0.1;
const MAX_GAP_SECS: f64 = 0.6;

/// The same longest gap if nothing but positions tells a velocity, and the error in metres beyond
/// which such a ghost is put where the position says.
const SPARSE_GAP_SECS: f64 = 3.0;
pub(super) const SPARSE_LOST_METRES: f32 = 60.0;

/// Number of mean gaps, of at least a second in all, for which a velocity is believed that nothing but
/// positions tells. Two of them are one lost position.
const SPARSE_GAPS: f32 = 2.2;

/// Highest speed that positions are believed to tell, as a multiple of the body's top speed.
const MAX_HEARD_FACTOR: f32 = 1.25;

/// Weight of a new gap in the mean and the deviation.
const GAP_TRUST: f32 = 0.2;

/// Highest turn rate in degrees per second, and the weight of a new one.
const MAX_TURN: f32 = 360.0;
const TURN_TRUST: f32 = 0.6;

/// Distance in metres between two positions up to which an entity stood.
const STOOD_METRES: f32 = 0.03;

/// Change of an animation's velocity in metres per second beyond which a gap tells no velocity.
const UNCLEAR_SPEED: f32 = 0.8;

/// Mean gap in seconds below which positions are a stream.
const STREAM_SECS: f32 = 0.5;

/// Number of short gaps in a row that make a stream.
const STREAM_GAPS: u8 = 2;

/// A stream is overdue after its mean gap, 2.5 deviations and this many seconds.
const OVERDUE_SECS: f32 = 0.04;
const OVERDUE_DEVIATIONS: f32 = 2.5;

/// Error in metres that tells an arrived ghost to go on, and way in metres beyond its animation's by
/// which an entity goes on without it.
const GOES_ON_METRES: f32 = 0.4;

/// Steepest grade in metres per metre, and the shortest way in metres between two positions that
/// tells one.
const MAX_GRADE: f32 = 1.5;
const GRADE_METRES: f32 = 0.3;

/// A received position, in the landblock of the glide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said {
    /// Place in metres.
    pub(crate) place: Vec3A,
    /// Heading in degrees.
    pub(crate) heading: f32,
    /// Time of receipt in seconds.
    pub(crate) now: f64,
    /// Seconds since the last frame.
    pub(crate) since: f32,
    /// Whether the position turns the ghost.
    pub(crate) turns: bool,
    /// Top speed of the body in metres per second.
    pub(crate) top_speed: f32,
    /// What a plain world knows besides.
    pub(crate) arriving: Arriving,
}

/// What a plain world knows about a position besides the message that it makes of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arriving {
    /// Age of the position in seconds.
    pub(crate) age: f32,
    /// Seconds by which the ghost is put ahead of the position.
    pub(crate) lead: f32,
    /// Whether ghost and pose are put where the position says, and whether what earlier positions tell
    /// about the velocity still holds then.
    pub(crate) snaps: bool,
    pub(crate) goes_on: bool,
    /// Highest speed in metres per second, and highest turn rate in degrees per second, that positions
    /// are believed to tell.
    pub(crate) top_speed: f32,
    pub(crate) turn_rate: f32,
}

impl Arriving {
    /// Nothing is known besides.
    pub(crate) const PLAIN: Self = Self {
        age: 0.0,
        lead: 0.0,
        snaps: false,
        goes_on: false,
        top_speed: f32::INFINITY,
        turn_rate: f32::INFINITY,
    };
}

/// The received positions of one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stream {
    /// Way that the animation has made since the mark, in metres.
    pub(crate) way: Vec3A,
    /// Direction in which the ground rises, as long as it rises in metres per metre, and the place
    /// from which it is measured.
    pub(crate) grade: Vec3A,
    pub(crate) grade_from: Vec3A,
    /// Last received place.
    pub(crate) said: Vec3A,
    /// Its heading in degrees.
    pub(crate) said_heading: f32,
    /// Its time of receipt in seconds, or a time long ago, and the seconds that it was old then.
    pub(crate) said_at: f64,
    pub(crate) said_age: f32,
    /// Place from which the bias is measured, with its time in seconds and the velocity of the
    /// animation.
    pub(crate) mark: Vec3A,
    pub(crate) mark_at: f64,
    pub(crate) mark_legs: Vec3A,
    pub(crate) mark_heading: f32,
    /// Mean and mean deviation of short gaps, in seconds. The mean is 0 before the first one.
    pub(crate) gap: f32,
    pub(crate) deviation: f32,
    /// Turn rate that positions tell in degrees per second, clockwise. If nothing else tells a velocity,
    /// it is the smaller one of the last two gaps.
    pub(crate) turn: f32,
    /// The same of the last gap alone, and how often the entity goes where it faces (0 to 1). Both are
    /// for positions that alone tell a velocity.
    pub(crate) last_turn: f32,
    pub(crate) along: f32,
    /// Number of short gaps in a row, up to 255.
    pub(crate) short_gaps: u8,
    /// Whether rare positions tell a velocity too, because nothing else does.
    pub(crate) is_sparse: bool,
}

impl Stream {
    pub(crate) const NEW: Self = Self {
        said: Vec3A::ZERO,
        said_heading: 0.0,
        said_at: LONG_AGO,
        said_age: 0.0,
        mark: Vec3A::ZERO,
        mark_at: LONG_AGO,
        mark_legs: Vec3A::ZERO,
        mark_heading: 0.0,
        way: Vec3A::ZERO,
        gap: 0.0,
        deviation: 0.0,
        turn: 0.0,
        last_turn: 0.0,
        along: 0.0,
        short_gaps: 0,
        is_sparse: false,
        grade: Vec3A::ZERO,
        grade_from: Vec3A::ZERO,
    };

    pub(crate) fn shift(&mut self, by: Vec3A) {
        self.said += by;
        self.mark += by;
        self.grade_from += by;
    }

    /// Begins a new measurement at a position.
    fn begin(&mut self, said: &Said, legs: Vec3A) {
        (self.mark, self.mark_at, self.mark_legs) = (said.place, said.at(), legs);
        self.mark_heading = said.heading;
        // The part of this frame before the position is behind the mark.
        self.way = legs * -said.since;
    }

    /// Begins a new measurement with the next position.
    pub(crate) fn forget_way(&mut self) {
        self.mark_at = LONG_AGO;
        self.way = Vec3A::ZERO;
    }

    /// Returns the time in seconds at which the entity was where the last position says.
    pub(super) fn was_there_at(&self) -> f64 {
        self.said_at - f64::from(self.said_age)
    }

    pub(crate) fn is_heard(&self) -> bool {
        self.said_at > LONG_AGO
    }

    /// Returns whether positions arrive so often that they tell a velocity.
    pub(crate) fn is_stream(&self, now: f64) -> bool {
        let most = if self.is_sparse { f64::from(larger(SPARSE_GAPS * self.gap, 1.0)) } else { 2.0 };
        self.has_habit() && now - self.said_at < most
    }

    /// Returns whether positions have come regularly and often enough.
    fn has_habit(&self) -> bool {
        if self.is_sparse {
            self.short_gaps >= 1 && self.gap < SPARSE_GAP_SECS as f32
        } else {
            self.short_gaps >= STREAM_GAPS && self.gap < STREAM_SECS
        }
    }

    /// Returns the longest gap in seconds of which a velocity is believed.
    const fn max_gap(&self) -> f64 {
        if self.is_sparse { SPARSE_GAP_SECS } else { MAX_GAP_SECS }
    }

    /// Returns the last heading if it is at most `secs` seconds old and belongs to a stream.
    pub(crate) fn heading(&self, now: f64, secs: f64) -> Option<f32> {
        (self.is_stream(now) && now - self.said_at < secs).then_some(self.said_heading)
    }

    /// Returns the turn rate in degrees per second, clockwise. It is believed for one and a half gaps.
    pub(crate) fn turn_rate(&self, now: f64) -> Option<f32> {
        (self.is_stream(now) && now - self.said_at < f64::from(1.5 * self.gap)).then_some(self.turn)
    }

    /// Returns by how many seconds the next position of a stream is overdue.
    pub(crate) fn overdue_secs(&self, now: f64) -> Option<f32> {
        if !self.has_habit() {
            return None;
        }
        let due = self.gap + OVERDUE_DEVIATIONS * self.deviation + OVERDUE_SECS;
        let secs = (now - self.said_at) as f32 - due;
        (secs > 0.0).then_some(secs)
    }
}

impl Said {
    /// Returns the time in seconds at which the entity was there.
    fn at(&self) -> f64 {
        self.now - f64::from(self.arriving.age)
    }
}

impl Glide {
    /// Takes a received position.
    pub(crate) fn hear(&mut self, said: &Said) {
        self.is_braked = false;
        if self.carried == Carried::New {
            // It has not been drawn yet. Positions that alone tell a velocity tell it nevertheless.
            self.measure(said, !self.stream.is_sparse);
            self.limit(&said.arriving);
            return;
        }
        let error = said.place + self.way_since(said) - (self.ghost + self.velocity * said.since);
        let stands = self.carried == Carried::ByLegs && self.stood > 0.0 && self.bias == Vec3A::ZERO;
        let lost = if self.stream.is_sparse { SPARSE_LOST_METRES } else { LOST_METRES };
        let is_lost = error.dot(error) > lost * lost;
        let trust = if self.stream.is_sparse { self.stream.position_trust(said.at()) } else { TRUST };
        if self.has_arrived && error.dot(error) > GOES_ON_METRES * GOES_ON_METRES {
            self.has_arrived = false;
        }
        self.measure(said, is_lost);
        self.limit(&said.arriving);
        if self.carried != Carried::ByBody {
            // The new velocity tells better where the entity is by now.
            let error = said.place + self.way_since(said) - (self.ghost + self.velocity * said.since);
            let flat = error.with_z(0.0) * if is_lost || stands { 1.0 } else { trust };
            self.ghost += flat + Vec3A::Z * error.z;
        }
        if said.turns {
            let heading = said.heading + self.stream.turn * said.arriving.lead;
            self.heading = wrapped(self.heading + turn(self.heading, heading) * TRUST);
            self.is_turned = true;
        }
    }

    /// Returns the way in metres that an entity has gone since its position, at the velocity that
    /// positions tell.
    fn way_since(&self, said: &Said) -> Vec3A {
        self.way_in(said.arriving.lead)
    }

    /// Returns the way in metres that an entity goes in some seconds, at the velocity that positions
    /// tell.
    pub(crate) fn way_in(&self, secs: f32) -> Vec3A {
        if secs > 0.0 { turned(self.bias, 0.5 * self.stream.turn * secs) * secs } else { Vec3A::ZERO }
    }

    /// Keeps what positions tell within the limits of a plain world.
    fn limit(&mut self, arriving: &Arriving) {
        self.bias = shortened(self.bias, arriving.top_speed);
        self.recent = self.recent.min(arriving.top_speed);
        let Stream { turn, last_turn, .. } = &mut self.stream;
        *turn = turn.clamp(-arriving.turn_rate, arriving.turn_rate);
        *last_turn = last_turn.clamp(-arriving.turn_rate, arriving.turn_rate);
    }

    /// Measures velocity, gap and grade against the position before.
    fn measure(&mut self, said: &Said, is_lost: bool) {
        let stream = &mut self.stream;
        let step = said.place - stream.grade_from;
        let flat = length(step.with_z(0.0));
        if is_lost || !stream.is_heard() || self.carried == Carried::ByBody {
            // A flight tells nothing about the ground.
            (stream.grade, stream.grade_from) = (Vec3A::ZERO, said.place);
        } else if flat >= GRADE_METRES {
            let rise = (step.z / flat).clamp(-MAX_GRADE, MAX_GRADE);
            (stream.grade, stream.grade_from) = (step.with_z(0.0) * (rise / flat), said.place);
        }
        let gap = said.at() - stream.was_there_at();
        if gap > MIN_GAP_SECS && gap < SPARSE_GAP_SECS {
            // A pose must be able to follow, but positions that arrive late and together tell any
            // speed.
            let speed = length(said.place - stream.said) / gap as f32;
            self.recent = self.recent.max(speed.min(MAX_HEARD_FACTOR * said.top_speed));
        }
        if gap > 0.0 && gap < stream.max_gap() {
            let gap = gap as f32;
            stream.short_gaps = stream.short_gaps.saturating_add(1);
            if gap as f64 >= MIN_GAP_SECS {
                let rate = (turn(stream.said_heading, said.heading) / gap).clamp(-MAX_TURN, MAX_TURN);
                if stream.is_sparse {
                    stream.note_turn(rate);
                } else {
                    stream.turn += TURN_TRUST * (rate - stream.turn);
                }
            }
            if stream.gap == 0.0 {
                (stream.gap, stream.deviation) = (gap, 0.25 * gap);
            } else {
                stream.deviation += GAP_TRUST * (libm::fabsf(gap - stream.gap) - stream.deviation);
                stream.gap += GAP_TRUST * (gap - stream.gap);
            }
        } else if gap > 0.0 {
            (stream.short_gaps, stream.turn, stream.last_turn) = (0, 0.0, 0.0);
        }
        (stream.said, stream.said_heading, stream.said_at) = (said.place, said.heading, said.now);
        stream.said_age = said.arriving.age;
        let gap = said.at() - stream.mark_at;
        if gap >= stream.max_gap() || is_lost {
            self.bias = Vec3A::ZERO;
        } else if stream.is_sparse {
            if gap < stream.window() {
                return;
            }
            let seen = said.place - stream.mark;
            self.bias = if seen.dot(seen) < STOOD_METRES * STOOD_METRES {
                Vec3A::ZERO
            } else {
                stream.estimated(said, self.bias, seen, gap as f32)
            };
        } else if gap >= MIN_GAP_SECS {
            let way = stream.way + self.legs * said.since;
            let change = self.legs - stream.mark_legs;
            let seen = said.place - stream.mark;
            let is_unclear = change.dot(change) > UNCLEAR_SPEED * UNCLEAR_SPEED;
            let stood = self.stood > 0.0 && seen.dot(seen) < STOOD_METRES * STOOD_METRES;
            if stood || is_unclear {
                // The entity stands, or its animation began or ended within the gap. The difference
                // then tells when that was, and not how fast the entity is. Only an entity that went
                // much farther than its animation goes on without it.
                let more = seen - way;
                let goes_on =
                    !stood && more.dot(seen) > 0.0 && more.dot(more) > GOES_ON_METRES * GOES_ON_METRES;
                self.bias = if goes_on { seen * (1.0 / gap as f32) - self.legs } else { Vec3A::ZERO };
                stream.begin(said, self.legs);
                return;
            }
            // The mean velocity of the gap is that of its middle.
            let seen = turned(seen, 0.5 * stream.turn * gap as f32) - way;
            let seen = seen * (1.0 / gap as f32);
            if let Some(after) = braked(self.bias, seen).filter(|_| self.stood > 0.0) {
                self.bias = after;
                stream.begin(said, self.legs);
                return;
            }
            let trust = if self.stood > 0.0 { BIAS_TRUST } else { BIAS_TRUST_WALKING };
            self.bias += (seen - self.bias) * trust;
        } else {
            // Positions that arrive together after a loss tell no velocity.
            return;
        }
        stream.begin(said, self.legs);
    }
}
