//! What the tables have in common.

use std::error::Error;

use evenstride_trials::{Contestant, Line, Mover, Score, measure};

/// Length of a course in seconds.
const SECONDS: f64 = 120.0;

/// Updates per second of the tables.
pub(crate) const RATES: [f64; 5] = [1.0, 2.0, 5.0, 10.0, 20.0];

/// Parts of the updates that are lost.
pub(crate) const LOSSES: [f64; 3] = [0.0, 0.02, 0.1];

/// Returns the seeds of the first argument, such as `1-4`.
pub(crate) fn seeds(default: &str) -> Result<Vec<u64>, Box<dyn Error>> {
    let seeds = std::env::args().nth(1).unwrap_or_else(|| default.to_owned());
    let (first, last) = seeds.split_once('-').ok_or("seeds look like 1-4")?;
    Ok((first.parse()?..=last.parse()?).collect())
}

/// Returns the mean score of a contestant over some seeds.
pub(crate) fn score(mover: Mover, line: &Line, contestant: &Contestant, seeds: &[u64]) -> Score {
    let scores = seeds.iter().map(|&seed| {
        let course = mover.course(seed, SECONDS);
        let arrivals = line.deliver(&course, seed);
        measure(&course, &contestant.draw(&arrivals, &course))
    });
    Score::mean_of(&scores.collect::<Vec<_>>())
}
