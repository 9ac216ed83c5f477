//! Everything that can happen to a body, in one list. Events are the part that every host hears of, decisions the part that is kept for
//! explanations.

use evenstride_types::{EntityId, Stamp};

use crate::outcome::{Heard, MoveToEnd, Outcome, PlaceReason, RemoveReason, Steering, TableOrigin};

/// Something that happened to an entity.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Happening {
    // Messages.
    /// A position was heard.
    Position {
        /// Its stamp.
        stamp: Stamp,
        /// What became of it.
        outcome: Outcome,
        /// Waypoints on the route after it.
        waiting: u8,
        /// Metres: from the viewpoint, or moved if the body was placed.
        metres: f32,
    },
    /// A movement was heard.
    Movement {
        /// Its stamp.
        stamp: Stamp,
        /// What became of it.
        outcome: Outcome,
        /// What the legs do from then on, by command index; 0 if that is still to be decided.
        forward: u16,
        /// Speed of the forward axis.
        speed: f32,
    },
    /// Velocity and spin were heard.
    Vector {
        /// Their stamp.
        stamp: Stamp,
        /// What became of them.
        outcome: Outcome,
        /// Metres per second, upwards.
        rise: f32,
    },
    /// Another message was heard.
    Heard {
        /// Its kind.
        what: Heard,
        /// What became of it.
        outcome: Outcome,
    },
    /// Updates that came too early are handled now.
    Replayed {
        /// How many.
        count: u32,
    },
    /// Updates for it have waited for so long that the client would ask the server to describe it.
    DescriptionWanted,
    /// Updates for it waited too long and are gone.
    ParkedExpired {
        /// How many.
        count: u32,
    },

    // Coming, going and being held.
    /// It exists from now on; perhaps in a pack or in a hand.
    Appeared,
    /// It is gone.
    Removed(RemoveReason),
    /// It is held from now on, and drawn with its holder.
    Attached {
        /// Its holder.
        holder: EntityId,
        /// Where on the holder.
        location: u32,
    },
    /// It is no longer held.
    Detached,
    /// It is outside the world, though it still exists.
    LeftWorld,
    /// It went into hiding (`true`), or came out of it.
    Hidden(bool),

    // Routes and placements.
    /// A waypoint was reached.
    Reached {
        /// How many are left.
        left: u16,
    },
    /// A waypoint was given up for lack of headway.
    GivenUp {
        /// Part of the possible headway that was made since the last audit.
        headway: f32,
        /// How many were given up on this route.
        given_up: u8,
    },
    /// A new waypoint replaced a nearly equal one at the end of the route.
    NewestReplaced,
    /// The route was full: its oldest waypoint was dropped.
    OldestDropped,
    /// The last waypoint was reached, but the legs go on.
    RanDry,
    /// Too many waypoints were given up: a snap to the newest one.
    SnapToNewest,
    /// The route was empty after a failure: a snap to the last waypoint that was given up.
    SnapToGivenUp,
    /// A snap to the last place before a velocity waypoint.
    SnapBeforeVelocity,
    /// A velocity waypoint set the velocity.
    VelocityTaken,
    /// It was placed.
    Placed {
        /// How far from where it was, in metres.
        metres: f32,
    },
    /// The surroundings refused a placement.
    PlacementRefused,
    /// It was placed instead of walking there.
    Snapped {
        /// Why.
        reason: PlaceReason,
        /// How far from where it was, in metres.
        metres: f32,
    },

    // Air and ground.
    /// It left walkable ground. A small rise is a bounce: a hard fall touches down twice, as in the client.
    TookOff {
        /// Metres per second, upwards.
        rise: f32,
    },
    /// It came to walkable ground.
    Landed {
        /// Metres per second, in all.
        speed: f32,
    },

    // Animations.
    /// It has legs from now on.
    Legs {
        /// The motion table they follow.
        table: u32,
        /// The one it was described with, or its model has; 0 for none.
        own: u32,
        /// Where the table they follow comes from.
        origin: TableOrigin,
    },
    /// Its legs do something else than they are meant to, because of their motion table.
    OtherLegs {
        /// What they are meant to do, by command index.
        meant: u16,
        /// What they do, by command index.
        does: u16,
    },
    /// Its legs came to a keyframe at which something happens: a sound, a blow, a step.
    Hook {
        /// What, by the game's own numbers.
        kind: u32,
        /// A number of its own: the sound, the part, whatever the kind needs first.
        value: u32,
    },

    // Follow and move-to.
    /// It follows another from now on.
    FollowBegan {
        /// The followed body.
        target: EntityId,
    },
    /// A follow ran out of time; [`Happening::FollowEnded`] comes next.
    FollowTimedOut,
    /// A follow ended: its second is over, its target left, or it has something else to do.
    FollowEnded,
    /// The server has sent it somewhere, or told it to turn.
    SetOut {
        /// The target, if it is a body.
        target: Option<EntityId>,
    },
    /// It is on its way: it begins to walk or run, or to steer, or its target is elsewhere.
    OnItsWay {
        /// The target; 0 if it is a place.
        target: EntityId,
        /// Metres to go.
        metres: f32,
        /// Which way it turns.
        steering: Steering,
        /// Whether it runs.
        is_running: bool,
        /// Whether it flees.
        is_away: bool,
    },
    /// It turns on the spot.
    Turns {
        /// Which way.
        steering: Steering,
        /// To which heading, in degrees.
        heading: f32,
    },
    /// It makes no headway on its way.
    NoHeadway,
    /// Its move-to is over. A body that is removed on its way has only [`Happening::Removed`].
    MoveToEnded {
        /// Why.
        end: MoveToEnd,
        /// How far from its target it is, in metres; 0 if it only turned.
        metres: f32,
    },

    // The local player, and the generic API.
    /// The local player's teleport begins: the world around it is about to change.
    TeleportBegan,
    /// The local player's teleport is over.
    TeleportEnded,
    /// The server moves the local player from now on.
    ControlLost,
    /// The local player's keys move it again.
    ControlTaken,
    /// Nothing was heard of it for so long that it was stopped where it had got to. Generic API only.
    WentSilent,
}

impl Happening {
    /// Returns whether every host hears of it, as an event.
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

    /// Returns whether it is kept for explanations of a traced entity.
    #[inline]
    pub const fn is_traced(&self) -> bool {
        !matches!(
            self,
            // Each of these is followed by one that says what came of it.
            Self::SnapToNewest
                | Self::SnapToGivenUp
                | Self::SnapBeforeVelocity
                | Self::VelocityTaken
                | Self::Placed { .. }
                // Each of these is told by the message or the motion that caused it.
                | Self::Appeared
                | Self::LeftWorld
                | Self::Hidden(_)
                | Self::FollowEnded
                | Self::Hook { .. }
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
