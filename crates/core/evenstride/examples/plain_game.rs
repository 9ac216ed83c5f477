//! A game that is not Asheron's Call, through the plain door: flat coordinates, the engine's own axes, sequence numbers.
//!
//! ```sh
//! cargo run --release -p evenstride --example plain_game
//! ```
//!
//! A rover drives round a circle of 20 m at 6 m/s in an engine where y is up and −z is forward (Bevy, Godot, three.js). Its server sends
//! a position **once a second**, and the link is a bad one: every seventh packet is lost, every fifth comes a quarter of a second late. The
//! rover is drawn at 60 frames a second. At the end we compare what was drawn with what people would do without this crate: put the
//! rover where the last packet says.

use std::{error::Error, f64::consts::TAU, io::Write};

use evenstride::{
    Axes, Order, PlainConfig, PlainPose, PlainUpdate, PlainWorld,
    types::{EntityId, SimTime},
};

const ROVER: EntityId = EntityId::new(1);
const RADIUS: f64 = 20.0;
const SPEED: f64 = 6.0;

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout())
}

/// Drives for a minute and tells how smooth that was.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let config = PlainConfig { axes: Axes::YUpMinusZForward, ..PlainConfig::default() };
    let mut world = PlainWorld::new(config, SimTime::ZERO);
    let mut packets = packets().into_iter().peekable();
    let (mut ours, mut snapped) = (Smoothness::default(), Smoothness::default());
    let mut last_heard = None;

    for frame in 0..3_600u32 {
        let now = SimTime::from_secs(f64::from(frame) / 60.0)?;
        world.advance(now);
        while let Some(packet) = packets.next_if(|packet| packet.arrives <= now.as_secs()) {
            // The first update makes the entity; old ones are told apart by their number.
            let answer = world.update(now, ROVER, &packet.update)?;
            if !matches!(answer, evenstride::Disposition::Ignored(_)) {
                last_heard = Some(packet.update.pose.position);
            }
            if frame < 600 {
                writeln!(out, "{:5.2} s  {:?}: {answer:?}", now.as_secs(), packet.update.order)?;
            }
        }
        let (Some(drawn), Some(heard)) = (world.drawn(ROVER, now), last_heard) else { continue };
        ours.frame(drawn.position);
        snapped.frame(heard);
    }
    writeln!(out, "true distance a frame: {:.3} m", SPEED / 60.0)?;
    writeln!(out, "drawn by evenstride:   {ours}")?;
    writeln!(out, "drawn where heard:     {snapped}")?;
    Ok(())
}

struct Packet {
    arrives: f64,
    update: PlainUpdate,
}

/// A minute of packets, in the order in which they arrive.
fn packets() -> Vec<Packet> {
    let mut packets: Vec<Packet> = (0..60u64)
        .filter(|number| number % 7 != 6)
        .map(|number| {
            let sent = number as f64;
            let late = if number % 5 == 4 { 0.25 } else { 0.05 };
            Packet { arrives: sent + late, update: state_at(sent, number) }
        })
        .collect();
    packets.sort_by(|a, b| a.arrives.total_cmp(&b.arrives));
    packets
}

/// Where the rover truly is, which way it points and how fast it goes: x right, y up, −z forward.
fn state_at(secs: f64, number: u64) -> PlainUpdate {
    let angle = SPEED * secs / RADIUS % TAU;
    let (sin, cos) = angle.sin_cos();
    // Counter-clockwise, seen from above: a positive turn about the upward axis.
    let (half_sin, half_cos) = (angle / 2.0).sin_cos();
    PlainUpdate {
        pose: PlainPose {
            position: [RADIUS * cos, 0.0, -RADIUS * sin],
            rotation: [0.0, half_sin as f32, 0.0, half_cos as f32],
        },
        velocity: [(-SPEED * sin) as f32, 0.0, (-SPEED * cos) as f32],
        order: Order::Sequence(number),
        teleports: false,
    }
}

/// How far something moved from frame to frame.
#[derive(Default)]
struct Smoothness {
    last: Option<[f64; 3]>,
    longest: f64,
    still: u32,
    frames: u32,
}

impl Smoothness {
    fn frame(&mut self, at: [f64; 3]) {
        if let Some(last) = self.last {
            let moved = at.iter().zip(last).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
            self.longest = self.longest.max(moved);
            self.still += u32::from(moved < 1e-6);
            self.frames += 1;
        }
        self.last = Some(at);
    }
}

impl std::fmt::Display for Smoothness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let still = 100.0 * f64::from(self.still) / f64::from(self.frames.max(1));
        write!(
            f,
            "longest jump between frames {:.3} m, standing still in {still:.0} % of frames",
            self.longest
        )
    }
}
