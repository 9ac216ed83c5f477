//! Many creatures that wander for a long time: what replays and reports are measured on.

use evenstride_types::{
    CellId, EntityId, Heading, Placement, Pose, Rotation, Stamp, StampKind, StampTable, Vec3,
    update::{
        CreateUpdate, InterpretedState, MotionCommand, Movement, MovementBody, MovementUpdate,
        PhysicsDescription, PositionPack, PositionUpdate, Update,
    },
};

use super::LIFE;
use crate::{
    recording::{Moment, Said},
    script::Script,
};

const STEP_SECS: f64 = 0.2;
const SPEED: f32 = 4.0;

/// So many creatures that all run for so many seconds, each heard of five times a second, within sight of a viewpoint.
pub fn crowd(creatures: u32, seconds: u32) -> Script {
    let mut script = Script::default();
    let mut bodies: Vec<Runner> = (0..creatures).filter_map(Runner::new).collect();
    for body in &bodies {
        script.moments.push(Moment { time: 0.0, said: Said::Server(body.created()) });
        script.names.insert(body.entity, format!("Runner {}", body.entity.raw() & 0xFFFF));
    }
    for step in 1..=(f64::from(seconds) / STEP_SECS) as u32 {
        for (number, body) in bodies.iter_mut().enumerate() {
            // Not all in one frame.
            let time = f64::from(step) * STEP_SECS + number as f64 * STEP_SECS / f64::from(creatures);
            for update in body.step(step) {
                script.moments.push(Moment { time, said: Said::Server(update) });
            }
        }
    }
    script
}

struct Runner {
    entity: EntityId,
    home: Vec3,
    place: Placement,
    heading: f32,
    position: Stamp,
    movement: Stamp,
}

impl Runner {
    fn new(number: u32) -> Option<Self> {
        let home = Vec3::new(60.0 + (number % 20) as f32 * 4.0, 60.0 + (number / 20 % 20) as f32 * 4.0, 12.0);
        let pose = Pose::new(home, Rotation::IDENTITY).ok()?;
        let place = Placement::new(CellId::new(0xA9B4_0001).ok()?, pose).settled_outdoors().ok()?;
        let zero = Stamp::new(0);
        let entity = EntityId::new(0x8000_0000 | number);
        Some(Self {
            entity,
            home,
            place,
            heading: number as f32 * 67.0 % 360.0,
            position: zero,
            movement: zero,
        })
    }

    fn created(&self) -> Update {
        let mut stamps = StampTable::default();
        stamps.set(StampKind::Instance, LIFE);
        Update::Create(CreateUpdate::new(self.entity, PhysicsDescription::standing(&self.place, stamps)))
    }

    /// A step along its way, which leads back home whenever it is far from there.
    fn step(&mut self, step: u32) -> Vec<Update> {
        let from_home = self.home - self.place.pose.origin();
        let mut updates = Vec::new();
        if step % 16 == 1 {
            let wander = ((self.entity.raw() ^ step.wrapping_mul(0x9E37_79B9)) >> 16 & 0x7F) as f32;
            self.heading = if from_home.length_squared() > 400.0 {
                Heading::of_direction(from_home).map_or(self.heading, Heading::degrees)
            } else {
                (self.heading + wander) % 360.0
            };
            self.movement = self.movement.next();
            let body = MovementBody::interpreted(InterpretedState::doing(MotionCommand::RUN_FORWARD, 1.0));
            let (stamp, server_control) = (self.movement, Stamp::new(0));
            let movement = Movement { stamp, server_control, autonomous: 0, body };
            updates.push(Update::Movement(MovementUpdate { entity: self.entity, instance: LIFE, movement }));
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
        self.position = self.position.next();
        let pack = PositionPack::standing(&self.place, LIFE, self.position);
        updates.push(Update::Position(PositionUpdate { entity: self.entity, pack }));
        updates
    }
}
