//! The local player: keys, messages, corrections.

use evenstride::{
    Ahead, Autonomy, CatchUp, Config, Controller, Disposition, FlatGround, Happening, IgnoreReason, Input,
    JumpRefused, OpenField, PlaceReason, RenderGate, Side, Skills, Surroundings,
    types::{
        Heading, Placement, RawPlacement, Rotation, SimTime, Stamp, StampKind, Vec3,
        update::{
            ActionItem, AutonomousPosition, CommandIndex, Contact, HoldKey, InterpretedState, MotionCommand,
            MovementKind, PhysicsDescription, PhysicsState, PlayerAction, PlayerStamps, RawAxis,
            SparseQuaternion, TeleportUpdate, Update,
        },
    },
};

use crate::rig::stage::{Actor, Stage, at, usual};

const RUNNING: Input = Input {
    ahead: Some(Ahead::Forward),
    aside: None,
    turn: None,
    run: true,
    style: MotionCommand::NON_COMBAT,
};
const STANDING: Input = Input { ahead: None, ..RUNNING };

/// A player of run rate 2.375 standing at (90, 90, 10), facing north; everything it had to send so far is sent.
fn played(config: Config) -> (Stage, Actor) {
    played_in(config, OpenField)
}

fn played_in<S: Surroundings>(config: Config, surroundings: S) -> (Stage<S>, Actor) {
    let mut stage = Stage::in_surroundings(config, surroundings);
    stage.world.set_viewpoint(None);
    let mut player = Actor::new(0x5000_0001);
    player.stamps.set(StampKind::Instance, Stamp::new(90));
    let _ = stage.says(&Update::LocalPlayer(player.id));
    let _ = stage.says(&player.created(90.0, 90.0));
    stage.world.set_skills(Skills { run: 200, jump: 300, load: 0.5 }).unwrap();
    stage.drive(0.5);
    let _ = stage.sent();
    let _ = stage.events();
    (stage, player)
}

impl<S: Surroundings> Stage<S> {
    fn presses(&mut self, controls: Input) {
        let now = self.time();
        self.world.set_input(now, controls, &self.surroundings).unwrap();
    }
}

fn names(actions: &[PlayerAction]) -> Vec<&'static str> {
    let name = |action: &PlayerAction| match action {
        PlayerAction::MoveToState(_) => "keys",
        PlayerAction::AutonomousPosition(_) => "position",
        PlayerAction::Jump(_) => "jump",
        _ => "other",
    };
    actions.iter().map(name).collect()
}

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
    assert_eq!(other.world.jump(SimTime::ZERO, &OpenField), Err(JumpRefused::NoLocalPlayer));
    assert!(stage.world.jump(stage.time(), &OpenField).is_ok());
    stage.drive(0.1);
    assert_eq!(stage.world.jump(stage.time(), &OpenField), Err(JumpRefused::InTheAir));
    stage.drive(2.0);
    stage.world.set_skills(Skills { load: 2.0, ..Skills::default() }).unwrap();
    assert_eq!(stage.world.charge_jump(stage.time(), &OpenField), Err(JumpRefused::Overloaded));
    stage.world.set_skills(Skills::default()).unwrap();
    // Sitting, on the server's order.
    let sits =
        InterpretedState { forward: Some(MotionCommand(0x4100_0013).index()), ..InterpretedState::default() };
    let _ = stage.says(&player.moves(sits, 0));
    assert_eq!(stage.world.jump(stage.time(), &OpenField), Err(JumpRefused::Posture));
    let _ = stage.says(&player.moves(InterpretedState::default(), 0));
    // The server saw it last more than 45 m from here.
    let _ = stage.says(&player.position(90.0, 40.0));
    assert_eq!(stage.world.jump(stage.time(), &OpenField), Err(JumpRefused::Tethered));
    assert_eq!(JumpRefused::Tethered.code(), 0x47);
}

#[test]
fn an_ordinary_position_only_ties_the_tether() {
    let (mut stage, mut player) = played(Config::RETAIL);
    stage.presses(RUNNING);
    stage.drive(0.5);
    let before = stage.at(player.id);
    let answer = stage.says(&player.position(90.0, 90.0));
    assert_eq!(answer, Disposition::Ignored(IgnoreReason::PlayerDecides));
    assert_eq!(stage.at(player.id), before);
    let view = stage.world.player().unwrap();
    let [used, max] = view.tether.unwrap();
    assert!(
        (f64::from(used) - f64::from((before.y - 90.0).abs())).abs() < 1e-3 && max == 50.0,
        "{used} of {max}"
    );
    assert_eq!(view.heard, Some(at(90.0, 90.0)));
    // Nothing more is heard: it is held back, ever more, and never gets farther than the tether allows.
    stage.drive(60.0);
    let reached = stage.at(player.id).y - 90.0;
    assert!((40.0..50.5).contains(&reached), "{reached}");
}

#[test]
fn a_forced_position_is_taken_with_the_heading_kept_and_answered() {
    let (mut stage, mut player) = played(Config::RETAIL);
    stage.presses(Input { turn: Some(Side::Right), ..STANDING });
    stage.drive(0.5);
    stage.presses(STANDING);
    stage.drive(0.2);
    let _ = stage.sent();
    let heading = stage.body(player.id).place.unwrap().pose.heading();
    assert!(heading.degrees() > 40.0);
    let mut forced = player.forced(95.0, 90.0);
    // Even with an older position stamp, and facing elsewhere.
    if let Update::Position(position) = &mut forced {
        position.pack.position = Stamp::new(0);
        position.pack.rotation = SparseQuaternion::packed(Rotation::facing(Heading::SOUTH).to_wxyz());
    }
    let answer = stage.says(&forced);
    assert_eq!(answer, Disposition::Placed { reason: PlaceReason::Corrected, done: true });
    assert_eq!(stage.at(player.id), Vec3::new(95.0, 90.0, 10.0));
    let kept = stage.body(player.id).place.unwrap().pose.heading();
    assert!((kept.degrees() - heading.degrees()).abs() < 1e-3);
    let sent = stage.sent();
    let [PlayerAction::AutonomousPosition(position)] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!((position.position.origin.x, position.stamps.force_position), (95.0, Stamp::new(1)));
    let snapped = Happening::Snapped { reason: PlaceReason::Corrected, metres: 5.0 };
    assert!(stage.events_of(player.id).contains(&snapped));
    // The same again is not forced again.
    assert!(matches!(stage.says(&forced), Disposition::Ignored(IgnoreReason::StalePosition)));
}

#[test]
fn a_force_stamp_from_before_a_teleport_is_used_up_and_does_nothing() {
    let (mut stage, mut player) = played(Config::RETAIL);
    let mut old = player;
    let _ = stage.says(&player.teleport(60.0, 60.0));
    old.next(StampKind::ForcePosition);
    let answer = stage.says(&old.position(95.0, 90.0));
    // One position stamp behind too; its force stamp is stored, as in the client.
    assert_eq!(answer, Disposition::Ignored(IgnoreReason::StalePosition));
    let _ = stage.sent();
    let _ = stage.says(&player.forced(61.0, 60.0));
    assert_eq!(stage.at(player.id).x, 60.0, "that force stamp was used up");
}

#[test]
fn a_teleport_moves_it_stops_it_and_tells_the_server() {
    let (mut stage, mut player) = played(Config::RETAIL);
    stage.presses(RUNNING);
    stage.drive(0.3);
    let _ = stage.sent();
    let teleport = player.stamp(StampKind::Teleport).next();
    assert_eq!(stage.says(&Update::Teleport(TeleportUpdate { teleport })), Disposition::Applied);
    let hidden = PhysicsState::default() | PhysicsState::HIDDEN;
    let _ = stage.says(&player.state(hidden));
    assert!(stage.world.player().unwrap().is_teleporting);
    let answer = stage.says(&player.teleport(30.0, 30.0));
    assert_eq!(answer, Disposition::Placed { reason: PlaceReason::Teleport, done: true });
    assert_eq!(stage.at(player.id), Vec3::new(30.0, 30.0, 10.0));
    let sent = stage.sent();
    let [PlayerAction::MoveToState(keys)] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!((keys.stamps.teleport, keys.position.origin.x), (teleport, 30.0));
    let _ = stage.says(&player.state(PhysicsState::default()));
    let kinds = stage.events_of(player.id);
    assert_eq!(
        kinds,
        [
            Happening::TeleportBegan,
            Happening::Hidden(true),
            Happening::TeleportEnded,
            Happening::Snapped { reason: PlaceReason::Teleport, metres: kinds_metres(&kinds) },
            Happening::Hidden(false)
        ]
    );
    // An order from before the teleport.
    let stale = Update::Teleport(TeleportUpdate { teleport: Stamp::new(0) });
    assert_eq!(stage.says(&stale), Disposition::Ignored(IgnoreReason::StaleTeleport));
}

fn kinds_metres(kinds: &[Happening]) -> f32 {
    let metres = kinds.iter().find_map(|kind| match kind {
        Happening::Snapped { metres, .. } => Some(*metres),
        _ => None,
    });
    metres.filter(|metres| (80.0..95.0).contains(metres)).expect("snapped some 85 m")
}

#[test]
fn when_the_server_owns_the_position_it_walks_there() {
    for (autonomy, turns) in [(Autonomy::Server, true), (Autonomy::ServerButHeading, false)] {
        let (mut stage, mut player) = played(Config::RETAIL);
        stage.world.set_autonomy(autonomy).unwrap();
        let mut update = player.position(93.0, 90.0);
        if let Update::Position(position) = &mut update {
            position.pack.rotation = SparseQuaternion::packed(Rotation::facing(Heading::EAST).to_wxyz());
        }
        assert!(matches!(stage.says(&update), Disposition::Queued(_)), "{autonomy:?}");
        assert_eq!(stage.at(player.id).x, 90.0);
        stage.drive(1.5);
        assert!((stage.at(player.id).x - 93.0).abs() < 0.06, "{autonomy:?}: {}", stage.at(player.id));
        let heading = stage.body(player.id).place.unwrap().pose.heading().degrees();
        assert_eq!((heading - 90.0).abs() < 1.0, turns, "{autonomy:?}: {heading}");
        // And it flies as it is told.
        assert_eq!(stage.says(&player.thrown(Vec3::new(0.0, 0.0, 3.0))), Disposition::Applied);
    }
    let (mut stage, mut player) = played(Config::RETAIL);
    let answer = stage.says(&player.thrown(Vec3::new(0.0, 0.0, 3.0)));
    assert_eq!(answer, Disposition::Ignored(IgnoreReason::PlayerDecides));
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
    let order = player.sent_to_place(from.x + 6.0, from.y, usual());
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
    let order = player.sent_to_place(from.x + 60.0, from.y, usual());
    let _ = stage.says(&order);
    stage.drive(0.5);
    let _ = stage.events();
    stage.presses(RUNNING);
    let is_interrupted = |what: &Happening| {
        matches!(what, Happening::MoveToEnded { end: evenstride::MoveToEnd::Interrupted, .. })
    };
    assert!(stage.events_of(player.id).iter().any(is_interrupted));
    assert_eq!((stage.body(player.id).move_to, control(&stage)), (None, Controller::Keys));
}

#[test]
fn a_jump_ends_what_the_server_sent_the_player_to_do() {
    let (mut stage, mut player) = played(Config::RETAIL);
    let from = stage.at(player.id);
    let order = player.sent_to_place(from.x, from.y + 30.0, usual());
    let _ = stage.says(&order);
    stage.drive(0.5);
    assert!(stage.body(player.id).move_to.is_some());
    let _ = stage.world.jump(stage.time(), &stage.surroundings);
    assert_eq!(stage.body(player.id).move_to, None);
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
        params: usual(),
        run_rate: 1.0,
    };
    let movement = crate::rig::stage::doing(kind);
    let _ = stage.says(&player.described(evenstride::types::update::PhysicsDescription {
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
fn d9_the_local_player_is_drawn_between_its_last_two_steps() {
    let (mut stage, _) = played(Config::ACDREAM);
    stage.fps = 240.0;
    stage.presses(RUNNING);
    stage.drive(0.5);
    let mut places = Vec::new();
    for _ in 0..48 {
        stage.drive(1.0 / 240.0);
        places.push(stage.drawn(stage.world.player().unwrap().entity).unwrap().y);
    }
    let steps: Vec<f32> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().filter(|step| **step > 0.0).count() > 40, "{steps:?}");
    let (mut plain, player) = played(Config::RETAIL);
    plain.fps = 240.0;
    plain.presses(RUNNING);
    plain.drive(0.5);
    let mut still = 0;
    for _ in 0..48 {
        let before = plain.drawn(player.id);
        plain.drive(1.0 / 240.0);
        still += usize::from(plain.drawn(player.id) == before);
    }
    assert!(still > 30, "the client's own player stands still in {still} of 48 frames");
}

/// Frames of many lengths, hitches among them, of a player that glides east at 2 m/s: no gravity, no ground, no legs.
#[test]
fn d14_after_a_hitch_the_local_player_is_drawn_as_by_the_render_gate() {
    let apart = |config: Config| {
        let mut stage = Stage::new(config);
        stage.world.set_viewpoint(None);
        let mut player = Actor::new(0x5000_0001);
        let _ = stage.says(&Update::LocalPlayer(player.id));
        let physics = PhysicsDescription {
            state: PhysicsState::empty(),
            velocity: Some(Vec3::new(0.0, 0.0, 0.001)),
            ..player.description(Some(&at(90.0, 90.0)))
        };
        let _ = stage.says(&player.described(physics));
        stage.world.set_autonomy(Autonomy::Server).unwrap();
        let _ = stage.says(&player.thrown(Vec3::new(2.0, 0.0, 0.0)));
        let mut gate = RenderGate::new(at(90.0, 90.0), config.max_step_secs as f32);
        let glide = |place: Placement, secs: f32| {
            let there = place.pose.origin() + Vec3::X * 2.0 * secs;
            Placement::new(place.cell, place.pose.with_origin(there).unwrap())
        };
        let mut apart = 0.0_f32;
        for frame in 0..400u32 {
            let millis = match frame {
                _ if frame % 97 == 96 => 2_500,
                _ if frame % 41 == 40 => 430,
                _ if frame % 17 == 16 => 170,
                _ => 7 + frame * 13 % 23,
            };
            stage.now += f64::from(millis) / 1_000.0;
            let _ = stage.world.advance(stage.time(), &OpenField);
            let _ = gate.frame(millis as f32 / 1_000.0, glide);
            let by_gate = crate::rig::home(&gate.drawn());
            apart = apart.max(stage.drawn(player.id).unwrap().distance(by_gate));
        }
        assert!(stage.at(player.id).x > 100.0, "it has gone somewhere: {}", stage.at(player.id));
        apart
    };
    assert!(apart(Config::ACDREAM) < 0.002, "{}", apart(Config::ACDREAM));
    let at_once = Config { player_catch_up: CatchUp::AtOnce, ..Config::ACDREAM };
    assert!(apart(at_once) > 0.2, "{}", apart(at_once));
}

/// The symptom: about 5 m of old time were run at the destination.
#[test]
fn a_placement_drops_the_steps_that_are_not_caught_up_with() {
    let (mut stage, mut player) = played(Config::ACDREAM);
    stage.presses(RUNNING);
    stage.drive(1.0);
    stage.now += 1.0;
    let _ = stage.world.advance(stage.time(), &OpenField);
    let _ = stage.says(&player.teleport(120.0, 120.0));
    stage.drive(0.1);
    let run = stage.at(player.id).distance(Vec3::new(120.0, 120.0, 10.0));
    assert!(run < 1.2, "{run}");
}

/// The symptom: a player that was corrected in its jump fell for ever.
#[test]
fn a_correction_in_mid_jump_leaves_the_ground_where_it_was() {
    let (mut stage, mut player) = played(Config::RETAIL);
    stage.world.charge_jump(stage.time(), &OpenField).unwrap();
    stage.drive(0.5);
    stage.world.jump(stage.time(), &OpenField).unwrap();
    stage.drive(0.2);
    assert!(!stage.body(player.id).in_contact);
    let place = crate::rig::place(crate::rig::HOME, stage.at(player.id) + Vec3::new(0.5, 0.0, 0.0));
    player.next(StampKind::ForcePosition);
    let Update::Position(mut position) = player.position(0.0, 0.0) else { unreachable!() };
    (position.pack.cell, position.pack.origin) = (place.cell.raw(), place.pose.origin());
    position.pack.has_contact = false;
    let answer = stage.says(&Update::Position(position));
    assert_eq!(answer, Disposition::Placed { reason: PlaceReason::Corrected, done: true });
    stage.drive(3.0);
    assert_eq!((stage.at(player.id).z, stage.body(player.id).in_contact), (10.0, true));
}

#[test]
fn a_player_that_is_nowhere_says_nothing() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut player = Actor::new(0x5000_0001);
    stage.world.set_local_player(stage.time(), Some(player.id));
    let _ = stage.says(&player.described(player.description(None)));
    assert_eq!(stage.world.set_input(stage.time(), RUNNING, &OpenField), Err(evenstride::NoLocalPlayer));
    stage.drive(2.0);
    assert_eq!(stage.sent(), []);
    let _ = stage.says(&player.teleport(90.0, 90.0));
    assert_eq!(names(&stage.sent()), ["keys"]);
    stage.drive(0.1);
    assert_eq!(names(&stage.sent()), ["position"]);
}

#[test]
fn on_hills_its_position_is_sent_once_for_each_slope() {
    use evenstride::{Heightfield, types::LandblockId};
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
fn what_a_client_sent_can_be_repeated_in_another_world() {
    for (name, config) in Config::PROFILES {
        let (mut original, player) = played(config);
        let (mut copy, _) = played(config);
        let script = [
            (0.5, RUNNING),
            (1.2, Input { turn: Some(Side::Right), ..RUNNING }),
            (1.0, RUNNING),
            (1.3, Input { aside: Some(Side::Left), run: false, ..STANDING }),
            (1.0, STANDING),
        ];
        for (number, (seconds, controls)) in script.into_iter().enumerate() {
            original.presses(controls);
            if number == 2 {
                let now = original.time();
                original.world.jump(now, &OpenField).unwrap();
            }
            for _ in 0..(seconds * 60.0) as u32 {
                for action in original.sent() {
                    let now = copy.time();
                    let off = copy.world.replay_action(now, &action, &OpenField).unwrap();
                    assert!(off < 0.7, "{name}: {off} m from where it was");
                }
                original.drive(1.0 / 60.0);
                copy.drive(1.0 / 60.0);
            }
            let place = |stage: &Stage| stage.world.body(player.id).and_then(|body| body.place).unwrap();
            let apart = place(&original).distance(&place(&copy));
            assert!(apart < 0.05, "{name}: {apart} m apart after {controls:?}");
        }
    }
}

#[test]
fn rubbish_cannot_be_repeated() {
    let (mut stage, player) = played(Config::SMOOTH);
    let now = stage.time();
    stage.world.set_input(now, RUNNING, &OpenField).unwrap();
    stage.drive(1.1);
    for mut action in stage.sent() {
        if let PlayerAction::MoveToState(said) = &mut action {
            said.position.origin.x = f32::NAN;
        } else if let PlayerAction::AutonomousPosition(said) = &mut action {
            said.position.cell = 0;
        }
        let now = stage.time();
        assert_eq!(stage.world.replay_action(now, &action, &OpenField), Ok(0.0));
    }
    assert_eq!(stage.world.stats().refused_positions, 2);
    assert!(stage.world.body(player.id).unwrap().place.unwrap().pose.is_in_bounds());
    stage.world.set_local_player(now, None);
    let action = PlayerAction::LoginComplete;
    assert!(stage.world.replay_action(now, &action, &OpenField).is_err(), "nobody to repeat it");
}

/// A recorded client, run rate 1.97581: 5.0330 m when the key came up after 0.705 s, 5.8214 m when it stood (two recorded legs agree to
/// 0.03 mm). How its legs begin and end is in the game's archives, which we do not have; ours are made up to come close. A step at that
/// speed is 0.26 m, so that is how exact it can be at all.
#[test]
fn a_recorded_run_comes_out_as_long_as_it_was() {
    let (mut stage, player) = played(Config::SMOOTH);
    stage.world.set_skills(Skills::running_at(1.97581)).unwrap();
    assert!((stage.world.player().unwrap().gait.run_rate - 1.97581).abs() < 1e-3);
    let start = stage.at(player.id);
    stage.presses(RUNNING);
    stage.drive(0.705);
    let at_key_up = stage.at(player.id).distance(start);
    stage.presses(STANDING);
    stage.drive(2.0);
    let at_rest = stage.at(player.id).distance(start);
    assert!((at_key_up - 5.0330).abs() < 0.27, "{at_key_up}");
    assert!((at_rest - 5.8214).abs() < 0.27, "{at_rest}");
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
    assert_eq!(stage.world.jump(stage.time(), &OpenField), Err(JumpRefused::Posture));
    let _ = stage.says(&player.moves(InterpretedState::default(), 0));
    assert_eq!(stage.world.jump(stage.time(), &OpenField), Err(JumpRefused::Posture), "still getting up");
    stage.drive(0.5);
    assert!(stage.world.jump(stage.time(), &OpenField).is_ok());
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

/// Regression: without animations a jump was charged into nothing.
#[test]
fn a_player_whom_the_server_controls_still_jumps_after_the_library_changed() {
    let (mut stage, mut player) = played(Config::RETAIL);
    let _ = stage.says(&player.moves(InterpretedState::default(), 0));
    assert_eq!(stage.world.player().unwrap().controller, Controller::Server);
    stage.world.set_library(std::sync::Arc::new(evenstride::MotionLibrary::built_in()));
    let velocity = stage.world.jump(stage.time(), &OpenField).unwrap();
    assert!(velocity.z > 2.0, "{velocity}");
}

/// Regression: a replayed player that stood was drawn in two places by turns, between where it was and where it was put.
#[test]
fn a_player_that_is_put_somewhere_at_rest_is_drawn_in_one_place() {
    for config in [Config::SMOOTH, Config::ACDREAM] {
        let (mut stage, player) = played(config);
        stage.drive(0.5);
        let here = at(90.3, 90.2);
        let said = PlayerAction::AutonomousPosition(AutonomousPosition {
            position: RawPlacement::from(&here),
            stamps: PlayerStamps::default(),
            contact: Contact(1),
        });
        let off = stage.world.replay_action(stage.time(), &said, &OpenField).unwrap();
        assert!((off - 0.36).abs() < 0.01, "{off}");
        // A step or two on its way there, then still.
        stage.fps = 144.0;
        stage.drive(0.1);
        let still = stage.drawn(player.id).unwrap();
        for _ in 0..144 {
            stage.drive(1.0 / 144.0);
            let moved = (stage.drawn(player.id).unwrap() - still).length_squared().sqrt();
            assert!(moved < 1e-3, "{moved} m at {:.3} s", stage.now);
        }
    }
}
