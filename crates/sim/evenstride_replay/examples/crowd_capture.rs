//! Writes a capture in which many creatures run for a long time, to measure the program with.
//!
//! ```sh
//! cargo run --release -p evenstride_replay --example crowd_capture -- 200 600 crowd.pcap
//! time evenstride explain crowd.pcap --entity 0x80000007
//! ```

use std::error::Error;

use evenstride_replay::{Said, Tape, sample};
use evenstride_wire::Message;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [creatures, seconds, path] = args.as_slice() else {
        return Err("usage: crowd_capture CREATURES SECONDS FILE.pcap".into());
    };
    let script = sample::crowd(creatures.parse()?, seconds.parse()?);
    let mut tape = Tape::new()?;
    for message in &script.messages {
        if let Said::Server(update) = &message.said {
            tape.time = message.time;
            tape.server(&[Message::Update(update.clone())])?;
        }
    }
    std::fs::write(path, tape.finish()?)?;
    Ok(())
}
