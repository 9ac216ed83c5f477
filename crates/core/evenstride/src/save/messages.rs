//! Messages as bytes, field by field.
//!
//! A saved world contains messages in three places. Updates may be parked for an unknown entity or
//! wait for their replay, and actions of the local player may wait to be sent.
//!
//! This is not the wire format. `evenstride_wire` reads that, and its values are stored here as
//! they are, including invalid ones. They are checked when they are handled, like any other
//! message.

use alloc::{collections::VecDeque, vec::Vec};

use evenstride_types::update::{
    ActionItem, Attachment, AutonomousPosition, Contact, CreateUpdate, DeleteUpdate, DescribedMovement,
    HoldKey, InterpretedState, Jump, MoveToFlags, MoveToParams, MoveToState, Movement, MovementBody,
    MovementCommand, MovementKind, MovementUpdate, ParentUpdate, PhysicsDescription, PickupUpdate,
    PlayerAction, PlayerStamps, PositionPack, PositionUpdate, RawAxis, RawState, Resources, SparseQuaternion,
    StateUpdate, StopCommand, TeleportUpdate, TurnToParams, Update, VectorUpdate,
};

use crate::save::{
    RestoreError,
    bytes::{Saved, Sink, Source, saved_struct},
};

saved_struct! {
    CreateUpdate { entity, physics, item_type }
    PhysicsDescription {
        state, movement, placement_frame, position, resources, parent, children, scale, friction, elasticity, translucency, velocity,
        acceleration, omega, default_script, default_script_intensity, stamps, other_flags,
    }
    Resources { setup, motion_table, sound_table, script_table }
    Attachment { entity, location }
    DeleteUpdate { entity, instance }
    ParentUpdate { holder, held, location, placement_frame, holder_instance, held_position }
    PickupUpdate { entity, instance, position }
    StateUpdate { entity, state, instance, stamp }
    VectorUpdate { entity, velocity, omega, instance, stamp }
    TeleportUpdate { teleport }
    PositionUpdate { entity, pack }
    PositionPack {
        cell, origin, rotation, velocity, placement_frame, has_contact, other_flags, instance, position, teleport, force_position,
    }
    MovementUpdate { entity, instance, movement }
    Movement { stamp, server_control, autonomous, body }
    MovementBody { style, standing_long_jump, other_flags, kind }
    InterpretedState {
        style, forward, sidestep, turn, forward_speed, sidestep_speed, turn_speed, actions, other_flags,
    }
    ActionItem { command, stamp, autonomous, speed }
    MoveToParams {
        flags, distance_to_object, min_distance, fail_distance, speed, walk_run_threshold, desired_heading_deg,
    }
    TurnToParams { flags, speed, desired_heading_deg }
    MoveToState { state, position, stamps, contact }
    AutonomousPosition { position, stamps, contact }
    Jump { extent, local_velocity, position, stamps }
    MovementCommand { motion, speed, hold_key }
    StopCommand { motion, hold_key }
    PlayerStamps { instance, server_control, teleport, force_position }
    RawState { hold_key, style, forward, sidestep, turn, actions, other_flags }
    RawAxis { command, hold_key, speed }
}

impl Saved for SparseQuaternion {
    fn write(&self, sink: &mut impl Sink) {
        self.0.write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        Ok(Self(Saved::read(source)?))
    }
}

impl Saved for MoveToFlags {
    fn write(&self, sink: &mut impl Sink) {
        self.bits().write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        Ok(Self::from_bits_retain(u32::read(source)?))
    }
}

impl Saved for HoldKey {
    fn write(&self, sink: &mut impl Sink) {
        self.0.write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        Ok(Self(u32::read(source)?))
    }
}

impl Saved for Contact {
    fn write(&self, sink: &mut impl Sink) {
        self.0.write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        Ok(Self(u8::read(source)?))
    }
}

/// A number for the variant, then its fields.
impl Saved for DescribedMovement {
    fn write(&self, sink: &mut impl Sink) {
        match self {
            Self::Empty => 0u8.write(sink),
            Self::Doing { body, autonomous } => {
                1u8.write(sink);
                body.write(sink);
                autonomous.write(sink);
            }
        }
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        match u8::read(source)? {
            0 => Ok(Self::Empty),
            1 => Ok(Self::Doing { body: Saved::read(source)?, autonomous: Saved::read(source)? }),
            _ => Err(source.bad_value()),
        }
    }
}

/// The client's number of the movement type, then the fields.
///
/// An unknown type is written as 0xFF with its own number and its bytes.
impl Saved for MovementKind {
    fn write(&self, sink: &mut impl Sink) {
        match self {
            Self::Interpreted { state, stick_to } => {
                0u8.write(sink);
                state.write(sink);
                stick_to.write(sink);
            }
            Self::MoveToObject { target, cell, origin, params, run_rate } => {
                6u8.write(sink);
                target.write(sink);
                cell.write(sink);
                origin.write(sink);
                params.write(sink);
                run_rate.write(sink);
            }
            Self::MoveToPosition { cell, origin, params, run_rate } => {
                7u8.write(sink);
                cell.write(sink);
                origin.write(sink);
                params.write(sink);
                run_rate.write(sink);
            }
            Self::TurnToObject { target, heading_deg, params } => {
                8u8.write(sink);
                target.write(sink);
                heading_deg.write(sink);
                params.write(sink);
            }
            Self::TurnToHeading(params) => {
                9u8.write(sink);
                params.write(sink);
            }
            Self::Other { number, bytes } => {
                0xFFu8.write(sink);
                number.write(sink);
                (bytes.len() as u32).write(sink);
                sink.put_slice(bytes);
            }
        }
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        Ok(match u8::read(source)? {
            0 => Self::Interpreted { state: Saved::read(source)?, stick_to: Saved::read(source)? },
            6 => Self::MoveToObject {
                target: Saved::read(source)?,
                cell: Saved::read(source)?,
                origin: Saved::read(source)?,
                params: Saved::read(source)?,
                run_rate: Saved::read(source)?,
            },
            7 => Self::MoveToPosition {
                cell: Saved::read(source)?,
                origin: Saved::read(source)?,
                params: Saved::read(source)?,
                run_rate: Saved::read(source)?,
            },
            8 => Self::TurnToObject {
                target: Saved::read(source)?,
                heading_deg: Saved::read(source)?,
                params: Saved::read(source)?,
            },
            9 => Self::TurnToHeading(Saved::read(source)?),
            0xFF => {
                let number = u8::read(source)?;
                let count = u32::read(source)? as usize;
                Self::Other { number, bytes: source.take_slice(count)?.to_vec() }
            }
            _ => return Err(source.bad_value()),
        })
    }
}

/// Writes and reads an enum by number.
///
/// Variants that hold one value come first, then variants with fields, then variants without any.
/// The numbers are those of the messages on the wire.
macro_rules! saved_messages {
    ($type:ident {
        $($single:ident = $number:literal),* ;
        $($many:ident { $($field:ident),* } = $many_number:literal),* ;
        $($none:ident = $none_number:literal),*
    }) => {
        impl Saved for $type {
            fn write(&self, sink: &mut impl Sink) {
                match self {
                    $(Self::$single(message) => {
                        let number: u16 = $number;
                        number.write(sink);
                        message.write(sink);
                    })*
                    $(Self::$many { $($field),* } => {
                        let number: u16 = $many_number;
                        number.write(sink);
                        $($field.write(sink);)*
                    })*
                    $(Self::$none => {
                        let number: u16 = $none_number;
                        number.write(sink);
                    })*
                    // A variant that was added and not listed is written as 0, which reading
                    // rejects.
                    #[allow(unreachable_patterns, clippy::allow_attributes, reason = "the enums may grow")]
                    _ => 0u16.write(sink),
                }
            }

            fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
                match u16::read(source)? {
                    $($number => Ok(Self::$single(Saved::read(source)?)),)*
                    $($many_number => Ok(Self::$many { $($field: Saved::read(source)?),* }),)*
                    $($none_number => Ok(Self::$none),)*
                    _ => Err(source.bad_value()),
                }
            }
        }
    };
}

saved_messages! {
    Update {
        Create = 0xF745, Recreate = 0xF7DB, LocalPlayer = 0xF746, Delete = 0xF747, Position = 0xF748, Parent = 0xF749, Pickup = 0xF74A,
        State = 0xF74B, Movement = 0xF74C, Vector = 0xF74E, Teleport = 0xF751;
        PositionAndMovement { position, movement } = 0xF619;
    }
}

saved_messages! {
    PlayerAction {
        MoveToState = 0xF61C, AutonomousPosition = 0xF753, Jump = 0xF61B, MovementCommand = 0xF61E, StopCommand = 0xF661,
        AutonomyLevel = 0xF752;
        ServerJump { extent } = 0xF7C9, TurnTo { heading_deg, run } = 0xF649;
        LoginComplete = 0x00A1
    }
}

/// Queues are written from front to back, like a `Vec`.
impl<T: Saved> Saved for VecDeque<T> {
    fn write(&self, sink: &mut impl Sink) {
        (self.len() as u32).write(sink);
        self.iter().for_each(|item| item.write(sink));
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        Vec::read(source).map(Self::from)
    }
}
