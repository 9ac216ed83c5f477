//! What a step or an update did on the way.

use evenstride_types::EntityId;

use crate::outcome::{MoveToEnd, PlaceReason, Steering};

/// One thing that happened to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Note {
    /// A waypoint was reached.
    WaypointReached {
        /// How many are left.
        left: u16,
    },
    /// No headway: the waypoint was given up.
    WaypointGivenUp {
        /// Part of the possible headway that was made since the last audit.
        headway: f32,
        /// How many were given up on this route.
        given_up: u8,
    },
    /// Too many waypoints were given up: a snap to the newest one.
    SnapToNewest,
    /// Nothing was left to go to: a snap to the last one given up.
    SnapToGivenUp,
    /// A snap to the last place before a velocity waypoint.
    SnapBeforeVelocity,
    /// A velocity waypoint set the velocity.
    VelocityTaken,
    /// The body was placed.
    Placed {
        /// How far from where it was.
        metres: f32,
    },
    /// The surroundings refused a placement.
    PlacementRefused,
    /// A placement was a snap, for this reason; follows [`Note::Placed`].
    Snapped {
        /// Why.
        reason: PlaceReason,
        /// How far from where it was.
        metres: f32,
    },
    /// A new waypoint replaced a nearly equal one at the end of the route.
    NewestReplaced,
    /// The route was full: its oldest waypoint was dropped.
    OldestDropped,
    /// The last waypoint was reached, but the legs go on.
    RanDry,
    /// A follow began.
    FollowBegan {
        /// Of whom.
        target: EntityId,
    },
    /// A follow ran out of time; [`Note::FollowEnded`] comes next.
    FollowTimedOut,
    /// A follow ended, for whatever reason.
    FollowEnded,
    /// The server has sent the body somewhere.
    SetsOut {
        /// To whom, if it is somebody.
        target: Option<EntityId>,
    },
    /// It is on its way: it begins to walk or run, or to steer, or its target is elsewhere.
    OnItsWay {
        /// To whom, if it is somebody.
        target: Option<EntityId>,
        /// How far it is.
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
    /// It goes nowhere any more.
    MoveToEnded {
        /// Why.
        end: MoveToEnd,
        /// How far from its target it is.
        metres: f32,
    },
    /// The body left walkable ground.
    TookOff {
        /// With this much of its velocity upwards.
        rise: f32,
    },
    /// The legs came to a keyframe at which something happens.
    Hook {
        /// What, by the game's own numbers.
        kind: u32,
        /// A number of its own.
        value: u32,
    },
    /// The body came to walkable ground.
    Landed {
        /// At this speed.
        speed: f32,
    },
}

impl Note {
    /// Whether everybody hears of it, watched or not.
    #[inline(always)]
    pub(crate) const fn is_event(&self) -> bool {
        matches!(
            self,
            Self::Snapped { .. }
                | Self::TookOff { .. }
                | Self::Landed { .. }
                | Self::FollowBegan { .. }
                | Self::FollowEnded
                | Self::SetsOut { .. }
                | Self::MoveToEnded { .. }
                | Self::Hook { .. }
        )
    }
}
