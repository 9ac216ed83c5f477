//! Ids of entities, as servers assign them.

use core::fmt;

/// The server's number for one object in the world, such as a player, a creature, an arrow or a
/// door.
///
/// Every value can occur in a message, so none is invalid here. A world finds its bodies by this
/// number. Bodies that observe each other are stepped in ascending order of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[doc(alias = "guid")]
pub struct EntityId(u32);

impl EntityId {
    /// Wraps the number that the server uses.
    #[inline]
    pub const fn new(raw: u32) -> Self {
        Self(raw)
    }

    /// Returns the number that the server uses.
    #[inline]
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// Returns the class that the server's numbering gives the entity.
    ///
    /// This is a hint for display and filtering. Nothing in the motion core depends on it.
    pub const fn class(self) -> EntityClass {
        match self.0 {
            0x5000_0001..=0x5FFF_FFFF => EntityClass::Player,
            0x7000_0000..=0x7FFF_FFFF => EntityClass::Static,
            0x8000_0000.. => EntityClass::Dynamic,
            _ => EntityClass::Other,
        }
    }
}

/// The ranges from which servers draw entity numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum EntityClass {
    /// A player character, `0x50000001..=0x5FFFFFFF`.
    Player,
    /// An object placed with the landscape and numbered by its landblock, `0x7LLLLNNN`.
    Static,
    /// An object spawned while the server runs, `0x80000000` and above.
    Dynamic,
    /// A number outside every range in use.
    Other,
}

impl fmt::Display for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}

impl fmt::Debug for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EntityId(0x{:08X})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_follow_the_servers_ranges() {
        for (raw, class) in [
            (0x5000_0000, EntityClass::Other),
            (0x5000_0001, EntityClass::Player),
            (0x5FFF_FFFF, EntityClass::Player),
            (0x6000_0000, EntityClass::Other),
            (0x7A9B_4001, EntityClass::Static),
            (0x8000_0000, EntityClass::Dynamic),
            (0xFFFF_FFFF, EntityClass::Dynamic),
            (0, EntityClass::Other),
        ] {
            assert_eq!(EntityId::new(raw).class(), class, "0x{raw:08X}");
        }
    }
}
