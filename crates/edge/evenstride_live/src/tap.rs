//! What goes through a relay, for an observer on another thread.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel},
    },
    time::Duration,
};

use evenstride_session::Port;

use crate::Stop;

/// A datagram that was forwarded.
#[derive(Clone, Debug, PartialEq)]
pub struct Tapped {
    /// Time at which it arrived at the relay, in seconds since the start.
    pub time: f64,
    /// The client.
    pub client: SocketAddr,
    /// The port of the server.
    pub port: Port,
    /// Whether it goes to the server.
    pub is_to_server: bool,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Tapped {
    /// Returns the server's address that the datagram goes to or comes from. `lower` has its lower port.
    pub fn server_address(&self, lower: SocketAddr) -> SocketAddr {
        server_address(lower, self.port)
    }
}

/// Returns the address of one of the server's ports.
pub(crate) fn server_address(lower: SocketAddr, port: Port) -> SocketAddr {
    let number = match port {
        Port::Lower => lower.port(),
        Port::Upper => lower.port().wrapping_add(1),
    };
    SocketAddr::new(lower.ip(), number)
}

/// The end of the relay. It never waits. If the observer is too slow, datagrams are dropped and counted.
#[derive(Clone, Debug)]
pub struct Tap {
    queue: SyncSender<Tapped>,
    waiting: Arc<AtomicUsize>,
    dropped: Arc<AtomicU64>,
    beat: Arc<AtomicU64>,
}

/// The end of the observer.
#[derive(Debug)]
pub struct TapReceiver {
    queue: Receiver<Tapped>,
    waiting: Arc<AtomicUsize>,
    dropped: Arc<AtomicU64>,
    /// Bits of the time in seconds before which every datagram is in the queue.
    beat: Arc<AtomicU64>,
}

/// Seconds that an observer waits before it looks up.
const WAIT: Duration = Duration::from_millis(50);

/// Largest number of datagrams after which an observer looks up, also if more wait.
pub const AT_ONCE: u32 = 256;

/// Largest number of bytes that wait for an observer.
pub const MAX_WAITING_BYTES: usize = 32 << 20;

/// Returns both ends of a queue for this many datagrams, of at most [`MAX_WAITING_BYTES`] together.
pub fn tap(length: usize) -> (Tap, TapReceiver) {
    let (sender, receiver) = sync_channel(length);
    let dropped = Arc::new(AtomicU64::new(0));
    let waiting = Arc::new(AtomicUsize::new(0));
    let beat = Arc::new(AtomicU64::new(0));
    let tap = Tap {
        queue: sender,
        waiting: Arc::clone(&waiting),
        dropped: Arc::clone(&dropped),
        beat: Arc::clone(&beat),
    };
    (tap, TapReceiver { queue: receiver, waiting, dropped, beat })
}

impl Tap {
    /// Passes a datagram on, or drops and counts it.
    pub fn offer(&self, tapped: Tapped) {
        let bytes = tapped.bytes.len();
        let has_room = self.waiting.fetch_add(bytes, Ordering::Relaxed) + bytes <= MAX_WAITING_BYTES;
        let sent = if has_room { self.queue.try_send(tapped) } else { Err(TrySendError::Full(tapped)) };
        if sent.is_err() {
            self.waiting.fetch_sub(bytes, Ordering::Relaxed);
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Tells the observer that every datagram before this time in seconds has been offered.
    pub fn beat(&self, time: f64) {
        self.beat.store(time.to_bits(), Ordering::Release);
    }

    /// Returns the number of datagrams that the observer missed.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }
}

impl TapReceiver {
    /// Passes datagrams to `observe` until the end is requested and the queue is empty, or the relay is
    /// gone. `observe` gets `None` whenever the queue is empty, and after at most [`AT_ONCE`] datagrams.
    pub fn observe(&self, stop: &Stop, mut observe: impl FnMut(Option<&Tapped>)) {
        self.observe_until(stop, |tapped, _| observe(tapped));
    }

    /// Passes datagrams to `observe` as [`Self::observe`] does, and also the time in seconds before which no
    /// further datagram comes. That of a datagram is its own.
    pub fn observe_until(&self, stop: &Stop, mut observe: impl FnMut(Option<&Tapped>, f64)) {
        let last = loop {
            // Read before the queue is, so whatever comes later has a later time.
            let beat = self.beat();
            let mut next = match self.queue.recv_timeout(WAIT) {
                Ok(tapped) => Some(tapped),
                Err(RecvTimeoutError::Timeout) if !stop.is_requested() => None,
                Err(_) => break beat,
            };
            let (mut count, mut until) = (0, beat);
            while let Some(tapped) = next {
                self.waiting.fetch_sub(tapped.bytes.len(), Ordering::Relaxed);
                observe(Some(&tapped), tapped.time);
                count += 1;
                // With a full queue, only what comes before this datagram is known to be complete.
                (next, until) = if count == AT_ONCE {
                    (None, beat.min(tapped.time))
                } else {
                    (self.queue.try_recv().ok(), beat)
                };
            }
            observe(None, until);
        };
        observe(None, last);
    }

    /// Returns the time in seconds before which every datagram is in the queue.
    fn beat(&self) -> f64 {
        f64::from_bits(self.beat.load(Ordering::Acquire))
    }

    /// Returns the number of datagrams that were dropped because this end was too slow.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn large_datagrams_fill_the_queue_before_many_do() {
        let (tap, receiver) = tap(1 << 14);
        let client = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        for _ in 0..1_000 {
            tap.offer(Tapped {
                time: 0.0,
                client,
                port: Port::Lower,
                is_to_server: true,
                bytes: vec![0; 60_000],
            });
        }
        let kept = MAX_WAITING_BYTES / 60_000;
        assert_eq!(tap.dropped(), 1_000 - kept as u64);
        let stop = Stop::default();
        stop.request();
        let mut seen = 0;
        receiver.observe(&stop, |tapped| seen += usize::from(tapped.is_some()));
        assert_eq!((seen, receiver.waiting.load(Ordering::Relaxed)), (kept, 0));
    }
}
