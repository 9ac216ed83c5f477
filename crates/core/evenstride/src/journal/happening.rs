//! Everything that can happen to an entity, in one list.
//!
//! Events are the part that every host can poll. Decisions are the part that is kept for
//! explanations of traced entities. Some happenings are both. `explain/sentence.rs` makes a
//! sentence of each.

use evenstride_types::{EntityId, Stamp, update::MotionCommand};

use crate::outcome::{
    Heard, MoveToEnd, Outcome, PlaceReason, RemoveReason, Steering, TableOrigin, codes::codes,
};

/// Something that happened to an entity.
///
/// Distances are in metres and headings in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Happening {
    // Messages.
    /// A position was received.
    Position {
        /// Position stamp of the message.
        stamp: Stamp,
        /// Fate of the position.
        outcome: Outcome,
        /// Number of waypoints on the route afterwards.
        waiting: u8,
        /// Distance moved if the body was placed, otherwise the distance from the viewpoint.
        metres: f32,
    },
    /// A movement was received.
    Movement {
        /// Movement stamp of the message.
        stamp: Stamp,
        /// Fate of the movement.
        outcome: Outcome,
        /// Forward motion after the message, by command index. It is 0 if a move-to has yet to
        /// choose one.
        forward: u16,
        /// Speed factor of that motion.
        speed: f32,
    },
    /// Velocity and spin were received.
    Vector {
        /// Vector stamp of the message.
        stamp: Stamp,
        /// Fate of the message.
        outcome: Outcome,
        /// Upward part of the velocity, in metres per second.
        rise: f32,
    },
    /// A message of another kind was received.
    Heard {
        /// Kind of the message.
        what: Heard,
        /// Fate of the message.
        outcome: Outcome,
    },
    /// The entity was created, and its parked updates are handled next.
    Replayed {
        /// Number of updates.
        count: u32,
    },
    /// Updates have been parked for the entity for 20 s. The client would now ask the server to
    /// describe it, and again every 20 s.
    DescriptionWanted,
    /// Updates were parked for the entity for too long and are dropped.
    ParkedExpired {
        /// Number of updates.
        count: u32,
    },

    // Coming, going and being held.
    /// The entity was created. It may be outside the world, for example in a pack or in a hand.
    Appeared,
    /// The entity was removed, for this reason.
    Removed(RemoveReason),
    /// The entity is now held by another, and is drawn with it.
    Attached {
        /// Entity that holds it.
        holder: EntityId,
        /// Place on the holder, by the game's number.
        location: u32,
    },
    /// The entity is no longer held.
    Detached,
    /// The entity is outside the world, though it still exists.
    LeftWorld,
    /// The entity was hidden (`true`) or became visible again (`false`).
    Hidden(bool),

    // Routes and placements.
    /// A waypoint was reached.
    Reached {
        /// Number of waypoints left.
        left: u16,
    },
    /// A waypoint was given up because the body made too little headway.
    GivenUp {
        /// Fraction of the possible headway that the body made since the last audit, negative if it
        /// fell back. An audit fails below [`AUDIT_RATIO`](crate::limits::AUDIT_RATIO).
        headway: f32,
        /// Number of waypoints given up on this route, this one included.
        given_up: u8,
    },
    /// A new waypoint replaced a nearly equal one at the end of the route.
    NewestReplaced,
    /// The route was full, and its oldest waypoint was dropped.
    OldestDropped,
    /// The last waypoint was reached, but the interpreted motion goes on.
    RanDry,
    /// Too many waypoints were given up. A snap to the newest one follows.
    SnapToNewest,
    /// The route was empty after a failure. A snap to the last waypoint that was given up follows.
    SnapToGivenUp,
    /// The route failed. A snap to the last place before a velocity waypoint follows.
    SnapBeforeVelocity,
    /// The body took on the velocity of a velocity waypoint.
    VelocityTaken,
    /// The body was placed.
    Placed {
        /// Distance from its previous place, 0 if it entered the world.
        metres: f32,
    },
    /// The surroundings refused a placement, and the body stays where it was.
    PlacementRefused,
    /// The body was placed instead of walking there.
    Snapped {
        /// Reason for the placement.
        reason: PlaceReason,
        /// Distance from its previous place, 0 if it entered the world.
        metres: f32,
    },

    // Air and ground.
    /// The body left walkable ground. A small rise is a bounce. After a hard fall the body touches
    /// down twice, as in the client.
    TookOff {
        /// Upward part of the velocity, in metres per second.
        rise: f32,
    },
    /// The body reached walkable ground.
    Landed {
        /// Length of the velocity, in metres per second.
        speed: f32,
    },

    // Animations.
    /// The body got an animator, so its animations are played from now on.
    Legs {
        /// Motion table that they follow.
        table: u32,
        /// Motion table of the description or of the model, 0 for none. It differs from `table` if
        /// it is not loaded.
        own: u32,
        /// Source of the table that they follow.
        origin: TableOrigin,
    },
    /// The animations play another motion than the interpreted one, because the motion table lacks
    /// it or replaces it.
    OtherLegs {
        /// Interpreted motion, by command index.
        meant: u16,
        /// Motion that is played, by command index.
        does: u16,
    },
    /// The animations passed a keyframe with a hook, such as a sound, a blow or a footstep.
    Hook {
        /// Kind of the hook, by the game's own numbers.
        kind: u32,
        /// First argument of the hook, such as the sound or the part.
        value: u32,
    },

    /// An action, such as a blow or an emote, is over. Lasting motions, such as running, are not
    /// reported.
    ActionDone {
        /// The action.
        action: MotionCommand,
        /// Whether it was played to its end. `false` if another motion or the body's removal cut it
        /// short.
        is_complete: bool,
    },

    // Follow and move-to.
    /// The body begins to follow another, for at most one second.
    FollowBegan {
        /// Body that is followed.
        target: EntityId,
    },
    /// A follow ran out of time. [`Happening::FollowEnded`] comes next.
    FollowTimedOut,
    /// A follow ended, because its second is over, its target left, or another movement began.
    FollowEnded,
    /// A move-to began, in which the server sends the body somewhere or makes it turn.
    SetOut {
        /// Target of the move-to. `None` if it is a place or a heading.
        target: Option<EntityId>,
    },
    /// The move-to goes on. The body begins to walk or run, begins or ends a turn, or receives an
    /// update about its target.
    OnItsWay {
        /// Target of the move-to, 0 if it is a place.
        target: EntityId,
        /// Distance to the target.
        metres: f32,
        /// Direction in which the body turns.
        steering: Steering,
        /// Whether the body runs instead of walking.
        is_running: bool,
        /// Whether the body moves away from its target.
        is_away: bool,
    },
    /// The body turns on the spot, as a step of its move-to.
    Turns {
        /// Direction of the turn.
        steering: Steering,
        /// Heading at which the turn ends, in degrees.
        heading: f32,
    },
    /// The body makes no headway in its move-to. Noted at the first such step only.
    NoHeadway,
    /// The move-to is over. A body that is removed on its way gets only [`Happening::Removed`].
    MoveToEnded {
        /// Reason for the end.
        end: MoveToEnd,
        /// Distance from the target. It is 0 for a turn to a heading, and for a target whose place
        /// is unknown.
        metres: f32,
    },

    // The local player, and the generic API.
    /// The local player's teleport begins, and the world around it is about to change.
    TeleportBegan,
    /// The local player's teleport is over.
    TeleportEnded,
    /// The server now moves the local player.
    ControlLost,
    /// The local player's keys control it again.
    ControlTaken,
    /// The entity was stopped where it was, because updates about it stopped. Generic API only.
    WentSilent,
}

codes!(Happening {
    Position = 1,
    Movement = 2,
    Vector = 3,
    Heard = 4,
    Replayed = 5,
    DescriptionWanted = 6,
    ParkedExpired = 7,
    Appeared = 8,
    Removed = 9,
    Attached = 10,
    Detached = 11,
    LeftWorld = 12,
    Hidden = 13,
    Reached = 14,
    GivenUp = 15,
    NewestReplaced = 16,
    OldestDropped = 17,
    RanDry = 18,
    SnapToNewest = 19,
    SnapToGivenUp = 20,
    SnapBeforeVelocity = 21,
    VelocityTaken = 22,
    Placed = 23,
    PlacementRefused = 24,
    Snapped = 25,
    TookOff = 26,
    Landed = 27,
    Legs = 28,
    OtherLegs = 29,
    Hook = 30,
    ActionDone = 31,
    FollowBegan = 32,
    FollowTimedOut = 33,
    FollowEnded = 34,
    SetOut = 35,
    OnItsWay = 36,
    Turns = 37,
    NoHeadway = 38,
    MoveToEnded = 39,
    TeleportBegan = 40,
    TeleportEnded = 41,
    ControlLost = 42,
    ControlTaken = 43,
    WentSilent = 44,
});

impl Happening {
    /// Returns whether the happening is an event, which every host can poll.
    #[inline(always)]
    pub const fn is_event(&self) -> bool {
        matches!(
            self,
            Self::Appeared
                | Self::Removed(_)
                | Self::Snapped { .. }
                | Self::TookOff { .. }
                | Self::Landed { .. }
                | Self::Hook { .. }
                | Self::ActionDone { .. }
                | Self::Attached { .. }
                | Self::Detached
                | Self::LeftWorld
                | Self::Hidden(_)
                | Self::FollowBegan { .. }
                | Self::FollowEnded
                | Self::SetOut { .. }
                | Self::MoveToEnded { .. }
                | Self::TeleportBegan
                | Self::TeleportEnded
                | Self::ControlLost
                | Self::ControlTaken
                | Self::WentSilent
                | Self::DescriptionWanted
                | Self::ParkedExpired { .. }
        )
    }

    /// Returns whether the happening is kept for explanations of a traced entity.
    #[inline]
    pub const fn is_traced(&self) -> bool {
        !matches!(
            self,
            // A happening that states the result follows each of these.
            Self::SnapToNewest
                | Self::SnapToGivenUp
                | Self::SnapBeforeVelocity
                | Self::VelocityTaken
                | Self::Placed { .. }
                // The message or the motion that caused each of these has a note of its own.
                | Self::Appeared
                | Self::LeftWorld
                | Self::Hidden(_)
                | Self::FollowEnded
                | Self::Hook { .. }
                | Self::ActionDone { .. }
                | Self::TeleportBegan
                | Self::TeleportEnded
                | Self::ControlLost
                | Self::ControlTaken
                | Self::WentSilent
                | Self::DescriptionWanted
                | Self::ParkedExpired { .. }
        )
    }
}
