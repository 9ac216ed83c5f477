//! Snapshots as networking crates deliver them: a replicated component per entity, with a tick.
//!
//! ```sh
//! cargo run --example snapshots
//! ```
//!
//! lightyear and `bevy_replicon` write a component of an entity whenever a snapshot with it arrives, and
//! know the tick of the server. Two systems connect them: one takes the network's time as the clock, and
//! one turns changed components into updates. Everything else here stands for the network.

use bevy_app::{App, PluginGroup, PreUpdate, Startup, Update};
use bevy_ecs::prelude::*;
use bevy_evenstride::{
    EvenstridePlugins, Remote, RemoteClock, RemoteTime, RemoteUpdate, RemotesPlugin,
    evenstride::generic::SenderClock,
};
use bevy_math::{Quat, Vec3};
use bevy_transform::{TransformPlugin, components::Transform};

/// Ticks of the server per second.
const TICKS: f64 = 64.0;

/// Ticks between two snapshots.
const INTERVAL: u32 = 6;

/// Ticks that a snapshot is under way.
const LATENCY: u32 = 5;

/// A replicated component. The networking crate writes it when a snapshot arrives.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Replicated {
    /// Tick of the snapshot.
    tick: u32,
    pub(crate) position: Vec3,
    rotation: Quat,
    velocity: Vec3,
}

/// The networking crate's estimate of the present tick of the server.
#[derive(Resource, Default)]
pub(crate) struct ServerTick(pub(crate) u32);

fn main() {
    let mut app = new_app();
    for frame in 0..=192u32 {
        app.update();
        if frame % 16 == 0 {
            let tick = app.world().resource::<ServerTick>().0;
            let mut ships = app.world_mut().query_filtered::<&Transform, With<Remote>>();
            for ship in ships.iter(app.world()) {
                let off = ship.translation.distance(truth(tick).position);
                println!(
                    "{:.2} s: {:.2}, {off:.2} m from the truth",
                    f64::from(tick) / TICKS,
                    ship.translation
                );
            }
        }
    }
}

/// Returns the game.
pub(crate) fn new_app() -> App {
    let mut app = App::new();
    // Snapshots are drawn where the entity is at the server's present tick, not where it was.
    let remotes = RemotesPlugin::three_d().with(|config| config.sender_clock = SenderClock::Shared);
    app.add_plugins((TransformPlugin, EvenstridePlugins.set(remotes.clock(RemoteClock::Manual))));
    app.init_resource::<ServerTick>();
    app.add_systems(Startup, spawn)
        .add_systems(PreUpdate, network)
        .add_systems(Update, (follow_clock, forward));
    app
}

/// Takes the network's time as the clock of all remotes.
pub(crate) fn follow_clock(tick: Res<ServerTick>, mut time: ResMut<RemoteTime>) {
    time.0 = f64::from(tick.0) / TICKS;
}

/// Turns each snapshot into an update.
pub(crate) fn forward(
    snapshots: Query<(Entity, &Replicated), Changed<Replicated>>,
    mut updates: MessageWriter<RemoteUpdate>,
) {
    for (entity, snapshot) in &snapshots {
        let update = RemoteUpdate::new(entity, (snapshot.position, snapshot.rotation));
        updates.write(update.moving(snapshot.velocity).sent_at(f64::from(snapshot.tick) / TICKS));
    }
}

/// Spawns the entity, as the networking crate does when it hears of it.
fn spawn(mut commands: Commands) {
    commands.spawn((Remote::new(), truth(0)));
}

/// Delivers a snapshot every few ticks. The networking crate does this.
fn network(mut tick: ResMut<ServerTick>, mut replicated: Query<&mut Replicated>) {
    tick.0 += 1;
    let Some(sent) = tick.0.checked_sub(LATENCY).filter(|sent| sent.is_multiple_of(INTERVAL)) else { return };
    for mut component in &mut replicated {
        *component = truth(sent);
    }
}

/// Returns where the ship is at a tick: on a circle of 10 m, at 5 m/s.
pub(crate) fn truth(tick: u32) -> Replicated {
    let angle = (0.5 * f64::from(tick) / TICKS) as f32;
    let (sin, cos) = angle.sin_cos();
    Replicated {
        tick,
        position: Vec3::new(10.0 * cos, 0.0, -10.0 * sin),
        rotation: Quat::from_rotation_y(angle),
        velocity: Vec3::new(-5.0 * sin, 0.0, -5.0 * cos),
    }
}
