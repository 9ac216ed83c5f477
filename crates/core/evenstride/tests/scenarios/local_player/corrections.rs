//! Positions from the server: ties, corrections, teleports.

use evenstride::{
    Config, Disposition, Happening, OpenField,
    outcome::{IgnoreReason, PlaceReason},
    player::{Autonomy, Input, Side},
    types::{
        Heading, Rotation, Stamp, StampKind, Vec3,
        update::{PhysicsState, PlayerAction, SparseQuaternion, TeleportUpdate, Update},
    },
};
use evenstride_testkit::{RUNNING, STANDING, at, played};

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
        assert_eq!(stage.says(&player.velocity(Vec3::new(0.0, 0.0, 3.0))), Disposition::Applied);
    }
    let (mut stage, mut player) = played(Config::RETAIL);
    let answer = stage.says(&player.velocity(Vec3::new(0.0, 0.0, 3.0)));
    assert_eq!(answer, Disposition::Ignored(IgnoreReason::PlayerDecides));
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
    let place =
        evenstride_testkit::place(evenstride_testkit::HOME, stage.at(player.id) + Vec3::new(0.5, 0.0, 0.0));
    player.next(StampKind::ForcePosition);
    let Update::Position(mut position) = player.position(0.0, 0.0) else { unreachable!() };
    (position.pack.cell, position.pack.origin) = (place.cell.raw(), place.pose.origin());
    position.pack.has_contact = false;
    let answer = stage.says(&Update::Position(position));
    assert_eq!(answer, Disposition::Placed { reason: PlaceReason::Corrected, done: true });
    stage.drive(3.0);
    assert_eq!((stage.at(player.id).z, stage.body(player.id).in_contact), (10.0, true));
}
