//! What to expect at 1, 5, 10 and 20 updates per second, measured on the transforms of an app.
//!
//! ```sh
//! cargo run --release --example expect
//! cargo run --release --example expect -- 11-16   # other seeds
//! ```
//!
//! A runner (5 m/s, sharp turns, rests) and a vehicle (up to 15 m/s) move about for two minutes. The
//! link has 80 to 180 ms of latency and loses 2 %. The game sends positions and rotations, then also
//! times of sending by a synchronized clock, then also velocities.

use std::error::Error;

use bevy_app::{App, PluginGroup};
use bevy_evenstride::{
    EvenstridePlugins, Remote, RemoteClock, RemotePose, RemoteTime, RemoteUpdate, RemotesPlugin,
    evenstride::generic::SenderClock,
};
use bevy_math::{DVec3, Quat, Vec3};
use bevy_transform::components::Transform;
use evenstride_trials::{Arrival, At, Drawn, FPS, Line, Mover, Score, measure};

/// What the game sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sends {
    Positions,
    Times,
    Velocities,
}

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = std::env::args().nth(1).unwrap_or_else(|| "1-4".to_owned());
    let (first, last) = seeds.split_once('-').ok_or("seeds look like 1-4")?;
    let seeds: Vec<u64> = (first.parse()?..=last.parse()?).collect();
    println!("| mover | updates/s | sent | behind s | mean error m | p95 m | frozen % | jerk m/s³ |");
    println!("|---|---|---|---|---|---|---|---|");
    for mover in [Mover::Runner, Mover::Vehicle] {
        for rate in [1.0, 5.0, 10.0, 20.0] {
            for (sends, name) in [
                (Sends::Positions, "positions"),
                (Sends::Times, "and times"),
                (Sends::Velocities, "and velocities"),
            ] {
                let line = Line::new(rate).losing(0.02);
                let scores = seeds.iter().map(|&seed| {
                    let course = mover.course(seed, 120.0);
                    measure(&course, &drawn(&line.deliver(&course, seed), course.len(), sends))
                });
                let score = Score::mean_of(&scores.collect::<Vec<_>>());
                println!(
                    "| {mover:?} | {rate} | {name} | {:.2} | {:.2} | {:.2} | {:.1} | {:.0} |",
                    score.behind_rounded(),
                    score.mean,
                    score.p95,
                    score.frozen,
                    score.jerk
                );
            }
        }
    }
    Ok(())
}

/// Returns the translations of a remote, one per frame.
fn drawn(arrivals: &[Arrival], frames: usize, sends: Sends) -> Drawn {
    let remotes = RemotesPlugin::three_d().clock(RemoteClock::Manual);
    let remotes = remotes.with(|config| config.sender_clock = SenderClock::Shared);
    let mut app = App::new();
    app.add_plugins(EvenstridePlugins.set(remotes));
    let remote = app.world_mut().spawn(Remote::new()).id();
    let mut arrivals = arrivals.iter().peekable();
    let mut is_known = false;
    let frame = |number: usize| {
        let now = number as f64 / FPS;
        app.world_mut().resource_mut::<RemoteTime>().0 = now;
        while let Some(arrival) = arrivals.next_if(|arrival| arrival.arrived <= now) {
            let update = RemoteUpdate::new(remote, pose(&arrival.at));
            let update = if sends >= Sends::Times {
                update.sent_at(arrival.sent)
            } else {
                update.numbered(arrival.number)
            };
            let [x, y, z] = arrival.at.velocity().map(|speed| speed as f32);
            let velocity = (sends == Sends::Velocities).then_some(Vec3::new(x, z, -y));
            app.world_mut().write_message(RemoteUpdate { velocity, ..update });
            is_known = true;
        }
        app.update();
        let transform = app.world().get::<Transform>(remote).filter(|_| is_known)?;
        let [x, y, z] = transform.translation.as_dvec3().to_array();
        Some([x, -z, y])
    };
    (0..frames).map(frame).collect()
}

/// Returns a pose with y up and −z ahead.
fn pose(at: &At) -> RemotePose {
    let [x, y, z] = at.place;
    RemotePose { position: DVec3::new(x, z, -y), rotation: Quat::from_rotation_y(-at.heading as f32) }
}
