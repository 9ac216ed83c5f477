//! The plain world under test, and everything that may happen to it.

use std::sync::Arc;

use evenstride::{
    Advanced, BodySetup, Config,
    animation::MotionLibrary,
    generic::{
        Axes, Order, PlainConfig, PlainDrawn, PlainLimits, PlainPose, PlainUpdate, PlainWorld, SenderClock,
    },
};
use evenstride_types::{EntityId, SimTime};

use crate::{
    coverage::Coverage,
    draw::Draw,
    ground::Ground,
    play::{Host, Subject},
    world::{Remembered, check},
};

/// Something that may happen to a plain world.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "each variant is a call of `PlainWorld`, with its arguments")]
pub enum PlainOp {
    Update(u64, PlainUpdate),
    Flood { entity: u64, update: PlainUpdate, count: u16 },
    Throw(u64, [f32; 3]),
    Remove(u64),
    InsertInside(EntityId, Box<BodySetup>),
    RemoveInside(EntityId),
    View(Option<[f64; 3]>),
    Trace(u64),
    Stand(Box<Ground>),
    Frames { secs: f64, fps: f64 },
    LeapTo { secs: f64 },
    Library(Arc<MotionLibrary>),
    Limit(u64, PlainLimits),
    Look,
}

impl PlainOp {
    /// Names of all operations, for the record of what a run has covered.
    pub const NAMES: [&'static str; 14] = [
        "update",
        "flood",
        "throw",
        "remove",
        "insert inside",
        "remove inside",
        "set_viewpoint",
        "trace",
        "surroundings",
        "frames",
        "leap in time",
        "set_library",
        "poll",
        "set_limits",
    ];

    /// Draws an operation. `most_secs` bounds the time that passes in frames.
    pub fn draw(draw: &mut Draw<'_>, most_secs: f64) -> Self {
        match draw.below(35) {
            0..=13 => Self::Update(draw.plain_entity(), draw.plain_update()),
            14 => Self::Flood {
                entity: draw.plain_entity(),
                update: draw.plain_update(),
                count: draw.below(60) as u16,
            },
            15 | 16 => Self::Throw(draw.plain_entity(), draw.plain_velocity()),
            17 => Self::Remove(draw.plain_entity()),
            18 => Self::InsertInside(draw.entity(), Box::new(draw.body_setup())),
            19 => Self::RemoveInside(draw.entity()),
            20 => Self::View(draw.sometimes(2, |draw| draw.plain_pose().position)),
            21 => Self::Trace(draw.plain_entity()),
            22 => Self::Stand(Box::new(Ground::draw(draw))),
            23..=30 => Self::Frames {
                secs: draw.between(0.0, most_secs),
                fps: draw.pick(&[60.0, 60.0, 144.0, 30.0, 20.0, 1_000.0]),
            },
            31 => Self::LeapTo { secs: draw.pick(&[0.0, 1e12, -1e12, 1e12 - 30.0, 1e6]) },
            32 => Self::Library(Arc::new(draw.library())),
            33 => Self::Limit(draw.plain_entity(), draw.plain_limits()),
            _ => Self::Look,
        }
    }
}

impl Draw<'_> {
    /// Returns settings of a plain world.
    pub fn plain_config(&mut self) -> PlainConfig {
        let motion = if self.one_in(2) { self.config() } else { Config::GLIDE };
        let all = [
            Axes::ZUpYForward,
            Axes::YUpMinusZForward,
            Axes::YUpZForward,
            Axes::ZUpXForward,
            Axes::XRightYDown,
            Axes::ZUpXForwardYLeft,
        ];
        let axes = self.pick(&all);
        let units = if self.one_in(3) { self.wide_number(0.01, 100.0) } else { 1.0 };
        let coasting = if self.one_in(3) { self.wide_number(0.0, 10.0) } else { 3.0 };
        let clock = self.pick(&[SenderClock::OrderOnly, SenderClock::Own, SenderClock::Shared]);
        let lead = if self.one_in(3) { self.wide_number(-1.0, 20.0) } else { 0.25 };
        let limits = if self.one_in(3) { self.plain_limits() } else { PlainLimits::NONE };
        PlainConfig::default().with(|config| {
            (config.motion, config.axes) = (motion, axes);
            (config.units_per_metre, config.max_coast_secs) = (units, coasting);
            (config.sender_clock, config.max_lead_secs, config.limits) = (clock, lead, limits);
        })
    }

    fn plain_limits(&mut self) -> PlainLimits {
        let mut limit = |most: f64| {
            if self.one_in(3) { f32::INFINITY } else { self.wide_number(-0.1 * most, most) as f32 }
        };
        let (speed, turn, snap) = (limit(20.0), limit(400.0), limit(50.0));
        PlainLimits::NONE.top_speed(speed).turn_rate_deg(turn).snap_distance(snap)
    }

    fn plain_entity(&mut self) -> u64 {
        if self.is_wild() { self.bits() } else { u64::from(self.entity().raw()) }
    }

    fn plain_velocity(&mut self) -> [f32; 3] {
        let most = if self.one_in(8) { 5_000.0 } else { 8.0 };
        let velocity = self.vector(most);
        if self.one_in(2) { [velocity.x, velocity.y, 0.0] } else { velocity.to_array() }
    }

    fn plain_pose(&mut self) -> PlainPose {
        let [w, x, y, z] = self.quaternion();
        let position =
            [self.wide_number(-60.0, 60.0), self.wide_number(-60.0, 60.0), self.wide_number(-1.0, 6.0)];
        PlainPose { position, rotation: [x, y, z, w] }
    }

    fn plain_update(&mut self) -> PlainUpdate {
        let order = match self.below(4) {
            0 | 1 => Order::Arrival,
            2 => Order::Sequence(self.below(20) as u64),
            _ => Order::Time(SimTime::from_secs(self.wide_number(0.0, 100.0)).unwrap_or(SimTime::ZERO)),
        };
        PlainUpdate {
            pose: self.plain_pose(),
            velocity: if self.one_in(3) { None } else { Some(self.plain_velocity()) },
            order,
            teleports: self.one_in(12),
        }
    }
}

impl Subject for PlainWorld {
    type Op = PlainOp;
    type Config = PlainConfig;

    fn new(config: &PlainConfig, library: &Arc<MotionLibrary>) -> Self {
        let mut world = Self::new(*config, SimTime::ZERO);
        world.motion_mut().set_library(Arc::clone(library));
        world
    }

    fn apply(&mut self, op: &PlainOp, host: &mut Host) -> String {
        let now = host.time();
        match op {
            PlainOp::Update(entity, update) => {
                let answer = self.update_in(now, *entity, update, &host.ground);
                answer.iter().for_each(|disposition| host.played.coverage.disposition(disposition));
                return format!("{answer:?}");
            }
            PlainOp::Flood { entity, update, count } => {
                for number in 0..u64::from(*count) {
                    let update = PlainUpdate { order: Order::Sequence(number), ..*update };
                    let _ = self.update_in(now, *entity, &update, &host.ground);
                }
            }
            PlainOp::Throw(entity, velocity) => {
                return format!("{:?}", self.throw_in(now, *entity, *velocity, &host.ground));
            }
            PlainOp::Remove(entity) => return format!("{:?}", self.remove(*entity)),
            PlainOp::InsertInside(entity, setup) => {
                return format!("{:?}", self.motion_mut().insert(now, *entity, setup));
            }
            PlainOp::RemoveInside(entity) => return format!("{:?}", self.motion_mut().remove(*entity)),
            PlainOp::View(position) => return format!("{:?}", self.set_viewpoint(*position)),
            PlainOp::Trace(entity) => return format!("{:?}", self.trace(*entity)),
            PlainOp::Stand(ground) => {
                host.played.coverage.count("surroundings", ground.name());
                host.ground = (**ground).clone();
            }
            PlainOp::Frames { secs, fps } => {
                let awake = self.motion().entities().filter_map(|entity| self.motion().body(entity));
                let awake = awake.filter(|body| body.is_active).count() as u64;
                host.frames(*secs, *fps, |host| {
                    if let Advanced::Stepped { rounds } = self.advance_in(host.time(), &host.ground) {
                        host.played.steps += awake * u64::from(rounds);
                    }
                });
            }
            PlainOp::LeapTo { secs } => {
                host.now = *secs;
                return format!("{:?}", self.advance_in(host.time(), &host.ground));
            }
            PlainOp::Limit(entity, limits) => self.set_limits(*entity, *limits),
            PlainOp::Library(library) => self.motion_mut().set_library(Arc::clone(library)),
            PlainOp::Look => {
                let said = report(self, &mut host.played.coverage);
                self.forget_changed();
                return said;
            }
        }
        String::new()
    }

    fn name(op: &PlainOp) -> (&'static str, &'static str) {
        let index = match op {
            PlainOp::Update(..) => 0,
            PlainOp::Flood { .. } => 1,
            PlainOp::Throw(..) => 2,
            PlainOp::Remove(_) => 3,
            PlainOp::InsertInside(..) => 4,
            PlainOp::RemoveInside(_) => 5,
            PlainOp::View(_) => 6,
            PlainOp::Trace(_) => 7,
            PlainOp::Stand(_) => 8,
            PlainOp::Frames { .. } => 9,
            PlainOp::LeapTo { .. } => 10,
            PlainOp::Library(_) => 11,
            PlainOp::Look => 12,
            PlainOp::Limit(..) => 13,
        };
        ("operation on a plain world", PlainOp::NAMES[index])
    }

    fn bodies(&self) -> usize {
        self.motion().len()
    }

    fn check(&self, host: &Host, remembered: &mut Remembered) -> Result<(), String> {
        check(self.motion(), host.time())?;
        remembered.check(self.motion(), host.time())?;
        let mut buffer = vec![PlainDrawn::EMPTY; self.len()];
        let count = self.drawn_into(host.time(), &mut buffer);
        for drawn in &buffer[..count] {
            let numbers = drawn.pose.position.into_iter().chain(drawn.pose.rotation.map(f64::from));
            if numbers.into_iter().any(|number| !number.is_finite()) {
                return Err(format!("{drawn:?} is not finite"));
            }
        }
        Ok(())
    }
}

/// Reports everything that waits to be polled.
fn report(world: &mut PlainWorld, coverage: &mut Coverage) -> String {
    let mut said = String::new();
    while let Some(event) = world.poll_event() {
        coverage.happening(&event.kind);
        said += &format!("{event:?} ");
    }
    while let Some((entity, decision)) = world.motion_mut().poll_decision() {
        coverage.happening(&decision.decision);
        said += &format!("{entity:?} {decision} ");
    }
    said
}
