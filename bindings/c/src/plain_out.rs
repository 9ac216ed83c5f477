//! Everything that a host reads of an `EvPlainWorld`.

use std::ffi::c_char;

use evenstride::generic::PlainDrawn;

use crate::{
    place::time,
    plain::{EvPlainPose, EvPlainWorld, Plain, with_plain},
    pointers::{Out, Room, TextOut, at},
    status::EvStatus,
    world::{Details, write_lines},
};

/// An entity to be drawn.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvPlainDrawn {
    /// Entity of the game.
    pub entity: u64,
    /// Key of its body.
    pub key: u64,
    /// Pose to draw it in.
    pub pose: EvPlainPose,
}

/// Something that happened to an entity of the game. The fields are those of `EvEvent`, in game units.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvPlainEvent {
    /// Seconds.
    pub time: f64,
    /// Entity of the game. It may be gone.
    pub entity: u64,
    /// Number of the happening.
    pub code: u16,
    /// Number of the reason.
    pub reason: u16,
    /// See `EvEvent`.
    pub value: u32,
    /// See `EvEvent`.
    pub number: f32,
    /// Not used, 0.
    pub reserved: u32,
}

impl From<&PlainDrawn> for EvPlainDrawn {
    fn from(drawn: &PlainDrawn) -> Self {
        Self { entity: drawn.entity, key: drawn.key.to_bits(), pose: drawn.pose.into() }
    }
}

/// Writes every entity to be drawn at `seconds`. If the buffer is too short, the first `capacity`
/// entities are written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_drawn_into(
    world: *const EvPlainWorld,
    seconds: f64,
    entities: *mut EvPlainDrawn,
    capacity: usize,
    count: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, mut room) = unsafe { (at(world), Room::new(entities, capacity, count)) };
    with_plain(world, |world| {
        let now = time(seconds)?;
        room.check("entities")?;
        world.world.drawn_each(now, |drawn| room.push((&drawn).into()));
        room.finish("entities")
    })
}

/// Does what `ev_plain_drawn_into` does, only for entities that may look different since the last call of
/// this function. If the buffer is too short, the same ones are reported again by the next call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_changed_into(
    world: *mut EvPlainWorld,
    seconds: f64,
    entities: *mut EvPlainDrawn,
    capacity: usize,
    count: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, mut room) = unsafe { (at(world), Room::new(entities, capacity, count)) };
    with_plain(world, |world| {
        let now = time(seconds)?;
        room.check("entities")?;
        let Plain { world, drawn, .. } = world;
        drawn.resize(world.len(), PlainDrawn::EMPTY);
        let changed = world.changed_into(now, drawn);
        drawn[..changed].iter().for_each(|entity| room.push(entity.into()));
        room.finish("entities")?;
        world.forget_changed();
        Ok(())
    })
}

/// Removes and writes events, oldest first, as many as fit. Others stay, so call it until the count is
/// less than the capacity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_events_into(
    world: *mut EvPlainWorld,
    events: *mut EvPlainEvent,
    capacity: usize,
    count: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, mut room) = unsafe { (at(world), Room::new(events, capacity, count)) };
    with_plain(world, |world| {
        room.check("events")?;
        while room.has_room()
            && let Some(event) = world.world.poll_event()
        {
            let Details { reason, value, number, .. } = Details::of(&event.kind);
            room.push(EvPlainEvent {
                time: event.at.as_secs(),
                entity: event.entity,
                code: event.kind.code(),
                reason,
                value,
                number,
                reserved: 0,
            });
        }
        room.finish("events")
    })
}

/// Writes the decisions about a traced entity, one line each, oldest first. Only the last `lines` are
/// written, or all for 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_explain(
    world: *const EvPlainWorld,
    entity: u64,
    lines: usize,
    text: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), TextOut::new(text, capacity, length)) };
    with_plain(world, |world| {
        let all = || world.world.explain(entity);
        write_lines(&mut world.text, all().count(), all(), lines)?;
        out.write(&world.text)
    })
}

/// Writes the world as bytes. Events, decisions, ground and drawn poses are left out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_save(
    world: *const EvPlainWorld,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, room) = unsafe { (at(world), Room::new(bytes, capacity, length)) };
    with_plain(world, |world| {
        room.check("bytes")?;
        world.bytes.clear();
        world.world.save_into(&mut world.bytes);
        room.fill("bytes", &world.bytes)
    })
}

/// Writes the number of entities.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_len(world: *const EvPlainWorld, count: *mut usize) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(count)) };
    with_plain(world, |world| {
        out.check("count")?;
        out.set(world.world.len());
        Ok(())
    })
}

/// Writes the hash of everything that further motion depends on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_plain_state_hash(world: *const EvPlainWorld, hash: *mut u64) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, out) = unsafe { (at(world), Out::new(hash)) };
    with_plain(world, |world| {
        out.check("hash")?;
        out.set(world.world.motion().state_hash());
        Ok(())
    })
}
