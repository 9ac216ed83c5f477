//! The normal case: positions arrive now and then, and the body glides.

use evenstride::{
    Config, Disposition,
    outcome::{Enqueued, IgnoreReason, PlaceReason},
    types::{Stamp, Vec3},
};
use evenstride_testkit::{Rig, longest_stride};

#[test]
fn straight_run_at_1_hz_is_even_and_arrives() {
    let mut rig = Rig::new(Config::RETAIL);
    let _ = rig.runs(1.5);
    let mut track = Vec::new();
    for second in 1..=5u8 {
        assert_eq!(rig.hears(90.0, 90.0 + 6.0 * f32::from(second)), Disposition::Queued(Enqueued::Near));
        track.extend(rig.drive(1.0));
    }
    // Nothing said that it stands: its legs carry it on until something does.
    assert!(rig.at().y > 120.0, "{}", rig.at());
    let _ = rig.stands();
    let _ = rig.hears(90.0, 120.0);
    rig.drive(2.0);
    rig.assert_at(90.0, 120.0);
    // Twice 6 m/s, for at most two frames of 60 a second between two steps.
    assert!(longest_stride(&track) < 12.0 * 2.0 / 30.0, "{}", longest_stride(&track));
}

#[test]
fn zig_zag_at_5_hz_visits_every_corner() {
    let mut rig = Rig::new(Config::RETAIL);
    let _ = rig.runs(2.0);
    let mut track = Vec::new();
    for leg in 1..=20u8 {
        let x = if leg % 2 == 0 { 90.0 } else { 91.0 };
        let _ = rig.hears(x, 90.0 + f32::from(leg) * 0.5);
        track.extend(rig.drive(0.2));
    }
    // It comes to a stand, and then the server says where.
    let _ = rig.stands();
    rig.drive(0.5);
    let _ = rig.hears(90.0, 100.0);
    rig.drive(2.0);
    rig.assert_at(90.0, 100.0);
    let corner = Vec3::new(91.0, 95.5, 10.0);
    assert!(track.iter().any(|at| at.distance(corner) < 0.06));
}

#[test]
fn a_duplicate_is_ignored_and_a_repeat_with_a_new_stamp_replaces() {
    let mut rig = Rig::new(Config::RETAIL);
    let _ = rig.hears(92.0, 90.0);
    assert_eq!(rig.repeats(), Disposition::Ignored(IgnoreReason::StalePosition));
    assert_eq!(rig.body().waypoints, 1);
    let _ = rig.hears(92.0, 90.01);
    assert_eq!(rig.body().waypoints, 1);
}

#[test]
fn reordered_positions_never_pull_back() {
    let mut rig = Rig::new(Config::RETAIL);
    let _ = rig.hears(92.0, 90.0);
    let late = rig.pack.clone();
    let _ = rig.hears(94.0, 90.0);
    rig.pack = late;
    assert_eq!(rig.send(), Disposition::Ignored(IgnoreReason::StalePosition));
    rig.drive(2.0);
    rig.assert_at(94.0, 90.0);
}

#[test]
fn stamps_wrap_around() {
    let mut rig = Rig::new(Config::RETAIL);
    rig.pack.position = Stamp::new(0x7FFE);
    let _ = rig.hears(91.0, 90.0);
    rig.pack.position = Stamp::new(0xFFFD);
    for step in 0..4u8 {
        assert_eq!(rig.hears(92.0 + f32::from(step), 90.0), Disposition::Queued(Enqueued::Near));
    }
    assert_eq!(rig.pack.position, Stamp::new(1));
    rig.drive(2.0);
    rig.assert_at(95.0, 90.0);
}

#[test]
fn a_teleport_is_immediate_and_older_positions_are_void() {
    let mut rig = Rig::new(Config::RETAIL);
    let _ = rig.hears(93.0, 90.0);
    let before = rig.pack.clone();
    assert_eq!(
        rig.teleports_to(50.0, 50.0),
        Disposition::Placed { reason: PlaceReason::Teleport, done: true }
    );
    rig.assert_at(50.0, 50.0);
    assert_eq!(rig.body().waypoints, 0);
    // Newer by position stamp, older by teleport stamp.
    rig.pack = before;
    rig.pack.position = Stamp::new(3);
    assert_eq!(rig.send(), Disposition::Ignored(IgnoreReason::StaleTeleport));
    // The stale one must not have eaten the stamp of the next good one.
    rig.pack.teleport = Stamp::new(1);
    assert_eq!(rig.send(), Disposition::Queued(Enqueued::Near));
}

#[test]
fn landblock_edges_are_crossed_in_all_directions_without_a_jerk() {
    for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
        let (dx, dy) = (dx as f32, dy as f32);
        let start = Vec3::new(96.0 + dx * 90.0, 96.0 + dy * 90.0, 10.0);
        let mut rig =
            Rig::starting_at(Config::RETAIL, evenstride::OpenField, evenstride_testkit::HOME, start);
        let first = rig.place().cell.landblock();
        let mut track = Vec::new();
        for step in 1..=4u8 {
            let way = 3.0 * f32::from(step);
            let _ = rig.hears(start.x + dx * way, start.y + dy * way);
            track.extend(rig.drive(0.5));
        }
        rig.drive(1.0);
        rig.assert_at(start.x + dx * 12.0, start.y + dy * 12.0);
        assert_ne!(rig.place().cell.landblock(), first);
        assert!(longest_stride(&track) < 8.0 * 2.0 / 30.0, "({dx}, {dy}): {}", longest_stride(&track));
    }
}

#[test]
fn indoors_the_cell_is_kept_and_coordinates_may_be_anything() {
    let cell = 0xA9B4_0123;
    let mut rig =
        Rig::starting_at(Config::RETAIL, evenstride::OpenField, cell, Vec3::new(30.0, -40.0, -12.0));
    let _ = rig.hears_at(Vec3::new(34.0, -44.0, -12.0));
    rig.drive(2.0);
    rig.assert_at(34.0, -44.0);
    assert_eq!(rig.place().cell.raw(), cell);
    // 20 m is too far indoors: queued, and snapped in the next step.
    assert_eq!(rig.hears_at(Vec3::new(34.0, -69.0, -12.0)), Disposition::Queued(Enqueued::Far));
    rig.drive(0.1);
    rig.assert_at(34.0, -69.0);
}

#[test]
fn heading_is_taken_on_with_the_first_step_or_on_the_spot() {
    let mut rig = Rig::new(Config::RETAIL);
    let _ = rig.faces(120.0).hears(95.0, 90.0);
    assert!(rig.heading() < 0.01);
    rig.drive(0.1);
    assert!((rig.heading() - 120.0).abs() < 0.01, "{}", rig.heading());
    rig.drive(2.0);
    let at = rig.at();
    assert_eq!(rig.faces(200.0).hears(at.x, at.y), Disposition::Queued(Enqueued::AlreadyThere));
    assert!((rig.heading() - 200.0).abs() < 0.01, "{}", rig.heading());
}

#[test]
fn the_same_movement_again_does_not_begin_it_anew() {
    let mut rig = Rig::new(Config::SMOOTH);
    let _ = rig.runs(1.0);
    rig.drive(1.0);
    let before = rig.at();
    // As recorded servers do: the same state twice, with new stamps.
    for _ in 0..10 {
        let _ = rig.runs(1.0);
        let _ = rig.runs(1.0);
        rig.drive(0.1);
    }
    let gone = evenstride::types::length(rig.at() - before);
    assert!((gone - 4.0).abs() < 0.28, "{gone} m in a second, at 4 m/s");
}

#[test]
fn whoever_only_stands_costs_nothing_and_whoever_has_stopped_costs_nothing_again() {
    let mut rig = Rig::new(Config::SMOOTH);
    let is_still = |rig: &Rig| rig.body().moved_by == evenstride::MovedBy::Nothing;
    assert!(is_still(&rig));
    let _ = rig.runs(1.0);
    rig.drive(0.5);
    assert!(!is_still(&rig));
    let _ = rig.stands();
    rig.drive(2.0);
    assert!(is_still(&rig), "{:?}", rig.body());
    let before = rig.world.state_hash();
    rig.world.forget_changed();
    rig.drive(1.0 / 30.0);
    assert_eq!(rig.world.changed().count(), 0);
    assert_ne!(before, 0);
}
