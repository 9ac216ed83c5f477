//! 200 creatures chase 20 others that wander about, for five minutes: orders now and then, positions five times a second, and a fifth of
//! those lost.

use evenstride::{
    Config, FlatGround,
    types::{
        EntityId, Heading, Rotation, Vec3,
        update::{MoveToFlags, MoveToParams, SparseQuaternion, Update},
    },
};

use evenstride_testkit::{Actor, Stage};

const WANDERERS: usize = 20;
const CHASERS: usize = 200;
const SECS: f64 = 300.0;
const TICK: f64 = 1.0 / 30.0;

/// How far a body may be from where the server has it, in metres, ever: two seconds of a charge at 5.2 m/s. The server turns its creatures at
/// once; a body that was sent back the way it came turns at 90° a second before it runs.
const BOUND: f32 = 10.4;

/// One creature as the server has it.
struct Truth {
    actor: Actor,
    at: Vec3,
    goal: Goal,
    /// When it is told to do something else.
    until: f64,
    arrived: Option<f64>,
    /// Where the server last said it is.
    said: Vec3,
}

impl Truth {
    /// Goes straight on, and stands when it has arrived. Its pursuer follows for a second more.
    fn go(&mut self, goal: Vec3, now: f64, wanders: bool) {
        let (speed, near) = if wanders { (3.12, 1.1) } else { (5.2, 1.6) };
        let left = self.at.distance(goal) - near;
        if self.arrived.is_none() && left <= 0.0 {
            self.arrived = Some(now);
        }
        if self.arrived.is_none() || (!wanders && self.follows(now)) {
            let way = (goal - self.at).normalize_or_zero();
            self.at += way * (speed * TICK as f32).min(left.max(0.0));
        }
    }

    fn follows(&self, now: f64) -> bool {
        matches!(self.goal, Goal::Chase(_)) && self.arrived.is_some_and(|arrived| now - arrived < 1.0)
    }
}

enum Goal {
    Place(Vec3),
    Chase(usize),
}

/// Numbers that are always the same.
struct Dice(u64);

impl Dice {
    /// From 0 to 1.
    fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / 16_777_216.0
    }
}

struct Outcome {
    fingerprint: u64,
    worst: f32,
    /// How far off bodies were, every half second.
    off: Vec<f32>,
}

fn id(who: usize) -> EntityId {
    EntityId::new(0x8000_0001 + who as u32)
}

fn chase(config: Config) -> Outcome {
    let mut dice = Dice(7);
    let mut stage = Stage::in_surroundings(config, FlatGround { z: 10.0 });
    let mut truths: Vec<Truth> = (0..WANDERERS + CHASERS)
        .map(|who| Truth {
            actor: Actor::new(id(who).raw()),
            at: Vec3::new(50.0 + 92.0 * dice.roll(), 50.0 + 92.0 * dice.roll(), 10.0),
            goal: Goal::Place(Vec3::ZERO),
            until: 0.0,
            arrived: None,
            said: Vec3::ZERO,
        })
        .collect();
    for truth in &truths {
        let _ = stage.says(&truth.actor.created(truth.at.x, truth.at.y));
    }
    let (mut worst, mut off, mut tick) = (0.0f32, Vec::new(), 0u32);
    while stage.now < SECS {
        tick += 1;
        stage.now = f64::from(tick) * TICK;
        let _ = stage.world.advance(stage.time(), &stage.surroundings);
        for who in 0..truths.len() {
            if stage.now >= truths[who].until {
                give_order(&mut stage, &mut truths[who], who, &mut dice);
            }
            let goal = match truths[who].goal {
                Goal::Place(place) => place,
                Goal::Chase(whom) => truths[whom].at,
            };
            let truth = &mut truths[who];
            let was_under_way = truth.arrived.is_none();
            truth.go(goal, stage.now, who < WANDERERS);
            if was_under_way && truth.arrived.is_some() {
                // Arrived: it stands, or strikes and stays close.
                let update = match truth.goal {
                    Goal::Place(_) => truth.actor.stands(),
                    Goal::Chase(whom) => truth.actor.follows(id(whom)),
                };
                let _ = stage.says(&update);
            }
            // Each one's turn comes every six ticks. Who stands, or follows for its second, is silent, as on real servers.
            let is_heard = truth.at.distance(truth.said) > 0.01 && !truth.follows(stage.now);
            if (tick as usize + who).is_multiple_of(6) && is_heard && dice.roll() > 0.2 {
                truth.said = truth.at;
                let mut update = truth.actor.position(truth.at.x, truth.at.y);
                if let (Update::Position(position), Some(heading)) =
                    (&mut update, Heading::of_direction(goal - truth.at))
                {
                    position.pack.rotation = SparseQuaternion::packed(Rotation::facing(heading).to_wxyz());
                }
                let _ = stage.says(&update);
            }
        }
        for truth in &truths {
            let place = stage.body(truth.actor.id).place.unwrap();
            assert!(place.pose.is_in_bounds(), "{place}");
            let drawn = stage.drawn(truth.actor.id).unwrap();
            assert!(drawn.is_finite());
            let apart = drawn.distance(truth.at);
            worst = worst.max(apart);
            if tick.is_multiple_of(15) {
                off.push(apart);
            }
        }
    }
    off.sort_by(f32::total_cmp);
    Outcome { fingerprint: stage.world.state_hash(), worst, off }
}

fn give_order(stage: &mut Stage<FlatGround>, truth: &mut Truth, who: usize, dice: &mut Dice) {
    truth.arrived = None;
    truth.until = stage.now + 3.0 + 4.0 * f64::from(dice.roll());
    let order = if who < WANDERERS {
        let place = Vec3::new(40.0 + 112.0 * dice.roll(), 40.0 + 112.0 * dice.roll(), 10.0);
        truth.goal = Goal::Place(place);
        let walks =
            MoveToParams { flags: MoveToFlags::from_bits_retain(0x1_EE0D), ..MoveToParams::default() };
        truth.actor.sent_to_place(place.x, place.y, walks)
    } else {
        let whom = (dice.roll() * WANDERERS as f32) as usize % WANDERERS;
        truth.goal = Goal::Chase(whom);
        // They charge, at 1.3 times the speed of the slowest runner.
        let charges = MoveToParams {
            flags: MoveToFlags::from_bits_retain(0x1_EE1F),
            speed: 1.3,
            ..MoveToParams::default()
        };
        truth.actor.sent_to(id(whom), charges)
    };
    // No order is lost for good, because the protocol sends it again.
    let _ = stage.says(&order);
}

#[test]
fn two_hundred_chasers_stay_within_the_stated_bound_and_do_the_same_twice() {
    for (name, config) in Config::PROFILES {
        let first = chase(config);
        let part = |part: usize| first.off[first.off.len() * part / 100];
        println!("{name}: median {:.3} m, p95 {:.3} m, most {:.2} m", part(50), part(95), first.worst);
        assert!(first.worst < BOUND, "{name}: {} m", first.worst);
        assert!(part(50) < 1.0 && part(95) < 3.0, "{name}: median {}, p95 {}", part(50), part(95));
    }
    assert_eq!(chase(Config::SMOOTH).fingerprint, chase(Config::SMOOTH).fingerprint);
}
