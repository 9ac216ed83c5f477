//! A minimal client loop with a local player, one other entity, and a server at the other end of a
//! queue.
//!
//! ```sh
//! cargo run --release -p evenstride --example client
//! ```
//!
//! Every frame does four things, in the order of the 2013 client.
//!
//! 1. `advance` moves time on.
//! 2. `handle` takes each message that arrived, and returns how it was handled.
//! 3. `set_input` passes on the player's keys, and `poll_action` returns messages to send.
//! 4. `drawn` returns where to draw each entity.
//!
//! The server is a few lines of code that stand in for a real one. It names the player's entity,
//! describes both entities, and sends the other entity's position once per second. At one point it
//! corrects the player's place.

use std::{error::Error, io::Write};

use evenstride::{
    Config, FlatGround, MotionWorld,
    player::{Ahead, Input, Side, Skills},
    types::{
        CellId, EntityId, Placement, Pose, Rotation, SimTime, StampKind, Vec3,
        update::{InterpretedState, MotionCommand, MovementKind, PlayerAction, ServerEntity, Update},
    },
};

const PLAYER: EntityId = EntityId::new(0x5000_0001);
const DRUDGE: EntityId = EntityId::new(0x8000_0001);

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout())
}

/// Plays eight seconds of a game and prints them line by line.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    // Level ground to stand on. A real client implements `Surroundings` with its own geometry.
    let ground = FlatGround { z: 10.0 };
    let mut now = SimTime::ZERO;
    let mut world = MotionWorld::new(Config::SMOOTH, now);
    let mut server = Server::new();

    for frame in 0..=480u32 {
        now = SimTime::from_secs(f64::from(frame) / 60.0)?;

        // 1. Time.
        world.advance(now, &ground);

        // 2. Messages. A real client logs answers that are not routine.
        for update in server.says(frame)? {
            let answer = world.handle(now, &update, &ground);
            writeln!(out, "{:5.2} s  heard {:04X}: {answer}", now.as_secs(), update.opcode())?;
        }
        if frame == 1 {
            // The game knows the player's skills, which decide how fast it runs and how high it
            // jumps.
            world.set_skills(Skills { run: 100, jump: 150, load: 0.3 })?;
        }

        // 3. Keys. The player runs for three seconds, turns a little, jumps and stands.
        if let Some(controls) = keys(frame) {
            world.set_input(now, controls, &ground)?;
        }
        match frame {
            150 => world.charge_jump(now, &ground)?,
            180 => _ = world.jump(now, &ground)?,
            _ => {}
        }
        // A real client encodes these messages and sends them.
        while let Some(action) = world.poll_action() {
            writeln!(out, "{:5.2} s  send  {:04X} {}", now.as_secs(), action.action(), in_short(&action))?;
        }

        // 4. Draw. This example prints text twice per second.
        if frame % 30 == 0 && frame > 0 {
            let line = |entity| match world.drawn(entity, now) {
                Some(place) => format!("{:.2}", place.pose.origin()),
                None => "nowhere".to_owned(),
            };
            writeln!(out, "{:5.2} s  draw  player {}  drudge {}", now.as_secs(), line(PLAYER), line(DRUDGE))?;
        }
    }
    let counters = world.stats().heard;
    writeln!(out, "heard: {} fresh, {} stale, {} snaps", counters.fresh, counters.stale, counters.snaps())?;
    Ok(())
}

fn keys(frame: u32) -> Option<Input> {
    let running = Input { ahead: Some(Ahead::Forward), run: true, ..Input::default() };
    match frame {
        30 => Some(running),
        90 => Some(Input { turn: Some(Side::Right), ..running }),
        120 => Some(running),
        210 => Some(Input { run: true, ..Input::default() }),
        _ => None,
    }
}

fn in_short(action: &PlayerAction) -> String {
    match action {
        PlayerAction::MoveToState(state) => {
            let forward = state.state.forward.command.map_or(0, |command| command.0);
            format!("keys: forward {forward:08X}, contact {}", state.contact.0)
        }
        PlayerAction::AutonomousPosition(position) => format!("position {:.2}", position.position.origin),
        PlayerAction::Jump(jump) => {
            format!("jump, charged {:.2}, velocity {:.2}", jump.extent, jump.local_velocity)
        }
        other => format!("{other:?}"),
    }
}

/// A quarter turn clockwise about the vertical axis, from north to east.
const EAST_WXYZ: [f32; 4] = [core::f32::consts::FRAC_1_SQRT_2, 0.0, 0.0, -core::f32::consts::FRAC_1_SQRT_2];

/// A stand-in for the server.
struct Server {
    drudge: ServerEntity,
    player: ServerEntity,
}

impl Server {
    const fn new() -> Self {
        Self { drudge: ServerEntity::new(DRUDGE), player: ServerEntity::new(PLAYER) }
    }

    fn says(&mut self, frame: u32) -> Result<Vec<Update>, Box<dyn Error>> {
        Ok(match frame {
            0 => vec![
                // The player's entity id comes first, then every entity in sight, including the
                // player.
                Update::LocalPlayer(PLAYER),
                self.player.create(self.player.description(&at(84.0, 84.0)?)),
                self.drudge.create(self.drudge.description(&at(90.0, 90.0)?)),
            ],
            // The drudge walks east, and the server sends its position once per second.
            60 => {
                let state = InterpretedState::doing(MotionCommand::WALK_FORWARD, 1.0);
                vec![self.drudge.ordered(MovementKind::Interpreted { state, stick_to: None })]
            }
            120 | 180 | 240 | 300 => {
                let there = at(90.0 + 3.12 * (frame - 60) as f32 / 60.0, 90.0)?;
                let pose = there.pose.with_rotation(Rotation::new(EAST_WXYZ)?);
                vec![self.drudge.position(&Placement::new(there.cell, pose))]
            }
            // The server corrects the player's place.
            360 => {
                self.player.next(StampKind::ForcePosition);
                vec![self.player.position(&at(86.0, 100.0)?)]
            }
            _ => Vec::new(),
        })
    }
}

fn at(x: f32, y: f32) -> Result<Placement, Box<dyn Error>> {
    let pose = Pose::new(Vec3::new(x, y, 10.0), Rotation::IDENTITY)?;
    Ok(Placement::new(CellId::new(0xA9B4_0001)?, pose).settled_outdoors()?)
}
