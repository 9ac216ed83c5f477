//! Rules: what a user wants to happen to certain datagrams.

/// What happens to a datagram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The next rule decides; after the last one, the network.
    Pass,
    /// It arrives so many seconds later, whatever the network is like; nothing that keeps its order overtakes it.
    Deliver {
        /// How many.
        after_secs: f64,
    },
    /// It never arrives.
    Drop,
}

/// Decides about datagrams before the network does. Closures are rules.
pub trait Rule {
    /// What happens to this one, which is sent at `now` (in seconds).
    fn decide(&mut self, bytes: &[u8], now: f64) -> Verdict;
}

impl<F: FnMut(&[u8], f64) -> Verdict> Rule for F {
    fn decide(&mut self, bytes: &[u8], now: f64) -> Verdict {
        self(bytes, now)
    }
}
