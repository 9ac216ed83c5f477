//! Boolean state of a body.
//!
//! Flags are part of the hot row, so a round decides from them alone whether a body needs a step.
//! Several flags mirror a link or a list, and `save/check.rs` verifies that both agree.

use bitflags::bitflags;

bitflags! {
    /// Boolean state of a body. `TRACED` and `LINKED` are not saved.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Flags: u32 {
        /// The body is stepped. Off if it is frozen, suspended or outside the world, or if the
        /// viewpoint is more than 96 m away.
        const ACTIVE = 1 << 0;
        /// The body is in the world. Off in a pack, in a hand, and before the first placement.
        const HAS_CELL = 1 << 1;
        /// The body touches something. Waypoints move it, and the tether limits it, only while this
        /// is set.
        const CONTACT = 1 << 2;
        /// The touched surface is flat enough to stand on. Root motion moves the body only while
        /// this is set.
        const WALKABLE = 1 << 3;
        /// The normal of the touched surface is known, so friction applies.
        const HAS_NORMAL = 1 << 4;
        /// Gravity accelerates the body.
        const FALLING = 1 << 5;
        /// Waypoints do not turn the body, as during a move-to. A received position sets this.
        const KEEPS_HEADING = 1 << 6;
        /// The body carries out a goal of the server.
        const MOVES_TO = 1 << 7;
        /// The last step moved or turned the body. A body that stops needs one more step to record
        /// that.
        const WAS_MOVING = 1 << 8;
        /// The body observes or is observed, and is stepped in order of id.
        const LINKED = 1 << 9;
        /// The body is on a route, which mirrors `Route::is_on`.
        const ROUTED = 1 << 10;
        /// Decisions about the body are recorded, because a host traces it.
        const TRACED = 1 << 11;
        /// Another body holds this one, which is outside the world while it is held.
        const HELD = 1 << 12;
        /// The body holds at least one other.
        const HOLDS = 1 << 13;
        /// The body is the local player's. It is never too far from the viewpoint to be stepped.
        const LOCAL = 1 << 14;
        /// A position created the body, and no description of it has arrived.
        const ADOPTED = 1 << 15;
        /// Playing the body's animations would have an effect, so each step plays them.
        const STRIDES = 1 << 16;
        /// The body has an entry among the observers. It keeps the entry even if it observes
        /// nothing any more.
        const OBSERVATION = 1 << 17;
        /// The last movement came from the body's own player and not from the server.
        const AUTONOMOUS = 1 << 18;
        /// The body is an item and not a creature. The interpreter's ground rules do not apply to
        /// it.
        const ITEM = 1 << 19;
        /// The body is an item that nothing animates. It dozes while it rests.
        const INERT = 1 << 20;
        /// The body dozes, so the next round wakes it without a step. Its clock starts again when
        /// it is woken.
        ///
        /// An item at rest deactivates itself in a step of the client, and the next round activates
        /// it without a step. This flag alternates in the same way.
        ///
        /// Retail: `CPhysicsObj::UpdatePhysicsInternal` (11.4186 @ 0x00510700)
        const DOZES = 1 << 21;
        /// The host moves the body. No round steps it, and positions have no effect.
        const SUSPENDED = 1 << 22;
        /// The body follows another one.
        const FOLLOWS = 1 << 23;
        /// The body has velocity or spin, or a height to land at.
        const FLIES = 1 << 24;
    }
}

impl Flags {
    /// Flags of which each makes a step necessary.
    pub const RESTLESS: Self = Self::LED
        .union(Self::ROUTED)
        .union(Self::FALLING)
        .union(Self::WAS_MOVING)
        .union(Self::STRIDES)
        .union(Self::MOVES_TO);

    /// Flags of a body that a follow or a flight moves.
    pub const LED: Self = Self::FOLLOWS.union(Self::FLIES);
}
