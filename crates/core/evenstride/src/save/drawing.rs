//! Ghosts and poses as bytes, apart from the world.
//!
//! ```text
//! "EVSDRAWN"   8 bytes
//! version      u32, the same as that of a saved world
//! fingerprint  u64, of everything after it
//! frame        time of the last frame, and what is known of the link
//! bodies       for each body its entity, whether its pose moves, and its ghost and pose if any
//! ```
//!
//! A world draws the same without this, but for the first second after it was restored. A tool that
//! shows any moment of a recording needs it, so that scrubbing shows what playing showed.

use alloc::vec::Vec;

use evenstride_types::{CellId, EntityId, LandblockId, StateHash, Vec3, Vec3A};

use crate::{
    glide::{Carried, Damped, Glide, Stream},
    save::{
        RestoreError, SAVE_VERSION,
        bytes::{Saved, Sink, Source, saved_choice, saved_struct},
        open, reseal,
    },
    storage::pool::PoolIndex,
    world::MotionWorld,
};

/// First bytes of the format.
const DRAWING_MAGIC: [u8; 8] = *b"EVSDRAWN";

impl MotionWorld {
    /// Saves ghosts and poses of [`DrawMode::Gliding`](crate::config::DrawMode::Gliding), which
    /// [`save`](Self::save) leaves out. Other draw modes have none.
    ///
    /// ```
    /// use evenstride::{BodySetup, Config, MotionWorld, OpenField};
    /// use evenstride::types::{CellId, EntityId, Placement, Pose, SimTime};
    ///
    /// let place = Placement::new(CellId::new(0xA9B4_0001)?, Pose::IDENTITY);
    /// let mut world = MotionWorld::new(Config::GLIDE, SimTime::ZERO);
    /// world.insert(SimTime::ZERO, EntityId::new(7), &BodySetup::at(place))?;
    /// world.advance(SimTime::from_secs(0.5)?, &OpenField);
    /// // A restored world draws on as this one does.
    /// let (saved, drawing) = (world.save(), world.save_drawing());
    /// let mut restored = MotionWorld::restore(&saved)?;
    /// restored.restore_drawing(&drawing)?;
    /// assert_eq!(restored.drawing_hash(), world.drawing_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_drawing(&self) -> Vec<u8> {
        let mut bytes = Vec::from(DRAWING_MAGIC);
        SAVE_VERSION.write(&mut bytes);
        0u64.write(&mut bytes);
        self.write_drawing(&mut bytes);
        reseal(&mut bytes);
        bytes
    }

    /// Restores ghosts and poses. Bodies that the bytes do not mention are drawn where they are, and
    /// entities that the world does not know are skipped.
    ///
    /// # Errors
    /// [`RestoreError`] if the bytes are anything else, or a value is invalid. Poses are then as
    /// before.
    pub fn restore_drawing(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        let mut source = open(bytes, DRAWING_MAGIC, RestoreError::NotADrawing)?;
        let last: Option<f64> = source.read("last frame")?;
        let heard_at: f64 = source.read("heard at")?;
        let heard_gap: f32 = source.read("heard gap")?;
        let bodies: Vec<DrawnBody> = source.read("bodies")?;
        if !source.rest().is_empty() {
            return Err(RestoreError::TooLong { extra: source.rest().len() });
        }
        let is_sane = |glide: &Glide| glide.is_sane();
        let times =
            last.is_none_or(f64::is_finite) && heard_at.is_finite() && (0.0..=10.0).contains(&heard_gap);
        if !times || !bodies.iter().filter_map(|body| body.glide.as_ref()).all(is_sane) {
            return Err(RestoreError::Inconsistent { what: "a pose that is not finite" });
        }
        if !self.store.glides.is_on {
            return Ok(());
        }
        for slot in 0..self.store.len() {
            self.store.glides.release(slot);
            self.store.glides.awake[slot] = true;
        }
        self.store.glides.last = last;
        (self.store.glides.heard_at, self.store.glides.heard_gap) = (heard_at, heard_gap);
        for body in bodies {
            let Some(slot) = self.slot(body.entity) else { continue };
            self.store.glides.awake[slot] = body.is_awake;
            if let Some(glide) = body.glide
                && let Some(stored) = self.store.glides.get_or_new(slot)
            {
                *stored = glide;
            }
        }
        for slot in 0..self.store.len() {
            let place = self.store.hot[slot].place;
            // A pose rests only as long as its body has not moved. Otherwise the poses were saved at
            // another moment than the world.
            let is_elsewhere = self.store.glides.get(slot).is_some_and(|glide| {
                glide.block != place.cell.landblock() || glide.body_place != place.pose.origin().into()
            });
            self.store.glides.awake[slot] |= is_elsewhere;
            self.mark_drawn(slot);
        }
        Ok(())
    }

    /// Returns a fingerprint of all ghosts and poses. The same inputs and frames give the same one on
    /// every target.
    pub fn drawing_hash(&self) -> u64 {
        let mut hash = StateHash::new();
        self.write_drawing(&mut hash);
        hash.finish()
    }

    fn write_drawing(&self, sink: &mut impl Sink) {
        let glides = &self.store.glides;
        glides.last.write(sink);
        glides.heard_at.write(sink);
        glides.heard_gap.write(sink);
        (glides.links.len() as u32).write(sink);
        for (slot, (link, awake)) in glides.links.iter().zip(&glides.awake).enumerate() {
            let glide = if *link == PoolIndex::NONE { None } else { glides.pool.get(*link).copied() };
            DrawnBody { entity: self.store.hot[slot].id, is_awake: *awake, glide }.write(sink);
        }
    }
}

/// Drawing state of one body.
struct DrawnBody {
    entity: EntityId,
    is_awake: bool,
    glide: Option<Glide>,
}

saved_struct! {
    DrawnBody { entity, is_awake, glide }
    Glide {
        block, ghost, velocity, legs, bias, heading, turn_rate, nose, body_rotation, body_heading, body_place, pose, cruise, correction, facing, spin, rotation, recent, stream, stood, still, course, apart,
        carried, has_arrived, is_going, is_turned, is_braked,
    }
    Damped { value, rate }
    Stream {
        said, said_heading, said_at, said_age, mark, mark_at, mark_legs, mark_heading, way, gap, deviation, turn, last_turn, along, short_gaps, is_sparse, grade, grade_from,
    }
}

saved_choice! {
    Carried { New = 0, ByBody = 1, ByLegs = 2 }
}

impl Saved for Vec3A {
    fn write(&self, sink: &mut impl Sink) {
        Vec3::from(*self).write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        Vec3::read(source).map(Self::from)
    }
}

impl Saved for LandblockId {
    fn write(&self, sink: &mut impl Sink) {
        self.raw().write(sink);
    }

    fn read(source: &mut Source<'_>) -> Result<Self, RestoreError> {
        let raw = u16::read(source)?;
        match CellId::new(u32::from(raw) << 16 | 1) {
            Ok(cell) => Ok(cell.landblock()),
            Err(_) => Err(source.bad_value()),
        }
    }
}
