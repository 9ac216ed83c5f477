//! Saving and going on.

use evenstride::{
    Config, FlatGround, MotionWorld, RestoreError, SAVE_VERSION,
    config::Limits,
    player::{Ahead, Input, Skills},
    types::{
        Vec3,
        update::{MoveToParams, Update},
    },
};
use evenstride_testkit::{Actor, Stage};

/// Something of everything: walkers, a jumper, a follower, two who are sent somewhere, hands, a player, updates that wait.
fn lively(config: Config) -> (Stage<FlatGround>, Vec<Actor>) {
    let mut stage = Stage::in_surroundings(config, FlatGround { z: 10.0 });
    let mut actors: Vec<_> = (1..=20).map(Actor::new).collect();
    let _ = stage.says(&Update::LocalPlayer(actors[0].id));
    for (index, actor) in actors.iter().enumerate() {
        let _ = stage.says(&actor.created(80.0 + index as f32, 90.0));
    }
    stage.drive(0.1);
    for (index, actor) in (1u8..).zip(&mut actors[1..10]) {
        let y = 85.0 + f32::from(index);
        let _ = stage.says(&actor.runs(1.0 + f32::from(index) * 0.1));
        let _ = stage.says(&actor.position(90.0, y));
        let _ = stage.says(&actor.position(92.0, y));
    }
    let _ = stage.says(&actors[10].velocity(Vec3::new(1.0, 2.0, 5.0)));
    let target = actors[12].id;
    let _ = stage.says(&actors[11].follows(target));
    let _ = stage.says(&actors[18].sent_to(target, MoveToParams::default()));
    let _ = stage.says(&actors[19].sent_to_place(99.0, 120.0, MoveToParams::default()));
    let holder = actors[13];
    let _ = stage.says(&actors[14].held_by(&holder, 1));
    let _ = stage.says(&actors[15].held_by(&holder, 2));
    let _ = stage.says(&actors[16].pickup());
    let _ = stage.says(&actors[17].delete());
    let _ = stage.says(&Actor::new(99).runs(2.0));
    let _ = stage.says(&Actor::new(98).created_held(Actor::new(97).id, 1));
    stage.world.set_skills(Skills { run: 100, jump: 100, load: 0.2 }).unwrap();
    let running = Input { ahead: Some(Ahead::Forward), run: true, ..Input::default() };
    stage.world.set_input(stage.time(), running, &FlatGround { z: 10.0 }).unwrap();
    stage.drive(0.17);
    (stage, actors)
}

#[test]
fn a_restored_world_goes_on_bit_for_bit() {
    for (name, config) in Config::PROFILES {
        let (mut stage, actors) = lively(config);
        let saved = stage.world.save();
        let mut copy = Stage {
            world: MotionWorld::restore(&saved).unwrap(),
            surroundings: FlatGround { z: 10.0 },
            now: stage.now,
            fps: stage.fps,
        };
        assert_eq!(copy.world.state_hash(), stage.world.state_hash(), "{name}");
        assert_eq!(copy.world.save(), saved, "{name}: saved again it is the same file");
        for round in 0..300 {
            for stage in [&mut stage, &mut copy] {
                stage.drive(0.1);
                let mut actor = actors[round % 20];
                actor.stamps.set(
                    evenstride::types::StampKind::Position,
                    evenstride::types::Stamp::new(10 + round as u16),
                );
                let _ = stage.says(&actor.position(85.0 + (round % 7) as f32, 92.0));
                if round == 50 {
                    let _ = stage.says(&Actor::new(99).created(90.0, 90.0));
                }
            }
            assert_eq!(copy.world.state_hash(), stage.world.state_hash(), "{name}, round {round}");
        }
        assert_eq!(copy.sent(), stage.sent(), "{name}");
        assert_eq!(copy.world.stats().heard, stage.world.stats().heard, "{name}");
    }
}

/// Another stage at the same time.
fn stage_like(stage: &Stage<FlatGround>) -> Stage<FlatGround> {
    let mut other = Stage::in_surroundings(Config::RETAIL, stage.surroundings);
    (other.now, other.fps) = (stage.now, stage.fps);
    other
}

#[test]
fn followers_that_stop_together_do_so_alike_in_a_restored_world() {
    let mut stage = Stage::in_surroundings(Config::RETAIL, FlatGround { z: 10.0 });
    let mut actors: Vec<_> = (1..=8).map(Actor::new).collect();
    for actor in &actors {
        let _ = stage.says(&actor.created(90.0, 90.0));
    }
    let target = actors[0];
    for index in [5, 2, 7, 3, 1] {
        let _ = stage.says(&actors[index].follows(target.id));
    }
    let mut copy = Stage { world: MotionWorld::restore(&stage.world.save()).unwrap(), ..stage_like(&stage) };
    for stage in [&mut stage, &mut copy] {
        let _ = stage.says(&target.delete());
        // The next follower uses the entries that the others left.
        for index in [4, 6] {
            let (mut follower, other) = (actors[index], actors[1].id);
            let _ = stage.says(&follower.follows(other));
        }
    }
    assert_eq!(copy.world.state_hash(), stage.world.state_hash());
}

#[test]
fn rewinding_is_restoring_and_going_forward_again() {
    let (mut stage, _) = lively(Config::SMOOTH);
    let (then, time) = (stage.world.save(), stage.now);
    stage.drive(3.0);
    let later = stage.world.state_hash();
    stage.world = MotionWorld::restore(&then).unwrap();
    stage.now = time;
    assert_ne!(stage.world.state_hash(), later);
    stage.drive(3.0);
    assert_eq!(stage.world.state_hash(), later);
}

#[test]
fn everything_is_to_be_drawn_anew_after_restoring() {
    let (stage, _) = lively(Config::RETAIL);
    let mut restored = MotionWorld::restore(&stage.world.save()).unwrap();
    assert_eq!(restored.changed().count(), restored.len());
    restored.forget_changed();
    assert_eq!(restored.state_hash(), stage.world.state_hash(), "who looked does not matter");
}

#[test]
fn s13_damaged_saves_are_refused() {
    let (stage, _) = lively(Config::RETAIL);
    let saved = stage.world.save();
    let refused = |bytes: &[u8]| MotionWorld::restore(bytes).unwrap_err();
    assert_eq!(refused(b""), RestoreError::NotASave);
    assert_eq!(refused(b"EVSTRIDX and more"), RestoreError::NotASave);
    let mut newer = saved.clone();
    newer[8] += 1;
    let error = refused(&newer);
    assert_eq!(error, RestoreError::Version { found: SAVE_VERSION + 1 });
    assert_eq!(error.to_string(), "saved in version 12 of the format; this program reads version 11");
    let mut damaged = saved.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x40;
    assert_eq!(refused(&damaged), RestoreError::Fingerprint);
    assert_eq!(refused(&saved[..saved.len() - 1]), RestoreError::Fingerprint);
    let mut longer = saved.clone();
    longer.push(0);
    assert_eq!(refused(&longer), RestoreError::Fingerprint);
    // With the fingerprint repaired, the real fault is found.
    evenstride::reseal(&mut longer);
    assert_eq!(refused(&longer), RestoreError::TooLong { extra: 1 });
    let mut shorter = saved[..saved.len() - 1].to_vec();
    evenstride::reseal(&mut shorter);
    let offset = shorter.len();
    let truncated = RestoreError::Truncated { what: "traces_all", offset, needs: 1, left: 0 };
    assert_eq!(refused(&shorter), truncated);
    assert_eq!(truncated.to_string(), format!("traces_all at byte {offset}: needs 1 bytes, 0 left"));
    let mut other = saved.clone();
    other[20] = 9;
    evenstride::reseal(&mut other);
    assert_eq!(refused(&other), RestoreError::Value { what: "Config.gate", offset: 21 });
    // Every byte in turn: what is still a world fits together, and everything else has a reason.
    let (mut refusals, mut values, mut misfits) = (0, 0, 0);
    for place in 20..saved.len() {
        let mut damaged = saved.clone();
        damaged[place] ^= 0xFF;
        evenstride::reseal(&mut damaged);
        match MotionWorld::restore(&damaged) {
            Ok(world) => assert!(MotionWorld::restore(&world.save()).is_ok(), "byte {place}"),
            Err(RestoreError::Value { .. }) => values += 1,
            Err(RestoreError::Inconsistent { .. }) => misfits += 1,
            Err(_) => refusals += 1,
        }
    }
    assert!(values > 100 && misfits > 100 && refusals > 10, "{values} {misfits} {refusals}");
}

#[test]
fn limits_are_part_of_what_is_saved() {
    let limits = Limits::DEFAULT.with(|limits| limits.events = 7);
    let (stage, _) = lively(Config::RETAIL.with(|config| config.limits = limits));
    let restored = MotionWorld::restore(&stage.world.save()).unwrap();
    assert_eq!(restored.config(), stage.world.config());
}

/// The bytes of version 11 never change. When this fails, count up the version.
#[test]
fn the_format_of_version_11_is_pinned() {
    let (stage, _) = lively(Config::RETAIL);
    let saved = stage.world.save();
    let fingerprint = u64::from_le_bytes(saved[12..20].try_into().unwrap());
    assert_eq!((saved.len(), fingerprint), (14_113, 2_277_506_997_607_841_891));
}
