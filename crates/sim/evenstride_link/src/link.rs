//! The link itself, with all datagrams under way.

use std::{cmp::Reverse, collections::BinaryHeap};

use crate::{LinkConfig, LinkError, Random, Rule, Verdict, loss::Weather};

/// Bytes of IP and UDP headers per datagram.
const HEADER_BYTES: usize = 28;

/// One direction of a network.
pub struct Link {
    config: LinkConfig,
    random: Random,
    weather: Weather,
    rules: Vec<Box<dyn Rule + Send>>,
    under_way: BinaryHeap<Reverse<UnderWay>>,
    /// Arrival time of the last datagram that keeps its order, in seconds.
    last_arrival: f64,
    /// Time at which the line is free again, in seconds.
    free_at: f64,
    serial: u64,
    stats: LinkStats,
}

/// The fate of a datagram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sent {
    /// It will arrive.
    Arrives {
        /// Arrival time in seconds.
        at: f64,
    },
    /// The network loses it.
    Lost,
    /// The queue was full.
    QueueFull,
    /// A rule dropped it.
    DroppedByRule,
}

/// A datagram that has arrived.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrived {
    /// Arrival time in seconds.
    pub at: f64,
    /// The bytes that were sent.
    pub bytes: Vec<u8>,
}

/// Counters of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkStats {
    /// Datagrams sent.
    pub sent: u64,
    /// Datagrams that the network lost.
    pub lost: u64,
    /// Datagrams lost because the queue was full.
    pub overflowed: u64,
    /// Datagrams that rules dropped.
    pub dropped: u64,
    /// Copies made.
    pub duplicated: u64,
    /// Datagrams that arrived, copies included.
    pub arrived: u64,
}

impl Link {
    /// Creates a link.
    ///
    /// # Errors
    /// [`LinkError`] if a number is invalid.
    pub fn new(config: LinkConfig) -> Result<Self, LinkError> {
        config.check()?;
        Ok(Self {
            config,
            random: Random::seeded(config.seed),
            weather: Weather::default(),
            rules: Vec::new(),
            under_way: BinaryHeap::new(),
            last_arrival: f64::NEG_INFINITY,
            free_at: f64::NEG_INFINITY,
            serial: 0,
            stats: LinkStats::default(),
        })
    }

    /// Adds a rule after the existing ones. The first rule that does not pass decides.
    pub fn add_rule(&mut self, rule: impl Rule + Send + 'static) {
        self.rules.push(Box::new(rule));
    }

    /// Sends a datagram at `now`, in seconds, and returns its fate. `now` must not be before the
    /// time of the last call.
    pub fn send(&mut self, now: f64, bytes: Vec<u8>) -> Sent {
        self.stats.sent += 1;
        for rule in &mut self.rules {
            match rule.decide(&bytes, now) {
                Verdict::Pass => {}
                Verdict::Drop => {
                    self.stats.dropped += 1;
                    return Sent::DroppedByRule;
                }
                Verdict::Deliver { after_secs } => {
                    let at = now + after_secs.max(0.0);
                    self.last_arrival = self.last_arrival.max(at);
                    return self.put(at, bytes);
                }
            }
        }
        // Every datagram draws the same number of random numbers, so that a loss does not change
        // the fate of the others.
        let is_lost = self.weather.loses(self.config.loss, self.config.burst, &mut self.random);
        let jitter = self.random.bell() * self.config.jitter_secs;
        let is_held_back = self.random.happens(self.config.reorder);
        let is_doubled = self.random.happens(self.config.duplicate);
        if is_lost {
            self.stats.lost += 1;
            return Sent::Lost;
        }
        let Some(left) = self.leave(now, bytes.len()) else {
            self.stats.overflowed += 1;
            return Sent::QueueFull;
        };
        let delay = (self.config.latency_secs + jitter).max(0.0);
        let at = if is_held_back {
            left + delay + self.config.reorder_secs
        } else {
            // Jitter alone never changes the order.
            self.last_arrival = self.last_arrival.max(left + delay);
            self.last_arrival
        };
        if is_doubled {
            self.stats.duplicated += 1;
            self.put(at + self.config.latency_secs, bytes.clone());
        }
        self.put(at, bytes)
    }

    /// Returns the next datagram that has arrived by `now`, in seconds and in order of arrival.
    /// Returns `None` if there is none.
    #[must_use]
    pub fn receive(&mut self, now: f64) -> Option<Arrived> {
        if self.next_arrival()? > now {
            return None;
        }
        let Reverse(UnderWay { at, bytes, .. }) = self.under_way.pop()?;
        self.stats.arrived += 1;
        Some(Arrived { at, bytes })
    }

    /// Returns the time of the next arrival in seconds, or `None` if no datagram is under way.
    pub fn next_arrival(&self) -> Option<f64> {
        self.under_way.peek().map(|next| next.0.at)
    }

    /// Returns the counters.
    pub const fn stats(&self) -> LinkStats {
        self.stats
    }

    /// Returns the time at which the last byte of a datagram leaves, or `None` if the queue is
    /// full.
    fn leave(&mut self, now: f64, bytes: usize) -> Option<f64> {
        let Some(rate) = self.config.bytes_per_sec.map(f64::from) else { return Some(now) };
        let begins = self.free_at.max(now);
        let waiting = (begins - now) * rate;
        if waiting > f64::from(self.config.queue_bytes) {
            return None;
        }
        self.free_at = begins + (bytes + HEADER_BYTES) as f64 / rate;
        Some(self.free_at)
    }

    fn put(&mut self, at: f64, bytes: Vec<u8>) -> Sent {
        self.serial += 1;
        self.under_way.push(Reverse(UnderWay { at, serial: self.serial, bytes }));
        Sent::Arrives { at }
    }
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Link")
            .field("config", &self.config)
            .field("rules", &self.rules.len())
            .field("under_way", &self.under_way.len())
            .field("stats", &self.stats)
            .finish_non_exhaustive()
    }
}

/// A datagram under way. The earliest comes first. At equal times, the datagram that was sent first
/// comes first.
#[derive(Debug, PartialEq)]
struct UnderWay {
    at: f64,
    serial: u64,
    bytes: Vec<u8>,
}

impl Eq for UnderWay {}

impl Ord for UnderWay {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.at.total_cmp(&other.at).then(self.serial.cmp(&other.serial))
    }
}

impl PartialOrd for UnderWay {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Burst;

    /// Sends a numbered datagram every 10 ms. Returns all arrivals, in order of arrival.
    fn run(config: LinkConfig, count: u32) -> (Vec<(u32, f64)>, LinkStats) {
        let mut link = Link::new(config).unwrap();
        for number in 0..count {
            let _ = link.send(f64::from(number) * 0.01, number.to_le_bytes().to_vec());
        }
        let arrived = std::iter::from_fn(|| link.receive(f64::INFINITY));
        let arrived = arrived.map(|of| (u32::from_le_bytes(of.bytes.try_into().unwrap()), of.at)).collect();
        (arrived, link.stats())
    }

    #[test]
    fn the_same_seed_gives_the_same_network_and_another_another() {
        for (name, config) in LinkConfig::PRESETS {
            assert_eq!(run(config.seed(5), 500), run(config.seed(5), 500), "{name}");
            if config.loss > 0.0 {
                assert_ne!(run(config.seed(5), 500), run(config.seed(6), 500), "{name}");
            }
        }
    }

    #[test]
    fn a_perfect_link_delivers_everything_at_once_and_in_order() {
        let (arrived, stats) = run(LinkConfig::PERFECT, 100);
        assert!(arrived.iter().enumerate().all(|(index, (number, at))| {
            *number == index as u32 && (*at - f64::from(*number) * 0.01).abs() < 1e-12
        }));
        assert_eq!((stats.sent, stats.arrived, stats.lost), (100, 100, 0));
    }

    #[test]
    fn as_much_is_lost_as_the_preset_says_and_in_bursts_where_it_says_so() {
        let single = LinkConfig { loss: 0.1, ..LinkConfig::PERFECT };
        let (_, stats) = run(single, 20_000);
        assert!((1_800..2_200).contains(&stats.lost), "{stats:?}");
        let bursts =
            LinkConfig { burst: Some(Burst { enter: 0.02, leave: 0.2, loss: 1.0 }), ..LinkConfig::PERFECT };
        let (arrived, stats) = run(bursts, 20_000);
        // The link is bad for one datagram in eleven, in bursts of five.
        assert!((1_500..2_200).contains(&stats.lost), "{stats:?}");
        let gaps = arrived.windows(2).filter(|pair| pair[1].0 - pair[0].0 > 1);
        let (count, lost) =
            gaps.fold((0, 0), |(count, lost), pair| (count + 1, lost + pair[1].0 - pair[0].0 - 1));
        let mean = f64::from(lost) / f64::from(count);
        assert!((4.0..6.0).contains(&mean), "{mean}");
    }

    #[test]
    fn jitter_keeps_the_order_and_reordering_does_not() {
        let jitter = LinkConfig { latency_secs: 0.05, jitter_secs: 0.04, ..LinkConfig::PERFECT };
        let (arrived, _) = run(jitter, 2_000);
        assert!(arrived.is_sorted_by_key(|(number, _)| *number));
        assert!(arrived.iter().any(|(number, at)| at - f64::from(*number) * 0.01 > 0.07));
        let reorder = LinkConfig { reorder: 0.1, reorder_secs: 0.025, ..LinkConfig::PERFECT };
        let (arrived, _) = run(reorder, 2_000);
        let overtaken = arrived.windows(2).filter(|pair| pair[1].0 < pair[0].0).count();
        assert!((120..280).contains(&overtaken), "{overtaken}");
    }

    #[test]
    fn copies_arrive_and_are_counted() {
        let twice = LinkConfig { duplicate: 0.5, latency_secs: 0.02, ..LinkConfig::PERFECT };
        let (arrived, stats) = run(twice, 1_000);
        assert_eq!(arrived.len() as u64, 1_000 + stats.duplicated);
        assert!((430..570).contains(&stats.duplicated), "{stats:?}");
    }

    #[test]
    fn a_narrow_line_delays_and_then_drops() {
        // 100 datagrams of 32 bytes per second need 3,200 bytes per second, on a line of 1,600.
        let narrow = LinkConfig { bytes_per_sec: Some(1_600), queue_bytes: 800, ..LinkConfig::PERFECT };
        let (arrived, stats) = run(narrow, 1_000);
        let last = arrived.last().unwrap();
        let delay = last.1 - f64::from(last.0) * 0.01;
        assert!((0.45..0.55).contains(&delay), "{delay}");
        assert!((400..520).contains(&stats.overflowed), "{stats:?}");
    }

    #[test]
    fn what_cannot_be_a_link_is_refused_by_name() {
        let error = LinkConfig { loss: 1.5, ..LinkConfig::PERFECT }.check().unwrap_err();
        assert_eq!(error.to_string(), "loss: 1.5 is invalid; use 0 to 1");
        assert!(LinkConfig { jitter_secs: f64::NAN, ..LinkConfig::PERFECT }.check().is_err());
        assert!(LinkConfig { bytes_per_sec: Some(0), ..LinkConfig::PERFECT }.check().is_err());
        assert!(LinkConfig::PRESETS.into_iter().all(|(_, config)| config.check().is_ok()));
    }

    #[test]
    fn the_first_rule_that_does_not_pass_decides() {
        let mut link = Link::new(LinkConfig::PERFECT).unwrap();
        link.add_rule(|bytes: &[u8], _: f64| if bytes.is_empty() { Verdict::Drop } else { Verdict::Pass });
        link.add_rule(|_: &[u8], _: f64| Verdict::Deliver { after_secs: 1.0 });
        assert_eq!(link.send(0.0, vec![]), Sent::DroppedByRule);
        assert_eq!(link.send(0.0, vec![1]), Sent::Arrives { at: 1.0 });
    }
}
