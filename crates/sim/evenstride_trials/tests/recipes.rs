//! The recipes compile, are short, and keep their promises on fixed seeds.

#[path = "../examples/recipes/creatures.rs"]
mod creatures;
#[path = "../examples/recipes/drone.rs"]
mod drone;
#[path = "../examples/recipes/players.rs"]
mod players;
#[path = "../examples/recipes/shooter.rs"]
mod shooter;
#[path = "../examples/recipes/trial.rs"]
mod trial;
#[path = "../examples/recipes/vehicle.rs"]
mod vehicle;

use trial::trials;

/// Largest number of lines that a user writes.
const MAX_LINES: usize = 40;

#[test]
fn a_user_writes_at_most_forty_lines() {
    for trial in trials() {
        let lines = trial.lines_of_code();
        assert!(lines <= MAX_LINES, "{}: {lines} lines", trial.name);
    }
}

#[test]
fn recipes_are_earlier_and_nearer_than_snapshot_buffers() {
    for trial in trials() {
        let [ours, lightyear, mirror] = trial.scores(&[1]);
        for (name, rival) in [("lightyear", lightyear), ("Mirror", mirror)] {
            assert!(ours.behind + 0.05 < rival.behind, "{}: {ours:?}, {name} {rival:?}", trial.name);
            assert!(ours.p95 < rival.p95, "{}: {ours:?}, {name} {rival:?}", trial.name);
        }
        assert!(ours.frozen < 2.0, "{}: {ours:?}", trial.name);
    }
}
