//! Jumps: how high, when they are refused, what they end.

use evenstride::{
    Config, Disposition, FlatGround, Happening, OpenField,
    player::{Controller, JumpError, Skills},
    types::{
        SimTime, Vec3,
        update::{
            ActionItem, CommandIndex, Contact, InterpretedState, MotionCommand, MoveToParams, MovementKind,
            PlayerAction,
        },
    },
};
use evenstride_testkit::{Actor, RUNNING, Stage, played, played_in};

#[test]
fn a_standing_jump_rises_as_high_as_it_was_charged() {
    let (mut stage, player) = played(Config::SMOOTH);
    stage.world.charge_jump(stage.time(), &OpenField).unwrap();
    let sent = stage.sent();
    let [PlayerAction::MoveToState(keys)] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!(keys.contact, Contact(3), "on the ground and charging while standing");
    // Keys do not move it now, but count for the jump.
    stage.presses(RUNNING);
    stage.drive(1.2);
    assert_eq!(stage.at(player.id), Vec3::new(90.0, 90.0, 10.0));
    let skills = Skills { run: 200, jump: 300, load: 0.5 };
    let velocity = stage.world.jump(stage.time(), &OpenField).unwrap();
    assert_eq!(velocity, Vec3::new(0.0, 9.5, skills.jump_speed(1.0)));
    let mut apex = 0.0f32;
    for _ in 0..240 {
        stage.drive(1.0 / 60.0);
        apex = apex.max(stage.at(player.id).z - 10.0);
    }
    let height = skills.jump_speed(1.0) * skills.jump_speed(1.0) / 19.6;
    assert!((apex - height).abs() < 0.4, "rose {apex} m, not {height}");
    assert!((stage.at(player.id).z - 10.0).abs() < 1e-3, "open field: back at the height it left");
    assert!(stage.world.player().unwrap().is_grounded);
}

#[test]
fn jumps_are_refused_for_a_reason() {
    let (mut stage, mut player) = played(Config::RETAIL);
    let mut other = Stage::new(Config::RETAIL);
    assert_eq!(other.world.jump(SimTime::ZERO, &OpenField), Err(JumpError::NoLocalPlayer));
    assert!(stage.world.jump(stage.time(), &OpenField).is_ok());
    stage.drive(0.1);
    assert_eq!(stage.world.jump(stage.time(), &OpenField), Err(JumpError::InTheAir));
    stage.drive(2.0);
    stage.world.set_skills(Skills { load: 2.0, ..Skills::default() }).unwrap();
    assert_eq!(stage.world.charge_jump(stage.time(), &OpenField), Err(JumpError::Overloaded));
    stage.world.set_skills(Skills::default()).unwrap();
    // Sitting, on the server's order.
    let sits =
        InterpretedState { forward: Some(MotionCommand(0x4100_0013).index()), ..InterpretedState::default() };
    let _ = stage.says(&player.moves(sits, 0));
    assert_eq!(stage.world.jump(stage.time(), &OpenField), Err(JumpError::Posture));
    let _ = stage.says(&player.moves(InterpretedState::default(), 0));
    // The server saw it last more than 45 m from here.
    let _ = stage.says(&player.position(90.0, 40.0));
    assert_eq!(stage.world.jump(stage.time(), &OpenField), Err(JumpError::Tethered));
    assert_eq!(JumpError::Tethered.client_code(), 0x47);
}

#[test]
fn a_jump_ends_what_the_server_sent_the_player_to_do() {
    let (mut stage, mut player) = played(Config::RETAIL);
    let from = stage.at(player.id);
    let order = player.sent_to_place(from.x, from.y + 30.0, MoveToParams::default());
    let _ = stage.says(&order);
    stage.drive(0.5);
    assert!(stage.body(player.id).move_to.is_some());
    let _ = stage.world.jump(stage.time(), &stage.surroundings);
    assert_eq!(stage.body(player.id).move_to, None);
}

#[test]
fn the_charge_of_a_jump_is_in_the_keys_and_not_in_the_position() {
    let (mut stage, mut player) = played(Config::RETAIL);
    stage.world.charge_jump(stage.time(), &OpenField).unwrap();
    let _ = stage.says(&player.forced(91.0, 90.0));
    let sent = stage.sent();
    let [PlayerAction::MoveToState(keys), PlayerAction::AutonomousPosition(position)] = sent.as_slice()
    else {
        panic!("{sent:?}")
    };
    assert_eq!((keys.contact, position.contact), (Contact(3), Contact(1)));
}

#[test]
fn in_the_air_its_legs_do_not_carry_it() {
    let (mut stage, player) = played_in(Config::SMOOTH, FlatGround { z: 10.0 });
    stage.presses(RUNNING);
    stage.drive(1.0);
    let now = stage.time();
    stage.world.jump(now, &FlatGround { z: 10.0 }).unwrap();
    stage.drive(0.1);
    let (before, then) = (stage.at(player.id), stage.now);
    stage.drive(0.2);
    let speed = evenstride::types::length((stage.at(player.id) - before).with_z(0.0)) / (stage.now - then);
    // Its velocity alone: 4 m/s times its run rate, and not twice that.
    assert!((speed - 9.5).abs() < 0.4, "{speed}");
}

/// Regression: the player's own jump left out what leaving the ground does, and let go on landing only, half a second later.
#[test]
fn a_stuck_player_who_jumps_lets_go_at_take_off() {
    let (mut stage, mut player) = played(Config::RETAIL);
    let drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(91.0, 90.0));
    stage.drive(0.1);
    let swing = ActionItem { command: CommandIndex(0x62), stamp: 1, autonomous: false, speed: 1.0 };
    let state = InterpretedState { actions: vec![swing], ..InterpretedState::default() };
    let attack = MovementKind::Interpreted { state, stick_to: Some(drudge.id) };
    assert_eq!(stage.says(&player.told(attack, 0)), Disposition::Applied);
    stage.drive(0.3);
    let began = stage.events_of(player.id);
    assert!(began.iter().any(|event| matches!(event, Happening::FollowBegan { .. })), "{began:?}");
    assert!(!began.iter().any(|event| matches!(event, Happening::FollowEnded)), "{began:?}");
    stage.world.jump(stage.time(), &OpenField).unwrap();
    let at_take_off = stage.events_of(player.id);
    assert!(at_take_off.iter().any(|event| matches!(event, Happening::FollowEnded)), "{at_take_off:?}");
}

/// Regression: the player's jump had rules of its own, and they did not look at what was pending.
#[test]
fn a_player_may_not_jump_while_the_motion_it_gets_up_with_is_pending() {
    let (mut stage, mut player) = played(Config::RETAIL);
    let _ = stage.says(&player.moves(InterpretedState::doing(MotionCommand(0x4100_0012), 1.0), 0));
    stage.drive(0.5);
    assert_eq!(stage.world.jump(stage.time(), &OpenField), Err(JumpError::Posture));
    let _ = stage.says(&player.moves(InterpretedState::default(), 0));
    assert_eq!(stage.world.jump(stage.time(), &OpenField), Err(JumpError::Posture), "still getting up");
    stage.drive(0.5);
    assert!(stage.world.jump(stage.time(), &OpenField).is_ok());
}

/// Regression: without animations a jump was charged into nothing.
#[test]
fn a_player_whom_the_server_controls_still_jumps_after_the_library_changed() {
    let (mut stage, mut player) = played(Config::RETAIL);
    let _ = stage.says(&player.moves(InterpretedState::default(), 0));
    assert_eq!(stage.world.player().unwrap().controller, Controller::Server);
    stage.world.set_library(std::sync::Arc::new(evenstride::animation::MotionLibrary::built_in()));
    let velocity = stage.world.jump(stage.time(), &OpenField).unwrap();
    assert!(velocity.z > 2.0, "{velocity}");
}
