//! The whole library, the numbers of all methods: a change in behaviour is a diff here.

use std::fmt::Write;

use evenstride::Config;
use evenstride_arena::{LIBRARY, VIEWER, contest, scenario, score, score_of_truth, table};
use evenstride_capture::{Session, Timeline, read};
use evenstride_replay::{Recorder, ReplayOptions, Script, Summary, replay};

#[test]
fn the_scorecard_of_the_whole_library() {
    let mut out = String::new();
    for entry in LIBRARY {
        let scenario = scenario(entry.name).unwrap().unwrap();
        let (contest, _) = contest(&scenario, 1).unwrap();
        let _ = writeln!(
            out,
            "## {}: {}\n\n{}",
            entry.name,
            scenario.title,
            table(&score(&contest), score_of_truth(&contest).as_ref())
        );
    }
    insta::assert_snapshot!(out);
}

/// The fault that the card could not see while it counted frozen frames only with running legs.
#[test]
fn the_stop_and_go_of_a_chase_is_seen() {
    let (contest, _) = contest(&scenario("chase-5hz").unwrap().unwrap(), 1).unwrap();
    let scores = score(&contest);
    let smooth = scores.iter().find(|score| score.name == "smooth").unwrap();
    assert_eq!(smooth.pops, 0, "{smooth:?}");
    assert!(smooth.frozen > 0.1, "{smooth:?}");
}

#[test]
fn a_profile_that_knows_the_ramps_is_not_the_same_as_one_that_does_not() {
    let jerk = |ramps: f32| {
        let mut scenario = scenario("run-1hz").unwrap().unwrap();
        scenario.ramps = ramps;
        let (contest, _) = contest(&scenario, 1).unwrap();
        score(&contest).into_iter().find(|score| score.name == "smooth").unwrap().metres_off.unwrap()[2]
    };
    // With starts and stops of its own table, a runner is shown to the centimetre but for the delay.
    assert!(jerk(1.0) < jerk(0.7) && jerk(1.0) < jerk(1.4));
}

#[test]
fn a_replay_of_the_capture_is_the_simulated_client_bit_for_bit() {
    let scenario = scenario("town-square").unwrap().unwrap();
    let (contest, simulated) = contest(&scenario, 3).unwrap();
    let mut session = Session::new(Recorder::new("town-square.pcap", Timeline::default()));
    read(simulated.pcap.as_slice(), &mut session).unwrap();
    let script = Script::of(vec![(session.listener.finish(None), 0.0)], None);
    assert_eq!(script.player, Some(VIEWER));
    let ours =
        ["retail", "acdream", "smooth"].into_iter().zip([Config::RETAIL, Config::ACDREAM, Config::SMOOTH]);
    for (name, config) in ours {
        let options =
            ReplayOptions { config, fps: scenario.fps, to: scenario.seconds, ..ReplayOptions::default() };
        let replayed = replay(&script, &options, &mut Summary::new(&script));
        let contestant = contest.contestants.iter().find(|one| one.name == name).unwrap();
        assert_eq!(contestant.state_hash, Some(replayed.state_hash), "{name}");
    }
}
