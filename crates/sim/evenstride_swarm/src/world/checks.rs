//! Everything that a motion world promises at any moment.

use evenstride::{Drawn, MotionWorld, limits::MAX_FAR_WAYPOINTS};
use evenstride_types::{EntityId, Placement, Rotation, SimTime};

/// Checks a world.
///
/// # Errors
/// The broken promise, as a sentence.
pub(crate) fn check(world: &MotionWorld, now: SimTime) -> Result<(), String> {
    check_limits(world)?;
    for entity in world.entities() {
        check_body(world, now, entity).map_err(|what| format!("entity {:#x}: {what}", entity.raw()))?;
    }
    check_drawn(world, now)
}

fn check_limits(world: &MotionWorld) -> Result<(), String> {
    let limits = world.config().limits;
    let held = |name| world.memory().iter().find(|part| part.name == name).map_or(0, |part| part.in_use);
    let counts = [
        ("bodies", world.len(), limits.bodies),
        ("parked updates", world.parked(), limits.parked),
        ("parked bytes", world.parked_bytes() as usize, limits.parked_bytes),
        ("events", held("events"), limits.events),
        ("messages to be sent", held("messages to be sent"), limits.actions),
    ];
    for (what, count, limit) in counts {
        if count > limit as usize {
            return Err(format!("{count} {what}, but the limit is {limit}"));
        }
    }
    Ok(())
}

fn check_body(world: &MotionWorld, now: SimTime, entity: EntityId) -> Result<(), String> {
    let view = world.body(entity).ok_or("it is listed but unknown")?;
    let numbers = [view.velocity.x, view.velocity.y, view.velocity.z, view.radius, view.height];
    if numbers.iter().any(|number| !number.is_finite()) {
        return Err(format!("velocity and size {numbers:?} are not finite"));
    }
    if view.waypoints > usize::from(MAX_FAR_WAYPOINTS) {
        return Err(format!("it has {} waypoints", view.waypoints));
    }
    for place in [view.place, world.drawn(entity, now)].into_iter().flatten() {
        check_place(&place)?;
    }
    let body = world.get(entity).ok_or("it has no reference")?;
    if !body.root_velocity().is_finite() {
        return Err(format!("root velocity {}", body.root_velocity()));
    }
    let animation = body.animation(now);
    if let Some(playing) = animation.playing
        && !(playing.rate.is_finite() && playing.frame.is_finite())
    {
        return Err(format!("animation {playing:?}"));
    }
    let mut holder = view.held_by;
    for _ in 0..world.len() {
        let Some(link) = holder else { return Ok(()) };
        if world.key(link.holder) != Some(link.key) {
            return Err(format!("it is held by {:#x}, which has another key", link.holder.raw()));
        }
        holder = world.body(link.holder).and_then(|view| view.held_by);
    }
    if holder.is_some() { Err("it holds itself".to_owned()) } else { Ok(()) }
}

fn check_place(place: &Placement) -> Result<(), String> {
    let is_whole = place.pose.is_in_bounds() && Rotation::new(place.pose.rotation().to_wxyz()).is_ok();
    if is_whole { Ok(()) } else { Err(format!("{place:?} is not a place")) }
}

/// All ways to ask for drawn places give the same ones.
fn check_drawn(world: &MotionWorld, now: SimTime) -> Result<(), String> {
    let mut buffer = vec![Drawn::EMPTY; world.len()];
    let count = world.drawn_into(now, &mut buffer);
    for drawn in &buffer[..count] {
        if world.drawn(drawn.entity, now) != Some(drawn.place) || world.key(drawn.entity) != Some(drawn.key) {
            return Err(format!("{drawn:?} is not what `drawn` gives"));
        }
    }
    Ok(())
}
