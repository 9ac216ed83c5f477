//! What a link is like. Presets say every number.

/// One direction of a network. Start from a preset, or from [`LinkConfig::PERFECT`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkConfig {
    /// Where all chance comes from (default: 0).
    pub seed: u64,
    /// Seconds from one end to the other (default: 0).
    pub latency_secs: f64,
    /// By how many seconds that varies, at most, to either side; mostly by less. Never below no time at all. It does not change the order:
    /// who would overtake arrives together with the one before (default: 0).
    pub jitter_secs: f64,
    /// Which part of datagrams is lost, each for itself, 0 to 1 (default: 0).
    pub loss: f64,
    /// Loss in bursts, on top of that (default: none).
    pub burst: Option<Burst>,
    /// Which part of datagrams is held back by [`reorder_secs`](Self::reorder_secs), so that later ones overtake them, 0 to 1 (default: 0).
    pub reorder: f64,
    /// For how many seconds those are held back (default: 0).
    pub reorder_secs: f64,
    /// Which part of datagrams arrives twice, 0 to 1; the copy comes one latency later (default: 0).
    pub duplicate: f64,
    /// Bytes a second that get through, 28 bytes of headers for each datagram included (default: any number).
    pub bytes_per_sec: Option<u32>,
    /// Bytes that wait for their turn at most; what comes then is lost (default: 64 KiB). Only matters with a bandwidth.
    pub queue_bytes: u32,
}

/// Loss in bursts, by the model of Gilbert and Elliott: the link is good or bad, and changes by chance with every datagram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Burst {
    /// Probability that a good link turns bad, at each datagram.
    pub enter: f64,
    /// Probability that a bad link turns good, at each datagram: a burst lasts 1 / `leave` of them on average.
    pub leave: f64,
    /// Which part of datagrams is lost while it is bad.
    pub loss: f64,
}

impl LinkConfig {
    /// Everything arrives at once.
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

    /// A good line at home: 25 ms, ± 4 ms, 0.1 % lost.
    pub const BROADBAND: Self =
        Self { latency_secs: 0.025, jitter_secs: 0.004, loss: 0.001, ..Self::PERFECT };

    /// Radio that others use too: 30 ms, ± 25 ms, 1 % lost, bursts (0.5 % of datagrams begin one, 4 datagrams long, half of them lost), 0.5 %
    /// held back by 30 ms.
    pub const WIFI_BUSY: Self = Self {
        latency_secs: 0.03,
        jitter_secs: 0.025,
        loss: 0.01,
        burst: Some(Burst { enter: 0.005, leave: 0.25, loss: 0.5 }),
        reorder: 0.005,
        reorder_secs: 0.03,
        ..Self::PERFECT
    };

    /// On the move: 70 ms, ± 40 ms, 2 % lost, bursts (1 %, 10 datagrams long, 70 % of them lost), 1 % held back by 60 ms, 0.2 % twice.
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

    /// By way of the sky: 300 ms, ± 20 ms, 0.5 % lost, bursts (0.2 %, 20 datagrams long, 90 % of them lost).
    pub const SATELLITE: Self = Self {
        latency_secs: 0.3,
        jitter_secs: 0.02,
        loss: 0.005,
        burst: Some(Burst { enter: 0.002, leave: 0.05, loss: 0.9 }),
        ..Self::PERFECT
    };

    /// The telephone line that the game was made for: 110 ms, ± 15 ms, 1 % lost, 5,600 bytes a second with 4 KiB waiting at most.
    pub const MODEM_1999: Self = Self {
        latency_secs: 0.11,
        jitter_secs: 0.015,
        loss: 0.01,
        bytes_per_sec: Some(5_600),
        queue_bytes: 4 * 1024,
        ..Self::PERFECT
    };

    /// As bad as anybody would play on: 120 ms, ± 100 ms, 8 % lost, bursts (2 %, 8 datagrams long, 90 % of them lost), 5 % held back by 150 ms,
    /// 2 % twice.
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

    /// The preset of a name.
    pub fn preset(name: &str) -> Option<Self> {
        Self::PRESETS.into_iter().find(|(known, _)| *known == name).map(|(_, config)| config)
    }

    /// The same with another seed.
    #[must_use]
    pub const fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Whether there can be such a link.
    ///
    /// # Errors
    /// [`LinkError`] naming the first number that cannot be.
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

/// There can be no such link.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{field}: {value} is not {allowed}")]
pub struct LinkError {
    /// Which number.
    pub field: &'static str,
    /// As given.
    pub value: f64,
    /// What it may be.
    pub allowed: &'static str,
}
