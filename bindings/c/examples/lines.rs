//! Writes the messages of a capture as JSON lines, one message each, which a client in any language reads
//! without a library for packets.
//!
//! ```text
//! cargo run -p evenstride_ffi --example lines -- testdata/captures/first-light.pcap first-light.jsonl
//! ```

use std::{env, error::Error, fmt::Write as _, fs};

use evenstride_capture::{Session, Timeline, read};
use evenstride_replay::{Recorder, Said, Script};
use evenstride_wire::{ActionMessage, Message, encode};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [capture, lines] = arguments.as_slice() else {
        return Err("usage: lines CAPTURE LINES".into());
    };
    let mut session = Session::new(Recorder::new(capture.as_str(), Timeline::default()));
    read(fs::File::open(capture)?, &mut session)?;
    let script = Script::of(vec![(session.listener.finish(None), 0.0)], None);
    let mut out = String::new();
    let mut bytes = Vec::new();
    for message in &script.messages {
        bytes.clear();
        let (direction, said) = match &message.said {
            Said::Server(update) => ("s2c", Message::from(update.clone())),
            Said::Client(action) => {
                ("c2s", Message::Action(ActionMessage { counter: 1, action: Ok(action.clone()) }))
            }
        };
        encode(&said, &mut bytes);
        write!(out, "{{\"t_rel\":{},\"dir\":\"{direction}\",\"payload_hex\":\"", message.time)?;
        bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))?;
        out.push_str("\"}\n");
    }
    fs::write(lines, out)?;
    Ok(())
}
