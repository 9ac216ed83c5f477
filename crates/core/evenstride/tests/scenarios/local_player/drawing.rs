//! Where the local player is drawn between steps.

use evenstride::{
    Config, OpenField,
    config::CatchUp,
    drawing::RenderGate,
    player::Autonomy,
    types::{
        Placement, RawPlacement, Vec3,
        update::{
            AutonomousPosition, Contact, PhysicsDescription, PhysicsState, PlayerAction, PlayerStamps, Update,
        },
    },
};
use evenstride_testkit::{Actor, RUNNING, Stage, at, played};

#[test]
fn d9_the_local_player_is_drawn_between_its_last_two_steps() {
    let (mut stage, _) = played(Config::ACDREAM);
    stage.fps = 240.0;
    stage.presses(RUNNING);
    stage.drive(0.5);
    let mut places = Vec::new();
    for _ in 0..48 {
        stage.drive(1.0 / 240.0);
        places.push(stage.drawn(stage.world.player().unwrap().entity).unwrap().y);
    }
    let steps: Vec<f32> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().filter(|step| **step > 0.0).count() > 40, "{steps:?}");
    let (mut plain, player) = played(Config::RETAIL);
    plain.fps = 240.0;
    plain.presses(RUNNING);
    plain.drive(0.5);
    let mut still = 0;
    for _ in 0..48 {
        let before = plain.drawn(player.id);
        plain.drive(1.0 / 240.0);
        still += usize::from(plain.drawn(player.id) == before);
    }
    assert!(still > 30, "the client's own player stands still in {still} of 48 frames");
}

/// Frames of many lengths, hitches among them, of a player that glides east at 2 m/s: no gravity, no ground, no legs.
#[test]
fn d14_after_a_hitch_the_local_player_is_drawn_as_by_the_render_gate() {
    let apart = |config: Config| {
        let mut stage = Stage::new(config);
        stage.world.set_viewpoint(None);
        let mut player = Actor::new(0x5000_0001);
        let _ = stage.says(&Update::LocalPlayer(player.id));
        let physics = PhysicsDescription {
            state: PhysicsState::empty(),
            velocity: Some(Vec3::new(0.0, 0.0, 0.001)),
            ..player.description(Some(&at(90.0, 90.0)))
        };
        let _ = stage.says(&player.create(physics));
        stage.world.set_autonomy(Autonomy::Server).unwrap();
        let _ = stage.says(&player.velocity(Vec3::new(2.0, 0.0, 0.0)));
        let mut gate = RenderGate::new(at(90.0, 90.0), config.max_step_secs as f32);
        let glide = |place: Placement, secs: f32| {
            let there = place.pose.origin() + Vec3::X * 2.0 * secs;
            Placement::new(place.cell, place.pose.with_origin(there).unwrap())
        };
        let mut apart = 0.0_f32;
        for frame in 0..400u32 {
            let millis = match frame {
                _ if frame % 97 == 96 => 2_500,
                _ if frame % 41 == 40 => 430,
                _ if frame % 17 == 16 => 170,
                _ => 7 + frame * 13 % 23,
            };
            stage.now += f64::from(millis) / 1_000.0;
            let _ = stage.world.advance(stage.time(), &OpenField);
            let _ = gate.frame(millis as f32 / 1_000.0, glide);
            let by_gate = evenstride_testkit::home(&gate.drawn());
            apart = apart.max(stage.drawn(player.id).unwrap().distance(by_gate));
        }
        assert!(stage.at(player.id).x > 100.0, "it has gone somewhere: {}", stage.at(player.id));
        apart
    };
    assert!(apart(Config::ACDREAM) < 0.002, "{}", apart(Config::ACDREAM));
    let at_once = Config::ACDREAM.with(|config| config.player_catch_up = CatchUp::AtOnce);
    assert!(apart(at_once) > 0.2, "{}", apart(at_once));
}

/// The symptom: about 5 m of old time were run at the destination.
#[test]
fn a_placement_drops_the_steps_that_are_not_caught_up_with() {
    let (mut stage, mut player) = played(Config::ACDREAM);
    stage.presses(RUNNING);
    stage.drive(1.0);
    stage.now += 1.0;
    let _ = stage.world.advance(stage.time(), &OpenField);
    let _ = stage.says(&player.teleport(120.0, 120.0));
    stage.drive(0.1);
    let run = stage.at(player.id).distance(Vec3::new(120.0, 120.0, 10.0));
    assert!(run < 1.2, "{run}");
}

/// Regression: a replayed player that stood was drawn in two places by turns, between where it was and where it was put.
#[test]
fn a_player_that_is_put_somewhere_at_rest_is_drawn_in_one_place() {
    for config in [Config::SMOOTH, Config::ACDREAM] {
        let (mut stage, player) = played(config);
        stage.drive(0.5);
        let here = at(90.3, 90.2);
        let said = PlayerAction::AutonomousPosition(AutonomousPosition {
            position: RawPlacement::from(&here),
            stamps: PlayerStamps::default(),
            contact: Contact(1),
        });
        let off = stage.world.replay_action(stage.time(), &said, &OpenField).unwrap();
        assert!((off - 0.36).abs() < 0.01, "{off}");
        // A step or two on its way there, then still.
        stage.fps = 144.0;
        stage.drive(0.1);
        let still = stage.drawn(player.id).unwrap();
        for _ in 0..144 {
            stage.drive(1.0 / 144.0);
            let moved = (stage.drawn(player.id).unwrap() - still).length_squared().sqrt();
            assert!(moved < 1e-3, "{moved} m at {:.3} s", stage.now);
        }
    }
}
