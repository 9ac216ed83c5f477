//! What a trial measures. The definitions are those of `docs/scorecard.md`.

use crate::{
    Drawn,
    mover::{At, FPS},
};

/// Seconds at the beginning that do not count.
const SKIPPED_SECS: f64 = 5.0;

/// Longest delay, and longest time ahead of the truth, that is looked for, in seconds.
const MAX_BEHIND_SECS: f64 = 4.0;
const MAX_AHEAD_SECS: f64 = 1.0;

/// Frames between two samples of 1/20 s.
const SAMPLE_FRAMES: usize = 3;

/// How a contestant drew one course.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Percentage of the frames that stand still while the entity moves.
    pub frozen: f64,
    /// Mean distance from the truth in metres.
    pub mean: f64,
    /// 95th percentile of that distance.
    pub p95: f64,
    /// Median of the seconds by which it is behind, while the entity moves faster than 0.5 m/s. It is
    /// negative if the entity is drawn where it comes later.
    pub behind: f64,
    /// Root mean square of the jerk in m/s³.
    pub jerk: f64,
    /// Reversals of direction per minute.
    pub reversals: f64,
}

impl Score {
    /// Returns [`behind`](Self::behind) in whole hundredths, as the tables have it, without a negative zero.
    pub fn behind_rounded(&self) -> f64 {
        (100.0 * self.behind).round() / 100.0 + 0.0
    }

    /// Returns the mean of several scores.
    pub fn mean_of(scores: &[Self]) -> Self {
        let mean = |of: fn(&Self) -> f64| scores.iter().map(of).sum::<f64>() / scores.len().max(1) as f64;
        Self {
            frozen: mean(|one| one.frozen),
            mean: mean(|one| one.mean),
            p95: mean(|one| one.p95),
            behind: mean(|one| one.behind),
            jerk: mean(|one| one.jerk),
            reversals: mean(|one| one.reversals),
        }
    }
}

/// A frame of truth with what was drawn.
type Pair = (At, [f64; 3]);

/// Compares drawn places with the truth, after the first five seconds.
pub fn measure(course: &[At], drawn: &Drawn) -> Score {
    let skip = (SKIPPED_SECS * FPS) as usize;
    let pairs: Vec<Pair> =
        course.iter().zip(drawn).skip(skip).filter_map(|(at, drawn)| Some((*at, (*drawn)?))).collect();
    let velocities: Vec<[f64; 3]> =
        pairs.windows(2).map(|pair| from(pair[0].1, pair[1].1).map(|way| way * FPS)).collect();
    let moving = pairs.windows(2).zip(&velocities).filter(|(pair, _)| pair[1].0.speed > 0.2);
    let (moving, frozen) = moving.fold((0u32, 0u32), |(moving, frozen), (_, velocity)| {
        (moving + 1, frozen + u32::from(length(*velocity) < 0.06))
    });
    let mut errors: Vec<f64> = pairs.iter().map(|(at, drawn)| length(from(at.place, *drawn))).collect();
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    errors.sort_by(f64::total_cmp);
    Score {
        frozen: 100.0 * f64::from(frozen) / f64::from(moving.max(1)),
        mean,
        p95: errors.get(errors.len() * 95 / 100).copied().unwrap_or_default(),
        behind: behind(course, drawn, skip),
        jerk: jerk(&pairs),
        reversals: reversals(&velocities) * 60.0 * FPS / course.len().max(1) as f64,
    }
}

/// Returns the root mean square of the third difference between samples.
fn jerk(pairs: &[Pair]) -> f64 {
    let samples: Vec<[f64; 3]> = pairs.iter().step_by(SAMPLE_FRAMES).map(|(_, drawn)| *drawn).collect();
    let third = samples
        .windows(4)
        .map(|x| [0, 1, 2].map(|axis| x[3][axis] - 3.0 * x[2][axis] + 3.0 * x[1][axis] - x[0][axis]));
    let (sum, count) = third
        .fold((0.0, 0.0_f64), |(sum, count), d| (sum + d[0] * d[0] + d[1] * d[1] + d[2] * d[2], count + 1.0));
    (sum / count.max(1.0)).sqrt() * (FPS / SAMPLE_FRAMES as f64).powi(3)
}

/// Counts reversals of direction within 0.3 s.
fn reversals(velocities: &[[f64; 3]]) -> f64 {
    let window = (0.3 * FPS) as usize;
    let (mut count, mut blocked) = (0.0, 0);
    for (index, now) in velocities.iter().enumerate() {
        if index < blocked || length(*now) < 0.2 {
            continue;
        }
        let is_back = |before: &[f64; 3]| {
            let dot: f64 = now.iter().zip(before).map(|(a, b)| a * b).sum();
            length(*before) > 0.2 && dot < -0.5 * length(*now) * length(*before)
        };
        if velocities[index.saturating_sub(window)..index].iter().any(is_back) {
            count += 1.0;
            blocked = index + window;
        }
    }
    count
}

/// Returns the median of the delays for which the drawn place is nearest to the truth.
fn behind(course: &[At], drawn: &Drawn, skip: usize) -> f64 {
    let [most, ahead] = [MAX_BEHIND_SECS, MAX_AHEAD_SECS].map(|secs| (secs * FPS) as usize);
    let frames = (skip.max(most)..course.len().saturating_sub(ahead)).step_by(SAMPLE_FRAMES);
    let delays = frames.filter(|frame| course[*frame].speed > 0.5).filter_map(|frame| {
        let place = drawn[frame]?;
        let off = |then: &usize| length(from(course[*then].place, place));
        let nearest = (frame - most..=frame + ahead).min_by(|a, b| off(a).total_cmp(&off(b)))?;
        Some((frame as f64 - nearest as f64) / FPS)
    });
    let mut delays: Vec<f64> = delays.collect();
    delays.sort_by(f64::total_cmp);
    delays.get(delays.len() / 2).copied().unwrap_or_default()
}

fn length(way: [f64; 3]) -> f64 {
    way.iter().map(|part| part * part).sum::<f64>().sqrt()
}

fn from(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mover::Mover;

    #[test]
    fn the_truth_itself_scores_zero_and_a_late_one_is_as_late_as_it_is() {
        let course = Mover::Runner.course(3, 60.0);
        let truth: Drawn = course.iter().map(|at| Some(at.place)).collect();
        let score = measure(&course, &truth);
        assert_eq!((score.mean, score.p95, score.behind, score.frozen), (0.0, 0.0, 0.0, 0.0));
        let late: Drawn = (0..course.len()).map(|frame| truth[frame.saturating_sub(30)]).collect();
        assert_eq!(measure(&course, &late).behind, 0.5);
        let last = course.len() - 1;
        let early: Drawn = (0..course.len()).map(|frame| truth[(frame + 15).min(last)]).collect();
        assert_eq!(measure(&course, &early).behind, -0.25, "one that is ahead is not on time");
    }

    #[test]
    fn a_contestant_that_draws_nothing_has_a_score() {
        let course = Mover::Walker.course(3, 20.0);
        assert_eq!(measure(&course, &vec![None; course.len()]), Score::default());
    }
}
