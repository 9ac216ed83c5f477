//! Converts landblocks to ground for bodies.

use std::borrow::Borrow;

use evenstride::surroundings::{Cuts, Heightfield, HeightfieldError};
use evenstride_types::{CELL_SIZE, LandblockId};

use crate::{LandBlock, Region};

/// Number of squares along a side of a landblock.
const SQUARES: usize = LandBlock::SIDE - 1;

/// Returns the ground of a rectangle of landblocks, `wide` to the east and `high` to the north of
/// `corner`. The ground is cut into triangles as in the client.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use evenstride::types::LandblockId;
/// use evenstride_dat::{Archive, ArchiveWriter, DatError, LandBlock, RecordId, Region, heightfield};
///
/// # let region = Region {
/// #     id: RecordId::REGION, number: 1, name: vec![], blocks: [255; 2], spacing: 24.0, squares: [8, 1], sizes: [0.0; 3],
/// #     heights: std::array::from_fn(|step| step as f32 * 2.0),
/// # };
/// # let block = LandBlock { id: RecordId(0xA9B4_FFFF), has_objects: 0, terrain: [0; 81], heights: [6; 81] };
/// # let portal = Archive::open(ArchiveWriter::portal().add_record(&region)?.finish()?)?;
/// # let cell = Archive::open(ArchiveWriter::cell().add_record(&block)?.finish()?)?;
/// // `portal` and `cell` are the game's two archives, opened.
/// // This reads nine landblocks around A9B4.
/// let region: Region = portal.read(RecordId::REGION)?;
/// let mut blocks = BTreeMap::new();
/// for (x, y) in (0xA8..0xAB).flat_map(|x| (0xB3..0xB6).map(move |y| (x, y))) {
///     let block = LandblockId::new(x, y)?;
///     match cell.read::<LandBlock>(RecordId::of_land(block)) {
///         Ok(land) => drop(blocks.insert(block, land)),
///         Err(DatError::NotFound { .. }) => {} // no land there
///         Err(error) => return Err(error.into()),
///     }
/// }
/// let land = heightfield(&region, LandblockId::new(0xA8, 0xB3)?, 3, 3, |block| blocks.get(&block))?;
/// # let pose = evenstride::types::Pose::new([84.0, 96.0, 0.0], evenstride::types::Rotation::IDENTITY)?;
/// # let here = evenstride::types::Placement::new(evenstride::types::CellId::new(0xA9B4_001D)?, pose);
/// assert_eq!(land.height_at(&here), Some(12.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A missing landblock has no ground. Heights are stored at posts, 24 m apart, and both landblocks
/// store the posts of a common edge. The eastern or northern landblock has precedence, unless it is
/// missing.
///
/// `wide` and `high` are clamped to 256 landblocks, more than any map has.
///
/// # Errors
/// [`HeightfieldError`] if `wide` or `high` is 0.
pub fn heightfield<Block: Borrow<LandBlock>>(
    region: &Region,
    corner: LandblockId,
    wide: usize,
    high: usize,
    mut block: impl FnMut(LandblockId) -> Option<Block>,
) -> Result<Heightfield, HeightfieldError> {
    // No map is larger.
    let (wide, high) = (wide.min(256), high.min(256));
    let columns = wide * SQUARES + 1;
    let rows = high * SQUARES + 1;
    let heights_of = region.known_heights();
    let mut heights = vec![None; columns * rows];
    for block_east in 0..wide {
        for block_north in 0..high {
            let Some(id) = moved(corner, block_east, block_north) else { continue };
            let Some(found) = block(id) else { continue };
            let found = found.borrow();
            for east in 0..LandBlock::SIDE {
                for north in 0..LandBlock::SIDE {
                    let row = block_north * SQUARES + north;
                    let height = found.step(east, north).and_then(|step| heights_of[usize::from(step)]);
                    heights[row * columns + block_east * SQUARES + east] = height;
                }
            }
        }
    }
    // The client's own spacing, not the region's.
    Heightfield::with_gaps(corner, CELL_SIZE, columns, heights, Cuts::Client)
}

/// Returns the landblock at this distance to the east and north, or `None` beyond the map.
fn moved(corner: LandblockId, east: usize, north: usize) -> Option<LandblockId> {
    let x = u8::try_from(usize::from(corner.x()) + east).ok()?;
    let y = u8::try_from(usize::from(corner.y()) + north).ok()?;
    LandblockId::new(x, y).ok()
}
