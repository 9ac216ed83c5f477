//! What is simulated is a session like any other.

use evenstride_arena::{LIBRARY, scenario, simulate};
use evenstride_capture::{Session, Timeline, read};
use evenstride_replay::{Recorder, Recording};

fn recorded(pcap: &[u8]) -> Recording {
    let mut session = Session::new(Recorder::new("simulated", Timeline::default()));
    read(pcap, &mut session).unwrap();
    let totals = session.totals();
    assert_eq!((totals.faults, totals.checksum_failures), (0, 0), "{totals:?}");
    session.listener.finish(None)
}

#[test]
fn every_scenario_makes_a_capture_without_a_fault() {
    for entry in LIBRARY {
        let scenario = scenario(entry.name).unwrap().unwrap();
        let simulated = simulate(&scenario, 1).unwrap();
        let recording = recorded(&simulated.pcap);
        assert_eq!(recording.fault_count, 0, "{}: {:?}", entry.name, recording.faults);
        assert_eq!(recording.player, Some(evenstride_arena::VIEWER), "{}", entry.name);
        assert!(!simulated.truth.is_empty(), "{}", entry.name);
        println!(
            "{:<20} {:>6} messages {:>8} bytes {:?}",
            entry.name,
            recording.messages.len(),
            simulated.pcap.len(),
            simulated.link
        );
    }
}

#[test]
fn the_same_seed_makes_the_same_bytes_and_another_others() {
    let scenario = scenario("town-square").unwrap().unwrap();
    let bytes = |seed| simulate(&scenario, seed).unwrap().pcap;
    assert!(bytes(1) == bytes(1));
    assert!(bytes(1) != bytes(2));
}
