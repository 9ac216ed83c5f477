//! How well the local player runs and jumps.

/// How well the local player runs and jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skills {
    /// Run skill.
    pub run: u32,
    /// Jump skill.
    pub jump: u32,
    /// What it carries, as part of what it can carry: from 2 on it can neither run nor jump.
    pub load: f32,
}

impl Default for Skills {
    /// A beginner with an empty pack.
    fn default() -> Self {
        Self { run: 0, jump: 0, load: 0.0 }
    }
}

impl Skills {
    /// Returns the run skill of a given run rate: the inverse of [`Skills::run_rate`].
    pub fn running_at(rate: f32) -> Self {
        let part = f64::from(((rate - 1.0) * 4.0 / 11.0).clamp(0.0, 0.999));
        let skill = libm::round(200.0 * part / (1.0 - part));
        Self { run: if rate >= 4.5 { 800 } else { skill as u32 }, ..Self::default() }
    }

    /// How many times faster than the slowest runner, by the formula the 2013 client has for its own player.
    ///
    /// The client's odd case is kept: a skill of exactly 800 runs at 4.5, more than any other.
    pub fn run_rate(&self) -> f32 {
        if self.run == 800 {
            return 4.5;
        }
        let skill = self.run as f32;
        (self.ease() * (skill / (skill + 200.0)) * 11.0 + 4.0) / 4.0
    }

    /// Metres a second upwards of a jump charged so far, by the formula the 2013 client has for its own player.
    pub fn jump_speed(&self, extent: f32) -> f32 {
        let skill = self.jump as f32;
        let height = self.ease() * (skill / (skill + 1300.0) * 22.2 + 0.05) * extent.clamp(0.0, 1.0);
        libm::sqrtf(19.6 * height.max(0.35))
    }

    /// How much of its skill the load leaves, 0 to 1.
    fn ease(&self) -> f32 {
        // Not a number carries nothing.
        if self.load >= 1.0 { (2.0 - self.load).max(0.0) } else { 1.0 }
    }

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
