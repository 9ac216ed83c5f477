//! The longest time that a test may take for one file.

use std::time::{Duration, Instant};

/// Runs a function, and checks that it takes at most `longest`.
///
/// # Panics
///
/// If it takes longer. The message begins with `what`.
pub fn within<T>(longest: Duration, what: &str, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    let took = start.elapsed();
    assert!(took <= longest, "{what} took {took:?}");
    result
}
