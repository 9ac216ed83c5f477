//! A spectator without a local player. It plays a recording that begins in the middle of a session,
//! and explains why an entity moved.
//!
//! ```sh
//! cargo run --release -p evenstride --example spectator
//! ```
//!
//! Three things differ from a client.
//!
//! - Distances are measured from a camera (`set_viewpoint`). Bodies more than 96 m from it are not
//!   stepped. Without a camera, `Config::SMOOTH` treats all bodies as near.
//! - The recording contains no descriptions of the entities, because they were sent before it
//!   began. With `UnknownEntityPolicy::Adopt`, the first position of an entity creates it, and its
//!   stamps count from there.
//! - `trace` keeps the decisions about an entity, and `explain` returns them as sentences.

use std::{error::Error, io::Write};

use evenstride::{
    Config, Drawn, Happening, MotionWorld, OpenField,
    config::UnknownEntityPolicy,
    types::{
        CellId, EntityId, Placement, Pose, Rotation, SimTime, Stamp, Vec3,
        update::{PositionPack, PositionUpdate, Update},
    },
};

const WALKER: EntityId = EntityId::new(0x5000_0002);
const TRAVELLER: EntityId = EntityId::new(0x5000_0003);

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout())
}

/// Plays the recording and prints what a viewer would see.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut world = MotionWorld::new(
        Config::SMOOTH.with(|config| config.unknown = UnknownEntityPolicy::Adopt),
        SimTime::ZERO,
    );
    let camera = at(90.0, 80.0)?;
    world.set_viewpoint(Some(camera));
    world.trace(WALKER);

    // One buffer for all bodies to be drawn, reused every frame.
    let mut drawn = [Drawn::EMPTY; 16];
    let mut recording = recording()?.into_iter().peekable();
    let mut snaps = 0;

    for frame in 0..=300u32 {
        let now = SimTime::from_secs(f64::from(frame) / 30.0)?;
        world.advance(now, &OpenField);
        while let Some((_, update)) = recording.next_if(|(time, _)| *time <= now.as_secs()) {
            let _ = world.handle(now, &update, &OpenField);
        }

        // Print snaps as they happen.
        while let Some(event) = world.poll_event() {
            if let Happening::Snapped { reason, metres } = event.kind {
                snaps += 1;
                writeln!(
                    out,
                    "{:5.2} s  {} snapped {metres:.1} m: {reason}",
                    event.at.as_secs(),
                    event.entity
                )?;
            }
        }

        // All bodies at once, relative to the camera. Coordinates are then small enough for `f32`.
        let count = world.drawn_into(now, &mut drawn);
        if frame % 60 == 0 {
            for body in &drawn[..count] {
                let seen = body.seen_from(&camera).origin();
                writeln!(out, "{:5.2} s  {} seen at {seen:.2}", now.as_secs(), body.entity)?;
            }
        }
    }

    writeln!(out, "{snaps} snaps. Why did {WALKER} move as it did?")?;
    for sentence in world.explain(WALKER) {
        writeln!(out, "  {sentence}")?;
    }
    let counters = world.body(WALKER).ok_or("the walker is gone")?.counters;
    writeln!(
        out,
        "  in all: {} fresh, {} stale, {} times starved",
        counters.fresh, counters.stale, counters.starved
    )?;
    Ok(())
}

/// Returns ten seconds from the middle of a session, with about one position per second of two
/// players. One message arrives twice, one arrives late, and one of the players teleports.
fn recording() -> Result<Vec<(f64, Update)>, Box<dyn Error>> {
    let mut recording = Vec::new();
    for second in 0..9u16 {
        let time = f64::from(second) + 0.4;
        let x = 80.0 + 2.5 * f32::from(second);
        let walker = position(WALKER, &at(x, 90.0)?, 40_000 + second, 7);
        recording.push((time, walker.clone()));
        if second == 4 {
            recording.push((time + 0.02, walker));
        }
        if second == 6 {
            let late = position(WALKER, &at(x - 2.5, 90.0)?, 40_000 + second - 1, 7);
            recording.push((time + 0.3, late));
        }
        let (y, teleports) = if second < 5 { (70.0, 3) } else { (130.0, 4) };
        recording.push((time + 0.1, position(TRAVELLER, &at(95.0, y)?, 512 + second, teleports)));
    }
    Ok(recording)
}

fn position(entity: EntityId, at: &Placement, number: u16, teleports: u16) -> Update {
    let pack = PositionPack {
        teleport: Stamp::new(teleports),
        ..PositionPack::standing(at, Stamp::new(90), Stamp::new(number))
    };
    Update::Position(PositionUpdate { entity, pack })
}

fn at(x: f32, y: f32) -> Result<Placement, Box<dyn Error>> {
    let pose = Pose::new(Vec3::new(x, y, 10.0), Rotation::IDENTITY)?;
    Ok(Placement::new(CellId::new(0xA9B4_0001)?, pose).settled_outdoors()?)
}
