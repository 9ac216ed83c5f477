//! What observers are told.

mod common;

use bevy_app::{App, PluginGroup};
use bevy_ecs::prelude::*;
use bevy_evenstride::{
    EvenstridePlugins, Remote, RemoteAppeared, RemoteClock, RemoteHappened, RemoteLanded,
    RemoteNoticesPlugin, RemoteResumed, RemoteSnapped, RemoteStalled, RemoteThrow, RemoteTime, RemoteTookOff,
    RemoteUpdate, Remotes, RemotesPlugin, evenstride::Happening,
};
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use common::{at, collect, frame, game, hear, run, seen};

#[test]
fn a_remote_appears_once() {
    let mut app = game();
    collect::<RemoteAppeared>(&mut app);
    let rover = app.world_mut().spawn(Remote::new()).id();
    run(&mut app, 0.5);
    assert_eq!(seen::<RemoteAppeared>(&app), [], "nothing is known of it");
    for x in [1.0, 2.0] {
        hear(&mut app, RemoteUpdate::new(rover, Vec3::X * x));
        frame(&mut app);
    }
    assert_eq!(seen::<RemoteAppeared>(&app), [RemoteAppeared { entity: rover }]);
}

#[test]
fn a_teleport_is_told_with_its_distance_to_an_observer_that_sees_the_new_place() {
    let mut app = game();
    collect::<RemoteSnapped>(&mut app);
    let rover = app.world_mut().spawn(Remote::new()).id();
    app.world_mut().entity_mut(rover).observe(|snapped: On<RemoteSnapped>, places: Query<&Transform>| {
        let place = places.get(snapped.entity).map(|place| place.translation);
        assert_eq!(place.ok(), Some(Vec3::X * 50.0));
    });
    hear(&mut app, RemoteUpdate::new(rover, Vec3::ZERO));
    run(&mut app, 0.5);
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X * 50.0).teleporting());
    frame(&mut app);
    let snapped = seen::<RemoteSnapped>(&app);
    assert!(
        matches!(snapped[..], [RemoteSnapped { entity, distance, .. }] if entity == rover && distance == 50.0)
    );
}

#[test]
fn a_throw_takes_off_and_lands_at_the_height_of_an_update() {
    let mut app = game();
    collect::<RemoteTookOff>(&mut app);
    collect::<RemoteLanded>(&mut app);
    let frog = app.world_mut().spawn(Remote::with_id(1)).id();
    hear(&mut app, RemoteUpdate::new(1, Vec3::ZERO));
    run(&mut app, 0.5);
    app.world_mut().write_message(RemoteThrow::new(1, Vec3::new(0.0, 4.0, 0.0)));
    let mut top = 0.0_f32;
    for _ in 0..40 {
        frame(&mut app);
        top = top.max(at(&app, frog).y);
    }
    assert!((0.6..1.1).contains(&top), "it jumped {top} m");
    hear(&mut app, RemoteUpdate::new(1, Vec3::ZERO));
    run(&mut app, 1.0);
    let rise = seen::<RemoteTookOff>(&app).first().map(|event| (event.entity, event.rise));
    assert_eq!(rise, Some((frog, 4.0)));
    assert_eq!(seen::<RemoteLanded>(&app).first().map(|event| event.entity), Some(frog));
    assert!(at(&app, frog).y.abs() < 0.01);
}

#[test]
fn silence_stalls_a_remote_that_moves_and_an_update_resumes_it() {
    for velocity in [Some(Vec3::X * 2.0), None] {
        let mut app = game();
        collect::<RemoteStalled>(&mut app);
        collect::<RemoteResumed>(&mut app);
        let rover = app.world_mut().spawn(Remote::new()).id();
        for second in 0..4u8 {
            let update = RemoteUpdate::new(rover, Vec3::X * 2.0 * f32::from(second));
            hear(&mut app, RemoteUpdate { velocity, ..update });
            run(&mut app, 1.0);
        }
        assert_eq!(seen::<RemoteStalled>(&app), [], "{velocity:?}");
        run(&mut app, 2.5);
        assert_eq!(seen::<RemoteStalled>(&app), [RemoteStalled { entity: rover }], "{velocity:?}");
        assert_eq!(seen::<RemoteResumed>(&app), []);
        hear(&mut app, RemoteUpdate::new(rover, Vec3::X * 12.0));
        frame(&mut app);
        assert_eq!(seen::<RemoteResumed>(&app), [RemoteResumed { entity: rover }], "{velocity:?}");
    }
}

#[test]
fn a_stall_that_an_update_ends_in_the_same_frame_is_told_before_its_end() {
    #[derive(Resource, Default)]
    struct Told(Vec<&'static str>);
    let mut app = game();
    app.init_resource::<Told>();
    app.add_observer(|_: On<RemoteStalled>, mut told: ResMut<Told>| told.0.push("stalled"));
    app.add_observer(|_: On<RemoteResumed>, mut told: ResMut<Told>| told.0.push("resumed"));
    let rover = app.world_mut().spawn(Remote::new()).id();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::ZERO).moving(Vec3::X));
    run(&mut app, 0.5);
    // The game was in the background for a minute, and its socket was not.
    app.world_mut().resource_mut::<RemoteTime>().0 += 60.0;
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X * 9.0).moving(Vec3::X));
    frame(&mut app);
    assert_eq!(app.world().resource::<Told>().0, ["stalled", "resumed"]);
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X * 9.5).moving(Vec3::X));
    run(&mut app, 0.5);
    assert_eq!(app.world().resource::<Told>().0.len(), 2, "it has not stalled again");
}

#[test]
fn systems_read_every_happening_as_a_message() {
    let mut app = game();
    let rover = app.world_mut().spawn(Remote::new()).id();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::ZERO));
    frame(&mut app);
    let read = |mut messages: MessageReader<RemoteHappened>| messages.read().copied().collect::<Vec<_>>();
    let happened = app.world_mut().run_system_cached(read).expect("the messages exist");
    assert!(happened.iter().any(|one| one.entity == rover && one.kind == Happening::Appeared));
}

#[test]
fn without_notices_nothing_piles_up() {
    let mut app = App::new();
    let plugins = EvenstridePlugins.build().disable::<RemoteNoticesPlugin>();
    app.add_plugins(plugins.set(RemotesPlugin::three_d().clock(RemoteClock::Manual)));
    collect::<RemoteSnapped>(&mut app);
    let rover = app.world_mut().spawn(Remote::new()).id();
    for jump in 0..100u8 {
        hear(&mut app, RemoteUpdate::new(rover, Vec3::X * f32::from(jump) * 50.0).teleporting());
        frame(&mut app);
    }
    assert_eq!(seen::<RemoteSnapped>(&app), []);
    assert_eq!(app.world_mut().resource_mut::<Remotes>().world_mut().poll_event(), None);
}
