//! How long forwarding takes.

/// A count of delays by size, in buckets whose bounds double.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delays {
    buckets: [u64; Self::BUCKETS],
    total_micros: u64,
}

impl Default for Delays {
    fn default() -> Self {
        Self { buckets: [0; Self::BUCKETS], total_micros: 0 }
    }
}

impl Delays {
    const BUCKETS: usize = 21;

    /// Adds a delay in seconds.
    pub fn add(&mut self, seconds: f64) {
        let micros = (seconds.max(0.0) * 1e6) as u64;
        let bucket = (u64::BITS - micros.leading_zeros()) as usize;
        self.buckets[bucket.min(Self::BUCKETS - 1)] += 1;
        self.total_micros = self.total_micros.saturating_add(micros);
    }

    /// Returns the number of delays.
    pub fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// Returns the sum of all delays in seconds.
    pub fn sum_secs(&self) -> f64 {
        self.total_micros as f64 / 1e6
    }

    /// Returns a bound in seconds that this part of the delays did not exceed, or `None` without any.
    pub fn quantile(&self, part: f64) -> Option<f64> {
        let wanted = (self.count() as f64 * part.clamp(0.0, 1.0)).ceil() as u64;
        let mut seen = 0;
        let bucket = self.buckets.iter().position(|count| {
            seen += count;
            seen >= wanted && seen > 0
        })?;
        Some(bound(bucket))
    }

    /// Returns the upper bounds of all buckets in seconds, each with the number of delays up to it.
    pub fn cumulative(&self) -> impl Iterator<Item = (f64, u64)> {
        let mut seen = 0;
        self.buckets.iter().enumerate().map(move |(bucket, count)| {
            seen += count;
            (bound(bucket), seen)
        })
    }
}

fn bound(bucket: usize) -> f64 {
    (1u64 << bucket) as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_upper_bounds() {
        let mut delays = Delays::default();
        assert_eq!(delays.quantile(0.5), None);
        (0..99).for_each(|_| delays.add(10e-6));
        delays.add(3e-3);
        assert_eq!((delays.quantile(0.5), delays.quantile(0.99)), (Some(16e-6), Some(16e-6)));
        assert_eq!(delays.quantile(1.0), Some(4_096e-6));
        assert_eq!((delays.count(), delays.cumulative().last().map(|(_, count)| count)), (100, Some(100)));
        delays.add(1e9);
        delays.add(-1.0);
        assert_eq!(delays.count(), 102);
    }
}
