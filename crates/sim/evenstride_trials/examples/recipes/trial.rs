//! A trial of each recipe: its mover, its line, and the stream in the words of its protocol.

use evenstride::{
    generic::{PlainDrawn, PlainWorld},
    types::TimeError,
};
use evenstride_link::{LinkConfig, Random};
use evenstride_trials::{Arrival, Contestant, Drawn, FPS, Line, Mover, Score, measure};

use super::{creatures, drone, players, shooter, vehicle};

/// Drawn place in metres, with z up and y forward.
type Place = Result<Option<[f64; 3]>, TimeError>;

/// A recipe with its trial.
pub(crate) struct Trial {
    pub(crate) name: &'static str,
    /// Text of the recipe.
    pub(crate) source: &'static str,
    pub(crate) mover: Mover,
    pub(crate) line: Line,
    /// Standard deviation of received positions in metres.
    noise: f64,
    new_world: fn() -> PlainWorld,
    hear: fn(&mut PlainWorld, &Arrival) -> Result<(), TimeError>,
    /// Draws a frame.
    draw: fn(&mut PlainWorld, f64) -> Place,
}

/// Returns every recipe.
pub(crate) fn trials() -> [Trial; 5] {
    let line = |rate, link| Line::new(rate).over(link);
    [
        Trial {
            name: "shooter",
            source: include_str!("shooter.rs"),
            mover: Mover::Runner,
            line: line(20.0, LinkConfig::WIFI_BUSY),
            noise: 0.0,
            new_world: shooter::new_world,
            hear: |world, one| {
                let [x, y, z] = one.at.place;
                let [vx, vy, vz] = one.at.velocity().map(|speed| speed as f32);
                let (sin, cos) = (-one.at.heading / 2.0).sin_cos();
                let enemy = shooter::Enemy {
                    id: 1,
                    position: [x, z, -y],
                    rotation: [0.0, sin as f32, 0.0, cos as f32],
                    velocity: [vx, vz, -vy],
                };
                shooter::enemy(world, one.arrived, one.number, &enemy)
            },
            draw: |world, secs| {
                first(|draw| shooter::frame(world, secs, draw)).map(|at| at.map(|[x, y, z]| [x, -z, y]))
            },
        },
        Trial {
            name: "creatures",
            source: include_str!("creatures.rs"),
            mover: Mover::Walker,
            line: line(5.0, LinkConfig::WIFI_BUSY),
            noise: 0.0,
            new_world: creatures::new_world,
            hear: |world, one| {
                let [x, y, z] = one.at.place;
                let (number, yaw) = (one.number, one.at.heading as f32);
                let creature = creatures::Creature { id: 1, number, position: [x, z, y], yaw };
                creatures::packet(world, one.arrived, &[creature])
            },
            draw: |world, secs| {
                first(|draw| creatures::frame(world, secs, draw)).map(|at| at.map(|[x, y, z]| [x, z, y]))
            },
        },
        Trial {
            name: "vehicle",
            source: include_str!("vehicle.rs"),
            mover: Mover::Vehicle,
            line: line(2.0, LinkConfig::CELLULAR),
            noise: 0.7,
            new_world: vehicle::new_world,
            hear: |world, one| {
                let [east, north, _] = one.at.place;
                let (speed, course) = (one.at.speed as f32, one.at.heading as f32);
                let utc_secs = 1.7e9 + one.sent;
                vehicle::fix(
                    world,
                    one.arrived,
                    &vehicle::Fix { vehicle: 1, utc_secs, east, north, speed, course },
                )
            },
            draw: |world, secs| first(|draw| vehicle::frame(world, secs, draw)),
        },
        Trial {
            name: "players",
            source: include_str!("players.rs"),
            mover: Mover::Runner,
            line: line(1.0, LinkConfig::BROADBAND),
            noise: 0.0,
            new_world: players::new_world,
            hear: |world, one| {
                let (position, heading) = (one.at.place, one.at.heading as f32);
                let (speed, teleports) = (one.at.speed as f32, false);
                let moved = players::Message::Moved { player: 1, position, heading, speed, teleports };
                // Another player comes and goes.
                players::message(world, one.arrived, &players::Message::LoggedOut { player: 2 })?;
                players::message(world, one.arrived, &moved)
            },
            draw: |world, secs| first(|draw| players::frame(world, secs, draw)),
        },
        Trial {
            name: "drone",
            source: include_str!("drone.rs"),
            mover: Mover::Drone,
            line: line(4.0, LinkConfig::CELLULAR),
            noise: 0.0,
            new_world: drone::new_world,
            hear: |world, one| {
                let [x, y, z] = one.at.place;
                let [vx, vy, vz] = one.at.velocity().map(|speed| speed as f32);
                let (sin, cos) = (-one.at.heading / 2.0).sin_cos();
                let report = drone::Report {
                    boot_millis: (1e3 * (one.sent + 600.0)) as u32,
                    position: [y, -x, z],
                    attitude: [0.0, 0.0, sin as f32, cos as f32],
                    velocity: [vy, -vx, vz],
                };
                drone::report(world, one.arrived, &report)
            },
            draw: |world, secs| {
                Ok(drone::frame(world, secs)?.map(|pose| pose.position).map(|[x, y, z]| [-y, x, z]))
            },
        },
    ]
}

/// Returns the place of the only entity that a frame draws.
fn first(frame: impl FnOnce(&mut dyn FnMut(PlainDrawn)) -> Result<(), TimeError>) -> Place {
    let mut place = None;
    frame(&mut |drawn| place = Some(drawn.pose.position))?;
    Ok(place)
}

/// Length of a course in seconds.
const SECONDS: f64 = 120.0;

impl Trial {
    /// Returns the lines that a user writes. Blank lines and comments do not count.
    pub(crate) fn lines_of_code(&self) -> usize {
        let lines = self.source.lines().map(str::trim);
        lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
    }

    /// Returns the mean scores of the recipe, of lightyear's buffer and of Mirror's.
    pub(crate) fn scores(&self, seeds: &[u64]) -> [Score; 3] {
        let mut scores: [Vec<Score>; 3] = Default::default();
        for &seed in seeds {
            let course = self.mover.course(seed, SECONDS);
            let mut arrivals = self.line.deliver(&course, seed);
            self.disturb(&mut arrivals, seed);
            scores[0].push(measure(&course, &self.drawn(&arrivals, course.len())));
            for (index, rival) in
                [Contestant::Lightyear(self.line), Contestant::Mirror(self.line)].iter().enumerate()
            {
                scores[1 + index].push(measure(&course, &rival.draw(&arrivals, &course)));
            }
        }
        scores.map(|scores| Score::mean_of(&scores))
    }

    /// Moves received positions by the noise of the trial.
    fn disturb(&self, arrivals: &mut [Arrival], seed: u64) {
        let mut random = Random::seeded(seed);
        for arrival in arrivals {
            for axis in 0..2 {
                arrival.at.place[axis] += self.noise * random.bell();
            }
        }
    }

    /// Returns the places that the recipe draws. A game reads its socket once per frame, and hears
    /// then what has arrived since.
    fn drawn(&self, arrivals: &[Arrival], frames: usize) -> Drawn {
        let mut world = (self.new_world)();
        let mut arrivals = arrivals.iter().peekable();
        let frame = |number: usize| {
            let now = number as f64 / FPS;
            while let Some(arrival) = arrivals.next_if(|arrival| arrival.arrived <= now) {
                let heard = Arrival { arrived: now, ..*arrival };
                (self.hear)(&mut world, &heard).expect("times of a trial are valid");
            }
            (self.draw)(&mut world, now).expect("times of a trial are valid")
        };
        (0..frames).map(frame).collect()
    }
}
