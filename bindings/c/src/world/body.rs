//! Single bodies: insertion, removal, placement, and views.

use evenstride::{BodyError, BodySetup, BodyView, InsertError, MovedBy};
use evenstride_types::{
    EntityId, Placement,
    update::{ItemType, PhysicsState},
};

use super::{EvWorld, World, with};
use crate::{
    place::{EvPlace, EvVec3, time},
    pointers::{In, Out, at},
    status::{Done, EvStatus, Fault},
};

/// A body that a host inserts. `ev_setup_at` fills in the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvSetup {
    /// Place at which the body appears.
    pub place: EvPlace,
    /// Physics state bits (default: 0x400C08).
    pub state: u32,
    /// Item type (default: 0x10, a creature).
    pub item_type: u32,
    /// 1 if the body stands on level ground (default: 1).
    pub grounded: u32,
    /// Size factor (default: 1).
    pub scale: f32,
    /// Radius in metres (default: 0.5).
    pub radius: f32,
    /// Height in metres (default: 1.8).
    pub height: f32,
    /// Fraction of its speed that a sliding body loses per second (default: 0.95).
    pub friction: f32,
    /// Fraction of its impact speed that a bouncing body keeps (default: 0.05).
    pub elasticity: f32,
    /// Velocity in metres per second (default: zero).
    pub velocity: EvVec3,
    /// Spin in radians per second (default: zero).
    pub omega: EvVec3,
}

/// State of a body.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvBody {
    /// Key of the body.
    pub key: u64,
    /// Entity of the body.
    pub entity: u32,
    /// Source of the next step: `EV_MOVED_BY_NOTHING` and its neighbours.
    pub moved_by: u32,
    /// Place after the last step. Cell 0 means outside the world.
    pub place: EvPlace,
    /// Place to draw it at. Cell 0 means that it is not drawn.
    pub drawn: EvPlace,
    /// Velocity of the last step in metres per second.
    pub velocity: EvVec3,
    /// Distance from the viewpoint in metres at the last round, negative if unknown.
    pub distance: f32,
    /// Number of waypoints that are not reached yet.
    pub waypoints: u32,
    /// Physics state bits.
    pub state: u32,
    /// 1 if the body touches a surface.
    pub in_contact: u8,
    /// 1 if the body is stepped.
    pub is_active: u8,
    /// 1 if the body is invisible.
    pub is_hidden: u8,
    /// 1 if the body has a goal.
    pub has_goal: u8,
    /// Entity that holds the body, 0 for none.
    pub holder: u32,
    /// Place on the holder, by the game's number.
    pub location: u32,
    /// Target of the goal, 0 for none or a place.
    pub target: u32,
    /// Distance to the goal in metres, negative if unknown.
    pub goal_metres: f32,
    /// Radius in metres.
    pub radius: f32,
    /// Height in metres.
    pub height: f32,
    /// Updates that took effect.
    pub fresh: u32,
    /// Updates that were late or repeated.
    pub stale: u32,
    /// Times that the body was placed instead of walking.
    pub snaps: u32,
}

/// The body rests, or is outside the world without a holder.
pub const EV_MOVED_BY_NOTHING: u32 = 0;
/// The body walks to its waypoints.
pub const EV_MOVED_BY_ROUTE: u32 = 1;
/// The body keeps up with a target.
pub const EV_MOVED_BY_FOLLOW: u32 = 2;
/// Root motion moves the body.
pub const EV_MOVED_BY_LEGS: u32 = 3;
/// Velocity moves the body, in the air.
pub const EV_MOVED_BY_FLIGHT: u32 = 4;
/// The body goes where its holder goes.
pub const EV_MOVED_BY_HOLDER: u32 = 5;

/// Writes the setup of a creature that stands at a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_setup_at(place: *const EvPlace, setup: *mut EvSetup) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (place, out) = unsafe { (In::one(place), Out::new(setup)) };
    crate::guard::call(|| {
        out.check("setup")?;
        let place = place.value("place")?;
        let BodySetup { state, item_type, grounded, scale, radius, height, friction, elasticity, .. } =
            BodySetup::at(place.check("place")?);
        out.set(EvSetup {
            place,
            state: state.bits(),
            item_type: item_type.0,
            grounded: grounded.into(),
            scale,
            radius,
            height,
            friction,
            elasticity,
            ..EvSetup::default()
        });
        Ok(())
    })
}

/// Inserts a body, for hosts without create messages. `key` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_insert(
    world: *mut EvWorld,
    seconds: f64,
    entity: u32,
    setup: *const EvSetup,
    key: *mut u64,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, setup, out) = unsafe { (at(world), In::one(setup), Out::new(key)) };
    with(world, |world| {
        let setup = setup.value("setup")?;
        let setup = BodySetup {
            state: PhysicsState::from_bits_retain(setup.state),
            item_type: ItemType(setup.item_type),
            grounded: setup.grounded != 0,
            scale: setup.scale,
            radius: setup.radius,
            height: setup.height,
            friction: setup.friction,
            elasticity: setup.elasticity,
            velocity: setup.velocity.into(),
            omega: setup.omega.into(),
            ..BodySetup::at(setup.place.check("place")?)
        };
        let key = world.world.insert(time(seconds)?, EntityId::new(entity), &setup);
        out.set(key.map_err(rejected)?.to_bits());
        Ok(())
    })
}

pub(crate) fn rejected(error: InsertError) -> Fault {
    let status = match error {
        InsertError::Exists { .. } => EvStatus::Exists,
        InsertError::Full { .. } => EvStatus::Full,
        _ => EvStatus::Invalid,
    };
    Fault::new(status, error.to_string())
}

/// Removes a body. An unknown entity is answered with `EV_STATUS_UNKNOWN_BODY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_remove(world: *mut EvWorld, entity: u32) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with(unsafe { at(world) }, |world| {
        if world.world.remove(EntityId::new(entity)) { Ok(()) } else { Err(unknown(entity)) }
    })
}

fn unknown(entity: u32) -> Fault {
    Fault::new(EvStatus::UnknownBody, format!("entity {}: the world has no such body", EntityId::new(entity)))
}

fn body_error(error: BodyError) -> Fault {
    let status = match error {
        BodyError::UnknownEntity(_) | BodyError::UnknownKey(_) => EvStatus::UnknownBody,
        _ => EvStatus::Refused,
    };
    Fault::new(status, error.to_string())
}

/// Runs a command on a body, and reports invalid answers of callbacks.
fn command(world: &mut World, run: impl FnOnce(&mut World) -> Result<(), BodyError>) -> Done {
    let result = run(world);
    world.ground.faults()?;
    result.map_err(body_error)
}

/// Places a body at once, as a teleport does. The surroundings may refuse it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_set_place(
    world: *mut EvWorld,
    seconds: f64,
    entity: u32,
    place: *const EvPlace,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, place) = unsafe { (at(world), In::one(place)) };
    with(world, |world| {
        let (now, place) = (time(seconds)?, place.value("place")?.check("place")?);
        command(world, |world| world.world.set_place(now, EntityId::new(entity), place, &world.ground))
    })
}

/// Stops stepping a body, until `ev_world_resume`. The host places it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_suspend(world: *mut EvWorld, seconds: f64, entity: u32) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with(unsafe { at(world) }, |world| {
        let now = time(seconds)?;
        command(world, |world| world.world.suspend(now, EntityId::new(entity), &world.ground))
    })
}

/// Lets a suspended body move by itself again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_resume(world: *mut EvWorld, seconds: f64, entity: u32) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with(unsafe { at(world) }, |world| {
        let now = time(seconds)?;
        command(world, |world| world.world.resume(now, EntityId::new(entity), &world.ground))
    })
}

/// Writes the state of a body, and where to draw it at `seconds`. Many bodies are faster in one call of
/// `ev_world_drawn_into`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_body(
    world: *const EvWorld,
    seconds: f64,
    entity: u32,
    body: *mut EvBody,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(body)) };
    with(world, |world| {
        let now = time(seconds)?;
        out.check("body")?;
        let body = world.world.get(EntityId::new(entity)).ok_or_else(|| unknown(entity))?;
        out.set(EvBody::of(body.key().to_bits(), entity, &body.view(), body.drawn(now)));
        Ok(())
    })
}

impl EvBody {
    fn of(key: u64, entity: u32, view: &BodyView, drawn: Option<Placement>) -> Self {
        let place = |place: Option<Placement>| place.map(EvPlace::from).unwrap_or_default();
        // Valgrind objects to `unwrap_or` here, whose machine code compares before it looks for `None`.
        let (mut target, mut goal_metres) = (0, -1.0);
        if let Some(goal) = &view.move_to {
            target = goal.target.map_or(0, EntityId::raw);
            if let Some(metres) = goal.metres {
                goal_metres = metres;
            }
        }
        Self {
            key,
            entity,
            moved_by: match view.moved_by {
                MovedBy::Route => EV_MOVED_BY_ROUTE,
                MovedBy::Follow => EV_MOVED_BY_FOLLOW,
                MovedBy::Legs => EV_MOVED_BY_LEGS,
                MovedBy::Flight => EV_MOVED_BY_FLIGHT,
                MovedBy::Holder => EV_MOVED_BY_HOLDER,
                _ => EV_MOVED_BY_NOTHING,
            },
            place: place(view.place),
            drawn: place(drawn),
            velocity: view.velocity.into(),
            distance: view.distance.unwrap_or(-1.0),
            waypoints: u32::try_from(view.waypoints).unwrap_or(u32::MAX),
            state: view.state.bits(),
            in_contact: view.in_contact.into(),
            is_active: view.is_active.into(),
            is_hidden: view.is_hidden.into(),
            has_goal: view.move_to.is_some().into(),
            holder: view.held_by.map_or(0, |held| held.holder.raw()),
            location: view.held_by.map_or(0, |held| held.location),
            target,
            goal_metres,
            radius: view.radius,
            height: view.height,
            fresh: view.counters.fresh,
            stale: view.counters.stale,
            snaps: view.counters.snaps(),
        }
    }
}
