//! Remotes beside the physics of avian.

use avian3d::prelude::*;
use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_evenstride::{EvenstridePlugins, Remote, RemoteUpdate, RemotesPlugin};

#[test]
fn a_remote_pushes_a_ball() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default()));
    // Remotes move in each fixed step, before physics does.
    app.add_plugins(EvenstridePlugins.set(RemotesPlugin::three_d().in_schedule(FixedUpdate)));
    app.insert_resource(Gravity::ZERO).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let rover = (Remote::with_id(1), RigidBody::Kinematic, Collider::sphere(0.5));
    let rover = app.world_mut().spawn(rover).id();
    let ball = (RigidBody::Dynamic, Collider::sphere(0.5), Transform::from_xyz(3.0, 0.0, 0.0));
    let ball = app.world_mut().spawn(ball).id();
    app.finish();
    app.cleanup();
    for step in 0..256u16 {
        if step.is_multiple_of(32) {
            // Twice per second, at 2 m/s along x.
            let place = Vec3::X * f32::from(step) / 32.0;
            app.world_mut().write_message(RemoteUpdate::new(1, place).numbered(step.into()));
        }
        app.update();
    }
    let at = |entity| app.world().get::<Transform>(entity).map(|transform| transform.translation.x);
    let (rover, ball) = (at(rover).expect("a rover"), at(ball).expect("a ball"));
    assert!((rover - 8.0).abs() < 0.5, "the rover is at {rover} m");
    assert!(ball > rover + 0.8, "the ball is at {ball} m, the rover at {rover} m");
}
