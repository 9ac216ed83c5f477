//! The ground of a world, chosen by its host.

use evenstride::{
    FlatGround, OpenField, Surroundings,
    surroundings::{Heightfield, Placed, Placing, Sweep, Swept},
};
use evenstride_types::Placement;

/// Surroundings that JavaScript can choose.
#[derive(Clone, Debug)]
pub(crate) enum Ground {
    Open,
    Flat(FlatGround),
    Heights(Box<Heightfield>),
}

impl Surroundings for Ground {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        match self {
            Self::Open => OpenField.sweep(sweep),
            Self::Flat(flat) => flat.sweep(sweep),
            Self::Heights(heights) => heights.sweep(sweep),
        }
    }

    fn place(&self, placing: &Placing) -> Placed {
        match self {
            Self::Open => OpenField.place(placing),
            Self::Flat(flat) => flat.place(placing),
            Self::Heights(heights) => heights.place(placing),
        }
    }

    fn lands_by_update(&self, at: &Placement) -> bool {
        match self {
            Self::Open => OpenField.lands_by_update(at),
            Self::Flat(flat) => flat.lands_by_update(at),
            Self::Heights(heights) => heights.lands_by_update(at),
        }
    }

    fn is_open(&self) -> bool {
        match self {
            Self::Open => OpenField.is_open(),
            Self::Flat(flat) => flat.is_open(),
            Self::Heights(heights) => heights.is_open(),
        }
    }
}
