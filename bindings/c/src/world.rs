//! `EvWorld`, the motion core of a client.

mod body;
mod event;
mod message;
mod out;
mod player;
mod tell;
mod update;

use std::sync::Arc;

use evenstride::{Advanced, Drawn, MotionWorld, drawing::Animated};
use evenstride_types::{SimTime, update::Update};

pub use self::{body::*, event::*, message::*, out::*, player::*, tell::*, update::*};
use crate::{
    config::EvConfig,
    ground::{EvSurroundings, Ground},
    guard::{Guarded, call, enter, release},
    library::EvLibrary,
    place::{EvPlace, time},
    pointers::{In, Out, Room, at},
    status::{Done, EvStatus, Fault},
};

/// All bodies of a world. Messages and time go in, and poses come out. In each frame call
/// `ev_world_advance`, then `ev_world_handle` for each message, then `ev_world_drawn_into`.
#[derive(Debug)]
pub struct EvWorld(pub(crate) Guarded<World>);

/// A world with its ground, and memory that is kept from call to call.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) world: MotionWorld,
    pub(crate) ground: Ground,
    pub(crate) updates: Vec<Update>,
    pub(crate) drawn: Vec<Drawn>,
    pub(crate) animated: Vec<Animated>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) text: String,
    /// Actions as bytes that the host has not taken yet, and the end of each.
    pub(crate) actions: Vec<u8>,
    pub(crate) action_ends: Vec<u32>,
}

impl World {
    fn new(world: MotionWorld, ground: Ground) -> Self {
        Self {
            world,
            ground,
            updates: Vec::new(),
            drawn: Vec::new(),
            animated: Vec::new(),
            bytes: Vec::new(),
            text: String::new(),
            actions: Vec::new(),
            action_ends: Vec::new(),
        }
    }
}

/// Writes one fact about a world.
fn fact<T>(world: Option<&EvWorld>, out: &Out<T>, what: &str, read: impl FnOnce(&World) -> T) -> EvStatus {
    with(world, |world| {
        out.check(what)?;
        out.set(read(world));
        Ok(())
    })
}

/// Runs a call on a world.
pub(crate) fn with(world: Option<&EvWorld>, run: impl FnOnce(&mut World) -> Done) -> EvStatus {
    enter(world.map(|world| &world.0), run)
}

/// Nothing was stepped, because less than 1/30 s has passed.
pub const EV_ADVANCED_NOT_YET: u32 = 0;
/// At least one round of steps was done.
pub const EV_ADVANCED_STEPPED: u32 = 1;
/// Time went back, and nothing was stepped.
pub const EV_ADVANCED_WENT_BACK: u32 = 2;
/// More than two seconds were due, and are dropped.
pub const EV_ADVANCED_DROPPED: u32 = 3;

/// Result of `ev_world_advance`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvAdvanced {
    /// `EV_ADVANCED_NOT_YET` and its neighbours.
    pub code: u32,
    /// Number of rounds.
    pub rounds: u32,
}

impl From<Advanced> for EvAdvanced {
    fn from(advanced: Advanced) -> Self {
        let of = |code, rounds| Self { code, rounds };
        match advanced {
            Advanced::Stepped { rounds } => of(EV_ADVANCED_STEPPED, rounds),
            Advanced::WentBack => of(EV_ADVANCED_WENT_BACK, 0),
            Advanced::Dropped => of(EV_ADVANCED_DROPPED, 0),
            _ => of(EV_ADVANCED_NOT_YET, 0),
        }
    }
}

fn give(out: &Out<*mut EvWorld>, world: World) {
    out.set(Box::into_raw(Box::new(EvWorld(Guarded::new(world)))));
}

/// Makes an empty world whose time starts at `seconds`. The ground is open, so only messages tell of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_new(
    config: *const EvConfig,
    seconds: f64,
    world: *mut *mut EvWorld,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (config, out) = unsafe { (at(config), Out::new(world)) };
    enter(config.map(|config| &config.0), |config| {
        out.check("world")?;
        give(&out, World::new(MotionWorld::new(*config, time(seconds)?), Ground::Open));
        Ok(())
    })
}

/// Releases a world. Null is allowed. A world cannot be released from its own callbacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_free(world: *mut EvWorld) -> EvStatus {
    // SAFETY: the caller gives up a handle of this file.
    unsafe { release(world, |world| &world.0) }
}

/// Copies a world with its ground and its events. Both go on alike, bit for bit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_clone(world: *const EvWorld, copy: *mut *mut EvWorld) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(copy)) };
    with(world, |world| {
        out.check("copy")?;
        let mut copy = World::new(world.world.clone(), world.ground.clone());
        copy.actions.clone_from(&world.actions);
        copy.action_ends.clone_from(&world.action_ends);
        give(&out, copy);
        Ok(())
    })
}

/// Writes the world as bytes. Events, decisions, ground and drawn poses are left out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_save(
    world: *const EvWorld,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, room) = unsafe { (at(world), Room::new(bytes, capacity, length)) };
    with(world, |world| {
        room.check("bytes")?;
        world.bytes.clear();
        world.world.save_into(&mut world.bytes);
        room.fill("bytes", &world.bytes)
    })
}

/// Writes the drawn poses of the profile `GLIDE` as bytes, which `ev_world_save` leaves out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_save_drawing(
    world: *const EvWorld,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, room) = unsafe { (at(world), Room::new(bytes, capacity, length)) };
    with(world, |world| room.fill("bytes", &world.world.save_drawing()))
}

/// Restores a world from the bytes of `ev_world_save`. `library` is the one that the world used, or null
/// for the built-in one. The ground is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_restore(
    bytes: *const u8,
    length: usize,
    library: *const EvLibrary,
    world: *mut *mut EvWorld,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (bytes, library, out) = unsafe { (In::many(bytes, length), at(library), Out::new(world)) };
    let restore = |library: Option<Arc<_>>| {
        out.check("world")?;
        let bytes = bytes.all("bytes")?;
        let world = match library {
            Some(library) => MotionWorld::restore_with(bytes, library),
            None => MotionWorld::restore(bytes),
        };
        let world = world.map_err(|error| Fault::new(EvStatus::BadSave, error.to_string()))?;
        give(&out, World::new(world, Ground::Open));
        Ok(())
    };
    match library {
        None => call(|| restore(None)),
        Some(library) => enter(Some(&library.0), |library| restore(Some(Arc::clone(library)))),
    }
}

/// Restores the drawn poses of `ev_world_save_drawing`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_restore_drawing(
    world: *mut EvWorld,
    bytes: *const u8,
    length: usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, bytes) = unsafe { (at(world), In::many(bytes, length)) };
    with(world, |world| {
        let restored = world.world.restore_drawing(bytes.all("bytes")?);
        restored.map_err(|error| Fault::new(EvStatus::BadSave, error.to_string()))
    })
}

/// Replaces the motion library. All bodies stop, and stand until they are told to move again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_set_library(world: *mut EvWorld, library: *const EvLibrary) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, library) = unsafe { (at(world), at(library)) };
    with(world, |world| {
        let library = library.ok_or_else(|| Fault::null("library"))?;
        let mut shared = None;
        match enter(Some(&library.0), |library| {
            shared = Some(Arc::clone(library));
            Ok(())
        }) {
            EvStatus::Ok => {}
            status => return Err(Fault::new(status, "library: in use by another call")),
        }
        shared.into_iter().for_each(|library| world.world.set_library(library));
        Ok(())
    })
}

/// Moves time to `seconds` and steps bodies. `advanced` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_advance(
    world: *mut EvWorld,
    seconds: f64,
    advanced: *mut EvAdvanced,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(advanced)) };
    with(world, |world| {
        let advanced = world.world.advance(time(seconds)?, &world.ground);
        out.set(advanced.into());
        world.ground.faults()
    })
}

/// Removes the ground, so that only messages tell of it. A new world has no ground either.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_set_open_field(world: *mut EvWorld) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with(unsafe { at(world) }, |world| {
        world.ground = Ground::Open;
        Ok(())
    })
}

/// Makes the ground flat, at a height of `z` metres.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_set_flat_ground(world: *mut EvWorld, z: f32) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    with(unsafe { at(world) }, |world| {
        world.ground = Ground::flat(z)?;
        Ok(())
    })
}

/// Sets terrain. The first height lies on the south-west corner of `landblock`. Rows run from west to east
/// with `columns` heights each, and the first row is the southernmost. `spacing` is in metres.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_set_heightfield(
    world: *mut EvWorld,
    landblock: u32,
    spacing: f32,
    columns: u32,
    heights: *const f32,
    count: usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, heights) = unsafe { (at(world), In::many(heights, count)) };
    with(world, |world| {
        world.ground = Ground::heights(landblock, spacing, columns, &heights)?;
        Ok(())
    })
}

/// Sets the host's own geometry. The struct is copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_set_surroundings(
    world: *mut EvWorld,
    surroundings: *const EvSurroundings,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, surroundings) = unsafe { (at(world), In::one(surroundings)) };
    with(world, |world| {
        world.ground = Ground::callbacks(surroundings.value("surroundings")?)?;
        Ok(())
    })
}

/// Sets the place from which distances are measured, such as the camera. Bodies more than 96 m away are
/// not stepped. Null removes it, and the local player takes its place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_set_viewpoint(world: *mut EvWorld, viewpoint: *const EvPlace) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, viewpoint) = unsafe { (at(world), at(viewpoint)) };
    with(world, |world| {
        let viewpoint = viewpoint.map(|place| place.check("viewpoint")).transpose()?;
        world.world.set_viewpoint(viewpoint);
        Ok(())
    })
}

/// Writes the number of bodies, including those outside the world. That many entries are enough for
/// every array of bodies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_len(world: *const EvWorld, count: *mut usize) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(count)) };
    fact(world, &out, "count", |world| world.world.len())
}

/// Writes the latest time given to the world, in seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_time(world: *const EvWorld, seconds: *mut f64) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(seconds)) };
    fact(world, &out, "seconds", |world| world.world.now().as_secs())
}

/// Writes the time in seconds at which `ev_world_advance` next changes something, or infinity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_next_due(world: *const EvWorld, seconds: *mut f64) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(seconds)) };
    fact(world, &out, "seconds", |world| world.world.next_due().map_or(f64::INFINITY, SimTime::as_secs))
}

/// Writes the hash of everything that further motion depends on. `evenstride replay` prints the same one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_state_hash(world: *const EvWorld, hash: *mut u64) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(hash)) };
    fact(world, &out, "hash", |world| world.world.state_hash())
}

/// Writes the hash of the drawn poses of the profile `GLIDE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_drawing_hash(world: *const EvWorld, hash: *mut u64) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(hash)) };
    fact(world, &out, "hash", |world| world.world.drawing_hash())
}
