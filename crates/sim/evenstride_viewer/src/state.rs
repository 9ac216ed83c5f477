//! What a body is doing now, as JSON.

use evenstride::{AnimationView, animation::DrawnMotion};
use evenstride_replay::{Frame, moved_by};
use evenstride_types::{EntityId, Placement, update::MotionCommand};
use serde_json::{Value, json};

use crate::viewed_script::ViewedScript;

/// Returns the state of a body, with its route, tether, goal and animation.
pub(crate) fn of(frame: &Frame<'_>, entity: EntityId, viewed: &ViewedScript) -> Value {
    let Some(body) = frame.world.get(entity) else { return json!({}) };
    let view = body.view();
    let at = |place: &Placement| viewed.metres(place).to_array();
    let index = |entity: Option<EntityId>| entity.and_then(|entity| viewed.index(entity));
    json!({
        "cell": view.place.map(|place| place.cell.to_string()),
        "local": view.place.map(|place| place.pose.origin().to_array()),
        "moved_by": moved_by(view.moved_by),
        "waypoints": body.waypoints().map(|place| at(&place)).collect::<Vec<_>>(),
        "tether": body.tether(),
        "follows": index(body.follows()),
        "goal": view.move_to.and_then(|goal| goal.towards).map(|place| at(&place)),
        "goal_entity": index(view.move_to.and_then(|goal| goal.target)),
        "move_to": view.move_to.map(|goal| goal.to_string()),
        "animation": animation(&body.animation(frame.now)),
        "is_airborne": !view.in_contact,
        "is_hidden": view.is_hidden,
        "is_active": view.is_active,
        "held_by": index(view.held_by.map(|held| held.holder)),
    })
}

/// Returns the animation that is shown in a few words.
fn animation(view: &AnimationView) -> String {
    if view.is_airborne {
        return "falls".to_owned();
    }
    let gait = &view.gait;
    match view.drawn {
        DrawnMotion::Going { command, speed } => words(command, speed),
        DrawnMotion::AsPlayed { playback } => {
            let mut told = words(gait.forward, gait.forward_speed * playback);
            if let Some(sidestep) = gait.sidestep {
                told += &format!(", {}", words(sidestep, gait.sidestep_speed));
            }
            if let Some(turn) = gait.turn {
                told += &format!(", {}", words(turn, gait.turn_speed));
            }
            told
        }
        _ => "stands".to_owned(),
    }
}

fn words(command: MotionCommand, speed: f32) -> String {
    let verb = match command {
        MotionCommand::READY => return "stands".to_owned(),
        MotionCommand::WALK_FORWARD => "walks",
        MotionCommand::WALK_BACKWARDS => "walks backwards",
        MotionCommand::RUN_FORWARD => "runs",
        MotionCommand::SIDESTEP_RIGHT | MotionCommand::SIDESTEP_LEFT => "sidesteps",
        MotionCommand::TURN_RIGHT | MotionCommand::TURN_LEFT => "turns",
        other => return format!("motion 0x{:08X}", other.0),
    };
    format!("{verb} ×{speed:.2}")
}
