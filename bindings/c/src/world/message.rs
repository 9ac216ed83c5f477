//! Messages as bytes.

use evenstride_types::update::Update;
use evenstride_wire::{Message, decode};

use super::{EvWorld, with};
use crate::{
    place::{EvDisposition, time},
    pointers::{In, Out, Room, at},
    status::{Done, EvStatus, Fault},
};

/// Handles one message of the server, from its opcode to its last byte. `disposition` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_handle(
    world: *mut EvWorld,
    seconds: f64,
    bytes: *const u8,
    length: usize,
    disposition: *mut EvDisposition,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, bytes, out) = unsafe { (at(world), In::many(bytes, length), Out::new(disposition)) };
    with(world, |world| {
        let now = time(seconds)?;
        let Some(update) = update_of(bytes.all("bytes")?)? else {
            out.set(EvDisposition::default());
            return Ok(());
        };
        let disposition = world.world.handle(now, &update, &world.ground);
        out.set(EvDisposition::of(update.entity(), &disposition));
        world.ground.faults()
    })
}

/// Handles messages that lie one after the other in `bytes`. `ends` has the offset at which each one
/// ends. If one is damaged, none is handled.
///
/// `dispositions` has room for `capacity` entries, one for each message. It may be null with capacity 0,
/// and `handled` may be null.
/// `handled` gets the number of messages about motion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_handle_many(
    world: *mut EvWorld,
    seconds: f64,
    bytes: *const u8,
    length: usize,
    ends: *const u32,
    count: usize,
    dispositions: *mut EvDisposition,
    capacity: usize,
    handled: *mut usize,
) -> EvStatus {
    let mut written = 0;
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, bytes, ends, mut room, handled) = unsafe {
        let room = Room::new(dispositions, capacity, &raw mut written);
        (at(world), In::many(bytes, length), In::many(ends, count), room, Out::new(handled))
    };
    with(world, |world| {
        let now = time(seconds)?;
        room.check("dispositions")?;
        let (bytes, ends) = (bytes.all("bytes")?, ends.all("ends")?);
        let wants = room.capacity() > 0;
        if wants {
            room.expect("dispositions", ends.len())?;
        }
        world.updates.clear();
        read_all(bytes, ends, |update| world.updates.push(update))?;
        handled.set(world.updates.len());
        if !wants {
            world.world.handle_all(now, &world.updates, &world.ground, |_, _| {});
        } else if world.updates.len() == ends.len() {
            world.world.handle_all(now, &world.updates, &world.ground, |update, disposition| {
                room.push(EvDisposition::of(update.entity(), &disposition));
            });
        } else {
            // Messages that are not about motion have an entry too, so the bytes are read again.
            world.updates.clear();
            let mut start = 0;
            for end in ends {
                let update = update_of(&bytes[start..*end as usize])?;
                room.push(update.map_or_else(EvDisposition::default, |update| {
                    let disposition = world.world.handle(now, &update, &world.ground);
                    EvDisposition::of(update.entity(), &disposition)
                }));
                start = *end as usize;
            }
        }
        world.ground.faults()
    })
}

/// Handles a message of the local player's own client in a recording (opcode F7B1). `metres` gets the
/// distance between the player and the place in the message, and may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ev_world_replay_action(
    world: *mut EvWorld,
    seconds: f64,
    bytes: *const u8,
    length: usize,
    metres: *mut f64,
) -> EvStatus {
    // SAFETY: the caller keeps the rules for pointers and buffers (crate documentation).
    let (world, bytes, out) = unsafe { (at(world), In::many(bytes, length), Out::new(metres)) };
    with(world, |world| {
        let now = time(seconds)?;
        let decoded = decode(bytes.all("bytes")?).map_err(bad_message)?;
        let Message::Action(action) = decoded.message else {
            return Err(Fault::new(EvStatus::BadMessage, "not an action of a player's client (F7B1)"));
        };
        let Ok(action) = action.action else {
            out.set(0.0);
            return Ok(());
        };
        let off = world.world.replay_action(now, &action, &world.ground);
        out.set(off.map_err(|error| Fault::new(EvStatus::NoPlayer, error.to_string()))?);
        world.ground.faults()
    })
}

fn bad_message(error: evenstride_wire::DecodeError) -> Fault {
    Fault::new(EvStatus::BadMessage, error.to_string())
}

fn update_of(message: &[u8]) -> Result<Option<Update>, Fault> {
    Ok(decode(message).map_err(bad_message)?.message.into_update())
}

/// Reads all messages, and passes on those about motion.
fn read_all(messages: &[u8], ends: &[u32], mut pass_on: impl FnMut(Update)) -> Done {
    let mut start = 0;
    for (index, &end) in ends.iter().enumerate() {
        let end = end as usize;
        let message = messages.get(start..end).ok_or_else(|| {
            Fault::invalid(
                "ends",
                format!("message {index} is from byte {start} to {end}, of {}", messages.len()),
            )
        })?;
        let update = decode(message)
            .map_err(|error| Fault::new(EvStatus::BadMessage, format!("message {index}: {error}")))?;
        update.message.into_update().into_iter().for_each(&mut pass_on);
        start = end;
    }
    if start != messages.len() {
        return Err(Fault::invalid(
            "ends",
            format!("{} bytes after the last message", messages.len() - start),
        ));
    }
    Ok(())
}
