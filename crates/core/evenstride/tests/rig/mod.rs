//! A rig with verbs: one remote body, a virtual clock, and a server that says things about it.

#![expect(unreachable_pub, reason = "each user is a program of its own")]

use evenstride::{
    BodySetup, BodyView, Config, Disposition, MotionWorld, OpenField, Surroundings,
    types::{
        CellId, EntityId, Heading, Placement, Pose, Rotation, SimTime, Stamp, StampKind, StampTable, Vec3,
        settle_outdoors,
        update::{
            CommandIndex, InterpretedState, Movement, MovementBody, MovementKind, MovementUpdate,
            PositionPack, PositionUpdate, SparseQuaternion, Update, VectorUpdate,
        },
    },
};

#[allow(dead_code, clippy::allow_attributes, reason = "every user of the stage uses some of the verbs")]
pub mod stage;

pub const WHO: EntityId = EntityId::new(0x5000_0002);
/// The landblock all coordinates of the rig are measured in.
pub const HOME: u32 = 0xA9B4_0001;

pub struct Rig<S = OpenField> {
    pub world: MotionWorld,
    pub surroundings: S,
    pub now: f64,
    pub fps: f64,
    pub pack: PositionPack,
    vector: Stamp,
    movement: Stamp,
}

#[allow(dead_code, clippy::allow_attributes, reason = "who needs a stage may need no rig")]
impl Rig {
    /// A body standing at (90, 90, 10) in an open field, seen from 10 m away, the first step taken.
    pub fn new(config: Config) -> Self {
        Self::in_surroundings(config, OpenField)
    }
}

#[allow(dead_code, clippy::allow_attributes, reason = "every user of the rig uses some of the verbs")]
impl<S: Surroundings> Rig<S> {
    pub fn in_surroundings(config: Config, surroundings: S) -> Self {
        Self::starting_at(config, surroundings, HOME, Vec3::new(90.0, 90.0, 10.0))
    }

    pub fn starting_at(config: Config, surroundings: S, cell: u32, origin: Vec3) -> Self {
        let start = place(cell, origin);
        let mut world = MotionWorld::new(config, SimTime::ZERO);
        world.set_viewpoint(Some(place(cell, origin + Vec3::new(10.0, 0.0, 0.0))));
        let mut stamps = StampTable::default();
        stamps.set(StampKind::Instance, Stamp::new(1));
        world.insert(SimTime::ZERO, WHO, &BodySetup { stamps, ..BodySetup::at(start) }).unwrap();
        let pack = PositionPack::standing(&start, Stamp::new(1), Stamp::new(0));
        let mut rig = Self {
            world,
            surroundings,
            now: 0.0,
            fps: 60.0,
            pack,
            vector: Stamp::new(0),
            movement: Stamp::new(0),
        };
        rig.drive(0.1);
        rig
    }

    // What the server says.

    /// A new position, in home coordinates (indoors: in the cell the body was last said to be in).
    pub fn hears(&mut self, x: f32, y: f32) -> Disposition {
        let z = self.pack.origin.z;
        self.hears_at(Vec3::new(x, y, z))
    }

    pub fn hears_at(&mut self, origin: Vec3) -> Disposition {
        self.pack.position = self.pack.position.next();
        self.says(origin)
    }

    /// A new position of a body that is in the air.
    pub fn hears_in_the_air(&mut self, origin: Vec3) -> Disposition {
        self.pack.has_contact = false;
        let disposition = self.hears_at(origin);
        self.pack.has_contact = true;
        disposition
    }

    pub fn teleports_to(&mut self, x: f32, y: f32) -> Disposition {
        self.pack.teleport = self.pack.teleport.next();
        self.hears(x, y)
    }

    /// The same position again, stamp and all.
    pub fn repeats(&mut self) -> Disposition {
        self.send()
    }

    pub fn faces(&mut self, degrees: f32) -> &mut Self {
        let heading = Heading::from_degrees(degrees).unwrap();
        self.pack.rotation = SparseQuaternion::packed(Rotation::facing(heading).to_wxyz());
        self
    }

    pub fn gets_velocity(&mut self, velocity: Vec3) -> Disposition {
        self.vector = self.vector.next();
        let update = VectorUpdate {
            entity: WHO,
            velocity,
            omega: Vec3::ZERO,
            instance: Stamp::new(1),
            stamp: self.vector,
        };
        self.world.handle(self.time(), &Update::Vector(update), &self.surroundings)
    }

    pub fn stands(&mut self) -> Disposition {
        self.moves(InterpretedState::default())
    }

    pub fn runs(&mut self, speed: f32) -> Disposition {
        let (forward, forward_speed) = (Some(CommandIndex(7)), Some(speed));
        self.moves(InterpretedState { forward, forward_speed, ..InterpretedState::default() })
    }

    pub fn moves(&mut self, state: InterpretedState) -> Disposition {
        self.movement = self.movement.next();
        let body = MovementBody {
            style: CommandIndex(0x3D),
            standing_long_jump: false,
            other_flags: 0,
            kind: MovementKind::Interpreted { state, stick_to: None },
        };
        let movement = Movement { stamp: self.movement, server_control: Stamp::new(0), autonomous: 1, body };
        let update = MovementUpdate { entity: WHO, instance: Stamp::new(1), movement };
        self.world.handle(self.time(), &Update::Movement(update), &self.surroundings)
    }

    /// Sends the pack as it is.
    pub fn send(&mut self) -> Disposition {
        let update = PositionUpdate { entity: WHO, pack: self.pack.clone() };
        self.world.handle(self.time(), &Update::Position(update), &self.surroundings)
    }

    fn says(&mut self, origin: Vec3) -> Disposition {
        self.pack.origin = origin;
        if CellId::new(self.pack.cell).is_ok_and(|cell| !cell.is_indoor()) {
            let (cell, origin) = settle_outdoors(HOME, origin).unwrap();
            (self.pack.cell, self.pack.origin) = (cell.raw(), origin);
        }
        let disposition = self.send();
        if CellId::new(self.pack.cell).is_ok_and(|cell| !cell.is_indoor()) {
            // Coordinates of the next call are home coordinates again; z is kept.
            self.pack.origin.z = origin.z;
        }
        disposition
    }

    // Time.

    /// Draws frames for so many seconds; answers where the body was drawn in each, in home coordinates.
    pub fn drive(&mut self, secs: f64) -> Vec<Vec3> {
        let frames = (secs * self.fps).round() as usize;
        (0..frames)
            .map(|_| {
                self.now += 1.0 / self.fps;
                let _ = self.world.advance(self.time(), &self.surroundings);
                self.drawn()
            })
            .collect()
    }

    pub fn time(&self) -> SimTime {
        SimTime::from_secs(self.now).unwrap()
    }

    // Looks.

    /// Where the body is, in home coordinates.
    pub fn at(&self) -> Vec3 {
        home(&self.place())
    }

    pub fn drawn(&self) -> Vec3 {
        home(&self.world.drawn(WHO, self.time()).unwrap())
    }

    pub fn place(&self) -> Placement {
        self.body().place.unwrap()
    }

    pub fn body(&self) -> BodyView {
        self.world.body(WHO).unwrap()
    }

    pub fn heading(&self) -> f32 {
        self.place().pose.heading().degrees()
    }

    pub fn assert_at(&self, x: f32, y: f32) {
        let at = self.at();
        let off = ((at.x - x).powi(2) + (at.y - y).powi(2)).sqrt();
        assert!(off < 0.051, "at {at}, not ({x}, {y}): {off} m off");
    }
}

pub fn place(cell: u32, origin: Vec3) -> Placement {
    let place = Placement::new(CellId::new(cell).unwrap(), Pose::new(origin, Rotation::IDENTITY).unwrap());
    place.settled().unwrap()
}

pub fn home(place: &Placement) -> Vec3 {
    let corner = Placement::new(CellId::new(HOME).unwrap(), Pose::IDENTITY);
    corner.offset_to(place)
}

/// Longest distance between two frames.
#[allow(dead_code, clippy::allow_attributes, reason = "every user of the rig uses some of the looks")]
pub fn longest_stride(track: &[Vec3]) -> f32 {
    track.windows(2).map(|pair| pair[1].distance(pair[0])).fold(0.0, f32::max)
}
