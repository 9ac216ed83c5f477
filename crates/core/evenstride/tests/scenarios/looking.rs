//! What a host sees: events, keys, what changed, everything at once.

use std::sync::Arc;

use evenstride::{
    BodySetup, Config, Drawn, FlatGround, Happening, OpenField,
    animation::{Motion, MotionLibrary, MotionTable},
    config::Limits,
    player::Input,
    types::{
        EntityId, SimTime, Vec3,
        update::{MotionCommand, Update},
    },
};
use evenstride_testkit::{Actor, CarelessGround, Stage, at, with_careless_host};

#[test]
fn s10_events_and_messages_are_bounded() {
    let limits = Limits::DEFAULT.with(|limits| limits.events = 3);
    let mut stage = Stage::new(Config::RETAIL.with(|config| config.limits = limits));
    for id in 1..=5 {
        let _ = stage.says(&Actor::new(id).created(90.0, 90.0));
    }
    assert_eq!(stage.world.stats().events_dropped, 2);
    let entities: Vec<_> = stage.events().iter().map(|event| event.entity.raw()).collect();
    assert_eq!(entities, [3, 4, 5]);
    // And so are messages: the player's keys go up and down.
    let limits = Limits::DEFAULT.with(|limits| limits.actions = 4);
    let mut stage = Stage::new(Config::RETAIL.with(|config| config.limits = limits));
    let player = Actor::new(0x5000_0001);
    stage.world.set_local_player(stage.time(), Some(player.id));
    let _ = stage.says(&player.created(90.0, 90.0));
    for round in 0..10 {
        let controls = Input { run: round % 2 == 0, ..Input::default() };
        stage.world.set_input(stage.time(), controls, &OpenField).unwrap();
    }
    assert_eq!((stage.world.stats().actions_dropped, stage.sent().len()), (7, 4));
}

#[test]
fn a_jump_is_told_by_two_events() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut actor = Actor::new(1);
    let _ = stage.says(&actor.created(90.0, 90.0));
    stage.drive(0.1);
    let _ = stage.says(&actor.velocity(Vec3::new(0.0, 0.0, 3.5)));
    stage.drive(2.0);
    let events = stage.events_of(actor.id);
    let [Happening::Appeared, Happening::TookOff { rise }, Happening::Landed { speed }] = events[..] else {
        panic!("{events:?}")
    };
    assert!(rise == 3.5 && speed > 3.0, "{rise} {speed}");
}

#[test]
fn only_what_changed_is_on_the_list_of_what_changed() {
    for (name, config) in Config::PROFILES {
        let mut stage = Stage::new(config);
        let mut actors: Vec<_> = (1..=50).map(Actor::new).collect();
        for actor in &actors {
            let _ = stage.says(&actor.created(90.0, 90.0));
        }
        assert_eq!(stage.world.changed().count(), 50, "{name}: all bodies are new");
        stage.world.forget_changed();
        stage.drive(0.2);
        stage.world.forget_changed();
        assert_eq!(stage.world.changed().count(), 0, "{name}: no body moves");
        let _ = stage.says(&actors[7].position(93.0, 90.0));
        let mut moved_on = 0;
        for _ in 0..30 {
            let before = stage.drawn(actors[7].id);
            stage.drive(1.0 / 60.0);
            let changed: Vec<_> = stage.world.changed().collect();
            assert!(changed.len() <= 1, "{name}");
            if stage.drawn(actors[7].id) != before {
                moved_on += 1;
                assert_eq!(stage.world.entity(changed[0]), Some(actors[7].id), "{name}");
            }
            stage.world.forget_changed();
        }
        assert!(moved_on > 6, "{name}: {moved_on}");
        stage.drive(6.0);
        stage.world.forget_changed();
        assert_eq!(stage.world.changed().count(), 0, "{name}: it has arrived");
    }
}

#[test]
fn what_is_held_changes_with_its_holder() {
    let mut stage = Stage::new(Config::SMOOTH);
    let (mut knight, sword) = (Actor::new(1), Actor::new(2));
    let _ = stage.says(&knight.created(90.0, 90.0));
    let _ = stage.says(&sword.created_held(knight.id, 1));
    stage.drive(0.2);
    stage.world.forget_changed();
    let _ = stage.says(&knight.position(93.0, 90.0));
    stage.drive(0.2);
    let mut changed: Vec<_> = stage.world.changed().filter_map(|key| stage.world.entity(key)).collect();
    changed.sort_unstable();
    assert_eq!(changed, [knight.id, sword.id]);
    // Still between two steps: both stay on the list.
    stage.world.forget_changed();
    assert_eq!(stage.world.changed().count(), 2);
}

#[test]
fn a_host_that_never_looks_does_not_make_the_list_grow() {
    let mut stage = Stage::new(Config::RETAIL);
    for round in 0..20_000 {
        let actor = Actor::new(round);
        let _ = stage.says(&actor.created(90.0, 90.0));
        let _ = stage.says(&actor.delete());
    }
    assert_eq!(stage.world.changed().count(), 0);
    // Twenty thousand keys would be 160 kB. Events have a limit of their own.
    let memory = stage.world.memory();
    let too_large = memory.iter().find(|part| part.name != "events" && part.held_bytes > 50_000);
    assert_eq!(too_large, None);
    assert!(memory.iter().any(|part| part.name == "changed"));
}

#[test]
fn everything_at_once_is_the_same_as_one_by_one() {
    for (name, config) in Config::PROFILES {
        let mut stage = Stage::new(config);
        let mut actors: Vec<_> = (1..=20).map(Actor::new).collect();
        for actor in &actors[..18] {
            let _ = stage.says(&actor.created(90.0, 90.0));
        }
        let _ = stage.says(&actors[18].created_held(actors[0].id, 1));
        let _ = stage.says(&actors[19].create(actors[19].description(None)));
        stage.drive(0.1);
        for actor in &mut actors[..9] {
            let _ = stage.says(&actor.position(95.0, 92.0));
        }
        stage.drive(0.26);
        let now = stage.time();
        let mut out = [Drawn::EMPTY; 30];
        let written = stage.world.drawn_into(now, &mut out);
        // One is nowhere.
        assert_eq!(written, 19, "{name}");
        for drawn in &out[..written] {
            assert_eq!(Some(drawn.place), stage.world.drawn(drawn.entity, now), "{name}");
            assert_eq!(
                Some(drawn.place),
                stage.world.get(drawn.key).and_then(|body| body.drawn(now)),
                "{name}"
            );
            assert_eq!(stage.world.key(drawn.entity), Some(drawn.key), "{name}");
        }
        let mut tracked = 0;
        stage.world.tracked_each(now, |body| {
            let view = stage.world.body(body.entity).unwrap();
            assert_eq!((body.entity, body.drawn), (out[tracked].entity, out[tracked].place), "{name}");
            assert_eq!((body.place, body.velocity), (view.place, view.velocity), "{name}");
            assert_eq!((body.moved_by, body.waypoints), (view.moved_by, view.waypoints), "{name}");
            tracked += 1;
        });
        assert_eq!(tracked, written, "{name}");
        assert_eq!(stage.world.drawn_into(now, &mut out[..5]), 5, "{name}: as many as fit");
    }
}

#[test]
fn poses_seen_from_a_viewpoint_keep_their_millimetres_at_the_edge_of_the_map() {
    let mut stage = Stage::new(Config::RETAIL);
    let corner = evenstride_testkit::place(0xFEFE_0001, Vec3::new(180.0, 180.0, 10.0));
    let near = evenstride_testkit::place(0xFEFE_0001, Vec3::new(180.0625, 180.001, 10.0));
    let id = EntityId::new(1);
    stage.world.insert(SimTime::ZERO, id, &BodySetup::at(near)).unwrap();
    let mut out = [Drawn::EMPTY; 1];
    let _ = stage.world.drawn_into(stage.time(), &mut out);
    let seen = out[0].seen_from(&corner).origin();
    assert!((seen - Vec3::new(0.0625, 0.001, 0.0)).abs().max_element() < 2e-5, "{seen}");
    // In one coordinate for the whole map an f32 has steps of 4 mm there.
    let global = |x: f32| x + 254.0 * 192.0;
    assert!((global(180.001) - global(180.0) - 0.001).abs() > 5e-4);
    stage.world.set_viewpoint(Some(corner));
    assert_eq!(stage.world.drawn_from_viewpoint(id, stage.time()).unwrap().origin(), seen);
    let _ = at(1.0, 1.0);
}

#[test]
fn worlds_can_be_sent_to_another_thread() {
    fn assert_send<T: Clone + Send + Sync + 'static>() {}
    assert_send::<evenstride::MotionWorld>();
    assert_send::<evenstride::generic::PlainWorld>();
}

#[test]
fn what_moves_a_body_can_be_seen() {
    use evenstride::MovedBy;
    let mut stage = Stage::new(Config::SMOOTH);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    stage.drive(0.5);
    let moved_by = |stage: &Stage, drudge: &Actor| stage.world.body(drudge.id).map(|body| body.moved_by);
    assert_eq!(moved_by(&stage, &drudge), Some(MovedBy::Nothing));
    let heard = drudge.position(95.0, 90.0);
    let _ = stage.says(&heard);
    stage.drive(0.1);
    assert_eq!(moved_by(&stage, &drudge), Some(MovedBy::Route));
}

#[test]
fn decisions_can_be_taken_one_by_one() {
    let mut stage = Stage::new(Config::SMOOTH);
    let drudge = Actor::new(0x8000_0001);
    stage.world.trace(drudge.id);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    let told = stage.world.explain(drudge.id).count();
    assert!(told > 0);
    for _ in 0..told {
        assert_eq!(stage.world.poll_decision().map(|(entity, _)| entity), Some(drudge.id));
    }
    assert_eq!(stage.world.poll_decision(), None);
    assert_eq!(stage.world.explain(drudge.id).count(), 0);
}

/// The player may be drawn in another mode than other bodies.
#[test]
fn a_body_that_becomes_the_player_or_ceases_to_be_it_is_on_the_list_of_what_changed() {
    let mut stage = Stage::new(Config::SMOOTH);
    let actor = Actor::new(1);
    let _ = stage.says(&actor.created(90.0, 90.0));
    stage.drive(0.5);
    let key = stage.world.key(actor.id);
    for player in [Some(actor.id), None] {
        stage.world.forget_changed();
        assert_eq!(stage.world.changed().count(), 0);
        stage.world.set_local_player(stage.time(), player);
        assert_eq!(stage.world.changed().next(), key, "{player:?}");
    }
}

/// With two slices in one call, the second one panics after the first has moved the body.
#[test]
fn a_body_that_moved_before_the_surroundings_panicked_is_on_the_list_of_what_changed() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut actor = Actor::new(1);
    let _ = stage.says(&actor.created(90.0, 90.0));
    stage.drive(0.1);
    let _ = stage.says(&actor.runs(1.0));
    stage.drive(0.5);
    stage.world.forget_changed();
    let before = stage.at(actor.id);
    let mut ground = CarelessGround::new(FlatGround { z: 10.0 });
    ground.panics_in = Some(2);
    let late = SimTime::from_secs(stage.now + 0.5).unwrap();
    assert!(with_careless_host(|| stage.world.advance(late, &ground)).is_none(), "no panic");
    assert_ne!(stage.at(actor.id), before);
    assert_eq!(stage.world.changed().count(), 1);
}

/// Two bodies walk, one of them with an item, and the first or the second sweep panics.
#[test]
fn an_item_of_a_body_that_moved_before_the_surroundings_panicked_is_on_the_list_of_what_changed() {
    for panics_in in [1, 2] {
        let mut stage = Stage::new(Config::RETAIL);
        let (mut holder, mut other, item) = (Actor::new(1), Actor::new(2), Actor::new(3));
        let _ = stage.says(&holder.created(90.0, 90.0));
        let _ = stage.says(&other.created(95.0, 90.0));
        let _ = stage.says(&item.created_held(holder.id, 1));
        stage.drive(0.1);
        let _ = stage.says(&holder.runs(1.0));
        let _ = stage.says(&other.runs(1.0));
        stage.drive(0.5);
        stage.world.forget_changed();
        let before = [&holder, &other].map(|actor| stage.at(actor.id));
        let mut ground = CarelessGround::new(FlatGround { z: 10.0 });
        ground.panics_in = Some(panics_in);
        let next = SimTime::from_secs(stage.now + 0.04).unwrap();
        assert!(with_careless_host(|| stage.world.advance(next, &ground)).is_none(), "no panic");
        let changed: Vec<_> = stage.world.changed().collect();
        let is_listed = |actor: &Actor| stage.world.key(actor.id).is_some_and(|key| changed.contains(&key));
        let has_moved = [&holder, &other].map(|actor| stage.at(actor.id));
        let has_moved = [has_moved[0] != before[0], has_moved[1] != before[1]];
        assert!(is_listed(&holder) || !has_moved[0]);
        assert!(is_listed(&item) || !has_moved[0]);
        assert!(is_listed(&other) || !has_moved[1]);
        assert_eq!(has_moved.contains(&true), panics_in == 2);
    }
}

/// A position of an entity in the air moves its pose, and not its body. Surroundings panic in each frame.
#[test]
fn a_pose_that_moved_before_the_surroundings_panicked_is_on_the_list_of_what_changed() {
    let mut stage = Stage::new(Config::GLIDE);
    let mut actor = Actor::new(1);
    let _ = stage.says(&actor.created(90.0, 90.0));
    stage.drive(0.1);
    let _ = stage.says(&actor.runs(1.0));
    stage.drive(0.5);
    let _ = stage.says(&actor.stands());
    stage.drive(5.0);
    stage.world.forget_changed();
    assert_eq!(stage.world.changed().count(), 0);
    let Update::Position(mut position) = actor.position(80.0, 80.0) else { panic!("not a position") };
    position.pack.has_contact = false;
    let _ = stage.says(&Update::Position(position));
    let before = stage.world.drawn(actor.id, stage.time());
    let mut ground = CarelessGround::new(FlatGround { z: 10.0 });
    ground.panics_in = Some(1);
    let mut panics = 0;
    for frame in 1..=10 {
        let now = SimTime::from_secs(stage.now + 0.02 * f64::from(frame)).unwrap();
        panics += u32::from(with_careless_host(|| stage.world.advance(now, &ground)).is_none());
    }
    assert!(panics > 0, "no panic");
    assert_ne!(stage.world.drawn(actor.id, stage.world.now()), before);
    assert_eq!(stage.world.changed().count(), 1);
}

#[test]
fn the_root_velocity_of_an_animation_of_absurd_speed_is_finite() {
    let mut library = MotionLibrary::default();
    let style = MotionCommand::NON_COMBAT;
    let mut table = MotionTable::new(style);
    table.set_style_default(style, MotionCommand::READY);
    let absurd = Motion { clips: Vec::new(), bits: 0, velocity: Vec3::splat(f32::MAX), omega: Vec3::ZERO };
    for command in [MotionCommand::READY, MotionCommand::RUN_FORWARD, MotionCommand::WALK_FORWARD] {
        table.set_cycle(MotionTable::key(style, command), absurd.clone());
    }
    library.add_table(0x0900_0001, table);
    let mut stage = Stage::new(Config::GLIDE);
    stage.world.set_library(Arc::new(library));
    let mut actor = Actor::new(1);
    let _ = stage.says(&actor.created(90.0, 90.0));
    let _ = stage.says(&actor.runs(3.0));
    stage.drive(0.2);
    let velocity = stage.world.get(actor.id).unwrap().root_velocity();
    assert!(velocity.is_finite(), "{velocity}");
}
