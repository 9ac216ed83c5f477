//! Measures archives of several sizes: `measure FOLDER JOBS NUMBER...`. Each is made of simulated captures.
//!
//! Processor time and memory come from `/proc`, so this needs Linux.

#[path = "shared/cpu.rs"]
mod cpu;

use std::{env, error::Error, fs, path::Path, time::Instant};

use evenstride_archive::{
    ConvertOptions, FrameScope,
    archive::{Archive, Settings, find_captures},
    sample::{SCENARIOS, write_capture},
};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, jobs, numbers @ ..] = &arguments[..] else {
        return Err("use: measure FOLDER JOBS NUMBER...".into());
    };
    let (folder, jobs) = (Path::new(folder), jobs.parse::<usize>()?);
    println!(
        "{:>8} {:>5} {:>12} {:>8} {:>8} {:>14} {:>13} {:>8}",
        "captures", "jobs", "rows", "wall s", "CPU s", "rows per CPU s", "bytes per row", "peak MB"
    );
    for number in numbers {
        let number: u64 = number.parse()?;
        let (captures, tables) =
            (folder.join(format!("captures-{number}")), folder.join(format!("tables-{number}")));
        for capture in 0..number {
            write_capture(&captures, capture, &SCENARIOS)?;
        }
        if tables.exists() {
            fs::remove_dir_all(&tables)?;
        }
        let captures = find_captures(&[captures.display().to_string()])?.captures;
        forget_peak();
        let (started, cpu) = (Instant::now(), cpu::seconds()?);
        let archive = Archive::open(&tables, &settings(), ConvertOptions::default(), jobs)?;
        let report = archive.run(&captures, &|_| {})?;
        let (wall, cpu) = (started.elapsed().as_secs_f64(), cpu::seconds()? - cpu);
        let tracks = report
            .converted
            .iter()
            .flat_map(|file| &file.tables)
            .filter(|table| table.path.starts_with("tracks/"));
        let (rows, bytes) =
            tracks.fold((0, 0), |(rows, bytes), table| (rows + table.rows, bytes + table.bytes));
        println!(
            "{:>8} {jobs:>5} {rows:>12} {wall:>8.1} {cpu:>8.1} {:>14.0} {:>13.1} {:>8.0}",
            report.converted.len(),
            rows as f64 / cpu,
            bytes as f64 / rows as f64,
            peak_megabytes()?
        );
    }
    Ok(())
}

/// The settings of `evenstride archive` without options.
fn settings() -> Settings {
    let options = ConvertOptions::default();
    Settings {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        profile: options.profile,
        fps: options.fps,
        changed_only: options.frames == FrameScope::Changed,
        tables: String::new(),
        server_ports: String::new(),
    }
}

/// Begins to measure the peak of memory again.
fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

fn peak_megabytes() -> Result<f64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM")).ok_or("no peak")?;
    Ok(line.split_whitespace().nth(1).ok_or("no peak")?.parse::<f64>()? / 1024.0)
}
