//! Measures what pages add to the delay of a watched relay, in one run on the loopback interface.
//!
//! ```sh
//! cargo run --release -p evenstride_watch --example watch_delay
//! ```
//!
//! A server plays the datagrams of two hundred creatures to a client through a relay, and sends back
//! whatever else it gets. The relay is watched. Rounds without pages and with 100 open pages alternate, and
//! within each, direct and relayed round trips alternate, so all meet the same load of the machine.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream, UdpSocket},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use evenstride_arena::{scenario, simulate};
use evenstride_capture::{Listener as _, Session, recorded_time};
use evenstride_live::{Clock, RelayHost, RelayOptions, Stop, tap};
use evenstride_relay::RelayConfig;
use evenstride_replay::ReplayOptions;
use evenstride_session::{Client, ClientConfig};
use evenstride_watch::{Hub, PageServer, Watch, WatchOptions};

type Failure = Box<dyn std::error::Error>;

const PAGES: usize = 100;
const BLOCKS: usize = 6;
const ROUNDS: usize = 2_000;

/// Time between two round trips, so that the session plays in real time meanwhile.
const PAUSE: Duration = Duration::from_micros(500);

fn main() -> Result<(), Failure> {
    let any: SocketAddr = "127.0.0.1:0".parse()?;
    let server = UdpSocket::bind(any)?;
    let address = server.local_addr()?;
    let sent = Arc::new(AtomicU64::new(0));
    serve(server, Arc::clone(&sent))?;

    let clock = Clock::start();
    let (tap, receiver) = tap(1 << 14);
    let mut host =
        RelayHost::bind(&RelayOptions { relay: RelayConfig::new(address), listen: any }, clock, Some(tap))?;
    let (relay, stop) = (host.address(), Stop::default());
    let relaying = thread::spawn({
        let stop = stop.clone();
        move || host.run(&stop)
    });
    let hub = Arc::new(Hub::default());
    let pages = PageServer::start(0, String::new(), Arc::clone(&hub))?;
    let watching = thread::spawn({
        let stop = stop.clone();
        move || {
            let options = WatchOptions { replay: ReplayOptions::default(), is_capture: false };
            let watch = Watch::new("delay", options, Some(hub));
            let ports = address.port()..=address.port().saturating_add(1);
            let mut session = Session::with_server_ports(watch, ports);
            receiver.observe_until(&stop, |tapped, until| match tapped {
                Some(tapped) => {
                    let server = tapped.server_address(address);
                    let (from, to) =
                        if tapped.is_to_server { (tapped.client, server) } else { (server, tapped.client) };
                    session.datagram(recorded_time(clock.unix(tapped.time)), from, to, &tapped.bytes);
                }
                None => {
                    session.listener.advance(recorded_time(clock.unix(until)));
                    let totals = session.totals();
                    session.listener.waits(&totals);
                    let _ = session.listener.take_events();
                }
            });
            (session.listener.messages(), receiver.dropped())
        }
    });

    let client = UdpSocket::bind(any)?;
    client.set_read_timeout(Some(Duration::from_secs(2)))?;
    let mut handshake = Client::new(0.0, ClientConfig::new("delay", "delay"));
    handshake.poll(0.0);
    let login = handshake.transmits().next().ok_or("no login")?.bytes;
    client.send_to(&login, relay)?;
    let mut times = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    let mut read = 0;
    for block in 0..BLOCKS {
        let is_watched = block % 2 == 1;
        let open = if is_watched { OpenPages::new(&pages, PAGES)? } else { OpenPages::default() };
        for _ in 0..ROUNDS {
            times[2 * usize::from(is_watched)].push(round_trip(&client, address)?);
            times[2 * usize::from(is_watched) + 1].push(round_trip(&client, relay)?);
            thread::sleep(PAUSE);
        }
        read += open.close();
    }
    stop.request();
    let counts = relaying.join().map_err(|_| "the relay failed")??;
    let (messages, missed) = watching.join().map_err(|_| "the watch failed")?;
    for (name, times) in
        ["direct", "relayed, no page", "direct, pages open", "relayed, 100 pages"].into_iter().zip(&mut times)
    {
        times.sort_unstable();
        let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e6;
        println!("{name:<20} round trip: median {:6.1} µs, p99 {:7.1} µs", at(0.5), at(0.99));
    }
    let median = |times: &[Duration]| times[times.len() / 2].as_secs_f64() * 1e6;
    let added = |one: usize| (median(&times[one + 1]) - median(&times[one])) / 2.0;
    println!("the relay adds {:.1} µs each way without pages, {:.1} µs with {PAGES}", added(0), added(2));
    println!(
        "{messages} messages drawn, {missed} datagrams not watched; pages read {:.1} MB; {} datagrams of the session sent, {} dropped",
        read as f64 / 1e6,
        sent.load(Ordering::Relaxed),
        counts.relay.dropped() + counts.unsent
    );
    Ok(())
}

/// Begins to play a crowd to each client that logs in, and to send everything else back.
fn serve(socket: UdpSocket, sent: Arc<AtomicU64>) -> Result<(), Failure> {
    let scenario = scenario("crowd-200").ok_or("no such scenario")??;
    let recording = datagrams(&simulate(&scenario, 1)?.pcap);
    thread::spawn(move || {
        let mut buffer = [0; 2_048];
        let mut is_playing = false;
        while let Ok((length, from)) = socket.recv_from(&mut buffer) {
            let is_echo = buffer[..length].iter().all(|byte| *byte == ECHO);
            if is_echo {
                let _ = socket.send_to(&buffer[..length], from);
            } else if !is_playing {
                is_playing = true;
                let (socket, recording, sent) = (socket.try_clone(), recording.clone(), Arc::clone(&sent));
                thread::spawn(move || {
                    let Ok(socket) = socket else { return };
                    let began = Instant::now();
                    for (time, bytes) in recording {
                        thread::sleep(Duration::from_secs_f64(time).saturating_sub(began.elapsed()));
                        let _ = socket.send_to(&bytes, from);
                        sent.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        }
    });
    Ok(())
}

/// Returns the datagrams of the server in a pcap of the arena, with their times since the first.
fn datagrams(pcap: &[u8]) -> Vec<(f64, Vec<u8>)> {
    let mut all = Vec::new();
    let (mut at, mut first) = (24, None);
    while at + 16 <= pcap.len() {
        let word = |place: usize| pcap[place..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        let time = f64::from(word(at)) + f64::from(word(at + 4)) / 1e6;
        let length = word(at + 8) as usize;
        let frame = &pcap[at + 16..at + 16 + length];
        // Ethernet, IPv4 and UDP without options, as the arena writes them.
        let port = u16::from_be_bytes([frame[34], frame[35]]);
        if (9_000..10_014).contains(&port) {
            all.push((time - *first.get_or_insert(time), frame[42..].to_vec()));
        }
        at += 16 + length;
    }
    all
}

/// Content of the datagrams that are sent back.
const ECHO: u8 = 7;

fn round_trip(client: &UdpSocket, to: SocketAddr) -> std::io::Result<Duration> {
    let mut buffer = [0; 2_048];
    let start = Instant::now();
    client.send_to(&[ECHO; 256], to)?;
    loop {
        let (length, from) = client.recv_from(&mut buffer)?;
        // Datagrams of the session come in between.
        if from == to && length == 256 && buffer[..length].iter().all(|byte| *byte == ECHO) {
            return Ok(start.elapsed());
        }
    }
}

/// Pages that read everything.
#[derive(Default)]
struct OpenPages {
    is_over: Arc<AtomicBool>,
    readers: Vec<thread::JoinHandle<u64>>,
}

impl OpenPages {
    fn new(server: &PageServer, count: usize) -> Result<Self, Failure> {
        let pages = Self::default();
        let mut readers = Vec::new();
        for _ in 0..count {
            let site = server.site();
            let mut stream = TcpStream::connect(("127.0.0.1", site.port))?;
            stream.set_read_timeout(Some(Duration::from_millis(100)))?;
            write!(stream, "GET /{}/events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", site.token, site.port)?;
            let is_over = Arc::clone(&pages.is_over);
            readers.push(thread::spawn(move || {
                let (mut read, mut buffer) = (0, vec![0; 1 << 16]);
                while !is_over.load(Ordering::Relaxed) {
                    match stream.read(&mut buffer) {
                        Ok(0) => break,
                        Ok(length) => read += length as u64,
                        Err(_) => {}
                    }
                }
                read
            }));
        }
        Ok(Self { readers, ..pages })
    }

    /// Closes all pages, and returns the number of bytes that they read.
    fn close(self) -> u64 {
        self.is_over.store(true, Ordering::Relaxed);
        self.readers.into_iter().filter_map(|reader| reader.join().ok()).sum()
    }
}
