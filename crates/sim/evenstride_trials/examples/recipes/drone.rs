//! The telemetry of a drone, 4 times per second over a mobile network.
//!
//! Axes are those of ROS: x forward, y left, z up. A report has the milliseconds since the drone was
//! switched on, so jitter is compensated, and the least latency is not.

use evenstride::{
    generic::{Axes, PlainConfig, PlainPose, PlainUpdate, PlainWorld, SenderClock},
    types::{SimTime, TimeError},
};

const DRONE: u64 = 1;

/// A report of the drone, in the frame in which it took off.
pub(crate) struct Report {
    pub(crate) boot_millis: u32,
    pub(crate) position: [f64; 3],
    /// x, y, z, w.
    pub(crate) attitude: [f32; 4],
    pub(crate) velocity: [f32; 3],
}

pub(crate) fn new_world() -> PlainWorld {
    let config = PlainConfig::default().with(|config| {
        config.axes = Axes::ZUpXForwardYLeft;
        config.sender_clock = SenderClock::Own;
        // It stops after a second of silence.
        config.max_coast_secs = 1.0;
    });
    PlainWorld::new(config, SimTime::ZERO)
}

pub(crate) fn report(world: &mut PlainWorld, secs: f64, report: &Report) -> Result<(), TimeError> {
    let (now, sent) = (SimTime::from_secs(secs)?, SimTime::from_secs(f64::from(report.boot_millis) / 1e3)?);
    let pose = PlainPose { position: report.position, rotation: report.attitude };
    if let Err(error) =
        world.update(now, DRONE, &PlainUpdate::new(pose).moving(report.velocity).sent_at(sent))
    {
        eprintln!("drone: {error}");
    }
    Ok(())
}

pub(crate) fn frame(world: &mut PlainWorld, secs: f64) -> Result<Option<PlainPose>, TimeError> {
    let now = SimTime::from_secs(secs)?;
    world.advance(now);
    Ok(world.drawn(DRONE, now))
}
