//! A relay forwards every byte, whatever the pages of its watch do.

use std::{
    io::Write,
    net::{SocketAddr, TcpStream, UdpSocket},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use evenstride_live::{Clock, RelayHost, RelayOptions, Stop, tap};
use evenstride_relay::RelayConfig;
use evenstride_replay::sample;
use evenstride_session::{Client, ClientConfig};
use evenstride_watch::{Hub, PageServer};

const PAGES: usize = 100;
const ROUNDS: u32 = 3_000;

/// Opens a page and never reads from it.
fn stalled(server: &PageServer) -> TcpStream {
    let site = server.site();
    let mut stream = TcpStream::connect(("127.0.0.1", site.port)).unwrap();
    write!(stream, "GET /{}/events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", site.token, site.port).unwrap();
    stream
}

#[test]
fn forwarding_goes_on_while_a_hundred_pages_do_not_read() {
    let any: SocketAddr = "127.0.0.1:0".parse().unwrap();
    let server = UdpSocket::bind(any).unwrap();
    let address = server.local_addr().unwrap();
    thread::spawn(move || {
        let mut buffer = [0; 2_048];
        while let Ok((length, from)) = server.recv_from(&mut buffer) {
            let _ = server.send_to(&buffer[..length], from);
        }
    });
    let clock = Clock::start();
    let (tap, receiver) = tap(1 << 14);
    let options = RelayOptions { relay: RelayConfig::new(address), listen: any };
    let mut host = RelayHost::bind(&options, clock, Some(tap)).unwrap();
    let (relay, stop) = (host.address(), Stop::default());
    let relaying = thread::spawn({
        let stop = stop.clone();
        move || host.run(&stop).unwrap()
    });

    // The pages get far more than the system keeps for readers.
    let hub = Arc::new(Hub::default());
    let pages = PageServer::start(0, String::new(), Arc::clone(&hub)).unwrap();
    let open: Vec<TcpStream> = (0..PAGES).map(|_| stalled(&pages)).collect();
    let is_over = Arc::new(AtomicBool::new(false));
    let pushing = thread::spawn({
        let (hub, is_over) = (Arc::clone(&hub), Arc::clone(&is_over));
        let crowd = sample::crowd(200, 10);
        move || {
            let mut pushed = 0;
            while !is_over.load(Ordering::Relaxed) {
                hub.push(0, &crowd, f64::from(pushed), f64::from(pushed));
                pushed += 1;
                thread::sleep(Duration::from_millis(20));
            }
            pushed
        }
    });
    let began = Instant::now();
    while pages.pages() < PAGES && began.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(pages.pages(), PAGES);

    let client = UdpSocket::bind(any).unwrap();
    client.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut handshake = Client::new(0.0, ClientConfig::new("pages", "pages"));
    handshake.poll(0.0);
    let login = handshake.transmits().next().unwrap().bytes;
    let mut buffer = [0; 2_048];
    let mut echo = |bytes: &[u8]| {
        client.send_to(bytes, relay).unwrap();
        let (length, from) = client.recv_from(&mut buffer).unwrap();
        assert_eq!((&buffer[..length], from), (bytes, relay));
    };
    echo(&login);
    for round in 0..ROUNDS {
        let bytes: Vec<u8> = (0..256 + round % 200).map(|at| (at ^ round) as u8).collect();
        echo(&bytes);
    }
    assert_eq!(pages.pages(), PAGES, "no page was sent away meanwhile");
    is_over.store(true, Ordering::Relaxed);
    assert!(pushing.join().unwrap() > 3);
    stop.request();
    let counts = relaying.join().unwrap();
    assert_eq!(counts.relay.to_server.datagrams, u64::from(ROUNDS) + 1);
    assert_eq!(counts.relay.to_clients.datagrams, u64::from(ROUNDS) + 1);
    assert_eq!((counts.relay.dropped(), counts.unsent, receiver.dropped()), (0, 0, 0));
    drop(open);
}
