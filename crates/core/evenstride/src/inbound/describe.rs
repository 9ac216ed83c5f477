//! Conversion of a description into the values of a body.
//!
//! This file checks and converts, and stores nothing. `create.rs` uses the result for new bodies. A
//! merge into an existing body uses only [`place_of`].

use evenstride_types::{
    COORDINATE_LIMIT, EPSILON, Placement, RawPlacement, is_nearly_zero,
    update::{CommandTable, CreateUpdate, DescribedMovement, PhysicsState},
};

use crate::{
    body::{
        rows::{NOWHERE, ResourceIds},
        setup::BodySetup,
    },
    inbound::movement::{ValidMovement, changed_state},
    motion::MotionLibrary,
    outcome::RefuseReason,
};

/// A description whose values are valid.
pub(crate) struct Described {
    /// Values of the new row. Its place is outside the world, because a body enters only once it is
    /// complete.
    pub(crate) setup: BodySetup,
    /// Place at which the body enters the world. `None` for an entity in a pack or in a hand.
    pub(crate) place: Option<Placement>,
    /// Whether the body is taken to stand on the ground there (see [`describe`]).
    pub(crate) stands: bool,
    /// Archive records to draw and move the body with. 0 where neither description nor model names
    /// one.
    pub(crate) resources: ResourceIds,
    /// Checked movement. `None` if the description has no movement, or an empty one.
    pub(crate) movement: Option<ValidMovement>,
}

/// Checks a description and converts it.
///
/// A description does not tell whether the entity touches the ground. A missile, a rising body and
/// a body with a horizontal velocity are taken to be in the air. Every other body is taken to
/// stand. Surroundings that know better correct this when the body is placed.
///
/// Radius and height are those of the model, multiplied by the scale. The defaults of
/// [`BodySetup::at`] replace a missing model and sizes outside 0 to `COORDINATE_LIMIT`.
///
/// # Errors
/// [`RefuseReason`] naming the first invalid value.
///
/// Retail: `CPhysicsObj::set_description` (11.4186 @ 0x00514F40)
pub(crate) fn describe(
    create: &CreateUpdate,
    table: CommandTable,
    library: &MotionLibrary,
) -> Result<Described, RefuseReason> {
    let CreateUpdate { entity, physics, item_type } = create;
    let place = place_of(physics.position.as_ref())?;
    let movement = match &physics.movement {
        Some(DescribedMovement::Doing { body, .. }) => Some(ValidMovement::of(body, table)?),
        Some(DescribedMovement::Empty) | None => None,
    };
    let velocity = physics.velocity.unwrap_or_default();
    let usual = BodySetup::at(NOWHERE);
    let model = physics.resources.setup.and_then(|setup| library.model(setup));
    let size = |own: Option<f32>, usual: f32| {
        own.filter(|size| (0.0..=COORDINATE_LIMIT).contains(size)).unwrap_or(usual)
    };
    let scale = physics.scale.unwrap_or(usual.scale);
    // Servers leave a velocity straight down in a description after a landing.
    let is_moving = velocity.z > EPSILON || !is_nearly_zero(velocity.with_z(0.0));
    let is_flying = physics.state.contains(PhysicsState::MISSILE) || is_moving;
    let setup = BodySetup {
        state: changed_state(PhysicsState::default(), physics.state),
        item_type: *item_type,
        // The body touches nothing until the surroundings say so. Being put into the air is not a
        // take-off.
        grounded: false,
        stamps: physics.stamps,
        scale,
        radius: size(model.map(|model| model.radius), usual.radius) * scale,
        height: size(model.map(|model| model.height), usual.height) * scale,
        friction: physics.friction.unwrap_or(usual.friction),
        elasticity: physics.elasticity.unwrap_or(usual.elasticity),
        velocity,
        omega: physics.omega.unwrap_or_default(),
        ..usual
    };
    setup.check(*entity)?;
    let resources = ResourceIds {
        setup: physics.resources.setup.unwrap_or(0),
        motion_table: physics
            .resources
            .motion_table
            .or_else(|| model.map(|model| model.motion_table))
            .unwrap_or(0),
        placement_frame: physics.placement_frame.unwrap_or(0),
    };
    Ok(Described { setup, place, stands: !is_flying, resources, movement })
}

/// Returns the place that a description names. `None` without a position, and for cell 0, which is
/// outside the world.
///
/// # Errors
/// [`RefuseReason::Position`] if cell, coordinates or rotation are invalid.
pub(crate) fn place_of(position: Option<&RawPlacement>) -> Result<Option<Placement>, RefuseReason> {
    match position {
        Some(position) if position.cell != 0 => Ok(Some(position.check()?)),
        _ => Ok(None),
    }
}
