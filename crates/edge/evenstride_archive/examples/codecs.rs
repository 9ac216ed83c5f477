//! Prints size and processor time of each compression: `codecs CAPTURE...`.

#[path = "shared/cpu.rs"]
mod cpu;

use std::{env, error::Error, path::Path};

use evenstride_archive::{
    Batch, BatchSink, Capture, Codec, FrameScope, InMemory, ParquetTable, TRACKS, TrackRows,
};
use evenstride_replay::{ReplayOptions, replay};

/// Times that each table is written.
const ROUNDS: u32 = 40;

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{:<24} {:<8} {:>9} {:>13} {:>14}",
        "capture", "codec", "rows", "bytes per row", "CPU ns per row"
    );
    for path in env::args().skip(1) {
        let capture = Capture::read(Path::new(&path))?;
        let mut rows = TrackRows::new(InMemory, "0123456789abcdef", FrameScope::All, []);
        let _ = replay(&capture.script, &ReplayOptions::default(), &mut rows);
        let batch: Batch = rows.finish()?.batch;
        for codec in Codec::ALL {
            let (before, mut bytes) = (cpu::seconds()?, 0);
            for _ in 0..ROUNDS {
                let mut table = ParquetTable::new(Vec::new(), &TRACKS, codec)?;
                table.take(&mut batch.clone())?;
                bytes = table.finish(&[])?.len();
            }
            let nanos = (cpu::seconds()? - before) * 1e9 / f64::from(ROUNDS);
            let (count, name) = (batch.rows() as f64, path.rsplit('/').next().unwrap_or_default());
            println!(
                "{name:<24} {:<8} {count:>9} {:>13.1} {:>14.0}",
                format!("{codec:?}").to_lowercase(),
                bytes as f64 / count,
                nanos / count
            );
        }
    }
    Ok(())
}
