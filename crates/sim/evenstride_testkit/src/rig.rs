//! A rig is a stage with one remote body on it, and verbs for that body.

use std::ops::{Deref, DerefMut};

use evenstride::{BodySetup, BodyView, Config, Disposition, OpenField, Surroundings};
use evenstride_types::{
    CellId, EntityId, Heading, Placement, Rotation, SimTime, Stamp, Vec3, settle_outdoors,
    update::{InterpretedState, PositionPack, PositionUpdate, ServerEntity, SparseQuaternion, Update},
};

use crate::{HOME, Stage, home, place};

/// The entity of the rig's one body.
pub const WHO: EntityId = EntityId::new(0x5000_0002);

/// One remote body, a virtual clock, and a server that sends messages about the body.
#[derive(Debug)]
pub struct Rig<S = OpenField> {
    /// The stage. Its fields and methods are also those of the rig.
    pub stage: Stage<S>,
    server: ServerEntity,
    /// Contents of the last position message. The next message repeats them, except for place and
    /// stamp.
    pub pack: PositionPack,
}

impl<S> Deref for Rig<S> {
    type Target = Stage<S>;

    fn deref(&self) -> &Stage<S> {
        &self.stage
    }
}

impl<S> DerefMut for Rig<S> {
    fn deref_mut(&mut self) -> &mut Stage<S> {
        &mut self.stage
    }
}

impl Rig {
    /// Puts a body at (90, 90, 10) in an open field, with the viewpoint 10 m away, and drives for
    /// 0.1 s.
    pub fn new(config: Config) -> Self {
        Self::in_surroundings(config, OpenField)
    }
}

impl<S: Surroundings> Rig<S> {
    /// Puts a body at (90, 90, 10), with the viewpoint 10 m away, and drives for 0.1 s.
    pub fn in_surroundings(config: Config, surroundings: S) -> Self {
        Self::starting_at(config, surroundings, HOME, Vec3::new(90.0, 90.0, 10.0))
    }

    /// Puts a body at any place, with the viewpoint 10 m away, and drives for 0.1 s.
    pub fn starting_at(config: Config, surroundings: S, cell: u32, origin: Vec3) -> Self {
        let start = place(cell, origin);
        let mut stage = Stage::in_surroundings(config, surroundings);
        stage.world.set_viewpoint(Some(place(cell, origin + Vec3::new(10.0, 0.0, 0.0))));
        let server = ServerEntity::new(WHO);
        let setup = BodySetup { stamps: server.stamps, ..BodySetup::at(start) };
        stage.world.insert(SimTime::ZERO, WHO, &setup).unwrap();
        let pack = PositionPack::standing(&start, Stamp::new(1), Stamp::new(0));
        let mut rig = Self { stage, server, pack };
        rig.drive(0.1);
        rig
    }

    // Messages.

    /// Sends a new position in home coordinates. Indoors, the cell is that of the last position.
    pub fn hears(&mut self, x: f32, y: f32) -> Disposition {
        let z = self.pack.origin.z;
        self.hears_at(Vec3::new(x, y, z))
    }

    /// Sends a new position with a height, in home coordinates.
    pub fn hears_at(&mut self, origin: Vec3) -> Disposition {
        self.pack.position = self.pack.position.next();
        self.send_at(origin)
    }

    /// Sends a new position of a body that is in the air.
    pub fn hears_in_the_air(&mut self, origin: Vec3) -> Disposition {
        self.pack.has_contact = false;
        let disposition = self.hears_at(origin);
        self.pack.has_contact = true;
        disposition
    }

    /// Sends a position that teleports the body.
    pub fn teleports_to(&mut self, x: f32, y: f32) -> Disposition {
        self.pack.teleport = self.pack.teleport.next();
        self.hears(x, y)
    }

    /// Sends the same position again, with the same stamp.
    pub fn repeats(&mut self) -> Disposition {
        self.send()
    }

    /// Sets the heading of later positions, in degrees.
    pub fn faces(&mut self, degrees: f32) -> &mut Self {
        let heading = Heading::from_degrees(degrees).unwrap();
        self.pack.rotation = SparseQuaternion::packed(Rotation::facing(heading).to_wxyz());
        self
    }

    /// Sends a velocity, in metres per second, world axes.
    pub fn gets_velocity(&mut self, velocity: Vec3) -> Disposition {
        let update = self.server.velocity(velocity);
        self.says(&update)
    }

    /// Sends a motion state of standing.
    pub fn stands(&mut self) -> Disposition {
        let update = self.server.stands();
        self.says(&update)
    }

    /// Sends a motion state of running at a speed factor.
    pub fn runs(&mut self, speed: f32) -> Disposition {
        let update = self.server.runs(speed);
        self.says(&update)
    }

    /// Sends a motion state.
    pub fn moves(&mut self, state: InterpretedState) -> Disposition {
        let update = self.server.does(state);
        self.says(&update)
    }

    /// Sends the position as it stands in [`pack`](Self::pack).
    pub fn send(&mut self) -> Disposition {
        let update = PositionUpdate { entity: WHO, pack: self.pack.clone() };
        self.says(&Update::Position(update))
    }

    fn send_at(&mut self, origin: Vec3) -> Disposition {
        self.pack.origin = origin;
        let is_outdoors = CellId::new(self.pack.cell).is_ok_and(|cell| !cell.is_indoor());
        if is_outdoors {
            let (cell, origin) = settle_outdoors(HOME, origin).unwrap();
            (self.pack.cell, self.pack.origin) = (cell.raw(), origin);
        }
        let disposition = self.send();
        if is_outdoors {
            // Coordinates of the next call are home coordinates again, so only z is kept.
            self.pack.origin.z = origin.z;
        }
        disposition
    }

    // Time.

    /// Advances frame by frame for `secs` seconds. Returns the place where the body is drawn in
    /// each frame, in home coordinates.
    pub fn drive(&mut self, secs: f64) -> Vec<Vec3> {
        let frames = (secs * self.fps).round() as usize;
        (0..frames)
            .map(|_| {
                self.stage.frame();
                self.drawn()
            })
            .collect()
    }

    // Looks.

    /// Returns the place of the body, in home coordinates.
    pub fn at(&self) -> Vec3 {
        home(&self.place())
    }

    /// Returns the place where the body is drawn, in home coordinates.
    pub fn drawn(&self) -> Vec3 {
        self.stage.drawn(WHO).unwrap()
    }

    /// Returns the place of the body.
    pub fn place(&self) -> Placement {
        self.body().place.unwrap()
    }

    /// Returns the world's view of the body.
    pub fn body(&self) -> BodyView {
        self.stage.body(WHO)
    }

    /// Returns the body's heading in degrees.
    pub fn heading(&self) -> f32 {
        self.place().pose.heading().degrees()
    }

    /// Checks that the body is within 5 cm of a place in home coordinates.
    ///
    /// # Panics
    ///
    /// If it is not.
    pub fn assert_at(&self, x: f32, y: f32) {
        let at = self.at();
        let off = ((at.x - x).powi(2) + (at.y - y).powi(2)).sqrt();
        assert!(off < 0.051, "at {at}, not ({x}, {y}): {off} m off");
    }
}
