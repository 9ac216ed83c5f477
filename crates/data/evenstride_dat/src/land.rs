//! From landblocks to ground that bodies can stand on.

use std::borrow::Borrow;

use evenstride::{Cuts, Heightfield, InvalidHeightfield};
use evenstride_types::LandblockId;

use crate::{LandBlock, Region};

/// Metres between two posts: the client's own number, whatever the region says.
const SPACING: f32 = 24.0;

/// Squares along a side of a landblock.
const SQUARES: usize = LandBlock::SIDE - 1;

/// The ground of a rectangle of landblocks, `wide` to the east and `high` to the north of `corner`, cut into triangles as the client cuts it.
///
/// Landblocks that are not there have no ground. Posts on the edge of two landblocks are in both; the eastern and northern one is believed,
/// if it is there.
///
/// # Errors
/// [`InvalidHeightfield`] for a rectangle that is no landblock wide or high.
pub fn heightfield<Block: Borrow<LandBlock>>(
    region: &Region,
    corner: LandblockId,
    wide: usize,
    high: usize,
    mut block: impl FnMut(LandblockId) -> Option<Block>,
) -> Result<Heightfield, InvalidHeightfield> {
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
    Heightfield::with_gaps(corner, SPACING, columns, heights, Cuts::Client)
}

/// The landblock so many to the east and north; `None` beyond the map.
fn moved(corner: LandblockId, east: usize, north: usize) -> Option<LandblockId> {
    let x = u8::try_from(usize::from(corner.x()) + east).ok()?;
    let y = u8::try_from(usize::from(corner.y()) + north).ok()?;
    LandblockId::new(x, y).ok()
}
