//! How long forwarding takes.

/// A count of delays by size, in buckets whose bounds double.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delays {
    buckets: [u64; Self::BUCKETS],
    total_nanos: u64,
}

impl Default for Delays {
    fn default() -> Self {
        Self { buckets: [0; Self::BUCKETS], total_nanos: 0 }
    }
}

impl Delays {
    const BUCKETS: usize = 21;

    /// Adds a delay in seconds.
    pub fn add(&mut self, seconds: f64) {
        let nanos = (seconds.max(0.0) * 1e9).round() as u64;
        // A delay that equals a bound is within it.
        let micros = nanos.saturating_sub(1) / 1_000;
        let bucket = (u64::BITS - micros.leading_zeros()) as usize;
        self.buckets[bucket.min(Self::BUCKETS - 1)] += 1;
        self.total_nanos = self.total_nanos.saturating_add(nanos);
    }

    /// Returns the number of delays.
    pub fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// Returns the sum of all delays in seconds.
    pub fn sum_secs(&self) -> f64 {
        self.total_nanos as f64 / 1e9
    }

    /// Returns a bound in seconds that this part of the delays did not exceed, or `None` without any. Delays of
    /// more than a second count as one.
    pub fn quantile(&self, part: f64) -> Option<f64> {
        let wanted = (self.count() as f64 * part.clamp(0.0, 1.0)).ceil() as u64;
        let mut seen = 0;
        let bucket = self.buckets.iter().position(|count| {
            seen += count;
            seen >= wanted && seen > 0
        })?;
        Some(bound(bucket))
    }

    /// Returns the upper bounds of all buckets in seconds, each with the number of delays up to it. The last
    /// bucket has no bound and is left out.
    pub fn cumulative(&self) -> impl Iterator<Item = (f64, u64)> {
        let mut seen = 0;
        self.buckets[..Self::BUCKETS - 1].iter().enumerate().map(move |(bucket, count)| {
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
        assert!((delays.sum_secs() - 3.99e-3).abs() < 1e-9);
        delays.add(1e9);
        delays.add(-1.0);
        // A delay of more than a second is within no bound.
        assert_eq!((delays.count(), delays.cumulative().last().map(|(_, count)| count)), (102, Some(101)));
    }
}
