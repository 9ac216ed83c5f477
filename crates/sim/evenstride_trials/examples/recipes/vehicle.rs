//! Vehicles on a map, by GPS fixes twice per second.
//!
//! A fix has speed and course over ground, and the receiver's own time, whose latency is unknown. Fixes
//! are a metre or two off, so no vehicle is believed to be faster than a truck is.

use evenstride::{
    generic::{PlainConfig, PlainDrawn, PlainLimits, PlainPose, PlainUpdate, PlainWorld, SenderClock},
    types::{SimTime, TimeError},
};

/// A fix, in metres east and north of a base.
pub(crate) struct Fix {
    pub(crate) vehicle: u64,
    pub(crate) utc_secs: f64,
    pub(crate) east: f64,
    pub(crate) north: f64,
    pub(crate) speed: f32,
    /// Radians, clockwise from north.
    pub(crate) course: f32,
}

pub(crate) fn new_world() -> PlainWorld {
    let config = PlainConfig::default().with(|config| {
        config.sender_clock = SenderClock::Own;
        config.limits = PlainLimits::NONE.top_speed(40.0);
    });
    PlainWorld::new(config, SimTime::ZERO)
}

pub(crate) fn fix(world: &mut PlainWorld, secs: f64, fix: &Fix) -> Result<(), TimeError> {
    let (now, sent) = (SimTime::from_secs(secs)?, SimTime::from_secs(fix.utc_secs)?);
    let (sin, cos) = (-fix.course / 2.0).sin_cos();
    let pose = PlainPose { position: [fix.east, fix.north, 0.0], rotation: [0.0, 0.0, sin, cos] };
    let velocity = [fix.speed * fix.course.sin(), fix.speed * fix.course.cos(), 0.0];
    if let Err(error) = world.update(now, fix.vehicle, &PlainUpdate::new(pose).moving(velocity).sent_at(sent))
    {
        eprintln!("vehicle {}: {error}", fix.vehicle);
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
