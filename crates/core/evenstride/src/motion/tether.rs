//! The tether: how far a body may go on its own after the last word from the server.

use evenstride_types::{CellId, Pose, length};

/// A leash on the *path* travelled since it was armed: free at first, then ever shorter steps, then none.
///
/// It sees what root motion, route and follow ask for, not what velocity adds. Since a remote's tether is armed at the body's own
/// position with every accepted update, it only ever bites when updates stop.
///
/// Retail: `ConstraintManager::adjust_offset` (11.4186 @ 0x00556180)
/// Disputed: ACE assigns the length of the last step instead of adding it up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tether {
    /// Metres of path since it was armed, plus the distance to the anchor at that moment.
    pub travelled: f32,
    /// From here on steps shrink.
    pub start: f32,
    /// Here they are zero.
    pub max: f32,
    pub is_on: bool,
}

/// How long a tether is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leeway {
    pub start: f32,
    pub max: f32,
}

impl Leeway {
    /// By where the body is.
    ///
    /// Retail: `CPhysicsObj::GetStartConstraintDistance` (11.4186 @ 0x0050EBC0)
    /// Retail: `CPhysicsObj::GetMaxConstraintDistance` (11.4186 @ 0x0050EC10)
    /// Disputed: ACE has the two start distances the other way round.
    #[inline]
    pub const fn of(cell: CellId) -> Self {
        if cell.is_indoor() { Self { start: 5.0, max: 20.0 } } else { Self { start: 10.0, max: 50.0 } }
    }
}

impl Tether {
    /// Arms the tether; `from_anchor` is how far the body is from the anchor now.
    ///
    /// Retail: `ConstraintManager::ConstrainTo` (11.4186 @ 0x00556240)
    #[inline]
    pub fn arm(&mut self, from_anchor: f64, leeway: Leeway) {
        *self = Self { travelled: from_anchor as f32, start: leeway.start, max: leeway.max, is_on: true };
    }

    /// Whether hardly anything of it is left, on or off.
    ///
    /// Retail: `ConstraintManager::IsFullyConstrained` (11.4186 @ 0x005560D0)
    pub fn is_taut(&self) -> bool {
        f64::from(self.travelled) > f64::from(self.max) * 0.9
    }

    /// Lets go; what was travelled is remembered.
    ///
    /// Retail: `ConstraintManager::UnConstrain` (11.4186 @ 0x005560C0)
    pub const fn release(&mut self) {
        self.is_on = false;
    }

    /// How much of an offset of this length is allowed, 0 to 1; counts the allowed part as travelled.
    #[inline]
    pub fn allow(&mut self, offset_length: f64, in_contact: bool) -> f64 {
        let mut part = 1.0;
        if in_contact {
            if self.travelled >= self.max {
                part = 0.0;
            } else if self.travelled > self.start {
                let (travelled, start, max) =
                    (f64::from(self.travelled), f64::from(self.start), f64::from(self.max));
                part = (max - travelled) / (max - start);
            }
        }
        self.travelled = (f64::from(self.travelled) + offset_length * part) as f32;
        part
    }
}

/// Shortens an offset by what the tether allows.
pub(crate) fn hold_back(tether: &mut Tether, in_contact: bool, offset: &mut Pose) {
    if !tether.is_on {
        return;
    }
    let part = tether.allow(length(offset.origin()), in_contact);
    if part < 1.0 {
        let shorter = (offset.origin().as_dvec3() * part).as_vec3();
        // A shorter offset is within bounds if the offset was; one that was not stays as it is and is refused later.
        *offset = offset.with_origin(shorter).unwrap_or(*offset);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_dies_out_before_the_end_of_the_tether() {
        let mut tether = Tether::default();
        tether.arm(0.0, Leeway { start: 10.0, max: 50.0 });
        (0..30_000).for_each(|_| _ = tether.allow(0.1, true));
        assert!((49.0..=50.0).contains(&tether.travelled), "{}", tether.travelled);
        // After a further raw path L the travelled length is max − (max − start)·e^(−L/(max − start)).
        tether.arm(0.0, Leeway { start: 10.0, max: 50.0 });
        let walked: f64 = (0..5_000).map(|_| tether.allow(0.01, true) * 0.01).sum();
        assert!((walked - (50.0 - 40.0 * libm::exp(-1.0))).abs() < 0.02, "{walked}");
    }

    #[test]
    fn in_the_air_it_only_counts() {
        let mut tether = Tether::default();
        tether.arm(100.0, Leeway { start: 5.0, max: 20.0 });
        assert_eq!(tether.allow(1.0, true), 0.0);
        assert_eq!(tether.allow(1.0, false), 1.0);
        assert_eq!(tether.travelled, 101.0);
    }
}
