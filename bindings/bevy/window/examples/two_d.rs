//! Tanks seen from above, heard of twice per second.
//!
//! ```sh
//! cd bindings/bevy/window
//! cargo run --example two_d
//! ```

use bevy::prelude::*;
use bevy_evenstride::{EvenstridePlugins, Remote, RemoteSystems, RemotesPlugin};
use bevy_evenstride_window::{Actor, Line, Method, Server, Shown, StagePlugin, shoot};

const LINE: Line = Line { rate: 2.0, latency: 0.05, jitter: 0.1, loss: 0.02 };
const ACTORS: u8 = 4;
/// Pixels per metre.
const PIXELS: f32 = 34.0;

fn main() -> AppExit {
    let title = "white: the truth · green: Evenstride · orange: a snapshot buffer · red: last heard";
    let window = Window { title: title.into(), resolution: (1280, 720).into(), ..default() };
    let mut app = App::new();
    let remotes = RemotesPlugin::two_d().with(|config| config.units_per_metre = f64::from(PIXELS));
    app.add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins((EvenstridePlugins.set(remotes), StagePlugin { place }))
        .insert_resource(Server::new(ACTORS, LINE))
        .insert_resource(ClearColor(Color::srgb(0.08, 0.1, 0.13)))
        .add_systems(Startup, set_up)
        .add_systems(PostUpdate, draw_lines.after(RemoteSystems::Draw));
    shoot(&mut app);
    app.run()
}

/// Puts an actor on the screen. A sprite without a rotation faces right.
fn place(actor: &Actor) -> Transform {
    let at = actor.place * PIXELS;
    Transform::from_xyz(at.x, at.y, 0.0).with_rotation(Quat::from_rotation_z(actor.heading))
}

fn set_up(mut commands: Commands) {
    commands.spawn(Camera2d);
    for method in Method::ALL {
        for number in 0..usize::from(ACTORS) {
            let sprite = Sprite::from_color(method.color(), Vec2::new(0.9, 0.5) * PIXELS);
            let mut figure = commands.spawn((method, Shown(number), sprite, Transform::default()));
            if method == Method::Evenstride {
                // Layer 1 is above the rivals, and is kept.
                figure.insert((Remote::with_id(number as u64), Transform::from_xyz(0.0, 0.0, 1.0)));
            }
        }
    }
}

/// Draws a line from each figure to the truth.
fn draw_lines(mut gizmos: Gizmos, figures: Query<(&Method, &Shown, &Transform)>) {
    for (method, shown, transform) in &figures {
        let truth = figures.iter().find(|(method, other, _)| **method == Method::Truth && other.0 == shown.0);
        if let Some((_, _, truth)) = truth {
            gizmos.line_2d(transform.translation.truncate(), truth.translation.truncate(), method.color());
        }
    }
}
