//! Bodies that are drawn at a pose of their own.

use evenstride::{
    Config, FlatGround, MotionWorld, OpenField, Surroundings,
    animation::DrawnMotion,
    config::{DrawMode, GlideParts},
    player::{Ahead, Input},
    surroundings::{Contact, Placed, Placing, Sweep, Swept},
};
use evenstride_testkit::{Actor, Rig, Stage, at, home, longest_stride, played};
use evenstride_types::{
    EntityId, SimTime, Vec3,
    update::{MotionCommand, MoveToParams, PositionUpdate, ServerEntity, Update},
};

const FPS: f64 = 60.0;

/// GLIDE without one of its parts.
fn without(part: GlideParts) -> Config {
    Config::GLIDE.with(|config| config.drawing = DrawMode::Gliding(GlideParts::all() - part))
}

/// A creature that is sent north and runs at 4 m/s, heard of five times per second, with positions that are 0.1 or 0.2 s old.
/// Returns where it is drawn.
fn run_of_a_creature(config: Config, secs: f64) -> Vec<Vec3> {
    let mut stage = Stage::new(config);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 60.0));
    stage.drive(0.5);
    let _ = stage.says(&drudge.sent_to_place(90.0, 130.0, MoveToParams::default()));
    (0..(secs * FPS) as u32)
        .map(|frame| {
            if frame % 12 == 0 {
                let old = if frame % 24 == 0 { 0.1 } else { 0.2 };
                let true_secs = (f64::from(frame) / FPS - old).max(0.0) as f32;
                let _ = stage.says(&drudge.position(90.0, 60.0 + 4.0 * true_secs));
            }
            stage.frame();
            stage.drawn(drudge.id).unwrap()
        })
        .collect()
}

/// Speeds between successive frames in metres per second, to the north.
fn speeds(track: &[Vec3]) -> Vec<f32> {
    track.windows(2).map(|pair| (pair[1].y - pair[0].y) * FPS as f32).collect()
}

#[test]
fn d15_a_gliding_body_does_not_stop_and_go() {
    let frozen = |config| speeds(&run_of_a_creature(config, 6.0)[120..]).iter().filter(|v| **v < 0.2).count();
    // The client's body goes back or waits with every position that is older than the one before.
    assert!(frozen(Config::SMOOTH) > 15, "{}", frozen(Config::SMOOTH));
    let track = run_of_a_creature(Config::GLIDE, 6.0);
    let speeds = speeds(&track[120..]);
    assert!(speeds.iter().all(|speed| (2.9..5.1).contains(speed)), "{speeds:?}");
    assert!(longest_stride(&track) < 0.1);
}

#[test]
fn d15_decisions_are_those_of_smooth() {
    let run = |config: Config| {
        let mut rig = Rig::new(config);
        let _ = rig.runs(1.3);
        let mut places = Vec::new();
        for second in 0..8u8 {
            let _ = rig.hears(90.0 + f32::from(second % 3), 90.0 + 4.0 * f32::from(second));
            rig.drive(1.0);
            places.push((rig.place(), rig.body().waypoints, rig.body().counters));
        }
        places
    };
    assert_eq!(run(Config::GLIDE), run(Config::SMOOTH));
}

#[test]
fn d16_frequent_positions_tell_the_speed() {
    // Positions tell 6 m/s while the animation stands.
    let drawn = |config: Config| {
        let mut rig = Rig::new(config);
        rig.fps = FPS;
        let mut track = Vec::new();
        for frame in 0..240u16 {
            if frame % 12 == 0 {
                let _ = rig.faces(0.0).hears(90.0, 90.0 + f32::from(frame) / 10.0);
            }
            track.extend(rig.drive(1.0 / FPS));
        }
        speeds(&track[120..])
    };
    let spread = |speeds: Vec<f32>| {
        speeds.iter().copied().fold(f32::MIN, f32::max) - speeds.iter().copied().fold(f32::MAX, f32::min)
    };
    let (glide, without) = (spread(drawn(Config::GLIDE)), spread(drawn(without(GlideParts::BIAS))));
    assert!(glide < 0.3 && without > 0.6, "{glide} {without}");
}

/// A creature that was sent north, at 1 s, and is drawn for `secs` more seconds. Positions tell that it goes north-east.
fn sent(config: Config, secs: f64, heading: f32) -> Stage {
    let mut stage = Stage::new(config);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    stage.drive(1.0);
    let _ = stage.says(&drudge.sent_to_place(90.0, 140.0, MoveToParams::default()));
    for step in 0..(secs * 5.0) as u16 {
        let way = 0.6 * f32::from(step);
        let turned = evenstride_types::Heading::from_degrees(heading).unwrap();
        let ahead = turned.direction() * way;
        let pose = at(90.0 + ahead.x, 90.0 + ahead.y);
        let place = evenstride_types::Placement::new(pose.cell, pose.pose.with_heading(turned));
        let _ = stage.says(&ServerEntity::position(&mut drudge, &place));
        stage.drive(0.2);
    }
    stage
}

const DRUDGE: EntityId = EntityId::new(0x8000_0001);

fn drawn_heading(stage: &Stage) -> f32 {
    stage.world.drawn(DRUDGE, stage.time()).unwrap().pose.heading().degrees()
}

#[test]
fn d17_a_sent_body_is_drawn_facing_as_positions_say() {
    let heading = drawn_heading(&sent(Config::GLIDE, 3.0, 30.0));
    assert!((heading - 30.0).abs() < 8.0, "{heading}");
    let heading = drawn_heading(&sent(without(GlideParts::HEADING), 3.0, 30.0));
    assert!((heading - 30.0).abs() > 15.0, "{heading}");
}

/// A creature runs to a target 10 m away, and its positions cease 2 m before it is there. Returns how far it is drawn beyond the
/// last position.
fn silence(config: Config) -> f32 {
    let mut stage = Stage::new(config);
    let (mut drudge, prey) = (Actor::new(0x8000_0001), Actor::new(0x5000_0002));
    let _ = stage.says(&drudge.created(90.0, 90.0));
    let _ = stage.says(&prey.created(90.0, 102.0));
    stage.drive(1.0);
    let _ = stage.says(&drudge.sent_to(prey.id, MoveToParams::default()));
    stage.drive(0.3);
    let mut last = 90.0;
    for step in 0..12u16 {
        last = 90.0 + 0.7 * f32::from(step);
        let _ = stage.says(&drudge.position(90.0, last));
        stage.drive(0.2);
    }
    stage.drive(0.4);
    stage.drawn(drudge.id).unwrap().y - last
}

#[test]
fn d18_silence_near_the_goal_is_a_stop() {
    let (glide, without) = (silence(Config::GLIDE), silence(without(GlideParts::BRAKE)));
    assert!(glide < without - 0.2, "{glide} {without}");
}

#[test]
fn d19_the_drawn_body_arrives_first() {
    // Positions are far ahead of the body, which lags behind.
    let beyond = |config: Config| {
        let mut stage = Stage::new(config);
        let mut drudge = Actor::new(0x8000_0001);
        let _ = stage.says(&drudge.created(90.0, 90.0));
        stage.drive(1.0);
        let _ = stage.says(&drudge.sent_to_place(90.0, 100.0, MoveToParams::default()));
        stage.drive(0.5);
        let mut most = 0.0f32;
        for frame in 0..240u16 {
            if frame % 12 == 0 && frame <= 60 {
                let _ = stage.says(&drudge.position(90.0, 93.0 + f32::from(frame) / 10.0));
            }
            stage.frame();
            most = most.max(stage.drawn(drudge.id).unwrap().y);
        }
        most
    };
    let (glide, without) = (beyond(Config::GLIDE), beyond(without(GlideParts::ARRIVAL)));
    assert!(glide < without - 0.1, "{glide} {without}");
}

#[test]
fn a_teleport_is_drawn_in_one_frame_and_a_short_one_glides() {
    let mut rig = Rig::new(Config::GLIDE);
    rig.fps = FPS;
    let _ = rig.runs(1.0);
    rig.drive(1.0);
    let _ = rig.teleports_to(120.0, 120.0);
    let track = rig.drive(0.2);
    // The first frame after it, and never in between.
    assert!(track.iter().all(|at| at.distance(Vec3::new(120.0, 120.0, 10.0)) < 1.5), "{track:?}");
    // Servers teleport a creature with its first blow, by a step or less.
    let before = rig.drawn();
    let _ = rig.teleports_to(before.x + 0.8, before.y);
    let track = rig.drive(0.5);
    assert!(longest_stride(&track) < 0.2 && track[0].distance(before) < 0.2, "{track:?}");
}

/// A wall to the east of x = 95. Bodies do not get through it.
struct Wall;

const WALL: f32 = 95.0;

impl Surroundings for Wall {
    fn sweep(&self, sweep: &Sweep) -> Swept {
        let ground = FlatGround { z: 10.0 };
        if home(&sweep.to).x > WALL { Swept::Blocked } else { ground.sweep(sweep) }
    }

    fn place(&self, placing: &Placing) -> Placed {
        Placed::At { at: placing.at, contact: Contact::On(Vec3::Z) }
    }
}

#[test]
fn nothing_is_drawn_behind_a_wall_that_stops_the_body() {
    let mut rig = Rig::in_surroundings(Config::GLIDE, Wall);
    rig.fps = FPS;
    let _ = rig.faces(90.0).hears(90.0, 90.0);
    let _ = rig.faces(90.0).runs(1.5);
    let track = rig.drive(3.0);
    assert!(track.iter().all(|at| at.x <= WALL + 1e-3), "{track:?}");
    // It came up to the wall, and was not left behind either.
    assert!(track.last().unwrap().x > WALL - 0.5, "{:?}", track.last());
}

#[test]
fn the_local_player_is_drawn_where_it_is_and_corrections_glide() {
    let (mut stage, mut player) = played(Config::GLIDE);
    stage.presses(Input { ahead: Some(Ahead::Forward), run: true, ..Input::default() });
    let mut last = stage.drawn(player.id).unwrap();
    let mut strides = Vec::new();
    for _ in 0..120 {
        stage.frame();
        let drawn = stage.drawn(player.id).unwrap();
        strides.push(drawn.distance(last));
        last = drawn;
    }
    // At 9.5 m/s a frame is 16 cm. After the start no frame stands and none leaps.
    assert!(strides[30..].iter().all(|stride| (0.1..0.22).contains(stride)), "{strides:?}");
    assert!(last.distance(stage.at(player.id)) < 0.4, "{last} {}", stage.at(player.id));
    // The server corrects the player by a metre.
    player.next(evenstride_types::StampKind::ForcePosition);
    let there = stage.at(player.id) + Vec3::X;
    let _ = stage.says(&player.position(there.x, there.y));
    stage.presses(Input::default());
    let track: Vec<Vec3> = (0..90)
        .map(|_| {
            stage.frame();
            stage.drawn(player.id).unwrap()
        })
        .collect();
    assert!(longest_stride(&track) < 0.4, "{}", longest_stride(&track));
    assert!(track.last().unwrap().distance(stage.at(player.id)) < 0.45, "{:?}", track.last());
}

#[test]
fn held_things_are_drawn_with_their_holder() {
    let mut stage = Stage::new(Config::GLIDE);
    let (mut drudge, mut sword) = (Actor::new(0x8000_0001), Actor::new(0x8000_0002));
    let _ = stage.says(&drudge.created(90.0, 90.0));
    let _ = stage.says(&sword.create(sword.description(None)));
    let holder = *drudge;
    let _ = stage.says(&sword.held_by(&holder, 1));
    let _ = stage.says(&drudge.runs(1.0));
    for _ in 0..60 {
        stage.frame();
        assert_eq!(stage.drawn(sword.id), stage.drawn(drudge.id));
    }
    assert!(stage.drawn(sword.id).unwrap().y > 92.0);
}

#[test]
fn an_outage_of_the_whole_link_stops_nobody() {
    // Ten creatures run, and then nothing arrives for two seconds.
    let mut stage = Stage::new(Config::GLIDE);
    let mut herd: Vec<Actor> = (1..=10).map(|number| Actor::new(0x8000_0000 + number)).collect();
    for (row, one) in herd.iter_mut().enumerate() {
        let _ = stage.says(&one.created(80.0 + row as f32, 90.0));
        let _ = stage.says(&one.runs(1.0));
    }
    for step in 1..=10u16 {
        stage.drive(0.2);
        for (row, one) in herd.iter_mut().enumerate() {
            let _ = stage.says(&one.position(80.0 + row as f32, 90.0 + 0.8 * f32::from(step)));
        }
    }
    let before = stage.drawn(herd[0].id).unwrap().y;
    stage.drive(2.0);
    let after = stage.drawn(herd[0].id).unwrap().y;
    assert!(after - before > 7.0, "{before} {after}");
}

#[test]
fn a_restored_run_draws_the_same_bits() {
    let mut stage = sent(Config::GLIDE, 2.0, 10.0);
    let (saved, drawing) = (stage.world.save(), stage.world.save_drawing());
    let mut restored = MotionWorld::restore(&saved).unwrap();
    restored.restore_drawing(&drawing).unwrap();
    let mut copy = stage.world.clone();
    for _ in 0..120 {
        stage.frame();
        let now = stage.time();
        let _ = restored.advance(now, &OpenField);
        let _ = copy.advance(now, &OpenField);
        let hash = stage.world.drawing_hash();
        assert_eq!((restored.drawing_hash(), copy.drawing_hash()), (hash, hash));
        assert_eq!(restored.drawn(DRUDGE, now), stage.world.drawn(DRUDGE, now));
    }
    // Neither the save nor the fingerprint of a world knows its poses.
    let fresh = MotionWorld::restore(&saved).unwrap();
    assert_eq!(fresh.save(), saved);
}

#[test]
fn damaged_drawings_are_refused_and_change_nothing() {
    let mut stage = sent(Config::GLIDE, 1.0, 0.0);
    let drawing = stage.world.save_drawing();
    let mut damaged = drawing.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    for bytes in [&b""[..], b"EVSTRIDE", &damaged, &drawing[..drawing.len() - 1]] {
        assert!(stage.world.restore_drawing(bytes).is_err());
    }
    // A pose that is not finite, with a fingerprint that fits.
    for offset in (20..drawing.len() - 4).step_by(3) {
        let mut bytes = drawing.clone();
        bytes[offset..offset + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        evenstride::reseal(&mut bytes);
        if stage.world.restore_drawing(&bytes).is_ok() {
            stage.drive(0.1);
            let drawn = stage.drawn(DRUDGE).unwrap();
            assert!(drawn.is_finite(), "{offset}: {drawn}");
        }
    }
    stage.world.restore_drawing(&drawing).unwrap();
}

#[test]
fn a_body_at_rest_is_drawn_where_it_is_and_costs_nothing() {
    let mut stage = Stage::new(Config::GLIDE);
    let mut drudge = Actor::new(0x8000_0001);
    let _ = stage.says(&drudge.created(90.0, 90.0));
    stage.drive(1.0);
    stage.world.forget_changed();
    assert_eq!((stage.world.changed().count(), stage.world.next_due()), (0, None));
    let _ = stage.says(&drudge.position(90.0, 92.0));
    stage.drive(0.5);
    assert!(stage.world.changed().count() == 1 && stage.world.next_due().is_some());
    stage.drive(5.0);
    stage.world.forget_changed();
    stage.drive(0.1);
    assert_eq!((stage.world.changed().count(), stage.world.next_due()), (0, None));
    let (drawn, body) = (stage.drawn(drudge.id).unwrap(), stage.at(drudge.id));
    assert!(drawn.distance(body) < 0.08, "{drawn} {body}");
}

#[test]
fn the_shown_animation_fits_the_drawn_motion() {
    // A creature is dragged by positions while its animation stands: it is shown walking.
    let mut rig = Rig::new(Config::GLIDE);
    rig.fps = FPS;
    for step in 0..10u16 {
        let _ = rig.faces(0.0).hears(90.0, 90.0 + 0.5 * f32::from(step));
        rig.drive(0.2);
    }
    let shown = rig.world.animation(evenstride_testkit::WHO).unwrap().drawn;
    let DrawnMotion::Going { command: MotionCommand::WALK_FORWARD, speed } = shown else {
        panic!("{shown:?}")
    };
    assert!((0.6..1.0).contains(&speed), "{speed}");
    // A runner plays its own animation, at nearly its own speed.
    let mut rig = Rig::new(Config::GLIDE);
    let _ = rig.runs(1.0);
    rig.drive(2.0);
    let shown = rig.world.animation(evenstride_testkit::WHO).unwrap().drawn;
    assert!(
        matches!(shown, DrawnMotion::AsPlayed { playback } if (playback - 1.0).abs() < 0.02),
        "{shown:?}"
    );
}

#[test]
fn any_frame_rate_draws_nearly_the_same() {
    let end = |fps: f64| {
        let mut rig = Rig::new(Config::GLIDE);
        rig.fps = fps;
        let _ = rig.runs(1.0);
        rig.drive(2.0);
        rig.drawn()
    };
    let reference = end(60.0);
    for fps in [10.0, 30.0, 144.0, 240.0] {
        assert!(end(fps).distance(reference) < 0.12, "{fps}: {} {reference}", end(fps));
    }
}

#[test]
fn gliding_combines_with_every_profile() {
    for (name, config) in Config::PROFILES {
        let config = config.with(|config| config.drawing = DrawMode::GLIDING);
        let track = run_of_a_creature(config, 6.0);
        let speeds = speeds(&track[120..]);
        assert!(speeds.iter().all(|speed| (2.5..5.5).contains(speed)), "{name}: {speeds:?}");
    }
}

#[test]
fn time_that_goes_back_or_leaps_leaves_poses_finite() {
    let mut stage = sent(Config::GLIDE, 1.0, 0.0);
    for secs in [0.5, 3.0, 2.9, 1e6, 1e6 + 0.01, 0.0, 1.0] {
        let now = SimTime::from_secs(secs).unwrap();
        let _ = stage.world.advance(now, &OpenField);
        let drawn = stage.world.drawn(DRUDGE, now).unwrap();
        assert!(home(&drawn).is_finite());
    }
}

#[test]
fn a_body_put_elsewhere_is_drawn_there_at_once() {
    let mut rig = Rig::new(Config::GLIDE);
    let _ = rig.runs(1.0);
    rig.drive(1.0);
    let now = rig.time();
    rig.world.set_place(now, evenstride_testkit::WHO, at(120.0, 120.0), &OpenField).unwrap();
    let track = rig.drive(0.2);
    assert!(track.iter().all(|drawn| drawn.distance(Vec3::new(120.0, 120.0, 10.0)) < 1.5), "{track:?}");
}

#[test]
fn positions_that_cease_stop_an_entity_for_good() {
    // Positions are all that is known, and nothing else arrives.
    let mut rig = Rig::new(Config::GLIDE);
    rig.fps = FPS;
    for step in 0..20u16 {
        let _ = rig.hears(90.0, 90.0 + 0.8 * f32::from(step));
        rig.drive(0.2);
    }
    rig.drive(1.0);
    let stopped = rig.drawn();
    let track = rig.drive(6.0);
    assert!(track.iter().all(|drawn| drawn.distance(stopped) < 1.0), "{stopped} {:?}", track.last());
}

#[test]
fn a_runner_no_longer_heard_of_stays_near_its_body() {
    let mut rig = Rig::new(Config::GLIDE);
    rig.fps = FPS;
    let _ = rig.hears(90.0, 90.0);
    let _ = rig.runs(1.5);
    for _ in 0..60 {
        rig.drive(1.0);
        assert!(rig.drawn().distance(rig.at()) < 15.0, "{} {}", rig.drawn(), rig.at());
    }
}

#[test]
fn a_jump_is_not_drawn_below_the_ground_on_which_it_lands() {
    let mut rig = Rig::new(Config::GLIDE);
    rig.fps = FPS;
    let _ = rig.gets_velocity(Vec3::new(0.0, 0.0, 6.0));
    let track = rig.drive(4.0);
    assert!(track.iter().any(|drawn| drawn.z > 11.0));
    assert!(track.iter().all(|drawn| drawn.z > 10.0 - 0.05), "{track:?}");
    assert!((track.last().unwrap().z - 10.0).abs() < 0.01);
}

/// A pose that positions alone moved rests a few millimetres away from its body. A body that is asleep is
/// drawn where it is.
#[test]
fn a_pose_that_goes_to_its_sleeping_body_is_on_the_list_of_what_changed() {
    let mut stage = Stage::new(Config::GLIDE);
    let mut actor = Actor::new(1);
    let _ = stage.says(&actor.created(82.299, 84.823));
    stage.drive(1.0);
    let _ = stage.says(&actor.position(59.525, 49.451));
    stage.drive(0.3);
    let _ = stage.says(&actor.position(59.525, 49.451));
    stage.drive(20.0);
    stage.world.set_viewpoint(Some(evenstride_testkit::place(0xC9B4_0001, Vec3::new(90.0, 90.0, 10.0))));
    stage.drive(0.1);
    stage.world.forget_changed();
    let before = stage.world.drawn(actor.id, stage.time());
    let mut pack = actor.position_pack(&at(145.0, 59.0));
    pack.has_contact = false;
    let _ = stage.says(&Update::Position(PositionUpdate { entity: actor.id, pack }));
    stage.drive(0.1);
    assert_ne!(stage.world.drawn(actor.id, stage.time()), before);
    assert_eq!(stage.world.changed().count(), 1);
}
