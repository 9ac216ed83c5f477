//! Writes a simulated archive: `make_archive NUMBER FOLDER`. `cargo xtask make-archive` runs it.

use std::{env, error::Error, path::Path};

use evenstride_archive::sample::{SCENARIOS, write_capture};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [number, folder] = &arguments[..] else { return Err("use: make_archive NUMBER FOLDER".into()) };
    let number: u64 = number.parse()?;
    for capture in 0..number {
        write_capture(Path::new(folder), capture, &SCENARIOS)?;
    }
    println!("{folder}: {number} captures");
    Ok(())
}
