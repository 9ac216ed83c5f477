//! `EvPlainWorld`, the same motion for games other than Asheron's Call.

use evenstride::generic::{
    Axes, Order, PlainConfig, PlainDrawn, PlainError, PlainLimits, PlainPose, PlainUpdate, PlainWorld,
    SenderClock,
};

use crate::{
    config::EvConfig,
    ground::{EvSurroundings, Ground},
    guard::{Guarded, call, enter, release},
    place::time,
    pointers::{In, Out, at},
    status::{Done, EvStatus, Fault},
    world::{EvAdvanced, rejected},
};

/// All entities of a game with flat coordinates in its own axes and units.
#[derive(Debug)]
pub struct EvPlainWorld(pub(crate) Guarded<Plain>);

/// A plain world with its ground, and memory that is kept from call to call.
#[derive(Debug)]
pub(crate) struct Plain {
    pub(crate) world: PlainWorld,
    pub(crate) ground: Ground,
    pub(crate) drawn: Vec<PlainDrawn>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) text: String,
}

/// x right, y forward, z up, right-handed. Asheron's Call and Blender use it.
pub const EV_AXES_Z_UP_Y_FORWARD: u32 = 0;
/// x right, y up, -z forward, right-handed. Godot and glTF use it.
pub const EV_AXES_Y_UP_MINUS_Z_FORWARD: u32 = 1;
/// x right, y up, z forward, left-handed. Unity uses it.
pub const EV_AXES_Y_UP_Z_FORWARD: u32 = 2;
/// x forward, y right, z up, left-handed. Unreal uses it, with 100 units per metre.
pub const EV_AXES_Z_UP_X_FORWARD: u32 = 3;
/// x right, y down. Flat games use it.
pub const EV_AXES_X_RIGHT_Y_DOWN: u32 = 4;
/// x forward, y left, z up, right-handed. ROS uses it, and flat games with y up.
pub const EV_AXES_Z_UP_X_FORWARD_Y_LEFT: u32 = 5;

/// The order of updates is that of their arrival.
pub const EV_ORDER_ARRIVAL: u32 = 0;
/// `order` is a number that grows with each update.
pub const EV_ORDER_SEQUENCE: u32 = 1;
/// `sent_at` is the time of sending by the sender's clock.
pub const EV_ORDER_TIME: u32 = 2;

/// Times of sending only decide the order.
pub const EV_SENDER_CLOCK_ORDER_ONLY: u32 = 0;
/// Each sender has a clock of its own. Jitter is compensated.
pub const EV_SENDER_CLOCK_OWN: u32 = 1;
/// Senders use the clock of `seconds`. The whole latency is compensated.
pub const EV_SENDER_CLOCK_SHARED: u32 = 2;

/// Position and rotation in the game's axes and units.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvPlainPose {
    /// Along the game's first axis, in game units.
    pub x: f64,
    /// Along the second axis.
    pub y: f64,
    /// Along the third axis.
    pub z: f64,
    /// First imaginary part of the quaternion.
    pub qx: f32,
    /// Second imaginary part.
    pub qy: f32,
    /// Third imaginary part.
    pub qz: f32,
    /// Real part.
    pub qw: f32,
}

/// One message of the game about an entity.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvPlainUpdate {
    /// Entity of the game.
    pub entity: u64,
    /// Pose when the update was made.
    pub pose: EvPlainPose,
    /// Velocity in game units per second, if `has_velocity` is 1.
    pub velocity: [f32; 3],
    /// 1 if the game sends velocities.
    pub has_velocity: u32,
    /// Number of the update, for `EV_ORDER_SEQUENCE`.
    pub order: u64,
    /// Time of sending in seconds, for `EV_ORDER_TIME`.
    pub sent_at: f64,
    /// `EV_ORDER_ARRIVAL` and its neighbours.
    pub order_kind: u32,
    /// 1 if the entity was moved without travelling.
    pub teleports: u32,
}

/// Runs a call on a plain world.
pub(crate) fn with_plain(world: Option<&EvPlainWorld>, run: impl FnOnce(&mut Plain) -> Done) -> EvStatus {
    enter(world.map(|world| &world.0), run)
}

pub(crate) fn plain_fault(error: PlainError) -> Fault {
    match error {
        PlainError::UnknownEntity { .. } => Fault::new(EvStatus::UnknownBody, error.to_string()),
        PlainError::Insert(error) => rejected(error),
        _ => Fault::new(EvStatus::Invalid, error.to_string()),
    }
}

fn give(out: &Out<*mut EvPlainWorld>, world: PlainWorld, ground: Ground) {
    let (drawn, bytes, text) = (Vec::new(), Vec::new(), String::new());
    out.set(Box::into_raw(Box::new(EvPlainWorld(Guarded::new(Plain { world, ground, drawn, bytes, text })))));
}

/// Makes an empty world whose time starts at `seconds`. `config` may be null, which means `GLIDE`.
/// `max_coast_seconds` is the time for which a silent entity keeps moving, usually 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_new(
    config: *const EvConfig,
    axes: u32,
    units_per_metre: f64,
    max_coast_seconds: f64,
    seconds: f64,
    world: *mut *mut EvPlainWorld,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (config, out) = unsafe { (at(config), Out::new(world)) };
    let make = |motion: Option<evenstride::Config>| {
        out.check("world")?;
        let axes = match axes {
            EV_AXES_Z_UP_Y_FORWARD => Axes::ZUpYForward,
            EV_AXES_Y_UP_MINUS_Z_FORWARD => Axes::YUpMinusZForward,
            EV_AXES_Y_UP_Z_FORWARD => Axes::YUpZForward,
            EV_AXES_Z_UP_X_FORWARD => Axes::ZUpXForward,
            EV_AXES_X_RIGHT_Y_DOWN => Axes::XRightYDown,
            EV_AXES_Z_UP_X_FORWARD_Y_LEFT => Axes::ZUpXForwardYLeft,
            other => return Err(Fault::invalid("axes", format!("{other} is not a number from 0 to 5"))),
        };
        if !(units_per_metre.is_finite() && units_per_metre > 0.0) {
            return Err(Fault::invalid("units_per_metre", format!("{units_per_metre} is not positive")));
        }
        let config = PlainConfig::default().with(|config| {
            config.motion = motion.unwrap_or(config.motion);
            config.axes = axes;
            config.units_per_metre = units_per_metre;
            config.max_coast_secs = max_coast_seconds;
        });
        give(&out, PlainWorld::new(config, time(seconds)?), Ground::Open);
        Ok(())
    };
    match config {
        None => call(|| make(None)),
        Some(config) => enter(Some(&config.0), |config| make(Some(*config))),
    }
}

/// Releases a world. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_free(world: *mut EvPlainWorld) -> EvStatus {
    // SAFETY: the caller gives up a handle of this file.
    unsafe { release(world, |world| &world.0) }
}

/// Copies a world with its ground.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_clone(
    world: *const EvPlainWorld,
    copy: *mut *mut EvPlainWorld,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(copy)) };
    with_plain(world, |world| {
        out.check("copy")?;
        give(&out, world.world.clone(), world.ground.clone());
        Ok(())
    })
}

/// Restores a world from the bytes of `ev_plain_save`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_restore(
    bytes: *const u8,
    length: usize,
    world: *mut *mut EvPlainWorld,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (bytes, out) = unsafe { (In::many(bytes, length), Out::new(world)) };
    call(|| {
        out.check("world")?;
        let world = PlainWorld::restore(bytes.all("bytes")?);
        give(&out, world.map_err(|error| Fault::new(EvStatus::BadSave, error.to_string()))?, Ground::Open);
        Ok(())
    })
}

/// Sets the host's own geometry, in the core's places, in metres and with z up. Null means open ground.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_set_surroundings(
    world: *mut EvPlainWorld,
    surroundings: *const EvSurroundings,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, surroundings) = unsafe { (at(world), at(surroundings)) };
    with_plain(world, |world| {
        world.ground = surroundings.map_or(Ok(Ground::Open), |of| Ground::callbacks(*of))?;
        Ok(())
    })
}

/// Makes the ground flat, at a height of `z` metres in the core's axes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_set_flat_ground(world: *mut EvPlainWorld, z: f32) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with_plain(unsafe { at(world) }, |world| {
        world.ground = Ground::flat(z)?;
        Ok(())
    })
}

/// Moves time to `seconds`, steps entities, and stops those that were silent too long. `advanced` may be
/// null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_advance(
    world: *mut EvPlainWorld,
    seconds: f64,
    advanced: *mut EvAdvanced,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(advanced)) };
    with_plain(world, |world| {
        out.set(world.world.advance_in(time(seconds)?, &world.ground).into());
        world.ground.faults()
    })
}

/// Handles updates, in order. The first update of an entity creates it. `handled` gets the number of
/// updates that were handled before the first invalid one, and may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_update(
    world: *mut EvPlainWorld,
    seconds: f64,
    updates: *const EvPlainUpdate,
    count: usize,
    handled: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, updates, out) = unsafe { (at(world), In::many(updates, count), Out::new(handled)) };
    with_plain(world, |world| {
        let now = time(seconds)?;
        for (index, update) in updates.all("updates")?.iter().enumerate() {
            out.set(index);
            let _ = world
                .world
                .update_in(now, update.entity, &update.check()?, &world.ground)
                .map_err(plain_fault)?;
        }
        out.set(count);
        world.ground.faults()
    })
}

/// Throws an entity with a velocity of three components, in game units per second.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_throw(
    world: *mut EvPlainWorld,
    seconds: f64,
    entity: u64,
    velocity: *const f32,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, velocity) = unsafe { (at(world), In::many(velocity, 3)) };
    with_plain(world, |world| {
        let velocity = velocity.all("velocity")?;
        let velocity = [velocity[0], velocity[1], velocity[2]];
        world.world.throw_in(time(seconds)?, entity, velocity, &world.ground).map_err(plain_fault)?;
        world.ground.faults()
    })
}

/// Limits an entity, also before its first update. The top speed is in game units per second, the turn
/// rate in degrees per second, and the snap distance in game units. Infinity, NaN and negative values mean
/// no limit. Removing the entity takes them away.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_set_limits(
    world: *mut EvPlainWorld,
    entity: u64,
    top_speed: f32,
    turn_rate_deg: f32,
    snap_distance: f32,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let world = unsafe { at(world) };
    with_plain(world, |world| {
        let limits = PlainLimits::NONE.top_speed(top_speed).turn_rate_deg(turn_rate_deg);
        world.world.set_limits(entity, limits.snap_distance(snap_distance));
        Ok(())
    })
}

/// Tells what times of sending mean, `EV_SENDER_CLOCK_ORDER_ONLY` and its neighbours. An entity is drawn
/// ahead of its last update by at most `max_lead_seconds`, usually 0.25.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_set_sender_clock(
    world: *mut EvPlainWorld,
    clock: u32,
    max_lead_seconds: f64,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let world = unsafe { at(world) };
    with_plain(world, |world| {
        let clock = match clock {
            EV_SENDER_CLOCK_ORDER_ONLY => SenderClock::OrderOnly,
            EV_SENDER_CLOCK_OWN => SenderClock::Own,
            EV_SENDER_CLOCK_SHARED => SenderClock::Shared,
            other => return Err(Fault::invalid("clock", format!("{other} is not a number from 0 to 2"))),
        };
        world.world.set_sender_clock(clock, max_lead_seconds);
        Ok(())
    })
}

/// Removes an entity with its last update and its limits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_remove(world: *mut EvPlainWorld, entity: u64) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with_plain(unsafe { at(world) }, |world| {
        if world.world.remove(entity) {
            Ok(())
        } else {
            Err(plain_fault(PlainError::UnknownEntity { entity }))
        }
    })
}

/// Sets the point from which distances are measured, in game units. Null removes it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_set_viewpoint(world: *mut EvPlainWorld, position: *const f64) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, position) =
        unsafe { (at(world), In::many(position, if position.is_null() { 0 } else { 3 })) };
    with_plain(world, |world| {
        let position = position.all("position")?.first_chunk().copied();
        world.world.set_viewpoint(position).map_err(plain_fault)
    })
}

/// Starts to keep the decisions about an entity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_trace(world: *mut EvPlainWorld, entity: u64) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with_plain(unsafe { at(world) }, |world| world.world.trace(entity).map_err(plain_fault))
}

impl EvPlainUpdate {
    fn check(&self) -> Result<PlainUpdate, Fault> {
        let EvPlainPose { x, y, z, qx, qy, qz, qw } = self.pose;
        let mut update = PlainUpdate::new(PlainPose { position: [x, y, z], rotation: [qx, qy, qz, qw] });
        update.velocity = (self.has_velocity != 0).then_some(self.velocity);
        update.teleports = self.teleports != 0;
        update.order = match self.order_kind {
            EV_ORDER_ARRIVAL => Order::Arrival,
            EV_ORDER_SEQUENCE => Order::Sequence(self.order),
            EV_ORDER_TIME => Order::Time(time(self.sent_at)?),
            other => return Err(Fault::invalid("order_kind", format!("{other} is not 0, 1 or 2"))),
        };
        Ok(update)
    }
}

impl From<PlainPose> for EvPlainPose {
    fn from(pose: PlainPose) -> Self {
        let ([x, y, z], [qx, qy, qz, qw]) = (pose.position, pose.rotation);
        Self { x, y, z, qx, qy, qz, qw }
    }
}
