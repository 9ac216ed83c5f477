//! Worlds in which much goes on, for tests of saves.

use std::sync::Arc;

use evenstride::{
    BodySetup, Config, MotionWorld,
    animation::MotionLibrary,
    generic::{PlainConfig, PlainPose, PlainUpdate, PlainWorld},
};
use evenstride_types::{
    EntityId, SimTime,
    update::{InterpretedState, MotionCommand, MoveToParams, MovementKind, Update},
};

use crate::{Actor, RUNNING, at, played};

/// Returns a world with a player and five other entities, at seven moments. Entities run, fly, follow, and
/// one is held. An update waits for an unknown entity.
pub fn busy_worlds(config: Config, library: &Arc<MotionLibrary>) -> Vec<MotionWorld> {
    let (mut stage, player) = played(config);
    stage.world.set_library(Arc::clone(library));
    stage.world.trace(player.id);
    let mut worlds = vec![stage.world.clone()];
    let mut actors: Vec<Actor> = (0..4).map(|number| Actor::new(0x8000_0001 + number)).collect();
    for (number, actor) in actors.iter().enumerate() {
        let _ = stage.says(&actor.created(90.0 + number as f32, 90.0));
    }
    let _ = stage.says(&Actor::new(0x8000_0005).created_held(actors[0].id, 1));
    let _ = stage.says(&Actor::new(0x8000_0099).position(91.0, 91.0));
    stage.presses(RUNNING);
    for round in 0..6 {
        for (number, actor) in actors.iter_mut().enumerate() {
            let update = match (round + number) % 5 {
                0 => actor.position(90.0 + round as f32, 92.0),
                1 => actor.runs(1.3),
                2 => actor.velocity([0.5, 1.0, 4.0]),
                3 => actor.ordered(go_to(player.id)),
                _ => follow(actor, player.id),
            };
            let _ = stage.says(&update);
        }
        stage.drive(0.35);
        worlds.push(stage.world.clone());
    }
    worlds
}

/// Returns a plain world with four entities that move, and a body that it does not know.
///
/// # Panics
///
/// Never in practice, because all times are finite.
pub fn busy_plain_world(config: Config, library: &Arc<MotionLibrary>) -> PlainWorld {
    let config = PlainConfig::default().with(|plain| plain.motion = config);
    let mut world = PlainWorld::new(config, SimTime::ZERO);
    world.motion_mut().set_library(Arc::clone(library));
    let _ = world.set_viewpoint(Some([0.0; 3]));
    for tick in 0..40u32 {
        let now = SimTime::from_secs(f64::from(tick) / 20.0).unwrap();
        world.advance(now);
        if tick.is_multiple_of(8) {
            for entity in 0..4 {
                let pose = PlainPose::at([f64::from(tick) / 10.0, entity as f64, 0.0]);
                let update = PlainUpdate::new(pose).numbered(u64::from(tick));
                let update = if entity == 1 { update } else { update.moving([2.0, 0.0, 0.0]) };
                let _ = world.update(now, entity, &update);
            }
            let _ = world.throw(now, 3, [1.0, 0.0, 5.0]);
        }
    }
    let now = world.motion().now();
    let _ = world.motion_mut().insert(now, EntityId::new(77), &BodySetup::at(at(90.0, 90.0)));
    world
}

/// Makes a message by which an entity walks and follows another.
fn follow(actor: &mut Actor, target: EntityId) -> Update {
    let state = InterpretedState::doing(MotionCommand::WALK_FORWARD, 1.0);
    actor.movement(MovementKind::Interpreted { state, stick_to: Some(target) }, 0)
}

fn go_to(target: EntityId) -> MovementKind {
    let place = at(95.0, 95.0);
    MovementKind::MoveToObject {
        target,
        cell: place.cell.raw(),
        origin: place.pose.origin(),
        params: MoveToParams::default(),
        run_rate: 1.5,
    }
}
