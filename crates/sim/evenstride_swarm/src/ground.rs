//! Surroundings of every sort, as one type.

use evenstride::{
    FlatGround, OpenField, Surroundings,
    surroundings::{Cut, Cuts, Heightfield, Placed, Placing, Sweep, Swept},
};
use evenstride_testkit::CarelessGround;
use evenstride_types::{CellId, Placement, Vec3};

use crate::draw::Draw;

/// The surroundings of a run.
#[derive(Clone, Debug)]
pub enum Ground {
    /// No ground is known.
    Open,
    /// The ground is level.
    Flat(FlatGround),
    /// Hills with gaps, some of them too steep to stand on.
    Hills(Heightfield),
    /// Level ground with walls.
    Ruins(Ruins),
    /// A host that gives wrong answers, or panics.
    Careless(CarelessGround),
}

impl Ground {
    /// Names of all sorts, for the record of what a run has covered.
    pub const NAMES: [&'static str; 6] = ["open", "flat", "hills", "ruins", "careless", Self::PANIC];

    /// Name of a panic in surroundings.
    pub const PANIC: &'static str = "panics caught";

    /// Draws surroundings of any sort.
    pub fn draw(draw: &mut Draw<'_>) -> Self {
        match draw.below(6) {
            0 => Self::Open,
            1 => Self::Flat(FlatGround { z: 10.0 }),
            2 => Self::hills(draw).unwrap_or(Self::Open),
            3 => Self::Ruins(Ruins { spacing: draw.between(4.0, 30.0) as f32, slides: draw.one_in(2) }),
            _ => Self::Careless(careless(draw)),
        }
    }

    /// Draws surroundings whose answers are right.
    pub fn draw_sound(draw: &mut Draw<'_>) -> Self {
        if draw.one_in(2) { Self::Flat(FlatGround { z: 10.0 }) } else { Self::Open }
    }

    /// Returns whether answers may be wrong, and depend on the calls before.
    pub const fn is_careless(&self) -> bool {
        matches!(self, Self::Careless(_))
    }

    /// Returns the name of the sort.
    pub const fn name(&self) -> &'static str {
        Self::NAMES[match self {
            Self::Open => 0,
            Self::Flat(_) => 1,
            Self::Hills(_) => 2,
            Self::Ruins(_) => 3,
            Self::Careless(_) => 4,
        }]
    }

    fn hills(draw: &mut Draw<'_>) -> Option<Self> {
        let corner = CellId::new(evenstride_testkit::HOME).ok()?.landblock();
        let steepness = draw.between(0.0, 40.0);
        let heights = (0..81).map(|_| {
            let height = 10.0 + draw.between(-steepness, steepness) as f32;
            if draw.one_in(12) { None } else { Some(height) }
        });
        let heights = heights.collect();
        let cuts = draw.pick(&[Cuts::Client, Cuts::Alike(Cut::SouthEastNorthWest)]);
        Heightfield::with_gaps(corner, 24.0, 9, heights, cuts).ok().map(Self::Hills)
    }
}

fn careless(draw: &mut Draw<'_>) -> CarelessGround {
    let mut ground = CarelessGround::new(FlatGround { z: 10.0 });
    let length = draw.pick(&[1.0, 1.001, 0.9995, 2.0, 1e-9, f32::MAX, f32::NAN]);
    ground.normal =
        draw.sometimes(2, |draw| if draw.one_in(2) { draw.vector(1.0) } else { Vec3::Z } * length);
    ground.elsewhere = draw.sometimes(3, Draw::loose_placement);
    ground.panics_in = draw.sometimes(3, |draw| draw.below(40) as u32);
    ground.lands_by_update = draw.one_in(2);
    ground
}

/// Level ground at 10 m with a square pillar of 3 m at each corner of a grid.
#[derive(Clone, Copy, Debug)]
pub struct Ruins {
    /// Metres between two pillars.
    pub spacing: f32,
    /// Whether a body that meets a pillar bounces off it, or stays where it is.
    pub slides: bool,
}

impl Ruins {
    fn is_solid(&self, at: &Placement) -> bool {
        let origin = at.pose.origin();
        let inside = |along: f32| along.rem_euclid(self.spacing) < 3.0;
        inside(origin.x) && inside(origin.y)
    }

    const FLOOR: FlatGround = FlatGround { z: 10.0 };
}

impl Surroundings for Ruins {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        let swept = Self::FLOOR.sweep(sweep);
        match swept {
            Swept::Moved { at, contact, .. } if self.is_solid(&at) => match self.slides {
                true => Swept::Moved { at: sweep.from, contact, ran_into: Some(Vec3::X) },
                false => Swept::Blocked,
            },
            swept => swept,
        }
    }

    fn place(&self, placing: &Placing) -> Placed {
        if self.is_solid(&placing.at) { Placed::Refused } else { Self::FLOOR.place(placing) }
    }
}

impl Ground {
    fn inner(&self) -> &dyn Surroundings {
        match self {
            Self::Open => &OpenField,
            Self::Flat(ground) => ground,
            Self::Hills(ground) => ground,
            Self::Ruins(ground) => ground,
            Self::Careless(ground) => ground,
        }
    }
}

impl Surroundings for Ground {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        self.inner().sweep(sweep)
    }

    fn place(&self, placing: &Placing) -> Placed {
        self.inner().place(placing)
    }

    fn lands_by_update(&self, at: &Placement) -> bool {
        self.inner().lands_by_update(at)
    }

    fn is_open(&self) -> bool {
        self.inner().is_open()
    }
}
