//! The run: contestants take turns, and every part of a round is timed apart.

use std::time::{Duration, Instant};

use crate::{
    contestant::{Contestant, Ingests},
    traffic::{Heard, Traffic, heard},
};

/// Median times of one contestant in nanoseconds, per entity or per update.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub advance: f64,
    pub draw: f64,
    pub ingest: f64,
}

/// Lets contestants take turns until each has had enough of them, and returns the medians of the turns.
///
/// # Panics
/// If a contestant draws an entity far from where it is heard to be. Its times would mean nothing.
pub fn measure(contestants: &mut [Box<dyn Contestant>], entities: u32) -> Vec<Times> {
    let traffic = Traffic::new(entities);
    let plan = Plan::of(entities);
    let mut turns: Vec<Vec<Times>> = contestants.iter().map(|_| Vec::new()).collect();
    let mut round = 0;
    for turn in 0..plan.warm_turns + plan.turns {
        for (contestant, turns) in contestants.iter_mut().zip(&mut turns) {
            let times = take_turn(contestant.as_mut(), &traffic, entities, round..round + plan.rounds);
            if turn >= plan.warm_turns {
                turns.push(times);
            }
        }
        round += plan.rounds;
    }
    for contestant in contestants.iter() {
        check_places(contestant.as_ref(), entities, round - 1);
    }
    turns.iter().map(|turns| medians(turns)).collect()
}

/// How often contestants take turns, so that a size takes seconds and not minutes.
struct Plan {
    warm_turns: u32,
    turns: u32,
    /// Rounds of one turn. Small crowds get more of them, so that the clock and the caches of the last contestant do not matter.
    rounds: u32,
}

impl Plan {
    fn of(entities: u32) -> Self {
        match entities {
            0..1_000 => Self { warm_turns: 2, turns: 200, rounds: 60 },
            1_000..100_000 => Self { warm_turns: 5, turns: 40, rounds: 12 },
            _ => Self { warm_turns: 42, turns: 18, rounds: 1 },
        }
    }
}

fn take_turn(
    contestant: &mut dyn Contestant,
    traffic: &Traffic,
    entities: u32,
    rounds: std::ops::Range<u32>,
) -> Times {
    let (mut advance, mut draw, mut ingest) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let (mut batch, mut updates) = (Vec::with_capacity(BATCH), 0u32);
    let steps = f64::from(rounds.len() as u32 * entities);
    for round in rounds {
        let mut coming = traffic.of_round(round);
        loop {
            batch.clear();
            batch.extend(coming.by_ref().take(BATCH));
            if batch.is_empty() {
                break;
            }
            ingest += take_in(contestant, &batch);
            updates += batch.len() as u32;
        }
        advance += timed(|| contestant.advance(round));
        draw += timed(|| contestant.draw());
        advance += timed(|| contestant.settle());
    }
    let nanos = |time: Duration, count: f64| time.as_nanos() as f64 / count;
    let ingest = if contestant.facts().ingests == Ingests::Nothing {
        f64::NAN
    } else {
        nanos(ingest, f64::from(updates))
    };
    Times { advance: nanos(advance, steps), draw: nanos(draw, steps), ingest }
}

/// Number of updates that a contestant is given at once, as from a socket. All of them stay in the cache until they are handled.
const BATCH: usize = 256;

fn take_in(contestant: &mut dyn Contestant, batch: &[Heard]) -> Duration {
    contestant.prepare(batch);
    timed(|| contestant.ingest())
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn medians(turns: &[Times]) -> Times {
    let median = |of: fn(&Times) -> f64| {
        let mut values: Vec<f64> = turns.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    Times {
        advance: median(|times| times.advance),
        draw: median(|times| times.draw),
        ingest: median(|times| times.ingest),
    }
}

/// Checks that entities are where they are heard to be, give or take the delay of a snapshot buffer.
fn check_places(contestant: &dyn Contestant, entities: u32, round: u32) {
    let facts = contestant.facts();
    if !facts.follows_truth {
        return;
    }
    for number in (0..entities).step_by(1 + entities as usize / 50) {
        let (place, truth) = (contestant.place(number), heard(number, round).position);
        let apart = place.iter().zip(truth).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt();
        assert!(apart < 6.0, "{}: entity {number} is at {place:?}, and heard to be at {truth:?}", facts.name);
    }
}
