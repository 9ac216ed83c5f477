//! A capture of creatures with known speeds, whose motion tables are in no archive.

use evenstride_replay::Tape;
use evenstride_types::{
    CellId, EntityId, Heading, Placement, Pose, Rotation, Vec3,
    update::{InterpretedState, MotionCommand, MoveToParams, MovementKind, Resources, ServerEntity, Update},
};
use evenstride_wire::Message;

/// A kind of creature: its motion table, and the speeds in metres per second at which it walks and runs at a size
/// factor of 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BeastKind {
    /// Number of the motion table.
    pub motion_table: u32,
    /// Walking speed at a speed factor of 1.
    pub walk: f64,
    /// Running speed at a speed factor of 1.
    pub run: f64,
    /// Size factor, which both speeds are multiplied by.
    pub scale: f32,
    /// Whether the server names goals instead of running, as it does for hunting creatures.
    pub has_goals: bool,
}

/// The kinds in the capture.
pub const BEASTS: [BeastKind; 3] = [
    BeastKind { motion_table: 0x0900_7001, walk: 1.8, run: 5.2, scale: 1.0, has_goals: false },
    BeastKind { motion_table: 0x0900_7002, walk: 0.9, run: 2.6, scale: 1.5, has_goals: false },
    BeastKind { motion_table: 0x0900_7003, walk: 3.4, run: 9.1, scale: 1.0, has_goals: true },
];

/// Creatures of each kind.
const OF_A_KIND: usize = 4;

/// Length of the capture in seconds, and steps per second.
const SECONDS: f64 = 60.0;
const RATE: f64 = 60.0;

/// What a creature does in turn: the motion, its speed factor, and its end in seconds.
const ROUND: [(MotionCommand, f32, f64); 4] = [
    (MotionCommand::READY, 1.0, 2.0),
    (MotionCommand::WALK_FORWARD, 1.0, 9.0),
    (MotionCommand::READY, 1.0, 11.0),
    (MotionCommand::RUN_FORWARD, 1.3, 16.0),
];

/// Seconds of a round.
const ROUND_SECS: f64 = 16.0;

/// Returns a capture of 60 seconds as a pcap. `seed` moves the creatures and their clocks.
///
/// # Errors
/// Never in practice, because the file is in memory and all places are on the map.
pub fn beasts(seed: u64) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut tape = Tape::new()?;
    let count = BEASTS.len() * OF_A_KIND;
    let mut all: Vec<Beast> = (0..count).map(|number| Beast::new(number, seed)).collect::<Result<_, _>>()?;
    let created: Vec<Message> = all.iter().map(Beast::created).collect::<Result<_, _>>()?;
    tape.server(&created)?;
    for step in 1..=(SECONDS * RATE) as u32 {
        tape.time = f64::from(step) / RATE;
        let mut sent = Vec::new();
        for beast in &mut all {
            beast.step(tape.time, &mut sent)?;
        }
        if !sent.is_empty() {
            tape.server(&sent)?;
        }
    }
    Ok(tape.finish()?)
}

struct Beast {
    kind: BeastKind,
    entity: ServerEntity,
    at: [f64; 2],
    heading: f32,
    /// Seconds by which its round is shifted.
    shift: f64,
    doing: Option<MotionCommand>,
    /// Time of its next position in seconds.
    next: f64,
}

impl Beast {
    fn new(number: usize, seed: u64) -> Result<Self, Box<dyn std::error::Error>> {
        let random = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(number as u32 * 7) >> 40;
        let part = random as f64 / f64::from(1 << 24);
        Ok(Self {
            kind: BEASTS[number % BEASTS.len()],
            entity: ServerEntity::new(EntityId::new(0x8000_7000 + number as u32)),
            at: [40.0 + 10.0 * number as f64, 60.0 + 20.0 * part],
            heading: (part * 360.0) as f32,
            shift: part * ROUND_SECS,
            doing: None,
            next: 0.0,
        })
    }

    fn created(&self) -> Result<Message, Box<dyn std::error::Error>> {
        let mut description = self.entity.description(&self.place()?);
        description.scale = (self.kind.scale != 1.0).then_some(self.kind.scale);
        description.resources =
            Resources { motion_table: Some(self.kind.motion_table), ..Resources::default() };
        Ok(Message::from(self.entity.create(description)))
    }

    /// Moves for a step, and adds the messages that are due.
    fn step(&mut self, time: f64, sent: &mut Vec<Message>) -> Result<(), Box<dyn std::error::Error>> {
        let round = (time + self.shift).rem_euclid(ROUND_SECS);
        let (command, factor, _) = ROUND.into_iter().find(|(.., end)| round < *end).unwrap_or(ROUND[0]);
        let speed = match command {
            MotionCommand::WALK_FORWARD => self.kind.walk,
            MotionCommand::RUN_FORWARD => self.kind.run,
            _ => 0.0,
        };
        if self.doing != Some(command) {
            self.doing = Some(command);
            let has_goal = self.kind.has_goals && command == MotionCommand::RUN_FORWARD;
            // A turn comes with the new motion, and never in its middle. A goal is ahead.
            self.heading = (self.heading + if has_goal { 0.0 } else { 70.0 }).rem_euclid(360.0);
            let movement = if has_goal {
                let goal = self.ahead(GOAL_METRES)?;
                let (cell, origin) = (goal.cell.raw(), goal.pose.origin());
                let params = MoveToParams::default();
                self.entity.ordered(MovementKind::MoveToPosition { cell, origin, params, run_rate: factor })
            } else {
                self.entity.does(InterpretedState::doing(command, factor))
            };
            sent.extend([movement, self.position()?].map(Message::from));
            self.next = time + POSITION_SECS;
        }
        let (sin, cos) = f64::from(self.heading).to_radians().sin_cos();
        let metres = speed * f64::from(factor * self.kind.scale) / RATE;
        self.at = [self.at[0] + sin * metres, self.at[1] + cos * metres];
        if speed > 0.0 && time >= self.next {
            sent.push(Message::from(self.position()?));
            self.next = time + POSITION_SECS;
        }
        Ok(())
    }

    fn position(&mut self) -> Result<Update, Box<dyn std::error::Error>> {
        Ok(self.entity.position(&self.place()?))
    }

    fn place(&self) -> Result<Placement, Box<dyn std::error::Error>> {
        self.ahead(0.0)
    }

    /// Returns the place at this distance ahead of it.
    fn ahead(&self, metres: f64) -> Result<Placement, Box<dyn std::error::Error>> {
        let (sin, cos) = f64::from(self.heading).to_radians().sin_cos();
        let [east, north] = [self.at[0] + sin * metres, self.at[1] + cos * metres];
        let origin = Vec3::new(east as f32, north as f32, 12.0);
        let pose = Pose::new(origin, Rotation::facing(Heading::from_degrees(self.heading)?))?;
        Ok(Placement::new(CellId::new(0xA9B4_0001)?, pose).settled_outdoors()?)
    }
}

/// Distance in metres of a goal, which is never reached.
const GOAL_METRES: f64 = 150.0;

/// Seconds between positions of a creature that moves.
const POSITION_SECS: f64 = 0.25;
