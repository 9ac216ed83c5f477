//! Order of messages, by sixteen-bit counters that wrap.
//!
//! Each entity has nine counters. A message carries some of them, and is stale if one of these is
//! too old. This file compares and stores counters. `inbound/stamps.rs` in the core decides which
//! counters a message must pass.

use core::fmt;

/// A counter value that says how new a message is. Counters wrap, so newer means ahead by less than
/// half the range.
///
/// There is deliberately no `Ord`, because wrapping order is not transitive.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Stamp(u16);

impl Stamp {
    /// Makes a stamp from the number in a message.
    #[inline]
    pub const fn new(raw: u16) -> Self {
        Self(raw)
    }

    /// Returns the number as sent.
    #[inline]
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// Returns the next number that a sender would use.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }

    /// Returns whether this stamp was sent after `seen`. An equal stamp is not newer.
    ///
    /// At a distance of exactly half the range (0x8000) the smaller number is the newer one.
    ///
    /// Retail: `CPhysicsObj::is_newer` (11.4186 @ 0x00451AD0)
    #[doc(alias = "is_newer")]
    #[inline]
    pub const fn is_newer_than(self, seen: Self) -> bool {
        if self.0.abs_diff(seen.0) > 0x7FFF { self.0 < seen.0 } else { seen.0 < self.0 }
    }

    /// Compares this stamp with `seen`.
    #[inline]
    pub const fn order_against(self, seen: Self) -> StampOrder {
        if self.0 == seen.0 {
            StampOrder::Same
        } else if self.is_newer_than(seen) {
            StampOrder::Newer
        } else {
            StampOrder::Older
        }
    }
}

/// Result of comparing an incoming stamp with the stored one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a stale message must not be applied"]
pub enum StampOrder {
    /// The incoming stamp was sent after the stored one.
    Newer,
    /// The message is a repetition, or another part of the same change.
    Same,
    /// The incoming stamp was sent before the stored one.
    Older,
}

impl StampOrder {
    /// Returns whether this is [`StampOrder::Newer`].
    #[inline]
    pub const fn is_newer(self) -> bool {
        matches!(self, Self::Newer)
    }
}

/// The counters of an entity. The order is that of the nine numbers in a create message.
///
/// Retail: `PhysicsTimeStamp`, filled by `CPhysicsObj::set_description` (11.4186 @ 0x00514F40)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[doc(alias = "PhysicsTimeStamp")]
pub enum StampKind {
    /// Positions, attachments and pickups.
    Position,
    /// Movement commands.
    Movement,
    /// Physics state bits.
    State,
    /// Velocity and spin.
    Vector,
    /// Teleports. A newer stamp makes a position a teleport.
    Teleport,
    /// Movements under server control. Movement commands carry this stamp too, and it must not be
    /// older than the stored one.
    ServerControlledMove,
    /// Corrections of the local player.
    ForcePosition,
    /// Appearance. Motion does not depend on it.
    Appearance,
    /// The life of the entity. A newer stamp begins another life under the same id, and other
    /// messages must carry the stamp of the current life.
    Instance,
}

impl StampKind {
    /// Number of kinds.
    pub const COUNT: usize = 9;

    /// All kinds, in wire order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Position,
        Self::Movement,
        Self::State,
        Self::Vector,
        Self::Teleport,
        Self::ServerControlledMove,
        Self::ForcePosition,
        Self::Appearance,
        Self::Instance,
    ];
}

/// The newest stamp of each kind for one entity.
///
/// An entity whose description was never received has no known stamps ([`StampTable::unheard`]).
/// The first stamp of each unknown kind is newer, whatever its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "update_times")]
pub struct StampTable {
    /// Stamps in wire order. Zero where no stamp is known.
    stamps: [Stamp; StampKind::COUNT],
    /// One bit for each kind without a known stamp.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "unheard_kinds"))]
    unheard: u16,
}

impl StampTable {
    /// Makes a table from the nine stamps in wire order. All of them count as known.
    #[inline]
    pub const fn new(stamps: [Stamp; StampKind::COUNT]) -> Self {
        Self { stamps, unheard: 0 }
    }

    /// Makes a table in which no stamp is known.
    pub const fn unheard() -> Self {
        Self { stamps: [Stamp(0); StampKind::COUNT], unheard: (1 << StampKind::COUNT) - 1 }
    }

    /// Returns the nine stamps in wire order, with zero for unknown ones.
    pub const fn to_array(&self) -> [Stamp; StampKind::COUNT] {
        self.stamps
    }

    /// Returns the newest stamp of a kind, or zero if none is known.
    #[inline]
    pub const fn seen(&self, kind: StampKind) -> Stamp {
        self.stamps[kind as usize]
    }

    /// Returns whether a stamp of this kind is known.
    #[inline]
    pub const fn is_heard(&self, kind: StampKind) -> bool {
        self.unheard & (1 << kind as u16) == 0
    }

    /// Stores `stamp`, whether it is newer or not.
    #[inline]
    pub const fn set(&mut self, kind: StampKind, stamp: Stamp) {
        self.stamps[kind as usize] = stamp;
        self.unheard &= !(1 << kind as u16);
    }

    /// Compares a stamp with the stored one, without storing it.
    #[inline]
    pub const fn order(&self, kind: StampKind, stamp: Stamp) -> StampOrder {
        if self.is_heard(kind) { stamp.order_against(self.seen(kind)) } else { StampOrder::Newer }
    }

    /// Stores `stamp` if it is newer, and returns the result of the comparison.
    ///
    /// Retail: `CPhysicsObj::newer_event` (11.4186 @ 0x00451B10)
    /// Disputed: ACE compares and never stores.
    #[doc(alias = "newer_event")]
    #[inline]
    pub const fn accept(&mut self, kind: StampKind, stamp: Stamp) -> StampOrder {
        let order = self.order(kind, stamp);
        if order.is_newer() {
            self.set(kind, stamp);
        }
        order
    }
}

/// Deserializes the set of kinds without a stamp. Other bits are dropped.
#[cfg(feature = "serde")]
fn unheard_kinds<'de, D: serde::Deserializer<'de>>(source: D) -> Result<u16, D::Error> {
    let bits = <u16 as serde::Deserialize>::deserialize(source)?;
    Ok(bits & StampTable::unheard().unheard)
}

impl fmt::Debug for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stamp({})", self.0)
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn newer(seen: u16, incoming: u16) -> bool {
        Stamp::new(incoming).is_newer_than(Stamp::new(seen))
    }

    #[test]
    fn worked_boundaries() {
        assert!(newer(0, 0x7FFF));
        assert!(!newer(0, 0x8000));
        assert!(newer(0x8000, 0));
        assert!(newer(0xFFFF, 0));
        assert!(!newer(0, 0xFFFF));
        assert!(!newer(5, 5));
    }

    #[test]
    fn every_distance_from_a_few_places() {
        for seen in [0u16, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF] {
            // Miri takes a thousand times as long: there, 509 distances and those at the boundaries.
            let stride = if cfg!(miri) { 129 } else { 1 };
            for ahead in (0..=u16::MAX).step_by(stride).chain([1, 0x7FFF, 0x8000, 0x8001, 0xFFFF]) {
                let incoming = seen.wrapping_add(ahead);
                let expected = (1..=0x7FFF).contains(&ahead) || (ahead == 0x8000 && incoming < seen);
                assert_eq!(newer(seen, incoming), expected, "{seen} then {incoming}");
            }
        }
    }

    #[test]
    fn accepting_stores_only_what_is_newer() {
        let mut table = StampTable::default();
        assert_eq!(table.accept(StampKind::Teleport, Stamp::new(3)), StampOrder::Newer);
        assert_eq!(table.accept(StampKind::Teleport, Stamp::new(3)), StampOrder::Same);
        assert_eq!(table.accept(StampKind::Teleport, Stamp::new(2)), StampOrder::Older);
        assert_eq!(table.seen(StampKind::Teleport), Stamp::new(3));
        assert_eq!(table.seen(StampKind::Position), Stamp::new(0));
    }

    #[test]
    fn of_a_kind_unheard_the_first_stamp_is_newer_whatever_it_is() {
        let mut table = StampTable::unheard();
        for kind in StampKind::ALL {
            assert!(!table.is_heard(kind));
            // Older than zero, if zero had been heard.
            assert_eq!(table.accept(kind, Stamp::new(45_000)), StampOrder::Newer);
            assert_eq!(table.accept(kind, Stamp::new(44_999)), StampOrder::Older);
            assert!(table.is_heard(kind));
        }
    }

    #[test]
    fn kinds_are_in_wire_order() {
        for (index, kind) in StampKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index);
        }
    }
}
