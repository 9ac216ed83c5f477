//! Description of a body that a host inserts.
//!
//! Create messages are converted to the same type (`inbound/describe.rs`), so both ways use the
//! same checks and defaults.

use evenstride_types::{
    EntityId, Placement, StampTable, Vec3,
    update::{ItemType, PhysicsState},
};

use crate::{body::rows::Dimensions, motion::InterpretedMotion, outcome::InsertError};

/// Initial state of a body. Start from [`BodySetup::at`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySetup {
    /// Place at which the body appears. The surroundings do not check whether it fits there.
    pub place: Placement,
    /// State bits, such as gravity, hidden or static (default: edge slide, lighting, gravity and
    /// collision reports).
    pub state: PhysicsState,
    /// Type of the entity (default: a creature).
    ///
    /// Only creatures fall, land and take off by the rules of the motion interpreter.
    pub item_type: ItemType,
    /// Whether the body stands on level ground (default: `true`).
    pub grounded: bool,
    /// Motion at the beginning (default: standing).
    pub motion: InterpretedMotion,
    /// Newest stamp of each kind (default: 0 for every kind). Older messages are ignored.
    pub stamps: StampTable,
    /// Size factor, also of root motion (at least 0, default: 1).
    pub scale: f32,
    /// Radius in metres (at least 0, default: 0.5).
    pub radius: f32,
    /// Height in metres from the origin upwards (at least 0, default: 1.8).
    ///
    /// Move-to measures between the surfaces of cylinders of this height.
    pub height: f32,
    /// Fraction of its speed that a sliding body loses per second (0 to 1, default: 0.95).
    ///
    /// A value outside 0 to 1 is replaced by the default, as in the client.
    pub friction: f32,
    /// Fraction of its impact speed that a bouncing body keeps (0 to 0.1, default: 0.05). Other
    /// values are limited to that range, as in the client.
    pub elasticity: f32,
    /// Velocity in metres per second, world axes (default: zero). An arrow is already flying when
    /// it appears.
    pub velocity: Vec3,
    /// Spin in radians per second, world axes (default: zero).
    pub omega: Vec3,
}

impl BodySetup {
    /// Returns a body with the client's defaults that stands at `place`.
    pub fn at(place: Placement) -> Self {
        Self {
            place,
            state: PhysicsState::default(),
            item_type: ItemType::CREATURE,
            grounded: true,
            motion: InterpretedMotion::STANDING,
            stamps: StampTable::default(),
            scale: 1.0,
            radius: 0.5,
            height: 1.8,
            friction: DEFAULT_FRICTION,
            elasticity: 0.05,
            velocity: Vec3::ZERO,
            omega: Vec3::ZERO,
        }
    }

    /// Checks that every number is finite and every size at least 0.
    ///
    /// # Errors
    /// [`InsertError`] names the first invalid field.
    pub(crate) fn check(&self, entity: EntityId) -> Result<(), InsertError> {
        let sizes = [("scale", self.scale), ("radius", self.radius), ("height", self.height)]
            .map(|(field, value)| (field, value, value >= 0.0));
        let others = [
            ("friction", self.friction),
            ("elasticity", self.elasticity),
            ("velocity.x", self.velocity.x),
            ("velocity.y", self.velocity.y),
            ("velocity.z", self.velocity.z),
            ("omega.x", self.omega.x),
            ("omega.y", self.omega.y),
            ("omega.z", self.omega.z),
        ];
        let others = others.map(|(field, value)| (field, value, true));
        for (field, value, in_range) in sizes.into_iter().chain(others) {
            if !(value.is_finite() && in_range) {
                return Err(InsertError::Number { entity, field, value });
            }
        }
        self.motion.check().map_err(|reason| InsertError::Motion { entity, reason })?;
        if !self.place.pose.is_in_bounds() {
            let value = self.place.pose.origin().abs().max_element();
            return Err(InsertError::Number { entity, field: "place", value });
        }
        Ok(())
    }

    /// Returns the constants of the body, limited as in the client.
    ///
    /// Retail: `CPhysicsObj::set_description` (11.4186 @ 0x00514F40)
    pub(crate) fn dimensions(&self) -> Dimensions {
        let friction = if (0.0..=1.0).contains(&self.friction) { self.friction } else { DEFAULT_FRICTION };
        Dimensions {
            scale: self.scale,
            radius: self.radius,
            height: self.height,
            friction,
            elasticity: self.elasticity.clamp(0.0, 0.1),
        }
    }
}

/// Friction of a body whose description has no friction or an invalid one.
const DEFAULT_FRICTION: f32 = 0.95;
