//! Reproducible numbers for workloads.

use evenstride_types::Vec3;

/// A linear congruential generator whose upper bits are scaled.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) const fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number between −reach and reach.
    pub(crate) fn next(&mut self, reach: f32) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let part = (self.0 >> 40) as f32 / (1u32 << 23) as f32;
        (part - 1.0) * reach
    }

    pub(crate) fn vector(&mut self, reach: f32) -> Vec3 {
        Vec3::new(self.next(reach), self.next(reach), self.next(reach))
    }
}
