//! How a drawing moves: pops, frozen frames, jerk, reversals, flicks.

use evenstride_types::Vec3;

use super::{
    Drawing,
    reference::{MOVES, flattened, turn},
    sums::Sums,
};

/// Speed in metres per second below which a drawing stands.
pub(super) const STILL: f32 = 0.06;

/// A frame is a pop if its step is longer than three times the step at the highest plausible speed,
/// plus two centimetres.
const POP_FACTOR: f32 = 3.0;
const POP_METRES: f32 = 0.02;

/// Turn in degrees within one frame that counts as a flick, if the truth does not turn.
const FLICK_DEG: f32 = 25.0;

/// Samples per second for velocity changes, jerk and reversals, at any frame rate.
const SAMPLES: f64 = 20.0;

/// Seconds within which the largest change of velocity is searched.
const CHANGE_SECS: f32 = 0.25;

/// Cosine of the angle between two directions of motion beyond which the motion is reversed, which
/// is 120 degrees.
const REVERSED: f32 = -0.5;

/// Seconds for which a drawing may stand in the middle of a reversal.
const REVERSAL_SECS: f32 = 0.3;

impl Sums {
    /// Scores each frame against the one before, and each sample against those before.
    pub(super) fn add_motion(&mut self, drawing: Drawing<'_>) {
        self.add_frames(drawing);
        self.add_samples(drawing);
    }

    fn add_frames(&mut self, drawing: Drawing<'_>) {
        let Drawing { subject, reference, drawn, .. } = drawing;
        for (frame, shown) in drawn.iter().enumerate() {
            let could_draw =
                if subject.is_dense { subject.truth[frame].is_some() } else { subject.is_known[frame] };
            let is_due = could_draw && !reference.leapt[frame];
            self.due += u64::from(is_due);
            self.shown += u64::from(is_due && shown.is_some());
            if shown.is_none() || (subject.is_dense && subject.truth[frame].is_none()) {
                continue;
            }
            self.frames += 1;
            let Some((before, now, secs)) = drawing.pair(frame) else { continue };
            let way = now.at - before.at;
            if way.length() > POP_FACTOR * reference.fast[frame] * secs + POP_METRES {
                self.pops += 1;
                self.worst_pop = self.worst_pop.max(way.length());
            }
            // Heights do not count around flights.
            let flat = |of: Vec3| if reference.flies[frame] { of.with_z(0.0) } else { of };
            let (way, moving) = (flat(way), reference.velocity[frame].map(flat));
            if let Some(velocity) = moving.filter(|velocity| velocity.length() > MOVES) {
                self.moving += 1;
                self.frozen += u64::from(way.length() / secs < STILL);
                let ahead = way.dot(velocity.normalize_or_zero()) / secs;
                self.backwards += u64::from(ahead < -STILL);
            }
            if let Some(velocity) = moving {
                self.path += f64::from(way.length());
                self.true_path += f64::from(velocity.length() * secs);
            }
        }
    }

    fn add_samples(&mut self, drawing: Drawing<'_>) {
        let Drawing { contest, reference, drawn, .. } = drawing;
        let every = drawing.stride(SAMPLES);
        let secs = every as f32 / contest.fps as f32;
        // Heights do not count around flights. Otherwise a contestant that draws no jump would win.
        let sample = |frame: usize| {
            drawn[frame]
                .filter(|_| !reference.leapt[frame])
                .map(|shown| flattened(shown, reference.flies[frame]))
        };
        let samples: Vec<Option<Vec3>> = (0..drawn.len()).step_by(every).map(sample).collect();
        let flies: Vec<bool> = (0..drawn.len()).step_by(every).map(|frame| reference.flies[frame]).collect();
        let velocity: Vec<Option<Vec3>> = (0..samples.len())
            .map(|index| {
                let before = index.checked_sub(1)?;
                // Where heights begin or cease to count, there is no velocity.
                (flies[before] == flies[index]).then_some(())?;
                Some((samples[index]? - samples[before]?) / secs)
            })
            .collect();
        for three in velocity.windows(3) {
            let [Some(first), Some(second), Some(third)] = three else { continue };
            self.changes.push((*third - *second).length());
            let jerk = (*third - *second * 2.0 + *first) / (secs * secs);
            self.jerk_squares += f64::from(jerk.length_squared());
            self.jerks += 1;
        }
        let count = |within: f32| ((within / secs).round() as usize).max(1);
        for (index, now) in velocity.iter().enumerate() {
            let Some(now) = now else { continue };
            let earlier = &velocity[index.saturating_sub(count(CHANGE_SECS))..index];
            for before in earlier.iter().rev().map_while(|before| *before) {
                self.change_most = self.change_most.max((*now - before).length());
            }
        }
        self.reversals += reversals(&velocity, count(REVERSAL_SECS));
    }

    /// Scores the heading.
    pub(super) fn add_turns(&mut self, drawing: Drawing<'_>) {
        let Drawing { subject, reference, drawn, contest, .. } = drawing;
        for frame in 0..drawn.len() {
            let Some((before, now, _)) = drawing.pair(frame) else { continue };
            let truths = subject.truth[frame - 1].zip(subject.truth[frame]);
            let truth_turned = truths.map_or(0.0, |(before, now)| turn(before.heading, now.heading));
            if turn(before.heading, now.heading) > FLICK_DEG && truth_turned < FLICK_DEG / 5.0 {
                self.flicks += 1;
            }
            if let Some((_, truth)) = truths {
                self.heading_off.push(turn(truth.heading, now.heading));
            }
        }
        let every = drawing.stride(SAMPLES);
        let secs = every as f32 / contest.fps as f32;
        let headings: Vec<Option<f32>> = (0..drawn.len())
            .step_by(every)
            .map(|frame| drawn[frame].filter(|_| !reference.leapt[frame]).map(|shown| shown.heading))
            .collect();
        for three in headings.windows(3) {
            let [Some(first), Some(second), Some(third)] = *three else { continue };
            let rate = |from, to| crate::rival::between_headings(from, to) / secs;
            let acceleration = (rate(second, third) - rate(first, second)) / secs;
            self.heading_squares += f64::from(acceleration).powi(2);
            self.headings += 1;
        }
    }
}

/// Counts the reversals of a path, given its velocity in each sample. A stop of up to `within` samples
/// in between does not hide one.
fn reversals(velocity: &[Option<Vec3>], within: usize) -> u64 {
    let mut count = 0;
    let mut last: Option<(usize, Vec3)> = None;
    for (index, velocity) in velocity.iter().enumerate() {
        let Some(velocity) = velocity else {
            last = None;
            continue;
        };
        let flat = velocity.with_z(0.0);
        if flat.length() < MOVES {
            continue;
        }
        let way = flat.normalize_or_zero();
        if let Some((then, before)) = last
            && index - then <= within
            && before.dot(way) < REVERSED
        {
            count += 1;
        }
        last = Some((index, way));
    }
    count
}
