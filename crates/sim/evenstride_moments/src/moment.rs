//! The types of a moment.

use std::str::FromStr;

use evenstride::explain::Explanation;
use evenstride_types::EntityId;
use serde::{Serialize, Serializer};

use crate::cause::Cause;

/// A short time in which an entity visibly did something wrong or odd.
///
/// It lasts at most [`MAX_MOMENT_SECS`] unless its cause lasts longer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Moment {
    /// What a person would see.
    pub kind: MomentKind,
    /// The entity.
    #[serde(serialize_with = "as_text")]
    pub entity: EntityId,
    /// Start in seconds on the recording's clock.
    pub from: f64,
    /// End in seconds. It may equal the start.
    pub to: f64,
    /// Size of the fault.
    pub severity: Severity,
    /// What led to it.
    pub cause: Cause,
    /// How the body got back to the right place or heading. `None` if it never did, or if nothing
    /// was visibly corrected.
    pub correction: Option<Correction>,
    /// Other kinds of fault that were part of it.
    pub also: Vec<MomentKind>,
    /// The snaps, stalls and placements that belong to it, oldest first.
    #[serde(skip)]
    pub decisions: Vec<Explanation>,
    /// Span of the finding that names the moment, if others lengthened it.
    #[serde(skip)]
    pub(crate) seen: Option<(f64, f64)>,
}

/// Longest time in seconds that a moment takes, unless its cause takes longer.
pub const MAX_MOMENT_SECS: f64 = 3.0;

/// The kind of a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MomentKind {
    /// The body was placed elsewhere although no teleport was sent.
    Snap,
    /// The body had gone too far and moved back.
    PullBack,
    /// The body moved back and forth without having gone too far.
    Reversal,
    /// The body turned abruptly.
    Flick,
    /// The body stood still while the entity moved.
    Frozen,
    /// The body stopped and started again several times while the entity moved on.
    StopAndGo,
    /// The body went too far.
    Overshoot,
    /// The body got stuck on its way to a received position.
    Stall,
    /// The body moved while its animation stood.
    Slide,
    /// The animation walked or ran while the body stood.
    RunOnTheSpot,
    /// Updates stopped for longer than usual while the entity moved, without a visible fault.
    Gap,
    /// Updates were lost, dropped or refused.
    LostUpdates,
    /// Updates arrived before the description of the entity.
    LateCreation,
    /// The server teleported the entity.
    Teleport,
    /// The motion table of the entity is not loaded.
    MissingTable,
}

impl MomentKind {
    /// All kinds. A kind that is easier to see comes earlier.
    pub const ALL: [Self; 15] = [
        Self::Snap,
        Self::PullBack,
        Self::Reversal,
        Self::Flick,
        Self::Frozen,
        Self::StopAndGo,
        Self::Overshoot,
        Self::Stall,
        Self::Slide,
        Self::RunOnTheSpot,
        Self::Gap,
        Self::LostUpdates,
        Self::LateCreation,
        Self::Teleport,
        Self::MissingTable,
    ];

    /// Returns the name for command lines, tables and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Snap => "snap",
            Self::PullBack => "pull-back",
            Self::Reversal => "reversal",
            Self::Flick => "flick",
            Self::Frozen => "frozen",
            Self::StopAndGo => "stop-and-go",
            Self::Overshoot => "overshoot",
            Self::Stall => "stall",
            Self::Slide => "slide",
            Self::RunOnTheSpot => "run-on-the-spot",
            Self::Gap => "gap",
            Self::LostUpdates => "lost-updates",
            Self::LateCreation => "late-creation",
            Self::Teleport => "teleport",
            Self::MissingTable => "missing-table",
        }
    }

    /// Returns one sentence that defines the kind.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Snap => "the body was placed elsewhere, and no teleport was sent",
            Self::PullBack => "the body had gone too far and moved back by 0.15 m or more",
            Self::Reversal => "the body moved back by 0.15 m or more without having gone too far",
            Self::Flick => "the body turned by 40° or more at 600°/s or faster",
            Self::Frozen => "the body stood for 0.4 s or longer while the entity moved",
            Self::StopAndGo => "the body stopped and started three times while the entity moved on",
            Self::Overshoot => "the body went 0.5 m or more too far",
            Self::Stall => "the body made no progress towards a received position",
            Self::Slide => "the body moved for 0.3 s or longer while its animation stood",
            Self::RunOnTheSpot => "the animation moved for 0.3 s or longer while the body stood",
            Self::Gap => "no update for three times the usual time while the entity moved",
            Self::LostUpdates => "updates were lost on the way, dropped or refused",
            Self::LateCreation => "updates arrived before the description of the entity",
            Self::Teleport => "the server teleported the entity",
            Self::MissingTable => "the motion table of the entity is not loaded",
        }
    }

    /// Returns how bad a moment of this kind is, as a number per metre, per second and per degree.
    pub(crate) const fn weights(self) -> [f64; 3] {
        match self {
            Self::Snap | Self::PullBack | Self::Reversal => [1.0, 0.0, 0.0],
            Self::Flick => [0.0, 0.0, 0.005],
            Self::Frozen => [0.3, 0.3, 0.0],
            Self::StopAndGo => [0.2, 0.2, 0.0],
            Self::Overshoot => [0.3, 0.0, 0.0],
            Self::Stall => [0.2, 0.2, 0.0],
            Self::Slide | Self::RunOnTheSpot => [0.1, 0.1, 0.0],
            Self::Gap => [0.2, 0.02, 0.0],
            Self::LateCreation => [0.0, 0.02, 0.0],
            Self::LostUpdates => [0.02, 0.0, 0.0],
            Self::Teleport => [0.001, 0.0, 0.0],
            Self::MissingTable => [0.0, 0.0, 0.0],
        }
    }
}

impl std::fmt::Display for MomentKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// Error for a name that no kind has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKind(pub String);

impl std::fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is not a kind of moment", self.0)
    }
}

impl std::error::Error for UnknownKind {}

impl FromStr for MomentKind {
    type Err = UnknownKind;

    /// Parses a name. Case, spaces and underscores do not matter.
    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        let name = text.trim().to_ascii_lowercase().replace([' ', '_'], "-");
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownKind(text.to_owned()))
    }
}

/// Size of a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Severity {
    /// Distance of the fault in metres, 0 if it has none.
    pub metres: f64,
    /// Duration of the fault in seconds, 0 if it happened within a frame.
    pub seconds: f64,
    /// Angle of the fault in degrees, 0 if it has none.
    pub degrees: f64,
    /// Number by which moments are ranked. A pull-back of one metre has 1.
    pub rank: f64,
}

impl Severity {
    /// Returns a severity with its rank.
    pub(crate) fn of(kind: MomentKind, metres: f64, seconds: f64, degrees: f64) -> Self {
        let [per_metre, per_second, per_degree] = kind.weights();
        // A leap of 50 m looks no worse than one of 10 m.
        let rank =
            per_metre * metres.min(MAX_RANKED) + per_second * seconds.min(MAX_RANKED) + per_degree * degrees;
        Self { metres, seconds, degrees, rank }
    }
}

/// Distance in metres and duration in seconds beyond which a fault does not rank higher.
const MAX_RANKED: f64 = 10.0;

/// Motion that brought a body back to the right place or heading.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Correction {
    /// Start in seconds. It is the time of a frame.
    pub from: f64,
    /// End in seconds. It is the time of a frame.
    pub to: f64,
    /// Distance in metres between the drawn places at the start and at the end. For a placement, it
    /// is the distance between the simulated places.
    pub metres: f64,
    /// Highest speed in metres per second on the way, 0 for a placement.
    pub top_speed: f64,
    /// The way it was done.
    pub way: CorrectionWay,
}

/// The way in which a body was corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CorrectionWay {
    /// The body moved back.
    Back,
    /// The body was placed within one step.
    Placed,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
pub(crate) fn as_text<S: Serializer>(entity: &EntityId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(entity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_that_parses() {
        for kind in MomentKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(kind.name().to_uppercase().replace('-', " ").parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        assert_eq!("hop".parse::<MomentKind>().unwrap_err().to_string(), "`hop` is not a kind of moment");
    }
}
