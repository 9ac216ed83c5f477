//! Bodies that a host moves itself, keys that leave Rust, and worlds that need not be advanced.

use evenstride::{
    BodyError, BodyKey, Config, Disposition, Happening, MotionWorld, OpenField, Surroundings,
    outcome::IgnoreReason,
    surroundings::{Placed, Placing, Sweep, Swept},
    types::{
        EntityId, SimTime,
        update::{ActionItem, InterpretedState, MotionCommand},
    },
};
use evenstride_testkit::{Actor, Rig, Stage, WHO, at};

#[test]
fn a_suspended_body_is_where_the_host_puts_it_and_nowhere_else() {
    for (name, config) in Config::PROFILES {
        let mut rig = Rig::new(config);
        let _ = rig.runs(1.0);
        rig.drive(0.5);
        rig.world.suspend(WHO).unwrap();
        let held = rig.at();
        assert!(rig.drive(1.0).iter().all(|at| *at == held), "{name}: its legs do not carry it");
        assert_eq!(rig.hears(90.0, 120.0), Disposition::Ignored(IgnoreReason::Suspended), "{name}");
        assert_eq!(rig.teleports_to(30.0, 30.0), Disposition::Ignored(IgnoreReason::Suspended), "{name}");
        let now = rig.time();
        rig.world.set_place(now, WHO, at(91.0, 92.0), &OpenField).unwrap();
        assert!(rig.drive(0.5).iter().all(|drawn| drawn.distance(rig.at()) < 1e-4), "{name}");
        rig.assert_at(91.0, 92.0);
        // Resumed, it runs on from there, and hears positions again.
        rig.world.resume(WHO).unwrap();
        rig.drive(0.5);
        assert!(rig.at().y > 93.0, "{name}: {}", rig.at());
        assert!(matches!(rig.hears(91.0, 97.0), Disposition::Queued(_)), "{name}");
    }
}

/// A world that saved a suspended body keeps it suspended.
#[test]
fn a_suspended_body_stays_so_in_a_restored_world() {
    let mut rig = Rig::new(Config::SMOOTH);
    let _ = rig.runs(1.0);
    rig.world.suspend(WHO).unwrap();
    let held = rig.at();
    rig.world = MotionWorld::restore(&rig.world.save()).unwrap();
    rig.drive(1.0);
    assert_eq!(rig.at(), held);
}

#[test]
fn what_is_not_there_is_a_typed_error_and_changes_nothing() {
    let mut rig = Rig::new(Config::SMOOTH);
    let [mut one, mut two] =
        [1, 2].map(|number| Stage::new(Config::SMOOTH.with(|config| config.world = number)));
    for stage in [&mut one, &mut two] {
        let _ = stage.says(&Actor::new(7).created(90.0, 90.0));
    }
    let (foreign, nobody) = (one.world.key(EntityId::new(7)).unwrap(), EntityId::new(99));
    let hash = two.world.state_hash();
    assert!(two.world.get(foreign).is_none() && two.world.get(nobody).is_none());
    assert_eq!(two.world.suspend(foreign), Err(BodyError::UnknownKey(foreign)));
    assert_eq!(two.world.resume(nobody), Err(BodyError::UnknownEntity(nobody)));
    let placed = two.world.set_place(SimTime::ZERO, BodyKey::from_bits(u64::MAX), at(1.0, 1.0), &OpenField);
    assert_eq!(
        placed.unwrap_err().to_string(),
        "key 0xffffffffffffffff: its body was removed, or it is a key of another world"
    );
    assert_eq!(two.world.state_hash(), hash);
    // Removed and created again, the old key still finds nothing.
    let key = rig.world.key(WHO).unwrap();
    rig.world.remove(WHO);
    assert_eq!(rig.world.suspend(key), Err(BodyError::UnknownKey(key)));
}

/// Surroundings that refuse every placement, and check what they are asked.
struct Full;

impl Surroundings for Full {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        assert!(sweep.height > sweep.radius && sweep.scale == 1.0, "{sweep:?}");
        assert!(sweep.last_normal.is_some_and(|normal| normal.z > 0.99), "{sweep:?}");
        OpenField.sweep(sweep)
    }

    fn place(&self, placing: &Placing) -> Placed {
        assert!(placing.height > placing.radius && placing.scale == 1.0, "{placing:?}");
        Placed::Refused
    }
}

#[test]
fn a_place_that_is_refused_leaves_the_body_and_its_route() {
    let mut rig = Rig::in_surroundings(Config::SMOOTH, Full);
    assert!(matches!(rig.hears(90.0, 94.0), Disposition::Queued(_)));
    let now = rig.time();
    let refused = rig.world.set_place(now, WHO, at(10.0, 10.0), &Full);
    assert_eq!(refused, Err(BodyError::Refused(WHO)));
    rig.drive(2.0);
    rig.assert_at(90.0, 94.0);
}

#[test]
fn an_action_that_is_over_is_an_event_and_a_run_is_not() {
    let mut stage = Stage::new(Config::SMOOTH);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    let action = MotionCommand(0x1000_0058);
    let blow = ActionItem { stamp: 1, ..drudge.action(action) };
    let state = InterpretedState { actions: vec![blow], ..InterpretedState::default() };
    let _ = stage.says(&drudge.moves(state, 1));
    let _ = stage.events();
    stage.drive(5.0);
    let done: Vec<_> = stage
        .events_of(drudge.id)
        .into_iter()
        .filter(|kind| matches!(kind, Happening::ActionDone { .. }))
        .collect();
    assert_eq!(done, [Happening::ActionDone { action, is_complete: true }]);
    let _ = stage.says(&drudge.runs(1.0));
    stage.drive(1.0);
    let _ = stage.says(&drudge.stands());
    stage.drive(1.0);
    assert!(!stage.events().iter().any(|event| matches!(event.kind, Happening::ActionDone { .. })));
}

/// The phase of an idle animation between two rounds, and far ahead.
#[test]
fn the_animation_of_a_standing_body_is_known_at_any_time() {
    let mut stage = Stage::new(Config::SMOOTH);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    let _ = stage.says(&drudge.runs(1.0));
    let _ = stage.says(&drudge.stands());
    stage.drive(3.0);
    let body = stage.world.get(drudge.id).unwrap();
    let frame = |secs: f64| {
        let now = SimTime::from_secs(stage.now + secs).unwrap();
        body.animation(now).playing.unwrap()
    };
    let (now, soon) = (frame(0.0), frame(0.01));
    let round = f64::from(now.rate) * 0.01;
    assert!((soon.frame - now.frame - round).abs() < 1e-6 || soon.frame < now.frame, "{now:?} {soon:?}");
    assert!(frame(1e9).frame.is_finite());
}

#[test]
fn a_spectator_sees_entities_walk_without_descriptions_and_without_a_viewpoint() {
    let mut stage = Stage::new(Config::SPECTATOR);
    stage.world.set_viewpoint(None);
    let mut runner = Actor::new(0x5000_0002);
    for second in 0..5u8 {
        let answer = stage.says(&runner.position(90.0, 90.0 + 4.0 * f32::from(second)));
        assert!(second == 0 || matches!(answer, Disposition::Queued(_)), "{second}: {answer:?}");
        stage.drive(1.0);
    }
    assert!(stage.at(runner.id).y > 100.0);
}
