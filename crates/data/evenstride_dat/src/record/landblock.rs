//! Landblocks, with the ground height at 81 posts that are 24 m apart.

use super::{Put, Record, Sealed, Unwritable};
use crate::{RecordError, RecordId, RecordKind, cursor::Cursor};

/// The ground of one landblock, 192 m by 192 m.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct LandBlock {
    /// Number of the record. The upper half is the landblock, the lower half is `FFFF`.
    pub id: RecordId,
    /// 1 if there are objects on the landblock.
    pub has_objects: u32,
    /// Road, type and scenery of each post.
    #[serde(serialize_with = "as_list")]
    pub terrain: [u16; 81],
    /// Height of each post, as a step of the region's table. Posts run north first, then east.
    #[serde(serialize_with = "as_list")]
    pub heights: [u8; 81],
}

impl LandBlock {
    /// Number of posts along a side.
    pub const SIDE: usize = 9;

    /// Length of the record in bytes.
    pub const BYTES: usize = 252;

    /// Returns the height step of a post, counted from the south-west corner, or `None` if there is
    /// no such post.
    pub fn step(&self, east: usize, north: usize) -> Option<u8> {
        if east >= Self::SIDE || north >= Self::SIDE {
            return None;
        }
        self.heights.get(east * Self::SIDE + north).copied()
    }
}

impl Sealed for LandBlock {
    fn write(&self, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        out.word(self.id.0);
        out.word(self.has_objects);
        self.terrain.iter().for_each(|post| out.extend(post.to_le_bytes()));
        out.extend(self.heights);
        out.align();
        Ok(())
    }
}

impl Record for LandBlock {
    const KIND: RecordKind = RecordKind::LandBlock;

    fn parse(cursor: &mut Cursor<'_>) -> Result<Self, RecordError> {
        let id = RecordId(cursor.u32("id")?);
        let has_objects = cursor.u32("has objects")?;
        let mut terrain = [0; 81];
        for post in &mut terrain {
            *post = cursor.u16("terrain")?;
        }
        let mut heights = [0; 81];
        heights.copy_from_slice(cursor.take("heights", 81)?);
        cursor.align()?;
        Ok(Self { id, has_objects, terrain, heights })
    }

    fn id(&self) -> RecordId {
        self.id
    }

    fn weight(&self) -> usize {
        size_of::<Self>()
    }
}

fn as_list<T: serde::Serialize, S: serde::Serializer>(list: &[T; 81], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(list)
}
