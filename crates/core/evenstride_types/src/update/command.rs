//! Numbers of motions.
//!
//! A motion has a full number, whose upper half is its class. Messages from the server carry only
//! the lower half, an index into a table of the client. This file owns the constants that motion
//! needs and the conversion for both known tables.

use core::fmt;

/// Index of a motion in the command table, as server messages carry it.
///
/// The meaning depends on the table, because three entries were added at 0x115 after 2013.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct CommandIndex(pub u16);

/// The full number of a motion, with class bits above and the index below.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct MotionCommand(pub u32);

impl MotionCommand {
    /// Standing ready, the default of the forward axis.
    pub const READY: Self = Self(0x4100_0003);
    /// Walking. A negative speed walks backwards.
    pub const WALK_FORWARD: Self = Self(0x4500_0005);
    /// Walking backwards, as a key expresses it.
    pub const WALK_BACKWARDS: Self = Self(0x4500_0006);
    /// Running.
    pub const RUN_FORWARD: Self = Self(0x4400_0007);
    /// Turning clockwise. A negative speed turns the other way.
    pub const TURN_RIGHT: Self = Self(0x6500_000D);
    /// Turning counter-clockwise, as a key expresses it.
    pub const TURN_LEFT: Self = Self(0x6500_000E);
    /// Stepping to the right. A negative speed steps to the left.
    pub const SIDESTEP_RIGHT: Self = Self(0x6500_000F);
    /// Stepping to the left, as a key expresses it.
    pub const SIDESTEP_LEFT: Self = Self(0x6500_0010);
    /// Lying after a fall.
    pub const FALLEN: Self = Self(0x4000_0008);
    /// Crouching.
    pub const CROUCH: Self = Self(0x4100_0012);
    /// Sitting.
    pub const SITTING: Self = Self(0x4100_0013);
    /// Lying down.
    pub const SLEEPING: Self = Self(0x4100_0014);
    /// Dead.
    pub const DEAD: Self = Self(0x4000_0011);
    /// In the air.
    pub const FALLING: Self = Self(0x4000_0015);
    /// Peace stance, the default style.
    pub const NON_COMBAT: Self = Self(0x8000_003D);

    /// Returns the lower half of the number. It is the index in both tables below 0x115.
    pub const fn index(self) -> CommandIndex {
        CommandIndex(self.0 as u16)
    }

    /// Returns whether this is a stance, which selects the set of all other motions.
    pub const fn is_style(self) -> bool {
        self.0 & 0x8000_0000 != 0
    }

    /// Returns whether the motion continues until another replaces it.
    pub const fn is_cycle(self) -> bool {
        self.0 & 0x4000_0000 != 0
    }

    /// Returns whether the motion can play on top of a cycle.
    pub const fn is_modifier(self) -> bool {
        self.0 & 0x2000_0000 != 0
    }

    /// Returns whether the motion is performed once.
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

/// The build that defines the numbering of a [`CommandIndex`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum CommandTable {
    /// The client of September 2013, with 408 commands.
    Client2013,
    /// The last client, which current servers support (default). It has three more commands at
    /// 0x115, which shift all later ones by three, and one more at the end.
    #[default]
    Final,
}

impl MotionCommand {
    /// Converts an index to a command, or returns `None` if the table does not have it.
    ///
    /// Index 0 is a style without meaning, as in the client. All walking, running and turning lies
    /// below 0x115, where both tables agree. The search is linear over at most 50 ranges.
    pub fn from_index(index: CommandIndex, table: CommandTable) -> Option<Self> {
        let tail = match table {
            CommandTable::Client2013 => TAIL_2013,
            CommandTable::Final => TAIL_FINAL,
        };
        let ranges = if index.0 < MOVED { SHARED } else { tail };
        let class = ranges.iter().find(|(first, last, _)| (*first..=*last).contains(&index.0))?.2;
        Some(Self((u32::from(class) << 16) | u32::from(index.0)))
    }
}

/// First index on which the two tables differ.
const MOVED: u16 = 0x115;

/// First index, last index, and upper half of the command. The values come from recorded traffic
/// and from the tables of both clients.
type ClassRanges = &'static [(u16, u16, u16)];

/// Ranges below [`MOVED`], where both tables agree.
#[rustfmt::skip]
const SHARED: ClassRanges = &[
    (0x000, 0x000, 0x8000), (0x001, 0x002, 0x8500), (0x003, 0x003, 0x4100), (0x004, 0x004, 0x4000), (0x005, 0x006, 0x4500),
    (0x007, 0x007, 0x4400), (0x008, 0x00C, 0x4000), (0x00D, 0x010, 0x6500), (0x011, 0x011, 0x4000), (0x012, 0x014, 0x4100),
    (0x015, 0x039, 0x4000), (0x03A, 0x03A, 0x2000), (0x03B, 0x03B, 0x2500), (0x03C, 0x049, 0x8000), (0x04A, 0x04B, 0x1000),
    (0x04C, 0x04C, 0x1300), (0x04D, 0x078, 0x1000), (0x079, 0x09A, 0x1300), (0x09B, 0x09B, 0x1200), (0x09C, 0x0A1, 0x1000),
    (0x0A2, 0x0A2, 0x0800), (0x0A3, 0x0A8, 0x0900), (0x0A9, 0x0A9, 0x0800), (0x0AA, 0x0B1, 0x0900), (0x0B2, 0x0B4, 0x0D00),
    (0x0B5, 0x0B7, 0x0800), (0x0B8, 0x0B9, 0x0900), (0x0BA, 0x0BF, 0x0D00), (0x0C0, 0x0C0, 0x0900), (0x0C1, 0x0C1, 0x0C00),
    (0x0C2, 0x0C4, 0x0900), (0x0C5, 0x0C5, 0x0D00), (0x0C6, 0x0C9, 0x0900), (0x0CA, 0x0CC, 0x1300), (0x0CD, 0x0D2, 0x1000),
    (0x0D3, 0x0D3, 0x4000), (0x0D4, 0x0D4, 0x1200), (0x0D5, 0x0DE, 0x0900), (0x0DF, 0x0DF, 0x1200), (0x0E0, 0x0E1, 0x4000),
    (0x0E2, 0x0E3, 0x1000), (0x0E4, 0x0E6, 0x4000), (0x0E7, 0x0E7, 0x0900), (0x0E8, 0x0E9, 0x8000), (0x0EA, 0x0F8, 0x4300),
    (0x0F9, 0x0F9, 0x4200), (0x0FA, 0x0FD, 0x4300), (0x0FE, 0x10D, 0x0900), (0x10E, 0x10E, 0x1000), (0x10F, 0x114, 0x0900),
];

/// Ranges from [`MOVED`] on, in the client of 2013.
#[rustfmt::skip]
const TAIL_2013: ClassRanges = &[
    (0x115, 0x115, 0x4300), (0x116, 0x116, 0x1300), (0x117, 0x119, 0x4300), (0x11A, 0x11A, 0x0900), (0x11B, 0x131, 0x1000),
    (0x132, 0x132, 0x1300), (0x133, 0x136, 0x4000), (0x137, 0x137, 0x1000), (0x138, 0x139, 0x8000), (0x13A, 0x146, 0x4300),
    (0x147, 0x14F, 0x1300), (0x150, 0x150, 0x1000), (0x151, 0x161, 0x0900), (0x162, 0x164, 0x1000), (0x165, 0x16D, 0x0900),
    (0x16E, 0x197, 0x1000),
];

/// Ranges from [`MOVED`] on, in the last client. The three new indices have no known class.
#[rustfmt::skip]
const TAIL_FINAL: ClassRanges = &[
    (0x118, 0x118, 0x4300), (0x119, 0x119, 0x1300), (0x11A, 0x11C, 0x4300), (0x11D, 0x11D, 0x0900), (0x11E, 0x134, 0x1000),
    (0x135, 0x135, 0x1300), (0x136, 0x139, 0x4000), (0x13A, 0x13A, 0x1000), (0x13B, 0x13C, 0x8000), (0x13D, 0x149, 0x4300),
    (0x14A, 0x152, 0x1300), (0x153, 0x153, 0x1000), (0x154, 0x164, 0x0900), (0x165, 0x167, 0x1000), (0x168, 0x170, 0x0900),
    (0x171, 0x19B, 0x1000),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locomotion_means_the_same_in_both_tables() {
        for table in [CommandTable::Client2013, CommandTable::Final] {
            for command in [
                MotionCommand::READY,
                MotionCommand::WALK_FORWARD,
                MotionCommand::RUN_FORWARD,
                MotionCommand::TURN_RIGHT,
                MotionCommand::SIDESTEP_LEFT,
                MotionCommand::FALLING,
                MotionCommand::NON_COMBAT,
            ] {
                assert_eq!(MotionCommand::from_index(CommandIndex(command.0 as u16), table), Some(command));
            }
        }
    }

    #[test]
    fn every_index_has_at_most_one_class_and_the_tables_end_where_they_end() {
        // Miri takes a thousand times as long. The tables end far below both bounds.
        let last = if cfg!(miri) { 0x300 } else { u16::MAX };
        let known = |table| {
            (0..=last).filter(|i| MotionCommand::from_index(CommandIndex(*i), table).is_some()).count()
        };
        assert_eq!(known(CommandTable::Client2013), 408);
        // The table has 412 entries, of which three have no known class.
        assert_eq!(known(CommandTable::Final), 409);
        for ranges in [SHARED, TAIL_2013, TAIL_FINAL] {
            assert!(ranges.windows(2).all(|pair| pair[0].1 < pair[1].0), "ranges overlap or run backwards");
        }
    }

    #[test]
    fn classes_are_the_top_bits() {
        assert!(MotionCommand::NON_COMBAT.is_style() && !MotionCommand::NON_COMBAT.is_cycle());
        assert!(MotionCommand::RUN_FORWARD.is_cycle() && !MotionCommand::RUN_FORWARD.is_modifier());
        assert!(MotionCommand::TURN_RIGHT.is_cycle() && MotionCommand::TURN_RIGHT.is_modifier());
        assert!(MotionCommand(0x1000_0062).is_action());
    }
}
