//! Reproducible random numbers.

/// The generator SplitMix64, with its published constants and 64 bits of state. It is not suitable
/// for secrets.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a generator. Adjacent seeds give unrelated numbers.
    pub const fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 up to but not including 1.
    pub const fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a number from `low` up to but not including `high`.
    pub const fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Returns `true` with this probability. It always draws one number, even if the probability is
    /// 0 or 1.
    pub const fn happens(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Returns a number from −1 to 1 with a bell-shaped distribution, which is the scaled sum of
    /// three uniform numbers.
    pub const fn bell(&mut self) -> f64 {
        (self.unit() + self.unit() + self.unit()) * (2.0 / 3.0) - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_range_and_spread() {
        let mut random = Random::seeded(1);
        let mut tenths = [0u32; 10];
        for _ in 0..10_000 {
            let unit = random.unit();
            assert!((0.0..1.0).contains(&unit));
            tenths[(unit * 10.0) as usize] += 1;
            assert!(random.bell().abs() <= 1.0);
        }
        assert!(tenths.iter().all(|count| (850..1150).contains(count)), "{tenths:?}");
    }

    #[test]
    fn the_first_numbers_are_those_of_the_published_generator() {
        let mut random = Random::seeded(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
