//! Draws whole scripts.

use std::{num::NonZeroU32, sync::Arc};

use evenstride::{Config, MotionWorld, animation::MotionLibrary, generic::PlainWorld};
use evenstride_types::{EntityId, Placement, update::Update};

use crate::{
    draw::{Draw, Temper},
    ground::Ground,
    honest::{Traffic, traffic},
    plain::PlainOp,
    play::{Ending, Host, Script},
    world::Op,
};

/// Steps of bodies that one stretch of frames may take, so that no operation takes long.
const STEPS_PER_STRETCH: f64 = 40_000.0;

/// Seconds in which bodies come to rest. The server repeats their places twice after that time. A body in the
/// air takes no position, and one that was asleep first ends its stride.
const REST_SECS: f64 = 25.0;

/// Metres by which a body at rest may miss its last position.
const REST_METRES: f64 = 0.25;

/// Operations after a restore from foreign bytes.
const OPS_AFTER_RESTORE: usize = 12;

/// Longest stretch of frames after a restore from foreign bytes, in seconds.
const SECS_AFTER_RESTORE: f64 = 0.5;

/// Entities of a restored world that messages are about.
const MOST_ENTITIES: usize = 8;

/// Draws a script of anything that may happen to a motion world.
pub fn any_world(draw: &mut Draw<'_>) -> Script<MotionWorld> {
    let entities = draw.pick(&[8, 2, 5, 8, 16, 40, 120, 300]);
    let most_secs = (STEPS_PER_STRETCH / f64::from(entities) / 30.0).min(6.0);
    let (config, library, ground) = (draw.config(), Arc::new(draw.library()), Ground::draw(draw));
    let temper = draw.pick(&[Temper::Mixed, Temper::Honest, Temper::Hostile]);
    draw.set_temper(temper);
    draw.set_entities((1..=entities).map(EntityId::new));
    let mut ops = Vec::new();
    if !draw.one_in(4) {
        // Most bodies exist from the start, so that messages find them.
        ops.extend(
            (1..=entities).map(|entity| Op::Insert(EntityId::new(entity), Box::new(draw.body_setup()))),
        );
    }
    let count = 20 + draw.below(300);
    while ops.len() < count && !draw.is_over() {
        if draw.one_in(30) {
            let secs = draw.between(0.5, 6.0);
            let Traffic { messages, .. } = traffic(draw, entities.min(16), secs);
            ops.extend(told(&messages, draw));
        } else {
            ops.push(Op::draw(draw, most_secs));
        }
    }
    Script { config, library, ground, restore_every: restore_every(draw), ops, ending: None }
}

/// Draws a script in which an honest server speaks to a careful host. At its end, every body must stand
/// where the server said.
pub fn honest_world(draw: &mut Draw<'_>) -> Script<MotionWorld> {
    draw.set_temper(Temper::Honest);
    let (_, config) = draw.pick(&Config::PROFILES);
    let ground = Ground::draw_sound(draw);
    let (actors, secs) = (draw.pick(&[2, 3, 6, 12, 40]), draw.between(2.0, 40.0));
    draw.set_entities((1..=actors).map(EntityId::new));
    let Traffic { messages, ends, standing } = traffic(draw, actors, secs);
    let mut ops = vec![Op::TraceAll];
    ops.extend(told(&messages, draw));
    let mut end_ops = Vec::new();
    for end in ends {
        end_ops.extend(end.into_iter().map(|message| Op::Hear(Box::new(message))));
        end_ops.push(Op::Frames { secs: REST_SECS, fps: 30.0 });
    }
    let library = Arc::new(MotionLibrary::built_in());
    let check = Arc::new(move |world: &MotionWorld, host: &Host| rests(world, host, &standing));
    // The server of the game repeats everything but positions until it arrives.
    let needs = |op: &Op| match op {
        Op::Hear(update) => !matches!(**update, Update::Position(_)),
        op => matches!(op, Op::TraceAll),
    };
    let ending = Some(Ending { ops: end_ops, needs, check });
    Script { config, library, ground, restore_every: restore_every(draw), ops, ending }
}

/// Draws a script of anything that may happen to a plain world.
pub fn any_plain(draw: &mut Draw<'_>) -> Script<PlainWorld> {
    let entities = draw.pick(&[5, 2, 5, 12, 40]);
    let most_secs = (STEPS_PER_STRETCH / f64::from(entities) / 30.0).min(6.0);
    let (config, library, ground) = (draw.plain_config(), Arc::new(draw.library()), Ground::draw(draw));
    let temper = draw.pick(&[Temper::Mixed, Temper::Honest, Temper::Hostile]);
    draw.set_temper(temper);
    draw.set_entities((1..=entities).map(EntityId::new));
    let count = 20 + draw.below(250);
    let mut ops = Vec::new();
    while ops.len() < count && !draw.is_over() {
        ops.push(PlainOp::draw(draw, most_secs));
    }
    Script { config, library, ground, restore_every: restore_every(draw), ops, ending: None }
}

/// Draws what a world goes through that was restored from foreign bytes. Messages are about its entities.
pub fn after_restore(draw: &mut Draw<'_>, world: &MotionWorld) -> Vec<Op> {
    draw.set_entities(world.entities().take(MOST_ENTITIES));
    (0..OPS_AFTER_RESTORE).map(|_| Op::draw(draw, SECS_AFTER_RESTORE)).collect()
}

/// Draws what a plain world goes through that was restored from foreign bytes.
pub fn after_plain_restore(draw: &mut Draw<'_>, world: &PlainWorld) -> Vec<PlainOp> {
    draw.set_entities(world.motion().entities().take(MOST_ENTITIES));
    (0..OPS_AFTER_RESTORE).map(|_| PlainOp::draw(draw, SECS_AFTER_RESTORE)).collect()
}

/// Returns how often the twin is restored.
fn restore_every(draw: &mut Draw<'_>) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(draw.below(30) as u32)
}

/// Returns messages as operations, with frames in between, and and with polls now and then.
fn told(messages: &[(f64, Update)], draw: &mut Draw<'_>) -> Vec<Op> {
    let mut ops = Vec::new();
    let mut now = 0.0;
    let fps = draw.pick(&[60.0, 30.0, 144.0, 20.0]);
    for (time, message) in messages {
        if *time > now {
            ops.push(Op::Frames { secs: time - now, fps });
            now = *time;
        }
        ops.push(Op::Hear(Box::new(message.clone())));
        if draw.one_in(24) {
            ops.push(Op::Look);
        }
    }
    ops
}

/// Checks that every body stands where the server said last.
fn rests(world: &MotionWorld, host: &Host, standing: &[(EntityId, Placement)]) -> Result<(), String> {
    for (entity, place) in standing {
        let name = entity.raw();
        let view = world.body(*entity).ok_or_else(|| format!("entity {name:#x} is missing at the end"))?;
        // A hidden body does not walk, and is not seen.
        if view.is_hidden {
            continue;
        }
        let at = view.place.ok_or_else(|| format!("entity {name:#x} is outside the world at the end"))?;
        let drawn = world.drawn(*entity, host.time()).unwrap_or(at);
        for (what, at) in [("is", at), ("is drawn", drawn)] {
            let metres = at.distance(place);
            if metres > REST_METRES {
                let why: Vec<String> = world.explain(*entity).map(|why| format!("\n    {why}")).collect();
                return Err(format!(
                    "entity {name:#x} {what} {metres:.2} m from where the server put it {REST_SECS} s ago: {at:?}{}",
                    why.concat()
                ));
            }
        }
    }
    Ok(())
}
