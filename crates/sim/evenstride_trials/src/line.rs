//! Lines that carry updates, and what arrives.

use evenstride_link::{Link, LinkConfig};

use crate::mover::{At, FPS};

/// A sender and the link behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Updates per second.
    pub rate: f64,
    /// The link. Its seed is replaced.
    pub link: LinkConfig,
}

/// An update that arrived.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival {
    /// Time of arrival in seconds.
    pub arrived: f64,
    /// Time of sending in seconds.
    pub sent: f64,
    /// Number of the update.
    pub number: u64,
    /// Truth at the time of sending.
    pub at: At,
}

impl Line {
    /// Returns a line with 80 to 180 ms of latency that loses nothing.
    pub const fn new(rate: f64) -> Self {
        let link = LinkConfig { latency_secs: 0.13, jitter_secs: 0.05, ..LinkConfig::PERFECT };
        Self { rate, link }
    }

    /// Returns the line with a part of the updates lost, 0 to 1.
    #[must_use]
    pub const fn losing(self, loss: f64) -> Self {
        Self { link: LinkConfig { loss, ..self.link }, ..self }
    }

    /// Returns the line over another link.
    #[must_use]
    pub const fn over(self, link: LinkConfig) -> Self {
        Self { link, ..self }
    }

    /// Returns what arrives of a course, in order of arrival.
    ///
    /// # Panics
    /// If the link is invalid.
    pub fn deliver(&self, course: &[At], seed: u64) -> Vec<Arrival> {
        let mut link = Link::new(self.link.seed(seed)).expect("a valid link");
        let secs = course.len() as f64 / FPS;
        let sent_at = |number: u64| number as f64 / self.rate;
        for number in 0..(secs * self.rate) as u64 {
            link.send(sent_at(number), number.to_le_bytes().to_vec());
        }
        let arrivals = std::iter::from_fn(|| link.receive(secs + 60.0)).filter_map(|datagram| {
            let number = u64::from_le_bytes(datagram.bytes.as_slice().try_into().ok()?);
            let sent = sent_at(number);
            Some(Arrival { arrived: datagram.at, sent, number, at: course[(sent * FPS) as usize] })
        });
        arrivals.collect()
    }
}
