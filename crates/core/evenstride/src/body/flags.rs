//! Yes-or-no state of a body.

use bitflags::bitflags;

bitflags! {
    /// Yes-or-no state of a body.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Flags: u32 {
        /// Is stepped. Off beyond 96 m of the viewpoint.
        const ACTIVE = 1 << 0;
        /// Is somewhere in the world.
        const HAS_CELL = 1 << 1;
        /// Touches something.
        const CONTACT = 1 << 2;
        /// What it touches can be stood on.
        const WALKABLE = 1 << 3;
        /// The normal of what it touches is known: there is friction.
        const HAS_NORMAL = 1 << 4;
        /// Gravity pulls.
        const FALLING = 1 << 5;
        /// Waypoints do not turn it.
        const KEEPS_HEADING = 1 << 6;
        /// Under server-controlled movement.
        const MOVES_TO = 1 << 7;
        /// The last step moved it, so the next one has to note that it stopped.
        const WAS_MOVING = 1 << 8;
        /// Watches somebody or is watched: stepped in order of id.
        const LINKED = 1 << 9;
        /// Is on the list of those that may be drawn differently.
        const CHANGED = 1 << 10;
        /// Somebody wants to know why it moves.
        const TRACED = 1 << 11;
        /// Is held by another.
        const HELD = 1 << 12;
        /// Holds others.
        const HOLDS = 1 << 13;
        /// Is the local player's.
        const LOCAL = 1 << 14;
        /// Nobody described it: a position made it.
        const ADOPTED = 1 << 15;
        /// Its legs would do something if they were played on.
        const STRIDES = 1 << 16;
        /// Observes another body or is observed, or did or was.
        const OBSERVATION = 1 << 17;
        /// Its last movement came from its own player: keys, not the server.
        const AUTONOMOUS = 1 << 18;
        /// Is an item, not a creature: the ground rules of the motion interpreter do not apply.
        const ITEM = 1 << 19;
        /// Is an item that nothing animates: it dozes while it rests.
        const INERT = 1 << 20;
        /// Dozes: its clock starts again when it is woken.
        ///
        /// Retail: `CPhysicsObj::UpdatePhysicsInternal` (11.4186 @ 0x00510700)
        const DOZES = 1 << 21;
    }
}

impl Flags {
    /// What moves a body, or may, besides what it has links to.
    pub const RESTLESS: Self =
        Self::FALLING.union(Self::WAS_MOVING).union(Self::STRIDES).union(Self::MOVES_TO);
}
