//! A world on flat ground that gets messages and keys, and the stories that are recorded in it.

use evenstride::{
    Config, FlatGround, MotionWorld,
    player::{Ahead, Input, Side, Skills},
};
use evenstride_types::{
    CellId, EntityId, Heading, Placement, Pose, Rotation, SimTime, Vec3,
    update::{InterpretedState, ServerEntity, Update},
};
use evenstride_wire::{Message, decode, encode};
use serde_json::{Value, json};

/// Seconds between two frames.
const FRAME_SECS: f64 = 1.0 / 30.0 + 1e-9;

/// A world, and the lines of its session.
pub(crate) struct Stage {
    world: MotionWorld,
    ground: FlatGround,
    skills: Skills,
    now: f64,
    ticks: usize,
    lines: Vec<String>,
}

type Story = fn(&mut Stage);

/// Returns every story by name.
pub(crate) fn stories() -> Vec<(&'static str, Story)> {
    vec![("walkers", walkers), ("jump", jump), ("early", early), ("hands", hands), ("player", player)]
}

/// Returns a session as text.
pub(crate) fn record(name: &str, story: Story) -> String {
    let header = json!({
        "type": "header", "schema": 1, "name": name, "driver": "session", "class": "regression",
        "note": "regression, not reference: Evenstride's own profile RETAIL made the answers",
        "settings": { "t0": 0.0, "profile": "RETAIL", "flat_ground": 10.0, "skills": [180, 220, 0.4] },
    });
    let mut stage = Stage::new(&header["settings"]);
    stage.lines.push(header.to_string());
    story(&mut stage);
    stage.lines.join("\n") + "\n"
}

impl Stage {
    /// Makes an empty world from the settings of a session.
    pub(crate) fn new(settings: &Value) -> Self {
        let config = match settings["profile"].as_str().unwrap() {
            "RETAIL" => Config::RETAIL,
            "ACDREAM" => Config::ACDREAM,
            "SMOOTH" => Config::SMOOTH,
            "GLIDE" => Config::GLIDE,
            other => panic!("profile: {other} is unknown"),
        };
        let now = settings["t0"].as_f64().unwrap();
        let skill = |index: usize| settings["skills"][index].as_f64().unwrap() as f32;
        Self {
            world: MotionWorld::new(config, SimTime::from_secs(now).unwrap()),
            ground: FlatGround { z: settings["flat_ground"].as_f64().unwrap() as f32 },
            skills: Skills { run: skill(0) as u32, jump: skill(1) as u32, load: skill(2) },
            now,
            ticks: 0,
            lines: Vec::new(),
        }
    }

    /// Applies a line without its answer, and returns the answer.
    pub(crate) fn apply(&mut self, line: &Value) -> Value {
        let now = SimTime::from_secs(line["t"].as_f64().unwrap()).unwrap();
        match line["kind"].as_str() {
            Some("message") => {
                let bytes = bytes_of(line["hex"].as_str().unwrap());
                let update = decode(&bytes).unwrap().message.into_update().unwrap();
                json!({ "answer": self.world.handle(now, &update, &self.ground).to_string() })
            }
            Some("keys") => {
                let side = |name: &str| match line[name].as_i64() {
                    Some(-1) => Some(Side::Left),
                    Some(1) => Some(Side::Right),
                    _ => None,
                };
                let ahead = match line["ahead"].as_i64() {
                    Some(1) => Some(Ahead::Forward),
                    Some(-1) => Some(Ahead::Back),
                    _ => None,
                };
                let _ = self.world.set_skills(self.skills);
                let run = line["run"].as_bool().unwrap();
                let input =
                    Input { ahead, aside: side("aside"), turn: side("turn"), run, ..Input::default() };
                json!({ "ok": self.world.set_input(now, input, &self.ground).is_ok() })
            }
            Some("charge") => json!({ "ok": self.world.charge_jump(now, &self.ground).is_ok() }),
            Some("jump") => json!({ "ok": self.world.jump(now, &self.ground).is_ok() }),
            _ => {
                self.world.advance(now, &self.ground);
                json!({ "bodies": self.bodies(now) })
            }
        }
    }

    fn bodies(&self, now: SimTime) -> Vec<Value> {
        let mut entities: Vec<EntityId> = self.world.entities().collect();
        entities.sort();
        let drawn = entities.into_iter().filter_map(|entity| Some((entity, self.world.drawn(entity, now)?)));
        let place = |(entity, place): (EntityId, Placement)| {
            json!({
                "id": entity.to_string(), "cell": place.cell.to_string(),
                "pos": place.pose.origin().to_array(), "quat": place.pose.rotation().to_wxyz(),
            })
        };
        drawn.map(place).collect()
    }

    /// Writes a line with its answer.
    fn put(&mut self, mut line: Value) {
        let answer = self.apply(&line);
        if line["type"] == "tick" {
            line["bodies"] = answer["bodies"].clone();
        } else {
            line["out"] = answer;
        }
        self.lines.push(line.to_string());
    }

    fn says(&mut self, update: Update) {
        let mut bytes = Vec::new();
        encode(&Message::from(update), &mut bytes);
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        self.put(json!({ "type": "event", "t": self.now, "kind": "message", "hex": hex }));
    }

    fn presses(&mut self, [ahead, aside, turn]: [i64; 3], run: bool) {
        let keys = json!({ "ahead": ahead, "aside": aside, "turn": turn, "run": run });
        let mut line = json!({ "type": "event", "t": self.now, "kind": "keys" });
        line.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        self.put(line);
    }

    fn does(&mut self, kind: &str) {
        self.put(json!({ "type": "event", "t": self.now, "kind": kind }));
    }

    fn passes(&mut self, frames: usize) {
        for _ in 0..frames {
            self.now += FRAME_SECS;
            self.put(json!({ "type": "tick", "tick": self.ticks, "t": self.now, "dt": FRAME_SECS }));
            self.ticks += 1;
        }
    }
}

fn bytes_of(hex: &str) -> Vec<u8> {
    hex.as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

fn at(x: f32, y: f32, z: f32) -> Placement {
    let pose = Pose::new(Vec3::new(x, y, z), Rotation::IDENTITY).unwrap();
    Placement::new(CellId::new(0xA9B4_0001).unwrap(), pose).settled().unwrap()
}

fn facing(place: Placement, degrees: f32) -> Placement {
    Placement { pose: place.pose.with_heading(Heading::from_degrees(degrees).unwrap()), ..place }
}

fn entity(number: u32) -> ServerEntity {
    ServerEntity::new(EntityId::new(number))
}

/// The viewer, who stands in the middle.
fn viewer(stage: &mut Stage) -> ServerEntity {
    let player = entity(0x5000_0001);
    stage.says(Update::LocalPlayer(player.id));
    stage.says(player.create(player.description(&at(90.0, 90.0, 10.0))));
    stage.passes(3);
    player
}

/// Three creatures walk, turn, cross a landblock, repeat themselves, teleport and leave.
fn walkers(stage: &mut Stage) {
    viewer(stage);
    let mut walkers = [entity(0x8000_0001), entity(0x8000_0002), entity(0x8000_0003)];
    for (index, walker) in walkers.iter().enumerate() {
        stage.says(walker.create(walker.description(&at(100.0 + 4.0 * index as f32, 100.0, 10.0))));
    }
    stage.passes(3);
    for second in 1..=8u8 {
        let way = 3.0 * f32::from(second);
        let places = [
            at(100.0, 100.0 + way, 10.0),
            at(104.0 + 14.0 * f32::from(second), 100.0, 10.0),
            facing(at(108.0, 100.0 + way / 3.0, 10.0), 90.0),
        ];
        for (walker, place) in walkers.iter_mut().zip(places) {
            let update = walker.position(&place);
            if second % 3 == 0 {
                stage.says(update.clone());
            }
            stage.says(update);
            stage.passes(9);
        }
    }
    let update = walkers[0].teleport(&at(80.0, 80.0, 10.0));
    stage.says(update);
    stage.passes(15);
    stage.says(walkers[2].delete());
    stage.passes(15);
}

/// A player of another client runs, jumps and lands.
fn jump(stage: &mut Stage) {
    viewer(stage);
    let mut other = entity(0x5000_0002);
    stage.says(other.create(other.description(&at(100.0, 80.0, 10.0))));
    stage.passes(5);
    let update = other.runs(1.5);
    stage.says(update);
    stage.passes(20);
    // The server announces a jump by an empty state.
    let update = other.does(InterpretedState::default());
    stage.says(update);
    let update = other.velocity([0.0, 6.0, 6.0]);
    stage.says(update);
    stage.passes(60);
    let update = other.position(&at(100.0, 92.0, 10.0));
    stage.says(update);
    stage.passes(60);
    let update = other.stands();
    stage.says(update);
    stage.passes(30);
}

/// Messages come before the description that they need.
fn early(stage: &mut Stage) {
    viewer(stage);
    let mut creature = entity(0x8000_0009);
    let description = creature.create(creature.description(&at(95.0, 95.0, 10.0)));
    let update = creature.position(&at(96.0, 99.0, 10.0));
    stage.says(update);
    let update = creature.runs(1.2);
    stage.says(update);
    stage.passes(20);
    stage.says(description);
    stage.passes(60);
    // A later life begins before the earlier one has ended.
    let mut later = creature.next_life();
    let update = later.position(&at(85.0, 85.0, 10.0));
    stage.says(update);
    stage.passes(20);
    stage.says(creature.delete());
    stage.says(later.create(later.description(&at(84.0, 84.0, 10.0))));
    stage.passes(60);
}

/// A thing is picked up, held and dropped.
fn hands(stage: &mut Stage) {
    viewer(stage);
    let (mut holder, mut thing) = (entity(0x5000_0003), entity(0x8000_0011));
    stage.says(holder.create(holder.description(&at(92.0, 92.0, 10.0))));
    stage.says(thing.create(thing.description(&at(93.0, 92.0, 10.0))));
    stage.passes(20);
    let update = thing.pickup();
    stage.says(update);
    stage.passes(20);
    let update = thing.held_by(&holder, 1);
    stage.says(update);
    let update = holder.runs(1.0);
    stage.says(update);
    stage.passes(60);
    let update = holder.stands();
    stage.says(update);
    let update = thing.position(&at(92.0, 99.0, 10.0));
    stage.says(update);
    stage.passes(40);
    stage.says(holder.delete());
    stage.passes(20);
}

/// The local player runs, turns, sidesteps, jumps, lands and is corrected.
fn player(stage: &mut Stage) {
    let mut player = viewer(stage);
    stage.presses([1, 0, 0], true);
    stage.passes(45);
    stage.presses([1, 0, 1], true);
    stage.passes(20);
    stage.presses([0, -1, 0], false);
    stage.passes(20);
    stage.presses([1, 0, 0], true);
    stage.passes(10);
    stage.does("charge");
    stage.passes(20);
    stage.does("jump");
    stage.passes(90);
    stage.presses([0, 0, 0], false);
    stage.passes(15);
    let update = player.teleport(&at(60.0, 60.0, 10.0));
    stage.says(update);
    stage.passes(30);
}
