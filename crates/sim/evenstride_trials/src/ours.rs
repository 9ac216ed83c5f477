//! Places that `PlainWorld` draws.

use evenstride::{
    generic::{PlainConfig, PlainPose, PlainUpdate, PlainWorld},
    types::SimTime,
};

use crate::{Drawn, line::Arrival, mover::FPS};

/// The one entity of a trial.
const ENTITY: u64 = 7;

/// What a game sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sends {
    /// Positions and headings.
    Positions,
    /// The same with velocities.
    Velocities,
}

/// Returns the update of an arrival, with z up and y forward.
pub fn update_of(arrival: &Arrival, sends: Sends) -> PlainUpdate {
    // Clockwise from above is a negative turn about z.
    let (sin, cos) = (-arrival.at.heading / 2.0).sin_cos();
    let pose = PlainPose { position: arrival.at.place, rotation: [0.0, 0.0, sin as f32, cos as f32] };
    let update = PlainUpdate::new(pose);
    match (sends, SimTime::from_secs(arrival.sent)) {
        (Sends::Positions, Ok(sent)) => update.sent_at(sent),
        (Sends::Velocities, Ok(sent)) => {
            update.sent_at(sent).moving(arrival.at.velocity().map(|speed| speed as f32))
        }
        (_, Err(_)) => update.numbered(arrival.number),
    }
}

/// Returns the places that a plain world draws.
///
/// # Panics
/// If an update is refused, which no update of a trial is.
pub fn draw_with(config: PlainConfig, arrivals: &[Arrival], frames: usize, sends: Sends) -> Drawn {
    let mut world = PlainWorld::new(config, SimTime::ZERO);
    let mut arrivals = arrivals.iter().peekable();
    let frame = |number: usize| {
        let now = SimTime::from_secs(number as f64 / FPS).expect("a trial is short");
        world.advance(now);
        while let Some(arrival) = arrivals.next_if(|arrival| arrival.arrived <= now.as_secs()) {
            let _ = world.update(now, ENTITY, &update_of(arrival, sends)).expect("a valid update");
        }
        world.drawn(ENTITY, now).map(|pose| pose.position)
    };
    (0..frames).map(frame).collect()
}
