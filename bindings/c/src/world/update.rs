//! Messages that the host has parsed already, as plain structs.
//!
//! Stamps are the 16-bit counters of the messages. Hosts with the bytes at hand use `ev_world_handle`.

use evenstride_types::{
    EntityId, Stamp, StampTable,
    update::{
        ActionItem, Attachment, CommandIndex, CreateUpdate, DeleteUpdate, DescribedMovement,
        InterpretedState, ItemType, MoveToFlags, MoveToParams, Movement, MovementBody, MovementKind,
        MovementUpdate, ParentUpdate, PhysicsDescription, PhysicsState, PickupUpdate, PositionPack,
        PositionUpdate, Resources, SparseQuaternion, StateUpdate, TeleportUpdate, TurnToParams, Update,
        VectorUpdate,
    },
};

use super::{EvWorld, World, with};
use crate::{
    place::{EvDisposition, EvPlace, EvVec3, time},
    pointers::{In, Out, Room, at},
    status::{Done, EvStatus, Fault},
};

/// Place of an entity (opcode F748).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvPosition {
    /// Entity at this place.
    pub entity: u32,
    /// Place as sent.
    pub place: EvPlace,
    /// 1 if the entity touches the ground.
    pub has_contact: u32,
    /// Instance stamp.
    pub instance: u16,
    /// Position stamp.
    pub position: u16,
    /// Teleport stamp.
    pub teleport: u16,
    /// Force-position stamp.
    pub force_position: u16,
}

/// Motion or goal of an entity (opcode F74C). `kind` decides which fields have a meaning.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvMovement {
    /// Entity that moves.
    pub entity: u32,
    /// Instance stamp.
    pub instance: u16,
    /// Movement stamp.
    pub movement: u16,
    /// Stamp of server-controlled movements.
    pub server_control: u16,
    /// Non-zero if the entity's own player asked for it.
    pub autonomous: u8,
    /// `EV_MOVEMENT_COMMANDS` and its neighbours.
    pub kind: u8,
    /// Stance, by command index.
    pub style: u16,
    /// Fields that are present, as `EV_HAS_FORWARD` and its neighbours. Commands only.
    pub present: u16,
    /// Forward motion, by command index.
    pub forward: u16,
    /// Sideways motion, by command index.
    pub sidestep: u16,
    /// Turning motion, by command index.
    pub turn: u16,
    /// 1 if the entity charges a jump while standing.
    pub standing_long_jump: u16,
    /// Speed factor of the forward axis.
    pub forward_speed: f32,
    /// Speed factor of the sideways axis.
    pub sidestep_speed: f32,
    /// Speed factor of the turning axis.
    pub turn_speed: f32,
    /// Target of a goal, or the entity to follow. 0 means none.
    pub target: u32,
    /// Cell of the goal.
    pub cell: u32,
    /// Coordinates of the goal in metres.
    pub origin: EvVec3,
    /// Permissions and side effects of a goal.
    pub flags: u32,
    /// Arrival distance in metres.
    pub distance_to_object: f32,
    /// Distance in metres at which a body that moves away has arrived.
    pub min_distance: f32,
    /// Distance in metres beyond which the body gives up.
    pub fail_distance: f32,
    /// Speed factor of a goal.
    pub speed: f32,
    /// The body runs while it is more than this many metres beyond the arrival distance.
    pub walk_run_threshold: f32,
    /// Heading in degrees that the parameters of a goal name.
    pub desired_heading: f32,
    /// Running speed factor of the mover.
    pub run_rate: f32,
    /// Heading in degrees of a turn to an entity whose place is unknown.
    pub heading: f32,
}

/// Commands and speeds.
pub const EV_MOVEMENT_COMMANDS: u8 = 0;
/// Move to an entity.
pub const EV_MOVEMENT_TO_OBJECT: u8 = 6;
/// Move to a place.
pub const EV_MOVEMENT_TO_PLACE: u8 = 7;
/// Turn to an entity.
pub const EV_MOVEMENT_TURN_TO_OBJECT: u8 = 8;
/// Turn to a heading.
pub const EV_MOVEMENT_TURN_TO_HEADING: u8 = 9;

/// `style` is a part of the commands, too.
pub const EV_HAS_STYLE: u16 = 1;
/// `forward` is present.
pub const EV_HAS_FORWARD: u16 = 2;
/// `sidestep` is present.
pub const EV_HAS_SIDESTEP: u16 = 4;
/// `turn` is present.
pub const EV_HAS_TURN: u16 = 8;
/// `forward_speed` is present.
pub const EV_HAS_FORWARD_SPEED: u16 = 16;
/// `sidestep_speed` is present.
pub const EV_HAS_SIDESTEP_SPEED: u16 = 32;
/// `turn_speed` is present.
pub const EV_HAS_TURN_SPEED: u16 = 64;

/// A motion to be performed once.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvAction {
    /// Motion, by command index.
    pub command: u16,
    /// Order among actions, in 15 bits.
    pub stamp: u16,
    /// Non-zero if the entity's own player asked for it.
    pub autonomous: u32,
    /// Speed factor.
    pub speed: f32,
}

/// Velocity and spin of an entity (opcode F74E).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvVector {
    /// Entity that changes.
    pub entity: u32,
    /// Velocity in metres per second, world axes.
    pub velocity: EvVec3,
    /// Spin in radians per second, world axes.
    pub omega: EvVec3,
    /// Instance stamp.
    pub instance: u16,
    /// Vector stamp.
    pub stamp: u16,
}

/// Description of an entity (opcodes F745 and F7DB), as far as motion needs it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvCreate {
    /// Described entity.
    pub entity: u32,
    /// 1 if the entity is removed and created from scratch (F7DB).
    pub is_recreated: u32,
    /// Item type. Motion reads only the creature bit, 0x10.
    pub item_type: u32,
    /// Physics state bits.
    pub state: u32,
    /// Optional fields that are present, as `EV_HAS_PLACE` and its neighbours.
    pub present: u32,
    /// Place of the entity.
    pub place: EvPlace,
    /// Model, 0 for none.
    pub setup: u32,
    /// Motion table, 0 for none.
    pub motion_table: u32,
    /// Index of the pose for an object without animations.
    pub placement_frame: u32,
    /// Holder of the entity, 0 for none.
    pub holder: u32,
    /// Place on the holder.
    pub location: u32,
    /// Size factor.
    pub scale: f32,
    /// Fraction of its speed that a sliding body loses per second.
    pub friction: f32,
    /// Bounciness.
    pub elasticity: f32,
    /// Velocity in metres per second.
    pub velocity: EvVec3,
    /// Spin in radians per second.
    pub omega: EvVec3,
    /// Newest stamp of each kind, in the order of the message.
    pub stamps: [u16; 9],
    /// Not used, 0.
    pub reserved: u16,
}

/// `place` is present.
pub const EV_HAS_PLACE: u32 = 1;
/// `placement_frame` is present.
pub const EV_HAS_PLACEMENT_FRAME: u32 = 2;
/// `scale` is present.
pub const EV_HAS_SCALE: u32 = 4;
/// `friction` is present.
pub const EV_HAS_FRICTION: u32 = 8;
/// `elasticity` is present.
pub const EV_HAS_ELASTICITY: u32 = 16;
/// `velocity` is present.
pub const EV_HAS_VELOCITY: u32 = 32;
/// `omega` is present.
pub const EV_HAS_OMEGA: u32 = 64;

/// Applies one update. `disposition` may be null.
fn apply(world: &mut World, seconds: f64, update: &Update, out: &Out<EvDisposition>) -> Done {
    let disposition = world.world.handle(time(seconds)?, update, &world.ground);
    out.set(EvDisposition::of(update.entity(), &disposition));
    world.ground.faults()
}

/// Applies positions, in order. `dispositions` has room for `capacity` entries, which is 0 or `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_apply_positions(
    world: *mut EvWorld,
    seconds: f64,
    positions: *const EvPosition,
    count: usize,
    dispositions: *mut EvDisposition,
    capacity: usize,
) -> EvStatus {
    let mut written = 0;
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, positions, mut room) = unsafe {
        let room = Room::new(dispositions, capacity, &raw mut written);
        (at(world), In::many(positions, count), room)
    };
    with(world, |world| {
        let now = time(seconds)?;
        room.check("dispositions")?;
        let positions = positions.all("positions")?;
        if capacity > 0 {
            room.expect("dispositions", positions.len())?;
        }
        world.updates.clear();
        world.updates.extend(positions.iter().map(|position| Update::Position(position.into())));
        world.world.handle_all(now, &world.updates, &world.ground, |update, disposition| {
            if room.has_room() {
                room.push(EvDisposition::of(update.entity(), &disposition));
            }
        });
        world.ground.faults()
    })
}

/// Applies a movement with its actions. `disposition` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_apply_movement(
    world: *mut EvWorld,
    seconds: f64,
    movement: *const EvMovement,
    actions: *const EvAction,
    count: usize,
    disposition: *mut EvDisposition,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, movement, actions, out) =
        unsafe { (at(world), In::one(movement), In::many(actions, count), Out::new(disposition)) };
    with(world, |world| {
        let movement = movement.value("movement")?;
        let update = Update::Movement(MovementUpdate {
            entity: EntityId::new(movement.entity),
            instance: Stamp::new(movement.instance),
            movement: Movement {
                stamp: Stamp::new(movement.movement),
                server_control: Stamp::new(movement.server_control),
                autonomous: movement.autonomous,
                body: movement.body(actions.all("actions")?)?,
            },
        });
        apply(world, seconds, &update, &out)
    })
}

/// Applies velocity and spin. `disposition` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_apply_vector(
    world: *mut EvWorld,
    seconds: f64,
    vector: *const EvVector,
    disposition: *mut EvDisposition,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, vector, out) = unsafe { (at(world), In::one(vector), Out::new(disposition)) };
    with(world, |world| {
        let vector = vector.value("vector")?;
        let update = Update::Vector(VectorUpdate {
            entity: EntityId::new(vector.entity),
            velocity: vector.velocity.into(),
            omega: vector.omega.into(),
            instance: Stamp::new(vector.instance),
            stamp: Stamp::new(vector.stamp),
        });
        apply(world, seconds, &update, &out)
    })
}

/// Applies a description. `movement` is the motion in it, and may be null. Its entity and stamps are not
/// used. `disposition` may be null.
///
/// Items in the hands of the entity come with `ev_world_apply_parent` or their own descriptions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_apply_create(
    world: *mut EvWorld,
    seconds: f64,
    create: *const EvCreate,
    movement: *const EvMovement,
    actions: *const EvAction,
    count: usize,
    disposition: *mut EvDisposition,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, create, movement, actions, out) = unsafe {
        (at(world), In::one(create), at(movement), In::many(actions, count), Out::new(disposition))
    };
    with(world, |world| {
        let create = create.value("create")?;
        let movement = movement.map(|movement| {
            Ok(DescribedMovement::Doing {
                body: movement.body(actions.all("actions")?)?,
                autonomous: movement.autonomous.into(),
            })
        });
        let described = create.described(movement.transpose()?);
        let update =
            if create.is_recreated == 0 { Update::Create(described) } else { Update::Recreate(described) };
        apply(world, seconds, &update, &out)
    })
}

/// Applies new physics state bits (opcode F74B). `disposition` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_apply_state(
    world: *mut EvWorld,
    seconds: f64,
    entity: u32,
    state: u32,
    instance: u16,
    stamp: u16,
    disposition: *mut EvDisposition,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(disposition)) };
    with(world, |world| {
        let update = Update::State(StateUpdate {
            entity: EntityId::new(entity),
            state: PhysicsState::from_bits_retain(state),
            instance: Stamp::new(instance),
            stamp: Stamp::new(stamp),
        });
        apply(world, seconds, &update, &out)
    })
}

/// Applies the deletion of an entity (opcode F747). `disposition` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_apply_delete(
    world: *mut EvWorld,
    seconds: f64,
    entity: u32,
    instance: u16,
    disposition: *mut EvDisposition,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(disposition)) };
    with(world, |world| {
        let update = DeleteUpdate { entity: EntityId::new(entity), instance: Stamp::new(instance) };
        apply(world, seconds, &Update::Delete(update), &out)
    })
}

/// Puts an entity into a pack (opcode F74A). `disposition` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_apply_pickup(
    world: *mut EvWorld,
    seconds: f64,
    entity: u32,
    instance: u16,
    position: u16,
    disposition: *mut EvDisposition,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(disposition)) };
    with(world, |world| {
        let update = PickupUpdate {
            entity: EntityId::new(entity),
            instance: Stamp::new(instance),
            position: Stamp::new(position),
        };
        apply(world, seconds, &Update::Pickup(update), &out)
    })
}

/// Puts an entity into the hand of another (opcode F749). `holder_instance` is the instance stamp of the
/// holder, and `held_position` the position stamp of the held entity. `disposition` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_apply_parent(
    world: *mut EvWorld,
    seconds: f64,
    holder: u32,
    held: u32,
    location: u32,
    placement_frame: u32,
    holder_instance: u16,
    held_position: u16,
    disposition: *mut EvDisposition,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(disposition)) };
    with(world, |world| {
        let update = ParentUpdate {
            holder: EntityId::new(holder),
            held: EntityId::new(held),
            location,
            placement_frame,
            holder_instance: Stamp::new(holder_instance),
            held_position: Stamp::new(held_position),
        };
        apply(world, seconds, &Update::Parent(update), &out)
    })
}

/// Begins the local player's teleport (opcode F751). `disposition` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_apply_teleport(
    world: *mut EvWorld,
    seconds: f64,
    teleport: u16,
    disposition: *mut EvDisposition,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(disposition)) };
    with(world, |world| {
        let update = Update::Teleport(TeleportUpdate { teleport: Stamp::new(teleport) });
        apply(world, seconds, &update, &out)
    })
}

impl From<&EvPosition> for PositionUpdate {
    fn from(position: &EvPosition) -> Self {
        let raw = position.place.raw();
        let pack = PositionPack {
            cell: raw.cell,
            origin: raw.origin,
            rotation: SparseQuaternion::full(raw.wxyz),
            velocity: None,
            placement_frame: None,
            has_contact: position.has_contact != 0,
            other_flags: 0,
            instance: Stamp::new(position.instance),
            position: Stamp::new(position.position),
            teleport: Stamp::new(position.teleport),
            force_position: Stamp::new(position.force_position),
        };
        Self { entity: EntityId::new(position.entity), pack }
    }
}

impl EvMovement {
    fn body(&self, actions: &[EvAction]) -> Result<MovementBody, Fault> {
        Ok(MovementBody {
            style: CommandIndex(self.style),
            standing_long_jump: self.standing_long_jump != 0,
            other_flags: 0,
            kind: self.kind(actions)?,
        })
    }

    fn kind(&self, actions: &[EvAction]) -> Result<MovementKind, Fault> {
        let target = EntityId::new(self.target);
        let (cell, origin, run_rate) = (self.cell, self.origin.into(), self.run_rate);
        Ok(match self.kind {
            EV_MOVEMENT_COMMANDS => MovementKind::Interpreted {
                state: self.state(actions)?,
                stick_to: (self.target != 0).then_some(target),
            },
            EV_MOVEMENT_TO_OBJECT => {
                MovementKind::MoveToObject { target, cell, origin, params: self.move_to(), run_rate }
            }
            EV_MOVEMENT_TO_PLACE => {
                MovementKind::MoveToPosition { cell, origin, params: self.move_to(), run_rate }
            }
            EV_MOVEMENT_TURN_TO_OBJECT => {
                MovementKind::TurnToObject { target, heading_deg: self.heading, params: self.turn_to() }
            }
            EV_MOVEMENT_TURN_TO_HEADING => MovementKind::TurnToHeading(self.turn_to()),
            number => MovementKind::Other { number, bytes: Vec::new() },
        })
    }

    fn state(&self, actions: &[EvAction]) -> Result<InterpretedState, Fault> {
        if actions.len() > InterpretedState::MAX_ACTIONS {
            let most = InterpretedState::MAX_ACTIONS;
            return Err(Fault::invalid("actions", format!("{} are more than {most}", actions.len())));
        }
        let has = |bit| self.present & bit != 0;
        let command = |bit, index| has(bit).then_some(CommandIndex(index));
        Ok(InterpretedState {
            style: command(EV_HAS_STYLE, self.style),
            forward: command(EV_HAS_FORWARD, self.forward),
            sidestep: command(EV_HAS_SIDESTEP, self.sidestep),
            turn: command(EV_HAS_TURN, self.turn),
            forward_speed: has(EV_HAS_FORWARD_SPEED).then_some(self.forward_speed),
            sidestep_speed: has(EV_HAS_SIDESTEP_SPEED).then_some(self.sidestep_speed),
            turn_speed: has(EV_HAS_TURN_SPEED).then_some(self.turn_speed),
            actions: actions.iter().map(ActionItem::from).collect(),
            other_flags: 0,
        })
    }

    const fn move_to(&self) -> MoveToParams {
        MoveToParams {
            flags: MoveToFlags::from_bits_retain(self.flags),
            distance_to_object: self.distance_to_object,
            min_distance: self.min_distance,
            fail_distance: self.fail_distance,
            speed: self.speed,
            walk_run_threshold: self.walk_run_threshold,
            desired_heading_deg: self.desired_heading,
        }
    }

    const fn turn_to(&self) -> TurnToParams {
        TurnToParams {
            flags: MoveToFlags::from_bits_retain(self.flags),
            speed: self.speed,
            desired_heading_deg: self.desired_heading,
        }
    }
}

impl From<&EvAction> for ActionItem {
    fn from(action: &EvAction) -> Self {
        Self {
            command: CommandIndex(action.command),
            stamp: action.stamp,
            autonomous: action.autonomous != 0,
            speed: action.speed,
        }
    }
}

impl EvCreate {
    fn described(&self, movement: Option<DescribedMovement>) -> CreateUpdate {
        let has = |bit| self.present & bit != 0;
        let holder = Attachment { entity: EntityId::new(self.holder), location: self.location };
        let physics = PhysicsDescription {
            state: PhysicsState::from_bits_retain(self.state),
            movement,
            placement_frame: has(EV_HAS_PLACEMENT_FRAME).then_some(self.placement_frame),
            position: has(EV_HAS_PLACE).then(|| self.place.raw()),
            resources: Resources {
                setup: (self.setup != 0).then_some(self.setup),
                motion_table: (self.motion_table != 0).then_some(self.motion_table),
                ..Resources::default()
            },
            parent: (self.holder != 0).then_some(holder),
            scale: has(EV_HAS_SCALE).then_some(self.scale),
            friction: has(EV_HAS_FRICTION).then_some(self.friction),
            elasticity: has(EV_HAS_ELASTICITY).then_some(self.elasticity),
            velocity: has(EV_HAS_VELOCITY).then(|| self.velocity.into()),
            omega: has(EV_HAS_OMEGA).then(|| self.omega.into()),
            ..PhysicsDescription::nowhere(StampTable::new(self.stamps.map(Stamp::new)))
        };
        CreateUpdate::new(EntityId::new(self.entity), physics).of_type(ItemType(self.item_type))
    }
}
