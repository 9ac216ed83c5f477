//! Messages of the arena's server.

use evenstride_types::{
    EntityId, Placement, Vec3,
    update::{
        CreateUpdate, InterpretedState, ItemType, MotionCommand, MoveToFlags, MoveToParams, MovementKind,
        PhysicsState, PositionUpdate, ServerEntity, Update,
    },
};
use evenstride_wire::{CreateMessage, Message, Text};

/// Placement frame of a creature in its positions, as recorded servers send it.
const CREATURE_FRAME: u32 = 0x65;

/// Returns the description of a player or a creature, or of an arrow if `velocity` is given.
pub(super) fn created(
    entity: &ServerEntity,
    name: &str,
    place: &Placement,
    velocity: Option<Vec3>,
) -> CreateMessage {
    let mut physics = entity.description(place);
    let mut item_type = ItemType::CREATURE;
    if velocity.is_some() {
        physics.velocity = velocity;
        physics.state = PhysicsState::MISSILE | PhysicsState::GRAVITY | PhysicsState::ALIGN_PATH;
        item_type = ItemType::MISSILE_WEAPON;
    }
    let mut create = CreateMessage::plain(CreateUpdate::new(entity.id, physics).of_type(item_type));
    create.weenie.name = Text { bytes: name.as_bytes().to_vec(), has_long_length: false };
    create
}

/// Returns the position message of a player.
pub(super) fn player_at(entity: &mut ServerEntity, place: &Placement, is_grounded: bool) -> Update {
    let mut pack = entity.position_pack(place);
    pack.has_contact = is_grounded;
    Update::Position(PositionUpdate { entity: entity.id, pack })
}

/// Returns the position message of a creature.
pub(super) fn creature_at(entity: &mut ServerEntity, place: &Placement) -> Message {
    let mut pack = entity.position_pack(place);
    pack.placement_frame = Some(CREATURE_FRAME);
    Update::Position(PositionUpdate { entity: entity.id, pack }).into()
}

/// Returns the movement message for a player's motion.
pub(super) fn keyed(entity: &mut ServerEntity, motion: InterpretedState) -> Message {
    entity.does(motion).into()
}

/// Returns the movement message for a motion that the server has a creature do.
pub(super) fn ordered(entity: &mut ServerEntity, state: InterpretedState) -> Update {
    entity.ordered(MovementKind::Interpreted { state, stick_to: None })
}

/// Returns the movement message for a blow, after which the creature stays close to its target.
pub(super) fn strikes(entity: &mut ServerEntity, target: EntityId) -> Update {
    let blow = entity.action(MotionCommand(0x1000_0058));
    let state = InterpretedState { actions: vec![blow], ..InterpretedState::default() };
    entity.ordered(MovementKind::Interpreted { state, stick_to: Some(target) })
}

/// Returns the move-to parameters that recorded servers send with movement types 6 and 7.
pub(super) fn usual(flags: u32) -> MoveToParams {
    let flags = MoveToFlags::from_bits_retain(flags);
    MoveToParams { flags, min_distance: 20.0, ..MoveToParams::default() }
}
