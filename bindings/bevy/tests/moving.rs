//! Remotes that move, in every kind of game.

mod common;

use bevy_app::{App, FixedPostUpdate, FixedUpdate, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_evenstride::{
    EvenstridePlugins, Remote, RemoteClock, RemoteSystems, RemoteTime, RemoteUpdate, Remotes, RemotesPlugin,
    evenstride::generic::{Axes, PlainLimits, SenderClock},
};
use bevy_math::{Quat, Rot2, Vec2, Vec3};
use bevy_transform::{
    TransformPlugin,
    components::{GlobalTransform, Transform},
};
use common::{FRAME, at, frame, game, game_with, hear, run};

#[test]
fn updates_once_a_second_give_an_even_ride() {
    let mut app = game();
    let rover = app.world_mut().spawn(Remote::with_id(7)).id();
    let mut strides = Vec::new();
    for second in 0..20u8 {
        let place = Vec3::new(5.0 * f32::from(second), 0.0, 0.0);
        hear(&mut app, RemoteUpdate::new(7, place).moving(Vec3::X * 5.0).numbered(u64::from(second)));
        for _ in 0..64 {
            let before = at(&app, rover);
            frame(&mut app);
            strides.push(at(&app, rover).x - before.x);
        }
    }
    let even = 5.0 * FRAME as f32;
    let (least, most) = strides[192..].iter().fold((f32::MAX, 0.0_f32), |(l, m), s| (l.min(*s), m.max(*s)));
    assert!(
        least > 0.5 * even && most < 1.5 * even,
        "strides from {least} to {most} m, where {even} is even"
    );
}

#[test]
fn positions_alone_are_enough() {
    let mut app = game();
    let rover = app.world_mut().spawn(Remote::with_id(7)).id();
    for tick in 0..50u16 {
        // Five times per second, along −z.
        hear(
            &mut app,
            RemoteUpdate::new(7, Vec3::new(0.0, 0.0, -0.6 * f32::from(tick))).numbered(tick.into()),
        );
        run(&mut app, 0.2);
    }
    // The last position is 0.2 s old.
    let off = at(&app, rover) - Vec3::new(0.0, 0.0, -30.0);
    assert!(off.length() < 0.2, "{off} m off");
}

#[test]
fn a_remote_stays_where_the_host_put_it_until_its_first_update() {
    let mut app = game();
    let spawned = Transform::from_xyz(1.0, 2.0, 3.0).with_scale(Vec3::splat(2.0));
    let rover = app.world_mut().spawn((Remote::with_id(7), spawned)).id();
    run(&mut app, 0.5);
    assert_eq!(app.world().get::<Transform>(rover), Some(&spawned));
    hear(&mut app, RemoteUpdate::new(rover, Vec3::new(-4.0, 0.5, 9.0)));
    frame(&mut app);
    let placed = app.world().get::<Transform>(rover).copied();
    assert_eq!(placed, Some(spawned.with_translation(Vec3::new(-4.0, 0.5, 9.0))), "scale is the host's");
}

#[test]
fn an_update_is_drawn_and_propagated_in_the_frame_in_which_it_is_written() {
    let mut app = game();
    let rover = app.world_mut().spawn((Remote::new(), GlobalTransform::default())).id();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::Y));
    frame(&mut app);
    let global = app.world().get::<GlobalTransform>(rover).expect("it was spawned with one");
    assert_eq!(global.translation(), Vec3::Y);
}

#[test]
fn rotations_are_those_of_the_game() {
    let mut app = game();
    let rover = app.world_mut().spawn(Remote::new()).id();
    let turned = Quat::from_rotation_y(2.0) * Quat::from_rotation_x(0.3);
    hear(&mut app, RemoteUpdate::new(rover, (Vec3::ZERO, turned)));
    frame(&mut app);
    let drawn = app.world().get::<Transform>(rover).expect("it has one").rotation;
    assert!(drawn.angle_between(turned) < 1e-3, "{drawn} instead of {turned}");
}

/// Notes how often transforms count as changed.
#[derive(Resource, Default)]
struct Changes(u32);

fn count_changes(changed: Query<(), (With<Remote>, Changed<Transform>)>, mut changes: ResMut<Changes>) {
    changes.0 += changed.iter().count() as u32;
}

#[test]
fn a_transform_counts_as_changed_only_when_it_changed() {
    let mut app = game();
    app.init_resource::<Changes>();
    app.add_systems(PostUpdate, count_changes.after(RemoteSystems::Draw));
    let changes = |app: &mut App| std::mem::take(&mut app.world_mut().resource_mut::<Changes>().0);
    app.world_mut().spawn_batch((0..10u64).map(Remote::with_id));
    frame(&mut app);
    assert_eq!(changes(&mut app), 10, "they were spawned");
    for id in 0..10u8 {
        hear(&mut app, RemoteUpdate::new(u64::from(id), Vec3::X * f32::from(id)).moving(Vec3::ZERO));
    }
    frame(&mut app);
    // The one at the origin already stands there.
    assert_eq!(changes(&mut app), 9, "they were placed");
    run(&mut app, 2.0);
    assert_eq!(changes(&mut app), 0, "they stand");
    hear(&mut app, RemoteUpdate::new(3, Vec3::X * 3.0).moving(Vec3::X));
    run(&mut app, 1.0);
    let changed = changes(&mut app);
    assert!((62..=64).contains(&changed), "one of them moves in each frame: {changed}");
}

#[test]
fn flat_games_keep_their_layers_and_their_pixels() {
    let mut app = game_with(RemotesPlugin::two_d().with(|config| config.units_per_metre = 32.0));
    let layered = Transform::from_xyz(0.0, 0.0, 5.0);
    let tank = app.world_mut().spawn((Remote::with_id(1), layered)).id();
    for tick in 0..40u16 {
        // 96 pixels per second, upwards and to the right.
        let along = Vec2::new(0.6, 0.8);
        let place = along * 96.0 * 0.25 * f32::from(tick);
        let turn = Rot2::radians(along.to_angle());
        hear(&mut app, RemoteUpdate::new(1, (place, turn)).numbered(tick.into()));
        run(&mut app, 0.25);
    }
    let drawn = app.world().get::<Transform>(tank).copied().expect("it has one");
    let off = drawn.translation - Vec3::new(0.6 * 960.0, 0.8 * 960.0, 5.0);
    assert!(off.truncate().length() < 4.0, "{off} pixels off");
    assert_eq!(drawn.translation.z, 5.0);
    let angle = drawn.rotation.to_euler(bevy_math::EulerRot::ZYX).0;
    assert!((angle - 0.8_f32.atan2(0.6)).abs() < 0.02, "faces {angle} rad");
}

#[test]
fn games_with_other_axes_are_understood() {
    let mut app = game_with(RemotesPlugin::three_d().with(|config| config.axes = Axes::ZUpYForward));
    let drone = app.world_mut().spawn(Remote::new()).id();
    hear(&mut app, RemoteUpdate::new(drone, Vec3::new(1.0, 2.0, 30.0)).moving(Vec3::Z));
    run(&mut app, 1.0);
    let drawn = at(&app, drone);
    assert!((drawn - Vec3::new(1.0, 2.0, 31.0)).length() < 0.1, "{drawn}");
}

#[test]
fn fixed_steps_move_remotes_too() {
    let mut app = App::new();
    app.add_plugins((bevy_time::TimePlugin, TransformPlugin));
    app.insert_resource(bevy_time::TimeUpdateStrategy::FixedTimesteps(2));
    app.add_plugins(bevy_app::PluginGroup::set(
        EvenstridePlugins,
        RemotesPlugin::three_d().in_schedule(FixedUpdate),
    ));
    let rover = app.world_mut().spawn(Remote::new()).id();
    app.update();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::ZERO).moving(Vec3::X * 2.0));
    // Two fixed steps of 1/64 s in each frame.
    for _ in 0..32 {
        app.update();
    }
    let drawn = at(&app, rover).x;
    assert!((1.7..2.1).contains(&drawn), "{drawn} m after a second at 2 m/s");
}

/// Places of the remotes at each step of physics.
#[derive(Resource, Default)]
struct Physics(Vec<f32>);

#[test]
fn a_step_of_physics_sees_the_remotes_of_its_fixed_step() {
    let mut app = App::new();
    app.add_plugins((bevy_time::TimePlugin, TransformPlugin));
    app.insert_resource(bevy_time::TimeUpdateStrategy::FixedTimesteps(1));
    let remotes = RemotesPlugin::three_d().in_schedule(FixedUpdate);
    app.add_plugins(bevy_app::PluginGroup::set(EvenstridePlugins, remotes));
    app.init_resource::<Physics>();
    // Where avian and rapier run.
    app.add_systems(
        FixedPostUpdate,
        |remotes: Query<&Transform, With<Remote>>, mut physics: ResMut<Physics>| {
            physics.0.extend(remotes.iter().map(|remote| remote.translation.x));
        },
    );
    let rover = app.world_mut().spawn(Remote::new()).id();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::ZERO).moving(Vec3::X * 64.0));
    for _ in 0..40 {
        app.update();
    }
    let seen = std::mem::take(&mut app.world_mut().resource_mut::<Physics>().0);
    assert_eq!(seen.last(), Some(&at(&app, rover).x));
    // A metre per step, once it has set out.
    let strides = seen.windows(2).skip(20).map(|pair| pair[1] - pair[0]);
    assert!(strides.clone().all(|stride| (0.8..1.2).contains(&stride)), "{:?}", strides.collect::<Vec<_>>());
}

#[test]
fn virtual_time_pauses_remotes_and_real_time_does_not() {
    for (clock, moves) in
        [(RemoteClock::Schedule, false), (RemoteClock::Virtual, false), (RemoteClock::Real, true)]
    {
        let mut app = App::new();
        app.add_plugins((bevy_time::TimePlugin, TransformPlugin));
        let step = std::time::Duration::from_millis(16);
        app.insert_resource(bevy_time::TimeUpdateStrategy::ManualDuration(step));
        app.add_plugins(bevy_app::PluginGroup::set(EvenstridePlugins, RemotesPlugin::three_d().clock(clock)));
        let rover = app.world_mut().spawn(Remote::new()).id();
        hear(&mut app, RemoteUpdate::new(rover, Vec3::ZERO).moving(Vec3::X));
        for _ in 0..30 {
            app.update();
        }
        let before = at(&app, rover).x;
        assert!(before > 0.3, "{clock:?}: {before} m");
        app.world_mut().resource_mut::<bevy_time::Time<bevy_time::Virtual>>().pause();
        for _ in 0..30 {
            app.update();
        }
        assert_eq!(at(&app, rover).x > before + 0.1, moves, "{clock:?}");
    }
}

#[test]
fn limits_belong_to_a_remote_from_its_first_update_on() {
    let mut app = game();
    let slow = Remote::with_id(1).limited(PlainLimits::NONE.top_speed(2.0));
    let rovers = [slow, Remote::with_id(2)].map(|remote| app.world_mut().spawn(remote).id());
    let drive = |app: &mut App| {
        let before = rovers.map(|rover| at(app, rover).x);
        for id in [1, 2] {
            let place = Vec3::X * before[id as usize - 1];
            hear(app, RemoteUpdate::new(id, place).moving(Vec3::X * 8.0));
        }
        run(app, 1.0);
        [0, 1].map(|index| at(app, rovers[index]).x - before[index])
    };
    let [slow, fast] = drive(&mut app);
    assert!((1.5..2.5).contains(&slow) && fast > 7.0, "{slow} m and {fast} m in a second");
    // Without limits of its own, it has those of the plugin.
    app.world_mut().entity_mut(rovers[0]).insert(Remote::with_id(1));
    let [freed, _] = drive(&mut app);
    assert!(freed > 6.0, "{freed} m in a second");
}

#[test]
fn a_velocity_along_the_layers_of_a_flat_game_moves_no_remote() {
    let mut app = game_with(RemotesPlugin::two_d());
    let flea = app.world_mut().spawn(Remote::new()).id();
    // A game that builds its velocity from three axes leaves something in the third one.
    hear(&mut app, RemoteUpdate::new(flea, Vec2::ZERO).moving(Vec3::new(0.0, 0.0, 30.0)));
    run(&mut app, 0.5);
    let remotes = app.world().resource::<Remotes>();
    let pose = remotes.world().drawn(flea.to_bits(), remotes.world().motion().now()).expect("it is known");
    assert_eq!(pose.position, [0.0; 3]);
}

#[test]
fn times_of_sending_compensate_the_latency_beside_numbers() {
    let shared = RemotesPlugin::three_d().with(|config| config.sender_clock = SenderClock::Shared);
    let mut app = game_with(shared);
    let rover = app.world_mut().spawn(Remote::new()).id();
    run(&mut app, 1.0);
    let now = app.world().resource::<RemoteTime>().0;
    let update = RemoteUpdate::new(rover, Vec3::ZERO).moving(Vec3::X * 10.0).numbered(3);
    hear(&mut app, update.sent_at(now + FRAME - 0.2));
    frame(&mut app);
    assert!((at(&app, rover).x - 2.0).abs() < 0.01, "{}", at(&app, rover));
}

#[test]
fn two_apps_with_one_manual_clock_draw_the_same_bits() {
    let track = || {
        let mut app = game();
        let rover = app.world_mut().spawn(Remote::with_id(7)).id();
        let mut track = Vec::new();
        for tick in 0..30u16 {
            let angle = 0.3 * f32::from(tick);
            hear(&mut app, RemoteUpdate::new(7, Vec3::new(angle.cos(), 0.0, angle.sin()) * 10.0));
            for _ in 0..16 {
                frame(&mut app);
                track.push(at(&app, rover).to_array().map(f32::to_bits));
            }
        }
        track
    };
    assert_eq!(track(), track());
}

#[test]
fn the_world_can_explain_a_remote() {
    let mut app = game();
    let rover = app.world_mut().spawn(Remote::new()).id();
    hear(&mut app, RemoteUpdate::new(rover, Vec3::ZERO));
    frame(&mut app);
    app.world_mut().resource_mut::<Remotes>().world_mut().trace(rover.to_bits()).expect("it is known");
    hear(&mut app, RemoteUpdate::new(rover, Vec3::X));
    run(&mut app, 0.5);
    assert!(app.world().resource::<Remotes>().world().explain(rover.to_bits()).count() > 0);
    assert_eq!(app.world().resource::<RemoteTime>().0, 33.0 * FRAME);
}
