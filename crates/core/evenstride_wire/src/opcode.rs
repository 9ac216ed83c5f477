//! Names of messages.

/// The opcode that wraps every action of a player's client.
pub const ACTION_WRAPPER: u32 = 0xF7B1;

/// Returns the name of the message with this opcode, or `None` if it has no name here.
pub const fn opcode_name(opcode: u32) -> Option<&'static str> {
    Some(match opcode {
        0xF619 => "PositionAndMovement",
        0xF625 => "Appearance",
        0xF657 => "EnterWorld",
        0xF658 => "CharacterList",
        0xF745 => "Create",
        0xF746 => "LocalPlayer",
        0xF747 => "Delete",
        0xF748 => "Position",
        0xF749 => "Parent",
        0xF74A => "Pickup",
        0xF74B => "State",
        0xF74C => "Movement",
        0xF74E => "Vector",
        0xF750 => "Sound",
        0xF751 => "Teleport",
        0xF754 => "Script",
        0xF755 => "ScriptType",
        0xF7B0 => "GameEvent",
        ACTION_WRAPPER => "Action",
        0xF7C8 => "EnterWorldRequest",
        0xF7DB => "Recreate",
        0xF7DC => "AccountBoot",
        0xF7DF => "ServerReady",
        0xF7E0 => "Text",
        0xF7E1 => "WorldInfo",
        0xF7E5 => "DataInterrogation",
        0xF7E6 => "DataInterrogationReply",
        0xF7EA => "DataEnd",
        0x02CD => "PrivateIntProperty",
        0x02CE => "PublicIntProperty",
        0x02D9 => "PrivateEntityProperty",
        0x02DA => "PublicEntityProperty",
        0x02DB => "PrivatePositionProperty",
        0x02DC => "PublicPositionProperty",
        0x02E9 => "Vital",
        _ => return None,
    })
}

/// Returns the name of a player's action, or `None` if the action does not concern motion.
pub const fn action_name(action: u32) -> Option<&'static str> {
    Some(match action {
        0xF61B => "Jump",
        0xF61C => "MoveToState",
        0xF61E => "MovementCommand",
        0xF649 => "TurnTo",
        0xF661 => "StopCommand",
        0xF752 => "AutonomyLevel",
        0xF753 => "AutonomousPosition",
        0xF7C9 => "ServerJump",
        0x00A1 => "LoginComplete",
        _ => return None,
    })
}
