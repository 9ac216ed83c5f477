//! Surroundings without any geometry, for captures and for hosts that have none.
//!
//! Landings come from messages and from the take-off height. `inbound/` and `step/` record these
//! heights in the body's flight, and this file only reads them through [`Sweep::ground`].

use evenstride_types::{EPSILON, Placement, Vec3};

use crate::surroundings::{
    Contact, Footing, Ground, GroundBelow, Placed, Placing, Surroundings, Sweep, Swept, sweep_over,
};

/// An open world without obstacles, in which only the server knows the ground.
///
/// A body takes off when its velocity points away from the ground. The first grounded update after
/// that gives the height of the ground.
///
/// - A body above that height lands there by its own flight, and then walks to the position.
/// - A body at or below that height is placed at the position.
///
/// Without such an update, a body may fall past its take-off height. After one second without a
/// message about its flight, it is placed where it passed that height.
///
/// Two kinds of landing need no update. A server sends none for a jump straight up, because the
/// position does not change. The local player reports its landing to the server itself. In both
/// cases the body lands at the height it took off from.
///
/// Between updates a body falls through anything that a host draws. Where that matters, use
/// [`FlatGround`](crate::FlatGround) or your own geometry.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenField;

impl Surroundings for OpenField {
    #[inline(always)]
    fn sweep(&self, sweep: &Sweep) -> Swept {
        // A copy, so that the rest of the sweep need not be kept in memory.
        let to = sweep.to;
        let Ok(at) = to.settled() else { return Swept::Blocked };
        match sweep.footing {
            Footing::Leaving => Swept::Moved { at, contact: Contact::Lost, ran_into: None },
            Footing::Grounded => Swept::Moved { at, contact: Contact::Kept, ran_into: None },
            Footing::Airborne => match landing_height(sweep) {
                Some(z) => land_at(sweep.to, sweep.footing, z),
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

    #[inline]
    fn is_open(&self) -> bool {
        true
    }
}

// Only two fields, because a whole sweep would have to be kept in memory for every step.
/// Lands a body on level ground at a height.
#[inline(never)]
fn land_at(to: Placement, footing: Footing, z: f32) -> Swept {
    match sweep_over(&to, footing, |_| Some(Ground { z, normal: Vec3::Z })) {
        // There is no bounce, because a second, tiny flight could drift off the spot and never come
        // down again.
        Swept::Moved { at, contact, .. } => Swept::Moved { at, contact, ran_into: None },
        Swept::Blocked => Swept::Blocked,
    }
}

/// Returns the height of the ground if the body lands in this step.
///
/// The body must move down and end at or below that height. A take-off height counts only for a
/// jump straight up and for the local player.
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
