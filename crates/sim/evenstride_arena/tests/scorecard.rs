//! The whole library, everybody's numbers: a change in behaviour is a diff here.

use std::fmt::Write;

use evenstride_arena::{LIBRARY, contest, scenario, score, table};

#[test]
fn the_scorecard_of_the_whole_library() {
    let mut out = String::new();
    for entry in LIBRARY {
        let scenario = scenario(entry.name).unwrap().unwrap();
        let (contest, _) = contest(&scenario, 1).unwrap();
        let _ = writeln!(out, "## {}: {}\n\n{}", entry.name, scenario.title, table(&score(&contest)));
    }
    insta::assert_snapshot!(out);
}
