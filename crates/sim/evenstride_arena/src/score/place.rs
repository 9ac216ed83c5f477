//! Where a drawing is: distance and delay from the truth, and how it stops and catches up.

use evenstride_types::Vec3;

use super::{Drawing, reference::MOVES, sums::Sums};
use crate::rival::Shown;

/// Speed in metres per second above which the delay is measured, and samples per second.
const DELAY_MOVES: f32 = 0.5;
const DELAY_SAMPLES: f64 = 10.0;

/// Seconds of the past in which the truth is searched for a drawn place.
const LOOK_BACK_SECS: f64 = 4.0;

/// Seconds after a stop within which it can be overshot.
const STOP_SECS: f64 = 2.5;

/// Gap in seconds between two positions beyond which it is a silence.
const SILENCE_SECS: f64 = 1.5;

/// Distance in metres from the truth within which a body has caught up, and seconds after which it
/// counts as not having done so.
const THERE_METRES: f32 = 0.5;
const GIVEN_UP_SECS: f64 = 5.0;

impl Sums {
    pub(super) fn add_places(&mut self, drawing: Drawing<'_>) {
        self.add_distances(drawing);
        if drawing.subject.is_dense {
            self.add_overshoots(drawing);
            self.add_delays(drawing);
            self.add_silences(drawing);
        }
    }

    fn add_distances(&mut self, Drawing { subject, reference, drawn, .. }: Drawing<'_>) {
        for (frame, (drawn, truth)) in drawn.iter().zip(&subject.truth).enumerate() {
            let (Some(drawn), Some(truth), false) = (drawn, truth, reference.leapt[frame]) else { continue };
            let off = drawn.at.distance(truth.at);
            self.off.push(off);
            if reference.rests[frame] {
                self.rest_off.push(off);
            }
            if reference.flies[frame] {
                self.air_off.push((drawn.at.z - truth.at.z).abs());
            }
        }
    }

    fn add_overshoots(&mut self, Drawing { contest, subject, reference, drawn, .. }: Drawing<'_>) {
        for (frame, way) in &reference.stops {
            let Some(rest) = subject.truth[*frame] else { continue };
            let until = (frame + (STOP_SECS * contest.fps) as usize).min(drawn.len());
            for (later, shown) in drawn.iter().enumerate().take(until).skip(*frame) {
                // Only while the truth rests.
                let speed = reference.velocity[later].map_or(0.0, Vec3::length);
                if speed > MOVES || reference.leapt[later] {
                    break;
                }
                if let Some(shown) = shown {
                    self.overshoot = self.overshoot.max((shown.at - rest.at).dot(*way));
                }
            }
        }
    }

    /// Scores the delay: the time since the truth was nearest to the drawn place.
    fn add_delays(&mut self, drawing: Drawing<'_>) {
        let Drawing { contest, subject, reference, drawn, .. } = drawing;
        let back = (LOOK_BACK_SECS * contest.fps) as usize;
        for frame in (0..drawn.len()).step_by(drawing.stride(DELAY_SAMPLES)) {
            let moves = reference.velocity[frame].is_some_and(|velocity| velocity.length() > DELAY_MOVES);
            let (Some(now), true, false) = (drawn[frame], moves, reference.leapt[frame]) else { continue };
            let (mut nearest, mut delay) = (f32::MAX, 0.0);
            for then in (frame.saturating_sub(back) + 1..=frame).rev() {
                let (Some(truth), Some(before)) = (subject.truth[then], subject.truth[then - 1]) else {
                    break;
                };
                if reference.leapt[then] {
                    break;
                }
                let (apart, part) = distance_to_way(now, before, truth);
                if apart < nearest - 1e-4 {
                    let [from, to] = [contest.times[then - 1], contest.times[then]];
                    (nearest, delay) = (apart, contest.times[frame] - (from + (to - from) * f64::from(part)));
                }
            }
            if nearest < f32::MAX {
                self.behind.push(delay as f32);
            }
        }
    }

    fn add_silences(&mut self, Drawing { contest, subject, drawn, .. }: Drawing<'_>) {
        for pair in subject.heard.windows(2) {
            let [from, to] = [pair[0].time, pair[1].time];
            if to - from <= SILENCE_SECS {
                continue;
            }
            let [before, frame] = [from, to].map(|time| contest.times.partition_point(|frame| *frame < time));
            let truth = |frame: usize| subject.truth.get(frame).copied().flatten();
            // A standing body needs no catching up.
            let moved =
                truth(before).zip(truth(frame)).map_or(0.0, |(before, now)| before.at.distance(now.at));
            if moved < THERE_METRES {
                continue;
            }
            let off = |frame: usize| Some(truth(frame)?.at.distance(drawn[frame]?.at));
            let until = (frame + (GIVEN_UP_SECS * contest.fps) as usize).min(drawn.len());
            let there = (frame..until).find(|frame| off(*frame).is_some_and(|off| off < THERE_METRES));
            let secs = there.map_or(GIVEN_UP_SECS, |there| (contest.times[there] - to).max(0.0));
            self.to_truth.push(secs as f32);
        }
    }
}

/// Returns the distance from a place to a straight way, and the part of the way at which it is
/// nearest.
fn distance_to_way(of: Shown, from: Shown, to: Shown) -> (f32, f32) {
    let way = to.at - from.at;
    let length = way.length_squared();
    let part = if length > 0.0 { ((of.at - from.at).dot(way) / length).clamp(0.0, 1.0) } else { 1.0 };
    ((from.at + way * part).distance(of.at), part)
}
