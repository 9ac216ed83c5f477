//! Time that a contestant takes, on hosts that have a clock.

/// Measures time since its start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(#[cfg(not(target_family = "wasm"))] std::time::Instant);

impl Stopwatch {
    /// Starts to measure.
    pub(crate) fn start() -> Self {
        Self(
            #[cfg(not(target_family = "wasm"))]
            std::time::Instant::now(),
        )
    }

    /// Returns the seconds since the start. In a browser there is no clock, so it returns 0.
    pub(crate) fn secs(self) -> f64 {
        #[cfg(not(target_family = "wasm"))]
        return self.0.elapsed().as_secs_f64();
        #[cfg(target_family = "wasm")]
        0.0
    }
}
