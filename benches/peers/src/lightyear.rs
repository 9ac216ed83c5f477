//! `lightyear_interpolation`, which samples a history of replicated components.
//!
//! It runs without a connection. Its own systems and its own history are used, and the time that a connection would set is set here.

use bevy::{
    math::{Quat, Vec3},
    prelude::*,
    state::app::StatesPlugin,
};
use bevy_replicon::prelude::RepliconSharedPlugin;
use lightyear_core::{
    prelude::{ConfirmedHistory, NetworkTimeline, Tick},
    time::{TickDelta, TickInstant},
};
use lightyear_interpolation::prelude::*;
use lightyear_replication::{checkpoint::ReplicationCheckpointMap, registry::replication::AppComponentExt};
use serde::{Deserialize, Serialize};

use crate::{
    contestant::{Contestant, Facts, Ingests},
    traffic::{Heard, PERIOD, first_wxyz, start},
};

/// A Bevy app whose entities are interpolated.
pub struct Lightyear {
    app: App,
    entities: Vec<Entity>,
    inbox: Vec<(Entity, Tick, Pose)>,
}

/// One component for all, which is kinder than one history for positions and another for rotations.
#[derive(Component, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Pose {
    position: [f32; 3],
    xyzw: [f32; 4],
}

impl Pose {
    fn new(position: [f32; 3], [w, x, y, z]: [f32; 4]) -> Self {
        Self { position, xyzw: [x, y, z, w] }
    }
}

fn blend(from: Pose, to: Pose, part: f32) -> Pose {
    let position = Vec3::from_array(from.position).lerp(Vec3::from_array(to.position), part);
    let rotation = Quat::from_array(from.xyzw).slerp(Quat::from_array(to.xyzw), part);
    Pose { position: position.to_array(), xyzw: rotation.to_array() }
}

/// Tick of the first round. Ticks are not negative, and the first ones are drawn late.
const FIRST_TICK: u32 = 100;
/// Ticks by which entities are drawn late, rounded up from 1.2 times the time between two positions, which is the default.
const DELAY_TICKS: u32 = (PERIOD * 12).div_ceil(10);

fn tick(round: u32) -> Tick {
    Tick(FIRST_TICK + round)
}

impl Lightyear {
    pub const NAME: &'static str = "lightyear_interpolation";

    pub fn new(entities: u32) -> Self {
        let mut app = App::new();
        app.add_plugins((
            StatesPlugin,
            RepliconSharedPlugin::default(),
            InterpolationMarkerPlugin,
            InterpolationPlugin,
        ));
        app.init_resource::<ReplicationCheckpointMap>();
        app.component::<Pose>().replicate();
        app.interpolate_with::<Pose>(InterpolationFns::interpolate(blend));
        app.finish();
        app.cleanup();
        let spawn = |number| {
            let pose = Pose::new(start(number), first_wxyz(number));
            let mut history = ConfirmedHistory::<Pose>::default();
            history.insert_present(Tick(1), pose);
            (Interpolated, pose, history)
        };
        let entities = app.world_mut().spawn_batch((0..entities).map(spawn)).collect();
        Self { app, entities, inbox: Vec::new() }
    }
}

impl Contestant for Lightyear {
    fn facts(&self) -> Facts {
        Facts {
            name: Self::NAME,
            does: "Version 0.30: a history per entity, stale entries dropped, lerp and slerp at a fixed delay, Bevy's change detection.",
            does_not: "No stamps, viewpoint, animation, contact, cells or events, and every entity is shown late. Replication itself does not run.",
            ingests: Ingests::ByHandle,
            follows_truth: true,
        }
    }

    fn prepare(&mut self, heard: &[Heard]) {
        self.inbox.clear();
        self.inbox.extend(heard.iter().map(|heard| {
            (self.entities[heard.number as usize], tick(heard.round), Pose::new(heard.position, heard.wxyz))
        }));
    }

    fn ingest(&mut self) {
        let world = self.app.world_mut();
        for (entity, tick, pose) in &self.inbox {
            let Some(mut history) = world.get_mut::<ConfirmedHistory<Pose>>(*entity) else { continue };
            history.insert_present(*tick, *pose);
        }
    }

    fn advance(&mut self, round: u32) {
        let world = self.app.world_mut();
        let now = TickInstant::from(tick(round) - DELAY_TICKS) + TickDelta::lit("0.5");
        world.resource_mut::<InterpolationTimeline>().set_now(now);
        // Only the schedule that the systems are in. The rest of a frame is the game's and the connection's.
        world.run_schedule(Update);
        world.clear_trackers();
    }

    fn place(&self, number: u32) -> [f32; 3] {
        let pose = self.app.world().get::<Pose>(self.entities[number as usize]);
        pose.expect("it was spawned").position
    }
}
