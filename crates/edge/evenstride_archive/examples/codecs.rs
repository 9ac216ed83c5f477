//! Prints size and processor time of each compression, and of a whole replay to CSV and to Parquet:
//! `codecs CAPTURE...`.

#[path = "shared/cpu.rs"]
mod cpu;

use std::{env, error::Error, path::Path};

use evenstride_archive::{
    Batch, BatchSink, Capture, Codec, FrameScope, InMemory, ParquetTable, TRACKS, TrackRows,
};
use evenstride_replay::{ReplayOptions, TrackFormat, TrackWriter, replay};

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
        let name = path.rsplit('/').next().unwrap_or_default();
        let count = batch.rows() as f64;
        for codec in Codec::ALL {
            let (before, mut bytes) = (cpu::seconds()?, 0);
            for _ in 0..ROUNDS {
                let mut table = ParquetTable::new(Vec::new(), &TRACKS, codec)?;
                table.take(&mut batch.clone())?;
                bytes = table.finish(&[])?.len();
            }
            let nanos = (cpu::seconds()? - before) * 1e9 / f64::from(ROUNDS);
            println!(
                "{name:<24} {:<8} {count:>9} {:>13.1} {:>14.0}",
                format!("{codec:?}").to_lowercase(),
                bytes as f64 / count,
                nanos / count
            );
        }
        let (before, mut bytes) = (cpu::seconds()?, 0);
        for _ in 0..ROUNDS {
            let mut writer = TrackWriter::new(Vec::new(), TrackFormat::Csv, []);
            let _ = replay(&capture.script, &ReplayOptions::default(), &mut writer);
            bytes = writer.finish()?.out.len();
        }
        print_replay(name, "to .csv", count, bytes, cpu::seconds()? - before);
        let before = cpu::seconds()?;
        for _ in 0..ROUNDS {
            let table = ParquetTable::new(Vec::new(), &TRACKS, Codec::default())?;
            let mut rows = TrackRows::new(table, "0123456789abcdef", FrameScope::All, []);
            let _ = replay(&capture.script, &ReplayOptions::default(), &mut rows);
            bytes = rows.finish()?.sink.finish(&[])?.len();
        }
        print_replay(name, "to .parquet", count, bytes, cpu::seconds()? - before);
    }
    Ok(())
}

/// Prints the line of a whole replay.
fn print_replay(name: &str, format: &str, rows: f64, bytes: usize, seconds: f64) {
    println!(
        "{name:<24} {format:<11} {rows:>6} {:>13.1} {:>14.0}",
        bytes as f64 / rows,
        seconds * 1e9 / f64::from(ROUNDS) / rows
    );
}
