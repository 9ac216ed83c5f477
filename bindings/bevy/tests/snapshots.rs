//! The example with snapshots of a networking crate.

#[path = "../examples/snapshots.rs"]
#[allow(dead_code, reason = "an example has a main function")]
mod snapshots;

use bevy_ecs::prelude::*;
use bevy_evenstride::Remote;
use bevy_transform::components::Transform;
use snapshots::{ServerTick, new_app, truth};

#[test]
fn replicated_components_are_drawn_at_the_servers_present_tick() {
    let mut app = new_app();
    let mut ships = app.world_mut().query_filtered::<&Transform, With<Remote>>();
    let mut most = 0.0_f32;
    for frame in 0..640 {
        app.update();
        if frame > 64 {
            let truth = truth(app.world().resource::<ServerTick>().0);
            let ship = ships.single(app.world()).expect("one ship");
            most = most.max(ship.translation.distance(truth.position));
        }
    }
    // Snapshots are 0.08 to 0.17 s old. In that time the ship goes up to 0.85 m and turns.
    assert!(most < 0.25, "{most} m off");
}
