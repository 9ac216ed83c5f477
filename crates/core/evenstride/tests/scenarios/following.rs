//! Bodies that follow others.

use evenstride::{
    BodySetup, Config, Disposition, OpenField,
    types::{
        EntityId, SimTime, Stamp, Vec3,
        update::{
            InterpretedState, Movement, MovementBody, MovementKind, MovementUpdate, PositionUpdate, Update,
        },
    },
};

use evenstride_testkit::{HOME, Rig, WHO, place};

const TARGET: EntityId = EntityId::new(0x5000_0003);

/// The rig's body, told to follow another that stands 5 m to the east.
fn following(config: Config) -> Rig {
    let mut rig = Rig::new(config);
    let there = place(HOME, Vec3::new(95.0, 90.0, 10.0));
    rig.stage.world.insert(rig.stage.time(), TARGET, &BodySetup::at(there)).unwrap();
    let kind = MovementKind::Interpreted { state: InterpretedState::default(), stick_to: Some(TARGET) };
    assert_eq!(moves(&mut rig, 1, kind), Disposition::Applied);
    rig
}

fn moves(rig: &mut Rig, stamp: u16, kind: MovementKind) -> Disposition {
    let body = MovementBody::new(kind);
    let movement = Movement { stamp: Stamp::new(stamp), server_control: Stamp::new(0), autonomous: 0, body };
    let update = MovementUpdate { entity: WHO, instance: Stamp::new(1), movement };
    rig.stage.world.handle(rig.stage.time(), &Update::Movement(update), &OpenField)
}

#[test]
fn a_follower_closes_up_to_the_standoff_and_faces_its_target() {
    let mut rig = following(Config::RETAIL);
    rig.drive(0.8);
    // 5 m less two radii of half a metre and the standoff of 0.3.
    assert!((rig.at().x - 93.7).abs() < 0.01, "{}", rig.at());
    assert!((rig.heading() - 90.0).abs() < 0.1, "{}", rig.heading());
}

#[test]
fn a_follow_lasts_a_second() {
    let mut rig = following(Config::RETAIL);
    rig.drive(1.2);
    // The target walks off, and is no longer followed.
    let pack = rig.pack.clone();
    let mut away = PositionUpdate { entity: TARGET, pack };
    (away.pack.origin, away.pack.instance) = (Vec3::new(99.0, 90.0, 10.0), Stamp::new(0));
    away.pack.position = Stamp::new(1);
    let _ = rig.stage.world.handle(rig.stage.time(), &Update::Position(away), &OpenField);
    rig.drive(1.0);
    assert!((rig.at().x - 93.7).abs() < 0.01, "{}", rig.at());
}

#[test]
fn a_follow_ends_when_its_target_leaves() {
    let mut rig = following(Config::RETAIL);
    rig.drive(0.05);
    let before = rig.at();
    assert!(rig.world.remove(TARGET));
    rig.drive(0.5);
    assert!(rig.at().distance(before) < 0.01, "{} {}", before, rig.at());
}

#[test]
fn a_follow_ends_when_its_target_teleports() {
    let mut rig = following(Config::RETAIL);
    rig.drive(0.05);
    let before = rig.at();
    let mut away = PositionUpdate { entity: TARGET, pack: rig.pack.clone() };
    (away.pack.origin, away.pack.instance) = (Vec3::new(120.0, 120.0, 10.0), Stamp::new(0));
    (away.pack.position, away.pack.teleport) = (Stamp::new(1), Stamp::new(1));
    let _ = rig.stage.world.handle(rig.stage.time(), &Update::Position(away), &OpenField);
    rig.drive(0.5);
    assert!(rig.at().distance(before) < 0.01, "{} {}", before, rig.at());
}

/// Used to depend on how many ticks one frame caught up with: all of them saw the time of the frame.
#[test]
fn under_smooth_a_follow_lasts_the_same_at_any_frame_rate() {
    let end = |fps: f64| {
        let mut rig = following(Config::SMOOTH);
        rig.fps = fps;
        rig.drive(1.4);
        let _ = rig.world.advance(SimTime::from_secs(2.05).unwrap(), &OpenField);
        rig.world.state_hash()
    };
    assert_eq!(end(1.0), end(144.0));
    assert_eq!(end(30.0), end(1000.0));
}

/// Used to swing between the old and the new heading for ever: the last step only turned, and that was not recorded.
#[test]
fn under_smooth_a_body_whose_last_step_only_turned_is_drawn_at_rest() {
    let mut rig = following(Config::SMOOTH);
    // Right at the standoff from the start: following only turns.
    let _ = rig.teleports_to(93.7, 90.0);
    let stick = MovementKind::Interpreted { state: InterpretedState::default(), stick_to: Some(TARGET) };
    let _ = moves(&mut rig, 2, stick);
    rig.drive(1.0 / 30.0);
    let stop = MovementKind::Interpreted { state: InterpretedState::default(), stick_to: None };
    let _ = moves(&mut rig, 3, stop);
    rig.fps = 240.0;
    rig.drive(0.2);
    for _ in 0..48 {
        rig.drive(1.0 / 240.0);
        let drawn = rig.world.drawn(WHO, rig.time()).unwrap();
        assert_eq!(drawn, rig.place());
    }
}
