//! Order of messages: sixteen-bit counters that wrap.

use core::fmt;

/// A counter value that says how new a message is. Counters wrap, so "newer" means "ahead by less than half the range".
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Stamp(u16);

impl Stamp {
    /// Wraps the number of a message.
    #[inline]
    pub const fn new(raw: u16) -> Self {
        Self(raw)
    }

    /// The number as sent.
    #[inline]
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// The next number a sender would use.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }

    /// Whether this was sent after `seen`. Equal is not newer.
    ///
    /// At a distance of exactly half the range (0x8000) the smaller number is the newer one.
    ///
    /// Retail: `CPhysicsObj::is_newer` (11.4186 @ 0x00451AD0)
    #[doc(alias = "is_newer")]
    #[inline]
    pub const fn is_newer_than(self, seen: Self) -> bool {
        if self.0.abs_diff(seen.0) > 0x7FFF { self.0 < seen.0 } else { seen.0 < self.0 }
    }

    /// How this compares to `seen`.
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

/// How an incoming stamp compares to the stored one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a stale message must not be applied"]
pub enum StampOrder {
    /// Sent after what is stored.
    Newer,
    /// The same message again, or another part of it.
    Same,
    /// Sent before what is stored.
    Older,
}

impl StampOrder {
    /// Whether it is [`StampOrder::Newer`].
    #[inline]
    pub const fn is_newer(self) -> bool {
        matches!(self, Self::Newer)
    }
}

/// What a stamp counts. The order is that of the nine numbers in a create message.
///
/// Retail: `PhysicsTimeStamp`, filled by `CPhysicsObj::set_description` (11.4186 @ 0x00514F40)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "PhysicsTimeStamp")]
pub enum StampKind {
    /// Positions, attaching and picking up.
    Position,
    /// Movement commands.
    Movement,
    /// Physics state bits.
    State,
    /// Velocity and spin.
    Vector,
    /// Teleports.
    Teleport,
    /// Moves the server controls: second gate of movement commands.
    ServerControlledMove,
    /// Corrections of the local player.
    ForcePosition,
    /// Appearance.
    Appearance,
    /// Which life of the entity the message is about; must be equal, not newer.
    Instance,
}

impl StampKind {
    /// How many kinds there are.
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

/// The newest stamp seen of each kind.
///
/// Whoever meets an entity in the middle of its life ([`StampTable::unheard`]) knows no stamps yet: of each kind the first one heard
/// is newer, whatever it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "update_times")]
pub struct StampTable {
    stamps: [Stamp; StampKind::COUNT],
    /// One bit for each kind of which nothing was heard.
    unheard: u16,
}

impl StampTable {
    /// The nine stamps in wire order.
    #[inline]
    pub const fn new(stamps: [Stamp; StampKind::COUNT]) -> Self {
        Self { stamps, unheard: 0 }
    }

    /// No stamp of any kind was heard.
    pub const fn unheard() -> Self {
        Self { stamps: [Stamp(0); StampKind::COUNT], unheard: (1 << StampKind::COUNT) - 1 }
    }

    /// The nine stamps in wire order; zero where nothing was heard.
    pub const fn to_array(&self) -> [Stamp; StampKind::COUNT] {
        self.stamps
    }

    /// The newest stamp of this kind; zero if nothing was heard.
    #[inline]
    pub const fn seen(&self, kind: StampKind) -> Stamp {
        self.stamps[kind as usize]
    }

    /// Whether a stamp of this kind was heard.
    #[inline]
    pub const fn is_heard(&self, kind: StampKind) -> bool {
        self.unheard & (1 << kind as u16) == 0
    }

    /// Stores `stamp`, newer or not.
    #[inline]
    pub const fn set(&mut self, kind: StampKind, stamp: Stamp) {
        self.stamps[kind as usize] = stamp;
        self.unheard &= !(1 << kind as u16);
    }

    /// Compares without storing.
    #[inline]
    pub const fn order(&self, kind: StampKind, stamp: Stamp) -> StampOrder {
        if self.is_heard(kind) { stamp.order_against(self.seen(kind)) } else { StampOrder::Newer }
    }

    /// Stores `stamp` if it is newer, and says how it compared before.
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
            for ahead in 0..=u16::MAX {
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
