//! Measures this library and what its users would pick instead, in one run. `cargo xtask bench --peers`
//!
//! All contestants hear of the same runners, in the same random order, two and a half times per second. They take turns, so the moods of the machine
//! meet all of them alike. Read the ratios, and beside each what a contestant does for its time.

mod contestant;
mod easing;
mod evenstride_world;
mod lightyear;
mod measure;
mod objects;
mod snapshots;
mod table;
mod traffic;

use std::process::ExitCode;

use contestant::Contestant;
use easing::Easing;
use evenstride_world::{Drawing, Evenstride, Legs};
use lightyear::Lightyear;
use objects::Objects;
use snapshots::Snapshots;

/// A fight, a large server, and what no server has today.
const SIZES: [u32; 3] = [100, 10_000, 1_000_000];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (size, names) = match args.as_slice() {
        [option, size, names @ ..] if option == "--size" => match size.parse() {
            Ok(size @ 1..) => (Some(size), names),
            _ => return usage(),
        },
        names => (None, names),
    };
    if names.iter().any(|name| !NAMES.contains(&name.as_str())) {
        return usage();
    }
    for size in size.map_or(SIZES.to_vec(), |size| vec![size]) {
        let mut contestants = line_up(size, names);
        let times = measure::measure(&mut contestants, size);
        table::print(&contestants, &times, size);
    }
    table::print_facts(&line_up(1, names));
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: evenstride_peers [--size ENTITIES] [{}]...", NAMES.join("|"));
    ExitCode::from(2)
}

/// Contestants from elsewhere, any of which can be chosen by name. The library itself always takes part.
const NAMES: [&str; 4] = [Lightyear::NAME, Easing::NAME, Snapshots::NAME, Objects::NAME];

/// Makes the contestants, this library first.
fn line_up(entities: u32, names: &[String]) -> Vec<Box<dyn Contestant>> {
    let mut contestants: Vec<Box<dyn Contestant>> = vec![
        Box::new(Evenstride::new(entities, Legs::Still, Drawing::AfterSteps)),
        Box::new(Evenstride::new(entities, Legs::Running, Drawing::AfterSteps)),
        Box::new(Evenstride::new(entities, Legs::Running, Drawing::Gliding)),
    ];
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    if is_wanted(Lightyear::NAME) {
        contestants.push(Box::new(Lightyear::new(entities)));
    }
    if is_wanted(Easing::NAME) {
        contestants.push(Box::new(Easing::new(entities)));
    }
    if is_wanted(Snapshots::NAME) {
        contestants.push(Box::new(Snapshots::new(entities)));
    }
    if is_wanted(Objects::NAME) {
        contestants.push(Box::new(Objects::new(entities)));
    }
    contestants
}
