//! Which contestants are best, and which are not worse than another in everything.

use super::Score;

/// Seconds behind the truth beyond which a contestant is late. Without a truth its nominal delay
/// counts. A late contestant is never best, because it has time to draw what others must guess.
pub const LATE_SECS: f32 = 0.5;

/// Share of the frames, relative to the contestant that draws the most, below which a contestant is
/// never best. It may have left out whatever is hard to draw.
pub const SPARSE_SHARE: f32 = 0.95;

/// Difference in seconds behind the truth up to which two contestants may be compared in
/// [`Column::Overshoot`]. A drawing that is late never overshoots.
const SAME_DELAY_SECS: f32 = 0.1;

/// A column of the scorecard that has a best value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is a field of `Score`")]
pub enum Column {
    Pops,
    Frozen,
    OnTheSpot,
    Dragged,
    Backwards,
    Reversals,
    VelocityChange,
    VelocityChangeMost,
    Jerk,
    Flicks,
    HeadingAcceleration,
    FootSlide,
    Off,
    OffP95,
    OffMost,
    Behind,
    BehindP95,
    Overshoot,
    RestOff,
    HeadingOff,
    AirOff,
    SecsToTruth,
    Path,
}

impl Column {
    /// Every column, in the order of the tables.
    pub const ALL: [Self; 23] = [
        Self::Pops,
        Self::Frozen,
        Self::OnTheSpot,
        Self::Dragged,
        Self::Backwards,
        Self::Reversals,
        Self::VelocityChange,
        Self::VelocityChangeMost,
        Self::Jerk,
        Self::Flicks,
        Self::HeadingAcceleration,
        Self::FootSlide,
        Self::Off,
        Self::OffP95,
        Self::OffMost,
        Self::Behind,
        Self::BehindP95,
        Self::Overshoot,
        Self::RestOff,
        Self::HeadingOff,
        Self::AirOff,
        Self::SecsToTruth,
        Self::Path,
    ];

    /// Returns the value of a score, in the unit that the tables print. `None` if it is unknown.
    pub fn of(self, score: &Score) -> Option<f32> {
        Some(match self {
            Self::Pops => score.pops as f32,
            Self::Frozen => 100.0 * score.frozen,
            Self::OnTheSpot => 100.0 * score.on_the_spot,
            Self::Dragged => 100.0 * score.dragged,
            Self::Backwards => 100.0 * score.backwards,
            Self::Reversals => score.reversals_per_minute,
            Self::VelocityChange => score.velocity_change[0],
            Self::VelocityChangeMost => score.velocity_change_most,
            Self::Jerk => score.jerk,
            Self::Flicks => score.flicks? as f32,
            Self::HeadingAcceleration => score.heading_acceleration?,
            Self::FootSlide => 100.0 * score.foot_slide,
            Self::Off => score.metres_off?[0],
            Self::OffP95 => score.metres_off?[1],
            Self::OffMost => score.metres_off?[2],
            Self::Behind => score.secs_behind?[0],
            Self::BehindP95 => score.secs_behind?[1],
            Self::Overshoot => score.overshoot?,
            Self::RestOff => score.rest_off?,
            Self::HeadingOff => score.heading_off?,
            Self::AirOff => score.air_off?,
            Self::SecsToTruth => score.secs_to_truth?[0],
            Self::Path => score.path?,
        })
    }

    /// Returns the words for this column in a sentence, with its unit.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pops => "pops",
            Self::Frozen => "frozen frames in %",
            Self::OnTheSpot => "frames on the spot in %",
            Self::Dragged => "dragged frames in %",
            Self::Backwards => "backward frames in %",
            Self::Reversals => "reversals per minute",
            Self::VelocityChange => "change of velocity in m/s",
            Self::VelocityChangeMost => "largest change of velocity in m/s",
            Self::Jerk => "jerk in m/s³",
            Self::Flicks => "flicks",
            Self::HeadingAcceleration => "spin in °/s²",
            Self::FootSlide => "foot slide in %",
            Self::Off => "median distance in m",
            Self::OffP95 => "distance (95 %) in m",
            Self::OffMost => "largest distance in m",
            Self::Behind => "delay in s",
            Self::BehindP95 => "delay (95 %) in s",
            Self::Overshoot => "overshoot in m",
            Self::RestOff => "distance at rest in m",
            Self::HeadingOff => "heading error in °",
            Self::AirOff => "height in flights in m",
            Self::SecsToTruth => "recovery in s",
            Self::Path => "length of the path",
        }
    }

    /// Returns how bad a score is in this column. Less is better.
    fn badness(self, score: &Score) -> Option<f32> {
        let value = self.of(score)?;
        Some(if self == Self::Path { (value - 1.0).abs() } else { value })
    }
}

/// The order of contestants, by their index. Contestants with fewer frames per second than others, and
/// those that draw in fewer frames, are neither best nor on the front.
#[derive(Clone, Debug, PartialEq)]
pub struct Rank {
    /// Contestants that are more than [`LATE_SECS`] behind the truth.
    pub late: Vec<usize>,
    /// Contestants that draw less than [`SPARSE_SHARE`] of the frames that another one draws.
    pub sparse: Vec<usize>,
    /// The Pareto front: contestants for which no other is at least as good in delay, distance
    /// (95th percentile) and jerk, and better in one of them.
    pub front: Vec<usize>,
    /// Best contestants of each column in the order of [`Column::ALL`], late ones left out. Empty
    /// if no value is known, or if all are equal.
    pub best: Vec<Vec<usize>>,
}

/// Ranks the scores of one contest.
pub fn rank(scores: &[Score]) -> Rank {
    let delay = |score: &Score| score.secs_behind.map_or(score.nominal_delay, |behind| behind[0]);
    let is_late = |score: &Score| delay(score) > LATE_SECS;
    // Fewer frames per second have other samples, so their numbers are not compared with others.
    let most_fps = scores.iter().map(|score| score.fps).fold(0.0, f32::max);
    let most_drawn = scores.iter().map(|score| score.drawn).fold(0.0, f32::max);
    let is_sparse = |score: &Score| score.drawn < SPARSE_SHARE * most_drawn;
    let is_compared = |score: &Score| score.fps >= most_fps && !is_sparse(score);
    let least_delay = scores.iter().filter(|score| is_compared(score)).map(delay).fold(f32::MAX, f32::min);
    let best = |column: &Column| {
        let may_win = |score: &Score| {
            is_compared(score)
                && !is_late(score)
                && (*column != Column::Overshoot || delay(score) <= least_delay + SAME_DELAY_SECS)
        };
        let values: Vec<Option<f32>> =
            scores.iter().map(|score| column.badness(score).filter(|_| may_win(score))).collect();
        let known = || values.iter().flatten().copied();
        let (least, most) = (known().fold(f32::MAX, f32::min), known().fold(f32::MIN, f32::max));
        if least >= most {
            return Vec::new();
        }
        let is_best = |index: &usize| values[*index].is_some_and(|value| value <= least);
        (0..scores.len()).filter(is_best).collect()
    };
    let goals = |score: &Score| [delay(score), score.metres_off.map_or(0.0, |off| off[1]), score.jerk];
    let beats = |one: &Score, other: &Score| {
        let pairs = || goals(one).into_iter().zip(goals(other));
        pairs().all(|(one, other)| one <= other) && pairs().any(|(one, other)| one < other)
    };
    let compared = || scores.iter().filter(|score| is_compared(score));
    let is_on_front = |index: &usize| {
        let one = &scores[*index];
        is_compared(one) && !compared().any(|other| beats(other, one))
    };
    Rank {
        late: (0..scores.len()).filter(|index| is_late(&scores[*index])).collect(),
        sparse: (0..scores.len()).filter(|index| is_sparse(&scores[*index])).collect(),
        front: (0..scores.len()).filter(is_on_front).collect(),
        best: Column::ALL.iter().map(best).collect(),
    }
}
