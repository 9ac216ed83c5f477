//! What a body is like when it is put into the world.

use evenstride_types::{
    EntityId, Placement, StampTable, Vec3,
    update::{ItemType, PhysicsState},
};

use crate::{body::rows::Dimensions, motion::InterpretedMotion, outcome::InsertError};

/// A body to be put into the world. Start from [`BodySetup::at`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySetup {
    /// Where.
    pub place: Placement,
    /// How it takes part in the physical world.
    pub state: PhysicsState,
    /// What sort of thing it is (default: a creature). Only creatures fall, land and take off by the motion interpreter's rules.
    pub item_type: ItemType,
    /// Whether it stands on the ground.
    pub grounded: bool,
    /// What it is doing.
    pub motion: InterpretedMotion,
    /// The newest stamp of each kind.
    pub stamps: StampTable,
    /// Size factor, of root motion too.
    pub scale: f32,
    /// Width, in metres.
    pub radius: f32,
    /// In metres, from the origin up: what goes to it, or comes to it, measures between surfaces.
    pub height: f32,
    /// Part of its speed a sliding body loses in a second; 0.95 if not within 0 to 1, as in the client.
    pub friction: f32,
    /// Bounciness; brought into 0 to 0.1, as in the client.
    pub elasticity: f32,
    /// Metres a second, world axes: arrows appear flying.
    pub velocity: Vec3,
    /// Radians a second, world axes.
    pub omega: Vec3,
}

impl BodySetup {
    /// A body of the client's defaults, standing here.
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

    /// Whether a body can be like this.
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

/// Friction of a body that brings none of its own.
const DEFAULT_FRICTION: f32 = 0.95;
