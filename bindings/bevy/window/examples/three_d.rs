//! Walkers in three dimensions, heard of twice per second.
//!
//! ```sh
//! cd bindings/bevy/window
//! cargo run --example three_d
//! ```

use bevy::{
    core_pipeline::tonemapping::{DebandDither, Tonemapping},
    prelude::*,
};
use bevy_evenstride::{EvenstridePlugins, Remote, RemoteSystems};
use bevy_evenstride_window::{Actor, FLOOR, Line, Method, Server, Shown, StagePlugin, shoot};

const LINE: Line = Line { rate: 2.0, latency: 0.05, jitter: 0.1, loss: 0.02 };
const ACTORS: u8 = 4;

fn main() -> AppExit {
    let title = "white: the truth · green: Evenstride · orange: a snapshot buffer · red: last heard";
    let window = Window { title: title.into(), resolution: (1280, 720).into(), ..default() };
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins((EvenstridePlugins, StagePlugin { place }))
        .insert_resource(Server::new(ACTORS, LINE))
        .insert_resource(ClearColor(Color::srgb(0.08, 0.1, 0.13)))
        .add_systems(Startup, set_up)
        .add_systems(PostUpdate, draw_lines.after(RemoteSystems::Draw));
    shoot(&mut app);
    app.run()
}

/// Puts an actor on the ground, with y up and −z ahead.
fn place(actor: &Actor) -> Transform {
    let turn = Quat::from_rotation_y(actor.heading - std::f32::consts::FRAC_PI_2);
    Transform::from_xyz(actor.place.x, 0.5, -actor.place.y).with_rotation(turn)
}

fn set_up(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let floor = meshes.add(Plane3d::default().mesh().size(2.2 * FLOOR, 2.2 * FLOOR));
    let grey = materials.add(StandardMaterial {
        base_color: Color::srgb(0.2, 0.23, 0.27),
        perceptual_roughness: 1.0,
        ..default()
    });
    commands.spawn((Mesh3d(floor), MeshMaterial3d(grey)));
    commands.spawn((
        DirectionalLight { illuminance: 9_000.0, shadow_maps_enabled: true, ..default() },
        Transform::from_xyz(6.0, 14.0, 8.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    commands.spawn((
        Camera3d::default(),
        Tonemapping::None,
        DebandDither::Disabled,
        Transform::from_xyz(0.0, 14.0, 17.0).looking_at(Vec3::new(0.0, 0.0, 1.0), Vec3::Y),
    ));
    let body = meshes.add(Cuboid::new(0.5, 1.0, 0.9));
    for method in Method::ALL {
        let paint = materials.add(StandardMaterial { base_color: method.color(), ..default() });
        for number in 0..usize::from(ACTORS) {
            let figure = (method, Shown(number), Mesh3d(body.clone()), MeshMaterial3d(paint.clone()));
            let mut figure = commands.spawn((figure, Transform::from_xyz(0.0, 0.5, 0.0)));
            if method == Method::Evenstride {
                figure.insert(Remote::with_id(number as u64));
            }
        }
    }
}

/// Draws a line from each figure to the truth.
fn draw_lines(mut gizmos: Gizmos, figures: Query<(&Method, &Shown, &Transform)>) {
    for (method, shown, transform) in &figures {
        let truth = figures.iter().find(|(method, other, _)| **method == Method::Truth && other.0 == shown.0);
        if let Some((_, _, truth)) = truth {
            let up = Vec3::Y * 0.55;
            gizmos.line(transform.translation + up, truth.translation + up, method.color());
        }
    }
}
