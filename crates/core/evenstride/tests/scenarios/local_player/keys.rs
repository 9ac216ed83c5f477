//! Keys, what is sent because of them, and whose orders count.

use evenstride::{
    Config, Disposition, FlatGround, Happening, OpenField,
    outcome::IgnoreReason,
    player::{Ahead, Controller, Input, Side, Skills},
    types::{
        Stamp, Vec3,
        update::{
            Contact, HoldKey, InterpretedState, MotionCommand, MoveToParams, PlayerAction, RawAxis, Update,
        },
    },
};
use evenstride_testkit::{Actor, RUNNING, STANDING, Stage, at, played, played_in, under_way};

use super::names;

#[test]
fn it_begins_with_its_keys_and_its_position() {
    let mut stage = Stage::new(Config::RETAIL);
    let player = Actor::new(0x5000_0001);
    let _ = stage.says(&Update::LocalPlayer(player.id));
    assert_eq!(stage.sent(), []);
    let _ = stage.says(&player.created(90.0, 90.0));
    stage.drive(0.1);
    let sent = stage.sent();
    assert_eq!(names(&sent), ["keys", "position"]);
    let PlayerAction::MoveToState(keys) = &sent[0] else { unreachable!() };
    assert_eq!(
        (keys.state.hold_key, keys.state.forward, keys.contact),
        (None, RawAxis::default(), Contact(1))
    );
    // Standing still it has nothing more to say.
    stage.drive(30.0);
    assert_eq!(stage.sent(), []);
}

#[test]
fn keys_move_it_at_the_clients_speeds() {
    for (name, config) in Config::PROFILES {
        let (mut stage, player) = played(config);
        for (controls, velocity) in [
            (RUNNING, Vec3::new(0.0, 4.0 * 2.375, 0.0)),
            (Input { run: false, ..RUNNING }, Vec3::new(0.0, 3.12, 0.0)),
            (Input { ahead: Some(Ahead::Back), run: false, ..RUNNING }, Vec3::new(0.0, -3.12 * 0.65, 0.0)),
            (Input { aside: Some(Side::Right), run: false, ..STANDING }, Vec3::new(1.56, 0.0, 0.0)),
            (Input { aside: Some(Side::Left), ..STANDING }, Vec3::new(-1.25 * 1.248 * 2.375, 0.0, 0.0)),
            (STANDING, Vec3::ZERO),
        ] {
            stage.presses(controls);
            stage.drive(0.2);
            let start = stage.at(player.id);
            stage.drive(1.0);
            let moved = stage.at(player.id) - start;
            // Where the last step left it is up to 50 ms behind.
            assert!(moved.distance(velocity) < 0.5, "{name}: {controls:?} moved {moved}, not {velocity}");
        }
    }
}

#[test]
fn turning_right_is_clockwise_and_faster_when_running() {
    let (mut stage, player) = played(Config::SMOOTH);
    stage.presses(Input { turn: Some(Side::Right), run: false, ..STANDING });
    stage.drive(0.5);
    let heading = |stage: &Stage| stage.body(player.id).place.unwrap().pose.heading().degrees();
    assert!((heading(&stage) - 45.0).abs() < 3.1, "{}", heading(&stage));
    let before = heading(&stage);
    stage.presses(Input { turn: Some(Side::Left), ..STANDING });
    stage.drive(1.0);
    let turned = (before - heading(&stage)).rem_euclid(360.0);
    // From keyframe to keyframe, and after the turn to the right has ended.
    assert!((turned - 135.0).abs() < 7.0, "{turned}");
}

#[test]
fn every_change_of_the_keys_is_sent_at_once_and_no_repetition() {
    let (mut stage, player) = played(Config::RETAIL);
    stage.presses(RUNNING);
    stage.presses(RUNNING);
    let sent = stage.sent();
    let [PlayerAction::MoveToState(keys)] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!(keys.state.hold_key, Some(HoldKey::RUN));
    assert_eq!(keys.state.forward.command, Some(MotionCommand::WALK_FORWARD));
    assert_eq!(keys.position.check().unwrap(), stage.body(player.id).place.unwrap());
    assert_eq!((keys.stamps.instance, keys.contact), (Stamp::new(90), Contact(1)));
    stage.presses(STANDING);
    assert_eq!(names(&stage.sent()), ["keys"]);
}

#[test]
fn while_it_moves_its_position_is_sent_every_second_and_at_every_cell() {
    let (mut stage, _) = played(Config::RETAIL);
    // 9.5 m/s northwards from y = 90, after a beginning that costs a tenth of a second: cells begin at 96 and 120.
    stage.presses(RUNNING);
    let start = stage.now;
    let mut sent = Vec::new();
    for _ in 0..(4.5 * 60.0) as usize {
        stage.drive(1.0 / 60.0);
        for action in stage.sent() {
            sent.push((names(&[action])[0], stage.now - start));
        }
    }
    let times: Vec<f64> =
        sent.iter().filter(|(name, _)| *name == "position").map(|(_, time)| *time).collect();
    assert_eq!(times.len(), 5, "{sent:?}");
    for (time, expected) in times.iter().zip([0.75, 1.76, 2.78, 3.27, 4.28]) {
        assert!((time - expected).abs() < 0.1, "{times:?}");
    }
}

#[test]
fn from_the_air_it_says_nothing() {
    let (mut stage, player) = played_in(Config::RETAIL, FlatGround { z: 10.0 });
    stage.presses(RUNNING);
    let now = stage.time();
    let ground = FlatGround { z: 10.0 };
    stage.world.charge_jump(now, &ground).unwrap();
    stage.drive(0.5);
    let _ = stage.sent();
    let velocity = stage.world.jump(stage.time(), &ground).unwrap();
    let sent = stage.sent();
    let [PlayerAction::Jump(jump)] = sent.as_slice() else { panic!("{sent:?}") };
    assert!((jump.extent - 0.5).abs() < 0.01, "{}", jump.extent);
    assert_eq!(jump.local_velocity, velocity);
    assert!((velocity.y - 9.5).abs() < 1e-5, "running velocity goes into the jump: {velocity}");
    let mut said_in_the_air = Vec::new();
    for _ in 0..600 {
        stage.drive(1.0 / 60.0);
        if stage.world.player().unwrap().is_grounded {
            break;
        }
        said_in_the_air.extend(stage.sent());
    }
    assert_eq!(said_in_the_air, []);
    assert!(stage.world.player().unwrap().is_grounded);
    let events = stage.events_of(player.id);
    assert!(matches!(events[..], [Happening::TookOff { .. }, Happening::Landed { .. }]), "{events:?}");
    stage.drive(1.1);
    assert!(names(&stage.sent()).contains(&"position"));
}

#[test]
fn an_echo_of_its_own_keys_is_ignored_and_an_order_takes_control() {
    let (mut stage, mut player) = played(Config::RETAIL);
    stage.presses(RUNNING);
    let echo = stage.says(&player.moves(InterpretedState::default(), 1));
    assert_eq!(echo, Disposition::Ignored(IgnoreReason::Echo));
    assert_eq!(stage.world.player().unwrap().controller, Controller::Keys);
    let order = stage.says(&player.moves(InterpretedState::default(), 0));
    assert_eq!(order, Disposition::Applied);
    let view = stage.world.player().unwrap();
    assert_eq!((view.controller, view.gait.forward), (Controller::Server, MotionCommand::READY));
    // Letting go of the key takes nothing back. It comes to a stand first.
    stage.presses(STANDING);
    stage.drive(1.0);
    let stopped = stage.at(player.id);
    stage.drive(0.5);
    assert!(stage.at(player.id).distance(stopped) < 0.01);
    assert_eq!(stage.world.player().unwrap().controller, Controller::Server);
    // The next key takes control back; the stamp of the order is in what is sent.
    let _ = stage.sent();
    stage.presses(RUNNING);
    let sent = stage.sent();
    let PlayerAction::MoveToState(keys) = &sent[0] else { panic!("{sent:?}") };
    assert_eq!(keys.stamps.server_control, Stamp::new(1));
    assert_eq!(stage.events_of(player.id), [Happening::ControlLost, Happening::ControlTaken]);
}

#[test]
fn a_key_held_while_the_server_sends_the_player_somewhere_moves_it_again_afterwards() {
    let (mut stage, mut player) = played(Config::RETAIL);
    stage.presses(RUNNING);
    let from = stage.at(player.id);
    let order = player.sent_to_place(from.x + 6.0, from.y, MoveToParams::default());
    assert_eq!(stage.says(&order), Disposition::Applied);
    let control = |stage: &Stage| stage.world.player().unwrap().controller;
    assert_eq!(control(&stage), Controller::Server);
    stage.drive(1.0);
    assert!(stage.body(player.id).move_to.is_some() && control(&stage) == Controller::Server);
    let _ = stage.sent();
    stage.drive(4.0);
    assert_eq!((stage.body(player.id).move_to, control(&stage)), (None, Controller::Keys));
    assert!(stage.sent().iter().any(|action| matches!(action, PlayerAction::MoveToState(_))));
    let before = stage.at(player.id);
    stage.drive(0.5);
    assert!(stage.at(player.id).distance(before) > 1.0, "it runs on");
    // A key that is pressed ends such a movement at once.
    stage.presses(STANDING);
    let order = player.sent_to_place(from.x + 60.0, from.y, MoveToParams::default());
    let _ = stage.says(&order);
    stage.drive(0.5);
    let _ = stage.events();
    stage.presses(RUNNING);
    let is_interrupted = |what: &Happening| {
        matches!(what, Happening::MoveToEnded { end: evenstride::outcome::MoveToEnd::Interrupted, .. })
    };
    assert!(stage.events_of(player.id).iter().any(is_interrupted));
    assert_eq!((stage.body(player.id).move_to, control(&stage)), (None, Controller::Keys));
}

#[test]
fn a_player_that_is_described_on_its_way_is_under_the_servers_control() {
    let mut stage = Stage::new(Config::RETAIL);
    let player = Actor::new(0x5000_0001);
    let _ = stage.says(&Update::LocalPlayer(player.id));
    let place = at(90.0, 96.0);
    let kind = evenstride::types::update::MovementKind::MoveToPosition {
        cell: place.cell.raw(),
        origin: place.pose.origin(),
        params: MoveToParams::default(),
        run_rate: 1.0,
    };
    let movement = under_way(kind);
    let _ = stage.says(&player.create(evenstride::types::update::PhysicsDescription {
        movement,
        ..player.description(Some(&at(90.0, 90.0)))
    }));
    assert_eq!(stage.world.player().unwrap().controller, Controller::Server);
    stage.drive(0.8);
    assert_eq!(stage.world.player().unwrap().gait.forward, MotionCommand::WALK_FORWARD);
    stage.presses(RUNNING);
    assert_eq!(stage.world.player().unwrap().controller, Controller::Keys);
    let before = stage.at(player.id);
    stage.drive(1.0);
    assert!(stage.at(player.id).distance(before) > 2.0);
}

#[test]
fn a_player_that_is_nowhere_says_nothing() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut player = Actor::new(0x5000_0001);
    stage.world.set_local_player(stage.time(), Some(player.id));
    let _ = stage.says(&player.create(player.description(None)));
    assert_eq!(
        stage.world.set_input(stage.time(), RUNNING, &OpenField),
        Err(evenstride::player::NoPlayerError)
    );
    stage.drive(2.0);
    assert_eq!(stage.sent(), []);
    let _ = stage.says(&player.teleport(90.0, 90.0));
    assert_eq!(names(&stage.sent()), ["keys"]);
    stage.drive(0.1);
    assert_eq!(names(&stage.sent()), ["position"]);
}

#[test]
fn on_hills_its_position_is_sent_once_for_each_slope() {
    use evenstride::{surroundings::Heightfield, types::LandblockId};
    // Squares of 24 m, each twisted: 0 to 4 m high at the corners.
    let heights = (0..81).map(|post| [0.0, 4.0, 1.0, 3.0][post % 4]).collect();
    let hills = Heightfield::new(LandblockId::new(0xA9, 0xB4).unwrap(), 24.0, 9, heights).unwrap();
    let (mut stage, _) = played_in(Config::RETAIL, hills);
    stage.drive(2.0);
    let _ = stage.sent();
    stage.presses(Input { run: false, ..RUNNING });
    let _ = stage.sent();
    stage.drive(10.0);
    // Ten seconds, two or three cells of two triangles each.
    let sent = stage.sent().len();
    assert!((9..20).contains(&sent), "{sent}");
}

/// Keys are one motion each: a key that goes up ends its own, and the others go on.
#[test]
fn a_key_that_goes_up_ends_its_own_motion_and_no_other() {
    let (mut stage, _) = played(Config::RETAIL);
    stage.presses(Input { turn: Some(Side::Left), aside: Some(Side::Right), ..RUNNING });
    stage.drive(0.2);
    let doing = |stage: &Stage| {
        let gait = stage.world.player().unwrap().gait;
        (gait.forward, gait.sidestep.is_some(), gait.turn.is_some())
    };
    assert_eq!(doing(&stage), (MotionCommand::RUN_FORWARD, true, true));
    stage.presses(Input { aside: Some(Side::Right), ..RUNNING });
    assert_eq!(doing(&stage), (MotionCommand::RUN_FORWARD, true, false));
    stage.presses(Input { aside: Some(Side::Right), run: false, ..RUNNING });
    assert_eq!(doing(&stage), (MotionCommand::WALK_FORWARD, true, false));
    stage.presses(Input { ahead: Some(Ahead::Back), ..RUNNING });
    let gait = stage.world.player().unwrap().gait;
    assert_eq!((gait.forward, gait.forward_speed), (MotionCommand::WALK_FORWARD, -0.65 * 2.375));
    stage.presses(STANDING);
    assert_eq!(doing(&stage), (MotionCommand::READY, false, false));
}

/// In the air keys change nothing but what the player does once it has landed.
#[test]
fn keys_that_change_in_the_air_count_on_landing() {
    let (mut stage, _) = played_in(Config::RETAIL, FlatGround { z: 10.0 });
    let ground = FlatGround { z: 10.0 };
    stage.world.jump(stage.time(), &ground).unwrap();
    stage.drive(0.2);
    stage.presses(RUNNING);
    let before = stage.at(stage.world.player().unwrap().entity);
    stage.drive(0.1);
    let flying = stage.at(stage.world.player().unwrap().entity);
    assert!((flying - before).with_z(0.0).length_squared() < 1e-6, "{before} {flying}");
    stage.drive(3.0);
    assert!(stage.at(stage.world.player().unwrap().entity).y > 95.0);
}

/// Skills change how fast a player runs that is running already.
#[test]
fn a_running_player_whose_skill_changes_runs_faster_at_once() {
    let (mut stage, _) = played(Config::RETAIL);
    stage.presses(RUNNING);
    stage.drive(0.5);
    stage.world.set_skills(Skills { run: 800, jump: 300, load: 0.5 }).unwrap();
    assert_eq!(stage.world.player().unwrap().gait.forward_speed, 4.5);
}
