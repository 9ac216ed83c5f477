//! A drawn pose of its own, on the client's decisions.
//!
//! In the client, a received position replaces root motion until the body has reached it. Positions
//! are old when they arrive, so a body stops, goes back and goes on with each of them. Three things
//! take the place of one here.
//!
//! - The **body** is the client's. Nothing here changes it.
//! - The **ghost** is where the entity is believed to be now. Its animation always moves it. A
//!   received position is compared with the ghost at the moment of receipt. Keys and positions are
//!   equally old, so their difference does not contain the latency.
//! - The **pose** is what is drawn. It follows the ghost through critically damped filters.
//!
//! `ghost.rs` moves the ghost, `heard.rs` corrects it, and `pose.rs` moves the pose. `estimate.rs` has
//! the velocity of an entity of which only positions are known. `straight.rs` is the short frame of an
//! entity that walks straight on. `damping.rs` has the filters, `shown.rs` the animation that fits, and
//! `column.rs` the storage. Nothing here knows a body. `drawing/gliding.rs` brings the facts about
//! bodies, once per frame.
//!
//! The client has nothing of this, so its constants have no source there. They were chosen by the
//! scorecard, on seeds and ramps that `docs/scorecard.md` names.
//!
//! The state depends on the host's frames, so it is neither saved with a world nor part of its
//! fingerprint. `save/drawing.rs` saves it apart.

mod column;
mod damping;
mod estimate;
mod ghost;
mod heard;
mod pose;
mod shown;
mod straight;

use evenstride_types::{CellId, LandblockId, Rotation, Vec3A};

pub use self::shown::DrawnMotion;
pub(crate) use self::{
    column::Glides,
    damping::{Beat, Damped},
    ghost::{LONG_FRAME_SECS, Source},
    heard::{Arriving, Said, Stream},
};

/// Ghost and pose of one body.
///
/// Coordinates are in metres from the corner of `block`. Vectors take four lanes, so that one
/// instruction works on all of them. Values that every frame needs come first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glide {
    /// Place of the ghost.
    pub(crate) ghost: Vec3A,
    /// Velocity of the ghost in metres per second.
    pub(crate) velocity: Vec3A,
    /// Part of the velocity that the animation makes.
    pub(crate) legs: Vec3A,
    /// Place of the pose.
    pub(crate) pose: Vec3A,
    /// Velocity of the pose that follows the ghost's velocity.
    pub(crate) cruise: Damped,
    /// Velocity of the pose that corrects its distance from the ghost.
    pub(crate) correction: Damped,
    /// Last velocity of the ghost before it came to rest.
    pub(crate) course: Vec3A,
    /// Place of the body in the last frame.
    pub(crate) body_place: Vec3A,
    /// Received positions.
    pub(crate) stream: Stream,
    /// Rotation of the body, and the heading that was computed of it.
    pub(crate) body_rotation: Rotation,
    pub(crate) body_heading: f32,
    /// Sine and cosine of the ghost's heading, which are computed only when it changes.
    pub(crate) nose: [f32; 2],
    /// Highest recent speed of the ghost in metres per second, which fades.
    pub(crate) recent: f32,
    /// Seconds since the ghost came to rest.
    pub(crate) still: f32,
    /// Seconds since the animation stood.
    pub(crate) stood: f32,
    /// Heading of the ghost in degrees, 0 to 360, and its turn rate in degrees per second, clockwise.
    pub(crate) heading: f32,
    pub(crate) turn_rate: f32,
    /// Heading of the pose in degrees, 0 to 360.
    pub(crate) facing: f32,
    /// Turn rate of the pose in degrees per second, clockwise.
    pub(crate) spin: f32,
    /// Rotation of the pose.
    pub(crate) rotation: Rotation,
    /// Velocity that was seen beyond the animation, in metres per second.
    pub(crate) bias: Vec3A,
    /// Offset of the ghost from a body in the air, in metres.
    pub(crate) apart: Vec3A,
    /// Landblock from whose corner coordinates are measured.
    pub(crate) block: LandblockId,
    /// What moved the ghost in the last frame.
    pub(crate) carried: Carried,
    /// Whether the ghost has arrived at its goal before the body has.
    pub(crate) has_arrived: bool,
    /// Whether the pose moves although its animation stands.
    pub(crate) is_going: bool,
    /// Whether a position has turned the heading since the last frame.
    pub(crate) is_turned: bool,
    /// Whether the ghost brakes or has stopped because its positions have ceased.
    pub(crate) is_braked: bool,
}

/// What moves a ghost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carried {
    /// Nothing yet. The next frame sets ghost and pose to the body.
    New,
    /// The body's own velocity, in the air or while it follows another.
    ByBody,
    /// The animation.
    ByLegs,
}

impl Glide {
    /// Reads values from several lines of memory, which most frames need.
    #[inline(always)]
    pub(crate) fn touch(&self) -> [f32; 6] {
        let Self { cruise, ghost, body_place, stream, recent, .. } = self;
        [cruise.value.x, ghost.x, body_place.x, stream.way.x, stream.mark.x, *recent]
    }

    /// The state of a body that has not been drawn yet.
    pub(crate) const NEW: Self = Self {
        block: CellId::CORNER.landblock(),
        ghost: Vec3A::ZERO,
        velocity: Vec3A::ZERO,
        legs: Vec3A::ZERO,
        bias: Vec3A::ZERO,
        heading: 0.0,
        turn_rate: 0.0,
        nose: [0.0, 1.0],
        body_rotation: Rotation::IDENTITY,
        body_heading: 0.0,
        body_place: Vec3A::ZERO,
        pose: Vec3A::ZERO,
        cruise: Damped::ZERO,
        correction: Damped::ZERO,
        facing: 0.0,
        spin: 0.0,
        rotation: Rotation::IDENTITY,
        recent: 0.0,
        stream: Stream::NEW,
        stood: 0.0,
        still: 0.0,
        course: Vec3A::ZERO,
        apart: Vec3A::ZERO,
        carried: Carried::New,
        has_arrived: false,
        is_going: false,
        is_turned: true,
        is_braked: false,
    };

    /// Measures coordinates from another landblock.
    pub(crate) fn rebase(&mut self, block: LandblockId) {
        if self.block != block {
            let shift = Vec3A::from(block.offset_to(self.block));
            self.ghost += shift;
            self.pose += shift;
            self.body_place += shift;
            self.stream.shift(shift);
            self.block = block;
        }
    }

    /// Returns whether all values are finite and within bounds, as those that were computed are.
    ///
    /// A body may be anywhere within 2²⁴ m, and surroundings may move it there in a single step. The
    /// bounds leave room for the speed of that, and keep the squares of all values finite.
    pub(crate) fn is_sane(&self) -> bool {
        let near = |vector: Vec3A| vector.is_finite() && vector.dot(vector) < LARGEST * LARGEST;
        let vectors = [
            self.ghost,
            self.velocity,
            self.legs,
            self.bias,
            self.pose,
            self.apart,
            self.body_place,
            self.course,
        ];
        let filters = [self.cruise.value, self.cruise.rate, self.correction.value, self.correction.rate];
        let angles = [
            self.heading,
            self.facing,
            self.stream.said_heading,
            self.stream.mark_heading,
            self.body_heading,
        ];
        let stream = &self.stream;
        let heard = [stream.said, stream.mark, stream.mark_legs, stream.way, stream.grade, stream.grade_from];
        let numbers = [
            self.turn_rate,
            self.spin,
            self.recent,
            self.stood,
            self.still,
            stream.gap,
            stream.deviation,
            stream.turn,
            stream.last_turn,
            stream.along,
            stream.said_age,
        ];
        vectors.into_iter().chain(filters).chain(heard).all(near)
            && angles.iter().all(|angle| (0.0..=360.0).contains(angle))
            && self.nose.iter().all(|part| part.abs() <= 1.0)
            && numbers.iter().all(|number| number.abs() < LARGEST)
            && stream.said_at.is_finite()
            && stream.mark_at.is_finite()
    }

    /// Returns the velocity of the pose in metres per second.
    pub(crate) fn drawn_velocity(&self) -> Vec3A {
        self.cruise.value + self.correction.value
    }
}

/// Bound of all coordinates and speeds, in metres and metres per second.
const LARGEST: f32 = 1e15;

/// A time in seconds before any other.
const LONG_AGO: f64 = -1e15;

/// Returns the length of a vector.
#[inline]
fn length(vector: Vec3A) -> f32 {
    libm::sqrtf(vector.dot(vector))
}

/// Returns the larger number. Unlike `f32::max`, it takes one instruction, and returns the second one
/// if either is not a number.
#[inline(always)]
fn larger(one: f32, other: f32) -> f32 {
    if one > other { one } else { other }
}

/// Returns the smaller number, or the second one if either is not a number.
#[inline(always)]
fn smaller(one: f32, other: f32) -> f32 {
    if one < other { one } else { other }
}

/// Returns the vector, shortened to a length.
#[inline]
fn shortened(vector: Vec3A, most: f32) -> Vec3A {
    let squared = vector.dot(vector);
    if squared <= most * most { vector } else { vector * (most / libm::sqrtf(squared)) }
}

/// Returns the vector turned clockwise by an angle in degrees.
#[inline]
fn turned(vector: Vec3A, degrees: f32) -> Vec3A {
    let (sin, cos) = libm::sincosf(degrees.to_radians());
    turned_by(vector, [sin, cos])
}

/// Returns the vector turned clockwise by an angle with this sine and cosine.
#[inline]
fn turned_by(vector: Vec3A, [sin, cos]: [f32; 2]) -> Vec3A {
    Vec3A::new(vector.x * cos + vector.y * sin, vector.y * cos - vector.x * sin, vector.z)
}

/// Returns the turn from one heading to another in degrees, −180 to 180.
#[inline]
fn turn(from: f32, to: f32) -> f32 {
    wrapped(to - from + 180.0) - 180.0
}

/// Returns an angle in degrees within 0 to 360. An angle that is not finite becomes 0.
#[inline]
fn wrapped(degrees: f32) -> f32 {
    let once = if degrees < 0.0 {
        degrees + 360.0
    } else if degrees >= 360.0 {
        degrees - 360.0
    } else {
        degrees
    };
    if (0.0..360.0).contains(&once) { once } else { wrapped_far(once) }
}

/// Does the same for an angle that is many turns away.
#[cold]
fn wrapped_far(degrees: f32) -> f32 {
    if !degrees.is_finite() {
        return 0.0;
    }
    let within = libm::fmodf(degrees, 360.0);
    let positive = if within < 0.0 { within + 360.0 } else { within };
    if positive < 360.0 { positive } else { 0.0 }
}
