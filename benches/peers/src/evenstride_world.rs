//! This library, through its public API.

use evenstride::{
    BodySetup, Config, Drawn, MotionWorld, OpenField,
    types::{
        CellId, EntityId, LandblockId, Placement, Pose, Rotation, SimDuration, SimTime, Stamp, StampKind,
        StampTable, Vec3,
        update::{
            InterpretedState, MotionCommand, Movement, MovementBody, MovementUpdate, PositionPack,
            PositionUpdate, SparseQuaternion, Update,
        },
    },
};

use crate::{
    contestant::{Contestant, Facts, Ingests},
    traffic::{Heard, ROUND_SECS, first_wxyz, id, start},
};

/// Whether bodies play an animation that moves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legs {
    /// They stand, and only positions move them.
    Still,
    /// They run, as the usual remote does.
    Running,
}

/// Where bodies are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// Where the last step left them.
    AfterSteps,
    /// At a pose that follows where they are believed to be now.
    Gliding,
}

/// A world of this library.
pub struct Evenstride {
    world: MotionWorld,
    legs: Legs,
    drawing: Drawing,
    now: SimTime,
    updates: Vec<Update>,
    drawn: Vec<Drawn>,
}

impl Evenstride {
    pub fn new(entities: u32, legs: Legs, drawing: Drawing) -> Self {
        let config = match drawing {
            Drawing::AfterSteps => Config::RETAIL,
            Drawing::Gliding => Config::GLIDE,
        };
        let mut world = MotionWorld::new(config, SimTime::ZERO);
        world.set_viewpoint(Some(place(start(0), [1.0, 0.0, 0.0, 0.0])));
        let mut stamps = StampTable::default();
        stamps.set(StampKind::Instance, Stamp::new(1));
        for number in 0..entities {
            let here = place(start(number), first_wxyz(number));
            let setup = BodySetup { grounded: true, stamps, ..BodySetup::at(here) };
            world.insert(SimTime::ZERO, EntityId::new(id(number)), &setup).expect("ids are distinct");
        }
        let (updates, drawn) = (Vec::new(), vec![Drawn::EMPTY; entities as usize]);
        let mut this = Self { world, legs, drawing, now: SimTime::ZERO, updates, drawn };
        // The first step measures distances. Before it, every position is a placement.
        this.step();
        if legs == Legs::Running {
            // They begin in different steps, so their animations are in different phases.
            for phase in 0..16 {
                (phase..entities).step_by(16).for_each(|number| this.run(number));
                this.step();
            }
        }
        this.settle();
        this
    }

    fn step(&mut self) {
        self.now += SimDuration::from_secs(ROUND_SECS).unwrap_or_default();
        let _ = self.world.advance(self.now, &OpenField);
    }

    /// Tells a body to run.
    fn run(&mut self, number: u32) {
        let body = MovementBody::interpreted(InterpretedState::doing(MotionCommand::RUN_FORWARD, 1.0));
        let (entity, stamp) = (EntityId::new(id(number)), Stamp::new(1));
        let movement = Movement { stamp, server_control: stamp, autonomous: 0, body };
        let update = Update::Movement(MovementUpdate { entity, instance: stamp, movement });
        let _ = self.world.handle(self.now, &update, &OpenField);
    }
}

/// Hands updates to a world.
fn ingest_all(world: &mut MotionWorld, now: SimTime, updates: &[Update]) {
    world.handle_all(now, updates, &OpenField, |_, _| {});
}

impl Contestant for Evenstride {
    fn facts(&self) -> Facts {
        let (name, does) = match (self.legs, self.drawing) {
            (Legs::Still, _) => (
                "Evenstride, routes",
                "Distance to the viewpoint, sleep and waking, waypoints with audits, tether, contact, cells, sweep, events, list of changed bodies. Updates are checked, and compared with the stamps of earlier ones.",
            ),
            (_, Drawing::AfterSteps) => (
                "Evenstride, trailing",
                "The same for bodies that also run by an animation, which is played keyframe by keyframe.",
            ),
            (_, Drawing::Gliding) => (
                "Evenstride, trailing, GLIDE",
                "The same, and a pose for each body that follows where it is believed to be now.",
            ),
        };
        let does_not = "No geometry to collide with.";
        Facts { name, does, does_not, ingests: Ingests::ById, follows_truth: true }
    }

    fn prepare(&mut self, heard: &[Heard]) {
        let cell = start_cell();
        self.updates.clear();
        self.updates.extend(heard.iter().map(|heard| {
            let pack = PositionPack {
                cell: cell.raw(),
                origin: Vec3::from_array(heard.position),
                rotation: SparseQuaternion::packed(heard.wxyz),
                velocity: None,
                placement_frame: None,
                has_contact: true,
                other_flags: 0,
                instance: Stamp::new(1),
                position: Stamp::new(heard.nth as u16),
                teleport: Stamp::default(),
                force_position: Stamp::default(),
            };
            Update::Position(PositionUpdate { entity: EntityId::new(heard.id), pack })
        }));
    }

    fn ingest(&mut self) {
        ingest_all(&mut self.world, self.now, &self.updates);
    }

    fn advance(&mut self, _: u32) {
        self.step();
    }

    fn draw(&mut self) {
        let drawn = self.world.changed_into(self.now, &mut self.drawn);
        std::hint::black_box(&self.drawn[..drawn]);
    }

    fn settle(&mut self) {
        while self.world.poll_event().is_some() {}
        self.world.forget_changed();
    }

    fn place(&self, number: u32) -> [f32; 3] {
        let place = self.world.drawn(EntityId::new(id(number)), self.now).expect("it was inserted");
        place.pose.origin().to_array()
    }
}

fn start_cell() -> CellId {
    let block = LandblockId::new(0xA9, 0xB4).expect("on the map");
    block.cell(0x001C).expect("an outdoor cell")
}

fn place(origin: [f32; 3], wxyz: [f32; 4]) -> Placement {
    let rotation = Rotation::normalized(wxyz).expect("not zero");
    let pose = Pose::new(origin, rotation).expect("finite");
    Placement::new(start_cell(), pose).settled_outdoors().expect("on the map")
}
