//! From the description of an entity to a body.

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

/// A description that can be a body.
pub(crate) struct Described {
    /// Nowhere: the body is put into its place once it is complete.
    pub(crate) setup: BodySetup,
    /// Where it is; `None` in a pack or in a hand.
    pub(crate) place: Option<Placement>,
    /// Whether it stands on the ground there.
    pub(crate) stands: bool,
    pub(crate) resources: ResourceIds,
    pub(crate) movement: Option<ValidMovement>,
}

/// Checks a description.
///
/// It does not say whether the entity touches the ground. What flies, rises or moves along is taken to be in the air, everything else to stand:
/// surroundings that know better say so when it is placed.
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
    // Straight down is what servers leave behind of a landing.
    let is_moving = velocity.z > EPSILON || !is_nearly_zero(velocity.with_z(0.0));
    let is_flying = physics.state.contains(PhysicsState::MISSILE) || is_moving;
    let setup = BodySetup {
        state: changed_state(PhysicsState::default(), physics.state),
        item_type: *item_type,
        // It touches nothing until the surroundings say so: being put up in the air is no take-off.
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

/// Where a description says the entity is; cell 0 is nowhere.
pub(crate) fn place_of(position: Option<&RawPlacement>) -> Result<Option<Placement>, RefuseReason> {
    match position {
        Some(position) if position.cell != 0 => Ok(Some(position.check()?)),
        _ => Ok(None),
    }
}
