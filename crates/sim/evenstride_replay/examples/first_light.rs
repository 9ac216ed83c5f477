//! Writes the project's own capture, after a change of what is in it:
//!
//! ```sh
//! cargo run -p evenstride_replay --example first_light -- testdata/captures/first-light.pcap
//! ```

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: first_light FILE.pcap")?;
    std::fs::write(path, evenstride_replay::sample::first_light()?)?;
    Ok(())
}
