//! Messages of the arena's server.

use evenstride_types::{
    EntityId, Vec3,
    update::{
        CreateUpdate, InterpretedState, ItemType, MotionCommand, MoveToFlags, MoveToParams, MovementKind,
        PhysicsState, PositionUpdate, ServerEntity, Update,
    },
};
use evenstride_wire::{CreateMessage, Message, Text};

use super::body::{Body, Keys};

/// Placement frame of a creature in its positions, as recorded servers send it.
const CREATURE_FRAME: u32 = 0x65;

/// Returns the description of a player or a creature, or of an arrow if `velocity` is given.
pub(super) fn created(entity: &ServerEntity, name: &str, body: &Body, velocity: Option<Vec3>) -> Message {
    let mut physics = entity.description(&body.place());
    let mut item_type = ItemType::CREATURE;
    if velocity.is_some() {
        physics.velocity = velocity;
        physics.state = PhysicsState::MISSILE | PhysicsState::GRAVITY | PhysicsState::ALIGN_PATH;
        item_type = ItemType::MISSILE_WEAPON;
    }
    let mut create = CreateMessage::plain(CreateUpdate::new(entity.id, physics).of_type(item_type));
    create.weenie.name = Text { bytes: name.as_bytes().to_vec(), has_long_length: false };
    Message::Create(Box::new(create))
}

/// Returns the position message of a player.
pub(super) fn player_at(entity: &mut ServerEntity, body: &Body) -> Message {
    positioned(entity, body, None)
}

/// Returns the position message of a creature.
pub(super) fn creature_at(entity: &mut ServerEntity, body: &Body) -> Message {
    positioned(entity, body, Some(CREATURE_FRAME))
}

fn positioned(entity: &mut ServerEntity, body: &Body, placement_frame: Option<u32>) -> Message {
    let mut pack = entity.position_pack(&body.place());
    pack.has_contact = body.is_grounded();
    pack.placement_frame = placement_frame;
    Update::Position(PositionUpdate { entity: entity.id, pack }).into()
}

/// Returns the movement message for a player's keys.
pub(super) fn keyed(entity: &mut ServerEntity, keys: &Keys) -> Message {
    entity.does(interpreted(keys)).into()
}

/// Returns the movement message for a motion that the server has a creature do.
pub(super) fn ordered(entity: &mut ServerEntity, state: InterpretedState) -> Message {
    entity.ordered(MovementKind::Interpreted { state, stick_to: None }).into()
}

/// Returns the movement message for a blow, after which the creature stays close to its target.
pub(super) fn strikes(entity: &mut ServerEntity, target: EntityId) -> Message {
    let blow = entity.action(MotionCommand(0x1000_0058));
    let state = InterpretedState { actions: vec![blow], ..InterpretedState::default() };
    entity.ordered(MovementKind::Interpreted { state, stick_to: Some(target) }).into()
}

/// Returns the move-to parameters that recorded servers send with movement types 6 and 7.
pub(super) fn usual(flags: u32) -> MoveToParams {
    let flags = MoveToFlags::from_bits_retain(flags);
    MoveToParams { flags, min_distance: 20.0, ..MoveToParams::default() }
}

fn interpreted(keys: &Keys) -> InterpretedState {
    let mut state = match keys.forward {
        MotionCommand::READY => InterpretedState::default(),
        forward => InterpretedState::doing(forward, keys.speed),
    };
    if keys.aside != 0.0 {
        state.sidestep = Some(MotionCommand::SIDESTEP_RIGHT.index());
        state.sidestep_speed = Some(keys.aside);
    }
    if keys.turn != 0.0 {
        state.turn = Some(MotionCommand::TURN_RIGHT.index());
        state.turn_speed = Some(keys.turn);
    }
    state
}
