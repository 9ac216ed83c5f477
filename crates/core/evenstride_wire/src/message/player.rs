//! Actions of a player's client.

use evenstride_types::update::{
    AutonomousPosition, Contact, HoldKey, Jump, MotionCommand, MoveToState, MovementCommand, PlayerAction,
    PlayerStamps, RawAxis, RawState, StopCommand,
};

use super::movement::{read_actions, write_actions};
use crate::{
    reader::{Read, Reader},
    writer::Writer,
};

/// An action with its counter. Opcode F7B1.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionMessage {
    /// Number of the action in the session, from 1.
    pub counter: u32,
    /// The action, or `Err` if it does not concern motion.
    pub action: Result<PlayerAction, OtherAction>,
}

/// An action that does not concern motion, with its bytes unread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherAction {
    /// Number of the action.
    pub number: u32,
    /// All bytes after the number.
    pub bytes: alloc::vec::Vec<u8>,
}

impl ActionMessage {
    pub(super) fn read(reader: &mut Reader<'_>) -> Read<Self> {
        let counter = reader.u32("action counter")?;
        let number = reader.u32("action")?;
        let action = match number {
            0xF61C => PlayerAction::MoveToState(MoveToState {
                state: read_raw_state(reader)?,
                position: reader.placement("position")?,
                stamps: read_stamps(reader)?,
                contact: read_contact(reader)?,
            }),
            0xF753 => PlayerAction::AutonomousPosition(AutonomousPosition {
                position: reader.placement("position")?,
                stamps: read_stamps(reader)?,
                contact: read_contact(reader)?,
            }),
            0xF61B => {
                let jump = Jump {
                    extent: reader.f32("jump extent")?,
                    local_velocity: reader.vector("jump velocity")?,
                    position: reader.placement("position")?,
                    stamps: read_stamps(reader)?,
                };
                reader.align("padding")?;
                PlayerAction::Jump(jump)
            }
            0xF7C9 => PlayerAction::ServerJump { extent: reader.f32("jump extent")? },
            0xF61E => PlayerAction::MovementCommand(MovementCommand {
                motion: MotionCommand(reader.u32("motion")?),
                speed: reader.f32("speed")?,
                hold_key: HoldKey(reader.u32("hold key")?),
            }),
            0xF661 => PlayerAction::StopCommand(StopCommand {
                motion: MotionCommand(reader.u32("motion")?),
                hold_key: HoldKey(reader.u32("hold key")?),
            }),
            0xF649 => {
                PlayerAction::TurnTo { heading_deg: reader.f32("heading")?, run: reader.u32("hold key")? }
            }
            0xF752 => PlayerAction::AutonomyLevel(reader.u32("autonomy level")?),
            0x00A1 => PlayerAction::LoginComplete,
            number => {
                let bytes = reader.rest().to_vec();
                return Ok(Self { counter, action: Err(OtherAction { number, bytes }) });
            }
        };
        Ok(Self { counter, action: Ok(action) })
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.u32(self.counter);
        let action = match &self.action {
            Ok(action) => action,
            Err(other) => {
                writer.u32(other.number);
                writer.slice(&other.bytes);
                return;
            }
        };
        writer.u32(action.action());
        match action {
            PlayerAction::MoveToState(message) => {
                write_raw_state(&message.state, writer);
                writer.placement(&message.position);
                write_stamps(&message.stamps, writer);
                write_contact(message.contact, writer);
            }
            PlayerAction::AutonomousPosition(message) => {
                writer.placement(&message.position);
                write_stamps(&message.stamps, writer);
                write_contact(message.contact, writer);
            }
            PlayerAction::Jump(jump) => {
                writer.f32(jump.extent);
                writer.vector(jump.local_velocity);
                writer.placement(&jump.position);
                write_stamps(&jump.stamps, writer);
                writer.align();
            }
            PlayerAction::ServerJump { extent } => writer.f32(*extent),
            PlayerAction::MovementCommand(command) => {
                writer.u32(command.motion.0);
                writer.f32(command.speed);
                writer.u32(command.hold_key.0);
            }
            PlayerAction::StopCommand(command) => {
                writer.u32(command.motion.0);
                writer.u32(command.hold_key.0);
            }
            PlayerAction::TurnTo { heading_deg, run } => {
                writer.f32(*heading_deg);
                writer.u32(*run);
            }
            PlayerAction::AutonomyLevel(level) => writer.u32(*level),
            _ => {}
        }
    }
}

/// Flag bits of a raw state below its number of actions.
const FIELD_BITS: u32 = 0x7FF;

fn read_raw_state(reader: &mut Reader<'_>) -> Read<RawState> {
    let flags = reader.u32("raw state flags")?;
    let hold_key = optional(flags, 0x001, || reader.u32("hold key"))?.map(HoldKey);
    let style = optional(flags, 0x002, || reader.u32("style"))?.map(MotionCommand);
    let mut axis = |first: u32, fields: [&'static str; 3]| {
        Read::Ok(RawAxis {
            command: optional(flags, first, || reader.u32(fields[0]))?.map(MotionCommand),
            hold_key: optional(flags, first << 1, || reader.u32(fields[1]))?.map(HoldKey),
            speed: optional(flags, first << 2, || reader.f32(fields[2]))?,
        })
    };
    let forward = axis(0x004, ["forward command", "forward hold key", "forward speed"])?;
    let sidestep = axis(0x020, ["sidestep command", "sidestep hold key", "sidestep speed"])?;
    let turn = axis(0x100, ["turn command", "turn hold key", "turn speed"])?;
    let actions = read_actions(reader, (flags >> 11 & 0x1F) as usize)?;
    Ok(RawState { hold_key, style, forward, sidestep, turn, actions, other_flags: flags & 0xFFFF_0000 })
}

fn optional<T>(flags: u32, bit: u32, read: impl FnOnce() -> Read<T>) -> Read<Option<T>> {
    if flags & bit != 0 { read().map(Some) } else { Ok(None) }
}

fn write_raw_state(state: &RawState, writer: &mut Writer<'_>) {
    let actions = &state.actions[..state.actions.len().min(31)];
    let bit = |is_present: bool, mask: u32| if is_present { mask } else { 0 };
    let axis_bits = |axis: &RawAxis, first: u32| {
        bit(axis.command.is_some(), first)
            | bit(axis.hold_key.is_some(), first << 1)
            | bit(axis.speed.is_some(), first << 2)
    };
    let fields = bit(state.hold_key.is_some(), 0x001)
        | bit(state.style.is_some(), 0x002)
        | axis_bits(&state.forward, 0x004)
        | axis_bits(&state.sidestep, 0x020)
        | axis_bits(&state.turn, 0x100);
    writer.u32((state.other_flags & 0xFFFF_0000) | (fields & FIELD_BITS) | (actions.len() as u32) << 11);
    state.hold_key.into_iter().for_each(|key| writer.u32(key.0));
    state.style.into_iter().for_each(|style| writer.u32(style.0));
    for axis in [&state.forward, &state.sidestep, &state.turn] {
        axis.command.into_iter().for_each(|command| writer.u32(command.0));
        axis.hold_key.into_iter().for_each(|key| writer.u32(key.0));
        axis.speed.into_iter().for_each(|speed| writer.f32(speed));
    }
    write_actions(actions, writer);
}

fn read_stamps(reader: &mut Reader<'_>) -> Read<PlayerStamps> {
    Ok(PlayerStamps {
        instance: reader.stamp("instance stamp")?,
        server_control: reader.stamp("server control stamp")?,
        teleport: reader.stamp("teleport stamp")?,
        force_position: reader.stamp("force position stamp")?,
    })
}

fn write_stamps(stamps: &PlayerStamps, writer: &mut Writer<'_>) {
    [stamps.instance, stamps.server_control, stamps.teleport, stamps.force_position]
        .into_iter()
        .for_each(|stamp| writer.stamp(stamp));
}

fn read_contact(reader: &mut Reader<'_>) -> Read<Contact> {
    let contact = Contact(reader.u8("contact")?);
    reader.align("padding")?;
    Ok(contact)
}

fn write_contact(contact: Contact, writer: &mut Writer<'_>) {
    writer.u8(contact.0);
    writer.align();
}
