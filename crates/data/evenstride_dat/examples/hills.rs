//! Writes a portal archive with a region and a cell archive with nine landblocks. Then it reads
//! both archives, and a body runs over the hills.
//!
//! ```sh
//! cargo run --release -p evenstride_dat --example hills -- .
//! evenstride dat hills_cell.dat show 0xA9B4FFFF --portal hills_portal.dat
//! ```

use std::{fs::File, path::PathBuf};

use evenstride::{
    BodySetup, Config, MotionWorld,
    types::{
        CellId, EntityId, LandblockId, Placement, Pose, Rotation, SimTime, Stamp, Vec3,
        update::{PositionPack, PositionUpdate, Update},
    },
};
use evenstride_dat::{Archive, ArchiveWriter, LandBlock, RecordId, Region, heightfield};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: hills FOLDER")?);
    let (portal_path, cell_path) = (folder.join("hills_portal.dat"), folder.join("hills_cell.dat"));
    let corner = LandblockId::new(0xA8, 0xB3)?;
    write(corner, &portal_path, &cell_path)?;

    let region: Region = Archive::open(File::open(&portal_path)?)?.read(RecordId::REGION)?;
    let cell = Archive::open(File::open(&cell_path)?)?;
    let mut blocks = Vec::new();
    for entry in cell.entries() {
        let id = entry?.id;
        if id != RecordId::ITERATIONS {
            blocks.push(cell.read::<LandBlock>(id)?);
        }
    }
    let land = heightfield(&region, corner, 3, 3, |block| {
        blocks.iter().find(|land| land.id == RecordId::of_land(block))
    })?;

    // The body gets a position once per second, 7 m farther north each time. Between two positions,
    // its height comes from the land.
    let at = |y: f32| -> Result<Placement, Box<dyn std::error::Error>> {
        let mut place = Placement::new(
            CellId::new(0xA9B4_001C)?,
            Pose::new(Vec3::new(84.0, y, 0.0), Rotation::IDENTITY)?,
        );
        let ground = land.height_at(&place).ok_or("no land there")?;
        place.pose = place.pose.with_origin(place.pose.origin().with_z(ground))?;
        Ok(place)
    };
    let drudge = EntityId::new(0x8000_0001);
    let mut world = MotionWorld::new(Config::SMOOTH, SimTime::ZERO);
    world.set_viewpoint(Some(at(80.0)?));
    world.insert(SimTime::ZERO, drudge, &BodySetup::at(at(80.0)?))?;
    for frame in 1..=480u32 {
        let now = SimTime::from_secs(f64::from(frame) / 60.0)?;
        world.advance(now, &land);
        if frame % 60 == 6 {
            let heard = 1 + frame / 60;
            let place = at(80.0 + 7.0 * heard as f32)?;
            let pack = PositionPack::standing(&place, Stamp::new(0), Stamp::new(heard as u16));
            let _ = world.handle(now, &Update::Position(PositionUpdate { entity: drudge, pack }), &land);
        }
        if frame % 60 == 0 {
            let place = world.drawn(drudge, now).ok_or("gone")?;
            let above = place.pose.origin().z - land.height_at(&place).ok_or("off the land")?;
            println!("{:>4.1} s: {place}, {above:.3} m above the ground", now.as_secs());
        }
    }
    Ok(())
}

/// Writes both archives. The hills are gentle, and equal on both sides of every edge.
fn write(corner: LandblockId, portal: &PathBuf, cell: &PathBuf) -> Result<(), Box<dyn std::error::Error>> {
    let region = Region {
        id: RecordId::REGION,
        number: 1,
        name: b"Hills".to_vec(),
        blocks: [255, 255],
        spacing: 24.0,
        squares: [8, 1],
        sizes: [200.0, 1000.0, 5.0],
        heights: std::array::from_fn(|step| step as f32 * 2.0),
    };
    std::fs::write(portal, ArchiveWriter::portal().add_record(&region)?.finish()?)?;
    let mut writer = ArchiveWriter::cell();
    for (east, north) in (0..3u8).flat_map(|east| (0..3u8).map(move |north| (east, north))) {
        let block = LandblockId::new(corner.x() + east, corner.y() + north)?;
        let height = |post: usize| {
            let (x, y) = (usize::from(east) * 8 + post / 9, usize::from(north) * 8 + post % 9);
            (6 + (x * 7 + y * 5) % 4 + (y / 3) % 3) as u8
        };
        writer = writer.add_record(&LandBlock {
            id: RecordId::of_land(block),
            has_objects: 0,
            terrain: [0; 81],
            heights: std::array::from_fn(height),
        })?;
    }
    std::fs::write(cell, writer.finish()?)?;
    Ok(())
}
