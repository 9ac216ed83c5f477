//! Setups, which are models with parts, sizes and a motion table.

use super::{AnimFrame, Frame, Put, Record, Sealed, Unwritable};
use crate::{RecordError, RecordId, RecordKind, cursor::Cursor};

/// A model.
///
/// Retail: `CSetup::UnPack` (11.4186 @ 0x00520C50)
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Setup {
    /// Number of the record.
    pub id: RecordId,
    /// Bit 0 announces parents, bit 1 scales. Bit 2 allows any heading. Bit 3 announces a physics
    /// tree.
    #[serde(serialize_with = "super::as_hex")]
    pub flags: u32,
    /// Mesh of each part.
    #[serde(serialize_with = "super::list_as_hex")]
    pub parts: Vec<u32>,
    /// Parent of each part, or `0xFFFFFFFF` for a part without one. The list has one entry per
    /// part, or none.
    #[serde(serialize_with = "super::list_as_hex")]
    pub parents: Vec<u32>,
    /// Scale of each part. The list has one entry per part, or none.
    pub scales: Vec<[f32; 3]>,
    /// Places for held items.
    pub holding: Vec<Location>,
    /// Places for attached objects.
    pub connections: Vec<Location>,
    /// Poses that are used without an animation.
    pub placements: Vec<Placement>,
    /// Collision shapes that are upright cylinders.
    pub cylspheres: Vec<CylSphere>,
    /// Collision shapes that are spheres.
    pub spheres: Vec<Sphere>,
    /// Height in metres.
    pub height: f32,
    /// Radius in metres.
    pub radius: f32,
    /// Largest step up in metres.
    pub step_up: f32,
    /// Largest step down in metres.
    pub step_down: f32,
    /// Bounding sphere for sorting.
    pub sorting: Sphere,
    /// Bounding sphere for selection.
    pub selection: Sphere,
    /// Lights of the model.
    pub lights: Vec<Light>,
    /// The model's own animation, or 0.
    pub animation: RecordId,
    /// The model's own script, or 0.
    pub script: RecordId,
    /// The model's own motion table, or 0. A table from the server has precedence.
    pub motion_table: RecordId,
    /// The model's own sound table, or 0.
    pub sound_table: RecordId,
    /// The model's own script table, or 0.
    pub script_table: RecordId,
}

/// A place on a part.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Location {
    /// Number of the place, such as a hand.
    pub key: u32,
    /// Index of the part.
    pub part: u32,
    /// Frame on the part.
    pub frame: Frame,
}

/// A pose that is used without an animation.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Placement {
    /// Number of the pose. Missing poses fall back to pose 0.
    pub key: u32,
    /// Frames of the parts.
    pub frame: AnimFrame,
}

/// An upright cylinder. Lengths are in metres.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct CylSphere {
    pub low: [f32; 3],
    pub radius: f32,
    pub height: f32,
}

/// A sphere. Lengths are in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Sphere {
    pub centre: [f32; 3],
    pub radius: f32,
}

/// A light.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Light {
    pub key: u32,
    pub frame: Frame,
    #[serde(serialize_with = "super::as_hex")]
    pub argb: u32,
    pub intensity: f32,
    pub falloff: f32,
    pub cone_angle: f32,
}

impl Setup {
    /// Flag that announces parents.
    pub const HAS_PARENTS: u32 = 1;
    /// Flag that announces scales.
    pub const HAS_SCALES: u32 = 2;

    /// Returns a model without parts and size.
    pub const fn empty(id: RecordId) -> Self {
        const NOTHING: Sphere = Sphere { centre: [0.0; 3], radius: 0.0 };
        Self {
            id,
            flags: 0,
            parts: Vec::new(),
            parents: Vec::new(),
            scales: Vec::new(),
            holding: Vec::new(),
            connections: Vec::new(),
            placements: Vec::new(),
            cylspheres: Vec::new(),
            spheres: Vec::new(),
            height: 0.0,
            radius: 0.0,
            step_up: 0.0,
            step_down: 0.0,
            sorting: NOTHING,
            selection: NOTHING,
            lights: Vec::new(),
            animation: RecordId(0),
            script: RecordId(0),
            motion_table: RecordId(0),
            sound_table: RecordId(0),
            script_table: RecordId(0),
        }
    }
}

impl Location {
    fn parse_list(cursor: &mut Cursor<'_>, field: &'static str) -> Result<Vec<Self>, RecordError> {
        let count = cursor.count(field, 36)?;
        let one =
            |_| Ok(Self { key: cursor.u32(field)?, part: cursor.u32(field)?, frame: cursor.frame(field)? });
        (0..count).map(one).collect()
    }

    fn write_list(list: &[Self], field: &'static str, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        out.count(field, list.len())?;
        for location in list {
            out.word(location.key);
            out.word(location.part);
            location.frame.write(out);
        }
        Ok(())
    }
}

impl Sphere {
    fn parse(cursor: &mut Cursor<'_>, field: &'static str) -> Result<Self, RecordError> {
        let [x, y, z, radius] = cursor.floats(field)?;
        Ok(Self { centre: [x, y, z], radius })
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.floats(&self.centre);
        out.float(self.radius);
    }
}

impl Light {
    fn parse(cursor: &mut Cursor<'_>) -> Result<Self, RecordError> {
        let (key, frame, argb) = (cursor.u32("light")?, cursor.frame("light")?, cursor.u32("light")?);
        let [intensity, falloff, cone_angle] = cursor.floats("light")?;
        Ok(Self { key, frame, argb, intensity, falloff, cone_angle })
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.word(self.key);
        self.frame.write(out);
        out.word(self.argb);
        out.floats(&[self.intensity, self.falloff, self.cone_angle]);
    }
}

impl Sealed for Setup {
    fn write(&self, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        let wrong = |field, what| Err(Unwritable { field, what });
        let parts = self.parts.len();
        let expected = |flag: u32| if self.flags & flag != 0 { parts } else { 0 };
        if self.parents.len() != expected(Self::HAS_PARENTS) {
            return wrong("parents", "must be one per part or none, as the flags say");
        }
        if self.scales.len() != expected(Self::HAS_SCALES) {
            return wrong("scales", "must be one per part or none, as the flags say");
        }
        if self.placements.iter().any(|placement| placement.frame.parts.len() != parts) {
            return wrong("placements", "must have one frame per part");
        }
        out.word(self.id.0);
        out.word(self.flags);
        out.count("parts", parts)?;
        self.parts.iter().chain(&self.parents).for_each(|word| out.word(*word));
        self.scales.iter().for_each(|scale| out.floats(scale));
        Location::write_list(&self.holding, "holding locations", out)?;
        Location::write_list(&self.connections, "connection points", out)?;
        out.count("placements", self.placements.len())?;
        for placement in &self.placements {
            out.word(placement.key);
            placement.frame.write(out)?;
        }
        out.count("cylspheres", self.cylspheres.len())?;
        for CylSphere { low, radius, height } in &self.cylspheres {
            out.floats(low);
            out.floats(&[*radius, *height]);
        }
        out.count("spheres", self.spheres.len())?;
        self.spheres.iter().for_each(|sphere| sphere.write(out));
        out.floats(&[self.height, self.radius, self.step_up, self.step_down]);
        self.sorting.write(out);
        self.selection.write(out);
        out.count("lights", self.lights.len())?;
        self.lights.iter().for_each(|light| light.write(out));
        [self.animation, self.script, self.motion_table, self.sound_table, self.script_table]
            .iter()
            .for_each(|own| out.word(own.0));
        Ok(())
    }
}

impl Record for Setup {
    const KIND: RecordKind = RecordKind::Setup;

    fn parse(cursor: &mut Cursor<'_>) -> Result<Self, RecordError> {
        let mut setup = Self::empty(RecordId(cursor.u32("id")?));
        setup.flags = cursor.u32("flags")?;
        let parts = cursor.count("parts", 4)?;
        let words = |cursor: &mut Cursor<'_>, field| -> Result<Vec<u32>, RecordError> {
            cursor.check_count(field, parts as u64, 4)?;
            (0..parts).map(|_| cursor.u32(field)).collect()
        };
        setup.parts = words(cursor, "parts")?;
        if setup.flags & Self::HAS_PARENTS != 0 {
            setup.parents = words(cursor, "parents")?;
        }
        if setup.flags & Self::HAS_SCALES != 0 {
            cursor.check_count("scales", parts as u64, 12)?;
            setup.scales = (0..parts).map(|_| cursor.floats("scales")).collect::<Result<_, _>>()?;
        }
        setup.holding = Location::parse_list(cursor, "holding locations")?;
        setup.connections = Location::parse_list(cursor, "connection points")?;
        let placements = cursor.count("placements", parts.saturating_mul(Frame::BYTES).saturating_add(8))?;
        setup.placements = (0..placements)
            .map(|_| {
                let key = cursor.u32("placement")?;
                Ok(Placement { key, frame: AnimFrame::parse(cursor, parts)? })
            })
            .collect::<Result<_, RecordError>>()?;
        let cylspheres = cursor.count("cylspheres", 20)?;
        setup.cylspheres = (0..cylspheres)
            .map(|_| {
                let [x, y, z, radius, height] = cursor.floats("cylspheres")?;
                Ok(CylSphere { low: [x, y, z], radius, height })
            })
            .collect::<Result<_, RecordError>>()?;
        let spheres = cursor.count("spheres", 16)?;
        setup.spheres = (0..spheres).map(|_| Sphere::parse(cursor, "spheres")).collect::<Result<_, _>>()?;
        [setup.height, setup.radius, setup.step_up, setup.step_down] = cursor.floats("sizes")?;
        setup.sorting = Sphere::parse(cursor, "sorting sphere")?;
        setup.selection = Sphere::parse(cursor, "selection sphere")?;
        let lights = cursor.count("lights", 48)?;
        setup.lights = (0..lights).map(|_| Light::parse(cursor)).collect::<Result<_, _>>()?;
        for own in [
            &mut setup.animation,
            &mut setup.script,
            &mut setup.motion_table,
            &mut setup.sound_table,
            &mut setup.script_table,
        ] {
            *own = RecordId(cursor.u32("defaults")?);
        }
        cursor.align()?;
        Ok(setup)
    }

    fn id(&self) -> RecordId {
        self.id
    }

    fn weight(&self) -> usize {
        let placements = self.placements.iter().map(|placement| {
            placement.frame.parts.capacity() * size_of::<Frame>()
                + placement.frame.hooks.capacity() * size_of::<super::Hook>()
        });
        size_of::<Self>()
            + (self.parts.capacity() + self.parents.capacity()) * 4
            + self.scales.capacity() * 12
            + (self.holding.capacity() + self.connections.capacity()) * size_of::<Location>()
            + self.placements.capacity() * size_of::<Placement>()
            + placements.sum::<usize>()
            + self.cylspheres.capacity() * size_of::<CylSphere>()
            + self.spheres.capacity() * size_of::<Sphere>()
            + self.lights.capacity() * size_of::<Light>()
    }
}
