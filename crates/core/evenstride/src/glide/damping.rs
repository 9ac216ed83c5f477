//! Critically damped filters, exact for any length of a frame.

use evenstride_types::Vec3A;

use crate::config::GlideParts;

/// A vector that follows a target without overshooting it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Damped {
    /// Present value.
    pub(crate) value: Vec3A,
    /// Rate of change per second.
    pub(crate) rate: Vec3A,
}

/// The decay of one filter over a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decay {
    /// Stiffness per second, in all lanes.
    omega: Vec3A,
    /// Length of the frame in seconds.
    secs: Vec3A,
    /// The part that is left after the frame.
    left: Vec3A,
}

impl Damped {
    pub(crate) const ZERO: Self = Self { value: Vec3A::ZERO, rate: Vec3A::ZERO };

    /// Moves towards a target.
    #[inline]
    pub(crate) fn follow(&mut self, target: Vec3A, decay: &Decay) {
        let off = self.value - target;
        let push = self.rate + off * decay.omega;
        let far = off + push * decay.secs;
        self.value = target + far * decay.left;
        self.rate = (push - far * decay.omega) * decay.left;
    }
}

impl Decay {
    fn new(omega: f32, secs: f32) -> Self {
        let lanes = Vec3A::splat;
        Self { omega: lanes(omega), secs: lanes(secs), left: lanes(libm::expf(-omega * secs)) }
    }

    /// Moves an angle in degrees towards a target that turns at `rate`. `off` is the turn from the
    /// target to the angle. Returns the new difference, and the new turn rate.
    #[inline]
    pub(crate) fn follow_angle(&self, off: f32, spin: f32, rate: f32) -> (f32, f32) {
        let (omega, secs, left) = (self.omega.x, self.secs.x, self.left.x);
        let push = (spin - rate) + off * omega;
        let far = off + push * secs;
        (far * left, rate + (push - far * omega) * left)
    }
}

/// Stiffness of the filters: of the velocity, of the correction, and of the heading.
const CRUISE: f32 = 40.0;
const CORRECTION: f32 = 18.0;
const FACING: f32 = 12.0;

/// Seconds by which a velocity lags behind its target in the filter of the velocity.
const CRUISE_LAG_SECS: f32 = 2.0 / CRUISE;

/// Length of a frame in seconds below which no trend is seen.
const MIN_FRAME_SECS: f32 = 1e-6;

/// Acceleration in m/s² beyond which a change of velocity is a jump and not a trend.
const MAX_ACCELERATION: f32 = 40.0;

/// Facts about one frame that all bodies share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beat {
    /// Time in seconds.
    pub(crate) now: f64,
    /// Seconds since the last frame.
    pub(crate) secs: f32,
    pub(crate) cruise: Decay,
    pub(crate) correction: Decay,
    pub(crate) facing: Decay,
    /// Parts by which first-order filters with time constants of 0.05, 0.2 and 0.4 s move.
    pub(crate) soon: f32,
    pub(crate) later: f32,
    pub(crate) slowly: f32,
    /// Part of the recent speed that is left after the frame.
    pub(crate) fades: f32,
    /// Largest square of a change of velocity that is a trend, and the part of a trend that makes up
    /// for the delay of the velocity's filter.
    pub(crate) trend: f32,
    pub(crate) lead: Vec3A,
    /// Seconds since the last frame and half of them, in all lanes.
    pub(crate) lanes: Vec3A,
    pub(crate) half: Vec3A,
    /// Whether nothing at all arrives.
    pub(crate) is_link_silent: bool,
    /// Parts of gliding that are on.
    pub(crate) parts: GlideParts,
}

impl Beat {
    pub(crate) fn new(now: f64, secs: f32, is_link_silent: bool, parts: GlideParts) -> Self {
        let part = |time: f32| 1.0 - libm::expf(-secs / time);
        Self {
            now,
            secs,
            cruise: Decay::new(CRUISE, secs),
            correction: Decay::new(CORRECTION, secs),
            facing: Decay::new(FACING, secs),
            soon: part(0.05),
            later: part(0.2),
            slowly: part(0.4),
            fades: 1.0 - part(1.5),
            trend: (MAX_ACCELERATION * secs) * (MAX_ACCELERATION * secs),
            lead: Vec3A::splat(if secs > MIN_FRAME_SECS { 0.5 * CRUISE_LAG_SECS / secs } else { 0.0 }),
            lanes: Vec3A::splat(secs),
            half: Vec3A::splat(0.5 * secs),
            is_link_silent,
            parts,
        }
    }
}
