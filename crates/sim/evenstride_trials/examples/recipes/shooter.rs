//! A shooter with an authoritative server, whose snapshots come 20 times per second.
//!
//! A snapshot has the server's tick. The client knows the server's time, as shooters do, so enemies are
//! drawn where they are by now, and not where they were.

use evenstride::{
    generic::{Axes, PlainConfig, PlainDrawn, PlainLimits, PlainPose, PlainUpdate, PlainWorld, SenderClock},
    types::{SimTime, TimeError},
};

/// An enemy in a snapshot. y is up and −z is forward.
pub(crate) struct Enemy {
    pub(crate) id: u64,
    pub(crate) position: [f64; 3],
    pub(crate) rotation: [f32; 4],
    pub(crate) velocity: [f32; 3],
}

pub(crate) fn new_world() -> PlainWorld {
    let config = PlainConfig::default().with(|config| {
        config.axes = Axes::YUpMinusZForward;
        config.sender_clock = SenderClock::Shared;
        // No enemy runs faster, and one that is 4 m off has respawned.
        config.limits = PlainLimits::NONE.top_speed(8.0).snap_distance(4.0);
    });
    PlainWorld::new(config, SimTime::ZERO)
}

/// Takes an enemy of the snapshot of a tick. `secs` is the present time of the server.
pub(crate) fn enemy(world: &mut PlainWorld, secs: f64, tick: u64, enemy: &Enemy) -> Result<(), TimeError> {
    let (now, sent) = (SimTime::from_secs(secs)?, SimTime::from_secs(tick as f64 / 20.0)?);
    let pose = PlainPose { position: enemy.position, rotation: enemy.rotation };
    if let Err(error) =
        world.update(now, enemy.id, &PlainUpdate::new(pose).moving(enemy.velocity).sent_at(sent))
    {
        eprintln!("enemy {}: {error}", enemy.id);
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
