//! Velocity, spin, gravity and friction: what moves a body that its legs do not.

use evenstride_types::{EPSILON, Pose, Vec3, length, length_squared, update::PhysicsState};

use crate::surroundings::GroundBelow;

/// Fastest a body can be, in metres a second.
///
/// Retail: `CPhysicsObj::set_velocity` (11.4186 @ 0x005113F0)
pub const MAX_SPEED: f32 = 50.0;

/// Slower than this is standing still, in metres a second.
///
/// Retail: `CPhysicsObj::UpdatePhysicsInternal` (11.4186 @ 0x00510700)
pub const MIN_SPEED: f32 = 0.25;

/// Acceleration of a falling body, in metres a second, a second, along z.
///
/// Retail: `CPhysicsObj::calc_acceleration` (11.4186 @ 0x00510950)
pub const GRAVITY: f32 = -9.8;

/// A body that leaves a surface faster than this is not slowed by it.
///
/// Retail: `CPhysicsObj::calc_friction` (11.4186 @ 0x0050EE70)
const FREE_OF_FRICTION: f32 = 0.25;

/// Flattest slope that a fast sled glides on with little friction: cos 10°.
///
/// Retail: `CPhysicsObj::calc_friction` (11.4186 @ 0x0050EE70)
const SLED_SLOPE: f32 = 0.984_807_7;

/// Velocity and spin of a body, world axes. A body that has nothing of this has no flight at all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Flight {
    /// Metres a second.
    pub velocity: Vec3,
    /// Radians a second.
    pub omega: Vec3,
    /// The ground below a body in the air.
    pub ground: GroundBelow,
    /// Set once the body has fallen past that ground.
    pub missed: Option<Missed>,
}

/// A body fell past the ground it should have landed on, and still falls. Counted in its own steps, so that no clock matters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missed {
    /// Seconds since it passed that ground.
    pub secs: f32,
    /// Seconds since then, or since the server last said that the body is in the air.
    pub silent_secs: f32,
}

/// What a surface does to a body on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    pub normal: Vec3,
    pub friction: f32,
}

impl Flight {
    pub const REST: Self =
        Self { velocity: Vec3::ZERO, omega: Vec3::ZERO, ground: GroundBelow::Unknown, missed: None };

    /// Takes on a velocity, no faster than [`MAX_SPEED`]. A difference below [`EPSILON`] in every component is none.
    ///
    /// Retail: `CPhysicsObj::set_velocity` (11.4186 @ 0x005113F0)
    pub fn set_velocity(&mut self, velocity: Vec3) {
        if !evenstride_types::nearly_equal(velocity, self.velocity) {
            self.velocity = limited(velocity);
        }
    }

    /// Moves a pose by velocity and spin and lets gravity and friction change them.
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
            // By the speed before friction, as the client has it.
            if speed_squared - f64::from(MIN_SPEED * MIN_SPEED) < f64::from(EPSILON) {
                self.velocity = Vec3::ZERO;
            }
            moved += self.velocity.as_dvec3() * q + acceleration.as_dvec3() * (0.5 * q * q);
        }
        self.velocity = (self.velocity.as_dvec3() + acceleration.as_dvec3() * q).as_vec3();
        let spun = pose.spun_globally((self.omega.as_dvec3() * q).as_vec3());
        (moved.as_vec3(), spun)
    }

    /// Slows a body that slides over a surface.
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

    /// Throws the body back from what it ran into.
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

fn limited(velocity: Vec3) -> Vec3 {
    let speed = length(velocity);
    if speed > f64::from(MAX_SPEED) {
        (velocity.as_dvec3() * (f64::from(MAX_SPEED) / speed)).as_vec3()
    } else {
        velocity
    }
}
