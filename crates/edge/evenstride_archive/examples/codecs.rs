//! Prints size and time of each compression: `codecs CAPTURE...`.

use std::{env, error::Error, path::Path, time::Instant};

use evenstride_archive::{
    Batch, BatchSink, Capture, Codec, FrameScope, InMemory, ParquetTable, TRACKS, TrackRows,
};
use evenstride_replay::{ReplayOptions, replay};

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:<24} {:<8} {:>9} {:>13} {:>11}", "capture", "codec", "rows", "bytes per row", "ns per row");
    for path in env::args().skip(1) {
        let capture = Capture::read(Path::new(&path))?;
        let mut rows = TrackRows::new(InMemory, "0123456789abcdef", FrameScope::All, []);
        let _ = replay(&capture.script, &ReplayOptions::default(), &mut rows);
        let batch: Batch = rows.finish()?.batch;
        for codec in Codec::ALL {
            // The fastest of five, because other programs may be running.
            let mut best = (f64::INFINITY, 0);
            for _ in 0..5 {
                let mut copy = batch.clone();
                let started = Instant::now();
                let mut table = ParquetTable::new(Vec::new(), &TRACKS, codec)?;
                table.take(&mut copy)?;
                let bytes = table.finish(&[])?.len();
                best = (best.0.min(started.elapsed().as_secs_f64()), bytes);
            }
            let (count, name) = (batch.rows() as f64, path.rsplit('/').next().unwrap_or_default());
            println!(
                "{name:<24} {:<8} {count:>9} {:>13.1} {:>11.0}",
                format!("{codec:?}").to_lowercase(),
                best.1 as f64 / count,
                best.0 * 1e9 / count
            );
        }
    }
    Ok(())
}
