//! Writes an archive as large as the game's, for timing. All its animations are alike.
//!
//! ```sh
//! cargo run --release -p evenstride_dat --example large -- 17000 large.dat    # 500 MB
//! time evenstride dat large.dat show 0x03004000
//! ```

use evenstride_dat::{Animation, ArchiveWriter, Frame, Record, RecordId};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [count, path] = args.as_slice() else { return Err("usage: large ANIMATIONS FILE".into()) };
    let (parts, frames) = (34, 30);
    let at = |number: u32| Frame { origin: [0.0, number as f32 * 0.01, 0.0], ..Frame::IDENTITY };
    let mut animation = Animation {
        id: RecordId(0),
        flags: Animation::HAS_ROOT,
        parts,
        frames,
        root: (0..frames).map(at).collect(),
        part_frames: (0..parts * frames).map(at).collect(),
        hooks: Vec::new(),
    };
    let mut writer = ArchiveWriter::portal();
    for number in 0..count.parse()? {
        animation.id = RecordId(0x0300_0000 + number);
        writer = writer.add(animation.id, animation.to_bytes()?);
    }
    std::fs::write(path, writer.finish()?)?;
    Ok(())
}
