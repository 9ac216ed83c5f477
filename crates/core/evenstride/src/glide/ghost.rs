//! The ghost: where an entity is believed to be now.

use evenstride_types::{LandblockId, Rotation, Vec3A};

use crate::{
    config::{GlideParts, MIN_STEP_SECS},
    glide::{
        Beat, Carried, Damped, Glide, Stream, heard::SPARSE_LOST_METRES, length, shortened, turn, turned,
        turned_by, wrapped,
    },
};

/// Highest speed of a ghost, as a multiple of the body's top speed.
const MAX_SPEED_FACTOR: f32 = 1.25;

/// Speed of an animation in metres per second up to which it stands.
pub(super) const STANDS: f32 = 0.05;

/// Seconds for which an animation must stand until the ghost takes on the body's heading.
const SETTLE_SECS: f32 = 0.4;

/// Seconds within which a heading of a stream of positions is believed.
const HEADING_SECS: f64 = 0.6;

/// Difference in degrees from the body's heading beyond which a received heading is right.
const CONTRARY_DEG: f32 = 60.0;

/// Seconds in which a silent entity comes to a stop.
const BRAKE_SECS: f32 = 0.12;

/// Distances in metres by which the body must be nearer to the last position than the ghost, for a
/// standing ghost to go to the body. The second one is for a body at rest.
const MISPLACED_METRES: f32 = 0.3;
const MISPLACED_AT_REST_METRES: f32 = 0.05;

/// Length of a frame in seconds beyond which the pose is drawn where the ghost is, and the longest
/// time in seconds for which a ghost goes on by itself in one frame.
pub(crate) const LONG_FRAME_SECS: f32 = 0.25;
const LONGEST_FRAME_SECS: f32 = 2.0;

/// Longest way in metres of a body's first step.
const WAKING_METRES: f32 = 0.5;

/// Height in metres by which a pose may be lifted at once when it lands.
const LANDING_METRES: f32 = 0.05;

/// Distance in metres within one frame that no body walks. It was placed.
const LEAP_METRES: f32 = 12.0;

/// Distance in metres from the body at which a ghost does not go farther away by itself.
const LEAD_METRES: f32 = 12.0;

/// Age in seconds up to which a position is one of this moment, and its distance in metres from the
/// body within which the pose glides to it.
const JUST_NOW_SECS: f64 = 0.3;
const NEARBY_METRES: f32 = 3.0;

/// Distance in metres from the body beyond which ghost and pose are put where the body is.
const FARTHEST_METRES: f32 = 200.0;

/// What the world knows of a body in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    /// Landblock of the body, from whose corner `place` is measured.
    pub(crate) block: LandblockId,
    /// Place of the body at its last step.
    pub(crate) place: Vec3A,
    /// Rotation of the body.
    pub(crate) rotation: Rotation,
    /// Heading of the body in degrees.
    pub(crate) heading: f32,
    /// Velocity of the last step in metres per second.
    pub(crate) velocity: Vec3A,
    /// Seconds since the last step.
    pub(crate) since: f32,
    /// What moves the ghost.
    pub(crate) carried: Carried,
    /// Whether the body is in the air.
    pub(crate) is_airborne: bool,
    /// Velocity of the animation in metres per second, in the body's own axes.
    pub(crate) root: Vec3A,
    /// Velocity of a slide on the ground in metres per second.
    pub(crate) slide: Vec3A,
    /// Turn rate of the animation in degrees per second, clockwise.
    pub(crate) turn: f32,
    /// Top speed in metres per second.
    pub(crate) top_speed: f32,
    /// Whether the server has sent the body somewhere.
    pub(crate) is_sent: bool,
    /// Whether the entity may stop without a word. A body that is far from its goal has no reason to,
    /// and the keys of a player tell.
    pub(crate) may_stop: bool,
    /// Seconds for which the body goes on at a velocity that rare positions tell, because nothing else
    /// tells one. `None` if rare positions tell none.
    pub(crate) coast_secs: Option<f32>,
    /// Whether the body belongs to a plain world without surroundings. Its positions may come faster than
    /// it walks from one to the next, so it may be far behind.
    pub(crate) may_lag: bool,
    /// Height of the ground below a body in the air in metres, if it is known.
    pub(crate) floor: Option<f32>,
    /// Whether the surroundings tell the height of the ground, so that positions need not.
    pub(crate) knows_ground: bool,
}

/// Returns whether a vector is shorter than a length in metres. One that is not finite is not.
fn is_within(vector: Vec3A, most: f32) -> bool {
    vector.dot(vector) < most * most
}

impl Source {
    /// Returns whether rare positions tell a velocity too.
    pub(super) const fn is_sparse(&self) -> bool {
        self.coast_secs.is_some()
    }

    /// Returns the heading of the body in degrees, turned on since its last step.
    fn heading_now(&self) -> f32 {
        wrapped(self.heading + (self.turn * self.since).clamp(-90.0, 90.0))
    }
}

impl Glide {
    /// Moves ghost and pose on by one frame.
    #[inline]
    pub(crate) fn frame(&mut self, source: &Source, beat: &Beat) {
        self.rebase(source.block);
        self.stream.is_sparse = source.is_sparse();
        let leap = source.place - self.body_place;
        let has_leapt = leap.dot(leap) > LEAP_METRES * LEAP_METRES && beat.secs <= LONG_FRAME_SECS;
        // A body that lagged behind has leapt to its ghost, which need not notice.
        let has_leapt = has_leapt && !(source.may_lag && is_within(self.ghost - source.place, LEAP_METRES));
        self.body_place = source.place;
        if self.carried == Carried::New || source.carried == Carried::New || has_leapt {
            self.reset(source, beat.now);
            return;
        }
        if beat.secs > LONG_FRAME_SECS {
            self.long_frame(source, beat);
            return;
        }
        let before = self.velocity;
        self.carry(source, beat);
        self.follow(source, beat, before);
        self.keep_near(source, beat.now);
    }

    /// Moves the ghost by its animation, or with its body.
    fn carry(&mut self, source: &Source, beat: &Beat) {
        match source.carried {
            Carried::ByLegs => {
                if self.carried == Carried::ByBody {
                    self.land(source);
                }
                self.walk(source, beat);
            }
            _ => self.ride(source, beat),
        }
        self.carried = source.carried;
    }

    /// Puts ghost and pose where the body is if either is absurdly far away, whatever the reason.
    fn keep_near(&mut self, source: &Source, now: f64) {
        let is_near = |at: Vec3A| {
            let off = at - source.place;
            off.dot(off) < FARTHEST_METRES * FARTHEST_METRES
        };
        // A number that is not finite fails the comparison.
        if !(is_near(self.ghost) && is_near(self.pose)) {
            self.stream = Stream::NEW;
            self.reset(source, now);
        }
    }

    /// Puts the ghost on the ground of the body, and the pose too if it is hardly below.
    fn land(&mut self, source: &Source) {
        self.ghost.z = source.place.z;
        if source.place.z - self.pose.z < LANDING_METRES {
            self.pose.z = self.pose.z.max(source.place.z);
        }
        self.velocity.z = 0.0;
        for filter in [&mut self.cruise, &mut self.correction] {
            (filter.value.z, filter.rate.z) = (0.0, 0.0);
        }
    }

    /// Moves the ghost over a frame that is too long for filters. The pose is where the ghost is.
    #[cold]
    fn long_frame(&mut self, source: &Source, beat: &Beat) {
        let steps = libm::ceilf(beat.secs.min(LONGEST_FRAME_SECS) / LONG_FRAME_SECS).max(1.0);
        let part =
            Beat::new(beat.now, beat.secs.min(LONGEST_FRAME_SECS) / steps, beat.is_link_silent, beat.parts);
        for _ in 0..steps as u32 {
            self.carry(source, &part);
        }
        self.pose = self.ghost;
        self.cruise = Damped { value: self.velocity, rate: Vec3A::ZERO };
        self.correction = Damped::ZERO;
        (self.facing, self.spin) = (self.heading, self.turn_rate);
        self.face_at_once(source);
        self.keep_near(source, beat.now);
    }

    /// Puts the pose where the body is, and the ghost where a position of this moment says.
    ///
    /// A body that rested was drawn where it was before its last step.
    fn reset(&mut self, source: &Source, now: f64) {
        let (at, stream) = (source.place, self.stream);
        let way = stream.said - at;
        let nearby = if source.may_lag { SPARSE_LOST_METRES } else { NEARBY_METRES };
        let is_said = now - stream.said_at < JUST_NOW_SECS && way.dot(way) < nearby * nearby;
        let is_walking = is_said && source.carried == Carried::ByLegs;
        *self = Self {
            block: source.block,
            ghost: if is_walking { stream.said } else { at },
            pose: at - shortened(source.velocity * MIN_STEP_SECS as f32, WAKING_METRES),
            heading: source.heading,
            facing: source.heading,
            rotation: source.rotation,
            body_rotation: self.body_rotation,
            body_heading: self.body_heading,
            body_place: source.place,
            is_turned: true,
            carried: source.carried,
            bias: if source.is_sparse() { self.bias } else { Vec3A::ZERO },
            stream,
            ..Self::NEW
        };
        if !source.is_sparse() {
            self.stream.forget_way();
        }
    }

    /// Moves the ghost with a body in the air, or with one that follows another.
    ///
    /// The flight began where the ghost was, and the body's began a little elsewhere. The difference
    /// stays until the landing.
    fn ride(&mut self, source: &Source, beat: &Beat) {
        let body = source.place + source.velocity * source.since;
        if self.carried != Carried::ByBody {
            let apart = (self.ghost - body).with_z(0.0);
            self.apart = if source.is_airborne { shortened(apart, 1.0) } else { Vec3A::ZERO };
        }
        if !source.is_airborne {
            self.apart *= 1.0 - beat.later;
        }
        self.ghost = body + self.apart;
        self.velocity = source.velocity;
        if let Some(floor) = source.floor.filter(|floor| source.place.z >= *floor) {
            // The body has not passed the ground in its last step, so the entity has not either.
            self.ghost.z = self.ghost.z.max(floor);
            self.pose.z = self.pose.z.max(floor);
        }
        (self.legs, self.bias) = (Vec3A::ZERO, Vec3A::ZERO);
        self.turn_rate = source.turn;
        self.heading = wrapped(self.heading + (source.turn * beat.secs).clamp(-180.0, 180.0));
        self.heading = wrapped(self.heading + turn(self.heading, source.heading_now()) * beat.soon);
        self.stood = 0.0;
        self.has_arrived = false;
        self.stream.forget_way();
    }

    /// Moves the ghost by its animation.
    fn walk(&mut self, source: &Source, beat: &Beat) {
        let faced = self.heading;
        self.steer(source, beat);
        if self.heading != faced || self.carried != Carried::ByLegs || self.is_turned {
            let (sin, cos) = libm::sincosf(self.heading.to_radians());
            (self.nose, self.is_turned) = ([sin, cos], false);
        }
        let legs = self.legs_of(source);
        // A bias that the animation has caught up with is gone.
        let change = legs - self.legs;
        let rest = self.bias - change;
        if rest.dot(rest) < self.bias.dot(self.bias) {
            self.bias = rest;
        }
        // What positions showed beyond an animation ends with it, unless it was most of the motion.
        let stops = legs.dot(legs) <= STANDS * STANDS && self.legs.dot(self.legs) > STANDS * STANDS;
        if stops && self.bias.dot(self.course) < 0.5 * self.course.dot(self.course) {
            self.bias = Vec3A::ZERO;
        }
        let is_stream = beat.parts.contains(GlideParts::BIAS)
            && self.stream.is_stream(beat.now)
            && source.coast_secs.is_none_or(|secs| (beat.now - self.stream.said_at) as f32 <= secs);
        let mut velocity = legs;
        if is_stream && self.bias != Vec3A::ZERO {
            let top =
                source.top_speed.max(length(legs)).max(if source.is_sparse() { self.recent } else { 0.0 });
            velocity = shortened(legs + self.bias, MAX_SPEED_FACTOR * top);
        } else if !is_stream {
            self.bias = Vec3A::ZERO;
        }
        velocity *= self.brake(source, beat);
        // A body on its tether, or one that is blocked, holds its ghost back.
        let lead = self.ghost - source.place;
        if lead.dot(velocity) > 0.0 && lead.dot(lead) > LEAD_METRES * LEAD_METRES && !source.may_lag {
            velocity = Vec3A::ZERO;
        }
        if self.has_arrived && beat.parts.contains(GlideParts::ARRIVAL) {
            velocity = Vec3A::ZERO;
            self.bias = Vec3A::ZERO;
        }
        self.carry_by(legs, velocity, beat);
        let stands = legs.dot(legs) <= STANDS * STANDS;
        self.stood = if stands { self.stood + beat.secs } else { 0.0 };
        if self.stood > SETTLE_SECS && self.bias == Vec3A::ZERO {
            // The body stands on the ground.
            self.ghost.z += (source.place.z - self.ghost.z) * beat.later;
        }
        if stands && self.stood > SETTLE_SECS && velocity == Vec3A::ZERO {
            self.settle(source, beat);
        }
    }

    /// Turns the ghost.
    fn steer(&mut self, source: &Source, beat: &Beat) {
        let trusts = beat.parts.contains(GlideParts::HEADING);
        let heard = self.stream.heading(beat.now, HEADING_SECS).filter(|_| trusts);
        // Of an entity that moves while its animation stands, only positions tell how it turns. The
        // same holds for one that was sent and turns the other way round than the body.
        let is_contrary =
            source.is_sent && heard.is_some_and(|heard| turn(heard, source.heading).abs() > CONTRARY_DEG);
        let is_seen = is_contrary || (source.root == Vec3A::ZERO && self.bias != Vec3A::ZERO);
        self.turn_rate = match self.stream.turn_rate(beat.now).filter(|_| is_seen) {
            Some(rate) => rate,
            None => source.turn,
        };
        if self.turn_rate != 0.0 {
            let turn = (self.turn_rate * beat.secs).clamp(-180.0, 180.0);
            self.heading = wrapped(self.heading + turn);
            self.bias = turned(self.bias, turn);
        }
        let turns_in_place = source.turn != 0.0 && source.root == Vec3A::ZERO;
        if source.is_sent && !is_contrary && (heard.is_none() || turns_in_place) {
            // The body knows where it is to face in the end.
            self.heading = wrapped(self.heading + turn(self.heading, source.heading_now()) * beat.later);
        }
        if self.stood > SETTLE_SECS && self.turn_rate == 0.0 && self.velocity == Vec3A::ZERO {
            self.heading = wrapped(self.heading + turn(self.heading, source.heading) * beat.later);
        }
    }

    /// Returns the velocity of the animation in the direction of the ghost, and of a slide.
    fn legs_of(&self, source: &Source) -> Vec3A {
        if source.root == Vec3A::ZERO {
            return source.slide;
        }
        let legs = turned_by(source.root, self.nose);
        let legs = if source.knows_ground { legs } else { self.on_the_slope(legs) };
        if source.slide == Vec3A::ZERO { legs } else { legs + source.slide }
    }

    /// Returns a velocity along the ground, as positions have shown it.
    #[inline(always)]
    pub(super) fn on_the_slope(&self, flat: Vec3A) -> Vec3A {
        Vec3A::new(flat.x, flat.y, flat.z + flat.dot(self.stream.grade))
    }

    /// Moves the ghost on at a velocity, while its animation makes `legs` of it.
    #[inline(always)]
    pub(super) fn carry_by(&mut self, legs: Vec3A, velocity: Vec3A, beat: &Beat) {
        self.ghost += (self.velocity + velocity) * beat.half;
        self.stream.way += (self.legs + legs) * beat.half;
        self.legs = legs;
        self.velocity = velocity;
    }

    /// Returns the factor of a ghost whose stream of positions has ended without a word. Once it
    /// brakes, only a position lets it go on.
    fn brake(&mut self, source: &Source, beat: &Beat) -> f32 {
        let may_begin = source.may_stop && !beat.is_link_silent;
        if !(may_begin || self.is_braked) || !beat.parts.contains(GlideParts::BRAKE) {
            return 1.0;
        }
        let Some(secs) = self.stream.overdue_secs(beat.now) else { return 1.0 };
        self.is_braked = true;
        (1.0 - secs / BRAKE_SECS).max(0.0)
    }

    /// Moves a standing ghost to the body, if that is nearer to the last received position.
    fn settle(&mut self, source: &Source, beat: &Beat) {
        let said = self.stream.said;
        let ours = length(self.ghost - said);
        let margin = if source.velocity == Vec3A::ZERO { MISPLACED_AT_REST_METRES } else { MISPLACED_METRES };
        if !self.stream.is_heard() || length(source.place - said) + margin < ours {
            self.ghost += (source.place - self.ghost) * beat.slowly;
        }
    }
}
