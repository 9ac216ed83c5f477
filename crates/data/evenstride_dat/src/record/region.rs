//! The region, which has the height of each of 256 height steps.

use super::{Put, Record, Sealed, Unwritable};
use crate::{
    RecordError, RecordId, RecordKind,
    cursor::{Cursor, RecordFault},
};

/// The version that the client requires.
const VERSION: u32 = 3;

/// The head of the region. The rest (calendar, sky, scenes) differs from year to year and does not
/// concern motion.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Region {
    /// Number of the record.
    pub id: RecordId,
    /// Number of the region.
    pub number: u32,
    /// Name in the game's code page.
    #[serde(serialize_with = "as_text")]
    pub name: Vec<u8>,
    /// Number of landblocks of the map, east and north.
    pub blocks: [i32; 2],
    /// Distance between two posts in metres. The client uses 24, not this value.
    pub spacing: f32,
    /// Number of squares along a side of a landblock, and number of posts per square.
    pub squares: [i32; 2],
    /// Heights of objects and sky, and the width of roads, in metres.
    pub sizes: [f32; 3],
    /// Height of each step in metres.
    #[serde(serialize_with = "as_list")]
    pub heights: [f32; 256],
}

impl Region {
    /// Heights that the client accepts, in metres. The client ignores the first height outside this
    /// range, and all after it.
    const HEIGHTS: std::ops::RangeInclusive<f32> = 0.0..=800.0;

    /// Returns the name. Characters that only the game's code page has, and control characters,
    /// become question marks.
    pub fn name(&self) -> String {
        let letter = |byte: &u8| match byte {
            0x20..=0x7E | 0xA0..=0xFF => char::from(*byte),
            _ => '?',
        };
        self.name.iter().map(letter).collect()
    }

    /// Returns the height of a step in metres, or `None` from the first height that the client does
    /// not accept.
    pub fn height(&self, step: u8) -> Option<f32> {
        self.known_heights()[usize::from(step)]
    }

    /// Returns the result of [`Region::height`] for all steps.
    pub fn known_heights(&self) -> [Option<f32>; 256] {
        let mut known = [None; 256];
        let heights = self.heights.iter().take_while(|height| Self::HEIGHTS.contains(*height));
        known.iter_mut().zip(heights).for_each(|(known, height)| *known = Some(*height));
        known
    }
}

impl Sealed for Region {
    fn write(&self, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        [self.id.0, self.number, VERSION].iter().for_each(|word| out.word(*word));
        match u16::try_from(self.name.len()) {
            Ok(length) if length != 0xFFFF => out.extend(length.to_le_bytes()),
            _ => {
                out.extend([0xFF; 2]);
                out.count("name", self.name.len())?;
            }
        }
        out.extend(&self.name);
        out.align();
        self.blocks.iter().for_each(|word| out.word(*word as u32));
        out.float(self.spacing);
        self.squares.iter().for_each(|word| out.word(*word as u32));
        out.floats(&self.sizes);
        out.floats(&self.heights);
        Ok(())
    }
}

impl Record for Region {
    const KIND: RecordKind = RecordKind::Region;

    fn parse(cursor: &mut Cursor<'_>) -> Result<Self, RecordError> {
        let id = RecordId(cursor.u32("id")?);
        let number = cursor.u32("region number")?;
        let place = cursor.clone();
        let version = cursor.u32("region version")?;
        if version != VERSION {
            return Err(place.error(RecordFault::RegionVersion { version }));
        }
        let length = match cursor.u16("name")? {
            0xFFFF => cursor.u32("name")? as usize,
            length => length.into(),
        };
        let name = cursor.take("name", length)?.to_vec();
        cursor.align()?;
        Ok(Self {
            id,
            number,
            name,
            blocks: [cursor.i32("blocks")?, cursor.i32("blocks")?],
            spacing: cursor.f32("spacing")?,
            squares: [cursor.i32("squares")?, cursor.i32("squares")?],
            sizes: cursor.floats("sizes")?,
            heights: cursor.floats("heights")?,
        })
    }

    fn id(&self) -> RecordId {
        self.id
    }

    fn weight(&self) -> usize {
        size_of::<Self>() + self.name.capacity()
    }
}

fn as_list<S: serde::Serializer>(heights: &[f32; 256], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(heights)
}

fn as_text<S: serde::Serializer>(name: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&String::from_utf8_lossy(name))
}
