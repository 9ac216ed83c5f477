//! An online world with thousands of players, each of which is sent once per second.
//!
//! A message has position, heading and speed, and nothing about the future. A player that teleports is
//! marked, and one that logs out is removed.

use evenstride::{
    generic::{PlainConfig, PlainDrawn, PlainPose, PlainUpdate, PlainWorld},
    types::{SimTime, TimeError},
};

/// A message about a player. x is east, y is north and z is up.
pub(crate) enum Message {
    Moved { player: u64, position: [f64; 3], heading: f32, speed: f32, teleports: bool },
    LoggedOut { player: u64 },
}

pub(crate) fn new_world() -> PlainWorld {
    PlainWorld::new(PlainConfig::default(), SimTime::ZERO)
}

pub(crate) fn message(world: &mut PlainWorld, secs: f64, message: &Message) -> Result<(), TimeError> {
    let now = SimTime::from_secs(secs)?;
    match *message {
        Message::Moved { player, position, heading, speed, teleports } => {
            let (sin, cos) = (-heading / 2.0).sin_cos();
            let pose = PlainPose { position, rotation: [0.0, 0.0, sin, cos] };
            let velocity = [speed * heading.sin(), speed * heading.cos(), 0.0];
            let update = PlainUpdate { teleports, ..PlainUpdate::new(pose).moving(velocity) };
            if let Err(error) = world.update(now, player, &update) {
                eprintln!("player {player}: {error}");
            }
        }
        Message::LoggedOut { player } => _ = world.remove(player),
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
