//! The motion world under test, and everything that may happen to it.

mod checks;
mod remembered;

use std::sync::Arc;

use evenstride::{
    Advanced, BodySetup, Config, MotionWorld,
    animation::MotionLibrary,
    player::{Autonomy, Input, Skills},
};
use evenstride_testkit::Backwards;
use evenstride_types::{
    EntityId, Placement, SimTime, StampKind,
    update::{PlayerAction, Update},
};

use crate::{
    coverage::Coverage,
    draw::Draw,
    ground::Ground,
    play::{Host, Subject},
};
pub(crate) use checks::check;
pub use remembered::Remembered;

/// Something that may happen to a world.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "each variant is a call of `MotionWorld`, with its arguments")]
pub enum Op {
    Hear(Box<Update>),
    Flood { update: Box<Update>, count: u16 },
    Frames { secs: f64, fps: f64 },
    ThreadedFrames { secs: f64, fps: f64 },
    Advance { secs: f64 },
    LeapTo { secs: f64 },
    Stand(Box<Ground>),
    Insert(EntityId, Box<BodySetup>),
    Remove(EntityId),
    Player(Option<EntityId>),
    Keys(Input),
    Skills(Skills),
    Autonomy(Autonomy),
    ChargeAndJump { secs: f64 },
    Replay(Box<PlayerAction>),
    View(Option<Placement>),
    Library(Arc<MotionLibrary>),
    Suspend(EntityId),
    Resume(EntityId),
    SetPlace(EntityId, Placement),
    Trace(EntityId),
    TraceAll,
    Untrace(EntityId),
    Look,
}

impl Op {
    /// Names of all operations, for the record of what a run has covered.
    pub const NAMES: [&'static str; 24] = [
        "handle",
        "flood",
        "frames",
        "advance",
        "leap in time",
        "surroundings",
        "insert",
        "remove",
        "set_local_player",
        "set_input",
        "set_skills",
        "set_autonomy",
        "jump",
        "replay_action",
        "set_viewpoint",
        "set_library",
        "suspend",
        "resume",
        "set_place",
        "trace",
        "trace_all",
        "untrace",
        "poll",
        "frames on threads",
    ];

    /// Draws an operation. `most_secs` bounds the time that passes in frames.
    pub fn draw(draw: &mut Draw<'_>, most_secs: f64) -> Self {
        match draw.below(62) {
            0..=27 => Self::Hear(Box::new(draw.update())),
            28..=37 => Self::Frames {
                secs: draw.between(0.0, most_secs),
                fps: draw.pick(&[60.0, 60.0, 144.0, 30.0, 24.0, 20.0, 7.0, 1_000.0]),
            },
            38..=39 => Self::ThreadedFrames {
                secs: draw.between(0.0, most_secs),
                fps: draw.pick(&[60.0, 30.0, 20.0, 7.0]),
            },
            40 => Self::Advance { secs: draw.wide_number(-1.0, 40.0) },
            41 => Self::LeapTo { secs: draw.pick(&[0.0, 1e12, -1e12, 1e6, 1e12 - 30.0, 86_400.0 * 365.0]) },
            42 => Self::Flood { update: Box::new(draw.update()), count: draw.below(120) as u16 },
            43 => Self::Stand(Box::new(Ground::draw(draw))),
            44 | 45 => Self::Insert(draw.entity(), Box::new(draw.body_setup())),
            46 => Self::Remove(draw.entity()),
            47 => Self::Player(draw.sometimes(4, |_| ()).map_or_else(|| Some(draw.entity()), |()| None)),
            48 | 49 => Self::Keys(draw.input()),
            50 => Self::Skills(draw.skills()),
            51 => Self::Autonomy(draw.autonomy()),
            52 => Self::ChargeAndJump { secs: draw.between(0.0, 1.5) },
            53 => Self::Replay(Box::new(draw.action())),
            54 => Self::View(if draw.one_in(4) { None } else { Some(draw.loose_placement()) }),
            55 => Self::Library(Arc::new(draw.library())),
            56 => Self::Suspend(draw.entity()),
            57 => Self::Resume(draw.entity()),
            58 => Self::SetPlace(draw.entity(), draw.loose_placement()),
            59 => match draw.below(3) {
                0 => Self::Trace(draw.entity()),
                1 => Self::Untrace(draw.entity()),
                _ => Self::TraceAll,
            },
            _ => Self::Look,
        }
    }
}

/// Returns the number of bodies that are stepped.
fn awake(world: &MotionWorld) -> u64 {
    let is_active = |entity: &EntityId| world.body(*entity).is_some_and(|body| body.is_active);
    world.entities().filter(is_active).count() as u64
}

impl Subject for MotionWorld {
    type Op = Op;
    type Config = Config;

    fn new(config: &Config, library: &Arc<MotionLibrary>) -> Self {
        let mut world = Self::new(*config, SimTime::ZERO);
        world.set_library(Arc::clone(library));
        world.set_viewpoint(Some(evenstride_testkit::at(96.0, 96.0)));
        world.trace(EntityId::new(3));
        world
    }

    fn apply(&mut self, op: &Op, host: &mut Host) -> String {
        let now = host.time();
        match op {
            Op::Hear(update) => {
                host.played.coverage.message(update);
                let disposition = self.handle(now, update, &host.ground);
                host.played.coverage.disposition(&disposition);
                return format!("{disposition:?}");
            }
            Op::Flood { update, count } => {
                let mut update = (**update).clone();
                for _ in 0..*count {
                    let disposition = self.handle(now, &update, &host.ground);
                    host.played.coverage.disposition(&disposition);
                    next_of(&mut update);
                }
            }
            Op::Frames { secs, fps } => {
                let awake = awake(self);
                host.frames(*secs, *fps, |host| {
                    if let Advanced::Stepped { rounds } = self.advance(host.time(), &host.ground) {
                        host.played.steps += awake * u64::from(rounds);
                    }
                });
            }
            // Answers of careless ground depend on the order of calls.
            Op::ThreadedFrames { secs, fps } if host.ground.is_careless() => {
                return self.apply(&Op::Frames { secs: *secs, fps: *fps }, host);
            }
            Op::ThreadedFrames { secs, fps } => {
                let (awake, mut alone) = (awake(self), self.clone());
                host.frames(*secs, *fps, |host| {
                    let advanced = alone.advance(host.time(), &host.ground);
                    assert_eq!(self.advance_with(host.time(), &host.ground, &Backwards), advanced);
                    if let Advanced::Stepped { rounds } = advanced {
                        host.played.steps += awake * u64::from(rounds);
                    }
                });
                assert_eq!(self.state_hash(), alone.state_hash(), "threads change the state");
                assert_eq!(self.drawing_hash(), alone.drawing_hash(), "threads change what is drawn");
                assert!(self.changed().eq(alone.changed()), "threads change the list of changed bodies");
                assert_eq!(self.stats(), alone.stats(), "threads change the counters");
            }
            Op::Advance { secs } => {
                host.pass(if secs.is_finite() { *secs } else { 0.0 });
                return format!("{:?}", self.advance(host.time(), &host.ground));
            }
            Op::LeapTo { secs } => {
                host.now = *secs;
                return format!("{:?}", self.advance(host.time(), &host.ground));
            }
            Op::Stand(ground) => {
                host.played.coverage.count("surroundings", ground.name());
                host.ground = (**ground).clone();
            }
            Op::Insert(entity, setup) => return format!("{:?}", self.insert(now, *entity, setup)),
            Op::Remove(entity) => return format!("{:?}", self.remove(*entity)),
            Op::Player(entity) => self.set_local_player(now, *entity),
            Op::Keys(input) => return format!("{:?}", self.set_input(now, *input, &host.ground)),
            Op::Skills(skills) => return format!("{:?}", self.set_skills(*skills)),
            Op::Autonomy(autonomy) => return format!("{:?}", self.set_autonomy(*autonomy)),
            Op::ChargeAndJump { secs } => {
                let charged = self.charge_jump(now, &host.ground);
                host.pass(*secs);
                return format!("{charged:?} {:?}", self.jump(host.time(), &host.ground));
            }
            Op::Replay(action) => {
                host.played.coverage.action(action);
                return format!("{:?}", self.replay_action(now, action, &host.ground));
            }
            Op::View(place) => self.set_viewpoint(*place),
            Op::Library(library) => self.set_library(Arc::clone(library)),
            Op::Suspend(entity) => return format!("{:?}", self.suspend(now, *entity, &host.ground)),
            Op::Resume(entity) => return format!("{:?}", self.resume(now, *entity, &host.ground)),
            Op::SetPlace(entity, place) => {
                return format!("{:?}", self.set_place(now, *entity, *place, &host.ground));
            }
            Op::Trace(entity) => self.trace(*entity),
            Op::TraceAll => self.trace_all(),
            Op::Untrace(entity) => {
                self.untrace_all();
                self.untrace(*entity);
            }
            Op::Look => {
                let said = report(self, &mut host.played.coverage);
                self.forget_changed();
                return said;
            }
        }
        String::new()
    }

    fn name(op: &Op) -> (&'static str, &'static str) {
        let index = match op {
            Op::Hear(_) => 0,
            Op::Flood { .. } => 1,
            Op::Frames { .. } => 2,
            Op::Advance { .. } => 3,
            Op::LeapTo { .. } => 4,
            Op::Stand(_) => 5,
            Op::Insert(..) => 6,
            Op::Remove(_) => 7,
            Op::Player(_) => 8,
            Op::Keys(_) => 9,
            Op::Skills(_) => 10,
            Op::Autonomy(_) => 11,
            Op::ChargeAndJump { .. } => 12,
            Op::Replay(_) => 13,
            Op::View(_) => 14,
            Op::Library(_) => 15,
            Op::Suspend(_) => 16,
            Op::Resume(_) => 17,
            Op::SetPlace(..) => 18,
            Op::Trace(_) => 19,
            Op::TraceAll => 20,
            Op::Untrace(_) => 21,
            Op::Look => 22,
            Op::ThreadedFrames { .. } => 23,
        };
        ("operation", Op::NAMES[index])
    }

    fn bodies(&self) -> usize {
        self.len()
    }

    fn check(&self, host: &Host, remembered: &mut Remembered) -> Result<(), String> {
        checks::check(self, host.time())?;
        remembered.check(self, host.time())
    }
}

/// Reports everything that waits to be polled.
fn report(world: &mut MotionWorld, coverage: &mut Coverage) -> String {
    let mut said = String::new();
    while let Some(event) = world.poll_event() {
        coverage.happening(&event.kind);
        said += &format!("{event:?} ");
    }
    while let Some((entity, decision)) = world.poll_decision() {
        coverage.happening(&decision.decision);
        said += &format!("{entity:?} {decision} ");
    }
    while let Some(action) = world.poll_action() {
        said += &format!("{action:?} ");
    }
    said
}

/// Makes the next message of a flood, which is newer than the last, and about another place or holder.
fn next_of(update: &mut Update) {
    match update {
        Update::Position(update) => {
            update.pack.position = update.pack.position.next();
            update.pack.origin.x += 0.3;
        }
        Update::Parent(update) => {
            (update.holder, update.held) = (update.held, EntityId::new(update.held.raw().wrapping_add(1)));
            update.held_position = update.held_position.next();
        }
        Update::Movement(update) => update.movement.stamp = update.movement.stamp.next(),
        Update::Vector(update) => update.stamp = update.stamp.next(),
        Update::State(update) => update.stamp = update.stamp.next(),
        Update::Create(update) | Update::Recreate(update) => {
            let stamps = &mut update.physics.stamps;
            stamps.set(StampKind::Instance, stamps.seen(StampKind::Instance).next());
        }
        Update::PositionAndMovement { position, movement } => {
            position.pack.position = position.pack.position.next();
            movement.stamp = movement.stamp.next();
        }
        _ => {}
    }
}
