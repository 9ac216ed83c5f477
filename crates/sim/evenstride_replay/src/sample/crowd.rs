//! Many creatures that wander for a long time, for measurements of replays and reports.

use evenstride_types::{
    CellId, EntityId, Heading, Placement, Pose, Rotation, Vec3,
    update::{InterpretedState, MotionCommand, MovementKind, ServerEntity, Update},
};

use crate::{
    recording::{Said, TimedMessage},
    script::Script,
};

const STEP_SECS: f64 = 0.2;
const SPEED: f32 = 4.0;

/// Makes a script in which this many creatures run for `seconds` seconds. The server sends five
/// positions per second for each.
pub fn crowd(creatures: u32, seconds: u32) -> Script {
    let mut script = Script::default();
    let mut bodies: Vec<Runner> = (0..creatures).filter_map(Runner::new).collect();
    for body in &bodies {
        script.messages.push(TimedMessage { time: 0.0, said: Said::Server(body.created()) });
        script.names.insert(body.server.id, format!("Runner {}", body.server.id.raw() & 0xFFFF));
    }
    for step in 1..=(f64::from(seconds) / STEP_SECS) as u32 {
        for (number, body) in bodies.iter_mut().enumerate() {
            // Positions are spread over several frames.
            let time = f64::from(step) * STEP_SECS + number as f64 * STEP_SECS / f64::from(creatures);
            for update in body.step(step) {
                script.messages.push(TimedMessage { time, said: Said::Server(update) });
            }
        }
    }
    script
}

struct Runner {
    server: ServerEntity,
    home: Vec3,
    place: Placement,
    heading: f32,
}

impl Runner {
    fn new(number: u32) -> Option<Self> {
        let home = Vec3::new(60.0 + (number % 20) as f32 * 4.0, 60.0 + (number / 20 % 20) as f32 * 4.0, 12.0);
        let pose = Pose::new(home, Rotation::IDENTITY).ok()?;
        let place = Placement::new(CellId::new(0xA9B4_0001).ok()?, pose).settled_outdoors().ok()?;
        let server = ServerEntity::new(EntityId::new(0x8000_0000 | number));
        Some(Self { server, home, place, heading: number as f32 * 67.0 % 360.0 })
    }

    fn created(&self) -> Update {
        self.server.create(self.server.description(&self.place))
    }

    /// Takes one step. A runner far from home turns back.
    fn step(&mut self, step: u32) -> Vec<Update> {
        let from_home = self.home - self.place.pose.origin();
        let mut updates = Vec::new();
        if step % 16 == 1 {
            let wander = ((self.server.id.raw() ^ step.wrapping_mul(0x9E37_79B9)) >> 16 & 0x7F) as f32;
            self.heading = if from_home.length_squared() > 400.0 {
                Heading::of_direction(from_home).map_or(self.heading, Heading::degrees)
            } else {
                (self.heading + wander) % 360.0
            };
            let state = InterpretedState::doing(MotionCommand::RUN_FORWARD, 1.0);
            updates.push(self.server.movement(MovementKind::Interpreted { state, stick_to: None }, 0));
        }
        if let Ok(heading) = Heading::from_degrees(self.heading) {
            let pose = self.place.pose.with_rotation(Rotation::facing(heading));
            let origin = pose.to_global(Vec3::new(0.0, SPEED * STEP_SECS as f32, 0.0));
            if let Ok(moved) = pose.with_origin(origin)
                && let Ok(place) = Placement::new(self.place.cell, moved).settled_outdoors()
            {
                self.place = place;
            }
        }
        updates.push(self.server.position(&self.place));
        updates
    }
}
