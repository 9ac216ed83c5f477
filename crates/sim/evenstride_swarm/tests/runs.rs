//! A few runs of each kind. `cargo xtask test --long` and the program play many more.

use std::ops::Range;

use evenstride_swarm::{
    draw::Draw,
    play::{Script, Subject, play},
    script::{any_plain, any_world, honest_world},
};

/// Plays the script of each seed.
fn all_keep_their_promises<S: Subject>(seeds: Range<u64>, script: fn(&mut Draw<'_>) -> Script<S>) {
    for seed in seeds {
        if let Err(broken) = play(&script(&mut Draw::seeded(seed))) {
            panic!("seed {seed}: {broken}");
        }
    }
}

#[test]
fn worlds_keep_their_promises_whatever_happens() {
    all_keep_their_promises(0..60, any_world);
}

#[test]
fn bodies_stand_where_an_honest_server_put_them() {
    all_keep_their_promises(0..25, honest_world);
}

#[test]
fn plain_worlds_keep_their_promises_whatever_happens() {
    all_keep_their_promises(0..60, any_plain);
}

/// Notices that a panic of the host left behind, a jump of absurd speed, and a rest that began after the
/// body's clock. A change of what is drawn makes these other runs.
#[test]
fn runs_that_broke_a_promise_once_keep_it() {
    for seed in [2_007_570, 2_017_895, 2_026_662, 2_047_239] {
        let tally = evenstride_swarm::swarm::run(seed);
        assert!(tally.findings.is_empty(), "seed {seed}: {:?}", tally.findings);
    }
}

/// Bytes that a fuzzer may give, among them none.
#[test]
fn any_bytes_are_a_script() {
    for length in [0, 1, 7, 60, 400] {
        let bytes: Vec<u8> = (0..length).map(|index| (index * 37 % 251) as u8).collect();
        assert!(play(&any_world(&mut Draw::from_bytes(&bytes))).is_ok());
        assert!(play(&any_plain(&mut Draw::from_bytes(&bytes))).is_ok());
    }
}
