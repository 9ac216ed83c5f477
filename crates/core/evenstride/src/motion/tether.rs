//! The tether, which limits how far a body may go after the last update from the server.
//!
//! Accepted positions arm it, for remote bodies in `inbound/` and for the local player in
//! `player/correct.rs`. A step uses it to shorten its offset, after route and follow and before
//! velocity.

use evenstride_types::{CellId, Pose, length};

/// A leash on the *path* travelled since it was armed. Steps are free at first, then get shorter,
/// then vanish.
///
/// It limits root motion, route and follow, and not velocity. Every accepted update arms the tether
/// of a remote body at the body's own position. Its steps therefore get shorter only if updates
/// stop.
///
/// Retail: `ConstraintManager::adjust_offset` (11.4186 @ 0x00556180)
/// Disputed: ACE assigns the length of the last step instead of adding it up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tether {
    /// Metres of path since it was armed, plus the distance to the anchor at that moment.
    pub travelled: f32,
    /// Path in metres from which steps get shorter.
    pub start: f32,
    /// Path in metres at which steps vanish.
    pub max: f32,
    /// Whether the tether limits anything. It is off until the first accepted update.
    pub is_on: bool,
}

/// The two lengths of a tether.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leeway {
    /// Path in metres from which steps get shorter.
    pub start: f32,
    /// Path in metres at which steps vanish.
    pub max: f32,
}

impl Leeway {
    /// Returns the lengths for a body in this cell. They are 5 and 20 m indoors, 10 and 50 m
    /// outdoors.
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
    /// Arms the tether, and forgets the path so far.
    ///
    /// `from_anchor` is the distance in metres from the body to the place that the server
    /// confirmed. It is 0 for remote bodies.
    ///
    /// Retail: `ConstraintManager::ConstrainTo` (11.4186 @ 0x00556240)
    #[inline]
    pub fn arm(&mut self, from_anchor: f64, leeway: Leeway) {
        *self = Self { travelled: from_anchor as f32, start: leeway.start, max: leeway.max, is_on: true };
    }

    /// Returns whether the path exceeds nine tenths of its maximum, even if the tether is off.
    /// Jumps are refused while it does.
    ///
    /// Retail: `ConstraintManager::IsFullyConstrained` (11.4186 @ 0x005560D0)
    pub fn is_taut(&self) -> bool {
        f64::from(self.travelled) > f64::from(self.max) * 0.9
    }

    /// Switches the tether off. The path and the lengths are kept.
    ///
    /// Retail: `ConstraintManager::UnConstrain` (11.4186 @ 0x005560C0)
    pub const fn release(&mut self) {
        self.is_on = false;
    }

    /// Returns the allowed fraction, 0 to 1, of an offset with this length in metres. Adds the
    /// allowed length to the path.
    ///
    /// In the air every offset is allowed, but still counts. On the ground the path approaches its
    /// maximum exponentially.
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

/// Shortens an offset to the part that the tether allows. Rotation is never limited.
#[inline]
pub(crate) fn hold_back(tether: &mut Tether, in_contact: bool, offset: &mut Pose) {
    if !tether.is_on {
        return;
    }
    let part = tether.allow(length(offset.origin()), in_contact);
    if part < 1.0 {
        let shorter = (offset.origin().as_dvec3() * part).as_vec3();
        // A shorter offset is within bounds if the offset was. An offset out of bounds stays as it
        // is, and the step rejects it later.
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
        // With d = max − start, a further raw path L makes the travelled length max − d·e^(−L/d).
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
