//! A game that is not Asheron's Call, through the generic API. It has flat coordinates, the
//! engine's own axes and sequence numbers.
//!
//! ```sh
//! cargo run --release -p evenstride --example plain_game
//! ```
//!
//! A rover drives around a circle with a radius of 20 m at 6 m/s. In its engine y is up and −z is
//! forward, as in Bevy, Godot and three.js. Its server sends a position **once per second** over a
//! bad link. Every seventh packet is lost, and every fifth arrives a quarter of a second late.
//!
//! The rover is drawn at 60 frames per second. At the end, the drawn path is compared with the true
//! one. It is also compared with two common methods. One draws the rover where the last packet
//! says. The other draws it 1.3 s in the past, on straight lines between packets.

use std::{error::Error, f64::consts::TAU, io::Write};

use evenstride::{
    generic::{Axes, Order, PlainConfig, PlainPose, PlainUpdate, PlainWorld},
    types::SimTime,
};

const ROVER: u64 = 1;
const RADIUS: f64 = 20.0;
const SPEED: f64 = 6.0;

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout())
}

/// Drives for a minute and prints how smooth the motion was.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let config = PlainConfig::default().with(|config| config.axes = Axes::YUpMinusZForward);
    let mut world = PlainWorld::new(config, SimTime::ZERO);
    let mut packets = packets().into_iter().peekable();
    let [mut ours, mut snapped, mut delayed] = [Smoothness::default(); 3];
    let mut heard: Vec<(f64, [f64; 3])> = Vec::new();

    for frame in 0..3_600u32 {
        let now = SimTime::from_secs(f64::from(frame) / 60.0)?;
        world.advance(now);
        while let Some(packet) = packets.next_if(|packet| packet.arrives <= now.as_secs()) {
            // The first update creates the entity. Old updates are recognized by their number.
            let answer = world.update(now, ROVER, &packet.update)?;
            if !matches!(answer, evenstride::Disposition::Ignored(_)) {
                heard.push((packet.sent, packet.update.pose.position));
            }
            if frame < 600 {
                writeln!(out, "{:5.2} s  {:?}: {answer}", now.as_secs(), packet.update.order)?;
            }
        }
        let (Some(drawn), Some(&(_, last))) = (world.drawn(ROVER, now), heard.last()) else { continue };
        let truth = state_at(now.as_secs(), 0).pose.position;
        ours.frame(drawn.position, truth);
        snapped.frame(last, truth);
        delayed.frame(in_the_past(&heard, now.as_secs() - 1.3), truth);
    }
    writeln!(
        out,
        "true stride a frame {:.3} m        longest, standing still, from the truth: mean, most",
        SPEED / 60.0
    )?;
    writeln!(out, "drawn by evenstride           {ours}")?;
    writeln!(out, "drawn where heard             {snapped}")?;
    writeln!(out, "1.3 s late, straight lines    {delayed}")?;
    Ok(())
}

/// Returns the rover's position at a past time, on the straight line between the packets before and
/// after it.
fn in_the_past(heard: &[(f64, [f64; 3])], then: f64) -> [f64; 3] {
    let after = heard.iter().position(|(sent, _)| *sent > then).unwrap_or(heard.len() - 1);
    let ((from, start), (to, end)) = (heard[after.saturating_sub(1)], heard[after]);
    let part = if to > from { ((then - from) / (to - from)).clamp(0.0, 1.0) } else { 1.0 };
    [0, 1, 2].map(|axis| start[axis] + (end[axis] - start[axis]) * part)
}

struct Packet {
    sent: f64,
    arrives: f64,
    update: PlainUpdate,
}

/// Returns a minute of packets, in the order in which they arrive.
fn packets() -> Vec<Packet> {
    let mut packets: Vec<Packet> = (0..60u64)
        .filter(|number| number % 7 != 6)
        .map(|number| {
            let sent = number as f64;
            let late = if number % 5 == 4 { 0.25 } else { 0.05 };
            Packet { sent, arrives: sent + late, update: state_at(sent, number) }
        })
        .collect();
    packets.sort_by(|a, b| a.arrives.total_cmp(&b.arrives));
    packets
}

/// Returns the true position, rotation and velocity of the rover, with x right, y up and −z
/// forward.
fn state_at(secs: f64, number: u64) -> PlainUpdate {
    let angle = SPEED * secs / RADIUS % TAU;
    let (sin, cos) = angle.sin_cos();
    // Counter-clockwise from above is a positive turn about the upward axis.
    let (half_sin, half_cos) = (angle / 2.0).sin_cos();
    PlainUpdate {
        pose: PlainPose {
            position: [RADIUS * cos, 0.0, -RADIUS * sin],
            rotation: [0.0, half_sin as f32, 0.0, half_cos as f32],
        },
        velocity: Some([(-SPEED * sin) as f32, 0.0, (-SPEED * cos) as f32]),
        order: Order::Sequence(number),
        teleports: false,
    }
}

/// Statistics of the distance moved per frame, and of the distance from the true position.
#[derive(Clone, Copy, Default)]
struct Smoothness {
    last: Option<[f64; 3]>,
    longest: f64,
    still: u32,
    frames: u32,
    error_sum: f64,
    error_most: f64,
}

impl Smoothness {
    fn frame(&mut self, at: [f64; 3], truth: [f64; 3]) {
        if let Some(last) = self.last {
            let moved = distance(at, last);
            self.longest = self.longest.max(moved);
            self.still += u32::from(moved < 1e-6);
            self.frames += 1;
            let error = distance(at, truth);
            self.error_sum += error;
            self.error_most = self.error_most.max(error);
        }
        self.last = Some(at);
    }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

impl std::fmt::Display for Smoothness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let frames = f64::from(self.frames.max(1));
        let (still, error) = (100.0 * f64::from(self.still) / frames, self.error_sum / frames);
        write!(f, "{:10.3} m {still:12.0} % {error:20.2} m {:5.2} m", self.longest, self.error_most)
    }
}
