//! `bevy_transform_interpolation`, which eases transforms between fixed steps of the game.

use std::time::Duration;

use bevy::{prelude::*, time::TimePlugin};
use bevy_transform_interpolation::prelude::*;

use crate::{
    contestant::{Contestant, Facts, Ingests},
    traffic::{Heard, ROUND_SECS, first_wxyz, start},
};

/// A Bevy app whose transforms are eased.
pub struct Easing {
    app: App,
    entities: Vec<Entity>,
}

/// Metres per second. The plugin itself moves nothing, so the game has to.
#[derive(Component)]
struct Velocity(Vec3);

fn walk(mut moving: Query<(&mut Transform, &Velocity)>, time: Res<Time>) {
    for (mut transform, velocity) in &mut moving {
        transform.translation += velocity.0 * time.delta_secs();
    }
}

impl Easing {
    pub const NAME: &'static str = "bevy_transform_interpolation";

    pub fn new(entities: u32) -> Self {
        let mut app = App::new();
        app.add_plugins((TimePlugin, TransformInterpolationPlugin::default()));
        app.insert_resource(Time::<Fixed>::from_hz(30.0));
        app.add_systems(FixedUpdate, walk);
        app.finish();
        app.cleanup();
        let spawn = |number| {
            let [w, x, y, z] = first_wxyz(number);
            let rotation = Quat::from_xyzw(x, y, z, w);
            let transform =
                Transform::from_translation(Vec3::from_array(start(number))).with_rotation(rotation);
            let velocity = Velocity(rotation * Vec3::Y * 7.0);
            // Without easing of scales, which remote entities do not need.
            (transform, velocity, TranslationInterpolation, RotationInterpolation)
        };
        let entities = app.world_mut().spawn_batch((0..entities).map(spawn)).collect();
        Self { app, entities }
    }
}

impl Contestant for Easing {
    fn facts(&self) -> Facts {
        Facts {
            name: Self::NAME,
            does: "Version 0.5: remembers the last two fixed steps and eases translation and rotation between them, one frame per step. A system of three lines moves the entities.",
            does_not: "No updates, routes, viewpoint, animation, contact, cells or events. The game decides where entities are.",
            ingests: Ingests::Nothing,
            follows_truth: false,
        }
    }

    fn prepare(&mut self, _: &[Heard]) {}

    fn ingest(&mut self) {}

    fn advance(&mut self, _: u32) {
        let world = self.app.world_mut();
        world.resource_mut::<Time<Virtual>>().advance_by(Duration::from_secs_f64(ROUND_SECS));
        // Only the schedule that the plugin is in. The rest of a frame is the game's.
        world.run_schedule(RunFixedMainLoop);
        world.clear_trackers();
    }

    fn place(&self, number: u32) -> [f32; 3] {
        let transform = self.app.world().get::<Transform>(self.entities[number as usize]);
        transform.expect("it was spawned").translation.to_array()
    }
}
