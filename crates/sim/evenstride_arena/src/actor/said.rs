//! Messages, with stamps as servers count them.

use evenstride_types::{
    EntityId, Placement, Stamp, StampKind, StampTable, Vec3,
    update::{
        ActionItem, CreateUpdate, DeleteUpdate, InterpretedState, ItemType, MotionCommand, MoveToFlags,
        MoveToParams, Movement, MovementBody, MovementKind, MovementUpdate, PhysicsDescription, PhysicsState,
        PositionPack, PositionUpdate, Update, VectorUpdate,
    },
};
use evenstride_wire::{CreateMessage, Message, Text};

use super::body::{Body, Keys};

/// Every entity's first life.
const LIFE: Stamp = Stamp::new(1);

/// Pose of a creature in its positions, as recorded servers send it.
const CREATURE_FRAME: u32 = 0x65;

/// What an entity's messages have counted up to.
#[derive(Default)]
pub(super) struct Stamps {
    position: Stamp,
    movement: Stamp,
    server_control: Stamp,
    teleport: Stamp,
    vector: Stamp,
    action: u16,
}

impl Stamps {
    pub(super) fn created(
        &self,
        entity: EntityId,
        name: &str,
        place: &Placement,
        velocity: Option<Vec3>,
    ) -> Message {
        let mut stamps = StampTable::default();
        stamps.set(StampKind::Instance, LIFE);
        let mut physics = PhysicsDescription::standing(place, stamps);
        if velocity.is_some() {
            physics.velocity = velocity;
            physics.state = PhysicsState::MISSILE | PhysicsState::GRAVITY | PhysicsState::ALIGN_PATH;
        }
        let item_type = if velocity.is_some() { ItemType::MISSILE_WEAPON } else { ItemType::CREATURE };
        let mut create = CreateMessage::plain(CreateUpdate::new(entity, physics).of_type(item_type));
        create.weenie.name = Text { bytes: name.as_bytes().to_vec(), has_long_length: false };
        Message::Create(Box::new(create))
    }

    pub(super) const fn deleted(entity: EntityId) -> Message {
        Message::Update(Update::Delete(DeleteUpdate { entity, instance: LIFE }))
    }

    pub(super) fn positioned(&mut self, entity: EntityId, body: &Body, is_creature: bool) -> Message {
        self.position = self.position.next();
        let mut pack = PositionPack::standing(&body.place(), LIFE, self.position);
        pack.has_contact = body.is_grounded();
        pack.teleport = self.teleport;
        pack.placement_frame = is_creature.then_some(CREATURE_FRAME);
        Message::Update(Update::Position(PositionUpdate { entity, pack }))
    }

    /// What its own player's keys do.
    pub(super) fn keyed(&mut self, entity: EntityId, keys: &Keys) -> Message {
        self.moves(entity, MovementKind::Interpreted { state: interpreted(keys), stick_to: None }, true)
    }

    /// What the server has it do.
    pub(super) fn ordered(&mut self, entity: EntityId, kind: MovementKind) -> Message {
        self.server_control = self.server_control.next();
        self.moves(entity, kind, false)
    }

    /// A blow, staying close to whom it is for.
    pub(super) fn strikes(&mut self, entity: EntityId, target: EntityId) -> Message {
        self.action = self.action.wrapping_add(1) & 0x7FFF;
        let blow = ActionItem {
            command: MotionCommand(0x1000_0058).index(),
            stamp: self.action,
            autonomous: false,
            speed: 1.0,
        };
        let state = InterpretedState { actions: vec![blow], ..InterpretedState::default() };
        self.ordered(entity, MovementKind::Interpreted { state, stick_to: Some(target) })
    }

    pub(super) const fn teleported(&mut self) {
        self.teleport = self.teleport.next();
    }

    pub(super) fn thrown(&mut self, entity: EntityId, velocity: Vec3) -> Message {
        self.vector = self.vector.next();
        let (instance, stamp) = (LIFE, self.vector);
        Message::Update(Update::Vector(VectorUpdate { entity, velocity, omega: Vec3::ZERO, instance, stamp }))
    }

    fn moves(&mut self, entity: EntityId, kind: MovementKind, is_own: bool) -> Message {
        self.movement = self.movement.next();
        let body = MovementBody { kind, ..MovementBody::interpreted(InterpretedState::default()) };
        let movement = Movement {
            stamp: self.movement,
            server_control: self.server_control,
            autonomous: u8::from(is_own),
            body,
        };
        Message::Update(Update::Movement(MovementUpdate { entity, instance: LIFE, movement }))
    }
}

/// How recorded servers send creatures about: type 6 and 7 with these.
pub(super) fn usual(flags: u32) -> MoveToParams {
    MoveToParams {
        flags: MoveToFlags::from_bits_retain(flags),
        distance_to_object: 0.6,
        min_distance: 20.0,
        fail_distance: f32::MAX,
        speed: 1.0,
        walk_run_threshold: 15.0,
        desired_heading_deg: 0.0,
    }
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
