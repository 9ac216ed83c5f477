//! A stage has a world, a virtual clock, and any number of entities.

use evenstride::{BodyView, Config, Disposition, Event, Happening, MotionWorld, OpenField, Surroundings};
use evenstride_types::{
    EntityId, SimTime, Vec3,
    update::{PlayerAction, Update},
};

use crate::{at, home};

/// A world that receives messages and draws frames. The viewpoint is at (96, 96, 10).
#[derive(Debug)]
pub struct Stage<S = OpenField> {
    /// The world under test.
    pub world: MotionWorld,
    /// The ground and walls that bodies collide with.
    pub surroundings: S,
    /// Seconds since the world began.
    pub now: f64,
    /// Frames per second (default: 60).
    pub fps: f64,
}

impl Stage {
    /// Creates an empty stage in an open field.
    pub fn new(config: Config) -> Self {
        Self::in_surroundings(config, OpenField)
    }
}

impl<S: Surroundings> Stage<S> {
    /// Creates an empty stage.
    pub fn in_surroundings(config: Config, surroundings: S) -> Self {
        let mut world = MotionWorld::new(config, SimTime::ZERO);
        world.set_viewpoint(Some(at(96.0, 96.0)));
        Self { world, surroundings, now: 0.0, fps: 60.0 }
    }

    /// Hands a message to the world.
    pub fn says(&mut self, update: &Update) -> Disposition {
        self.world.handle(self.time(), update, &self.surroundings)
    }

    /// Advances frame by frame for `secs` seconds.
    pub fn drive(&mut self, secs: f64) {
        for _ in 0..(secs * self.fps).round() as usize {
            self.frame();
        }
    }

    /// Advances by one frame.
    pub fn frame(&mut self) {
        self.now += 1.0 / self.fps;
        let _ = self.world.advance(self.time(), &self.surroundings);
    }

    /// Returns the time of the current frame.
    pub fn time(&self) -> SimTime {
        SimTime::from_secs(self.now).unwrap()
    }

    /// Returns the world's view of an entity, which must exist.
    pub fn body(&self, entity: EntityId) -> BodyView {
        self.world.body(entity).unwrap()
    }

    /// Returns the place of an entity, in home coordinates.
    pub fn at(&self, entity: EntityId) -> Vec3 {
        home(&self.body(entity).place.unwrap())
    }

    /// Returns the place where an entity is drawn, in home coordinates.
    pub fn drawn(&self, entity: EntityId) -> Option<Vec3> {
        self.world.drawn(entity, self.time()).map(|place| home(&place))
    }

    /// Polls and returns all events so far.
    pub fn events(&mut self) -> Vec<Event> {
        std::iter::from_fn(|| self.world.poll_event()).collect()
    }

    /// Polls all events so far, and returns those of one entity.
    pub fn events_of(&mut self, entity: EntityId) -> Vec<Happening> {
        self.events().into_iter().filter(|event| event.entity == entity).map(|event| event.kind).collect()
    }

    /// Polls and returns all messages that the local player has sent so far.
    pub fn sent(&mut self) -> Vec<PlayerAction> {
        std::iter::from_fn(|| self.world.poll_action()).collect()
    }
}
