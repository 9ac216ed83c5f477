//! Tests of sequences with precomputed results and split times, and of the speeds of the built-in
//! tables.

use alloc::{vec, vec::Vec};

use evenstride_types::{
    Pose, Rotation, Vec3,
    update::{HoldKey, MotionCommand},
};

use crate::{
    config::RootMotionMode,
    motion::{
        Animation, BUILT_IN_CREATURE, BUILT_IN_HUMANOID, Clip, InterpretedMotion, MotionAxis, MotionLibrary,
        follow::follow_speed,
        interpreter::{BodyFacts, Effects, GameFacts, Interpreter, MotionDriver, PartSupport, max_speed},
        items::Item,
        playing::{MotionPlayer, Shared},
        route::chase_speed,
        sequence::{Node, Passed, Sequence},
    },
    storage::pool::Pool,
};

/// A sequence that is played, with everything it needs.
struct Reel {
    library: MotionLibrary,
    nodes: Pool<Node>,
    sequence: Sequence,
}

/// The effect of one update. The fields are movement along y, frame, keyframes left forward and
/// backward, and number of ended animations.
type Update = (f32, f64, Vec<i32>, Vec<i32>, u32);

impl Reel {
    /// Creates a library of four animations. The keyframes of the first move by 1, 10, 100 and 1000
    /// along y. The second has four keyframes without movement, and the third has one. The fourth
    /// moves by 5, then by 7.
    fn new() -> Self {
        let mut library = MotionLibrary::default();
        let along = |way: &[f32]| -> Vec<Pose> {
            way.iter().map(|y| Pose::new(Vec3::new(0.0, *y, 0.0), Rotation::IDENTITY).unwrap()).collect()
        };
        library.add_animation(1, Animation::new(4, along(&[1.0, 10.0, 100.0, 1000.0])).unwrap());
        library.add_animation(2, Animation::new(4, Vec::new()).unwrap());
        library.add_animation(3, Animation::new(1, Vec::new()).unwrap());
        library.add_animation(4, Animation::new(2, along(&[5.0, 7.0])).unwrap());
        Self { library, nodes: Pool::new(), sequence: Sequence::default() }
    }

    fn with(mut self, animation: u32, rate: f32) -> Self {
        let clip = Clip { animation, low: 0, high: -1, rate };
        self.sequence.append(&mut self.nodes, &self.library, &clip, 1.0);
        self
    }

    fn drifting(mut self, y: f32) -> Self {
        self.sequence.velocity = Vec3::new(0.0, y, 0.0);
        self
    }

    fn update(&mut self, secs: f32) -> Update {
        let (mut way, mut forward, mut backward, mut ended) = (Pose::IDENTITY, Vec::new(), Vec::new(), 0);
        self.sequence.play(&mut self.nodes, &self.library, secs, &mut way, &mut |passed| match passed {
            Passed::Keyframe { frame, is_forward: true, .. } => forward.push(frame),
            Passed::Keyframe { frame, is_forward: false, .. } => backward.push(frame),
            Passed::Animation => ended += 1,
        });
        (way.origin().y, self.sequence.frame, forward, backward, ended)
    }

    fn ways(&mut self, secs: f32, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.update(secs).0).collect()
    }
}

#[test]
fn a_forward_round_leaves_its_first_keyframe_twice_and_its_last_never() {
    let mut reel = Reel::new().with(1, 8.0);
    let updates: Vec<Update> = (0..5).map(|_| reel.update(0.125)).collect();
    let ways: Vec<f32> = updates.iter().map(|update| update.0).collect();
    assert_eq!(ways, [1.0, 10.0, 100.0, 1.0, 1.0]);
    let frames: Vec<f64> = updates.iter().map(|update| update.1).collect();
    assert_eq!(frames, [1.0, 2.0, 3.0, 0.0, 1.0]);
    let hooks: Vec<Vec<i32>> = updates.into_iter().map(|update| update.2).collect();
    assert_eq!(hooks, [vec![0], vec![1], vec![2], vec![], vec![0]]);
}

/// A short step takes the result of `stride`, and a general step plays the sequence.
#[test]
fn an_ordinary_step_leads_where_playing_leads() {
    let reels = [
        Reel::new().with(1, 8.0),
        Reel::new().with(4, 31.0),
        Reel::new().with(2, 8.0).drifting(2.0),
        Reel::new().with(1, 12.5).drifting(-0.3),
        Reel::new().drifting(1.5),
    ];
    for (number, mut reel) in reels.into_iter().enumerate() {
        let mut ordinary = 0;
        for step in 0..400u16 {
            let secs = 1.0 / 30.0 + f32::from(step % 7) * 0.004;
            let stride = reel.sequence.stride(&reel.nodes, &reel.library, secs, RootMotionMode::PerKeyframe);
            let (way, frame, ..) = reel.update(secs);
            if let Some((to, offset)) = stride {
                ordinary += 1;
                assert_eq!((to.to_bits(), offset.origin().y.to_bits()), (frame.to_bits(), way.to_bits()));
            }
        }
        assert!(ordinary > 300, "reel {number}: {ordinary}");
    }
}

/// In continuous mode, playing rounds the turn of a sequence without animations once more.
#[test]
fn a_turn_without_animations_is_not_ordinary() {
    let mut reel = Reel::new();
    reel.sequence.omega = Vec3::new(0.0, 0.0, 9.36);
    let stride = reel.sequence.stride(&reel.nodes, &reel.library, 0.04, RootMotionMode::Continuous);
    assert_eq!(stride, None);
}

#[test]
fn between_two_keyframes_nothing_moves() {
    let mut reel = Reel::new().with(1, 8.0);
    assert_eq!(reel.ways(0.0625, 9), [0.0, 1.0, 0.0, 10.0, 0.0, 100.0, 0.0, 1.0, 0.0]);
    let mut reel = Reel::new().with(2, 8.0).drifting(2.0);
    assert_eq!(reel.ways(0.0625, 4), [0.0, 0.25, 0.0, 0.25]);
    let mut reel = Reel::new().with(3, 8.0).drifting(3.0);
    assert_eq!(reel.ways(0.0625, 4), [0.0, 0.375, 0.0, 0.375]);
}

#[test]
fn several_rounds_fit_into_one_update() {
    let mut reel = Reel::new().with(1, 8.0);
    let updates: Vec<Update> = (0..3).map(|_| reel.update(0.75)).collect();
    assert_eq!(
        updates.iter().map(|update| (update.0, update.1)).collect::<Vec<_>>(),
        [(123.0, 2.0), (213.0, 0.0), (123.0, 2.0)]
    );
    assert_eq!(updates[0].2, [0, 1, 2, 0, 1]);
    assert_eq!(updates[1].2, [2, 0, 1, 2]);
}

#[test]
fn a_backward_round_leaves_each_keyframe_once() {
    let mut reel = Reel::new().with(1, -8.0);
    let updates: Vec<Update> = (0..5).map(|_| reel.update(0.125)).collect();
    assert_eq!(
        updates.iter().map(|update| update.0).collect::<Vec<_>>(),
        [-1000.0, -100.0, -10.0, -1.0, -1000.0]
    );
    for (update, frame) in updates.iter().zip([2.9998, 1.9998, 0.9998, 3.9996, 2.9996]) {
        assert!((update.1 - frame).abs() < 1e-6, "{update:?}");
    }
    assert_eq!(
        updates.iter().map(|update| update.3.clone()).collect::<Vec<_>>(),
        [vec![3], vec![2], vec![1], vec![], vec![3]]
    );
    let mut reel = Reel::new().with(2, -8.0).drifting(-2.0);
    assert_eq!(reel.ways(0.125, 3), [-0.25, -0.25, -0.25]);
}

#[test]
fn what_leads_to_a_round_ends_once_and_is_forgotten() {
    let mut reel = Reel::new().with(4, 8.0).with(1, 8.0);
    let updates: Vec<Update> = (0..7).map(|_| reel.update(0.125)).collect();
    assert_eq!(
        updates.iter().map(|update| update.0).collect::<Vec<_>>(),
        [5.0, 1.0, 1.0, 10.0, 100.0, 1.0, 1.0]
    );
    assert_eq!(updates.iter().map(|update| update.4).collect::<Vec<_>>(), [0, 1, 0, 0, 0, 0, 0]);
    assert_eq!(reel.sequence.len(), 1);
    // In one long update the links are still in front of the cycle, so every end counts.
    let mut reel = Reel::new().with(4, 8.0).with(1, 8.0);
    let (first, second) = (reel.update(1.0), reel.update(1.0));
    assert_eq!(((first.0, first.4), (second.0, second.4)), ((129.0, 2), (224.0, 0)));
}

#[test]
fn time_that_runs_backwards_goes_back_through_every_animation() {
    // A whole round is four keyframes of 1, 10, 100 and 1000.
    let mut reel = Reel::new().with(1, 8.0);
    assert_eq!(reel.update(0.125).0, 1.0);
    // Going back from keyframe 1 to keyframe 0 subtracts the root motion of keyframe 1.
    let back = reel.update(-0.125);
    assert_eq!((back.0, back.1, back.3), (-10.0, 0.0, vec![1]));
    // Going back past the beginning subtracts the root motion there, and the round continues at its
    // end.
    let over = reel.update(-0.125);
    assert_eq!((over.0, over.3.as_slice()), (-1001.0, [3].as_slice()));
    assert!((over.1 - 2.9998).abs() < 1e-6, "{over:?}");
    // Velocity is undone exactly, whichever way the animation runs.
    for rate in [8.0, -8.0] {
        let mut reel = Reel::new().with(2, rate).drifting(2.0);
        let there: f32 = reel.ways(0.125, 16).iter().sum();
        let back: f32 = reel.ways(-0.125, 16).iter().sum();
        assert!(there > 3.0 && (there + back).abs() < 0.26, "{rate}: {there} {back}");
    }
    // The same holds without animations.
    let mut reel = Reel::new().drifting(2.0);
    assert_eq!(reel.ways(-0.5, 1), [-1.0]);
}

#[test]
fn however_time_is_cut_the_way_differs_by_a_keyframe_at_most() {
    for rate in [30.0f32, 47.3, 12.5, -30.0] {
        for cuts in [1usize, 3, 7, 50, 333] {
            let whole = {
                let mut reel = Reel::new().with(2, rate).drifting(4.0 * rate.signum());
                reel.update(2.0).0
            };
            let mut reel = Reel::new().with(2, rate).drifting(4.0 * rate.signum());
            let cut: f32 = reel.ways(2.0 / cuts as f32, cuts).iter().sum();
            assert!((whole - cut).abs() <= 4.0 / rate.abs() + 1e-3, "{rate} in {cuts}: {whole} {cut}");
        }
    }
}

#[test]
fn rubbish_is_played_without_harm() {
    for rate in [0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e-30] {
        for secs in [0.0, 0.033, 2.0, -1.0, f32::NAN] {
            let mut reel = Reel::new().with(1, rate).with(4, -rate).drifting(f32::MAX);
            for _ in 0..20 {
                assert!(reel.update(secs).0.is_finite(), "{rate} {secs}");
            }
        }
    }
}

/// A player of a built-in table, and the place that it has reached.
struct Walker {
    library: MotionLibrary,
    number: u32,
    nodes: Pool<Node>,
    items: Pool<Item>,
    playing: MotionPlayer,
    place: Pose,
}

impl Walker {
    fn new(number: u32) -> Self {
        let (nodes, items) = (Pool::new(), Pool::new());
        let mut walker = Self {
            library: MotionLibrary::built_in(),
            number,
            nodes,
            items,
            playing: MotionPlayer::default(),
            place: Pose::IDENTITY,
        };
        walker.with(|playing, shared| playing.initialize(shared));
        walker
    }

    fn with<T>(&mut self, run: impl FnOnce(&mut MotionPlayer, &mut Shared<'_>) -> T) -> T {
        let Self { library, number, nodes, items, playing, .. } = self;
        let table = library.table(*number).unwrap();
        run(playing, &mut Shared { library, table, nodes, items })
    }

    fn begins(&mut self, motion: MotionCommand, speed: f32) {
        self.with(|playing, shared| playing.begin(shared, motion, speed)).unwrap();
    }

    /// Plays on in steps of 1/30 s.
    fn goes_on(&mut self, steps: u32) {
        for _ in 0..steps {
            let mut way = Pose::IDENTITY;
            let sequence = &mut self.playing.sequence;
            sequence.play(&mut self.nodes, &self.library, 1.0 / 30.0, &mut way, &mut |_| {});
            self.place = self.place.combine(&way);
        }
    }
}

#[test]
fn built_in_legs_go_at_the_clients_speeds() {
    for number in [BUILT_IN_HUMANOID, BUILT_IN_CREATURE] {
        for (motion, speed, velocity) in [
            (MotionCommand::WALK_FORWARD, 1.0, Vec3::new(0.0, 3.12, 0.0)),
            (MotionCommand::WALK_FORWARD, -0.65, Vec3::new(0.0, -3.12 * 0.65, 0.0)),
            (MotionCommand::RUN_FORWARD, 1.0, Vec3::new(0.0, 4.0, 0.0)),
            (MotionCommand::RUN_FORWARD, 2.375, Vec3::new(0.0, 9.5, 0.0)),
            (MotionCommand::SIDESTEP_RIGHT, 1.248, Vec3::new(1.56, 0.0, 0.0)),
        ] {
            let mut walker = Walker::new(number);
            walker.begins(motion, speed);
            // Two seconds pass the links, then ten seconds are measured.
            walker.goes_on(60);
            let before = walker.place.origin();
            walker.goes_on(300);
            let gone = (walker.place.origin() - before) / 10.0;
            assert!(
                (gone - velocity).length_squared() < 0.02 * 0.02,
                "{number:08X} {motion:?} {speed}: {gone}"
            );
        }
        let mut walker = Walker::new(number);
        walker.begins(MotionCommand::TURN_RIGHT, 1.5);
        walker.goes_on(20);
        let turned = walker.place.heading().degrees();
        assert!((turned - 90.0).abs() < 5.0, "{turned}");
        assert!(walker.place.origin().length_squared() < 1e-6);
    }
}

#[test]
fn straight_legs_of_a_run_are_whole_multiples_of_a_keyframe() {
    let mut walker = Walker::new(BUILT_IN_HUMANOID);
    walker.begins(MotionCommand::RUN_FORWARD, 1.0);
    walker.goes_on(30);
    let before = walker.place.origin().y;
    for steps in 1..40 {
        walker.goes_on(1);
        let frames = (walker.place.origin().y - before) / (4.0 / 30.0);
        assert!((frames - libm::roundf(frames)).abs() < 1e-3, "{steps}: {frames}");
    }
}

#[test]
fn turning_while_running_comes_on_top_and_stays_when_the_running_ends() {
    let mut walker = Walker::new(BUILT_IN_HUMANOID);
    walker.begins(MotionCommand::RUN_FORWARD, 1.0);
    walker.begins(MotionCommand::TURN_RIGHT, 1.0);
    assert_eq!(walker.playing.posture.substate, MotionCommand::RUN_FORWARD);
    walker.goes_on(60);
    assert!(walker.place.origin().length_squared() > 4.0);
    walker.with(|playing, shared| playing.end(shared, MotionCommand::RUN_FORWARD)).unwrap();
    assert_eq!(
        walker.playing.posture.substate,
        MotionCommand::TURN_RIGHT,
        "the modifier is a motion of its own now"
    );
    walker.with(MotionPlayer::end_all);
    assert_eq!(walker.playing.posture.substate, MotionCommand::READY);
}

#[test]
fn everything_played_and_ended_gives_back_what_it_took() {
    let mut walker = Walker::new(BUILT_IN_HUMANOID);
    for round in 0..200u32 {
        let motion = [
            MotionCommand::RUN_FORWARD,
            MotionCommand::READY,
            MotionCommand::TURN_RIGHT,
            MotionCommand(0x1000_0062),
            MotionCommand(0x8000_003C),
            MotionCommand(0x8000_003D),
        ][round as usize % 6];
        walker.begins(motion, 1.0);
        walker.goes_on(round % 5);
    }
    assert!(walker.nodes.len() < 300 && walker.items.len() < 600);
    let Walker { nodes, items, playing, .. } = &mut walker;
    playing.release(nodes, items);
    assert_eq!((nodes.len(), items.len()), (0, 0));
}

#[test]
fn a_cycle_without_animations_makes_nobody_wait_for_ever() {
    // Zero animations minus one wraps to about four billion, which are too many to count.
    let mut walker = Walker::new(BUILT_IN_HUMANOID);
    let mut table = super::MotionTable::new(MotionCommand::NON_COMBAT);
    table.set_style_default(MotionCommand::NON_COMBAT, MotionCommand::READY);
    let key = |motion| super::MotionTable::key(MotionCommand::NON_COMBAT, motion);
    table.set_cycle(key(MotionCommand::READY), super::Motion::default());
    table.set_cycle(key(MotionCommand::WALK_FORWARD), super::Motion::default());
    walker.library.add_table(BUILT_IN_HUMANOID, table);
    walker.with(|playing, shared| playing.initialize(shared));
    walker.begins(MotionCommand::WALK_FORWARD, 1.0);
    walker.goes_on(3);
    let Walker { nodes, items, playing, .. } = &mut walker;
    let mut done = 0;
    playing.skip_to_cycle(nodes, items, &mut |_, _| done += 1);
    assert!(done >= 2 && playing.pending.is_empty());
}

#[test]
fn what_is_played_forward_and_back_again_returns_as_the_rules_say() {
    // Forward, the first keyframe counts twice in a round and the last never. Backward, each counts
    // once.
    let mut forward = Reel::new().with(1, 8.0);
    let mut backward = Reel::new().with(1, -8.0);
    let there: f32 = forward.ways(0.125, 4).iter().sum();
    let back: f32 = backward.ways(0.125, 4).iter().sum();
    assert_eq!((there, back), (112.0, -1111.0));
    // Velocity goes as far back as it went ahead.
    let mut forward = Reel::new().with(2, 8.0).drifting(2.0);
    let mut backward = Reel::new().with(2, -8.0).drifting(-2.0);
    let sum = forward.ways(0.125, 40).iter().sum::<f32>() + backward.ways(0.125, 40).iter().sum::<f32>();
    assert!(sum.abs() < 0.26, "{sum}");
}

/// Calls `ask` with the interpreter of a local player that has this run rate and motion.
fn asked<T>(
    run_rate: f32,
    mut motion: InterpretedMotion,
    ask: impl FnOnce(&mut MotionDriver<'_, ()>) -> T,
) -> T {
    let game = GameFacts {
        is_creature: true,
        is_player: true,
        run_rate: Some(run_rate),
        can_jump: true,
        jump_rise: None,
        has_stamina: true,
    };
    let facts = BodyFacts {
        parts: PartSupport::Moved,
        contact: true,
        walkable: true,
        has_gravity: true,
        has_cell: true,
        game: Some(game),
        last_was_autonomous: false,
        is_constrained: false,
        rotation: Rotation::IDENTITY,
        velocity: Vec3::ZERO,
    };
    ask(&mut MotionDriver {
        motion: &mut motion,
        interpreter: &mut Interpreter::default(),
        playing: &mut MotionPlayer::default(),
        facts,
        effects: Effects::default(),
        library: &MotionLibrary::default(),
        table: None,
        nodes: &mut Pool::new(),
        items: &mut Pool::new(),
        journal: &mut (),
    })
}

#[test]
fn back_is_forward_left_is_right_and_running_is_faster() {
    let run = HoldKey::RUN;
    for (rate, (motion, hold_key), expected) in [
        (2.0, (MotionCommand::WALK_FORWARD, run), (MotionCommand::RUN_FORWARD, 2.0)),
        (2.0, (MotionCommand::WALK_BACKWARDS, run), (MotionCommand::WALK_FORWARD, -1.3)),
        (2.0, (MotionCommand::SIDESTEP_LEFT, run), (MotionCommand::SIDESTEP_RIGHT, -2.496)),
        (3.0, (MotionCommand::SIDESTEP_LEFT, run), (MotionCommand::SIDESTEP_RIGHT, -3.0)),
        (2.0, (MotionCommand::TURN_LEFT, run), (MotionCommand::TURN_RIGHT, -1.5)),
        (2.0, (MotionCommand::WALK_BACKWARDS, HoldKey::NONE), (MotionCommand::WALK_FORWARD, -0.65)),
    ] {
        let adjusted =
            asked(rate, InterpretedMotion::STANDING, |driver| driver.adjust(motion, 1.0, hold_key));
        assert!(
            adjusted.0 == expected.0 && (adjusted.1 - expected.1).abs() < 1e-5,
            "{motion:?}: {adjusted:?}"
        );
    }
}

#[test]
fn the_velocity_of_a_state_is_capped_by_the_run_rate() {
    for (forward, expected) in [
        (MotionCommand::WALK_FORWARD, Vec3::new(1.56, 3.12, 0.0)),
        (MotionCommand::RUN_FORWARD, Vec3::new(1.4534, 3.7266, 0.0)),
    ] {
        let motion = InterpretedMotion {
            forward: MotionAxis::new(forward, 1.0),
            sidestep: MotionAxis::new(MotionCommand::SIDESTEP_RIGHT, 1.248),
            ..InterpretedMotion::STANDING
        };
        let velocity = asked(1.0, motion, |driver| driver.leave_ground_velocity().unwrap());
        assert!((velocity - expected).length_squared() < 1e-8, "{forward:?}: {velocity}");
    }
}

#[test]
fn a_negative_run_rate_yields_no_nan() {
    assert_eq!(InterpretedMotion::STANDING.state_velocity(-1.0), Vec3::ZERO);
}

#[test]
fn a_running_body_goes_by_its_present_speed_and_any_other_by_its_run_rate() {
    let running = InterpretedMotion {
        forward: MotionAxis::new(MotionCommand::RUN_FORWARD, 1.5),
        ..InterpretedMotion::STANDING
    };
    assert_eq!(running.adjusted_max_speed(2.5), 6.0);
    assert_eq!(InterpretedMotion::STANDING.adjusted_max_speed(2.5), 10.0);
}

#[test]
fn a_body_that_cannot_run_is_moved_at_the_fallback_speeds() {
    let cannot_run = InterpretedMotion::STANDING.adjusted_max_speed(0.0);
    assert_eq!((chase_speed(cannot_run), follow_speed(max_speed(0.0))), (7.5, 15.0));
}

#[test]
fn a_run_sets_the_run_rate_and_a_walk_keeps_it() {
    let rate = asked(1.0, InterpretedMotion::STANDING, |driver| {
        driver.interpreter.is_ready = true;
        for (command, speed) in [(MotionCommand::RUN_FORWARD, 2.5), (MotionCommand::WALK_FORWARD, 1.0)] {
            let state =
                InterpretedMotion { forward: MotionAxis::new(command, speed), ..InterpretedMotion::STANDING };
            driver.on_state(&state, core::iter::empty());
        }
        driver.motion.run_rate
    });
    assert_eq!(rate, 2.5);
}
