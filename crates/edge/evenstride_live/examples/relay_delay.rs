//! Measures what a relay adds to a round trip over the loopback interface, in one run.
//!
//! ```sh
//! cargo run --release -p evenstride_live --example relay_delay
//! ```
//!
//! A server sends every datagram back. Direct and relayed round trips alternate, so both meet the same
//! load of the machine.

use std::{
    net::{SocketAddr, UdpSocket},
    thread,
    time::{Duration, Instant},
};

use evenstride_live::{Clock, RelayHost, RelayOptions, Stop};
use evenstride_relay::RelayConfig;
use evenstride_session::{Client, ClientConfig};

const ROUNDS: usize = 20_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let any: SocketAddr = "127.0.0.1:0".parse()?;
    let server = UdpSocket::bind(any)?;
    let address = server.local_addr()?;
    thread::spawn(move || {
        let mut buffer = [0; 2_048];
        while let Ok((length, from)) = server.recv_from(&mut buffer) {
            let _ = server.send_to(&buffer[..length], from);
        }
    });
    let options = RelayOptions { relay: RelayConfig::new(address), listen: any };
    let mut host = RelayHost::bind(&options, Clock::start(), None)?;
    let relay = host.address();
    let stop = Stop::default();
    let relaying = thread::spawn({
        let stop = stop.clone();
        move || host.run(&stop)
    });

    let client = UdpSocket::bind(any)?;
    client.set_read_timeout(Some(Duration::from_secs(2)))?;
    // A login opens the way. It comes back like everything else.
    let mut handshake = Client::new(0.0, ClientConfig::new("delay", "delay"));
    handshake.poll(0.0);
    let login = handshake.transmits().next().ok_or("no login")?.bytes;
    round_trip(&client, relay, &login)?;
    let payload = [7; 256];
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (to, times) in [address, relay].into_iter().zip(&mut times) {
            times.push(round_trip(&client, to, &payload)?);
        }
    }
    stop.request();
    let counts = relaying.join().map_err(|_| "the relay failed")??;
    for (name, times) in ["direct", "relayed"].into_iter().zip(&mut times) {
        times.sort_unstable();
        let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e6;
        println!("{name:<8} round trip: median {:6.1} µs, p99 {:6.1} µs", at(0.5), at(0.99));
    }
    let median = |times: &[Duration]| times[times.len() / 2].as_secs_f64() * 1e6;
    println!("the relay adds {:.1} µs each way (median)", (median(&times[1]) - median(&times[0])) / 2.0);
    println!("{} datagrams relayed, {} dropped", 2 * (ROUNDS + 1), counts.relay.dropped() + counts.unsent);
    Ok(())
}

fn round_trip(client: &UdpSocket, to: SocketAddr, payload: &[u8]) -> std::io::Result<Duration> {
    let mut buffer = [0; 2_048];
    let start = Instant::now();
    client.send_to(payload, to)?;
    let (length, _) = client.recv_from(&mut buffer)?;
    assert_eq!(&buffer[..length], payload);
    Ok(start.elapsed())
}
