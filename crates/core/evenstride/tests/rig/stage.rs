//! A stage: a world, a virtual clock, and a server that says anything about anybody.

use evenstride::{
    BodyView, Config, Disposition, Event, Happening, MotionWorld, OpenField, Surroundings,
    types::{
        EntityId, Placement, RawPlacement, SimTime, Stamp, StampKind, StampTable, Vec3,
        update::{
            Attachment, CommandIndex, CreateUpdate, DeleteUpdate, DescribedMovement, InterpretedState,
            MoveToFlags, MoveToParams, Movement, MovementBody, MovementKind, MovementUpdate, ParentUpdate,
            PhysicsDescription, PhysicsState, PickupUpdate, PlayerAction, PositionPack, PositionUpdate,
            Resources, StateUpdate, TurnToParams, Update, VectorUpdate,
        },
    },
};

use super::{HOME, place};

/// A world in which anything can be said about anybody. The viewpoint is at (96, 96, 10).
pub struct Stage<S = OpenField> {
    pub world: MotionWorld,
    pub surroundings: S,
    pub now: f64,
    pub fps: f64,
}

impl Stage {
    pub fn new(config: Config) -> Self {
        Self::in_surroundings(config, OpenField)
    }
}

impl<S: Surroundings> Stage<S> {
    pub fn in_surroundings(config: Config, surroundings: S) -> Self {
        let mut world = MotionWorld::new(config, SimTime::ZERO);
        world.set_viewpoint(Some(at(96.0, 96.0)));
        Self { world, surroundings, now: 0.0, fps: 60.0 }
    }

    pub fn says(&mut self, update: &Update) -> Disposition {
        self.world.handle(self.time(), update, &self.surroundings)
    }

    /// Draws frames for so many seconds.
    pub fn drive(&mut self, secs: f64) {
        for _ in 0..(secs * self.fps).round() as usize {
            self.now += 1.0 / self.fps;
            let _ = self.world.advance(self.time(), &self.surroundings);
        }
    }

    pub fn time(&self) -> SimTime {
        SimTime::from_secs(self.now).unwrap()
    }

    pub fn body(&self, entity: EntityId) -> BodyView {
        self.world.body(entity).unwrap()
    }

    /// Where an entity is, in home coordinates.
    pub fn at(&self, entity: EntityId) -> Vec3 {
        super::home(&self.body(entity).place.unwrap())
    }

    /// Where an entity is drawn, in home coordinates.
    pub fn drawn(&self, entity: EntityId) -> Option<Vec3> {
        self.world.drawn(entity, self.time()).map(|place| super::home(&place))
    }

    /// Every event so far.
    pub fn events(&mut self) -> Vec<Event> {
        std::iter::from_fn(|| self.world.poll_event()).collect()
    }

    /// What happened to one entity so far; what happened to others is lost.
    pub fn events_of(&mut self, entity: EntityId) -> Vec<Happening> {
        self.events().into_iter().filter(|event| event.entity == entity).map(|event| event.kind).collect()
    }

    /// Everything the player has to send so far.
    pub fn sent(&mut self) -> Vec<PlayerAction> {
        std::iter::from_fn(|| self.world.poll_action()).collect()
    }
}

pub fn at(x: f32, y: f32) -> Placement {
    place(HOME, Vec3::new(x, y, 10.0))
}

/// What a server would say about an entity. Every message brings the next stamp.
#[derive(Clone, Copy)]
pub struct Actor {
    pub id: EntityId,
    pub stamps: StampTable,
}

impl Actor {
    pub fn new(id: u32) -> Self {
        Self { id: EntityId::new(id), stamps: StampTable::default() }
    }

    pub fn stamp(&self, kind: StampKind) -> Stamp {
        self.stamps.seen(kind)
    }

    pub fn next(&mut self, kind: StampKind) -> Stamp {
        let stamp = self.stamps.seen(kind).next();
        self.stamps.set(kind, stamp);
        stamp
    }

    /// In its next life.
    pub fn reborn(mut self) -> Self {
        let instance = self.next(StampKind::Instance);
        self.stamps = StampTable::default();
        self.stamps.set(StampKind::Instance, instance);
        self
    }

    pub fn description(&self, position: Option<&Placement>) -> PhysicsDescription {
        PhysicsDescription {
            position: position.map(RawPlacement::from),
            resources: Resources { motion_table: Some(0x0900_0001), ..Resources::default() },
            ..PhysicsDescription::nowhere(self.stamps)
        }
    }

    pub fn created(&self, x: f32, y: f32) -> Update {
        self.described(self.description(Some(&at(x, y))))
    }

    pub fn created_held(&self, holder: EntityId, location: u32) -> Update {
        let parent = Some(Attachment { entity: holder, location });
        self.described(PhysicsDescription { parent, ..self.description(None) })
    }

    pub fn described(&self, physics: PhysicsDescription) -> Update {
        Update::Create(CreateUpdate::new(self.id, physics))
    }

    pub fn position(&mut self, x: f32, y: f32) -> Update {
        let position = self.next(StampKind::Position);
        let pack = PositionPack {
            teleport: self.stamp(StampKind::Teleport),
            force_position: self.stamp(StampKind::ForcePosition),
            ..PositionPack::standing(&at(x, y), self.stamp(StampKind::Instance), position)
        };
        Update::Position(PositionUpdate { entity: self.id, pack })
    }

    pub fn teleport(&mut self, x: f32, y: f32) -> Update {
        self.next(StampKind::Teleport);
        self.position(x, y)
    }

    pub fn forced(&mut self, x: f32, y: f32) -> Update {
        self.next(StampKind::ForcePosition);
        self.position(x, y)
    }

    pub fn runs(&mut self, speed: f32) -> Update {
        self.moves(running(speed), 1)
    }

    pub fn stands(&mut self) -> Update {
        self.moves(InterpretedState::default(), 1)
    }

    pub fn moves(&mut self, state: InterpretedState, autonomous: u8) -> Update {
        self.told(MovementKind::Interpreted { state, stick_to: None }, autonomous)
    }

    pub fn follows(&mut self, target: EntityId) -> Update {
        let stick_to = Some(target);
        self.told(MovementKind::Interpreted { state: InterpretedState::default(), stick_to }, 0)
    }

    /// Sent to somebody, in the client's usual way.
    pub fn sent_to(&mut self, target: EntityId, params: MoveToParams) -> Update {
        let (cell, origin, run_rate) = (HOME, Vec3::new(1.0, 1.0, 10.0), 1.0);
        self.told(MovementKind::MoveToObject { target, cell, origin, params, run_rate }, 0)
    }

    /// Sent to a place, in home coordinates.
    pub fn sent_to_place(&mut self, x: f32, y: f32, params: MoveToParams) -> Update {
        let place = at(x, y);
        let (cell, origin, run_rate) = (place.cell.raw(), place.pose.origin(), 1.0);
        self.told(MovementKind::MoveToPosition { cell, origin, params, run_rate }, 0)
    }

    pub fn told_to_face(&mut self, heading: f32) -> Update {
        let flags = usual().flags;
        self.told(
            MovementKind::TurnToHeading(TurnToParams { flags, speed: 1.0, desired_heading_deg: heading }),
            0,
        )
    }

    pub fn told(&mut self, kind: MovementKind, autonomous: u8) -> Update {
        let stamp = self.next(StampKind::Movement);
        if autonomous == 0 {
            self.next(StampKind::ServerControlledMove);
        }
        let server_control = self.stamp(StampKind::ServerControlledMove);
        let movement = Movement { stamp, server_control, autonomous, body: body(kind) };
        let instance = self.stamp(StampKind::Instance);
        Update::Movement(MovementUpdate { entity: self.id, instance, movement })
    }

    pub fn thrown(&mut self, velocity: Vec3) -> Update {
        let stamp = self.next(StampKind::Vector);
        let instance = self.stamp(StampKind::Instance);
        Update::Vector(VectorUpdate { entity: self.id, velocity, omega: Vec3::ZERO, instance, stamp })
    }

    pub fn state(&mut self, state: PhysicsState) -> Update {
        let stamp = self.next(StampKind::State);
        let instance = self.stamp(StampKind::Instance);
        Update::State(StateUpdate { entity: self.id, state, instance, stamp })
    }

    pub fn deleted(&self) -> Update {
        Update::Delete(DeleteUpdate { entity: self.id, instance: self.stamp(StampKind::Instance) })
    }

    pub fn picked_up(&mut self) -> Update {
        let position = self.next(StampKind::Position);
        let instance = self.stamp(StampKind::Instance);
        Update::Pickup(PickupUpdate { entity: self.id, instance, position })
    }

    pub fn held_by(&mut self, holder: &Self, location: u32) -> Update {
        Update::Parent(ParentUpdate {
            holder: holder.id,
            held: self.id,
            location,
            placement_frame: 1,
            holder_instance: holder.stamp(StampKind::Instance),
            held_position: self.next(StampKind::Position),
        })
    }
}

/// What a server says of a movement when it says nothing special.
pub fn usual() -> MoveToParams {
    MoveToParams {
        flags: MoveToFlags::from_bits_retain(0x1_EE0F),
        distance_to_object: 0.6,
        min_distance: 0.0,
        fail_distance: f32::MAX,
        speed: 1.0,
        walk_run_threshold: 15.0,
        desired_heading_deg: 0.0,
    }
}

pub fn running(speed: f32) -> InterpretedState {
    let (forward, forward_speed) = (Some(CommandIndex(7)), Some(speed));
    InterpretedState { forward, forward_speed, ..InterpretedState::default() }
}

pub fn body(kind: MovementKind) -> MovementBody {
    MovementBody { style: CommandIndex(0x3D), standing_long_jump: false, other_flags: 0, kind }
}

pub fn doing(kind: MovementKind) -> Option<DescribedMovement> {
    Some(DescribedMovement::Doing { body: body(kind), autonomous: 0 })
}
