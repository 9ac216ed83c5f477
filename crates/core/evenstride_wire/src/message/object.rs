//! Descriptions of entities, with looks, physics and game data.

use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use evenstride_types::{
    EntityId, Stamp, StampTable,
    update::{Attachment, CreateUpdate, DescribedMovement, PhysicsDescription, PhysicsState, Resources},
};

use super::{movement, weenie::WeenieDescription};
use crate::{
    reader::{Read, Reader},
    writer::Writer,
};

/// An entity with looks and game data.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateMessage {
    /// Physics of the entity.
    pub update: CreateUpdate,
    /// Looks of the entity.
    pub looks: Looks,
    /// Game data of the entity.
    pub weenie: WeenieDescription,
}

/// The looks of an entity change. Opcode F625.
#[derive(Clone, Debug, PartialEq)]
pub struct AppearanceUpdate {
    /// The entity.
    pub entity: EntityId,
    /// Its new looks.
    pub looks: Looks,
    /// Instance stamp, which names the life of the entity.
    pub instance: Stamp,
    /// Appearance stamp, which orders such messages.
    pub stamp: Stamp,
}

/// Palettes, textures and parts that differ from the model's own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "ObjDesc")]
pub struct Looks {
    /// First byte of the looks. It is always 0x11.
    pub marker: u8,
    /// The palette that the palette patches change, or `None` without patches.
    pub base_palette: Option<PackedId>,
    /// Palette patches.
    pub palettes: Vec<PalettePatch>,
    /// Texture patches.
    pub textures: Vec<TexturePatch>,
    /// Part patches.
    pub parts: Vec<PartPatch>,
}

/// Replaces the colours of a range of a palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PalettePatch {
    /// Source of the colours.
    pub palette: PackedId,
    /// Start of the range.
    pub offset: u8,
    /// Length of the range.
    pub length: u8,
}

/// Replaces one texture with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexturePatch {
    /// Index of the part.
    pub part: u8,
    /// The replaced texture.
    pub old: PackedId,
    /// The new texture.
    pub new: PackedId,
}

/// Replaces one part with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartPatch {
    /// Index of the replaced part.
    pub part: u8,
    /// The new model.
    pub model: PackedId,
}

/// A number sent in two bytes if it is small, otherwise in four. The received form is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackedId {
    /// Two bytes.
    Short(u16),
    /// Four bytes, upper half first, with its top bit set.
    Long {
        /// Upper half, without the top bit.
        high: u16,
        /// Lower half.
        low: u16,
    },
}

impl PackedId {
    /// Creates the shorter form of a number. Only the lower 31 bits are kept.
    pub const fn new(value: u32) -> Self {
        if value < 0x8000 {
            Self::Short(value as u16)
        } else {
            Self::Long { high: (value >> 16) as u16 & 0x7FFF, low: value as u16 }
        }
    }

    /// Returns the number as sent, without the record type that the sender left out.
    pub const fn value(self) -> u32 {
        match self {
            Self::Short(value) => value as u32,
            Self::Long { high, low } => (high as u32) << 16 | low as u32,
        }
    }

    pub(super) fn read(reader: &mut Reader<'_>, field: &'static str) -> Read<Self> {
        let first = reader.u16(field)?;
        if first & 0x8000 == 0 {
            return Ok(Self::Short(first));
        }
        Ok(Self::Long { high: first & 0x7FFF, low: reader.u16(field)? })
    }

    pub(super) fn write(self, writer: &mut Writer<'_>) {
        match self {
            Self::Short(value) => writer.u16(value & 0x7FFF),
            Self::Long { high, low } => {
                writer.u16(high | 0x8000);
                writer.u16(low);
            }
        }
    }
}

/// A string as sent, in Windows-1252. Together with its length it is padded to a multiple of four
/// bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether its length was sent in six bytes, which is the form for 65,535 bytes and more.
    pub has_long_length: bool,
}

/// The characters of code page 1252 from 0x80 to 0x9F. Five of them are unassigned.
const WINDOWS_LETTERS: [char; 32] = [
    '€', '·', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '·', 'Ž', '·', '·', '‘', '’', '“', '”',
    '•', '–', '—', '˜', '™', 'š', '›', 'œ', '·', 'ž', 'Ÿ',
];

/// Decodes code page 1252. Control characters and unassigned characters become `·`.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes
            .iter()
            .map(|byte| match byte {
                0x00..0x20 | 0x7F => '·',
                0x80..=0x9F => WINDOWS_LETTERS[usize::from(byte - 0x80)],
                other => char::from(*other),
            })
            .try_for_each(|letter| f.write_char(letter))
    }
}

impl Text {
    pub(super) fn read(reader: &mut Reader<'_>, field: &'static str) -> Read<Self> {
        let start = reader.offset();
        let short = reader.u16(field)?;
        let has_long_length = short == 0xFFFF;
        let length = if has_long_length { reader.u32(field)? as usize } else { usize::from(short) };
        let bytes = reader.slice(field, length)?.to_vec();
        let padding = (reader.offset() - start).wrapping_neg() & 3;
        reader.padding(field, padding)?;
        Ok(Self { bytes, has_long_length })
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        let start = writer.written();
        let is_long = self.has_long_length || self.bytes.len() >= 0xFFFF;
        if is_long {
            writer.u16(0xFFFF);
            writer.u32(self.bytes.len() as u32);
        } else {
            writer.u16(self.bytes.len() as u16);
        }
        writer.slice(&self.bytes);
        while !(writer.written() - start).is_multiple_of(4) {
            writer.u8(0);
        }
    }
}

impl Looks {
    /// The unchanged model.
    pub const PLAIN: Self = Self {
        marker: 0x11,
        base_palette: None,
        palettes: Vec::new(),
        textures: Vec::new(),
        parts: Vec::new(),
    };

    fn read(reader: &mut Reader<'_>) -> Read<Self> {
        let marker = reader.u8("looks marker")?;
        let [palettes, textures, parts] =
            [reader.u8("palette count")?, reader.u8("texture count")?, reader.u8("part count")?];
        let base_palette = if palettes > 0 { Some(PackedId::read(reader, "base palette")?) } else { None };
        let palettes = (0..palettes)
            .map(|_| {
                Ok(PalettePatch {
                    palette: PackedId::read(reader, "palette")?,
                    offset: reader.u8("palette offset")?,
                    length: reader.u8("palette length")?,
                })
            })
            .collect::<Read<_>>()?;
        let textures = (0..textures)
            .map(|_| {
                Ok(TexturePatch {
                    part: reader.u8("texture part")?,
                    old: PackedId::read(reader, "old texture")?,
                    new: PackedId::read(reader, "new texture")?,
                })
            })
            .collect::<Read<_>>()?;
        let parts = (0..parts)
            .map(|_| Ok(PartPatch { part: reader.u8("part")?, model: PackedId::read(reader, "part model")? }))
            .collect::<Read<_>>()?;
        reader.align("padding after looks")?;
        Ok(Self { marker, base_palette, palettes, textures, parts })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        let limited = |count: usize| count.min(255) as u8;
        let [palettes, textures, parts] =
            [self.palettes.len(), self.textures.len(), self.parts.len()].map(limited);
        [self.marker, palettes, textures, parts].into_iter().for_each(|byte| writer.u8(byte));
        if palettes > 0 {
            self.base_palette.unwrap_or(PackedId::new(0)).write(writer);
        }
        for patch in self.palettes.iter().take(usize::from(palettes)) {
            patch.palette.write(writer);
            writer.u8(patch.offset);
            writer.u8(patch.length);
        }
        for patch in self.textures.iter().take(usize::from(textures)) {
            writer.u8(patch.part);
            patch.old.write(writer);
            patch.new.write(writer);
        }
        for patch in self.parts.iter().take(usize::from(parts)) {
            writer.u8(patch.part);
            patch.model.write(writer);
        }
        writer.align();
    }
}

impl AppearanceUpdate {
    pub(super) fn read(reader: &mut Reader<'_>) -> Read<Self> {
        Ok(Self {
            entity: reader.entity("entity")?,
            looks: Looks::read(reader)?,
            instance: reader.stamp("instance stamp")?,
            stamp: reader.stamp("appearance stamp")?,
        })
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.entity(self.entity);
        self.looks.write(writer);
        writer.stamp(self.instance);
        writer.stamp(self.stamp);
    }
}

impl CreateMessage {
    /// Returns a description with unchanged looks, and no game data except its item type.
    pub fn plain(update: CreateUpdate) -> Self {
        Self { update, looks: Looks::PLAIN, weenie: WeenieDescription::default() }
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Read<Self> {
        let entity = reader.entity("entity")?;
        let looks = Looks::read(reader)?;
        let physics = read_physics(reader)?;
        let (weenie, item_type) = WeenieDescription::read(reader)?;
        Ok(Self { update: CreateUpdate::new(entity, physics).of_type(item_type), looks, weenie })
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.entity(self.update.entity);
        self.looks.write(writer);
        write_physics(&self.update.physics, writer);
        self.weenie.write(self.update.item_type, writer);
    }
}

pub(super) fn read_state(reader: &mut Reader<'_>) -> Read<PhysicsState> {
    reader.u32("physics state").map(PhysicsState::from_bits_retain)
}

/// Presence bits, in the order of their fields on the wire.
mod has {
    pub(super) const MOVEMENT: u32 = 0x1_0000;
    pub(super) const PLACEMENT_FRAME: u32 = 0x2_0000;
    pub(super) const POSITION: u32 = 0x8000;
    pub(super) const MOTION_TABLE: u32 = 0x2;
    pub(super) const SOUND_TABLE: u32 = 0x800;
    pub(super) const SCRIPT_TABLE: u32 = 0x1000;
    pub(super) const SETUP: u32 = 0x1;
    pub(super) const PARENT: u32 = 0x20;
    pub(super) const CHILDREN: u32 = 0x40;
    pub(super) const SCALE: u32 = 0x80;
    pub(super) const FRICTION: u32 = 0x100;
    pub(super) const ELASTICITY: u32 = 0x200;
    pub(super) const TRANSLUCENCY: u32 = 0x4_0000;
    pub(super) const VELOCITY: u32 = 0x4;
    pub(super) const ACCELERATION: u32 = 0x8;
    pub(super) const OMEGA: u32 = 0x10;
    pub(super) const DEFAULT_SCRIPT: u32 = 0x2000;
    pub(super) const DEFAULT_SCRIPT_INTENSITY: u32 = 0x4000;
    pub(super) const ALL: u32 = MOVEMENT
        | PLACEMENT_FRAME
        | POSITION
        | MOTION_TABLE
        | SOUND_TABLE
        | SCRIPT_TABLE
        | SETUP
        | PARENT
        | CHILDREN
        | SCALE
        | FRICTION
        | ELASTICITY
        | TRANSLUCENCY
        | VELOCITY
        | ACCELERATION
        | OMEGA
        | DEFAULT_SCRIPT
        | DEFAULT_SCRIPT_INTENSITY;
}

fn read_physics(reader: &mut Reader<'_>) -> Read<PhysicsDescription> {
    let flags = reader.u32("description flags")?;
    let state = read_state(reader)?;
    let mut other_flags = flags & !has::ALL;
    let (mut movement, mut placement_frame) = (None, None);
    if flags & has::MOVEMENT != 0 {
        movement = Some(read_movement(reader)?);
        // The flag is set, but the field is not sent beside a movement.
        other_flags |= flags & has::PLACEMENT_FRAME;
    } else if flags & has::PLACEMENT_FRAME != 0 {
        placement_frame = Some(reader.u32("placement frame")?);
    }
    macro_rules! optional {
        ($bit:ident, $read:expr) => {
            if flags & has::$bit != 0 { Some($read?) } else { None }
        };
    }
    let position = optional!(POSITION, reader.placement("position"));
    let motion_table = optional!(MOTION_TABLE, reader.u32("motion table"));
    let sound_table = optional!(SOUND_TABLE, reader.u32("sound table"));
    let script_table = optional!(SCRIPT_TABLE, reader.u32("script table"));
    let setup = optional!(SETUP, reader.u32("setup"));
    Ok(PhysicsDescription {
        state,
        movement,
        placement_frame,
        position,
        resources: Resources { setup, motion_table, sound_table, script_table },
        parent: optional!(PARENT, read_attachment(reader)),
        children: optional!(CHILDREN, read_children(reader)),
        scale: optional!(SCALE, reader.f32("scale")),
        friction: optional!(FRICTION, reader.f32("friction")),
        elasticity: optional!(ELASTICITY, reader.f32("elasticity")),
        translucency: optional!(TRANSLUCENCY, reader.f32("translucency")),
        velocity: optional!(VELOCITY, reader.vector("velocity")),
        acceleration: optional!(ACCELERATION, reader.vector("acceleration")),
        omega: optional!(OMEGA, reader.vector("omega")),
        default_script: optional!(DEFAULT_SCRIPT, reader.u32("default script")),
        default_script_intensity: optional!(DEFAULT_SCRIPT_INTENSITY, reader.f32("default script intensity")),
        stamps: read_stamps(reader)?,
        other_flags,
    })
}

fn read_movement(reader: &mut Reader<'_>) -> Read<DescribedMovement> {
    let length = reader.u32("movement length")? as usize;
    if length == 0 {
        return Ok(DescribedMovement::Empty);
    }
    // Alignment counts from the start of the message, and the block begins at a multiple of four.
    let body = reader.within("movement block", length, movement::read_body)?;
    Ok(DescribedMovement::Doing { body, autonomous: reader.u32("autonomous")? })
}

fn read_attachment(reader: &mut Reader<'_>) -> Read<Attachment> {
    Ok(Attachment { entity: reader.entity("attached entity")?, location: reader.u32("location")? })
}

fn read_children(reader: &mut Reader<'_>) -> Read<Vec<Attachment>> {
    let count = reader.count("children", 8)?;
    (0..count).map(|_| read_attachment(reader)).collect()
}

fn read_stamps(reader: &mut Reader<'_>) -> Read<StampTable> {
    let mut stamps = [Stamp::default(); 9];
    for stamp in &mut stamps {
        *stamp = reader.stamp("stamps")?;
    }
    reader.align("padding after stamps")?;
    Ok(StampTable::new(stamps))
}

fn write_physics(physics: &PhysicsDescription, writer: &mut Writer<'_>) {
    let resources = &physics.resources;
    let present = [
        (physics.movement.is_some(), has::MOVEMENT),
        (physics.placement_frame.is_some() && physics.movement.is_none(), has::PLACEMENT_FRAME),
        (physics.position.is_some(), has::POSITION),
        (resources.motion_table.is_some(), has::MOTION_TABLE),
        (resources.sound_table.is_some(), has::SOUND_TABLE),
        (resources.script_table.is_some(), has::SCRIPT_TABLE),
        (resources.setup.is_some(), has::SETUP),
        (physics.parent.is_some(), has::PARENT),
        (physics.children.is_some(), has::CHILDREN),
        (physics.scale.is_some(), has::SCALE),
        (physics.friction.is_some(), has::FRICTION),
        (physics.elasticity.is_some(), has::ELASTICITY),
        (physics.translucency.is_some(), has::TRANSLUCENCY),
        (physics.velocity.is_some(), has::VELOCITY),
        (physics.acceleration.is_some(), has::ACCELERATION),
        (physics.omega.is_some(), has::OMEGA),
        (physics.default_script.is_some(), has::DEFAULT_SCRIPT),
        (physics.default_script_intensity.is_some(), has::DEFAULT_SCRIPT_INTENSITY),
    ];
    let flags = present.into_iter().fold(
        physics.other_flags,
        |flags, (is_present, bit)| {
            if is_present { flags | bit } else { flags }
        },
    );
    writer.u32(flags);
    writer.u32(physics.state.bits());
    match &physics.movement {
        Some(DescribedMovement::Empty) => writer.u32(0),
        Some(DescribedMovement::Doing { body, autonomous }) => {
            let length = writer.written();
            writer.u32(0);
            movement::write_body(body, writer);
            writer.patch_u32(length, (writer.written() - length - 4) as u32);
            writer.u32(*autonomous);
        }
        None => physics.placement_frame.into_iter().for_each(|frame| writer.u32(frame)),
    }
    if let Some(position) = &physics.position {
        writer.placement(position);
    }
    [resources.motion_table, resources.sound_table, resources.script_table, resources.setup]
        .into_iter()
        .flatten()
        .for_each(|record| writer.u32(record));
    if let Some(parent) = physics.parent {
        write_attachment(parent, writer);
    }
    if let Some(children) = &physics.children {
        writer.u32(children.len() as u32);
        children.iter().for_each(|child| write_attachment(*child, writer));
    }
    [physics.scale, physics.friction, physics.elasticity, physics.translucency]
        .into_iter()
        .flatten()
        .for_each(|number| writer.f32(number));
    [physics.velocity, physics.acceleration, physics.omega]
        .into_iter()
        .flatten()
        .for_each(|vector| writer.vector(vector));
    if let Some(script) = physics.default_script {
        writer.u32(script);
    }
    if let Some(intensity) = physics.default_script_intensity {
        writer.f32(intensity);
    }
    physics.stamps.to_array().into_iter().for_each(|stamp| writer.stamp(stamp));
    writer.align();
}

fn write_attachment(attachment: Attachment, writer: &mut Writer<'_>) {
    writer.entity(attachment.entity);
    writer.u32(attachment.location);
}
