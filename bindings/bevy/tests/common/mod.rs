//! A game without a window, whose clock the test sets.

#![allow(dead_code, reason = "no test file uses all of it")]

use bevy_app::{App, PluginGroup};
use bevy_ecs::prelude::*;
use bevy_evenstride::{EvenstridePlugins, RemoteClock, RemoteTime, RemoteUpdate, RemotesPlugin};
use bevy_math::Vec3;
use bevy_transform::{TransformPlugin, components::Transform};

/// Length of a frame in seconds.
pub const FRAME: f64 = 1.0 / 64.0;

/// Returns a game in three dimensions with a manual clock.
pub fn game() -> App {
    game_with(RemotesPlugin::three_d())
}

/// Returns a game with some settings, and with a manual clock.
pub fn game_with(plugin: RemotesPlugin) -> App {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, EvenstridePlugins.set(plugin.clock(RemoteClock::Manual))));
    app
}

/// Runs a frame.
pub fn frame(app: &mut App) {
    app.world_mut().resource_mut::<RemoteTime>().0 += FRAME;
    app.update();
}

/// Runs frames for some seconds.
pub fn run(app: &mut App, secs: f64) {
    for _ in 0..(secs / FRAME).round() as u32 {
        frame(app);
    }
}

/// Writes an update, which the next frame receives.
pub fn hear(app: &mut App, update: RemoteUpdate) {
    app.world_mut().write_message(update);
}

/// Returns where an entity is drawn.
pub fn at(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).expect("it has a transform").translation
}

/// Everything of one type that observers saw.
#[derive(Resource)]
pub struct Seen<T>(pub Vec<T>);

/// Collects every event of a type.
pub fn collect<E: Event + Clone>(app: &mut App) {
    app.insert_resource(Seen::<E>(Vec::new()));
    app.add_observer(|event: On<E>, mut seen: ResMut<Seen<E>>| seen.0.push(event.event().clone()));
}

/// Returns the events of a type so far.
pub fn seen<E: Event + Clone>(app: &App) -> Vec<E> {
    app.world().resource::<Seen<E>>().0.clone()
}
