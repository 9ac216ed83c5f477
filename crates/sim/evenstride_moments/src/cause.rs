//! What led to a moment, and what would have avoided it.

use evenstride::outcome::PlaceReason;
use serde::{Serialize, Serializer};

use crate::typed::name_of;

/// The chain of facts that led to a moment, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Cause {
    /// The fact that explains the moment best.
    pub reason: Reason,
    /// Start of the cause in seconds.
    pub from: f64,
    /// End of the cause in seconds.
    pub to: f64,
    /// Time in seconds of the last position before the update that corrected the body.
    pub heard: Option<f64>,
    /// Time in seconds at which the next position was due, by the usual gap.
    pub due: Option<f64>,
    /// Time in seconds at which the next position arrived.
    pub arrived: Option<f64>,
    /// Seconds between these two positions.
    pub gap: Option<f64>,
    /// Median of the seconds between earlier positions while the entity moved.
    pub usual_gap: Option<f64>,
    /// Motion between these two positions.
    pub meanwhile: Option<Meanwhile>,
    /// Distance in metres by which the drawn body was ahead of the position that arrived, along the
    /// entity's path. It is negative for a body that was behind.
    pub ahead: Option<f64>,
    /// Distance in metres by which the drawn body was beside the path.
    pub aside: Option<f64>,
    /// What would have avoided the moment, most effective first.
    pub remedies: Vec<Remedy>,
}

/// Motion of an entity and of its drawn body between two positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Meanwhile {
    /// The source of the body's motion for most of the time, as in tracks.
    pub moved_by: &'static str,
    /// Distance in metres that the drawn body moved.
    pub body_metres: f64,
    /// Distance in metres that the entity moved.
    pub entity_metres: f64,
}

/// The fact that explains a moment best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "code")]
#[non_exhaustive]
pub enum Reason {
    /// No update arrived for longer than usual.
    UpdateGap,
    /// The entity stopped or slowed down, and no message told.
    UnheardStop,
    /// The entity turned, and no message told.
    UnheardTurn,
    /// The body moved at another speed than the entity.
    OtherSpeed {
        /// Speed of the body in metres per second.
        body_speed: f64,
        /// Speed of the entity in metres per second.
        entity_speed: f64,
        /// Motion table of the entity, if it is not loaded.
        #[serde(serialize_with = "optional_table")]
        missing_table: Option<u32>,
    },
    /// The body reached each position sooner than the next one came, and waited.
    WaitedForPositions,
    /// Positions alone moved the body, because its animation stood.
    NoStride,
    /// The animation moved, and nothing else moved the body.
    StrideOnly,
    /// The body began to follow its target, which was behind it.
    Followed,
    /// A position or a movement message set the heading at once.
    HeadingSet,
    /// The server sent the entity elsewhere, by a newer teleport stamp.
    Teleported,
    /// A rule of the client placed the body.
    Placed {
        /// The rule.
        #[serde(serialize_with = "as_rule")]
        rule: PlaceReason,
        /// Height in metres of the new place above the old one. `None` if it is unknown.
        height: Option<f64>,
    },
    /// A received position was too far away to walk to.
    TooFar,
    /// The body made too little headway on its route.
    NoHeadway {
        /// Number of waypoints given up.
        given_up: u32,
        /// Fraction of the possible headway at the last audit.
        headway: f64,
    },
    /// Stamps of messages about the entity are missing.
    MissingStamps {
        /// Number of messages that never arrived.
        count: u32,
    },
    /// A message was refused, because it contains an invalid value or exceeds a limit.
    InvalidValue {
        /// Number of messages.
        count: u32,
    },
    /// A message was dropped, because it came too early or waited too long.
    TooEarly {
        /// Number of messages.
        count: u32,
    },
    /// The description of the entity came after its first update.
    LateDescription {
        /// Number of updates that came before.
        count: u32,
    },
    /// The motion table is not loaded, and a built-in one is played.
    TableNotLoaded {
        /// Number of the motion table.
        #[serde(serialize_with = "as_table")]
        table: u32,
    },
    /// The body's own motion, without a message that contradicts it.
    #[default]
    OwnMotion,
}

/// Something that would have avoided a moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "code")]
#[non_exhaustive]
pub enum Remedy {
    /// A position at the usual time.
    PositionInTime {
        /// Time in seconds.
        due: f64,
    },
    /// A movement message when the entity stopped or turned.
    MovementMessage,
    /// The entity's own motion table.
    LoadTable {
        /// Number of the motion table.
        #[serde(serialize_with = "as_table")]
        table: u32,
    },
    /// Drawing by the profile `glide`.
    Glide,
    /// The description before the first update.
    DescribeFirst,
    /// A valid value in the message.
    ValidValues,
    /// A walkable way to the received position, or a teleport stamp.
    WalkableWay,
    /// A capture or a connection that loses nothing.
    LoseNothing,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn as_rule<S: Serializer>(rule: &PlaceReason, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&name_of(&PlaceReason::CODES, rule.code()))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn as_table<S: Serializer>(table: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("0x{table:08X}"))
}

#[expect(clippy::ref_option, reason = "the signature is serde's")]
fn optional_table<S: Serializer>(table: &Option<u32>, serializer: S) -> Result<S::Ok, S::Error> {
    match table {
        Some(table) => as_table(table, serializer),
        None => serializer.serialize_none(),
    }
}
