//! Bad input, which has documented answers and never panics in the host's schedule.

mod common;

use bevy_app::App;
use bevy_ecs::{entity_disabling::Disabled, prelude::*};
use bevy_evenstride::{
    EvenstridePlugins, RefuseReason, Remote, RemoteAppeared, RemoteName, RemoteRefused, RemoteReplaced,
    RemoteThrow, RemoteTime, RemoteUpdate, Remotes,
};
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use common::{at, collect, frame, game, hear, run, seen};

fn reasons(app: &App) -> Vec<RefuseReason> {
    seen::<RemoteRefused>(app).iter().map(|refused| refused.reason).collect()
}

#[test]
fn updates_for_despawned_entities_are_refused() {
    let mut app = game();
    collect::<RemoteRefused>(&mut app);
    let rover = app.world_mut().spawn(Remote::with_id(7)).id();
    hear(&mut app, RemoteUpdate::new(7, Vec3::ZERO));
    frame(&mut app);
    app.world_mut().despawn(rover);
    assert!(app.world().resource::<Remotes>().world().is_empty(), "its motion is gone at once");
    hear(&mut app, RemoteUpdate::new(7, Vec3::X));
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X));
    app.world_mut().write_message(RemoteThrow::new(rover, Vec3::Y));
    run(&mut app, 0.1);
    assert_eq!(reasons(&app), [RefuseReason::UnknownRemote; 2]);
    assert_eq!(app.world().resource::<Remotes>().stats().refused_updates, 3);
    assert!(app.world().resource::<Remotes>().world().is_empty());
}

#[test]
fn entities_without_the_component_are_refused_too() {
    let mut app = game();
    collect::<RemoteRefused>(&mut app);
    let rock = app.world_mut().spawn(Transform::default()).id();
    hear(&mut app, RemoteUpdate::new(rock, Vec3::X));
    frame(&mut app);
    assert_eq!(reasons(&app), [RefuseReason::UnknownRemote]);
    assert_eq!(at(&app, rock), Vec3::ZERO);
}

#[test]
fn a_game_may_spawn_entities_when_their_first_update_is_refused() {
    let mut app = game();
    collect::<RemoteReplaced>(&mut app);
    app.add_observer(spawn_new);
    // Two updates about one of them arrive in one frame, as on any link with jitter.
    hear(&mut app, RemoteUpdate::new(99, Vec3::X).numbered(1));
    hear(&mut app, RemoteUpdate::new(99, Vec3::Z).numbered(2).teleporting());
    hear(&mut app, RemoteUpdate::new(100, Vec3::Y));
    frame(&mut app);
    frame(&mut app);
    let newcomer = app.world().resource::<Remotes>().entity(99).expect("it was spawned");
    assert_eq!(at(&app, newcomer), Vec3::Z);
    assert_eq!(app.world_mut().query::<&Remote>().iter(app.world()).count(), 2, "one for each number");
    assert_eq!(seen::<RemoteReplaced>(&app), []);
    // An update that is refused for another reason is not written again and again.
    hear(&mut app, RemoteUpdate::new(99, Vec3::NAN));
    run(&mut app, 0.5);
    assert_eq!(app.world().resource::<Remotes>().stats().refused_updates, 4);
}

/// The observer of `README.md`.
fn spawn_new(refused: On<RemoteRefused>, remotes: Res<Remotes>, mut commands: Commands) {
    let RemoteName::Id(id) = refused.update.remote else { return };
    if refused.reason == RefuseReason::UnknownRemote {
        if remotes.entity(id).is_none() {
            commands.spawn(Remote::with_id(id));
        }
        commands.write_message(refused.update);
    }
}

#[test]
fn updates_that_come_too_late_are_counted() {
    let mut app = game();
    let rover = app.world_mut().spawn(Remote::new()).id();
    for (number, x) in [(5, 1.0), (5, 2.0), (3, 3.0), (6, 1.0)] {
        hear(&mut app, RemoteUpdate::new(rover, Vec3::X * x).numbered(number));
        frame(&mut app);
    }
    let stats = app.world().resource::<Remotes>().stats();
    assert_eq!((stats.ignored_updates, stats.refused_updates), (2, 0));
    assert_eq!(at(&app, rover), Vec3::X);
}

#[test]
fn a_sender_whose_clock_is_set_back_is_heard_again() {
    let mut app = game();
    let rover = app.world_mut().spawn(Remote::new()).id();
    for (tick, sent) in [1_000.0, 1e11, 0.5, 1.0, 1.5].into_iter().enumerate() {
        hear(&mut app, RemoteUpdate::new(rover, Vec3::X * tick as f32).sent_at(sent));
        run(&mut app, 0.5);
    }
    assert_eq!(app.world().resource::<Remotes>().stats().ignored_updates, 0);
    assert!(at(&app, rover).x > 3.0, "{}", at(&app, rover));
}

#[test]
fn a_removed_component_ends_the_motion_and_a_new_one_begins_from_scratch() {
    let mut app = game();
    collect::<RemoteAppeared>(&mut app);
    let rover = app.world_mut().spawn(Remote::new()).id();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X).moving(Vec3::X).numbered(10));
    run(&mut app, 0.5);
    app.world_mut().entity_mut(rover).remove::<Remote>();
    let left = at(&app, rover);
    run(&mut app, 0.5);
    assert_eq!(at(&app, rover), left);
    app.world_mut().entity_mut(rover).insert(Remote::new());
    // A restarted count is new again.
    hear(&mut app, RemoteUpdate::new(rover, Vec3::Y).numbered(1));
    frame(&mut app);
    assert_eq!(at(&app, rover), Vec3::Y);
    assert_eq!(seen::<RemoteAppeared>(&app).len(), 2);
}

#[test]
fn of_two_components_with_one_number_the_later_one_has_it() {
    let mut app = game();
    collect::<RemoteReplaced>(&mut app);
    let earlier = app.world_mut().spawn(Remote::with_id(7)).id();
    hear(&mut app, RemoteUpdate::new(7, Vec3::X));
    frame(&mut app);
    let later = app.world_mut().spawn(Remote::with_id(7)).id();
    hear(&mut app, RemoteUpdate::new(7, Vec3::Y));
    hear(&mut app, RemoteUpdate::new(earlier, Vec3::X * 2.0).teleporting());
    frame(&mut app);
    assert_eq!(seen::<RemoteReplaced>(&app), [RemoteReplaced { entity: earlier, by: later, id: 7 }]);
    assert_eq!((at(&app, earlier), at(&app, later)), (Vec3::X * 2.0, Vec3::Y));
    // The earlier one no longer takes the number with it.
    app.world_mut().despawn(earlier);
    assert_eq!(app.world().resource::<Remotes>().entity(7), Some(later));
    app.world_mut().despawn(later);
    assert_eq!(app.world().resource::<Remotes>().entity(7), None);
}

#[test]
fn a_component_with_another_number_goes_on_moving() {
    let mut app = game();
    let rover = app.world_mut().spawn(Remote::with_id(7)).id();
    hear(&mut app, RemoteUpdate::new(7, Vec3::ZERO).moving(Vec3::X));
    run(&mut app, 0.5);
    app.world_mut().entity_mut(rover).insert(Remote::with_id(8));
    let remotes = app.world().resource::<Remotes>();
    assert_eq!((remotes.entity(7), remotes.entity(8)), (None, Some(rover)));
    let before = at(&app, rover).x;
    run(&mut app, 0.5);
    assert!(at(&app, rover).x > before + 0.3);
}

#[test]
fn a_clock_that_stops_stops_remotes() {
    let mut app = game();
    let rover = app.world_mut().spawn(Remote::new()).id();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::ZERO).moving(Vec3::X));
    run(&mut app, 0.5);
    let before = at(&app, rover);
    for _ in 0..100 {
        app.update();
    }
    assert_eq!(at(&app, rover), before);
    frame(&mut app);
    let stride = at(&app, rover).x - before.x;
    assert!(stride > 0.005 && stride < 0.03, "it goes on with a stride of {stride} m");
}

#[test]
fn a_clock_that_leaps_ahead_leaves_remotes_where_they_would_have_stopped() {
    let mut app = game();
    let rover = app.world_mut().spawn(Remote::new()).id();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::ZERO).moving(Vec3::X));
    run(&mut app, 0.5);
    app.world_mut().resource_mut::<RemoteTime>().0 += 3_600.0;
    run(&mut app, 0.1);
    let x = at(&app, rover).x;
    // It coasts for 3 s at most, and a frame moves it for 2 s at most.
    assert!((0.4..4.0).contains(&x), "{x} m after an hour in one frame");
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X * 5.0).moving(Vec3::ZERO));
    run(&mut app, 5.0);
    assert!((at(&app, rover).x - 5.0).abs() < 0.1);
}

#[test]
fn a_clock_that_goes_back_loses_nothing() {
    let mut app = game();
    let rover = app.world_mut().spawn(Remote::new()).id();
    app.world_mut().resource_mut::<RemoteTime>().0 = 1_000.0;
    hear(&mut app, RemoteUpdate::new(rover, Vec3::ZERO).moving(Vec3::X));
    run(&mut app, 0.5);
    app.world_mut().resource_mut::<RemoteTime>().0 = 10.0;
    let before = at(&app, rover).x;
    run(&mut app, 0.5);
    let after = at(&app, rover).x;
    assert!((before - 0.2..before + 1.0).contains(&after), "from {before} m to {after} m");
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X * 3.0).moving(Vec3::ZERO));
    run(&mut app, 5.0);
    assert!((at(&app, rover).x - 3.0).abs() < 0.1);
}

#[test]
fn times_that_are_not_finite_are_ignored() {
    let mut app = game();
    let rover = app.world_mut().spawn(Remote::new()).id();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X));
    frame(&mut app);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        app.world_mut().resource_mut::<RemoteTime>().0 = bad;
        app.update();
    }
    assert_eq!(app.world().resource::<Remotes>().stats().refused_times, 4);
    assert_eq!(at(&app, rover), Vec3::X);
}

#[test]
fn values_that_are_not_finite_are_refused_and_change_nothing() {
    let mut app = game();
    collect::<RemoteRefused>(&mut app);
    let rover = app.world_mut().spawn(Remote::new()).id();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X));
    frame(&mut app);
    let good = RemoteUpdate::new(rover, Vec3::X);
    let bad = [
        RemoteUpdate::new(rover, Vec3::new(f32::NAN, 0.0, 0.0)),
        RemoteUpdate::new(rover, Vec3::new(0.0, f32::INFINITY, 0.0)),
        RemoteUpdate::new(rover, (Vec3::X, Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0))),
        RemoteUpdate::new(rover, (Vec3::X, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0))),
        RemoteUpdate::new(rover, Transform::from_xyz(0.0, 0.0, 1e30)),
        good.moving(Vec3::splat(f32::NAN)),
        good.moving(Vec3::splat(1e30)),
        good.sent_at(f64::NAN),
    ];
    for update in bad {
        hear(&mut app, update);
        frame(&mut app);
        assert_eq!(at(&app, rover), Vec3::X, "{update:?}");
    }
    assert_eq!(reasons(&app).len(), bad.len());
    let sentences: Vec<String> = reasons(&app).iter().map(ToString::to_string).collect();
    assert!(sentences[0].starts_with("position.x: NaN is not a number within"), "{}", sentences[0]);
    assert!(sentences[7].starts_with("time of sending: NaN s is invalid"), "{}", sentences[7]);
}

#[test]
fn a_broken_transform_of_the_host_is_mended_when_the_remote_moves() {
    let mut app = game();
    let rover = app.world_mut().spawn((Remote::new(), Transform::from_xyz(f32::NAN, 0.0, 0.0))).id();
    run(&mut app, 0.1);
    assert!(at(&app, rover).is_nan(), "nothing is known of it yet");
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X));
    frame(&mut app);
    assert_eq!(at(&app, rover), Vec3::X);
    // What the plugins never write stays as it is.
    app.world_mut().get_mut::<Transform>(rover).expect("it has one").scale = Vec3::NAN;
    hear(&mut app, RemoteUpdate::new(rover, Vec3::Y).teleporting());
    frame(&mut app);
    assert_eq!(at(&app, rover), Vec3::Y);
    assert!(app.world().get::<Transform>(rover).expect("it has one").scale.is_nan());
}

#[test]
fn a_remote_without_a_transform_is_left_alone() {
    let mut app = game();
    let rover = app.world_mut().spawn(Remote::new()).id();
    app.world_mut().entity_mut(rover).remove::<Transform>();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X).moving(Vec3::X));
    run(&mut app, 0.5);
    app.world_mut().entity_mut(rover).insert(Transform::default());
    run(&mut app, 0.5);
    assert!(at(&app, rover).x > 1.5, "it is drawn again: {}", at(&app, rover));
}

#[test]
fn a_remote_at_rest_is_drawn_at_its_place_in_a_new_transform() {
    let mut app = game();
    let rover = app.world_mut().spawn(Remote::new()).id();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X));
    run(&mut app, 2.0);
    // In place of the one before.
    app.world_mut().entity_mut(rover).insert(Transform::from_scale(Vec3::splat(2.0)));
    frame(&mut app);
    assert_eq!(at(&app, rover), Vec3::X);
    assert_eq!(app.world().get::<Transform>(rover).expect("it has one").scale, Vec3::splat(2.0));
    // After a while without any.
    app.world_mut().entity_mut(rover).remove::<Transform>();
    run(&mut app, 0.5);
    app.world_mut().entity_mut(rover).insert(Transform::default());
    frame(&mut app);
    assert_eq!(at(&app, rover), Vec3::X);
}

#[test]
fn disabled_entities_go_on_moving() {
    let mut app = game();
    let rover = app.world_mut().spawn((Remote::new(), Disabled)).id();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X));
    frame(&mut app);
    assert_eq!(at(&app, rover), Vec3::X);
}

#[test]
fn an_app_without_a_clock_stands_still() {
    let mut app = App::new();
    app.add_plugins(EvenstridePlugins);
    let rover = app.world_mut().spawn(Remote::new()).id();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X).moving(Vec3::X));
    for _ in 0..10 {
        app.update();
    }
    assert_eq!(at(&app, rover), Vec3::X);
    assert_eq!(app.world().resource::<Remotes>().stats().refused_times, 10);
}

#[test]
fn a_component_without_the_plugins_does_nothing() {
    let mut app = App::new();
    let rover = app.world_mut().spawn(Remote::with_id(1)).id();
    app.update();
    assert!(app.world().get::<Transform>(rover).is_some(), "it is required");
    app.world_mut().despawn(rover);
}

#[test]
fn remotes_that_were_spawned_before_the_plugins_have_their_numbers() {
    let mut app = App::new();
    let rover = app.world_mut().spawn(Remote::with_id(1)).id();
    let hidden = app.world_mut().spawn((Remote::with_id(2), Disabled)).id();
    app.add_plugins(EvenstridePlugins);
    for id in [1, 2] {
        hear(&mut app, RemoteUpdate::new(id, Vec3::X));
    }
    app.update();
    assert_eq!((at(&app, rover), at(&app, hidden)), (Vec3::X, Vec3::X));
}

#[test]
fn a_thousand_remotes_come_and_go() {
    let mut app = game();
    for round in 0..20u64 {
        let ids = round * 1_000..round * 1_000 + 1_000;
        let spawned: Vec<Entity> = app.world_mut().spawn_batch(ids.clone().map(Remote::with_id)).collect();
        for id in ids {
            hear(&mut app, RemoteUpdate::new(id, Vec3::ZERO).moving(Vec3::X));
        }
        run(&mut app, 0.1);
        assert_eq!(app.world().resource::<Remotes>().world().len(), 1_000);
        spawned.into_iter().for_each(|entity| {
            app.world_mut().despawn(entity);
        });
        assert!(app.world().resource::<Remotes>().world().is_empty());
    }
}
