//! Actions of a recorded client, replayed in another world.

use evenstride::{
    Config, OpenField,
    player::{Input, Side, Skills},
    types::update::PlayerAction,
};
use evenstride_testkit::{RUNNING, STANDING, Stage, played};

#[test]
fn what_a_client_sent_can_be_repeated_in_another_world() {
    for (name, config) in Config::PROFILES {
        let (mut original, player) = played(config);
        let (mut copy, _) = played(config);
        let script = [
            (0.5, RUNNING),
            (1.2, Input { turn: Some(Side::Right), ..RUNNING }),
            (1.0, RUNNING),
            (1.3, Input { aside: Some(Side::Left), run: false, ..STANDING }),
            (1.0, STANDING),
        ];
        for (number, (seconds, controls)) in script.into_iter().enumerate() {
            original.presses(controls);
            if number == 2 {
                let now = original.time();
                original.world.jump(now, &OpenField).unwrap();
            }
            for _ in 0..(seconds * 60.0) as u32 {
                for action in original.sent() {
                    let now = copy.time();
                    let off = copy.world.replay_action(now, &action, &OpenField).unwrap();
                    assert!(off < 0.7, "{name}: {off} m from where it was");
                }
                original.drive(1.0 / 60.0);
                copy.drive(1.0 / 60.0);
            }
            let place = |stage: &Stage| stage.world.body(player.id).and_then(|body| body.place).unwrap();
            let apart = place(&original).distance(&place(&copy));
            assert!(apart < 0.05, "{name}: {apart} m apart after {controls:?}");
        }
    }
}

#[test]
fn rubbish_cannot_be_repeated() {
    let (mut stage, player) = played(Config::SMOOTH);
    let now = stage.time();
    stage.world.set_input(now, RUNNING, &OpenField).unwrap();
    stage.drive(1.1);
    for mut action in stage.sent() {
        if let PlayerAction::MoveToState(said) = &mut action {
            said.position.origin.x = f32::NAN;
        } else if let PlayerAction::AutonomousPosition(said) = &mut action {
            said.position.cell = 0;
        }
        let now = stage.time();
        assert_eq!(stage.world.replay_action(now, &action, &OpenField), Ok(0.0));
    }
    assert_eq!(stage.world.stats().refused_positions, 2);
    assert!(stage.world.body(player.id).unwrap().place.unwrap().pose.is_in_bounds());
    stage.world.set_local_player(now, None);
    let action = PlayerAction::LoginComplete;
    assert!(stage.world.replay_action(now, &action, &OpenField).is_err(), "no local player");
}

/// A recorded client, run rate 1.97581: 5.0330 m when the key came up after 0.705 s, 5.8214 m when it stood (two recorded legs agree to
/// 0.03 mm). How its legs begin and end is in the game's archives, which we do not have; ours are made up to come close. A step at that
/// speed is 0.26 m, so that is how exact it can be at all.
#[test]
fn a_recorded_run_comes_out_as_long_as_it_was() {
    let (mut stage, player) = played(Config::SMOOTH);
    stage.world.set_skills(Skills::running_at(1.97581)).unwrap();
    assert!((stage.world.player().unwrap().gait.run_rate - 1.97581).abs() < 1e-3);
    let start = stage.at(player.id);
    stage.presses(RUNNING);
    stage.drive(0.705);
    let at_key_up = stage.at(player.id).distance(start);
    stage.presses(STANDING);
    stage.drive(2.0);
    let at_rest = stage.at(player.id).distance(start);
    assert!((at_key_up - 5.0330).abs() < 0.27, "{at_key_up}");
    assert!((at_rest - 5.8214).abs() < 0.27, "{at_rest}");
}

/// The symptom: a player recorded at a run rate of 3.2 was replayed at 4.5.
#[test]
fn a_recorded_run_rate_is_replayed_as_it_was() {
    for hundredths in 100..=370 {
        let rate = hundredths as f32 / 100.0;
        let replayed = Skills::running_at(rate).run_rate();
        assert!((replayed - rate).abs() < 0.01, "{rate} became {replayed}");
    }
    assert_eq!(Skills::running_at(4.5).run_rate(), 4.5);
}
