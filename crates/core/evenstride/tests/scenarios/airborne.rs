//! Jumps, falls and landings.

use evenstride::{
    Config, Disposition, Enqueued, FlatGround, Heightfield, IgnoreReason, PlaceReason,
    types::{LandblockId, Vec3, update::Update},
};

use crate::rig::Rig;

/// The highest point of a track, above 10 m.
fn apex(track: &[Vec3]) -> f32 {
    track.iter().map(|at| at.z).fold(f32::MIN, f32::max) - 10.0
}

#[test]
fn a_standing_jump_rises_and_lands_where_it_took_off() {
    let mut rig = Rig::new(Config::RETAIL);
    assert_eq!(rig.stands(), Disposition::Applied);
    assert_eq!(rig.gets_velocity(Vec3::new(0.0, 0.0, 3.5456)), Disposition::Applied);
    let track = rig.drive(2.0);
    // v²/2g = 0.641 m, and the first step, still without gravity, adds v times its length: 0.05 s at 60 frames a second.
    assert!((apex(&track) - 0.641 - 3.5456 * 0.05).abs() < 0.01, "{}", apex(&track));
    assert_eq!(rig.at(), Vec3::new(90.0, 90.0, 10.0));
    assert!(rig.body().in_contact);
}

#[test]
fn a_running_jump_flies_a_curve_and_ends_with_the_first_grounded_update() {
    let mut rig = Rig::new(Config::RETAIL);
    let _ = rig.runs(1.5);
    // What servers send with a jump: an empty state, then the impulse with the running speed in it.
    let _ = rig.stands();
    let _ = rig.gets_velocity(Vec3::new(0.0, 6.0, 4.0));
    let track = rig.drive(0.6);
    assert!(apex(&track) > 0.7, "{}", apex(&track));
    assert!((rig.at().y - 93.6).abs() < 0.3, "{}", rig.at());
    assert!(!rig.body().in_contact);
    let landing = Disposition::Placed { reason: PlaceReason::Landing, done: true };
    assert_eq!(rig.hears_at(Vec3::new(90.0, 95.0, 10.0)), landing);
    rig.drive(1.0);
    rig.assert_at(90.0, 95.0);
    assert_eq!((rig.at().z, rig.body().in_contact), (10.0, true));
}

#[test]
fn positions_of_a_body_in_the_air_are_ignored() {
    let mut rig = Rig::new(Config::RETAIL);
    let _ = rig.gets_velocity(Vec3::new(0.0, 3.0, 4.0));
    rig.drive(0.2);
    let before = rig.at();
    assert_eq!(
        rig.hears_in_the_air(Vec3::new(50.0, 50.0, 20.0)),
        Disposition::Ignored(IgnoreReason::Airborne)
    );
    assert_eq!(rig.at(), before);
}

#[test]
fn a_teleport_reaches_a_body_in_the_air_and_it_goes_on_falling() {
    let mut rig = Rig::new(Config::RETAIL);
    let _ = rig.gets_velocity(Vec3::new(0.0, 3.0, 4.0));
    rig.drive(0.2);
    rig.pack.teleport = rig.pack.teleport.next();
    let disposition = rig.hears_in_the_air(Vec3::new(50.0, 50.0, 20.0));
    assert_eq!(disposition, Disposition::Placed { reason: PlaceReason::Teleport, done: true });
    rig.assert_at(50.0, 50.0);
    rig.drive(0.2);
    assert!(rig.at().y > 50.4, "velocity survives: {}", rig.at());
}

#[test]
fn on_flat_ground_a_body_lands_by_itself_and_a_grounded_update_only_joins_its_route() {
    let mut rig = Rig::in_surroundings(Config::RETAIL, FlatGround { z: 10.0 });
    let _ = rig.gets_velocity(Vec3::new(0.0, 3.0, 4.0));
    let track = rig.drive(2.0);
    assert!(apex(&track) > 0.7 && rig.body().in_contact);
    assert!((rig.at().z - 10.0).abs() < 1e-3 && rig.at().y > 92.0, "{}", rig.at());
    // Friction has stopped it.
    assert_eq!(rig.drive(0.5).last(), Some(&rig.at()));
    assert_eq!(rig.hears(90.0, 94.0), Disposition::Queued(Enqueued::Near));
}

#[test]
fn on_hills_a_body_follows_the_ground_and_lands_on_the_slope() {
    // Rises by half a metre a metre to the north.
    let posts = 9;
    let heights = (0..posts).flat_map(|row| std::iter::repeat_n(row as f32 * 12.0, posts)).collect();
    let hills = Heightfield::new(LandblockId::new(0xA9, 0xB4).unwrap(), 24.0, posts, heights).unwrap();
    let start = Vec3::new(90.0, 20.0, 10.0);
    let mut rig = Rig::starting_at(Config::RETAIL, hills, crate::rig::HOME, start);
    let _ = rig.hears_at(Vec3::new(90.0, 24.0, 12.0));
    rig.drive(1.5);
    let at = rig.at();
    assert!((at.z - at.y / 2.0).abs() < 1e-3, "{at}");
    let _ = rig.gets_velocity(Vec3::new(0.0, 0.0, 3.0));
    let track = rig.drive(0.3);
    assert!(track.iter().any(|at| at.z - at.y / 2.0 > 0.2));
    rig.drive(1.5);
    assert!((rig.at().z - rig.at().y / 2.0).abs() < 1e-3 && rig.body().in_contact, "{}", rig.at());
}

#[test]
fn omega_turns_a_body_in_the_air_and_stops_on_the_ground() {
    use evenstride::types::{Stamp, update::VectorUpdate};
    let mut rig = Rig::new(Config::RETAIL);
    let update = VectorUpdate {
        entity: crate::rig::WHO,
        velocity: Vec3::new(0.0, 0.0, 5.0),
        omega: Vec3::new(0.0, 0.0, -1.0),
        instance: Stamp::new(1),
        stamp: Stamp::new(1),
    };
    let _ = rig.world.handle(rig.time(), &Update::Vector(update), &evenstride::OpenField);
    rig.drive(0.6);
    // A radian a second, clockwise from above, for 0.6 s give or take a step: the first one reaches back to the last before the
    // update, and the gate may hold the last frames back.
    assert!((rig.heading() - 34.4).abs() < 2.9, "{}", rig.heading());
    assert!(!rig.body().in_contact);
    rig.drive(2.0);
    assert!(rig.body().in_contact);
    // It flew for a little over a second, and standing it no longer spins.
    let rest = rig.heading();
    assert!((55.0..70.0).contains(&rest), "{rest}");
    rig.drive(0.5);
    assert_eq!(rig.heading(), rest);
}
