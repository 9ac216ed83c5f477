//! Repeats one kind of work of the wire crate, so that `cargo xtask bench` can count its
//! instructions.
//!
//! ```sh
//! cargo run --release -p evenstride_capture --example traffic -- decode 1000 30
//! ```

#[path = "../benches/traffic/mod.rs"]
mod traffic;

use std::process::ExitCode;

use traffic::{Bench, Work};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args == ["--names"] {
        println!("{}", Work::ALL.map(Work::name).join("\n"));
        return ExitCode::SUCCESS;
    }
    let parsed = match args.as_slice() {
        [name, messages, rounds] => {
            let work = Work::ALL.into_iter().find(|work| work.name() == name);
            work.zip(messages.parse().ok()).zip(rounds.parse::<u32>().ok())
        }
        _ => None,
    };
    let Some(((work, messages), rounds)) = parsed else {
        eprintln!("usage: traffic {} MESSAGES ROUNDS", Work::ALL.map(Work::name).join("|"));
        return ExitCode::from(2);
    };
    let mut bench = Bench::new(messages);
    for _ in 0..rounds {
        bench.round(work);
    }
    println!("{work:?}: {messages} messages, {rounds} rounds, {} bytes of pcap", bench.pcap.len());
    ExitCode::SUCCESS
}
