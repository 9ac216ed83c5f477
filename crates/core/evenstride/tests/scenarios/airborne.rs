//! Jumps, falls and landings.

use evenstride::{
    Config, Disposition, FlatGround, Surroundings,
    outcome::{Enqueued, IgnoreReason, PlaceReason},
    surroundings::Heightfield,
    types::{LandblockId, Vec3, update::Update},
};
use evenstride_testkit::{Actor, Rig, Stage};

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

/// A body in the middle of a running jump to the north, 0.6 s after its take-off from 10 m.
fn in_a_running_jump<S: Surroundings>(mut rig: Rig<S>) -> Rig<S> {
    let _ = rig.runs(1.5);
    // What servers send with a jump: an empty state, then the impulse with the running speed in it.
    let _ = rig.stands();
    let _ = rig.gets_velocity(Vec3::new(0.0, 6.0, 4.0));
    let track = rig.drive(0.6);
    assert!(apex(&track) > 0.7, "{}", apex(&track));
    assert!((rig.at().y - 93.6).abs() < 0.3, "{}", rig.at());
    assert!(!rig.body().in_contact);
    rig
}

const LANDED: Disposition = Disposition::Placed { reason: PlaceReason::Landing, done: true };

/// The symptom: landings of running jumps popped by 0.2 to 0.6 m.
#[test]
fn a_running_jump_lands_by_its_own_flight_and_then_walks_to_where_it_is_heard_of() {
    for config in [Config::RETAIL, Config::SMOOTH] {
        let mut rig = in_a_running_jump(Rig::new(config));
        assert_eq!(rig.hears_at(Vec3::new(90.0, 95.0, 10.0)), Disposition::Queued(Enqueued::Near));
        let mut track = vec![rig.drawn()];
        track.extend(rig.drive(2.0));
        assert_eq!((rig.at().z, rig.body().in_contact), (10.0, true));
        // No frame is more than a few centimetres longer than the one before. RETAIL draws whole steps, so it is not looked at.
        let strides: Vec<f32> = track.windows(2).map(|pair| pair[1].distance(pair[0])).collect();
        let leap = strides.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f32::max);
        assert!(config != Config::SMOOTH || leap < 0.13, "{leap}");
        // What is left of its flight carries it on over the ground, as it does the client's. The next position has it walk back.
        assert!((95.0..96.0).contains(&rig.at().y), "{}", rig.at());
        let _ = rig.hears_at(Vec3::new(90.0, 95.0, 10.0));
        rig.drive(1.0);
        rig.assert_at(90.0, 95.0);
    }
}

#[test]
fn a_jump_down_lands_at_the_height_it_hears_of() {
    let mut rig = in_a_running_jump(Rig::new(Config::SMOOTH));
    assert_eq!(rig.hears_at(Vec3::new(90.0, 97.0, 7.5)), Disposition::Queued(Enqueued::Near));
    let track = rig.drive(2.0);
    assert!(track.iter().all(|at| at.z >= 7.5), "{track:?}");
    assert_eq!((rig.at().z, rig.body().in_contact), (7.5, true));
    assert!((97.0..98.0).contains(&rig.at().y), "{}", rig.at());
}

#[test]
fn a_body_that_fell_below_the_ground_it_hears_of_is_placed_there() {
    let mut rig = in_a_running_jump(Rig::new(Config::SMOOTH));
    rig.drive(0.6);
    assert!(rig.at().z < 9.5, "{}", rig.at());
    assert_eq!(rig.hears_at(Vec3::new(90.0, 95.0, 10.0)), LANDED);
    assert!(rig.body().in_contact);
    rig.drive(0.5);
    rig.assert_at(90.0, 95.0);
}

#[test]
fn a_body_that_is_not_heard_of_for_a_second_after_its_flight_is_placed_where_that_should_have_ended() {
    for config in [Config::RETAIL, Config::SMOOTH] {
        let mut rig = in_a_running_jump(Rig::new(config));
        let track = rig.drive(3.0);
        // A fall of a second from a jump that high ends a good 8 m down.
        let lowest = track.iter().map(|at| at.z).fold(f32::MAX, f32::min);
        assert!((-0.5..2.0).contains(&lowest), "{lowest}");
        let at = rig.at();
        assert_eq!((at.z, rig.body().in_contact), (10.0, true));
        // 4 m/s up take 0.82 s to come down again, and a first step without gravity.
        assert!((94.9..95.7).contains(&at.y), "{at}");
        assert_eq!(rig.body().counters.snapped_by(PlaceReason::LandingOverdue), 1);
    }
}

/// The symptom: placed as far behind its landing as it would have run in the time that was not stepped, or never.
#[test]
fn a_hitch_or_a_clock_that_goes_back_moves_no_landing() {
    for config in [Config::RETAIL, Config::SMOOTH] {
        for leap in [2.5, -50.0] {
            let mut rig = in_a_running_jump(Rig::new(config));
            rig.drive(0.6);
            assert!(rig.at().z < 10.0, "{}", rig.at());
            rig.now += leap;
            let _ = rig.stage.world.advance(rig.stage.time(), &rig.stage.surroundings);
            rig.drive(1.5);
            let at = rig.at();
            assert_eq!((at.z, rig.body().in_contact), (10.0, true), "{leap}");
            assert!((94.9..95.7).contains(&at.y), "{leap}: {at}");
        }
    }
}

#[test]
fn a_body_that_is_heard_of_in_the_air_goes_on_falling() {
    let mut rig = in_a_running_jump(Rig::new(Config::SMOOTH));
    for fall in 1..4u8 {
        rig.drive(0.7);
        let below = Vec3::new(90.0, 100.0, 10.0 - 8.0 * f32::from(fall));
        assert_eq!(rig.hears_in_the_air(below), Disposition::Ignored(IgnoreReason::Airborne));
    }
    assert!(!rig.body().in_contact && rig.at().z < -5.0, "{}", rig.at());
}

/// The symptom: snapped back up to its take-off height, though it was heard of 0.2 s before.
#[test]
fn a_body_that_is_heard_of_at_or_above_its_take_off_height_is_not_silent() {
    for z in [10.0, 10.5] {
        let mut rig = in_a_running_jump(Rig::new(Config::SMOOTH));
        for _ in 0..15 {
            rig.drive(0.2);
            let _ = rig.hears_in_the_air(Vec3::new(90.0, 95.0, z));
        }
        assert!(!rig.body().in_contact && rig.at().z < -10.0, "{z}: {}", rig.at());
    }
}

/// The symptom: a body stood in the air for ever, at the height of a description that came in its flight.
#[test]
fn a_description_in_mid_air_is_no_ground() {
    for config in [Config::RETAIL, Config::SMOOTH, Config::ACDREAM] {
        let mut stage = Stage::new(config);
        let mut jumper = Actor::new(0x5000_0002);
        let _ = stage.says(&jumper.created(90.0, 90.0));
        stage.drive(0.2);
        let _ = stage.says(&jumper.velocity(Vec3::new(0.0, 4.0, 6.0)));
        stage.drive(0.7);
        let _ = jumper.position(90.0, 92.8);
        let up_there = evenstride_testkit::place(evenstride_testkit::HOME, Vec3::new(90.0, 92.8, 11.5));
        let description = jumper.create(jumper.description(Some(&up_there)));
        assert!(matches!(stage.says(&description), Disposition::Merged(_)));
        stage.drive(0.5);
        assert!(!stage.body(jumper.id).in_contact, "{config:?}: {}", stage.at(jumper.id));
    }
}

#[test]
fn in_the_gaps_of_a_heightfield_a_body_lands_as_in_an_open_field() {
    let gap = Heightfield::new(LandblockId::new(1, 1).unwrap(), 24.0, 2, vec![0.0; 4]).unwrap();
    let mut rig = in_a_running_jump(Rig::in_surroundings(Config::SMOOTH, gap));
    assert_eq!(rig.hears_at(Vec3::new(90.0, 95.0, 10.0)), Disposition::Queued(Enqueued::Near));
    rig.drive(2.0);
    assert_eq!((rig.at().z, rig.body().in_contact), (10.0, true));
    assert!((95.0..96.0).contains(&rig.at().y), "{}", rig.at());
}

#[test]
fn acdream_lands_with_the_first_grounded_update() {
    let mut rig = in_a_running_jump(Rig::new(Config::ACDREAM));
    assert_eq!(rig.hears_at(Vec3::new(90.0, 95.0, 10.0)), LANDED);
    rig.assert_at(90.0, 95.0);
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
    let mut rig = Rig::starting_at(Config::RETAIL, hills, evenstride_testkit::HOME, start);
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
        entity: evenstride_testkit::WHO,
        velocity: Vec3::new(0.0, 0.0, 5.0),
        omega: Vec3::new(0.0, 0.0, -1.0),
        instance: Stamp::new(1),
        stamp: Stamp::new(1),
    };
    let _ = rig.stage.world.handle(rig.stage.time(), &Update::Vector(update), &evenstride::OpenField);
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

/// The symptom: a step of 20 m/s under ground, because a velocity in flight moved where it was thought to have passed its take-off height.
#[test]
fn a_velocity_in_flight_begins_a_new_flight() {
    let mut rig = in_a_running_jump(Rig::new(Config::SMOOTH));
    rig.drive(0.6);
    let below = rig.at();
    assert!(below.z < 9.9, "{below}");
    let _ = rig.gets_velocity(Vec3::new(6.0, 0.0, 4.0));
    rig.drive(2.5);
    // It comes down where the new flight passes the height it began at, 0.8 s later.
    let at = rig.at();
    assert!((at.z - below.z).abs() < 0.01 && (at.x - below.x - 5.0).abs() < 0.6, "{below} {at}");
    assert!((at.y - below.y).abs() < 0.3, "{below} {at}");
}
