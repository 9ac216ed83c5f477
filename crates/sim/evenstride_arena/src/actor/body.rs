//! The true place of an actor, with simple motion at the client's speeds.

use evenstride::limits::{
    BACKWARDS_FACTOR, GRAVITY, MAX_RUN_SIDESTEP, RUN_SPEED, SIDESTEP_FACTOR, SIDESTEP_SPEED, TURN_SPEED,
    WALK_SPEED,
};
use evenstride_link::Random;
use evenstride_types::{CellId, Heading, Placement, Pose, Rotation, Vec3, update::MotionCommand};

use super::RATE;
use crate::scenario::Ground;

/// Length of a tick in seconds.
const DT: f32 = 1.0 / RATE as f32;

/// Cell at the corner of the landblock from which coordinates are measured.
const BLOCK: u32 = 0xA9B4_0001;

/// An indoor cell of that landblock.
const ROOM: u32 = 0xA9B4_0105;

/// Height of level ground in metres.
const LEVEL: f32 = 12.0;

/// Distance between centres in metres at which a creature has arrived at its target. It is two
/// radii of 0.5 m and a gap of 0.6 m.
const ARRIVED: f32 = 1.6;

pub(super) struct Body {
    /// Metres from the corner of the landblock, whatever the cell.
    at: Vec3,
    heading: f32,
    ground: Ground,
    pub(super) run_rate: f32,
    pub(super) keys: Keys,
    /// Velocity in metres per second while in the air.
    air: Option<Vec3>,
    pub(super) goal: Goal,
    pub(super) has_moved: bool,
    pub(super) has_landed: bool,
    pub(super) random: Random,
    home: Vec3,
}

/// The motion that the legs play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Keys {
    pub(super) forward: MotionCommand,
    /// Forward speed factor, as in messages.
    pub(super) speed: f32,
    /// Sidestep speed factor to the right, as in messages.
    pub(super) aside: f32,
    /// Turn speed factor to the right, as in messages.
    pub(super) turn: f32,
}

/// The place where a creature wants to be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Goal {
    Nowhere,
    Place(Vec3),
    Near(String),
    AwayFrom(String),
    /// Right beside the named actor, until another goal replaces it.
    Beside(String),
}

impl Body {
    pub(super) fn new(at: [f32; 2], facing: f32, run_rate: f32, ground: Ground, seed: u64) -> Self {
        let mut body = Self {
            at: Vec3::new(at[0], at[1], LEVEL),
            heading: facing,
            ground,
            run_rate,
            keys: Keys { forward: MotionCommand::READY, speed: 1.0, aside: 0.0, turn: 0.0 },
            air: None,
            goal: Goal::Nowhere,
            has_moved: false,
            has_landed: false,
            random: Random::seeded(seed),
            home: Vec3::ZERO,
        };
        body.at.z = body.floor();
        body.home = body.at;
        body
    }

    /// Returns the place as the server knows it.
    pub(super) fn place(&self) -> Placement {
        let rotation = Rotation::facing(Heading::from_degrees(self.heading).unwrap_or(Heading::NORTH));
        let pose = Pose::new(self.at, rotation).unwrap_or(Pose::IDENTITY);
        let cell = if self.ground == Ground::Room { ROOM } else { BLOCK };
        let place = Placement::new(CellId::new(cell).unwrap_or(CellId::CORNER), pose);
        place.settled().unwrap_or(place)
    }

    pub(super) const fn is_grounded(&self) -> bool {
        self.air.is_none()
    }

    /// Returns the velocity in metres per second, in world axes.
    pub(super) fn velocity(&self) -> Vec3 {
        self.air.unwrap_or_else(|| self.ground_velocity())
    }

    pub(super) fn ground_velocity(&self) -> Vec3 {
        let ahead = match self.keys.forward {
            MotionCommand::WALK_FORWARD => WALK_SPEED * self.keys.speed,
            MotionCommand::RUN_FORWARD => RUN_SPEED * self.keys.speed,
            _ => 0.0,
        };
        let nose = Heading::from_degrees(self.heading).unwrap_or(Heading::NORTH).direction();
        let right = Vec3::new(nose.y, -nose.x, 0.0);
        nose * ahead + right * (SIDESTEP_SPEED * self.keys.aside)
    }

    pub(super) fn walk(&mut self, speed: f32) {
        (self.keys.forward, self.keys.speed) = (MotionCommand::WALK_FORWARD, speed);
    }

    pub(super) fn run(&mut self, speed: f32) {
        (self.keys.forward, self.keys.speed) = (MotionCommand::RUN_FORWARD, speed * self.run_rate);
    }

    pub(super) fn back(&mut self) {
        self.walk(-BACKWARDS_FACTOR);
    }

    pub(super) fn strafe(&mut self, side: f32) {
        let rate = if self.keys.forward == MotionCommand::RUN_FORWARD { self.run_rate } else { 1.0 };
        self.keys.aside = side * (SIDESTEP_FACTOR * rate).min(MAX_RUN_SIDESTEP);
    }

    pub(super) fn turn(&mut self, speed: f32) {
        let factor = if self.keys.forward == MotionCommand::RUN_FORWARD { 1.5 } else { 1.0 };
        self.keys.turn = speed * factor;
    }

    pub(super) fn stand(&mut self) {
        self.keys = Keys { forward: MotionCommand::READY, speed: 1.0, aside: 0.0, turn: 0.0 };
        self.goal = Goal::Nowhere;
    }

    pub(super) fn jump(&mut self, rise: f32) {
        if self.air.is_none() {
            self.air = Some(self.ground_velocity() + Vec3::Z * rise);
        }
    }

    /// Launches the body ahead at `speed` times the slowest running speed, from 1.5 m up, with 8
    /// m/s upwards.
    pub(super) fn launch(&mut self, speed: f32) {
        let nose = Heading::from_degrees(self.heading).unwrap_or(Heading::NORTH).direction();
        self.at.z += 1.5;
        self.air = Some(nose * (RUN_SPEED * speed) + Vec3::Z * 8.0);
    }

    pub(super) fn put(&mut self, [x, y]: [f32; 2]) {
        self.at = Vec3::new(x, y, LEVEL);
        self.at.z = self.floor();
        self.air = None;
    }

    /// Returns a random place within 14 m of the start on each axis.
    pub(super) fn somewhere(&mut self) -> [f32; 2] {
        let (x, y) = (self.random.between(-14.0, 14.0) as f32, self.random.between(-14.0, 14.0) as f32);
        [self.home.x + x, self.home.y + y]
    }

    pub(super) fn distance_to(&self, x: f32, y: f32) -> f32 {
        let (dx, dy) = (x - self.at.x, y - self.at.y);
        (dx * dx + dy * dy).sqrt()
    }

    /// Returns whether the goal is reached.
    pub(super) fn has_arrived(&self, find: impl Fn(&str) -> Option<Placement>) -> bool {
        match &self.goal {
            Goal::Nowhere => true,
            Goal::Place(place) => self.distance_to(place.x, place.y) <= 0.9,
            Goal::Near(name) => find(name).is_none_or(|at| self.gap(&at) <= ARRIVED),
            Goal::AwayFrom(name) => find(name).is_none_or(|at| self.gap(&at) >= 20.0),
            Goal::Beside(_) => false,
        }
    }

    fn gap(&self, to: &Placement) -> f32 {
        let to = offset(to);
        self.distance_to(to.x, to.y)
    }

    /// Moves the body on by one tick. `find` returns the place of a named actor.
    pub(super) fn tick(&mut self, find: impl Fn(&str) -> Option<Placement>) {
        let (before, faced) = (self.at, self.heading);
        self.has_landed = false;
        if let Some(velocity) = &mut self.air {
            self.at += *velocity * DT;
            velocity.z += GRAVITY * DT;
            if self.at.z <= self.floor() && self.air.is_some_and(|velocity| velocity.z < 0.0) {
                self.at.z = self.floor();
                self.air = None;
                self.has_landed = true;
            }
        } else if self.goal == Goal::Nowhere {
            self.heading = turned(self.heading, self.keys.turn * TURN_SPEED.to_degrees() * DT);
            self.at += self.ground_velocity() * DT;
            self.at.z = self.floor();
        } else {
            self.seek(find);
            self.at.z = self.floor();
        }
        self.has_moved = self.at != before || self.heading != faced;
    }

    /// Turns towards the goal and moves there.
    fn seek(&mut self, find: impl Fn(&str) -> Option<Placement>) {
        let aim = match &self.goal {
            Goal::Place(place) => *place,
            Goal::Near(name) | Goal::Beside(name) => find(name).map_or(self.at, |at| offset(&at)),
            Goal::AwayFrom(name) => find(name).map_or(self.at, |at| self.at * 2.0 - offset(&at)),
            Goal::Nowhere => self.at,
        };
        let way = Vec3::new(aim.x - self.at.x, aim.y - self.at.y, 0.0);
        if let Goal::Beside(_) = self.goal {
            // A body that follows another moves and turns at once.
            if let Some(heading) = Heading::of_direction(way) {
                self.heading = heading.degrees();
            }
            let gap = self.distance_to(aim.x, aim.y) - 1.3;
            let step = gap.min(5.0 * RUN_SPEED * self.run_rate * DT);
            self.at += way.normalize_or_zero() * step;
            return;
        }
        if self.has_arrived(&find) {
            self.keys = Keys { forward: MotionCommand::READY, speed: 1.0, aside: 0.0, turn: 0.0 };
            self.goal = Goal::Nowhere;
            return;
        }
        let Some(wanted) = Heading::of_direction(way) else { return };
        let turn = Heading::from_degrees(self.heading).unwrap_or(Heading::NORTH).turn_to(wanted);
        let is_running = self.keys.forward == MotionCommand::RUN_FORWARD;
        let most = TURN_SPEED.to_degrees() * DT * if is_running { 1.5 } else { 1.0 };
        self.heading = turned(self.heading, turn.clamp(-most, most));
        // The body moves only while its goal lies ahead.
        if turn.abs() < 20.0 {
            let speed = if is_running { RUN_SPEED } else { WALK_SPEED } * self.keys.speed;
            let nose = Heading::from_degrees(self.heading).unwrap_or(Heading::NORTH).direction();
            self.at += nose * (speed * DT);
        }
    }

    fn floor(&self) -> f32 {
        match self.ground {
            Ground::Flat | Ground::Room => LEVEL,
            Ground::Slope(rise) => LEVEL + rise * (self.at.x - 96.0),
            Ground::Stairs => LEVEL + 0.2 * ((self.at.x - 96.0) / 0.5).floor().clamp(-40.0, 40.0),
        }
    }
}

/// Returns metres from the corner of the landblock.
fn offset(place: &Placement) -> Vec3 {
    let corner = Placement::new(CellId::new(BLOCK).unwrap_or(CellId::CORNER), Pose::IDENTITY);
    corner.offset_to(place)
}

fn turned(heading: f32, by: f32) -> f32 {
    (heading + by).rem_euclid(360.0)
}
