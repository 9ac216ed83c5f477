//! Everything that a host reads in each frame, in batches.

use evenstride::{Drawn, animation::DrawnMotion, drawing::Animated};
use evenstride_types::{LandblockId, Placement, Vec3, update::MotionCommand};
use evenstride_wire::{ActionMessage, Message, encode};

use super::{EvEvent, EvWorld, World, with};
use crate::{
    place::{EvVec3, landblock, time},
    pointers::{Room, at},
    status::EvStatus,
};

/// A body to be drawn.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvDrawn {
    /// Key of the body. It never finds a later body of the same entity.
    pub key: u64,
    /// Entity of the body.
    pub entity: u32,
    /// Cell of the body.
    pub cell: u32,
    /// Position in metres, from the south-west corner of the origin's landblock.
    pub position: EvVec3,
    /// Quaternion, real part first.
    pub qw: f32,
    /// First imaginary part.
    pub qx: f32,
    /// Second imaginary part.
    pub qy: f32,
    /// Third imaginary part.
    pub qz: f32,
    /// 1 if the body is invisible.
    pub is_hidden: u32,
}

/// The animation of a body.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvAnimation {
    /// Key of the body.
    pub key: u64,
    /// Progress of the animation in keyframes.
    pub frame: f64,
    /// Entity of the body.
    pub entity: u32,
    /// Model in the game's archives, 0 if unknown.
    pub setup: u32,
    /// Motion table of the description, 0 if unknown.
    pub motion_table: u32,
    /// Index of the pose for an object without animations.
    pub placement_frame: u32,
    /// Stance.
    pub style: u32,
    /// Motion of the forward axis.
    pub forward: u32,
    /// Motion of the sideways axis, 0 if it is not in use.
    pub sidestep: u32,
    /// Motion of the turning axis, 0 if it is not in use.
    pub turn: u32,
    /// Speed factor of the forward axis, negative for backwards.
    pub forward_speed: f32,
    /// Speed factor of the sideways axis, negative for left.
    pub sidestep_speed: f32,
    /// Speed factor of the turning axis, negative for left.
    pub turn_speed: f32,
    /// Run rate, as a multiple of the slowest runner's speed.
    pub run_rate: f32,
    /// Animation of the drawn body: `EV_DRAWN_AS_PLAYED`, `EV_DRAWN_STANDING` or `EV_DRAWN_GOING`.
    pub drawn: u32,
    /// Motion for `EV_DRAWN_GOING`, otherwise 0.
    pub drawn_command: u32,
    /// Factor on the played speed for `EV_DRAWN_AS_PLAYED`, speed factor for `EV_DRAWN_GOING`.
    pub drawn_speed: f32,
    /// Motion table that chose the animation, 0 for none.
    pub table: u32,
    /// Animation that is played, 0 for none.
    pub animation: u32,
    /// Keyframes per second, negative for backward.
    pub rate: f32,
    /// 1 if the body is drawn falling.
    pub is_airborne: u32,
    /// Entity that holds the body, 0 for none.
    pub holder: u32,
    /// Place on the holder, by the game's number.
    pub location: u32,
    /// Not used, 0.
    pub reserved: u32,
}

/// The drawn body shows the animation that it plays.
pub const EV_DRAWN_AS_PLAYED: u32 = 0;
/// The drawn body stands, although its animation walks.
pub const EV_DRAWN_STANDING: u32 = 1;
/// The drawn body walks or runs, although its animation stands.
pub const EV_DRAWN_GOING: u32 = 2;

impl EvDrawn {
    #[inline(always)]
    fn of(drawn: &Drawn, origin: LandblockId) -> Self {
        let [qw, qx, qy, qz] = drawn.place.pose.rotation().to_wxyz();
        Self {
            key: drawn.key.to_bits(),
            entity: drawn.entity.raw(),
            cell: drawn.place.cell.raw(),
            position: position(&drawn.place, origin).into(),
            qw,
            qx,
            qy,
            qz,
            is_hidden: drawn.is_hidden.into(),
        }
    }
}

/// Returns the position of a place in metres, from the south-west corner of a landblock.
#[inline(always)]
pub(crate) fn position(place: &Placement, origin: LandblockId) -> Vec3 {
    let block = place.cell.landblock();
    let offset = if block == origin { Vec3::ZERO } else { origin.offset_to(block) };
    place.pose.origin() + offset
}

/// Writes every body to be drawn at `seconds`. Positions are in metres from the south-west corner of the
/// landblock `origin`, such as 0xA9B4. If the buffer is too short, the first `capacity` bodies are
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_drawn_into(
    world: *const EvWorld,
    seconds: f64,
    origin: u32,
    bodies: *mut EvDrawn,
    capacity: usize,
    count: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, mut room) = unsafe { (at(world), Room::new(bodies, capacity, count)) };
    with(world, |world| {
        let (now, origin) = (time(seconds)?, landblock(origin)?);
        room.check("bodies")?;
        world.world.drawn_each(now, |drawn| room.push(EvDrawn::of(&drawn, origin)));
        room.finish("bodies")
    })
}

/// Does what `ev_world_drawn_into` does, only for bodies that may look different since the last call of
/// this function. Events tell of bodies that left the world.
///
/// If the buffer is too short, the same bodies are reported again by the next call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_changed_into(
    world: *mut EvWorld,
    seconds: f64,
    origin: u32,
    bodies: *mut EvDrawn,
    capacity: usize,
    count: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, mut room) = unsafe { (at(world), Room::new(bodies, capacity, count)) };
    with(world, |world| {
        let (now, origin) = (time(seconds)?, landblock(origin)?);
        room.check("bodies")?;
        let World { world, drawn, .. } = world;
        drawn.resize(world.len(), Drawn::EMPTY);
        let changed = world.changed_into(now, drawn);
        drawn[..changed].iter().for_each(|body| room.push(EvDrawn::of(body, origin)));
        room.finish("bodies")?;
        world.forget_changed();
        Ok(())
    })
}

/// Writes the animation of every body, including those outside the world. Idle animations are played up
/// to `seconds`. If the buffer is too short, nothing is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_animations_into(
    world: *const EvWorld,
    seconds: f64,
    animations: *mut EvAnimation,
    capacity: usize,
    count: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, mut room) = unsafe { (at(world), Room::new(animations, capacity, count)) };
    with(world, |world| {
        let now = time(seconds)?;
        room.check("animations")?;
        let World { world, animated, .. } = world;
        room.expect("animations", world.len())?;
        animated.resize(world.len(), Animated::EMPTY);
        let written = world.animations_into(now, animated);
        animated[..written].iter().for_each(|body| room.push(body.into()));
        room.finish("animations")
    })
}

/// Removes and writes events, oldest first, as many as fit. Others stay, so call it until the count is
/// less than the capacity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_events_into(
    world: *mut EvWorld,
    events: *mut EvEvent,
    capacity: usize,
    count: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, mut room) = unsafe { (at(world), Room::new(events, capacity, count)) };
    with(world, |world| {
        room.check("events")?;
        while room.has_room()
            && let Some(event) = world.world.poll_event()
        {
            room.push(EvEvent::of(event.at, event.entity.raw(), &event.kind));
        }
        room.finish("events")
    })
}

/// Removes and writes the messages of the local player to the server, oldest first. `ends` gets the
/// offset in `bytes` at which each one ends. Their action counter is 0, and the host sets it
/// (`EV_ACTION_COUNTER_OFFSET`).
///
/// If either buffer is too short for all messages, nothing is written or removed, and both counts have
/// the lengths that suffice.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_actions_into(
    world: *mut EvWorld,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
    ends: *mut u32,
    ends_capacity: usize,
    count: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, bytes, ends) =
        unsafe { (at(world), Room::new(bytes, capacity, length), Room::new(ends, ends_capacity, count)) };
    with(world, |world| {
        bytes.check("bytes")?;
        ends.check("ends")?;
        while let Some(action) = world.world.poll_action() {
            let message = Message::Action(ActionMessage { counter: 0, action: Ok(action) });
            encode(&message, &mut world.actions);
            world.action_ends.push(u32::try_from(world.actions.len()).unwrap_or(u32::MAX));
        }
        let fits = bytes.expect("bytes", world.actions.len());
        let ends_fit = ends.expect("ends", world.action_ends.len());
        // Both counts are reported, whichever buffer is too short.
        if fits.is_err() != ends_fit.is_err() {
            bytes.report(world.actions.len());
            ends.report(world.action_ends.len());
        }
        fits.and(ends_fit)?;
        bytes.fill("bytes", &world.actions)?;
        ends.fill("ends", &world.action_ends)?;
        world.actions.clear();
        world.action_ends.clear();
        Ok(())
    })
}

/// Offset in a message of `ev_world_actions_into` at which the action counter stands, in four bytes.
pub const EV_ACTION_COUNTER_OFFSET: usize = 4;

impl From<&Animated> for EvAnimation {
    fn from(animated: &Animated) -> Self {
        let view = &animated.animation;
        let command = |command: Option<MotionCommand>| command.map_or(0, |command| command.0);
        let (drawn, drawn_command, drawn_speed) = match view.drawn {
            DrawnMotion::AsPlayed { playback } => (EV_DRAWN_AS_PLAYED, 0, playback),
            DrawnMotion::Standing => (EV_DRAWN_STANDING, 0, 1.0),
            DrawnMotion::Going { command, speed } => (EV_DRAWN_GOING, command.0, speed),
            _ => (EV_DRAWN_AS_PLAYED, 0, 1.0),
        };
        let playing = view.playing;
        Self {
            key: animated.key.to_bits(),
            frame: playing.map_or(0.0, |playing| playing.frame),
            entity: animated.entity.raw(),
            setup: view.setup.unwrap_or(0),
            motion_table: view.motion_table.unwrap_or(0),
            placement_frame: view.placement_frame,
            style: view.gait.style.0,
            forward: view.gait.forward.0,
            sidestep: command(view.gait.sidestep),
            turn: command(view.gait.turn),
            forward_speed: view.gait.forward_speed,
            sidestep_speed: view.gait.sidestep_speed,
            turn_speed: view.gait.turn_speed,
            run_rate: view.gait.run_rate,
            drawn,
            drawn_command,
            drawn_speed,
            table: playing.map_or(0, |playing| playing.table),
            animation: playing.map_or(0, |playing| playing.animation),
            rate: playing.map_or(0.0, |playing| playing.rate),
            is_airborne: view.is_airborne.into(),
            holder: view.held_by.map_or(0, |held| held.holder.raw()),
            location: view.held_by.map_or(0, |held| held.location),
            reserved: 0,
        }
    }
}
