//! The local player: keys, messages, corrections.

mod corrections;
mod drawing;
mod jumps;
mod keys;
mod replayed;

use evenstride::types::update::PlayerAction;

fn names(actions: &[PlayerAction]) -> Vec<&'static str> {
    let name = |action: &PlayerAction| match action {
        PlayerAction::MoveToState(_) => "keys",
        PlayerAction::AutonomousPosition(_) => "position",
        PlayerAction::Jump(_) => "jump",
        _ => "other",
    };
    actions.iter().map(name).collect()
}
