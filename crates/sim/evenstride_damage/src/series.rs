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
    /// other files are made, and none may take longer than two seconds.
    ///
    /// # Panics
    ///
    /// If the variable is not a number.
    pub fn from_env(variable: &str, usual: usize) -> Self {
        match std::env::var(variable) {
            Ok(count) => {
                let count = count.parse().unwrap_or_else(|_| panic!("{variable}: `{count}` is not a number"));
                Self { count, seed: 2, longest: Duration::from_secs(2) }
            }
            Err(_) => Self { count: usual, seed: 1, longest: Duration::MAX },
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
