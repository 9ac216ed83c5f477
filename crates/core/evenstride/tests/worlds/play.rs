//! A world to which operations are applied.

use evenstride::{
    BodySetup, Config, Disposition, FlatGround, MotionWorld,
    animation::MotionLibrary,
    player::{Autonomy, Input, Skills},
    types::{
        EntityId, Placement, SimTime,
        update::{PlayerAction, Update},
    },
};
use evenstride_testkit::{CarelessGround, at, with_careless_host};
use std::sync::Arc;

pub(crate) const GROUND: FlatGround = FlatGround { z: 10.0 };

/// Returns the ground of a careful host.
pub(crate) const fn careful() -> CarelessGround {
    CarelessGround::new(GROUND)
}

/// Something that may happen to a world.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Hear(Box<Update>),
    Stand(CarelessGround),
    JumpTo(f64),
    Remove(EntityId),
    Setup(EntityId, Box<BodySetup>),
    Player(Option<EntityId>),
    View(Option<Placement>),
    Library(Arc<MotionLibrary>),
    Replay(Box<PlayerAction>),
    Drive(f64),
    Keys(Input),
    ChargeAndJump(f64),
    Autonomy(Autonomy),
    Look,
    JumpInTime(f64),
    Suspend(EntityId),
    Resume(EntityId),
    Place(EntityId, f32, f32),
    Insert(EntityId, f32, f32),
}

#[derive(Clone)]
pub(crate) struct Play {
    pub(crate) world: MotionWorld,
    pub(crate) now: f64,
    pub(crate) ground: CarelessGround,
}

impl Play {
    pub(crate) fn new(config: Config) -> Self {
        let mut world = MotionWorld::new(config, SimTime::ZERO);
        world.set_viewpoint(Some(at(96.0, 96.0)));
        world.trace(EntityId::new(3));
        Self { world, now: 0.0, ground: careful() }
    }

    pub(crate) fn time(&self) -> SimTime {
        SimTime::from_secs(self.now).unwrap()
    }

    /// Applies an operation, in which the surroundings may panic. `None` if they did, or if it has no answer.
    pub(crate) fn try_apply(&mut self, op: &Op) -> Option<Disposition> {
        with_careless_host(|| self.apply(op)).flatten()
    }

    pub(crate) fn apply(&mut self, op: &Op) -> Option<Disposition> {
        match op {
            Op::Hear(update) => return Some(self.world.handle(self.time(), update, &self.ground)),
            Op::Stand(ground) => self.ground = ground.clone(),
            Op::Remove(entity) => _ = self.world.remove(*entity),
            Op::Setup(entity, setup) => _ = self.world.insert(self.time(), *entity, setup),
            Op::Player(entity) => self.world.set_local_player(self.time(), *entity),
            Op::View(place) => self.world.set_viewpoint(*place),
            Op::Library(library) => self.world.set_library(Arc::clone(library)),
            Op::Replay(action) => _ = self.world.replay_action(self.time(), action, &self.ground),
            Op::JumpTo(secs) => {
                self.now = *secs;
                let _ = self.world.advance(self.time(), &self.ground);
            }
            Op::Drive(secs) => {
                let end = (self.now + secs).min(1e12);
                while self.now < end {
                    self.now = (self.now + 1.0 / 50.0).max(self.now.next_up()).min(end);
                    let _ = self.world.advance(self.time(), &self.ground);
                }
            }
            Op::Keys(controls) => {
                let _ = self.world.set_skills(Skills { run: 150, jump: 250, load: 0.3 });
                let _ = self.world.set_input(self.time(), *controls, &self.ground);
            }
            Op::ChargeAndJump(secs) => {
                let _ = self.world.charge_jump(self.time(), &self.ground);
                self.now = (self.now + secs).min(1e12);
                let _ = self.world.jump(self.time(), &self.ground);
            }
            Op::Autonomy(autonomy) => _ = self.world.set_autonomy(*autonomy),
            Op::Look => {
                while self.world.poll_event().is_some() {}
                while self.world.poll_action().is_some() {}
                self.world.forget_changed();
            }
            Op::Suspend(entity) => _ = self.world.suspend(self.time(), *entity, &self.ground),
            Op::Resume(entity) => _ = self.world.resume(self.time(), *entity, &self.ground),
            Op::Place(entity, x, y) => {
                _ = self.world.set_place(self.time(), *entity, at(*x, *y), &self.ground);
            }
            Op::Insert(entity, x, y) => {
                // Ticks before it need surroundings, which `insert` does not have.
                let _ = self.world.advance(self.time(), &self.ground);
                _ = self.world.insert(self.time(), *entity, &evenstride::BodySetup::at(at(*x, *y)));
                // Messages that waited for it need surroundings.
                let _ = self.world.advance(self.time(), &self.ground);
            }
            Op::JumpInTime(secs) => {
                self.now = (self.now + secs).clamp(-1e12, 1e12);
                let _ = self.world.advance(self.time(), &self.ground);
            }
        }
        None
    }
}
