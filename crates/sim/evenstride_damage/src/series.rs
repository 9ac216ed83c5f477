//! A series of damaged files, which is short in every test run and long on demand.

use std::time::{Duration, Instant};

use crate::Dice;

/// How many files a test damages, and how.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    /// Number of files.
    pub count: usize,
    seed: u64,
    longest: Duration,
}

impl Series {
    /// Returns a series of `usual` files, or of as many as an environment variable says. In a longer series
    /// other files are made, and none may take longer than two seconds. `EVENSTRIDE_DAMAGE_SEED` names
    /// another longer series, so that several can be read at the same time (default: 2).
    ///
    /// # Panics
    ///
    /// If a variable is not a number.
    pub fn from_env(variable: &str, usual: usize) -> Self {
        match number_in(variable) {
            Some(count) => {
                let seed = number_in("EVENSTRIDE_DAMAGE_SEED").unwrap_or(2);
                Self { count: count as usize, seed, longest: Duration::from_secs(2) }
            }
            None => Self { count: usual, seed: 1, longest: Duration::MAX },
        }
    }

    /// Returns the decisions for one file.
    pub const fn dice(&self, number: usize) -> Dice {
        Dice::new(self.seed, number as u64)
    }

    /// Returns the name of one file, by which it can be made again.
    pub fn name(&self, number: usize, what: &str) -> String {
        format!("file {number} of seed {} ({what})", self.seed)
    }

    /// Reads a file, and checks that it does not take too long.
    ///
    /// # Panics
    ///
    /// If it does. The message begins with `name`.
    pub fn timed<T>(&self, name: &str, read: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = read();
        let took = start.elapsed();
        assert!(took <= self.longest, "{name} took {took:?}");
        result
    }
}

/// Returns the number in an environment variable, or `None` if it is not set.
fn number_in(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable}: `{text}` is not a number")))
}
