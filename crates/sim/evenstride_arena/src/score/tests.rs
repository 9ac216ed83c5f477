//! Every column on a made track, with a value that is known by hand.

use evenstride_types::{EntityId, Vec3};

use super::*;
use crate::contest::HeardPlace;

/// Frames per second of made tracks, and their length in seconds.
const FPS: f64 = 60.0;
const SECS: f64 = 15.0;

/// A made contest with one subject and one contestant.
struct Made {
    subject: Subject,
    contestant: Contestant,
    times: Vec<f64>,
}

/// A subject that walks east at 4 m/s for ten seconds and then stands, drawn by `draw`. A position
/// is received every second.
fn drawn_as(draw: impl Fn(f64) -> Shown) -> Made {
    moving_as(|time| on(4.0 * time.min(10.0)), draw)
}

fn moving_as(truth: impl Fn(f64) -> Shown, draw: impl Fn(f64) -> Shown) -> Made {
    let times: Vec<f64> = (0..=(SECS * FPS) as usize).map(|frame| frame as f64 / FPS).collect();
    let subject = Subject {
        entity: EntityId::new(1),
        name: String::new(),
        truth: times.iter().map(|time| Some(truth(*time))).collect(),
        legs: times.iter().map(|time| (*time <= 10.0).then_some(4.0)).collect(),
        is_known: vec![true; times.len()],
        is_airborne: vec![false; times.len()],
        air_speed: vec![0.0; times.len()],
        heard: (0..=15).map(f64::from).map(|time| HeardPlace { time, shown: truth(time) }).collect(),
        teleported: Vec::new(),
        is_dense: true,
    };
    let drawn = vec![times.iter().map(|time| Some(draw(*time))).collect()];
    Made { subject, contestant: Contestant { drawn, ..Contestant::named("one") }, times }
}

impl Made {
    fn score(self) -> Score {
        score(&self.contest()).remove(0)
    }

    fn contest(self) -> Contest {
        let Self { subject, contestant, times } = self;
        Contest {
            fps: FPS,
            times,
            subjects: vec![subject],
            contestants: vec![contestant],
            at_other_rates: Vec::new(),
        }
    }

    /// Forgets the truth.
    fn without_truth(mut self) -> Self {
        self.subject.truth.fill(None);
        self.subject.is_dense = false;
        self
    }

    /// Shows legs at this speed, by time.
    fn with_legs(mut self, legs: impl Fn(f64) -> Option<f32>) -> Self {
        self.contestant.legs = vec![self.times.iter().map(|time| legs(*time)).collect()];
        self
    }
}

fn on(x: f64) -> Shown {
    Shown { at: Vec3::new(x as f32, 0.0, 0.0), heading: 90.0 }
}

fn walks(time: f64) -> f64 {
    4.0 * time.min(10.0)
}

fn near(value: f32, expected: f32, within: f32) -> bool {
    (value - expected).abs() <= within
}

#[test]
fn the_truth_itself_is_perfect() {
    let made = drawn_as(|time| on(walks(time)));
    let contest = made.contest();
    let score = score(&contest).remove(0);
    assert_eq!((score.pops, score.flicks, score.frozen, score.backwards), (0, Some(0), 0.0, 0.0));
    assert_eq!((score.reversals_per_minute, score.on_the_spot, score.dragged), (0.0, 0.0, 0.0));
    assert!(score.overshoot.unwrap() < 1e-3 && score.metres_off.unwrap()[2] < 1e-3, "{score:?}");
    assert!(score.secs_behind.unwrap()[2] < 1e-3 && near(score.path.unwrap(), 1.0, 1e-4), "{score:?}");
    assert!(score.foot_slide < 1e-3 && score.heading_off == Some(0.0), "{score:?}");
    assert_eq!((score.rest_off, score.air_off, score.secs_to_truth), (Some(0.0), None, None));
    // The truth has the same numbers, but for the name.
    let truth = score_of_truth(&contest).unwrap();
    assert_eq!((truth.jerk, truth.frozen, truth.dragged), (score.jerk, 0.0, 0.0));
}

#[test]
fn half_a_second_late_is_half_a_second_behind() {
    let score = drawn_as(|time| on(walks((time - 0.5).max(0.0)))).score();
    let [median, p95, _] = score.secs_behind.unwrap();
    assert!(near(median, 0.5, 1e-3) && near(p95, 0.5, 1e-3), "{score:?}");
    let [median, p95, most] = score.metres_off.unwrap();
    assert!(near(median, 2.0, 1e-3) && near(p95, 2.0, 1e-3) && near(most, 2.0, 1e-3), "{score:?}");
    assert_eq!(score.pops, 0);
}

#[test]
fn delays_are_finer_than_a_frame() {
    // A frame is 16.7 ms.
    let score = drawn_as(|time| on(walks((time - 0.005).max(0.0)))).score();
    assert!(near(score.secs_behind.unwrap()[0], 0.005, 1e-4), "{score:?}");
}

#[test]
fn drawing_the_last_position_pops_and_freezes() {
    let score = drawn_as(|time| on(walks(time.floor()))).score();
    // One pop at each of the seconds 2 to 10. The first second does not count.
    assert_eq!(score.pops, 9);
    assert!(near(score.worst_pop, 4.0, 1e-3), "{score:?}");
    // All but nine of the 539 frames in which it moves.
    assert!(near(score.frozen, 530.0 / 539.0, 1e-3), "{score:?}");
    // 9 pops in 15 seconds.
    assert!(near(score.pops_per_minute, 36.0, 0.1), "{score:?}");
}

/// The fault that the scorecard once could not see: legs that stand while the body freezes.
#[test]
fn frozen_frames_count_whatever_the_legs_do() {
    // Goes for 0.15 s at double speed, and stands for 0.15 s.
    let shuffles = |time: f64| {
        let part = time.rem_euclid(0.3);
        time - part + (2.0 * part).min(0.3)
    };
    for legs in [None, Some(4.0)] {
        let score = drawn_as(|time| on(walks(shuffles(time)))).with_legs(|_| legs).score();
        assert!(near(score.frozen, 0.5, 0.02), "{legs:?}: {score:?}");
        // Legs that move while the body stands run on the spot. Legs that stand drag.
        assert_eq!((score.on_the_spot > 0.4, score.dragged > 0.9), (legs.is_some(), legs.is_none()));
    }
    let score = drawn_as(|time| on(walks(shuffles(time)))).without_truth().score();
    assert!(near(score.frozen, 0.5, 0.02), "{score:?}");
}

#[test]
fn dragged_is_the_part_that_moves_on_standing_legs() {
    // The legs stand from second 5 to 7, of 9 seconds that count.
    let legs = |time: f64| (!(5.0..7.0).contains(&time)).then_some(4.0);
    let score = drawn_as(|time| on(walks(time))).with_legs(legs).score();
    assert!(near(score.dragged, 2.0 / 9.0, 0.003), "{score:?}");
    // After second 10 the legs go on without the body: 5 of the 12 seconds with legs.
    assert!(near(score.on_the_spot, 5.0 / 12.0, 0.005), "{score:?}");
}

#[test]
fn slide_is_against_the_speed_of_the_animation() {
    // The animation goes at 5 m/s, the body at 4.
    let score = drawn_as(|time| on(walks(time))).with_legs(|time| (time < 10.0).then_some(5.0)).score();
    assert!(near(score.foot_slide, 0.2, 0.002), "{score:?}");
}

#[test]
fn a_shuttle_goes_backwards_and_reverses() {
    // Goes 0.75 s ahead at 8 m/s and 0.25 s back at 8 m/s, which makes 4 m/s.
    let shuttle = |time: f64| {
        let part = time.rem_euclid(1.0);
        4.0 * (time - part) + 8.0 * if part < 0.75 { part } else { 1.5 - part }
    };
    for truth in [true, false] {
        let made = drawn_as(|time| on(shuttle(time.min(10.0))));
        let score = if truth { made.score() } else { made.without_truth().score() };
        assert!(near(score.backwards, 0.25, 0.01), "{score:?}");
        // Two reversals in each of 9 seconds, of 15 seconds in all. One of them is at the edge.
        assert!(near(score.reversals_per_minute, 72.0, 6.1), "{score:?}");
        // It goes twice as far.
        assert!(near(score.path.unwrap(), 2.0, 0.02), "{score:?}");
    }
}

#[test]
fn velocity_changes_are_root_mean_square_and_the_largest_within_a_quarter_second() {
    // One change from 4 to 10 m/s at second 5, and one from 10 to 0 at second 10.
    let score =
        drawn_as(|time| on(if time < 5.0 { 4.0 * time } else { 20.0 + 10.0 * (time.min(10.0) - 5.0) }))
            .score();
    assert!(near(score.velocity_change_most, 10.0, 0.05), "{score:?}");
    // 14 s of samples, 20 per second, less the first few.
    let expected = ((36.0 + 100.0) / 278.0f32).sqrt();
    assert!(near(score.velocity_change[0], expected, 0.02), "{score:?}");
    // A change that takes 0.2 s counts in full.
    let eased = |time: f64| match time {
        time if time < 5.0 => 4.0 * time,
        time if time < 5.2 => 20.0 + 4.0 * (time - 5.0) - 10.0 * (time - 5.0).powi(2),
        _ => 20.4,
    };
    let score = drawn_as(|time| on(eased(time))).score();
    assert!(near(score.velocity_change_most, 4.0, 0.05), "{score:?}");
}

#[test]
fn jerk_is_the_third_difference() {
    // x = t³ has a jerk of 6 m/s³ everywhere.
    let cubic = |time: f64| on(time.powi(3) / 10.0);
    let score = moving_as(cubic, cubic).score();
    assert!(near(score.jerk, 0.6, 0.02), "{score:?}");
}

#[test]
fn a_contestant_that_draws_no_jump_has_no_less_jerk_for_it() {
    // A jump on the spot with 5 m/s, at second 5.
    let height = |time: f64| {
        let secs = time - 5.0;
        (5.0 * secs - 4.9 * secs * secs).max(0.0) * f64::from(u8::from(secs > 0.0))
    };
    let jumps = |time: f64| Shown { at: Vec3::new(0.0, 0.0, height(time) as f32), heading: 0.0 };
    let flat = |_| Shown { at: Vec3::ZERO, heading: 0.0 };
    let [good, bad] = [moving_as(jumps, jumps).score(), moving_as(jumps, flat).score()];
    assert!(good.jerk < 1.0 && bad.jerk < 1.0, "{good:?} {bad:?}");
    assert!(good.air_off.unwrap() < 1e-3, "{good:?}");
    // The jump is 1.28 m high.
    assert!((1.2..1.28).contains(&bad.air_off.unwrap()), "{bad:?}");
    // A leap in the air is a pop, by its speed in three dimensions.
    let leaps =
        |time: f64| Shown { at: jumps(time).at + Vec3::Z * f32::from(u8::from(time > 5.3)), heading: 0.0 };
    assert_eq!(moving_as(jumps, leaps).score().pops, 1);
}

#[test]
fn running_past_the_end_overshoots() {
    let score = drawn_as(|time| on(4.0 * time.min(10.4))).score();
    assert!(near(score.overshoot.unwrap(), 1.6, 0.01), "{score:?}");
    // It stays there.
    assert!(near(score.rest_off.unwrap(), 1.6, 0.01), "{score:?}");
}

#[test]
fn a_stop_that_takes_time_can_be_overshot() {
    // Slows down evenly from 4 m/s in the second after 10.
    let slows = |time: f64| {
        let secs = (time - 10.0).clamp(0.0, 1.0);
        on(4.0 * time.min(10.0) + 4.0 * secs - 2.0 * secs * secs)
    };
    let score = moving_as(slows, slows).score();
    assert!(score.overshoot.unwrap() < 1e-3, "{score:?}");
    let beyond = |time: f64| on(f64::from(slows(time).at.x) + 0.3 * (time - 10.5).clamp(0.0, 1.0));
    let score = moving_as(slows, beyond).score();
    assert!(near(score.overshoot.unwrap(), 0.3, 0.02), "{score:?}");
}

#[test]
fn a_sudden_turn_is_a_flick() {
    let score =
        drawn_as(|time| Shown { heading: if time > 5.0 { 270.0 } else { 90.0 }, ..on(walks(time)) }).score();
    assert_eq!(score.flicks, Some(1));
    assert_eq!(score.heading_off, Some(180.0));
}

#[test]
fn headings_have_an_error_and_an_acceleration() {
    // Ten degrees off, the short way round.
    let north = |time| Shown { heading: 355.0, ..on(walks(time)) };
    let score = moving_as(north, |time| Shown { heading: 5.0, ..north(time) }).score();
    assert!(near(score.heading_off.unwrap(), 10.0, 1e-3), "{score:?}");
    assert_eq!(score.heading_acceleration, Some(0.0));
    // h = 2 t² turns ever faster, by 4 degrees per second squared.
    let spins = |time: f64| Shown { heading: (2.0 * time * time).rem_euclid(360.0) as f32, ..on(0.0) };
    let score = moving_as(spins, spins).score();
    assert!(near(score.heading_acceleration.unwrap(), 4.0, 0.05), "{score:?}");
}

#[test]
fn recovery_is_the_time_to_the_truth_after_a_silence() {
    // Positions at seconds 3 and 6. The drawing stands from 3.5 on and is right again at 6.4.
    let draw = |time: f64| on(walks(if (3.5..6.4).contains(&time) { 3.5 } else { time }));
    let mut made = drawn_as(draw);
    made.subject.heard.retain(|heard| ![4.0, 5.0].contains(&heard.time));
    let [median, most] = made.score().secs_to_truth.unwrap();
    assert!(near(median, 0.4, 0.02) && near(most, 0.4, 0.02));
}

#[test]
fn without_a_truth_only_what_can_be_known_is_said() {
    let score = drawn_as(|time| on(walks(time))).without_truth().score();
    assert_eq!((score.metres_off, score.secs_behind, score.overshoot), (None, None, None));
    assert_eq!((score.heading_off, score.rest_off, score.air_off), (None, None, None));
    assert!(near(score.path.unwrap(), 1.0, 0.01) && score.frozen == 0.0, "{score:?}");
    assert!(score_of_truth(&drawn_as(|_| on(0.0)).without_truth().contest()).is_none());
}

#[test]
fn late_contestants_are_never_best_and_the_front_is_a_trade_off() {
    let [on_time, rough, late] = [
        drawn_as(|time| on(walks(time))).score(),
        drawn_as(|time| on(walks(time) + 0.05 * f64::from(u8::from(time.rem_euclid(0.4) < 0.2)))).score(),
        drawn_as(|time| on(walks((time - 0.6).max(0.0)))).score(),
    ];
    let worse = Score { jerk: rough.jerk + 1.0, ..rough.clone() };
    let smooth_but_late = Score { jerk: 0.0, ..late };
    let rank = rank(&[on_time, rough, worse, smooth_but_late]);
    assert_eq!(rank.late, [3]);
    // The late one has the least jerk. The rough ones are worse than the first in everything.
    assert_eq!(rank.front, [0, 3]);
    let jerk = Column::ALL.iter().position(|column| *column == Column::Jerk).unwrap();
    assert_eq!(rank.best[jerk], [0]);
}

#[test]
fn overshoots_are_compared_at_equal_delay_only() {
    let on_time = drawn_as(|time| on(4.0 * time.min(10.1))).score();
    let later = drawn_as(|time| on(walks((time - 0.3).max(0.0)))).score();
    assert!(on_time.overshoot > later.overshoot);
    let over = Column::ALL.iter().position(|column| *column == Column::Overshoot).unwrap();
    // The later one cannot overshoot, so it does not win. One alone is not best either.
    assert!(rank(&[on_time.clone(), later]).best[over].is_empty());
    let farther = drawn_as(|time| on(4.0 * time.min(10.2))).score();
    assert_eq!(rank(&[on_time, farther]).best[over], [0]);
}

#[test]
fn means_leave_out_what_is_unknown() {
    let [one, other] =
        [drawn_as(|time| on(walks(time))).score(), drawn_as(|time| on(walks(time) + 2.0)).score()];
    let unknown = Score { metres_off: None, ..other.clone() };
    let mean_of = |scores: &[&Score]| mean(scores).unwrap().metres_off.unwrap()[0];
    assert!(near(mean_of(&[&one, &other]), 1.0, 1e-3));
    assert!(near(mean_of(&[&other, &unknown]), 2.0, 1e-3));
    assert!(mean(&[]).is_none());
}

#[test]
fn fewer_frames_per_second_are_scored_but_never_best() {
    let exact = drawn_as(|time| on(walks(time))).score();
    let rough = Score { name: "rough".to_owned(), jerk: exact.jerk + 100.0, ..exact.clone() };
    let slow = Score { name: "slow".to_owned(), fps: 30.0, jerk: 0.0, ..exact.clone() };
    let ranked = rank(&[exact, rough, slow]);
    let jerk = Column::ALL.iter().position(|of| *of == Column::Jerk).unwrap();
    assert_eq!(ranked.best[jerk], [0]);
    assert!(!ranked.front.contains(&2), "{ranked:?}");
}

#[test]
fn a_drawing_with_one_frame_in_a_hundred_is_never_best() {
    let whole = drawn_as(|time| on(walks(time) + 0.1)).score();
    let mut made = drawn_as(|time| on(walks(time)));
    made.contestant.drawn[0].iter_mut().skip(200).for_each(|shown| *shown = None);
    let part = made.score();
    assert_eq!(whole.drawn, 1.0);
    assert!((0.1..0.3).contains(&part.drawn), "{part:?}");
    assert!(part.metres_off.unwrap()[1] < whole.metres_off.unwrap()[1]);
    let ranked = rank(&[whole, part]);
    assert_eq!((ranked.sparse, ranked.front), (vec![1], vec![0]));
    assert!(ranked.best.iter().all(|best| !best.contains(&1)), "{:?}", ranked.best);
}

#[test]
fn a_subject_that_is_not_drawn_lowers_the_drawn_share() {
    let made = drawn_as(|time| on(walks(time)));
    let nothing = vec![None; made.times.len()];
    let mut contest = made.contest();
    contest.subjects.push(contest.subjects[0].clone());
    contest.contestants[0].drawn.push(nothing);
    assert_eq!(score(&contest)[0].drawn, 0.5);
}

#[test]
fn unknown_headings_have_no_numbers() {
    let mut made = drawn_as(|time| on(walks(time)));
    made.contestant.lacks_headings = true;
    let score = made.score();
    assert_eq!((score.flicks, score.heading_off, score.heading_acceleration), (None, None, None));
    assert!(mean(&[&score]).unwrap().flicks.is_none());
}
