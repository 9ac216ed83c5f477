//! Messages as readable text, one line each.

use core::fmt;

use evenstride_types::{
    RawPlacement,
    update::{
        CommandIndex, CommandTable, DescribedMovement, HoldKey, InterpretedState, MotionCommand,
        MoveToParams, Movement, MovementBody, MovementKind, PhysicsDescription, PlayerAction, PlayerStamps,
        PositionPack, RawState, Update,
    },
};

use crate::{Aside, Message, Text, action_name, opcode_name};

/// Displays a message as a line of text. The command table decides which command a number means.
///
/// ```
/// use evenstride_wire::{Pretty, decode};
/// let bytes = [0x4A, 0xF7, 0, 0, 0xA5, 9, 0, 0x80, 0, 0, 0x31, 0];
/// let message = decode(&bytes)?.message;
/// assert_eq!(Pretty::new(&message).to_string(), "F74A Pickup 0x800009A5 (instance 0, position 49)");
/// # Ok::<(), evenstride_wire::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pretty<'a> {
    message: &'a Message,
    table: CommandTable,
}

impl<'a> Pretty<'a> {
    /// Creates a line for a message, with the command numbers of the last client.
    pub const fn new(message: &'a Message) -> Self {
        Self { message, table: CommandTable::Final }
    }

    /// Uses the command numbers of another client.
    #[must_use]
    pub const fn with_table(self, table: CommandTable) -> Self {
        Self { table, ..self }
    }
}

impl fmt::Display for Pretty<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let opcode = self.message.opcode();
        write!(f, "{opcode:04X} {}", opcode_name(opcode).unwrap_or("?"))?;
        match self.message {
            Message::Create(create) | Message::Recreate(create) => {
                write!(f, " {} {}", create.update.entity, Quoted(&create.weenie.name))?;
                physics(f, &create.update.physics, self.table)
            }
            Message::Appearance(update) => {
                let looks = &update.looks;
                write!(
                    f,
                    " {}: {} palettes, {} textures, {} parts (instance {}, appearance {})",
                    update.entity,
                    looks.palettes.len(),
                    looks.textures.len(),
                    looks.parts.len(),
                    update.instance,
                    update.stamp
                )
            }
            Message::Update(message) => update(f, message, self.table),
            Message::Action(message) => match &message.action {
                Ok(action) => {
                    write!(f, " #{} ", message.counter)?;
                    player_action(f, action, self.table)
                }
                Err(other) => {
                    write!(f, " #{} {:04X}, {} bytes", message.counter, other.number, other.bytes.len())
                }
            },
            Message::Aside(message) => aside(f, message),
            Message::Other { bytes, .. } => write!(f, ", {} bytes", bytes.len()),
        }
    }
}

fn aside(f: &mut fmt::Formatter<'_>, aside: &Aside) -> fmt::Result {
    if let Some(entity) = aside.entity() {
        write!(f, " {entity}")?;
    }
    match aside {
        Aside::Sound { sound, volume, .. } => write!(f, " sound {sound:#X}, volume {volume:.2}"),
        Aside::Script { script, .. } => write!(f, " script {script:08X}"),
        Aside::ScriptType { kind, intensity, .. } => write!(f, " script {kind:#X}, intensity {intensity:.2}"),
        Aside::GameEvent { sequence, event, bytes, .. } => {
            write!(f, " #{sequence} {event:04X}, {} bytes", bytes.len())
        }
        Aside::PositionProperty { kind, place, .. } => {
            write!(f, " property {kind}")?;
            placement(f, place)
        }
    }
}

fn update(f: &mut fmt::Formatter<'_>, update: &Update, table: CommandTable) -> fmt::Result {
    match update {
        Update::Position(update) => {
            write!(f, " {}", update.entity)?;
            pack(f, &update.pack)
        }
        Update::Movement(update) => {
            write!(f, " {}", update.entity)?;
            movement(f, &update.movement, table)?;
            write!(f, " (instance {}, ", update.instance)?;
            movement_stamps(f, &update.movement)
        }
        Update::Vector(update) => write!(
            f,
            " {} velocity {:.3}, omega {:.3} (instance {}, vector {})",
            update.entity, update.velocity, update.omega, update.instance, update.stamp
        ),
        Update::State(update) => write!(
            f,
            " {} state {:08X} (instance {}, state {})",
            update.entity,
            update.state.bits(),
            update.instance,
            update.stamp
        ),
        Update::Parent(update) => write!(
            f,
            " {} held by {} at {}, frame {} (holder's instance {}, position {})",
            update.held,
            update.holder,
            update.location,
            update.placement_frame,
            update.holder_instance,
            update.held_position
        ),
        Update::Pickup(update) => {
            write!(f, " {} (instance {}, position {})", update.entity, update.instance, update.position)
        }
        Update::Delete(update) => write!(f, " {} (instance {})", update.entity, update.instance),
        Update::LocalPlayer(entity) => write!(f, " {entity}"),
        Update::Teleport(update) => write!(f, " (teleport {})", update.teleport),
        Update::PositionAndMovement { position, movement: moves } => {
            write!(f, " {}", position.entity)?;
            pack(f, &position.pack)?;
            movement(f, moves, table)?;
            f.write_str(" (")?;
            movement_stamps(f, moves)
        }
        Update::Create(update) | Update::Recreate(update) => {
            write!(f, " {}", update.entity)?;
            physics(f, &update.physics, table)
        }
        _ => Ok(()),
    }
}

fn pack(f: &mut fmt::Formatter<'_>, pack: &PositionPack) -> fmt::Result {
    placement(f, &pack.placement())?;
    f.write_str(if pack.has_contact { ", grounded" } else { ", in the air" })?;
    if let Some(velocity) = pack.velocity {
        write!(f, ", velocity {velocity:.3}")?;
    }
    if let Some(frame) = pack.placement_frame {
        write!(f, ", frame {frame:#X}")?;
    }
    write!(
        f,
        " (instance {}, position {}, teleport {}, force {})",
        pack.instance, pack.position, pack.teleport, pack.force_position
    )
}

fn placement(f: &mut fmt::Formatter<'_>, place: &RawPlacement) -> fmt::Result {
    write!(f, " at {:08X} {:.3}", place.cell, place.origin)?;
    match place.check() {
        Ok(place) => write!(f, " heading {:.1}", place.pose.heading().degrees()),
        Err(reason) => write!(f, " [{reason}]"),
    }
}

fn movement(f: &mut fmt::Formatter<'_>, movement: &Movement, table: CommandTable) -> fmt::Result {
    f.write_str(if movement.autonomous != 0 { " autonomous:" } else { " by the server:" })?;
    movement_body(f, &movement.body, table)
}

fn movement_stamps(f: &mut fmt::Formatter<'_>, movement: &Movement) -> fmt::Result {
    write!(f, "movement {}, control {})", movement.stamp, movement.server_control)
}

fn movement_body(f: &mut fmt::Formatter<'_>, body: &MovementBody, table: CommandTable) -> fmt::Result {
    if !matches!(body.style.0, 0 | 0x3D) {
        write!(f, " in {}", Command(body.style, table))?;
    }
    match &body.kind {
        MovementKind::Interpreted { state, stick_to } => {
            interpreted(f, state, table)?;
            if let Some(target) = stick_to {
                write!(f, ", following {target}")?;
            }
        }
        MovementKind::MoveToObject { target, params, run_rate, .. } => {
            write!(f, " go to {target}")?;
            move_to(f, params, *run_rate)?;
        }
        MovementKind::MoveToPosition { cell, origin, params, run_rate } => {
            write!(f, " go to {cell:08X} {origin:.3}")?;
            move_to(f, params, *run_rate)?;
        }
        MovementKind::TurnToObject { target, heading_deg, params } => {
            write!(f, " turn to {target} (or {heading_deg:.1}), speed {:.2}", params.speed)?;
        }
        MovementKind::TurnToHeading(params) => {
            write!(f, " turn to {:.1}, speed {:.2}", params.desired_heading_deg, params.speed)?;
        }
        MovementKind::Other { number, bytes } => write!(f, " type {number}, {} bytes", bytes.len())?,
    }
    if body.standing_long_jump { f.write_str(", charging a jump") } else { Ok(()) }
}

fn move_to(f: &mut fmt::Formatter<'_>, params: &MoveToParams, run_rate: f32) -> fmt::Result {
    let MoveToParams { flags, distance_to_object, min_distance, fail_distance, speed, .. } = params;
    write!(f, " within {min_distance:.2} to {distance_to_object:.2} m, ")?;
    if *fail_distance < f32::MAX {
        write!(f, "giving up after {fail_distance:.1} m, ")?;
    }
    write!(
        f,
        "running from {:.1} m, speed {speed:.2}, run rate {run_rate:.2}, heading {:.1}, flags {:05X}",
        params.walk_run_threshold,
        params.desired_heading_deg,
        flags.meaningful().bits()
    )
}

fn interpreted(f: &mut fmt::Formatter<'_>, state: &InterpretedState, table: CommandTable) -> fmt::Result {
    let mut axis = |name: &str, command: Option<CommandIndex>, speed: Option<f32>| -> fmt::Result {
        match (command, speed) {
            (None, None) => Ok(()),
            (Some(command), None) => write!(f, " {name} {}", Command(command, table)),
            (Some(command), Some(speed)) => write!(f, " {name} {} x{speed:.3}", Command(command, table)),
            (None, Some(speed)) => write!(f, " {name} x{speed:.3}"),
        }
    };
    axis("forward", state.forward, state.forward_speed)?;
    axis("sideways", state.sidestep, state.sidestep_speed)?;
    axis("turn", state.turn, state.turn_speed)?;
    axis("style", state.style, None)?;
    for action in &state.actions {
        write!(f, " action {} #{} x{:.3}", Command(action.command, table), action.stamp, action.speed)?;
    }
    let is_default = *state == InterpretedState::default();
    if is_default { f.write_str(" stands") } else { Ok(()) }
}

fn physics(f: &mut fmt::Formatter<'_>, physics: &PhysicsDescription, table: CommandTable) -> fmt::Result {
    if let Some(place) = &physics.position {
        placement(f, place)?;
    }
    if let Some(parent) = physics.parent {
        write!(f, " held by {} at {}", parent.entity, parent.location)?;
    }
    if let Some(DescribedMovement::Doing { body, .. }) = &physics.movement {
        f.write_str(",")?;
        movement_body(f, body, table)?;
    }
    if let Some(velocity) = physics.velocity {
        write!(f, ", velocity {velocity:.3}")?;
    }
    if let Some(scale) = physics.scale {
        write!(f, ", scale {scale:.2}")?;
    }
    write!(f, ", state {:08X} (stamps", physics.state.bits())?;
    for stamp in physics.stamps.to_array() {
        write!(f, " {stamp}")?;
    }
    f.write_str(")")
}

fn player_action(f: &mut fmt::Formatter<'_>, action: &PlayerAction, table: CommandTable) -> fmt::Result {
    let number = action.action();
    write!(f, "{number:04X} {}", action_name(number).unwrap_or("?"))?;
    match action {
        PlayerAction::MoveToState(message) => {
            raw_state(f, &message.state, table)?;
            placement(f, &message.position)?;
            write!(f, ", contact {}", message.contact.0)?;
            stamps(f, &message.stamps)
        }
        PlayerAction::AutonomousPosition(message) => {
            placement(f, &message.position)?;
            write!(f, ", contact {}", message.contact.0)?;
            stamps(f, &message.stamps)
        }
        PlayerAction::Jump(jump) => {
            write!(f, " extent {:.4}, velocity {:.3}", jump.extent, jump.local_velocity)?;
            placement(f, &jump.position)?;
            stamps(f, &jump.stamps)
        }
        PlayerAction::ServerJump { extent } => write!(f, " extent {extent:.4}"),
        PlayerAction::MovementCommand(command) => {
            write!(f, " {} x{:.3}", Command(command.motion.index(), table), command.speed)
        }
        PlayerAction::StopCommand(command) => write!(f, " {}", Command(command.motion.index(), table)),
        PlayerAction::TurnTo { heading_deg, .. } => write!(f, " {heading_deg:.1}"),
        PlayerAction::AutonomyLevel(level) => write!(f, " {level}"),
        _ => Ok(()),
    }
}

/// Writes the keys that are down.
fn raw_state(f: &mut fmt::Formatter<'_>, state: &RawState, table: CommandTable) -> fmt::Result {
    let axes = [&state.forward, &state.sidestep, &state.turn];
    f.write_str(if axes.iter().all(|axis| axis.command.is_none()) { " no keys" } else { " keys" })?;
    for axis in axes {
        if let Some(command) = axis.command {
            write!(f, " {}", Command(command.index(), table))?;
        }
        if let Some(speed) = axis.speed {
            write!(f, " x{speed:.3}")?;
        }
        hold_key(f, axis.hold_key)?;
    }
    hold_key(f, state.hold_key)?;
    if let Some(style) = state.style {
        write!(f, " in {}", Command(style.index(), table))?;
    }
    for action in &state.actions {
        write!(f, " action {} #{} x{:.3}", Command(action.command, table), action.stamp, action.speed)?;
    }
    Ok(())
}

fn hold_key(f: &mut fmt::Formatter<'_>, key: Option<HoldKey>) -> fmt::Result {
    match key {
        None | Some(HoldKey::INVALID) => Ok(()),
        Some(HoldKey::NONE) => f.write_str(" (walking)"),
        Some(HoldKey::RUN) => f.write_str(" (running)"),
        Some(HoldKey(other)) => write!(f, " (hold key {other})"),
    }
}

fn stamps(f: &mut fmt::Formatter<'_>, stamps: &PlayerStamps) -> fmt::Result {
    write!(
        f,
        " (instance {}, control {}, teleport {}, force {})",
        stamps.instance, stamps.server_control, stamps.teleport, stamps.force_position
    )
}

/// Displays a command by its common name, or by its number.
struct Command(CommandIndex, CommandTable);

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match MotionCommand::from_index(self.0, self.1) {
            Some(MotionCommand::READY) => "Ready",
            Some(MotionCommand::WALK_FORWARD) => "Walk",
            Some(MotionCommand::WALK_BACKWARDS) => "WalkBackwards",
            Some(MotionCommand::RUN_FORWARD) => "Run",
            Some(MotionCommand::TURN_RIGHT) => "TurnRight",
            Some(MotionCommand::TURN_LEFT) => "TurnLeft",
            Some(MotionCommand::SIDESTEP_RIGHT) => "SidestepRight",
            Some(MotionCommand::SIDESTEP_LEFT) => "SidestepLeft",
            Some(MotionCommand::DEAD) => "Dead",
            Some(MotionCommand::FALLING) => "Falling",
            Some(MotionCommand::NON_COMBAT) => "NonCombat",
            Some(MotionCommand(0x8000_003C)) => "HandCombat",
            Some(MotionCommand(0x8000_003E)) => "SwordCombat",
            Some(MotionCommand(0x8000_003F)) => "BowCombat",
            Some(MotionCommand(0x8000_0040)) => "SwordShieldCombat",
            Some(MotionCommand(0x8000_0041)) => "CrossbowCombat",
            Some(MotionCommand(0x8000_0046)) => "DualWieldCombat",
            Some(MotionCommand(0x8000_0049)) => "Magic",
            Some(other) => return write!(f, "{:08X}", other.0),
            None => return write!(f, "unknown command {:04X}", self.0.0),
        };
        f.write_str(name)
    }
}

/// Displays text in quotes.
struct Quoted<'a>(&'a Text);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0)
    }
}
