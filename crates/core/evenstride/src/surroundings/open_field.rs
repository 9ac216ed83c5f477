//! No geometry at all: for hosts that have none, and for captures.

use evenstride_types::Vec3;

use super::{Contact, Footing, Placed, Placing, Surroundings, Sweep, Swept, settled};

/// Nothing stands anywhere, and where the ground is only the server knows.
///
/// A body takes off when it moves up while in contact, and lands with the first grounded update after that: without geometry
/// nothing else could tell.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenField;

impl Surroundings for OpenField {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        match settled(&sweep.to) {
            Some(at) => {
                let contact = if sweep.footing == Footing::Leaving { Contact::Lost } else { Contact::Kept };
                Swept::Moved { at, contact, ran_into: None }
            }
            None => Swept::Blocked,
        }
    }

    fn place(&self, placing: &Placing) -> Placed {
        match settled(&placing.at) {
            Some(at) => Placed::At {
                at,
                contact: if placing.grounded { Contact::On(Vec3::Z) } else { Contact::Kept },
            },
            None => Placed::Refused,
        }
    }

    fn lands_by_update(&self) -> bool {
        true
    }
}
