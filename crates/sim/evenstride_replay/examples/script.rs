//! Writes a capture as a script for the npm package:
//! `cargo run -p evenstride_replay --example script -- CAPTURE SCRIPT`.

use std::{env, fs};

use evenstride_capture::{Session, Timeline, read};
use evenstride_replay::{Recorder, Script};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [capture, script] = arguments.as_slice() else { return Err("usage: script CAPTURE SCRIPT".into()) };
    let mut session = Session::new(Recorder::new(capture.as_str(), Timeline::default()));
    read(fs::File::open(capture)?, &mut session)?;
    let bytes = Script::of(vec![(session.listener.finish(None), 0.0)], None).to_bytes()?;
    fs::write(script, &bytes)?;
    println!("{script}: {} bytes", bytes.len());
    Ok(())
}
