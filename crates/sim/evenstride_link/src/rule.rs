//! Rules, by which the caller decides about single datagrams.

/// A rule's decision about a datagram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The next rule decides. After the last rule, the network decides.
    Pass,
    /// The datagram arrives after a fixed delay, and skips the network. Later datagrams that go
    /// through the network without being held back cannot overtake it.
    Deliver {
        /// Delay in seconds (at least 0). A negative delay counts as 0.
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
