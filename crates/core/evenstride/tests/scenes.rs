//! The scenes of the benchmarks are what their names say.

#[path = "../benches/scene/mod.rs"]
mod scene;

use scene::{Kind, Scene, doing::Doing};

/// Returns what the bodies of a scene do on average over 200 rounds.
fn average(kind: Kind) -> Doing {
    let mut scene = Scene::new(kind, 300);
    let mut sum = Doing { on_route: 0.0, by_legs: 0.0, both: 0.0, active: 0.0 };
    for _ in 0..200 {
        scene.round();
        let now = Doing::of(&scene.world);
        sum.on_route += now.on_route / 200.0;
        sum.by_legs += now.by_legs / 200.0;
        sum.both += now.both / 200.0;
        sum.active += now.active / 200.0;
    }
    sum
}

#[test]
fn the_usual_remote_has_legs_and_mostly_a_waypoint() {
    for kind in [Kind::Trailing, Kind::GlidingTrailing] {
        let doing = average(kind);
        assert!(doing.by_legs > 99.9 && doing.active > 99.9, "{kind:?}: {doing:?}");
        assert!(doing.both > 60.0, "{kind:?}: {doing:?}");
    }
}

#[test]
fn walking_bodies_always_have_a_waypoint_and_no_legs() {
    for kind in [Kind::Chasing, Kind::ChasingUndrained, Kind::ChasingInOrder, Kind::Watched] {
        let doing = average(kind);
        assert!(doing.on_route > 99.9 && doing.by_legs == 0.0, "{kind:?}: {doing:?}");
    }
}

#[test]
fn running_and_turning_bodies_have_legs_alone() {
    for kind in [Kind::Striding, Kind::Sent, Kind::Pursuing] {
        let doing = average(kind);
        assert!(doing.by_legs > 70.0 && doing.both == 0.0 && doing.active > 99.9, "{kind:?}: {doing:?}");
    }
}

#[test]
fn a_viewpoint_that_walks_away_loses_a_part_of_the_crowd() {
    for kind in [Kind::IdleMovingView, Kind::SparseMovingView] {
        assert!(average(kind).active > 99.9);
    }
    let doing = average(Kind::SparseCrossingView);
    assert!((50.0..99.0).contains(&doing.active), "{doing:?}");
}

#[test]
fn one_body_in_twenty_of_a_sparse_scene_walks() {
    let doing = average(Kind::Sparse);
    assert!((4.99..5.01).contains(&doing.on_route), "{doing:?}");
}
