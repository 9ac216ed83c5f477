//! No geometry at all: for hosts that have none, and for captures.

use evenstride_types::{EPSILON, Placement, Vec3};

use super::{Contact, Footing, Ground, Placed, Placing, Surroundings, Sweep, Swept, sweep_over};

/// Nothing stands anywhere, and where the ground is only the server knows.
///
/// A body takes off when it moves up while in contact, and lands with the first grounded update after that: without geometry
/// nothing else could tell. Until it comes, the body falls, through whatever a host may draw there; where that matters, use
/// [`FlatGround`](crate::FlatGround) or geometry of your own. Two cases have no such update: a jump straight up, because nothing
/// changed, and the local player's, whose landing nobody else knows. Such a body lands at the height where it took off.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenField;

impl Surroundings for OpenField {
    #[inline(always)]
    fn sweep(&self, sweep: &Sweep) -> Swept {
        let Ok(at) = sweep.to.settled() else { return Swept::Blocked };
        match sweep.footing {
            Footing::Leaving => Swept::Moved { at, contact: Contact::Lost, ran_into: None },
            Footing::Grounded => Swept::Moved { at, contact: Contact::Kept, ran_into: None },
            Footing::Airborne => match back_where_it_took_off(sweep) {
                Some(z) => land_at(*sweep, z),
                None => Swept::Moved { at, contact: Contact::Kept, ran_into: None },
            },
        }
    }

    fn place(&self, placing: &Placing) -> Placed {
        match placing.at.settled() {
            Ok(at) => Placed::At {
                at,
                contact: if placing.grounded { Contact::On(Vec3::Z) } else { Contact::Kept },
            },
            Err(_) => Placed::Refused,
        }
    }

    #[inline]
    fn lands_by_update(&self, _: &Placement) -> bool {
        true
    }
}

// By value: a reference would force every other sweep to be kept in memory.
#[inline(never)]
fn land_at(sweep: Sweep, z: f32) -> Swept {
    match sweep_over(&sweep, |_| Some(Ground { z, normal: Vec3::Z })) {
        // No bounce: a second, tiny flight could drift off the spot and never come down again.
        Swept::Moved { at, contact, .. } => Swept::Moved { at, contact, ran_into: None },
        Swept::Blocked => Swept::Blocked,
    }
}

/// The height at which a body left the ground, once it is back there; for bodies that come straight down, and the local player.
#[inline(always)]
fn back_where_it_took_off(sweep: &Sweep) -> Option<f32> {
    let way = sweep.to.pose.origin() - sweep.from.pose.origin();
    let is_straight = way.x.abs() < EPSILON && way.y.abs() < EPSILON;
    let comes_down = (is_straight || sweep.is_local_player) && way.z < 0.0;
    sweep.took_off_z.filter(|z| comes_down && sweep.to.pose.origin().z <= *z)
}
