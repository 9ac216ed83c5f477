//! Any bytes as a host and a server that play against a world.
//!
//! The swarm draws settings, surroundings, library and operations from the bytes, and checks every
//! promise. A seed of a swarm and an input of this target differ only in the source of choices.

use evenstride_swarm::{
    draw::Draw,
    play::play,
    script::{any_plain, any_world},
};

/// Plays against a motion world.
pub fn world(data: &[u8]) {
    if let Err(broken) = play(&any_world(&mut Draw::from_bytes(data))) {
        panic!("{broken}");
    }
}

/// Plays against a plain world.
pub fn plain(data: &[u8]) {
    if let Err(broken) = play(&any_plain(&mut Draw::from_bytes(data))) {
        panic!("{broken}");
    }
}
