//! The movement of an entity.

use alloc::vec::Vec;

use evenstride_types::update::{
    ActionItem, CommandIndex, InterpretedState, MoveToFlags, MoveToParams, Movement, MovementBody,
    MovementKind, TurnToParams,
};

use crate::{
    reader::{Read, Reader},
    writer::Writer,
};

/// Flag of an entity to follow. Its id stands after the commands.
const STICK: u8 = 0x01;
const STANDING_LONG_JUMP: u8 = 0x02;

/// Reads a movement with its stamps, up to the end of the message.
///
/// Retail: `CPhysics::SetObjectMovement` (11.4186 @ 0x00509690)
pub(super) fn read(reader: &mut Reader<'_>) -> Read<Movement> {
    let stamp = reader.stamp("movement stamp")?;
    let server_control = reader.stamp("server control stamp")?;
    let autonomous = reader.u8("autonomous")?;
    reader.align("padding")?;
    Ok(Movement { stamp, server_control, autonomous, body: read_body(reader)? })
}

pub(super) fn write(movement: &Movement, writer: &mut Writer<'_>) {
    writer.stamp(movement.stamp);
    writer.stamp(movement.server_control);
    writer.u8(movement.autonomous);
    writer.align();
    write_body(&movement.body, writer);
}

/// Reads a movement without its stamps.
///
/// Retail: `MovementManager::unpack_movement` (11.4186 @ 0x00524440)
pub(super) fn read_body(reader: &mut Reader<'_>) -> Read<MovementBody> {
    let number = reader.u8("movement type")?;
    let flags = reader.u8("movement flags")?;
    let style = CommandIndex(reader.u16("style")?);
    let mut other_flags = flags & !(STICK | STANDING_LONG_JUMP);
    let kind = match number {
        0 => {
            let state = read_state(reader)?;
            let stick_to = if flags & STICK != 0 { Some(reader.entity("entity to follow")?) } else { None };
            MovementKind::Interpreted { state, stick_to }
        }
        6 => MovementKind::MoveToObject {
            target: reader.entity("target")?,
            cell: reader.u32("cell")?,
            origin: reader.vector("origin")?,
            params: read_move_to(reader)?,
            run_rate: reader.f32("run rate")?,
        },
        7 => MovementKind::MoveToPosition {
            cell: reader.u32("cell")?,
            origin: reader.vector("origin")?,
            params: read_move_to(reader)?,
            run_rate: reader.f32("run rate")?,
        },
        8 => MovementKind::TurnToObject {
            target: reader.entity("target")?,
            heading_deg: reader.f32("heading")?,
            params: read_turn_to(reader)?,
        },
        9 => MovementKind::TurnToHeading(read_turn_to(reader)?),
        number => MovementKind::Other { number, bytes: reader.rest().to_vec() },
    };
    if number != 0 {
        // The flag has no use in these types, but is sent.
        other_flags |= flags & STICK;
    }
    Ok(MovementBody { style, standing_long_jump: flags & STANDING_LONG_JUMP != 0, other_flags, kind })
}

pub(super) fn write_body(body: &MovementBody, writer: &mut Writer<'_>) {
    let stick_to = match &body.kind {
        MovementKind::Interpreted { stick_to, .. } => *stick_to,
        _ => None,
    };
    let mut flags = body.other_flags;
    flags |= if stick_to.is_some() { STICK } else { 0 };
    flags |= if body.standing_long_jump { STANDING_LONG_JUMP } else { 0 };
    writer.u8(body.kind.number());
    writer.u8(flags);
    writer.u16(body.style.0);
    match &body.kind {
        MovementKind::Interpreted { state, .. } => {
            write_state(state, writer);
            if let Some(target) = stick_to {
                writer.entity(target);
            }
        }
        MovementKind::MoveToObject { target, cell, origin, params, run_rate } => {
            writer.entity(*target);
            writer.u32(*cell);
            writer.vector(*origin);
            write_move_to(params, writer);
            writer.f32(*run_rate);
        }
        MovementKind::MoveToPosition { cell, origin, params, run_rate } => {
            writer.u32(*cell);
            writer.vector(*origin);
            write_move_to(params, writer);
            writer.f32(*run_rate);
        }
        MovementKind::TurnToObject { target, heading_deg, params } => {
            writer.entity(*target);
            writer.f32(*heading_deg);
            write_turn_to(params, writer);
        }
        MovementKind::TurnToHeading(params) => write_turn_to(params, writer),
        MovementKind::Other { bytes, .. } => writer.slice(bytes),
    }
}

/// Reads commands, then speeds, then actions.
///
/// Retail: `InterpretedMotionState::UnPack` (11.4186 @ 0x0051F400)
fn read_state(reader: &mut Reader<'_>) -> Read<InterpretedState> {
    let flags = reader.u32("state flags")?;
    let mut command = |bit: u32, field| {
        if flags & bit != 0 { reader.u16(field).map(|index| Some(CommandIndex(index))) } else { Ok(None) }
    };
    let style = command(0x01, "state style")?;
    let forward = command(0x02, "forward command")?;
    let sidestep = command(0x08, "sidestep command")?;
    let turn = command(0x20, "turn command")?;
    let mut speed = |bit: u32, field| if flags & bit != 0 { reader.f32(field).map(Some) } else { Ok(None) };
    let forward_speed = speed(0x04, "forward speed")?;
    let sidestep_speed = speed(0x10, "sidestep speed")?;
    let turn_speed = speed(0x40, "turn speed")?;
    let actions = read_actions(reader, (flags >> 7 & 0x1F) as usize)?;
    reader.align("padding after actions")?;
    Ok(InterpretedState {
        style,
        forward,
        sidestep,
        turn,
        forward_speed,
        sidestep_speed,
        turn_speed,
        actions,
        other_flags: flags & !0xFFF,
    })
}

fn write_state(state: &InterpretedState, writer: &mut Writer<'_>) {
    let actions = &state.actions[..state.actions.len().min(InterpretedState::MAX_ACTIONS)];
    let bit = |is_present: bool, mask: u32| if is_present { mask } else { 0 };
    writer.u32(
        (state.other_flags & !0xFFF)
            | bit(state.style.is_some(), 0x01)
            | bit(state.forward.is_some(), 0x02)
            | bit(state.forward_speed.is_some(), 0x04)
            | bit(state.sidestep.is_some(), 0x08)
            | bit(state.sidestep_speed.is_some(), 0x10)
            | bit(state.turn.is_some(), 0x20)
            | bit(state.turn_speed.is_some(), 0x40)
            | (actions.len() as u32) << 7,
    );
    let commands = [state.style, state.forward, state.sidestep, state.turn];
    commands.into_iter().flatten().for_each(|command| writer.u16(command.0));
    let speeds = [state.forward_speed, state.sidestep_speed, state.turn_speed];
    speeds.into_iter().flatten().for_each(|speed| writer.f32(speed));
    write_actions(actions, writer);
    writer.align();
}

/// Reads motions that are played once.
pub(super) fn read_actions(reader: &mut Reader<'_>, count: usize) -> Read<Vec<ActionItem>> {
    (0..count)
        .map(|_| {
            let command = CommandIndex(reader.u16("action command")?);
            let packed = reader.u16("action stamp")?;
            let speed = reader.f32("action speed")?;
            Ok(ActionItem { command, stamp: packed & 0x7FFF, autonomous: packed & 0x8000 != 0, speed })
        })
        .collect()
}

pub(super) fn write_actions(actions: &[ActionItem], writer: &mut Writer<'_>) {
    for action in actions {
        writer.u16(action.command.0);
        writer.u16(action.stamp & 0x7FFF | if action.autonomous { 0x8000 } else { 0 });
        writer.f32(action.speed);
    }
}

/// Reads the parameters of a move-to.
///
/// Retail: `MovementParameters::UnPackNet` (11.4186 @ 0x0052AC50)
fn read_move_to(reader: &mut Reader<'_>) -> Read<MoveToParams> {
    Ok(MoveToParams {
        flags: MoveToFlags::from_bits_retain(reader.u32("move-to flags")?),
        distance_to_object: reader.f32("distance to object")?,
        min_distance: reader.f32("least distance")?,
        fail_distance: reader.f32("fail distance")?,
        speed: reader.f32("speed")?,
        walk_run_threshold: reader.f32("walk-run threshold")?,
        desired_heading_deg: reader.f32("desired heading")?,
    })
}

fn write_move_to(params: &MoveToParams, writer: &mut Writer<'_>) {
    writer.u32(params.flags.bits());
    [
        params.distance_to_object,
        params.min_distance,
        params.fail_distance,
        params.speed,
        params.walk_run_threshold,
        params.desired_heading_deg,
    ]
    .into_iter()
    .for_each(|number| writer.f32(number));
}

fn read_turn_to(reader: &mut Reader<'_>) -> Read<TurnToParams> {
    Ok(TurnToParams {
        flags: MoveToFlags::from_bits_retain(reader.u32("turn-to flags")?),
        speed: reader.f32("speed")?,
        desired_heading_deg: reader.f32("desired heading")?,
    })
}

fn write_turn_to(params: &TurnToParams, writer: &mut Writer<'_>) {
    writer.u32(params.flags.bits());
    writer.f32(params.speed);
    writer.f32(params.desired_heading_deg);
}
