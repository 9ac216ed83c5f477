//! What goes through a relay, for an observer on another thread.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
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

/// The end of the relay. It never waits. If the observer is too slow, datagrams are dropped and counted.
#[derive(Clone, Debug)]
pub struct Tap {
    queue: SyncSender<Tapped>,
    dropped: Arc<AtomicU64>,
}

/// The end of the observer.
#[derive(Debug)]
pub struct TapReceiver {
    queue: Receiver<Tapped>,
    dropped: Arc<AtomicU64>,
}

/// Seconds that an observer waits before it looks up.
const WAIT: Duration = Duration::from_millis(50);

/// Returns both ends of a queue for this many datagrams.
pub fn tap(length: usize) -> (Tap, TapReceiver) {
    let (sender, receiver) = sync_channel(length);
    let dropped = Arc::new(AtomicU64::new(0));
    (Tap { queue: sender, dropped: Arc::clone(&dropped) }, TapReceiver { queue: receiver, dropped })
}

impl Tap {
    pub(crate) fn offer(&self, tapped: Tapped) {
        match self.queue.try_send(tapped) {
            Ok(()) => {}
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {
                self.dropped.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Returns the number of datagrams that the observer missed.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }
}

impl TapReceiver {
    /// Passes datagrams to `observe` until the end is requested and the queue is empty, or the relay is
    /// gone. `observe` gets `None` whenever the queue is empty.
    pub fn observe(&self, stop: &Stop, mut observe: impl FnMut(Option<&Tapped>)) {
        loop {
            match self.queue.recv_timeout(WAIT) {
                Ok(tapped) => {
                    observe(Some(&tapped));
                    while let Ok(tapped) = self.queue.try_recv() {
                        observe(Some(&tapped));
                    }
                    observe(None);
                }
                Err(RecvTimeoutError::Timeout) if !stop.is_requested() => observe(None),
                Err(_) => break,
            }
        }
        observe(None);
    }

    /// Returns the number of datagrams that were dropped because this end was too slow.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }
}
