//! Rules: the user's decisions about single datagrams.

/// A rule's decision about a datagram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The next rule decides. After the last one, the network does.
    Pass,
    /// The datagram arrives later by a fixed time, whatever the network. No datagram that keeps its
    /// order overtakes it.
    Deliver {
        /// Delay in seconds.
        after_secs: f64,
    },
    /// The datagram never arrives.
    Drop,
}

/// Decides about datagrams before the network does. Closures are rules.
pub trait Rule {
    /// Decides about a datagram that is sent at `now`, in seconds.
    fn decide(&mut self, bytes: &[u8], now: f64) -> Verdict;
}

impl<F: FnMut(&[u8], f64) -> Verdict> Rule for F {
    fn decide(&mut self, bytes: &[u8], now: f64) -> Verdict {
        self(bytes, now)
    }
}
