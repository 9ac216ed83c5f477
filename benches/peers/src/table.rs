//! The numbers as tables.

use crate::{
    contestant::{Contestant, Facts, Ingests},
    measure::Times,
};

/// Prints the times of all contestants, with this library's as a part of theirs.
pub fn print(contestants: &[Box<dyn Contestant>], times: &[Times], entities: u32) {
    let [routes, legs] = [times[0], times[1]];
    println!(
        "\n{entities} entities, nanoseconds each, and ours as a part of theirs (lower is better for us):\n"
    );
    println!(
        "| contestant | advance | routes / theirs | trailing / theirs | draw | ingest | routes / theirs |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (index, (contestant, times)) in contestants.iter().zip(times).enumerate() {
        let ratio = |ours: f64, theirs: f64| {
            if index < OURS || theirs.is_nan() { "–".to_owned() } else { format!("{:.2}", ours / theirs) }
        };
        let nanos = |nanos: f64| if nanos.is_nan() { "–".to_owned() } else { format!("{nanos:.1}") };
        // What is under a nanosecond is the clock alone.
        let draw = if times.draw < 1.0 { "–".to_owned() } else { nanos(times.draw) };
        println!(
            "| {} | {} | {} | {} | {draw} | {} | {} |",
            contestant.facts().name,
            nanos(times.advance),
            ratio(routes.advance, times.advance),
            ratio(legs.advance, times.advance),
            nanos(times.ingest),
            ratio(routes.ingest, times.ingest),
        );
    }
}

/// Prints what each contestant does for its time, and the aims.
pub fn print_facts(contestants: &[Box<dyn Contestant>]) {
    println!();
    for contestant in contestants {
        let Facts { name, does, does_not, ingests, .. } = contestant.facts();
        let ingests = match ingests {
            Ingests::ById => "Updates find their entity by id.",
            Ingests::ByHandle => "Updates come with the entity itself, without a look-up.",
            Ingests::Nothing => "It takes no updates.",
        };
        println!("- {name}: {does} {does_not} {ingests}");
    }
    println!(
        "\nAims: advance takes at most 0.6 of a contestant's time at each size. Batch ingest takes at most 1.0 of the time of a contestant\n\
         that looks up ids, and at most 1.3 of the time of others."
    );
}

/// Number of contestants that are this library.
const OURS: usize = 3;
