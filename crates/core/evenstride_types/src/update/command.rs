//! Names of motions.

use core::fmt;

/// A motion's place in the command table: what server messages carry.
///
/// Which command an index means depends on the table, and the table grew by three entries at 0x115 after 2013.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandIndex(pub u16);

/// A motion by its full number: class bits above, index below.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MotionCommand(pub u32);

impl MotionCommand {
    /// Standing ready; the default of the forward axis.
    pub const READY: Self = Self(0x4100_0003);
    /// Walking; a negative speed walks backwards.
    pub const WALK_FORWARD: Self = Self(0x4500_0005);
    /// Walking backwards, as a player's key says it.
    pub const WALK_BACKWARDS: Self = Self(0x4500_0006);
    /// Running.
    pub const RUN_FORWARD: Self = Self(0x4400_0007);
    /// Turning clockwise; a negative speed turns the other way.
    pub const TURN_RIGHT: Self = Self(0x6500_000D);
    /// Turning counter-clockwise, as a player's key says it.
    pub const TURN_LEFT: Self = Self(0x6500_000E);
    /// Stepping to the right; a negative speed steps to the left.
    pub const SIDESTEP_RIGHT: Self = Self(0x6500_000F);
    /// Stepping to the left, as a player's key says it.
    pub const SIDESTEP_LEFT: Self = Self(0x6500_0010);
    /// Dead.
    pub const DEAD: Self = Self(0x4000_0011);
    /// In the air.
    pub const FALLING: Self = Self(0x4000_0015);
    /// Peace stance; the default style.
    pub const NON_COMBAT: Self = Self(0x8000_003D);

    /// A stance: how everything else is done.
    pub const fn is_style(self) -> bool {
        self.0 & 0x8000_0000 != 0
    }

    /// A motion that goes on until another replaces it.
    pub const fn is_cycle(self) -> bool {
        self.0 & 0x4000_0000 != 0
    }

    /// A motion laid over whatever is going on.
    pub const fn is_modifier(self) -> bool {
        self.0 & 0x2000_0000 != 0
    }

    /// A motion done once.
    pub const fn is_action(self) -> bool {
        self.0 & 0x1000_0000 != 0
    }
}

impl fmt::Debug for CommandIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CommandIndex(0x{:04X})", self.0)
    }
}

impl fmt::Debug for MotionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MotionCommand(0x{:08X})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_the_top_bits() {
        assert!(MotionCommand::NON_COMBAT.is_style() && !MotionCommand::NON_COMBAT.is_cycle());
        assert!(MotionCommand::RUN_FORWARD.is_cycle() && !MotionCommand::RUN_FORWARD.is_modifier());
        assert!(MotionCommand::TURN_RIGHT.is_cycle() && MotionCommand::TURN_RIGHT.is_modifier());
        assert!(MotionCommand(0x1000_0062).is_action());
    }
}
