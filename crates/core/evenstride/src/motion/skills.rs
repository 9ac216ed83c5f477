//! The skills of the local player, and the speeds that follow from them.
//!
//! A host sets them, because this crate knows neither attributes nor inventories. Remote bodies
//! have no skills here. Their run rate arrives in messages.

/// The run and jump skills of the local player, and its load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skills {
    /// Run skill, with all bonuses (default: 0).
    pub run: u32,
    /// Jump skill, with all bonuses (default: 0).
    pub jump: u32,
    /// Carried weight as a fraction of the capacity (default: 0).
    ///
    /// A load of up to 1 has no effect. From 2 on the player runs at the slowest rate and cannot
    /// jump.
    pub load: f32,
}

impl Default for Skills {
    /// Returns the skills of a beginner with an empty pack.
    fn default() -> Self {
        Self { run: 0, jump: 0, load: 0.0 }
    }
}

impl Skills {
    /// Returns skills whose [`run_rate`](Self::run_rate) is `rate`, apart from rounding to a whole
    /// skill. Jump skill and load are 0.
    ///
    /// Rates below 1 give skill 0. Rates from 4.5 on give skill 800. Rates between 3.75 and 4.5 are
    /// out of reach, and give a skill that comes close to 3.75.
    pub fn running_at(rate: f32) -> Self {
        let part = f64::from(((rate - 1.0) * 4.0 / 11.0).clamp(0.0, 0.999));
        let run = match libm::round(200.0 * part / (1.0 - part)) as u32 {
            _ if rate >= 4.5 => 800,
            // 800 is the client's exception, and much faster than its neighbours.
            800 => 799,
            run => run,
        };
        Self { run, ..Self::default() }
    }

    /// Returns how many times faster than the slowest runner the player runs.
    ///
    /// The formula is that of the 2013 client for its own player. The result is at least 1 and at
    /// most 3.75, with one exception that the client has too. A skill of exactly 800 gives 4.5,
    /// regardless of the load.
    pub fn run_rate(&self) -> f32 {
        if self.run == 800 {
            return 4.5;
        }
        let skill = self.run as f32;
        (self.ease() * (skill / (skill + 200.0)) * 11.0 + 4.0) / 4.0
    }

    /// Returns the upward speed of a jump in metres per second.
    ///
    /// The formula is that of the 2013 client for its own player. `extent` is the charge of the
    /// jump, limited to the range from 0 to 1. No jump is lower than 0.35 m.
    pub fn jump_speed(&self, extent: f32) -> f32 {
        let skill = self.jump as f32;
        let height = self.ease() * (skill / (skill + 1300.0) * 22.2 + 0.05) * extent.clamp(0.0, 1.0);
        libm::sqrtf(19.6 * height.max(0.35))
    }

    /// Returns the fraction of the skill that remains under the load, 0 to 1.
    fn ease(&self) -> f32 {
        // A load that is NaN fails the comparison and counts as none.
        if self.load >= 1.0 { (2.0 - self.load).max(0.0) } else { 1.0 }
    }

    /// Returns whether the load allows a jump. A load that is NaN does.
    pub(crate) fn can_jump(&self) -> bool {
        self.load.is_nan() || self.load < 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skills_give_the_speeds_of_the_clients_formulas() {
        let skills = |run, jump, load| Skills { run, jump, load };
        assert_eq!(Skills::default().run_rate(), 1.0);
        assert_eq!(skills(200, 0, 0.0).run_rate(), (5.5 + 4.0) / 4.0);
        assert_eq!(skills(800, 0, 0.0).run_rate(), 4.5);
        assert!(skills(801, 0, 0.0).run_rate() < 3.3);
        assert_eq!(skills(200, 0, 1.5).run_rate(), (2.75 + 4.0) / 4.0);
        assert_eq!((skills(900, 0, 2.0).run_rate(), skills(900, 0, 9.0).run_rate()), (1.0, 1.0));
        // No jump is lower than 35 cm.
        assert!((skills(0, 0, 0.0).jump_speed(1.0) - libm::sqrtf(19.6 * 0.35)).abs() < 1e-6);
        let high = skills(0, 1300, 0.0);
        assert!((high.jump_speed(1.0) - libm::sqrtf(19.6 * 11.15)).abs() < 1e-4);
        assert!(high.jump_speed(0.5) < high.jump_speed(1.0));
        assert!(skills(1, 1, f32::NAN).jump_speed(f32::NAN).is_finite());
    }
}
