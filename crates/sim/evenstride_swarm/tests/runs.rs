//! A few runs of each kind. `cargo xtask test --long` and the program play many more.

use evenstride_swarm::{
    draw::Draw,
    play::play,
    script::{any_plain, any_world, honest_world},
};

#[test]
fn worlds_keep_their_promises_whatever_happens() {
    for seed in 0..60 {
        let script = any_world(&mut Draw::seeded(seed));
        if let Err(broken) = play(&script) {
            panic!("seed {seed}: {broken}");
        }
    }
}

#[test]
fn bodies_stand_where_an_honest_server_put_them() {
    for seed in 0..25 {
        let script = honest_world(&mut Draw::seeded(seed));
        if let Err(broken) = play(&script) {
            panic!("seed {seed}: {broken}");
        }
    }
}

#[test]
fn plain_worlds_keep_their_promises_whatever_happens() {
    for seed in 0..60 {
        let script = any_plain(&mut Draw::seeded(seed));
        if let Err(broken) = play(&script) {
            panic!("seed {seed}: {broken}");
        }
    }
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
