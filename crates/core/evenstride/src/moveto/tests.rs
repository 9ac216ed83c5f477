//! Tests of the choices and the arithmetic in a move-to that need no body, with precomputed
//! results.

use evenstride_types::update::{HoldKey, MotionCommand, MoveToFlags};

use crate::motion::{
    goal::{
        Progress,
        choice::facing,
        steering::correction,
        turns::{is_past, turn_left_to_do},
    },
    interpreted_motion::NONE,
    interpreter::{Walker, adjust},
    movement_params::MovementParams,
};

const WALK: MotionCommand = MotionCommand::WALK_FORWARD;
const LEFT: MotionCommand = MotionCommand::TURN_LEFT;
const RIGHT: MotionCommand = MotionCommand::TURN_RIGHT;

fn params(flags: u32) -> MovementParams {
    MovementParams { flags: MoveToFlags::from_bits_retain(flags), ..MovementParams::DEFAULT }
}

#[test]
fn t2_farther_than_the_threshold_is_run_and_exactly_as_far_is_walked() {
    let plain = params(0x1_EA0F);
    assert_eq!(plain.choose(15.5).hold_key, HoldKey::NONE);
    assert_eq!(plain.choose(15.7).hold_key, HoldKey::RUN);
    let edge = MovementParams { near: 0.5, ..plain };
    assert_eq!(edge.choose(15.5).hold_key, HoldKey::NONE);
}

#[test]
fn t3_who_can_charge_runs_and_who_cannot_walk_runs_and_who_cannot_run_walks() {
    assert_eq!(params(0x1_EE1F).choose(1.0).hold_key, HoldKey::RUN);
    assert_eq!(params(0x1_EE0E).choose(0.7).hold_key, HoldKey::RUN);
    assert_eq!(params(0x1_EE0D).choose(100.0).hold_key, HoldKey::NONE);
}

#[test]
fn t8_fleeing_is_walking_forward_and_away() {
    let flee = MovementParams { far: 5.0, ..params(0x1_E90F) };
    assert_eq!(flee.choose(2.0).command, Some((WALK, true)));
    assert_eq!(flee.choose(5.0).command, None);
    assert_eq!(facing(WALK, true), 180.0);
}

#[test]
fn t9_between_near_and_far_there_is_nothing_to_do() {
    let both = MovementParams { near: 3.0, far: 1.0, ..params(0x1_EB0F) };
    assert_eq!(both.choose(5.0).command, Some((WALK, false)));
    assert_eq!(both.choose(2.0).command, None);
    assert_eq!(both.choose(0.5).command, Some((MotionCommand::WALK_BACKWARDS, true)));
    // The body keeps facing its target.
    assert_eq!(facing(MotionCommand::WALK_BACKWARDS, true), 0.0);
    assert_eq!(facing(MotionCommand::WALK_BACKWARDS, false), 180.0);
}

#[test]
fn neither_towards_nor_away_is_towards() {
    assert_eq!(params(0x1_EC0F).choose(10.0), params(0x1_EE0F).choose(10.0));
}

#[test]
fn t6_a_turn_to_the_right_must_pass_its_goal_and_one_to_the_left_reach_it() {
    for (heading, is_done) in [(350.0, false), (5.0, false), (10.0, false), (10.5, true)] {
        assert_eq!(is_past(heading, 10.0, RIGHT), is_done, "{heading}");
    }
    for (heading, is_done) in [(10.0, false), (355.0, false), (350.0, true), (349.0, true)] {
        assert_eq!(is_past(heading, 350.0, LEFT), is_done, "{heading}");
    }
    assert_eq!(turn_left_to_do(10.0, 350.0, RIGHT), 20.0);
    assert_eq!(turn_left_to_do(10.0, 350.0, LEFT), 340.0);
}

#[test]
fn t7_steering_begins_beyond_20_degrees_and_goes_the_shorter_way() {
    for straight in [0.0, 15.0, 20.0, 340.0, 350.0] {
        assert_eq!(correction(straight), NONE, "{straight}");
    }
    for right in [20.1, 90.0, 179.9] {
        assert_eq!(correction(right), RIGHT, "{right}");
    }
    for left in [180.0, 270.0, 339.9] {
        assert_eq!(correction(left), LEFT, "{left}");
    }
}

#[test]
fn t11_headway_is_a_quarter_metre_a_second_and_a_failed_window_goes_on_growing() {
    let begun = Progress::from(10.0, 0.0);
    let check = |progress: &mut Progress, now, distance| progress.check(distance, false, now);
    let mut progress = begun;
    assert!(check(&mut progress, 1.0, 9.95), "everything counts for a second");
    assert!(!check(&mut progress, 1.05, 9.9));
    assert_eq!(progress, begun, "and nothing is stored");
    assert!(!check(&mut progress, 5.0, 8.8));
    assert!(check(&mut progress, 5.0, 8.7));
    assert_eq!((progress.distance, progress.at), (8.7, 5.0));
    // This case is set up by hand, because in play the total cannot fail while the window passes.
    let mut late = Progress { distance: 8.0, at: 20.0, first_distance: 10.0, first_at: 0.0 };
    assert!(!check(&mut late, 21.1, 7.7));
    assert!(check(&mut late, 21.2, 7.7), "a new window has begun");
}

#[test]
fn t11_after_news_of_its_target_who_flees_makes_no_headway_any_more() {
    let mut progress = Progress::unknown(0.0);
    assert!(progress.check(3.0, false, 1.5));
    let mut progress = Progress::unknown(0.0);
    assert!(progress.check(30.0, true, 1.0));
    assert!(!progress.check(3_000.0, true, 1.5));
}

/// Two motions share one pace. After a turn to the left was ended, ending a run becomes ending a
/// walk backwards, which the body is not doing.
#[test]
fn t21_after_ending_a_turn_to_the_left_the_same_pace_does_not_end_a_run() {
    let walker = Walker { walks: true, hold_key: HoldKey::NONE, run_rate: 2.0 };
    let (turn, pace) = adjust(LEFT, 1.0, HoldKey::RUN, &walker);
    assert_eq!((turn, pace), (RIGHT, -1.5));
    assert_eq!(adjust(WALK, pace, HoldKey::RUN, &walker), (WALK, -3.0));
    assert_eq!(adjust(WALK, 1.0, HoldKey::RUN, &walker), (MotionCommand::RUN_FORWARD, 2.0));
}
