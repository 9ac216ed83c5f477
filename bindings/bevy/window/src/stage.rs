//! The client: what is drawn of each actor, and the picture of it.

use std::{collections::VecDeque, path::PathBuf};

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, save_to_disk},
};
use bevy_evenstride::{Remote, RemoteUpdate};

use crate::server::{Actor, Server};

/// How a figure is drawn.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Where the actor truly is.
    Truth,
    /// By Evenstride, whose plugin writes the transform.
    Evenstride,
    /// On straight lines between updates, one and a half intervals and the latency late.
    Buffer,
    /// Where it was last heard.
    Heard,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 4] = [Self::Truth, Self::Evenstride, Self::Buffer, Self::Heard];

    /// Colour of its figures.
    pub fn color(self) -> Color {
        match self {
            Self::Truth => Color::srgb(0.95, 0.95, 0.95),
            Self::Evenstride => Color::srgb(0.2, 0.8, 0.4),
            Self::Buffer => Color::srgb(0.95, 0.6, 0.1),
            Self::Heard => Color::srgb(0.85, 0.25, 0.25),
        }
    }
}

/// The actor that a figure shows, by its number.
#[derive(Component, Clone, Copy, Debug)]
pub struct Shown(pub usize);

/// Moves every figure. `place` puts an actor into the game's own axes.
pub struct StagePlugin {
    /// Returns the transform of an actor.
    pub place: fn(&Actor) -> Transform,
}

/// What the client knows.
#[derive(Resource)]
struct Client {
    place: fn(&Actor) -> Transform,
    now: f32,
    /// Updates with the times of sending, oldest first.
    heard: VecDeque<(f32, Vec<Actor>)>,
}

impl Plugin for StagePlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Client { place: self.place, now: 0.0, heard: VecDeque::new() })
            .add_systems(Update, (receive, draw_rivals).chain());
    }
}

/// Moves the server on, and writes an update for each actor that was heard of.
///
/// These lines are all that a game adds for Evenstride.
fn receive(
    time: Res<Time>,
    mut server: ResMut<Server>,
    mut client: ResMut<Client>,
    mut updates: MessageWriter<RemoteUpdate>,
) {
    client.now += time.delta_secs();
    let arrived = server.advance(time.delta_secs());
    for (number, actors) in arrived {
        for (id, actor) in (0..).zip(&actors) {
            updates.write(RemoteUpdate::new(id, (client.place)(actor)).numbered(number));
        }
        let sent = server.line.sent_secs(number);
        client.heard.push_back((sent, actors));
        client.heard.make_contiguous().sort_by(|a, b| a.0.total_cmp(&b.0));
        if client.heard.len() > 100 {
            client.heard.pop_front();
        }
    }
}

/// Draws the figures that Evenstride does not.
fn draw_rivals(
    server: Res<Server>,
    client: Res<Client>,
    mut figures: Query<(&Method, &Shown, &mut Transform), Without<Remote>>,
) {
    let line = server.line;
    let late = client.now - 1.5 / line.rate - line.latency - line.jitter;
    for (method, shown, mut transform) in &mut figures {
        let fresh = match method {
            Method::Truth => server.actors.get(shown.0).map(client.place),
            Method::Buffer => client.at(shown.0, late),
            Method::Heard => {
                client.heard.back().and_then(|(_, actors)| actors.get(shown.0)).map(client.place)
            }
            Method::Evenstride => None,
        };
        if let Some(fresh) = fresh {
            *transform = fresh.with_scale(transform.scale);
        }
    }
}

impl Client {
    /// Returns the place of an actor in the past, on the line between two updates.
    fn at(&self, actor: usize, then: f32) -> Option<Transform> {
        let after = self.heard.partition_point(|(sent, _)| *sent <= then);
        let place = |index: usize| self.heard.get(index)?.1.get(actor).map(self.place);
        let (Some(from), Some(to)) = (after.checked_sub(1).and_then(place), place(after)) else {
            return place(after.saturating_sub(1));
        };
        let (begin, end) = (self.heard[after - 1].0, self.heard[after].0);
        let part = (then - begin) / (end - begin);
        let rotation = from.rotation.slerp(to.rotation, part);
        Some(Transform { translation: from.translation.lerp(to.translation, part), rotation, ..from })
    }
}

/// Lets a run save a picture and end, for tests and documents: `-- --screenshot FILE` after 6 s.
pub fn shoot(app: &mut App) {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--screenshot").skip(1);
    if let Some(path) = arguments.next() {
        app.insert_resource(Picture { path: path.into(), is_taken: false }).add_systems(Last, take);
    }
}

/// The picture to take.
#[derive(Resource)]
struct Picture {
    path: PathBuf,
    is_taken: bool,
}

/// Seconds after which a picture is taken, and after which the run has failed.
const PICTURE_SECS: f32 = 6.0;
const TIMEOUT_SECS: f32 = 120.0;

fn take(
    time: Res<Time>,
    mut picture: ResMut<Picture>,
    mut exit: MessageWriter<AppExit>,
    mut commands: Commands,
) {
    if !picture.is_taken && time.elapsed_secs() > PICTURE_SECS {
        picture.is_taken = true;
        commands.spawn(Screenshot::primary_window()).observe(save_to_disk(picture.path.clone()));
    }
    // The file is written by another thread.
    if picture.is_taken && picture.path.exists() && time.elapsed_secs() > PICTURE_SECS + 2.0 {
        exit.write(AppExit::Success);
    } else if time.elapsed_secs() > TIMEOUT_SECS {
        exit.write(AppExit::error());
    }
}
