//! No geometry at all: for hosts that have none, and for captures.

use evenstride_types::{EPSILON, Placement, Vec3};

use crate::surroundings::{
    Contact, Footing, Ground, GroundBelow, Placed, Placing, Surroundings, Sweep, Swept, sweep_over,
};

/// Nothing stands anywhere, and where the ground is only the server knows.
///
/// A body takes off when it moves up while in contact. The first grounded update after that tells how high the ground is:
///
/// - A body above that height lands there by its own flight, and then walks to the position.
/// - A body below it is placed.
/// - A body that falls past its take-off height, and is not heard of for another second, in the air or on the ground, is placed where
///   it passed that height.
///
/// Two landings come without an update: a jump straight up, because the position does not change, and the local player's, which the
/// server hears of from the player. Such a body lands at the height it took off from. Between updates a body falls through
/// whatever a host draws; where that matters, use [`FlatGround`](crate::FlatGround) or geometry of your own.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenField;

impl Surroundings for OpenField {
    #[inline(always)]
    fn sweep(&self, sweep: &Sweep) -> Swept {
        let Ok(at) = sweep.to.settled() else { return Swept::Blocked };
        match sweep.footing {
            Footing::Leaving => Swept::Moved { at, contact: Contact::Lost, ran_into: None },
            Footing::Grounded => Swept::Moved { at, contact: Contact::Kept, ran_into: None },
            Footing::Airborne => match landing_height(sweep) {
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

/// Returns the height of the ground that a body has come down to, if it lands in this step.
#[inline(always)]
fn landing_height(sweep: &Sweep) -> Option<f32> {
    let way = sweep.to.pose.origin() - sweep.from.pose.origin();
    let is_straight = way.x.abs() < EPSILON && way.y.abs() < EPSILON;
    let z = match sweep.ground {
        GroundBelow::Heard(z) => z,
        GroundBelow::TookOff(z) if is_straight || sweep.is_local_player => z,
        GroundBelow::TookOff(_) | GroundBelow::Unknown => return None,
    };
    (way.z < 0.0 && sweep.to.pose.origin().z <= z).then_some(z)
}
