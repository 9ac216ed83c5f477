//! What a drawing is compared with: the truth, or the received positions.

use evenstride_types::Vec3;

use crate::{
    contest::{Contest, Subject},
    rival::{Shown, between_headings},
};

/// Speed in metres per second above which a subject counts as moving.
pub(super) const MOVES: f32 = 0.2;

/// Distance in metres within one frame beyond which the truth leaps, and the seconds after a leap
/// that are not scored. At long frames the limit is 60 m/s instead.
const LEAP_METRES: f32 = 2.0;
const LEAP_SECS: f64 = 1.0;

/// Seconds of the past and of the future in which the highest speed is searched, and the least
/// value in metres per second. A contestant that draws late still moves after the truth has
/// stopped.
const FAST_BEFORE_SECS: f64 = 4.0;
const FAST_AFTER_SECS: f64 = 1.5;
const FAST_AT_LEAST: f32 = 1.2;

/// Longest gap in seconds between two received positions whose line counts as the subject's path.
const PATH_SECS: f64 = 1.5;

/// Downward acceleration in m/s² beyond which a moving truth is in the air, and the speed in metres
/// per second at which it rises or falls.
const FALLS: f32 = 5.0;
const RISES: f32 = 0.5;

/// Seconds before and after a flight during which a drawing may be in the air as well.
const FLIGHT_BEFORE_SECS: f64 = 0.1;
const FLIGHT_AFTER_SECS: f64 = 0.4;

/// Speed in metres per second below which the truth rests, and the seconds until it has come to
/// rest.
const RESTS: f32 = 0.05;
const REST_SECS: f64 = 1.0;

/// Facts about one subject, by frame, that are the same for all contestants.
pub(super) struct Reference {
    /// Velocity in metres per second, from the truth or else from received positions. `None` where
    /// neither is known.
    pub(super) velocity: Vec<Option<Vec3>>,
    /// Highest plausible speed around each frame, in metres per second.
    pub(super) fast: Vec<f32>,
    /// Whether the subject leapt within the last second. Such a frame is not scored.
    pub(super) leapt: Vec<bool>,
    /// Whether the subject, or a late drawing of it, may be in the air.
    pub(super) flies: Vec<bool>,
    /// Whether the truth has rested for a second.
    pub(super) rests: Vec<bool>,
    /// Frames at which the truth came to rest, with its last direction of motion.
    pub(super) stops: Vec<(usize, Vec3)>,
}

impl Reference {
    pub(super) fn of(subject: &Subject, contest: &Contest) -> Self {
        let frames = subject.truth.len();
        let velocity = if subject.is_dense {
            true_velocity(subject, contest)
        } else {
            received_velocity(subject, contest)
        };
        let leaps = leaps(subject, contest);
        let speed: Vec<f32> = velocity
            .iter()
            .zip(&leaps)
            .map(|(velocity, leaps)| velocity.filter(|_| !leaps).map_or(0.0, Vec3::length))
            .collect();
        let velocity: Vec<Option<Vec3>> =
            velocity.iter().zip(&leaps).map(|(velocity, leaps)| velocity.filter(|_| !leaps)).collect();
        // Where the truth is not known for every frame, Evenstride's motion tells what is plausible.
        let plausible = subject.legs.iter().zip(&subject.air_speed);
        let plausible = plausible.map(|(legs, air)| legs.unwrap_or(0.0).max(*air));
        let fastest: Vec<f32> =
            speed.iter().zip(plausible).map(|(speed, plausible)| speed.max(plausible)).collect();
        let count = |secs: f64| (secs * contest.fps).ceil() as usize;
        let around = |flags: &[bool], before: f64, after: f64| -> Vec<bool> {
            let (before, after) = (count(before), count(after));
            (0..frames)
                .map(|frame| {
                    flags[frame.saturating_sub(before)..(frame + after + 1).min(frames)].contains(&true)
                })
                .collect()
        };
        let fast = windowed_most(&fastest, count(FAST_BEFORE_SECS), count(FAST_AFTER_SECS));
        let flights =
            if subject.is_dense { true_flights(&velocity, contest) } else { subject.is_airborne.clone() };
        let resting = |frame: usize| {
            frame >= count(REST_SECS)
                && (frame - count(REST_SECS)..=frame)
                    .all(|then| subject.truth[then].is_some() && speed[then] < RESTS && !leaps[then])
        };
        let rests = (0..frames).map(|frame| subject.is_dense && resting(frame)).collect();
        Self {
            stops: if subject.is_dense { stops(subject, &speed, count(REST_SECS)) } else { Vec::new() },
            fast: fast.into_iter().map(|speed| speed.max(FAST_AT_LEAST)).collect(),
            leapt: around(&leaps, LEAP_SECS, 0.0),
            flies: around(&flights, FLIGHT_AFTER_SECS, FLIGHT_BEFORE_SECS),
            rests,
            velocity,
        }
    }
}

/// Returns the velocity of the truth since the frame before.
fn true_velocity(subject: &Subject, contest: &Contest) -> Vec<Option<Vec3>> {
    (0..subject.truth.len())
        .map(|frame| {
            let before = frame.checked_sub(1)?;
            let secs = (contest.times[frame] - contest.times[before]).max(1e-6) as f32;
            Some((subject.truth[frame]?.at - subject.truth[before]?.at) / secs)
        })
        .collect()
}

/// Returns the velocity between the two received positions around each frame. A position tells of
/// the time since the one before.
fn received_velocity(subject: &Subject, contest: &Contest) -> Vec<Option<Vec3>> {
    contest
        .times
        .iter()
        .map(|time| {
            let next = subject.heard.partition_point(|heard| heard.time < *time);
            let (after, before) = (subject.heard.get(next)?, subject.heard.get(next.checked_sub(1)?)?);
            let secs = after.time - before.time;
            let is_path = (0.01..=PATH_SECS).contains(&secs)
                && !subject.teleported.iter().any(|leap| (before.time..=after.time).contains(leap));
            is_path.then(|| (after.shown.at - before.shown.at) / secs as f32)
        })
        .collect()
}

/// Returns the frames in which the subject leaps, or appears.
fn leaps(subject: &Subject, contest: &Contest) -> Vec<bool> {
    let frames = subject.truth.len();
    let mut leaps = vec![false; frames];
    if subject.is_dense {
        for (frame, leap) in leaps.iter_mut().enumerate().skip(1) {
            if let (Some(before), Some(now)) = (subject.truth[frame - 1], subject.truth[frame]) {
                let secs = (contest.times[frame] - contest.times[frame - 1]).max(1e-6) as f32;
                *leap = before.at.distance(now.at) > LEAP_METRES.max(60.0 * secs);
            }
        }
    }
    for time in &subject.teleported {
        if let Some(leap) = leaps.get_mut(contest.times.partition_point(|frame| frame < time)) {
            *leap = true;
        }
    }
    let appears = |frame: &usize| subject.is_known[*frame] || subject.truth[*frame].is_some();
    if let Some(first) = (0..frames).find(appears) {
        leaps[first] = true;
    }
    leaps
}

/// Returns the frames in which the truth is in the air: it rises or falls, and falls faster and
/// faster.
fn true_flights(velocity: &[Option<Vec3>], contest: &Contest) -> Vec<bool> {
    // The truth has fewer ticks than the drawing has frames, so two frames are compared.
    let apart = (contest.fps / 30.0).round().max(1.0) as usize;
    (0..velocity.len())
        .map(|frame| {
            let Some(before) = frame.checked_sub(apart) else { return false };
            let (Some(then), Some(now)) = (velocity[before], velocity[frame]) else { return false };
            let secs = (contest.times[frame] - contest.times[before]).max(1e-6) as f32;
            now.z.abs() > RISES && (now.z - then.z) / secs < -FALLS
        })
        .collect()
}

/// Returns the frames at which the truth comes to rest, and its direction before. A stop may take
/// time.
fn stops(subject: &Subject, speed: &[f32], second: usize) -> Vec<(usize, Vec3)> {
    (1..speed.len().saturating_sub(second))
        .filter(|frame| {
            let before = &speed[frame.saturating_sub(second)..*frame];
            speed[frame - 1] >= RESTS
                && speed[*frame..frame + second].iter().all(|speed| *speed < RESTS)
                && before.iter().any(|speed| *speed > 0.5)
        })
        .filter_map(|frame| {
            // The direction of the last 0.3 s.
            let from = subject.truth[frame.saturating_sub(second * 3 / 10).min(frame - 1)]?;
            let way = (subject.truth[frame]?.at - from.at).with_z(0.0);
            (way.length() > 0.02).then(|| (frame, way.normalize_or_zero()))
        })
        .collect()
}

/// Returns the largest number from `before` entries before to `after` entries after each entry.
fn windowed_most(numbers: &[f32], before: usize, after: usize) -> Vec<f32> {
    let mut most = Vec::with_capacity(numbers.len());
    // Indices of candidates, with numbers that decrease.
    let mut window = std::collections::VecDeque::new();
    let mut next = 0;
    for index in 0..numbers.len() {
        while next < numbers.len() && next <= index + after {
            while window.back().is_some_and(|last: &usize| numbers[*last] <= numbers[next]) {
                window.pop_back();
            }
            window.push_back(next);
            next += 1;
        }
        while window.front().is_some_and(|first| first + before < index) {
            window.pop_front();
        }
        most.push(window.front().map_or(0.0, |first| numbers[*first]));
    }
    most
}

/// Returns the difference of two headings in degrees, 0 to 180.
pub(super) fn turn(from: f32, to: f32) -> f32 {
    between_headings(from, to).abs()
}

/// Returns the place with its height only where heights count.
pub(super) fn flattened(shown: Shown, flies: bool) -> Vec3 {
    if flies { shown.at.with_z(0.0) } else { shown.at }
}
