//! Game data of an entity. Motion needs only the item type. The rest is kept, and read to the last
//! byte so that a wrong length is noticed.

use alloc::vec::Vec;

use evenstride_types::update::ItemType;

use super::object::{PackedId, Text};
use crate::{
    reader::{Read, Reader},
    writer::Writer,
};

/// Game data of an entity, which the game calls a weenie.
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(alias = "PublicWeenieDesc")]
pub struct WeenieDescription {
    /// Name.
    pub name: Text,
    /// Number of its class on the server.
    pub class: PackedId,
    /// Icon.
    pub icon: PackedId,
    /// Flags such as player, door and corpse.
    pub bitfield: u32,
    /// Optional fields, in wire order.
    pub fields: Vec<WeenieField>,
    /// Presence bits without a field, from both presence words.
    pub other_flags: [u32; 2],
}

impl Default for PackedId {
    fn default() -> Self {
        Self::new(0)
    }
}

/// An optional field.
#[derive(Clone, Debug, PartialEq)]
pub struct WeenieField {
    /// Name of the field.
    pub name: &'static str,
    /// The value as sent.
    pub value: WeenieValue,
}

/// A value as sent.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "each is named for its type")]
pub enum WeenieValue {
    U8(u8),
    U16(u16),
    U32(u32),
    F32(f32),
    F64(f64),
    Packed(PackedId),
    Text(Text),
    Restrictions(RestrictionList),
}

/// Access list of a house.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "RestrictionDB")]
pub struct RestrictionList {
    /// Version of the list.
    pub version: u32,
    /// Non-zero if the house is open to all.
    pub open_status: u32,
    /// Entity id of the owner's monarch.
    pub monarch: u32,
    /// Size of the hash table that holds the guests.
    pub buckets: u16,
    /// Entity id and rights of each guest.
    pub guests: Vec<[u32; 2]>,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    U8,
    U16,
    U32,
    F32,
    F64,
    Packed,
    Text,
    Restrictions,
}

/// Presence word, bit, name and type of every field. They stand in wire order, which is not bit
/// order.
const FIELDS: &[(usize, u32, &str, Kind)] = &[
    (0, 0x0000_0001, "plural name", Kind::Text),
    (0, 0x0000_0002, "items capacity", Kind::U8),
    (0, 0x0000_0004, "containers capacity", Kind::U8),
    (0, 0x0000_0100, "ammunition type", Kind::U16),
    (0, 0x0000_0008, "value", Kind::U32),
    (0, 0x0000_0010, "usable", Kind::U32),
    (0, 0x0000_0020, "use radius", Kind::F32),
    (0, 0x0008_0000, "target type", Kind::U32),
    (0, 0x0000_0080, "effects", Kind::U32),
    (0, 0x0000_0200, "combat use", Kind::U8),
    (0, 0x0000_0400, "structure", Kind::U16),
    (0, 0x0000_0800, "max structure", Kind::U16),
    (0, 0x0000_1000, "stack size", Kind::U16),
    (0, 0x0000_2000, "max stack size", Kind::U16),
    (0, 0x0000_4000, "container", Kind::U32),
    (0, 0x0000_8000, "wielder", Kind::U32),
    (0, 0x0001_0000, "valid locations", Kind::U32),
    (0, 0x0002_0000, "current location", Kind::U32),
    (0, 0x0004_0000, "priority", Kind::U32),
    (0, 0x0010_0000, "radar colour", Kind::U8),
    (0, 0x0080_0000, "radar behaviour", Kind::U8),
    (0, 0x0800_0000, "script", Kind::U16),
    (0, 0x0100_0000, "workmanship", Kind::F32),
    (0, 0x0020_0000, "burden", Kind::U16),
    (0, 0x0040_0000, "spell", Kind::U16),
    (0, 0x0200_0000, "house owner", Kind::U32),
    (0, 0x0400_0000, "house restrictions", Kind::Restrictions),
    (0, 0x2000_0000, "hook item types", Kind::U32),
    (0, 0x0000_0040, "monarch", Kind::U32),
    (0, 0x1000_0000, "hook type", Kind::U16),
    (0, 0x4000_0000, "icon overlay", Kind::Packed),
    (1, 0x0000_0001, "icon underlay", Kind::Packed),
    (0, 0x8000_0000, "material", Kind::U32),
    (1, 0x0000_0002, "cooldown id", Kind::U32),
    (1, 0x0000_0004, "cooldown duration", Kind::F64),
    (1, 0x0000_0008, "pet owner", Kind::U32),
];

/// Bit of the bitfield that announces a second presence word.
const HAS_SECOND_WORD: u32 = 0x0400_0000;

impl WeenieDescription {
    /// Reads the game data, and the item type that stands in the middle of it.
    pub(super) fn read(reader: &mut Reader<'_>) -> Read<(Self, ItemType)> {
        let first = reader.u32("weenie flags")?;
        let name = Text::read(reader, "name")?;
        let class = PackedId::read(reader, "weenie class")?;
        let icon = PackedId::read(reader, "icon")?;
        let item_type = ItemType(reader.u32("item type")?);
        let bitfield = reader.u32("bitfield")?;
        reader.align("padding after bitfield")?;
        let second = if bitfield & HAS_SECOND_WORD != 0 { reader.u32("second weenie flags")? } else { 0 };
        let words = [first, second];
        let mut other_flags = words;
        let mut fields = Vec::new();
        for &(word, bit, name, kind) in FIELDS {
            if words[word] & bit != 0 {
                other_flags[word] &= !bit;
                fields.push(WeenieField { name, value: WeenieValue::read(reader, name, kind)? });
            }
        }
        reader.align("padding after weenie")?;
        Ok((Self { name, class, icon, bitfield, fields, other_flags }, item_type))
    }

    pub(super) fn write(&self, item_type: ItemType, writer: &mut Writer<'_>) {
        let mut words = self.other_flags;
        let known = |field: &WeenieField| FIELDS.iter().position(|(_, _, name, _)| *name == field.name);
        for field in &self.fields {
            if let Some(index) = known(field) {
                words[FIELDS[index].0] |= FIELDS[index].1;
            }
        }
        writer.u32(words[0]);
        self.name.write(writer);
        self.class.write(writer);
        self.icon.write(writer);
        writer.u32(item_type.0);
        writer.u32(self.bitfield);
        writer.align();
        if self.bitfield & HAS_SECOND_WORD != 0 {
            writer.u32(words[1]);
        }
        self.fields.iter().filter(|field| known(field).is_some()).for_each(|field| field.value.write(writer));
        writer.align();
    }
}

impl WeenieValue {
    fn read(reader: &mut Reader<'_>, name: &'static str, kind: Kind) -> Read<Self> {
        Ok(match kind {
            Kind::U8 => Self::U8(reader.u8(name)?),
            Kind::U16 => Self::U16(reader.u16(name)?),
            Kind::U32 => Self::U32(reader.u32(name)?),
            Kind::F32 => Self::F32(reader.f32(name)?),
            Kind::F64 => Self::F64(reader.f64(name)?),
            Kind::Packed => Self::Packed(PackedId::read(reader, name)?),
            Kind::Text => Self::Text(Text::read(reader, name)?),
            Kind::Restrictions => Self::Restrictions(RestrictionList::read(reader)?),
        })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        match self {
            Self::U8(value) => writer.u8(*value),
            Self::U16(value) => writer.u16(*value),
            Self::U32(value) => writer.u32(*value),
            Self::F32(value) => writer.f32(*value),
            Self::F64(value) => writer.f64(*value),
            Self::Packed(value) => value.write(writer),
            Self::Text(value) => value.write(writer),
            Self::Restrictions(value) => value.write(writer),
        }
    }
}

impl RestrictionList {
    fn read(reader: &mut Reader<'_>) -> Read<Self> {
        let version = reader.u32("restrictions version")?;
        let open_status = reader.u32("open status")?;
        let monarch = reader.u32("restrictions monarch")?;
        let count = reader.u16("number of guests")?;
        let buckets = reader.u16("guest buckets")?;
        let guests = (0..count)
            .map(|_| Ok([reader.u32("guest")?, reader.u32("guest's rights")?]))
            .collect::<Read<_>>()?;
        Ok(Self { version, open_status, monarch, buckets, guests })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        let count = self.guests.len().min(usize::from(u16::MAX));
        writer.u32(self.version);
        writer.u32(self.open_status);
        writer.u32(self.monarch);
        writer.u16(count as u16);
        writer.u16(self.buckets);
        self.guests[..count].iter().flatten().for_each(|word| writer.u32(*word));
    }
}
