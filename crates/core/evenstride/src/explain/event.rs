//! Things worth knowing that happened, in order, for a host to take.

use alloc::collections::VecDeque;

use evenstride_types::{EntityId, SimTime};

use crate::outcome::{MoveToEnd, PlaceReason};

/// Something happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// When.
    pub at: SimTime,
    /// To whom.
    pub entity: EntityId,
    /// What.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// It is in the world from now on; perhaps in somebody's pack or hand.
    Appeared,
    /// It is gone.
    Removed(RemoveReason),
    /// It was put somewhere instead of walking there.
    Snapped {
        /// Why.
        reason: PlaceReason,
        /// How far from where it was, in metres.
        metres: f32,
    },
    /// It left the ground. A small rise is a bounce: what falls hard touches down twice, as in the client.
    TookOff {
        /// Metres a second, upwards.
        rise: f32,
    },
    /// It came down.
    Landed {
        /// Metres a second, all told.
        speed: f32,
    },
    /// Its legs came to a keyframe at which something happens: a sound, a blow, a step.
    Hook {
        /// What, by the game's own numbers.
        kind: u32,
        /// A number of its own: the sound, the part, whatever the kind needs first.
        value: u32,
    },
    /// It is held from now on, and drawn with its holder.
    Attached {
        /// Who holds it.
        holder: EntityId,
        /// Where on the holder.
        location: u32,
    },
    /// Nobody holds it any more.
    Detached,
    /// It is nowhere in the world, though it still exists.
    LeftWorld,
    /// It went into hiding, or came out of it.
    Hidden(bool),
    /// It follows another from now on.
    FollowBegan {
        /// Whom.
        target: EntityId,
    },
    /// It follows nobody any more: its second is over, its target left, or something else was to be done.
    FollowEnded,
    /// The server has sent it somewhere, or told it to turn.
    SetOut {
        /// To whom, if it is somebody.
        target: Option<EntityId>,
    },
    /// It goes nowhere any more. Whoever is removed on its way is not told of like this, only [`EventKind::Removed`].
    MoveToEnded {
        /// Why.
        end: MoveToEnd,
    },
    /// The local player's teleport begins: the world around it is about to change.
    TeleportBegan,
    /// The local player's teleport is over.
    TeleportEnded,
    /// The server moves the local player from now on.
    ControlLost,
    /// The local player's keys move it again.
    ControlTaken,
    /// Nothing was heard of it for so long that it was stopped where it had got to. Only through the plain door.
    WentSilent,
    /// Updates for it have waited for so long that the client would ask the server to describe it.
    DescriptionWanted,
    /// Updates for it waited too long and are gone.
    ParkedExpired {
        /// How many.
        count: u32,
    },
}

/// Why an entity is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemoveReason {
    /// The server said so.
    Deleted,
    /// A new life of it, or a new description, takes its place.
    Replaced,
    /// It had been made by a position, and is made anew because it is described now. Who watched it goes on.
    Described,
    /// It was nowhere for too long.
    Forgotten,
    /// The host said so.
    ByHost,
}

/// A queue that never holds more than it may: the oldest event makes room, and is counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    pub(crate) queue: VecDeque<Event>,
    pub(crate) max: usize,
}

impl Events {
    /// Says how many were dropped: one or none.
    #[must_use]
    pub(crate) fn push(&mut self, event: Event) -> u64 {
        if self.max == 0 {
            return 1;
        }
        let is_full = self.queue.len() >= self.max;
        if is_full {
            let _ = self.queue.pop_front();
        }
        self.queue.push_back(event);
        u64::from(is_full)
    }
}
