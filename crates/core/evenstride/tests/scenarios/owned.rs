//! Bodies that a host moves itself, keys that leave Rust, and worlds that need not be advanced.

use evenstride::{
    BodyError, BodyKey, Config, Disposition, Happening, MotionWorld, OpenField, Surroundings,
    config::Gate,
    outcome::IgnoreReason,
    surroundings::{Placed, Placing, Sweep, Swept},
    types::{
        EntityId, SimTime, StampKind,
        update::{ActionItem, InterpretedState, MotionCommand},
    },
};
use evenstride_testkit::{Actor, Rig, Stage, WHO, at, played};

#[test]
fn a_suspended_body_is_where_the_host_puts_it_and_nowhere_else() {
    for (name, config) in Config::PROFILES {
        let mut rig = Rig::new(config);
        let _ = rig.runs(1.0);
        rig.drive(0.5);
        let now = rig.time();
        rig.world.suspend(now, WHO, &OpenField).unwrap();
        let held = rig.at();
        assert!(rig.drive(1.0).iter().all(|at| *at == held), "{name}: its legs do not carry it");
        assert_eq!(rig.hears(90.0, 120.0), Disposition::Ignored(IgnoreReason::Suspended), "{name}");
        assert_eq!(rig.teleports_to(30.0, 30.0), Disposition::Ignored(IgnoreReason::Suspended), "{name}");
        let now = rig.time();
        rig.world.set_place(now, WHO, at(91.0, 92.0), &OpenField).unwrap();
        assert!(rig.drive(0.5).iter().all(|drawn| drawn.distance(rig.at()) < 1e-4), "{name}");
        rig.assert_at(91.0, 92.0);
        // Resumed, it runs on from there, and hears positions again.
        let now = rig.time();
        rig.world.resume(now, WHO, &OpenField).unwrap();
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
    let now = rig.time();
    rig.world.suspend(now, WHO, &OpenField).unwrap();
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
    let (foreign, unknown) = (one.world.key(EntityId::new(7)).unwrap(), EntityId::new(99));
    let hash = two.world.state_hash();
    assert!(two.world.get(foreign).is_none() && two.world.get(unknown).is_none());
    assert_eq!(two.world.suspend(SimTime::ZERO, foreign, &OpenField), Err(BodyError::UnknownKey(foreign)));
    assert_eq!(two.world.resume(SimTime::ZERO, unknown, &OpenField), Err(BodyError::UnknownEntity(unknown)));
    let placed = two.world.set_place(SimTime::ZERO, BodyKey::from_bits(u64::MAX), at(1.0, 1.0), &OpenField);
    assert_eq!(
        placed.unwrap_err().to_string(),
        "key 0xffffffffffffffff: its body was removed, or the key belongs to another world"
    );
    assert_eq!(two.world.state_hash(), hash);
    // Removed and created again, the old key still finds nothing.
    let key = rig.world.key(WHO).unwrap();
    rig.world.remove(WHO);
    assert_eq!(rig.world.suspend(SimTime::ZERO, key, &OpenField), Err(BodyError::UnknownKey(key)));
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

/// The symptom: a panic, or another body that was placed. Steps before the placement remove bodies.
#[test]
fn a_body_that_is_gone_by_then_is_not_placed_and_no_other_is() {
    for others in [false, true] {
        let mut stage = Stage::new(Config::SMOOTH);
        let one = Actor::new(0x8000_0001);
        // The removal waits for its entity, and takes effect with the first step.
        let _ = stage.says(&one.delete());
        stage.world.insert(SimTime::ZERO, one.id, &evenstride::BodySetup::at(at(90.0, 90.0))).unwrap();
        let other = EntityId::new(0x8000_0002);
        if others {
            stage.world.insert(SimTime::ZERO, other, &evenstride::BodySetup::at(at(80.0, 80.0))).unwrap();
        }
        stage.now = 0.1;
        let placed = stage.world.set_place(stage.time(), one.id, at(50.0, 50.0), &OpenField);
        assert_eq!(placed, Err(BodyError::UnknownEntity(one.id)));
        assert!(!others || stage.at(other).x == 80.0);
    }
}

/// The symptom: due for ever, and never any farther.
#[test]
fn advancing_when_due_comes_to_an_end_or_makes_headway() {
    for gate in [Gate::Shared, Gate::PerBody, Gate::Fixed] {
        for has_player in [false, true] {
            let mut stage = Stage::new(Config::SMOOTH.with(|config| config.gate = gate));
            let mut actor = Actor::new(0x8000_0001);
            if has_player {
                let _ = stage.says(&evenstride::types::update::Update::LocalPlayer(EntityId::new(5)));
            }
            let _ = stage.says(&actor.created(90.0, 90.0));
            let _ = stage.says(&actor.state(evenstride::types::update::PhysicsState::FROZEN));
            let _ = stage.says(&Actor::new(0x8000_0002).created(91.0, 90.0));
            stage.world.suspend(SimTime::ZERO, EntityId::new(0x8000_0002), &OpenField).unwrap();
            let mut advances = 0;
            while let Some(due) = stage.world.next_due().filter(|due| due.as_secs() < 10.0) {
                let _ = stage.world.advance(due, &OpenField);
                advances += 1;
                assert!(advances < 400, "{gate:?}: still at {due:?}");
            }
            assert!(has_player || advances < 5, "{gate:?}: {advances} for bodies that do not move");
        }
    }
}

/// The symptom: the round that makes the body active was not due, so its clock began when the host came back.
#[test]
fn a_body_that_is_no_longer_frozen_is_due() {
    use evenstride::types::update::PhysicsState;
    let mut stage = Stage::new(Config::SMOOTH);
    let mut actor = Actor::new(0x8000_0001);
    let _ = stage.says(&actor.created(90.0, 90.0));
    stage.drive(1.0);
    for state in [PhysicsState::FROZEN, PhysicsState::GRAVITY] {
        assert_eq!(stage.world.next_due(), None, "it stands");
        let _ = stage.says(&actor.state(state));
        let due = stage.world.next_due().expect("it becomes active or inactive").as_secs();
        assert!(due - stage.world.now().as_secs() < 0.034, "{state:?}: {due}");
        stage.drive(0.1);
    }
}

/// The symptom: the time under suspension, and the time that the host slept, were made up in one leap.
#[test]
fn a_resumed_body_goes_on_from_the_present_however_long_the_host_slept() {
    let mut rig = Rig::new(Config::SMOOTH);
    let _ = rig.runs(1.0);
    rig.drive(0.5);
    let now = rig.time();
    rig.world.suspend(now, WHO, &OpenField).unwrap();
    rig.now += 1.9;
    let before = rig.at();
    let now = rig.time();
    rig.world.resume(now, WHO, &OpenField).unwrap();
    rig.drive(1.0 / 60.0);
    assert!(rig.at().distance(before) < 0.3, "{} m", rig.at().distance(before));
}

/// The symptom: ignored, and out of the hand all the same, for ever nowhere.
#[test]
fn a_suspended_item_in_a_hand_stays_there() {
    let mut stage = Stage::new(Config::SMOOTH);
    let (holder, mut item) = (Actor::new(0x5000_0001), Actor::new(0x8000_0001));
    let _ = stage.says(&holder.created(90.0, 90.0));
    let _ = stage.says(&item.created(91.0, 90.0));
    let _ = stage.says(&item.held_by(&holder, 1));
    stage.world.suspend(SimTime::ZERO, item.id, &OpenField).unwrap();
    assert_eq!(stage.says(&item.position(95.0, 90.0)), Disposition::Ignored(IgnoreReason::Suspended));
    assert_eq!(stage.body(item.id).held_by.map(|held| held.holder), Some(holder.id));
    assert_eq!(item.stamp(StampKind::Position).raw(), 2);
}

#[test]
fn the_local_player_is_not_suspended() {
    let (mut stage, player) = played(Config::SMOOTH);
    let now = stage.time();
    assert_eq!(stage.world.suspend(now, player.id, &OpenField), Err(BodyError::LocalPlayer(player.id)));
    // A suspended body that becomes the local player is its own again.
    let mut stage = Stage::new(Config::SMOOTH);
    let _ = stage.says(&player.created(90.0, 90.0));
    stage.world.suspend(SimTime::ZERO, player.id, &OpenField).unwrap();
    stage.world.set_local_player(SimTime::ZERO, Some(player.id));
    stage.presses(evenstride_testkit::RUNNING);
    stage.drive(1.0);
    assert!(stage.at(player.id).y > 91.0, "{}", stage.at(player.id));
}

/// Surroundings whose normals are not unit vectors, or no vectors at all.
struct Crooked(evenstride::types::Vec3);

impl Surroundings for Crooked {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        let Ok(at) = sweep.to.settled() else { return Swept::Blocked };
        let contact = evenstride::surroundings::Contact::On(self.0);
        Swept::Moved { at, contact, ran_into: Some(self.0) }
    }

    fn place(&self, placing: &Placing) -> Placed {
        OpenField.place(placing)
    }
}

/// The symptom: a world that could be saved and not restored.
#[test]
fn whatever_normals_surroundings_give_the_world_can_be_restored() {
    use evenstride::types::Vec3;
    for normal in
        [Vec3::NAN, Vec3::INFINITY, Vec3::ZERO, Vec3::new(0.0, 0.0, 2.0), Vec3::new(1e30, 1e30, 1e30)]
    {
        let mut rig = Rig::in_surroundings(Config::SMOOTH, Crooked(normal));
        let _ = rig.runs(1.0);
        let _ = rig.gets_velocity(Vec3::new(0.0, 2.0, 3.0));
        rig.drive(1.0);
        assert!(MotionWorld::restore(&rig.world.save()).is_ok(), "{normal}");
    }
}
