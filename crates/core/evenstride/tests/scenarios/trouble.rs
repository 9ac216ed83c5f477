//! Bodies that cannot go where they should, and positions too far to walk to.

use core::cell::Cell;

use evenstride::{
    Config, Disposition, OpenField, Surroundings,
    limits::MAX_WAYPOINTS,
    outcome::{Enqueued, PlaceReason},
    surroundings::{Contact, Placed, Placing, Sweep, Swept},
    types::Vec3,
};
use evenstride_testkit::Rig;

/// No body gets through, and placements work or not.
struct Walled {
    allows_placing: Cell<bool>,
    is_closed: Cell<bool>,
}

impl Walled {
    const fn new() -> Self {
        Self { allows_placing: Cell::new(true), is_closed: Cell::new(true) }
    }
}

impl Surroundings for Walled {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        if self.is_closed.get() { Swept::Blocked } else { OpenField.sweep(sweep) }
    }

    fn place(&self, placing: &Placing) -> Placed {
        if self.allows_placing.get() {
            Placed::At { at: placing.at, contact: Contact::Kept }
        } else {
            Placed::Refused
        }
    }
}

#[test]
fn a_body_that_makes_no_headway_is_put_at_its_only_waypoint() {
    let mut rig = Rig::in_surroundings(Config::RETAIL, Walled::new());
    let _ = rig.hears(95.0, 90.0);
    // The first audit always passes; the second, five steps later, fails, and the same step recovers.
    rig.drive(9.0 / 30.0);
    assert_eq!(rig.at().x, 90.0);
    rig.drive(4.0 / 30.0);
    rig.assert_at(95.0, 90.0);
    assert_eq!(rig.body().waypoints, 0);
}

#[test]
fn a_refused_placement_is_tried_again_every_step() {
    let mut rig = Rig::in_surroundings(Config::RETAIL, Walled::new());
    rig.surroundings.allows_placing.set(false);
    let _ = rig.hears(95.0, 90.0);
    rig.drive(2.0);
    assert_eq!(rig.at().x, 90.0);
    rig.surroundings.allows_placing.set(true);
    rig.drive(0.1);
    rig.assert_at(95.0, 90.0);
}

#[test]
fn a_stall_within_a_step_of_the_waypoint_counts_as_arrived() {
    let mut rig = Rig::in_surroundings(Config::RETAIL, Walled::new());
    let _ = rig.hears(90.15, 90.0);
    rig.drive(1.0);
    assert_eq!((rig.at().x, rig.body().waypoints), (90.0, 0));
}

#[test]
fn far_from_the_viewpoint_positions_are_placements() {
    let mut rig = Rig::new(Config::RETAIL);
    // Exactly 96 m away: still stepped, but no longer walked.
    rig.world.set_viewpoint(Some(evenstride_testkit::place(
        evenstride_testkit::HOME,
        Vec3::new(90.0, 186.0, 10.0),
    )));
    rig.drive(0.1);
    assert!(rig.body().is_active);
    let far = Disposition::Placed { reason: PlaceReason::FarFromViewpoint, done: true };
    assert_eq!(rig.hears(91.0, 90.0), far);
    rig.assert_at(91.0, 90.0);
}

#[test]
fn a_position_too_far_to_walk_to_is_queued_and_snapped_to_in_the_next_step() {
    let mut rig = Rig::new(Config::RETAIL);
    let _ = rig.hears(91.0, 90.0);
    assert_eq!(rig.hears(91.0, 191.5), Disposition::Queued(Enqueued::Far));
    rig.assert_at(90.0, 90.0);
    rig.drive(2.0 / 30.0);
    rig.assert_at(91.0, 191.5);
}

#[test]
fn a_route_holds_twenty_waypoints_and_drops_the_oldest() {
    let mut rig = Rig::new(Config::RETAIL);
    for step in 1..=30u8 {
        let _ = rig.hears(90.0 + 0.5 * f32::from(step), 90.0);
    }
    assert_eq!(rig.body().waypoints, usize::from(MAX_WAYPOINTS));
    // The first ten are gone: it cuts the corner they made and still ends at the last.
    rig.drive(4.0);
    rig.assert_at(105.0, 90.0);
}
