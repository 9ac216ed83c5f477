//! Velocity, spin, gravity and friction, which move a body in addition to its animations.
//!
//! Vector messages, take-offs and falls set a flight. Walking on the ground needs none. `step/`
//! adds it to the offset of the other sources and then asks the surroundings. `body/body_mut.rs`
//! decides whether gravity applies.

use evenstride_types::{EPSILON, Pose, Vec3, length, length_squared, update::PhysicsState};

use crate::surroundings::GroundBelow;

/// Highest speed of a flight, in metres per second.
///
/// Retail: `CPhysicsObj::set_velocity` (11.4186 @ 0x005113F0)
pub const MAX_SPEED: f32 = 50.0;

/// Speed, in metres per second, up to which a body counts as standing still.
///
/// Retail: `CPhysicsObj::UpdatePhysicsInternal` (11.4186 @ 0x00510700)
pub const MIN_SPEED: f32 = 0.25;

/// Acceleration of a falling body along z, in metres per second squared.
///
/// Retail: `CPhysicsObj::calc_acceleration` (11.4186 @ 0x00510950)
pub const GRAVITY: f32 = -9.8;

/// Speed away from a surface, in metres per second, from which the surface does not slow a body.
///
/// Retail: `CPhysicsObj::calc_friction` (11.4186 @ 0x0050EE70)
const FREE_OF_FRICTION: f32 = 0.25;

/// Cosine of 10°. On steeper slopes a fast sled glides with little friction.
///
/// Retail: `CPhysicsObj::calc_friction` (11.4186 @ 0x0050EE70)
const SLED_SLOPE: f32 = 0.984_807_7;

/// Velocity and spin of a body, world axes. A body at rest has no flight at all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Flight {
    /// Velocity in metres per second, at most [`MAX_SPEED`] when set.
    pub velocity: Vec3,
    /// Spin in radians per second.
    pub omega: Vec3,
    /// Height of the ground below a body in the air, if messages or the take-off have shown it.
    pub ground: GroundBelow,
    /// Set once the body has fallen past that ground. A landing or another take-off clears it.
    pub missed: Option<Missed>,
}

/// A fall past the ground that the body should have landed on. Times are sums of the body's own
/// steps and do not depend on a clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missed {
    /// Seconds since the body passed that ground.
    pub secs: f32,
    /// Seconds since then, or since the server last said that the body is in the air.
    pub silent_secs: f32,
}

/// The surface below a body, as far as friction needs it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    /// Unit normal of the surface, world axes.
    pub normal: Vec3,
    /// Fraction of the speed that is lost per second, 0 to 1.
    pub friction: f32,
}

impl Flight {
    /// The flight of a body at rest. Such a body stores no flight.
    pub const REST: Self =
        Self { velocity: Vec3::ZERO, omega: Vec3::ZERO, ground: GroundBelow::Unknown, missed: None };

    /// Sets the velocity, limited to [`MAX_SPEED`]. A difference below [`EPSILON`] in every
    /// component changes nothing.
    ///
    /// Retail: `CPhysicsObj::set_velocity` (11.4186 @ 0x005113F0)
    pub fn set_velocity(&mut self, velocity: Vec3) {
        if !evenstride_types::nearly_equal(velocity, self.velocity) {
            self.velocity = limited(velocity);
        }
    }

    /// Returns whether a pose is below the known ground and sinks, so that the body should have landed.
    #[inline]
    pub fn is_below_ground(&self, pose: &Pose) -> bool {
        match self.ground {
            GroundBelow::Unknown => false,
            GroundBelow::TookOff(z) | GroundBelow::Heard(z) => {
                z - pose.origin().z > 0.0 && -self.velocity.z > 0.0
            }
        }
    }

    /// Moves a pose by velocity and spin, and applies friction and gravity to the velocity.
    ///
    /// Friction comes before the movement, and gravity changes the velocity after it. Returns the
    /// new origin beside the turned pose, because the caller must check its bounds first. `drag` is
    /// `None` in the air. A body at rest does not move in its first falling step, and only gains
    /// speed.
    ///
    /// Retail: `CPhysicsObj::UpdatePhysicsInternal` (11.4186 @ 0x00510700)
    pub fn carry(
        &mut self,
        pose: Pose,
        secs: f32,
        is_falling: bool,
        drag: Option<Drag>,
        state: PhysicsState,
    ) -> (Vec3, Pose) {
        let acceleration = if is_falling { Vec3::new(0.0, 0.0, GRAVITY) } else { Vec3::ZERO };
        let mut moved = pose.origin().as_dvec3();
        let q = f64::from(secs);
        let mut speed_squared = length_squared(self.velocity);
        if speed_squared > 0.0 {
            if speed_squared > f64::from(MAX_SPEED * MAX_SPEED) {
                self.velocity = limited(self.velocity);
                speed_squared = f64::from(MAX_SPEED * MAX_SPEED);
            }
            if let Some(drag) = drag {
                self.slow_down(secs, speed_squared, drag, state);
            }
            // The test uses the speed before friction, as in the client.
            if speed_squared - f64::from(MIN_SPEED * MIN_SPEED) < f64::from(EPSILON) {
                self.velocity = Vec3::ZERO;
            }
            moved += self.velocity.as_dvec3() * q + acceleration.as_dvec3() * (0.5 * q * q);
        }
        self.velocity = (self.velocity.as_dvec3() + acceleration.as_dvec3() * q).as_vec3();
        let spun = pose.spun_globally((self.omega.as_dvec3() * q).as_vec3());
        (moved.as_vec3(), spun)
    }

    /// Slows a body that slides over a surface, and removes its velocity along the normal.
    ///
    /// A slow sled, below 1.25 m/s, stops. A fast one, from 2.5 m/s on, glides on slopes steeper
    /// than 10°.
    ///
    /// Retail: `CPhysicsObj::calc_friction` (11.4186 @ 0x0050EE70)
    /// Disputed: ACE has the sledding test the other way round.
    fn slow_down(&mut self, secs: f32, speed_squared: f64, drag: Drag, state: PhysicsState) {
        let away = self.velocity.as_dvec3().dot(drag.normal.as_dvec3());
        if away >= f64::from(FREE_OF_FRICTION) {
            return;
        }
        let friction = if !state.contains(PhysicsState::SLEDDING) {
            drag.friction
        } else if speed_squared < 1.5625 {
            1.0
        } else if speed_squared < 6.25 || drag.normal.z >= SLED_SLOPE {
            drag.friction
        } else {
            0.2
        };
        let along = self.velocity.as_dvec3() - drag.normal.as_dvec3() * away;
        self.velocity = (along * libm::pow(1.0 - f64::from(friction), f64::from(secs))).as_vec3();
    }

    /// Reflects the velocity at an obstacle. An inelastic body stops instead.
    ///
    /// `elasticity` is the fraction of the impact speed that the rebound keeps, 0 to 1. A velocity
    /// away from the obstacle is left as it is.
    ///
    /// Retail: `CPhysicsObj::handle_all_collisions` (11.4186 @ 0x00514780)
    pub fn bounce(&mut self, normal: Vec3, elasticity: f32, state: PhysicsState) {
        if state.contains(PhysicsState::INELASTIC) {
            self.velocity = Vec3::ZERO;
            return;
        }
        let (velocity, normal) = (self.velocity.as_dvec3(), normal.as_dvec3());
        let into = velocity.dot(normal);
        if into < 0.0 {
            self.velocity = (velocity - normal * (into * (f64::from(elasticity) + 1.0))).as_vec3();
        }
    }
}

/// Returns a velocity, shortened to [`MAX_SPEED`].
fn limited(velocity: Vec3) -> Vec3 {
    let speed = length(velocity);
    if speed > f64::from(MAX_SPEED) {
        (velocity.as_dvec3() * (f64::from(MAX_SPEED) / speed)).as_vec3()
    } else {
        velocity
    }
}
