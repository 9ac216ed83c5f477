//! What to expect of a game that sends positions alone, without velocities.
//!
//! ```sh
//! cargo run --release -p evenstride_arena --example positions_only
//! cargo run --release -p evenstride_arena --example positions_only -- 11-16   # other seeds
//! ```
//!
//! A walker, a runner and a vehicle move about for two minutes. A link with 80 to 180 ms of latency
//! brings their positions 1 to 20 times per second and loses up to 10 % of them. `PlainWorld` draws
//! them at 60 frames per second, with its default profile and with `SMOOTH`. A snapshot buffer, which
//! is one and a half intervals and the jitter late, stands beside them.

use std::{error::Error, f64::consts::TAU};

use evenstride::{
    Config,
    generic::{PlainConfig, PlainPose, PlainUpdate, PlainWorld},
    types::SimTime,
};
use evenstride_link::{Link, LinkConfig, Random};

const SECONDS: f64 = 120.0;
const FPS: f64 = 60.0;
const LATENCY: f64 = 0.08;
const JITTER: f64 = 0.1;
const ENTITY: u64 = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = std::env::args().nth(1).unwrap_or_else(|| "1-4".to_owned());
    let (first, last) = seeds.split_once('-').ok_or("seeds look like 1-4")?;
    let seeds: Vec<u64> = (first.parse()?..=last.parse()?).collect();
    println!(
        "| mover | updates/s | loss | frozen % | mean error m | p95 m | jerk m/s³ | reversals/min | smooth: frozen % | mean m | jerk | buffer: late s | mean m | jerk |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for mover in [Mover::Walker, Mover::Runner, Mover::Vehicle] {
        for rate in [1.0, 2.0, 5.0, 10.0, 20.0] {
            for loss in [0.0, 0.02, 0.1] {
                row(mover, rate, loss, &seeds)?;
            }
        }
    }
    Ok(())
}

/// Prints the means over some seeds.
fn row(mover: Mover, rate: f64, loss: f64, seeds: &[u64]) -> Result<(), Box<dyn Error>> {
    let mut sums = [Measured::default(); 3];
    let late = 1.5 / rate + JITTER + LATENCY;
    for &seed in seeds {
        let path = mover.path(seed);
        let heard = deliver(&path, rate, loss, seed)?;
        let drawn =
            [drawn_by(Config::GLIDE, &heard)?, drawn_by(Config::SMOOTH, &heard)?, buffered(&heard, late)];
        for (sum, drawn) in sums.iter_mut().zip(&drawn) {
            sum.add(&measure(&path, drawn));
        }
    }
    let [ours, smooth, buffer] = sums.map(|sum| sum.over(seeds.len() as f64));
    println!(
        "| {mover:?} | {rate} | {} % | {:.1} | {:.2} | {:.2} | {:.0} | {:.1} | {:.1} | {:.2} | {:.0} | {late:.2} | {:.2} | {:.0} |",
        loss * 100.0,
        ours.frozen,
        ours.mean,
        ours.p95,
        ours.jerk,
        ours.reversals,
        smooth.frozen,
        smooth.mean,
        smooth.jerk,
        buffer.mean,
        buffer.jerk,
    );
    Ok(())
}

#[derive(Clone, Copy, Debug)]
enum Mover {
    /// 1.5 m/s. Turns by up to 120° every two to five seconds, and rests now and then.
    Walker,
    /// 5 m/s. The same every one and a half to four seconds.
    Runner,
    /// Up to 15 m/s. Follows bends at up to 40°/s, brakes and accelerates at 4 m/s².
    Vehicle,
}

/// A moment of a path.
#[derive(Clone, Copy, Debug)]
struct At {
    place: [f64; 2],
    heading: f64,
    speed: f64,
}

impl Mover {
    /// Returns the place in every frame.
    fn path(self, seed: u64) -> Vec<At> {
        let mut random = Random::seeded(seed.wrapping_mul(0x9E37_79B9) ^ self as u64);
        let mut at = At { place: [0.0; 2], heading: 0.0, speed: 0.0 };
        let (mut goal, mut wish, mut turn, mut next) = (0.0, 0.0, 0.0, 0.0);
        let (top, gain, rate) = match self {
            Self::Walker => (1.5, 6.0, 4.0),
            Self::Runner => (5.0, 15.0, 6.0),
            Self::Vehicle => (15.0, 4.0, 0.7),
        };
        (0..(SECONDS * FPS) as usize)
            .map(|frame| {
                let now = frame as f64 / FPS;
                if now >= next {
                    let span = if matches!(self, Self::Runner) { 1.5..4.0 } else { 2.0..5.0 };
                    next = now + span.start + random.unit() * (span.end - span.start);
                    let rests = random.unit() < 0.15;
                    wish = if rests {
                        0.0
                    } else {
                        top * if matches!(self, Self::Vehicle) { 0.4 + 0.6 * random.unit() } else { 1.0 }
                    };
                    turn = (random.unit() - 0.5) * 2.0 * rate;
                    goal = at.heading + (random.unit() - 0.5) * TAU * 2.0 / 3.0;
                }
                at.speed += (wish - at.speed).clamp(-gain / FPS, gain / FPS);
                at.heading += match self {
                    Self::Vehicle => turn * (at.speed / top) / FPS,
                    _ => (goal - at.heading).clamp(-rate / FPS, rate / FPS),
                };
                at.place[0] += at.heading.sin() * at.speed / FPS;
                at.place[1] += at.heading.cos() * at.speed / FPS;
                at
            })
            .collect()
    }
}

/// A position that arrived: when, when it was sent, its number and the place.
struct Heard {
    arrived: f64,
    sent: f64,
    number: u64,
    at: At,
}

/// Sends positions over a bad link.
fn deliver(path: &[At], rate: f64, loss: f64, seed: u64) -> Result<Vec<Heard>, Box<dyn Error>> {
    let config = LinkConfig {
        seed,
        latency_secs: LATENCY + JITTER / 2.0,
        jitter_secs: JITTER / 2.0,
        loss,
        ..LinkConfig::PERFECT
    };
    let mut link = Link::new(config)?;
    let count = (SECONDS * rate) as u64;
    let sent_at = |number: u64| number as f64 / rate;
    for number in 0..count {
        link.send(sent_at(number), number.to_le_bytes().to_vec());
    }
    let mut heard = Vec::new();
    while let Some(arrived) = link.receive(SECONDS + 60.0) {
        let number = u64::from_le_bytes(arrived.bytes.as_slice().try_into()?);
        let sent = sent_at(number);
        heard.push(Heard { arrived: arrived.at, sent, number, at: path[(sent * FPS) as usize] });
    }
    Ok(heard)
}

/// Returns the places that a plain world draws, from the first position on.
fn drawn_by(motion: Config, heard: &[Heard]) -> Result<Vec<Option<[f64; 2]>>, Box<dyn Error>> {
    let mut world =
        PlainWorld::new(PlainConfig::default().with(|config| config.motion = motion), SimTime::ZERO);
    let mut heard = heard.iter().peekable();
    let mut drawn = Vec::new();
    for frame in 0..(SECONDS * FPS) as u32 {
        let now = SimTime::from_secs(f64::from(frame) / FPS)?;
        world.advance(now);
        while let Some(one) = heard.next_if(|one| one.arrived <= now.as_secs()) {
            // Clockwise from above is a negative turn about z.
            let (sin, cos) = (-one.at.heading / 2.0).sin_cos();
            let pose = PlainPose {
                position: [one.at.place[0], one.at.place[1], 0.0],
                rotation: [0.0, 0.0, sin as f32, cos as f32],
            };
            let _ = world.update(now, ENTITY, &PlainUpdate::new(pose).numbered(one.number))?;
        }
        drawn.push(world.drawn(ENTITY, now).map(|pose| [pose.position[0], pose.position[1]]));
    }
    Ok(drawn)
}

/// Returns the places on straight lines between positions, some seconds in the past.
fn buffered(heard: &[Heard], late: f64) -> Vec<Option<[f64; 2]>> {
    (0..(SECONDS * FPS) as u32)
        .map(|frame| {
            let now = f64::from(frame) / FPS;
            let mut known: Vec<&Heard> =
                heard.iter().filter(|one| one.arrived <= now && one.sent > now - late - 6.0).collect();
            known.sort_by(|a, b| a.sent.total_cmp(&b.sent));
            let then = now - late;
            let after = known.iter().position(|one| one.sent > then);
            match after {
                None => known.last().map(|one| one.at.place),
                Some(0) => known.first().map(|one| one.at.place),
                Some(index) => {
                    let (a, b) = (known[index - 1], known[index]);
                    let part = (then - a.sent) / (b.sent - a.sent);
                    Some([0, 1].map(|axis| a.at.place[axis] + (b.at.place[axis] - a.at.place[axis]) * part))
                }
            }
        })
        .collect()
}

#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    frozen: f64,
    mean: f64,
    p95: f64,
    jerk: f64,
    reversals: f64,
}

impl Measured {
    fn add(&mut self, other: &Self) {
        self.frozen += other.frozen;
        self.mean += other.mean;
        self.p95 += other.p95;
        self.jerk += other.jerk;
        self.reversals += other.reversals;
    }

    fn over(self, count: f64) -> Self {
        Self {
            frozen: self.frozen / count,
            mean: self.mean / count,
            p95: self.p95 / count,
            jerk: self.jerk / count,
            reversals: self.reversals / count,
        }
    }
}

/// Compares drawn places with the truth, after the first five seconds. The definitions are those of
/// `docs/scorecard.md`.
fn measure(path: &[At], drawn: &[Option<[f64; 2]>]) -> Measured {
    let skip = (5.0 * FPS) as usize;
    let pairs: Vec<(At, [f64; 2])> =
        path.iter().zip(drawn).skip(skip).filter_map(|(at, drawn)| Some((*at, (*drawn)?))).collect();
    let length = |way: [f64; 2]| way[0].hypot(way[1]);
    let from = |a: [f64; 2], b: [f64; 2]| [b[0] - a[0], b[1] - a[1]];
    let (mut moving, mut frozen) = (0, 0);
    let mut velocities = Vec::new();
    for pair in pairs.windows(2) {
        let velocity = from(pair[0].1, pair[1].1).map(|way| way * FPS);
        if pair[1].0.speed > 0.2 {
            moving += 1;
            frozen += usize::from(length(velocity) < 0.06);
        }
        velocities.push(velocity);
    }
    let mut errors: Vec<f64> = pairs.iter().map(|(at, drawn)| length(from(at.place, *drawn))).collect();
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    errors.sort_by(f64::total_cmp);
    // Third differences between samples of 1/20 s.
    let samples: Vec<[f64; 2]> = pairs.iter().step_by(3).map(|(_, drawn)| *drawn).collect();
    let third = samples
        .windows(4)
        .map(|x| [0, 1].map(|axis| x[3][axis] - 3.0 * x[2][axis] + 3.0 * x[1][axis] - x[0][axis]));
    let (sum, count) =
        third.fold((0.0, 0.0), |(sum, count), d| (sum + d[0] * d[0] + d[1] * d[1], count + 1.0));
    let window = (0.3 * FPS) as usize;
    let (mut reversals, mut blocked) = (0, 0);
    for (index, now) in velocities.iter().enumerate() {
        if index < blocked || length(*now) < 0.2 {
            continue;
        }
        let is_back = |before: &[f64; 2]| {
            length(*before) > 0.2
                && now[0] * before[0] + now[1] * before[1] < -0.5 * length(*now) * length(*before)
        };
        if velocities[index.saturating_sub(window)..index].iter().any(is_back) {
            reversals += 1;
            blocked = index + window;
        }
    }
    Measured {
        frozen: 100.0 * frozen as f64 / f64::max(1.0, moving as f64),
        mean,
        p95: errors[errors.len() * 95 / 100],
        jerk: (sum / count).sqrt() * 20.0_f64.powi(3),
        reversals: f64::from(reversals) * 60.0 / SECONDS,
    }
}
