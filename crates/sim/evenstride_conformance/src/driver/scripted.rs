//! The surroundings in which the traces were recorded. They have no geometry, scripted contact, and
//! walls on request.

use evenstride::{
    Surroundings,
    surroundings::{Contact, Placed, Placing, Sweep, Swept},
};

/// Free movement, except where a trace says otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scripted {
    /// Fraction of every movement that succeeds, 0 to 1. At 0 the movement is blocked.
    pub(super) freedom: f32,
    /// Whether placements fail.
    pub(super) refuses: bool,
}

impl Surroundings for Scripted {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        if self.freedom <= 0.0 {
            return Swept::Blocked;
        }
        let mut to = sweep.to;
        if self.freedom < 1.0 {
            let (start, wanted) = (sweep.from.pose.origin().as_dvec3(), to.pose.origin().as_dvec3());
            let achieved = (start + (wanted - start) * f64::from(self.freedom)).as_vec3();
            to.pose = to.pose.with_origin(achieved).unwrap_or(to.pose);
        }
        match to.settled() {
            Ok(at) => Swept::Moved { at, contact: Contact::Kept, ran_into: None },
            Err(_) => Swept::Blocked,
        }
    }

    fn place(&self, placing: &Placing) -> Placed {
        match placing.at.settled() {
            Ok(at) if !self.refuses => Placed::At { at, contact: Contact::Kept },
            _ => Placed::Refused,
        }
    }
}
