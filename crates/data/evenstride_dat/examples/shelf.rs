//! Repeats one kind of work of the archive crate, so that `cargo xtask bench` can count its
//! instructions.
//!
//! ```sh
//! cargo run --release -p evenstride_dat --example shelf -- parse 1000 30
//! ```

#[path = "../benches/shelf/mod.rs"]
mod shelf;

use std::process::ExitCode;

use shelf::{Shelf, Work};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args == ["--names"] {
        println!("{}", Work::ALL.map(Work::name).join("\n"));
        return ExitCode::SUCCESS;
    }
    let parsed = match args.as_slice() {
        [name, records, rounds] => {
            let work = Work::ALL.into_iter().find(|work| work.name() == name);
            work.zip(records.parse().ok()).zip(rounds.parse::<u32>().ok())
        }
        _ => None,
    };
    let Some(((work, records), rounds)) = parsed else {
        eprintln!("usage: shelf {} RECORDS ROUNDS", Work::ALL.map(Work::name).join("|"));
        return ExitCode::from(2);
    };
    let mut shelf = Shelf::new(records, work);
    for _ in 0..rounds {
        shelf.round(work);
    }
    println!("{work:?}: {records} records of {} bytes, {rounds} rounds", shelf.bytes.len());
    ExitCode::SUCCESS
}
