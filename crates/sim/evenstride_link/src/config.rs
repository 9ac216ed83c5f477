//! Configuration of a link, and presets that set every number.

/// Configuration of one direction of a network. Start from a preset, or from
/// [`LinkConfig::PERFECT`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkConfig {
    /// Seed of all randomness (default: 0).
    pub seed: u64,
    /// Delay from one end to the other in seconds (0 to 60, default: 0).
    pub latency_secs: f64,
    /// Largest deviation from the latency in seconds, to either side (0 to 60, default: 0). Small
    /// deviations are more likely, and no delay is negative. Jitter keeps the order, so a datagram
    /// that would overtake another arrives together with it.
    pub jitter_secs: f64,
    /// Probability that a datagram is lost, independent of the others, 0 to 1 (default: 0).
    pub loss: f64,
    /// Loss in bursts, besides single losses (default: none).
    pub burst: Option<Burst>,
    /// Probability that a datagram is held back by [`reorder_secs`](Self::reorder_secs), so that
    /// later ones overtake it, 0 to 1 (default: 0).
    pub reorder: f64,
    /// Time in seconds for which those datagrams are held back (0 to 60, default: 0).
    pub reorder_secs: f64,
    /// Probability that a datagram arrives twice, 0 to 1 (default: 0). The copy arrives
    /// `latency_secs` after the original.
    pub duplicate: f64,
    /// Bandwidth in bytes per second (at least 1, default: unlimited). Headers add 28 bytes to each
    /// datagram.
    pub bytes_per_sec: Option<u32>,
    /// Number of waiting bytes above which further datagrams are lost (default: 64 KiB). It has no
    /// effect without a bandwidth.
    pub queue_bytes: u32,
}

/// Loss in bursts, by the Gilbert–Elliott model. The link is good or bad, and each datagram may
/// change that at random. All probabilities are from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Burst {
    /// Probability per datagram that a good link turns bad.
    pub enter: f64,
    /// Probability per datagram that a bad link turns good. A burst lasts 1 / `leave` datagrams on
    /// average.
    pub leave: f64,
    /// Probability that a datagram is lost while the link is bad.
    pub loss: f64,
}

impl LinkConfig {
    /// A link on which everything arrives at once.
    pub const PERFECT: Self = Self {
        seed: 0,
        latency_secs: 0.0,
        jitter_secs: 0.0,
        loss: 0.0,
        burst: None,
        reorder: 0.0,
        reorder_secs: 0.0,
        duplicate: 0.0,
        bytes_per_sec: None,
        queue_bytes: 64 * 1024,
    };

    /// A good line at home, with 25 ms latency, ± 4 ms jitter and 0.1 % loss.
    pub const BROADBAND: Self =
        Self { latency_secs: 0.025, jitter_secs: 0.004, loss: 0.001, ..Self::PERFECT };

    /// A shared wireless network, with 30 ms latency, ± 25 ms jitter, 1 % loss, and 0.5 % held back
    /// by 30 ms. 0.5 % of datagrams begin a burst. A burst is 4 datagrams long on average, and
    /// loses half of them.
    pub const WIFI_BUSY: Self = Self {
        latency_secs: 0.03,
        jitter_secs: 0.025,
        loss: 0.01,
        burst: Some(Burst { enter: 0.005, leave: 0.25, loss: 0.5 }),
        reorder: 0.005,
        reorder_secs: 0.03,
        ..Self::PERFECT
    };

    /// A mobile network, with 70 ms latency, ± 40 ms jitter, 2 % loss, 1 % held back by 60 ms, and
    /// 0.2 % duplicates. 1 % of datagrams begin a burst. A burst is 10 datagrams long on average,
    /// and loses 70 % of them.
    pub const CELLULAR: Self = Self {
        latency_secs: 0.07,
        jitter_secs: 0.04,
        loss: 0.02,
        burst: Some(Burst { enter: 0.01, leave: 0.1, loss: 0.7 }),
        reorder: 0.01,
        reorder_secs: 0.06,
        duplicate: 0.002,
        ..Self::PERFECT
    };

    /// A satellite link, with 300 ms latency, ± 20 ms jitter and 0.5 % loss. 0.2 % of datagrams
    /// begin a burst. A burst is 20 datagrams long on average, and loses 90 % of them.
    pub const SATELLITE: Self = Self {
        latency_secs: 0.3,
        jitter_secs: 0.02,
        loss: 0.005,
        burst: Some(Burst { enter: 0.002, leave: 0.05, loss: 0.9 }),
        ..Self::PERFECT
    };

    /// A telephone line of 1999, with 110 ms latency, ± 15 ms jitter and 1 % loss. It has 5,600
    /// bytes per second, and a queue of 4 KiB.
    pub const MODEM_1999: Self = Self {
        latency_secs: 0.11,
        jitter_secs: 0.015,
        loss: 0.01,
        bytes_per_sec: Some(5_600),
        queue_bytes: 4 * 1024,
        ..Self::PERFECT
    };

    /// The worst link that players would accept. It has 120 ms latency, ± 100 ms jitter, 8 % loss,
    /// 5 % held back by 150 ms, and 2 % duplicates. 2 % of datagrams begin a burst. A burst is 8
    /// datagrams long on average, and loses 90 % of them.
    pub const AWFUL: Self = Self {
        latency_secs: 0.12,
        jitter_secs: 0.1,
        loss: 0.08,
        burst: Some(Burst { enter: 0.02, leave: 0.125, loss: 0.9 }),
        reorder: 0.05,
        reorder_secs: 0.15,
        duplicate: 0.02,
        ..Self::PERFECT
    };

    /// Every preset, by name.
    pub const PRESETS: [(&'static str, Self); 7] = [
        ("perfect", Self::PERFECT),
        ("broadband", Self::BROADBAND),
        ("wifi-busy", Self::WIFI_BUSY),
        ("cellular", Self::CELLULAR),
        ("satellite", Self::SATELLITE),
        ("modem-1999", Self::MODEM_1999),
        ("awful", Self::AWFUL),
    ];

    /// Returns the preset with this name, or `None` if the name is unknown.
    pub fn preset(name: &str) -> Option<Self> {
        Self::PRESETS.into_iter().find(|(known, _)| *known == name).map(|(_, config)| config)
    }

    /// Returns the same configuration with another seed.
    #[must_use]
    pub const fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Checks every number.
    ///
    /// # Errors
    /// [`LinkError`] with the first invalid number.
    pub fn check(&self) -> Result<(), LinkError> {
        let Self { latency_secs, jitter_secs, loss, burst, reorder, reorder_secs, duplicate, .. } = *self;
        let burst = burst.unwrap_or(Burst { enter: 0.0, leave: 0.0, loss: 0.0 });
        let parts = [
            ("loss", loss),
            ("reorder", reorder),
            ("duplicate", duplicate),
            ("burst.enter", burst.enter),
            ("burst.leave", burst.leave),
            ("burst.loss", burst.loss),
        ];
        let secs =
            [("latency_secs", latency_secs), ("jitter_secs", jitter_secs), ("reorder_secs", reorder_secs)];
        for (field, value) in parts {
            if !(0.0..=1.0).contains(&value) {
                return Err(LinkError { field, value, allowed: "0 to 1" });
            }
        }
        for (field, value) in secs {
            if !(0.0..=60.0).contains(&value) {
                return Err(LinkError { field, value, allowed: "0 to 60 seconds" });
            }
        }
        if self.bytes_per_sec == Some(0) {
            return Err(LinkError { field: "bytes_per_sec", value: 0.0, allowed: "1 or more" });
        }
        Ok(())
    }
}

impl Default for LinkConfig {
    fn default() -> Self {
        Self::PERFECT
    }
}

/// An invalid number in a link's configuration.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{field}: {value} is invalid; use {allowed}")]
pub struct LinkError {
    /// Name of the field.
    pub field: &'static str,
    /// The value given.
    pub value: f64,
    /// The allowed values.
    pub allowed: &'static str,
}
