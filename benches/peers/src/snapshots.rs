//! A snapshot buffer as it is written in an afternoon.

use std::collections::{HashMap, VecDeque};

use bevy::math::{Quat, Vec3};

use crate::{
    contestant::{Contestant, Facts, Ingests},
    traffic::{Heard, PERIOD, ROUND_SECS, first_wxyz, id, start},
};

/// Entities with their latest snapshots, found by id.
pub struct Snapshots {
    numbers: HashMap<u32, usize>,
    entities: Vec<Entity>,
    inbox: Vec<(u32, Snapshot)>,
}

struct Entity {
    /// Oldest first. The first is the one that the entity has passed last.
    snapshots: VecDeque<Snapshot>,
    drawn: Pose,
}

#[derive(Clone, Copy)]
struct Snapshot {
    time: f64,
    pose: Pose,
}

#[derive(Clone, Copy)]
struct Pose {
    position: Vec3,
    rotation: Quat,
}

/// Snapshots are drawn this many seconds late, which is 1.2 times the time between two of them.
const DELAY_SECS: f64 = 1.2 * PERIOD as f64 * ROUND_SECS;
/// Largest number of snapshots that an entity keeps.
const MAX_SNAPSHOTS: usize = 32;

impl Snapshots {
    pub const NAME: &'static str = "snapshots";

    pub fn new(entities: u32) -> Self {
        let entity = |number| {
            let pose = Pose::new(start(number), first_wxyz(number));
            let snapshots = VecDeque::from([Snapshot { time: -1.0, pose }]);
            Entity { snapshots, drawn: pose }
        };
        Self {
            numbers: (0..entities).map(|number| (id(number), number as usize)).collect(),
            entities: (0..entities).map(entity).collect(),
            inbox: Vec::new(),
        }
    }
}

impl Contestant for Snapshots {
    fn facts(&self) -> Facts {
        Facts {
            name: Self::NAME,
            does: "Written here: a VecDeque of snapshots per entity, lerp and slerp at a fixed delay, stale snapshots dropped.",
            does_not: "No viewpoint, animation, contact, cells, events or list of changes, and every entity is shown late.",
            ingests: Ingests::ById,
            follows_truth: true,
        }
    }

    fn prepare(&mut self, heard: &[Heard]) {
        self.inbox.clear();
        self.inbox.extend(heard.iter().map(|heard| {
            let pose = Pose::new(heard.position, heard.wxyz);
            (heard.id, Snapshot { time: f64::from(heard.round) * ROUND_SECS, pose })
        }));
    }

    fn ingest(&mut self) {
        for (id, snapshot) in &self.inbox {
            let Some(&number) = self.numbers.get(id) else { continue };
            let snapshots = &mut self.entities[number].snapshots;
            if snapshots.back().is_some_and(|newest| newest.time >= snapshot.time) {
                continue;
            }
            if snapshots.len() == MAX_SNAPSHOTS {
                snapshots.pop_front();
            }
            snapshots.push_back(*snapshot);
        }
    }

    fn advance(&mut self, round: u32) {
        let now = f64::from(round) * ROUND_SECS - DELAY_SECS;
        for entity in &mut self.entities {
            let snapshots = &mut entity.snapshots;
            while snapshots.get(1).is_some_and(|next| next.time <= now) {
                snapshots.pop_front();
            }
            entity.drawn = match (snapshots.front(), snapshots.get(1)) {
                (Some(from), Some(to)) => {
                    let part = (now - from.time) / (to.time - from.time);
                    from.pose.blended(&to.pose, part.clamp(0.0, 1.0) as f32)
                }
                (Some(last), None) => last.pose,
                _ => continue,
            };
        }
    }

    fn place(&self, number: u32) -> [f32; 3] {
        self.entities[number as usize].drawn.position.to_array()
    }
}

impl Pose {
    fn new(position: [f32; 3], [w, x, y, z]: [f32; 4]) -> Self {
        Self { position: Vec3::from_array(position), rotation: Quat::from_xyzw(x, y, z, w) }
    }

    fn blended(&self, other: &Self, part: f32) -> Self {
        Self {
            position: self.position.lerp(other.position, part),
            rotation: self.rotation.slerp(other.rotation, part),
        }
    }
}
