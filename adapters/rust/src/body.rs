//! A remote body in a world of its own. It gets the messages of a trace, and the surroundings in
//! which the trace was recorded.

use std::sync::Arc;

use evenstride::{
    BodySetup, Config, Disposition, MotionWorld,
    animation::{InterpretedMotion, MotionAxis, MotionLibrary},
    config::MissingViewpoint,
};
use evenstride_types::{
    EntityId, SimTime, Stamp, StampKind, StampTable, Vec3,
    update::{
        MotionCommand, PhysicsState, PositionPack, PositionUpdate, SparseQuaternion, Update, VectorUpdate,
    },
};
use serde_json::{Value, json};

use crate::{
    Answer, Stop, cell,
    math::{place, wrong},
    number, numbers, object, unsupported,
    walls::{Walls, route_of},
};

pub(crate) struct Body {
    world: MotionWorld,
    walls: Walls,
    driver: String,
    instance: Stamp,
}

const SUBJECT: EntityId = EntityId::new(0x5000_0001);

/// More than the 1/30 s between two rounds.
const EARLY_SECS: f64 = 0.05;

/// The shortest step that the gate of 30 Hz lets pass however times are rounded.
const SHORTEST_SECS: f64 = 1.0 / 30.0 + 1e-9;

impl Body {
    pub(crate) fn start(trace: &Value) -> Result<Self, Stop> {
        let settings = &trace["settings"];
        let is_grounded = match numbers(settings, "contact")? {
            [0.0, 0.0] => false,
            [1.0, 1.0] => true,
            _ => return unsupported("contact without ground to walk on"),
        };
        let state = PhysicsState::from_bits_retain(number(settings, "state")? as u32);
        if state.contains(PhysicsState::FROZEN) {
            return unsupported("a frozen body, whose distance no round finds out");
        }
        let is_listed = |name: &str| settings[name].as_array().is_some_and(|list| !list.is_empty());
        if is_listed("anims") || !settings["friction"].is_null() || number(settings, "has_cell")? == 0.0 {
            return unsupported("animations, friction or a body outside the world");
        }
        let near = number(settings, "player_distance").is_ok_and(|metres| metres < 96.0);
        let config = Config::RETAIL.with(|config| {
            config.max_step_secs = settings["max_quantum"].as_f64().unwrap_or(config.max_step_secs);
            config.no_viewpoint = if near { MissingViewpoint::AllNear } else { MissingViewpoint::AllFar };
        });
        let start = number(settings, "t0")?;
        // A body knows its distance from the player after its first round. One that stands can have it early.
        let is_at_rest = is_grounded && numbers(settings, "velocity")? == [0.0; 3];
        let early = if is_at_rest { EARLY_SECS } else { 0.0 };
        let now = SimTime::from_secs(start - early).map_err(wrong)?;
        let mut world = MotionWorld::new(config, now);
        // Bodies of these traces have no animations.
        world.set_library(Arc::new(MotionLibrary::default()));
        if !settings["player"].is_null() {
            world.set_viewpoint(Some(place(&settings["player"])?));
        }
        let setup = BodySetup {
            state,
            grounded: is_grounded,
            motion: motion(settings)?,
            stamps: stamps(&settings["stamps"])?,
            scale: number(settings, "scale")? as f32,
            radius: number(settings, "radius")? as f32,
            velocity: Vec3::from_array(numbers(settings, "velocity")?),
            omega: Vec3::from_array(numbers(settings, "omega")?),
            ..BodySetup::at(place(&settings["pos"])?)
        };
        world.insert(now, SUBJECT, &setup).map_err(wrong)?;
        let walls = Walls { freedom: 1.0, refuses: false };
        world.advance(SimTime::from_secs(start).map_err(wrong)?, &walls);
        let driver = trace["driver"].as_str().unwrap_or_default().to_owned();
        Ok(Self { world, walls, driver, instance: setup.stamps.seen(StampKind::Instance) })
    }

    pub(crate) fn event(&mut self, event: &Value) -> Answer {
        let now = time(event, "t")?;
        let stamp = |name: &str| number(event, name).map(|n| Stamp::new(n as u16));
        let kind = event["kind"].as_str().unwrap_or_default();
        let route = match kind {
            "position" => {
                let pack = PositionPack {
                    cell: cell(event)?,
                    origin: Vec3::from_array(numbers(event, "pos")?),
                    rotation: SparseQuaternion::full(numbers(event, "quat")?),
                    velocity: Some(Vec3::from_array(numbers(event, "velocity")?)),
                    placement_frame: None,
                    has_contact: number(event, "has_contact")? != 0.0,
                    other_flags: 0,
                    instance: stamp("instance")?,
                    position: stamp("position_ts")?,
                    teleport: stamp("teleport_ts")?,
                    force_position: stamp("force_position_ts")?,
                };
                let update = Update::Position(PositionUpdate { entity: SUBJECT, pack });
                route_of(self.world.handle(now, &update, &self.walls))
            }
            "vector" => {
                let velocity = Vec3::from_array(numbers(event, "velocity")?);
                let omega = Vec3::from_array(numbers(event, "omega")?);
                let (instance, stamp) = (self.instance, stamp("vector_ts")?);
                let update = VectorUpdate { entity: SUBJECT, velocity, omega, instance, stamp };
                match self.world.handle(now, &Update::Vector(update), &self.walls) {
                    Disposition::Applied => "vector_applied",
                    _ => "vector_stale",
                }
            }
            "player" => {
                self.world.set_viewpoint(Some(place(event)?));
                kind
            }
            "block" => {
                self.walls.freedom = number(event, "value")? as f32;
                kind
            }
            "setpos_result" => {
                self.walls.refuses = number(event, "value")? != 0.0;
                kind
            }
            _ => return unsupported(&format!("event {kind}")),
        };
        let mut out = self.state()?;
        out["route"] = route.into();
        Ok(object(out))
    }

    pub(crate) fn tick(&mut self, tick: &Value) -> Answer {
        let dt = number(tick, "dt")?;
        let is_step = match self.driver.as_str() {
            "internal" => (SHORTEST_SECS..=0.2).contains(&dt),
            "update_object" => dt >= SHORTEST_SECS,
            _ => true,
        };
        if !is_step {
            return unsupported("steps that the world's own gate of 30 Hz does not make");
        }
        self.world.advance(time(tick, "t")?, &self.walls);
        self.state().map(object)
    }

    fn state(&self) -> Result<Value, Stop> {
        let body = self.world.body(SUBJECT).ok_or_else(|| wrong("the body is gone"))?;
        let place = body.place.ok_or_else(|| wrong("the body is outside the world"))?;
        Ok(json!({
            "cell": place.cell.to_string(),
            "pos": place.pose.origin().to_array(),
            "quat": place.pose.rotation().to_wxyz(),
            "cvel": body.velocity.to_array(),
            "queue": body.waypoints,
            "active": body.is_active,
        }))
    }
}

fn time(of: &Value, name: &str) -> Result<SimTime, Stop> {
    SimTime::from_secs(number(of, name)?).map_err(wrong)
}

fn motion(settings: &Value) -> Result<InterpretedMotion, Stop> {
    let forward = MotionCommand(number(settings, "forward_command")? as u32);
    let run_rate = match (number(settings, "weenie")? != 0.0, settings["inq_run_rate"].as_f64()) {
        (false, _) => 1.0,
        (true, Some(rate)) => rate,
        (true, None) => number(settings, "my_run_rate")?,
    };
    Ok(InterpretedMotion {
        forward: MotionAxis::new(forward, number(settings, "forward_speed")? as f32),
        run_rate: run_rate as f32,
        speed_factor: number(settings, "speed_factor")? as f32,
        ..InterpretedMotion::STANDING
    })
}

fn stamps(initial: &Value) -> Result<StampTable, Stop> {
    let mut stamps = StampTable::default();
    for (name, kind) in [
        ("instance", StampKind::Instance),
        ("position", StampKind::Position),
        ("teleport", StampKind::Teleport),
        ("vector", StampKind::Vector),
    ] {
        stamps.set(kind, Stamp::new(number(initial, name)? as u16));
    }
    Ok(stamps)
}
