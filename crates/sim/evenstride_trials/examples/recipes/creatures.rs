//! A co-op game whose host sends creatures 5 times per second, as positions and headings.
//!
//! Nothing else is known: no velocity and no time. A number per creature drops what is out of order.

use evenstride::{
    generic::{Axes, PlainConfig, PlainDrawn, PlainPose, PlainUpdate, PlainWorld},
    types::{SimTime, TimeError},
};

/// A creature in a packet. y is up and z is forward, as in Unity.
pub(crate) struct Creature {
    pub(crate) id: u64,
    pub(crate) number: u64,
    pub(crate) position: [f64; 3],
    /// Radians, clockwise from above.
    pub(crate) yaw: f32,
}

pub(crate) fn new_world() -> PlainWorld {
    PlainWorld::new(PlainConfig::default().with(|config| config.axes = Axes::YUpZForward), SimTime::ZERO)
}

pub(crate) fn packet(world: &mut PlainWorld, secs: f64, creatures: &[Creature]) -> Result<(), TimeError> {
    let now = SimTime::from_secs(secs)?;
    for creature in creatures {
        let (sin, cos) = (creature.yaw / 2.0).sin_cos();
        let pose = PlainPose { position: creature.position, rotation: [0.0, sin, 0.0, cos] };
        if let Err(error) = world.update(now, creature.id, &PlainUpdate::new(pose).numbered(creature.number))
        {
            eprintln!("creature {}: {error}", creature.id);
        }
    }
    Ok(())
}

pub(crate) fn frame(
    world: &mut PlainWorld,
    secs: f64,
    draw: impl FnMut(PlainDrawn),
) -> Result<(), TimeError> {
    let now = SimTime::from_secs(secs)?;
    world.advance(now);
    world.drawn_each(now, draw);
    Ok(())
}
