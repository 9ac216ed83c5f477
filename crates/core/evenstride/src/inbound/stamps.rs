//! Every gate of stamps: which updates are newer than what is known.

use evenstride_types::{Stamp, StampKind, StampOrder, StampTable};

/// Which life of an entity a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    This,
    Earlier,
    Later,
}

#[inline]
pub const fn life(stamps: &StampTable, instance: Stamp) -> Life {
    match stamps.order(StampKind::Instance, instance) {
        StampOrder::Same => Life::This,
        StampOrder::Newer => Life::Later,
        StampOrder::Older => Life::Earlier,
    }
}
