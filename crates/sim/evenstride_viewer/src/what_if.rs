//! Changes to a recording: another network, and messages that are left out.

use std::sync::Arc;

use evenstride_arena::relinked;
use evenstride_link::LinkConfig;
use evenstride_replay::Script;

/// A change to a recording. Every number is added to what the recording already has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WhatIf {
    /// Latency in seconds, 0 to 60.
    pub latency_secs: f64,
    /// Largest deviation from the latency in seconds, 0 to 60.
    pub jitter_secs: f64,
    /// Probability that a datagram is lost, 0 to 1.
    pub loss: f64,
    /// Seed of the random events.
    pub seed: u32,
    /// Indices of the messages that are left out.
    pub dropped: Vec<usize>,
}

impl WhatIf {
    /// Returns the changed script.
    ///
    /// # Errors
    /// A sentence if a number is out of its range.
    pub fn apply(&self, script: &Arc<Script>) -> Result<Arc<Script>, String> {
        let mut changed = Arc::clone(script);
        if !self.dropped.is_empty() {
            let mut index = 0;
            Arc::make_mut(&mut changed).messages.retain(|_| {
                index += 1;
                !self.dropped.contains(&(index - 1))
            });
        }
        let config = LinkConfig {
            seed: u64::from(self.seed),
            latency_secs: self.latency_secs,
            jitter_secs: self.jitter_secs,
            loss: self.loss,
            ..LinkConfig::PERFECT
        };
        if config == (LinkConfig { seed: config.seed, ..LinkConfig::PERFECT }) {
            return Ok(changed);
        }
        relinked(&changed, config).map(Arc::new).map_err(|error| error.to_string())
    }
}
