//! Entities that appear, change, and are gone.

use evenstride::{
    Config, Disposition, FlatGround, Happening,
    limits::PARKING_SECS,
    outcome::{CreateHow, DropReason, IgnoreReason, MergedParts, PlaceReason, RefuseReason, RemoveReason},
    types::{
        EntityId, Stamp, StampKind, Vec3,
        update::{
            InterpretedState, MotionCommand, MovementKind, PhysicsDescription, PhysicsState, PositionUpdate,
            Update,
        },
    },
};
use evenstride_testkit::{Actor, Stage, at, under_way};

const NEW: Disposition = Disposition::Created { how: CreateHow::New };
const REPLACED: Disposition = Disposition::Created { how: CreateHow::Replaced };

#[test]
fn a_description_makes_a_body_that_does_what_it_says() {
    let mut stage = Stage::new(Config::RETAIL);
    let drudge = Actor::new(0x8000_0001);
    let movement = under_way(MovementKind::Interpreted {
        state: InterpretedState::doing(MotionCommand::RUN_FORWARD, 1.5),
        stick_to: None,
    });
    let description =
        PhysicsDescription { movement, scale: Some(2.0), ..drudge.description(Some(&at(90.0, 90.0))) };
    assert_eq!(stage.says(&drudge.create(description)), NEW);
    assert_eq!(stage.at(drudge.id), Vec3::new(90.0, 90.0, 10.0));
    let animation = stage.world.animation(drudge.id).unwrap();
    assert_eq!((animation.gait.run_rate, animation.motion_table), (1.5, Some(0x0900_0001)));
    assert_eq!(stage.events_of(drudge.id), [Happening::Appeared]);
    assert!(stage.body(drudge.id).in_contact);
}

#[test]
fn an_arrow_appears_flying() {
    let mut stage = Stage::new(Config::RETAIL);
    let arrow = Actor::new(0x8000_0002);
    let description = PhysicsDescription {
        state: PhysicsState::MISSILE | PhysicsState::ALIGN_PATH,
        velocity: Some(Vec3::new(0.0, 20.0, 0.0)),
        ..arrow.description(Some(&at(96.0, 60.0)))
    };
    assert_eq!(stage.says(&arrow.create(description)), NEW);
    stage.drive(1.0);
    let at = stage.at(arrow.id);
    assert!((at.y - 80.0).abs() < 1.0 && !stage.body(arrow.id).in_contact, "{at}");
}

#[test]
fn the_same_life_described_again_is_merged_part_by_part() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    stage.drive(0.1);
    // Nothing in it is new.
    assert_eq!(stage.says(&drudge.created(50.0, 50.0)), Disposition::Merged(MergedParts::empty()));
    drudge.next(StampKind::State);
    assert_eq!(stage.says(&drudge.created(50.0, 50.0)), Disposition::Merged(MergedParts::STATE));
    drudge.next(StampKind::Vector);
    assert_eq!(stage.says(&drudge.created(50.0, 50.0)), Disposition::Merged(MergedParts::VECTOR));
    assert_eq!(stage.at(drudge.id), Vec3::new(90.0, 90.0, 10.0));
    drudge.next(StampKind::Movement);
    let movement = under_way(MovementKind::Interpreted {
        state: InterpretedState::doing(MotionCommand::RUN_FORWARD, 2.0),
        stick_to: None,
    });
    let description = PhysicsDescription { movement, ..drudge.description(Some(&at(50.0, 50.0))) };
    assert_eq!(stage.says(&drudge.create(description)), Disposition::Merged(MergedParts::MOVEMENT));
    assert_eq!(stage.world.animation(drudge.id).unwrap().gait.run_rate, 2.0);
    // A newer position in a description is walked to, as any other.
    drudge.next(StampKind::Position);
    assert_eq!(stage.says(&drudge.created(92.0, 90.0)), Disposition::Merged(MergedParts::PLACE));
    assert_eq!(stage.body(drudge.id).waypoints, 1);
    stage.drive(1.0);
    // And then its legs carry it on, the way it faces.
    let place = stage.at(drudge.id);
    assert!((place.x - 92.0).abs() < 0.06 && place.y > 92.0, "{place}");
}

#[test]
fn a_newer_description_without_a_place_takes_the_body_out_and_forgets_it_in_time() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    drudge.next(StampKind::Position);
    let nowhere = drudge.create(drudge.description(None));
    assert_eq!(stage.says(&nowhere), Disposition::Merged(MergedParts::PLACE));
    assert_eq!((stage.body(drudge.id).place, stage.drawn(drudge.id)), (None, None));
    stage.drive(PARKING_SECS - 1.0);
    assert!(stage.world.body(drudge.id).is_some());
    stage.drive(1.1);
    assert!(stage.world.body(drudge.id).is_none());
    assert_eq!(
        stage.events_of(drudge.id),
        [Happening::Appeared, Happening::LeftWorld, Happening::Removed(RemoveReason::Forgotten)]
    );
}

#[test]
fn coming_back_into_the_world_cancels_being_forgotten() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    drudge.next(StampKind::Position);
    let _ = stage.says(&drudge.create(drudge.description(None)));
    stage.drive(20.0);
    let back = stage.says(&drudge.position(80.0, 90.0));
    assert_eq!(back, Disposition::Placed { reason: PlaceReason::EntersWorld, done: true });
    stage.drive(30.0);
    assert_eq!(stage.at(drudge.id), Vec3::new(80.0, 90.0, 10.0));
}

#[test]
fn made_anew_it_forgets_what_it_was_doing() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    stage.drive(0.1);
    let _ = stage.says(&drudge.position(94.0, 90.0));
    let key = stage.world.key(drudge.id).unwrap();
    let Update::Create(create) = drudge.created(70.0, 70.0) else { unreachable!() };
    assert_eq!(stage.says(&Update::Recreate(create)), REPLACED);
    assert_eq!(stage.at(drudge.id), Vec3::new(70.0, 70.0, 10.0));
    assert_eq!(stage.body(drudge.id).waypoints, 0);
    // A key of the old body does not find the new one.
    assert_eq!((stage.world.entity(key), stage.world.get(key).is_none()), (None, true));
    assert_ne!(stage.world.key(drudge.id), Some(key));
}

#[test]
fn an_earlier_life_has_nothing_to_say() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut old = Actor::new(0x8000_0001);
    let mut new = old.reborn();
    let _ = stage.says(&new.created(90.0, 90.0));
    let older = Disposition::Ignored(IgnoreReason::OlderInstance);
    for update in [
        old.created(10.0, 10.0),
        old.position(10.0, 10.0),
        old.runs(2.0),
        old.velocity(Vec3::Z),
        old.state(PhysicsState::HIDDEN),
        old.pickup(),
        old.delete(),
    ] {
        assert_eq!(stage.says(&update), older, "{update:?}");
    }
    assert_eq!(stage.body(new.id).counters.stale, 7);
    assert!(matches!(stage.says(&new.position(10.0, 10.0)), Disposition::Placed { .. }));
}

#[test]
fn deleted_and_created_again_with_an_instance_that_wrapped() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut life = Actor::new(0x8000_0001);
    life.stamps.set(StampKind::Instance, Stamp::new(0xFFFF));
    let _ = stage.says(&life.created(90.0, 90.0));
    assert_eq!(stage.says(&life.delete()), Disposition::Removed);
    assert_eq!(stage.world.len(), 0);
    let mut next = life.reborn();
    assert_eq!(next.stamp(StampKind::Instance), Stamp::new(0));
    assert_eq!(stage.says(&next.created(80.0, 80.0)), NEW);
    // 0 is newer than 0xFFFF: what is left over of the old life is dropped, the new one goes on.
    assert_eq!(stage.says(&life.position(10.0, 10.0)), Disposition::Ignored(IgnoreReason::OlderInstance));
    stage.drive(0.1);
    assert!(matches!(stage.says(&next.position(81.0, 80.0)), Disposition::Queued(_)));
    // Without a delete the newer life simply replaces it.
    assert_eq!(stage.says(&next.reborn().created(70.0, 70.0)), REPLACED);
}

#[test]
fn the_local_player_cannot_be_deleted() {
    let mut stage = Stage::new(Config::RETAIL);
    let player = Actor::new(0x5000_0001);
    assert_eq!(stage.says(&Update::LocalPlayer(player.id)), Disposition::Applied);
    let _ = stage.says(&player.created(90.0, 90.0));
    assert_eq!(stage.says(&player.delete()), Disposition::Ignored(IgnoreReason::LocalPlayerStays));
    let again = stage.says(&Update::LocalPlayer(EntityId::new(7)));
    assert_eq!(again, Disposition::Ignored(IgnoreReason::PlayerKnown));
}

#[test]
fn a_position_and_a_movement_in_one_message_both_count() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    stage.drive(0.1);
    let Update::Position(position) = drudge.position(92.0, 90.0) else { unreachable!() };
    let Update::Movement(movement) = drudge.runs(2.5) else { unreachable!() };
    let both =
        Update::PositionAndMovement { position: position.clone(), movement: movement.movement.clone() };
    assert!(matches!(stage.says(&both), Disposition::Queued(_)));
    assert_eq!(stage.world.animation(drudge.id).unwrap().gait.run_rate, 2.5);
    // Of a repeated position the movement may still be new.
    let Update::Movement(newer) = drudge.runs(3.0) else { unreachable!() };
    let repeated = Update::PositionAndMovement { position, movement: newer.movement };
    assert_eq!(stage.says(&repeated), Disposition::Applied);
    // Of an unknown entity both wait, as one.
    let PositionUpdate { pack, .. } = match drudge.position(1.0, 1.0) {
        Update::Position(position) => position,
        _ => unreachable!(),
    };
    let unknown = PositionUpdate { entity: EntityId::new(9), pack };
    let both = Update::PositionAndMovement { position: unknown, movement: movement.movement };
    assert!(matches!(stage.says(&both), Disposition::Parked(_)));
    assert_eq!(stage.world.parked(), 1);
}

#[test]
fn what_appears_above_the_ground_falls_without_having_taken_off() {
    let mut stage = Stage::in_surroundings(Config::RETAIL, FlatGround { z: 0.0 });
    let drudge = Actor::new(0x8000_0001);
    let movement = under_way(MovementKind::Interpreted {
        state: InterpretedState::doing(MotionCommand::RUN_FORWARD, 1.5),
        stick_to: None,
    });
    let description = PhysicsDescription { movement, ..drudge.description(Some(&at(90.0, 90.0))) };
    let _ = stage.says(&drudge.create(description));
    assert!(!stage.body(drudge.id).in_contact);
    stage.drive(1.0);
    // Straight down: the legs had no ground to push off from.
    let at = stage.at(drudge.id);
    assert!(at.x == 90.0 && at.y == 90.0 && at.z < 6.0, "{at}");
    assert_eq!(stage.events_of(drudge.id), [Happening::Appeared]);
}

#[test]
fn going_somewhere_on_the_servers_order_begins_with_standing_still() {
    use evenstride::types::update::{CommandIndex, MotionCommand, MoveToFlags, TurnToParams};
    let mut stage = Stage::new(Config::RETAIL);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    let _ = stage.says(&drudge.runs(2.5));
    let turn =
        |flags| MovementKind::TurnToHeading(TurnToParams { flags, speed: 1.0, desired_heading_deg: 0.0 });
    let id = drudge.id;
    let forward = |stage: &Stage| stage.world.animation(id).unwrap().gait.forward;
    let order = drudge.told(turn(MoveToFlags::empty()), 0);
    assert_eq!(stage.says(&order), Disposition::Applied);
    assert_eq!(forward(&stage), MotionCommand::RUN_FORWARD);
    let order = drudge.told(turn(MoveToFlags::STOP_COMPLETELY), 0);
    let _ = stage.says(&order);
    assert_eq!(forward(&stage), MotionCommand::READY);
    // A stance that comes with it is taken on.
    let mut order = drudge.told(turn(MoveToFlags::STOP_COMPLETELY), 0);
    if let Update::Movement(movement) = &mut order {
        movement.movement.body.style = CommandIndex(0x3C);
    }
    let _ = stage.says(&order);
    assert_eq!(stage.world.animation(drudge.id).unwrap().gait.style, MotionCommand(0x8000_003C));
}

#[test]
fn a_position_poses_what_has_no_animation() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut urn = Actor::new(0x8000_0001);
    let resources = evenstride::types::update::Resources::default();
    let description = PhysicsDescription { resources, ..urn.description(Some(&at(90.0, 90.0))) };
    let _ = stage.says(&urn.create(description));
    let mut posed = urn.position(91.0, 90.0);
    if let Update::Position(position) = &mut posed {
        position.pack.placement_frame = Some(0x65);
    }
    let _ = stage.says(&posed);
    assert_eq!(stage.world.animation(urn.id).unwrap().placement_frame, 0x65);
}

#[test]
fn hiding_ends_collisions_and_showing_begins_them_again() {
    let mut stage = Stage::new(Config::RETAIL);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    let usual = PhysicsState::default();
    assert_eq!(stage.says(&drudge.state(usual | PhysicsState::HIDDEN)), Disposition::Applied);
    let hidden = stage.body(drudge.id).state;
    assert!(hidden.contains(PhysicsState::HIDDEN | PhysicsState::IGNORE_COLLISIONS));
    assert!(!hidden.contains(PhysicsState::REPORT_COLLISIONS));
    let stale = Update::State(evenstride::types::update::StateUpdate {
        entity: drudge.id,
        state: usual,
        instance: Stamp::new(0),
        stamp: drudge.stamp(StampKind::State),
    });
    assert_eq!(stage.says(&stale), Disposition::Ignored(IgnoreReason::StaleState));
    let _ = stage.says(&drudge.state(usual));
    assert_eq!(stage.body(drudge.id).state, usual);
    assert_eq!(
        stage.events_of(drudge.id),
        [Happening::Appeared, Happening::Hidden(true), Happening::Hidden(false)]
    );
}

#[test]
fn s12_impossible_descriptions_are_refused() {
    let mut stage = Stage::new(Config::RETAIL);
    let drudge = Actor::new(0x8000_0001);
    let good = drudge.description(Some(&at(90.0, 90.0)));
    let broken = [
        PhysicsDescription { scale: Some(f32::NAN), ..good.clone() },
        PhysicsDescription { scale: Some(-1.0), ..good.clone() },
        PhysicsDescription { velocity: Some(Vec3::INFINITY), ..good.clone() },
        PhysicsDescription { omega: Some(Vec3::NAN), ..good.clone() },
        PhysicsDescription {
            movement: under_way(MovementKind::Interpreted {
                state: InterpretedState::doing(MotionCommand::RUN_FORWARD, f32::NAN),
                stick_to: None,
            }),
            ..good.clone()
        },
        PhysicsDescription {
            position: good.position.map(|p| evenstride::types::RawPlacement { cell: 0xFFFF_FFFE, ..p }),
            ..good.clone()
        },
    ];
    for (number, description) in (1..).zip(broken) {
        let answer = stage.says(&drudge.create(description));
        assert!(matches!(answer, Disposition::Refused(_)), "{number}: {answer:?}");
        assert_eq!((stage.world.len(), stage.world.stats().refused_creates), (0, number));
    }
    assert_eq!(stage.says(&drudge.create(good)), NEW);
}

#[test]
fn s9_bodies_are_bounded() {
    let limits = evenstride::config::Limits::DEFAULT.with(|limits| limits.bodies = 2);
    let mut stage = Stage::new(Config::RETAIL.with(|config| config.limits = limits));
    for id in [1, 2] {
        assert_eq!(stage.says(&Actor::new(id).created(90.0, 90.0)), NEW);
    }
    let answer = stage.says(&Actor::new(3).created(90.0, 90.0));
    let Disposition::Refused(reason @ RefuseReason::Setup(_)) = answer else { panic!("{answer:?}") };
    assert_eq!(
        reason.to_string(),
        "entity 0x00000003: the world is full with 2 bodies; raise `Limits::bodies`"
    );
    assert_eq!(stage.says(&Actor::new(2).reborn().created(80.0, 80.0)), REPLACED);
}

/// The client hangs an update for a later life on the body of the earlier one, and throws both away together.
#[test]
fn news_of_a_later_life_are_lost_in_retail() {
    let mut stage = Stage::new(Config::RETAIL);
    let old = Actor::new(0x8000_0001);
    let new = old.reborn();
    let mut server = new;
    let _ = stage.says(&old.created(90.0, 90.0));
    let lost = Disposition::Dropped(DropReason::OldBodyStillThere);
    assert_eq!(stage.says(&server.runs(2.5)), lost);
    assert_eq!(stage.says(&new.created(80.0, 80.0)), REPLACED);
    assert_eq!(stage.world.animation(new.id).unwrap().gait.run_rate, 1.0);
    assert_eq!((stage.world.stats().parked_lost, stage.world.parked()), (1, 0));
}
