//! When the messages of a recording arrive over another network.

use std::sync::Arc;

use evenstride_replay::{Said, Script, TimedMessage};
use evenstride_types::update::Update;

use crate::{
    log::{Log, ReceivedPosition, gaps},
    viewed_script::ViewedScript,
};

/// The messages about one entity, as they arrive in a what-if.
#[derive(Clone, Debug, Default)]
pub struct Arrivals {
    /// Received positions, oldest first.
    pub positions: Vec<ReceivedPosition>,
    /// Times in seconds between which an update was late while the entity moved.
    pub late: Vec<(f64, f64)>,
    /// Time of arrival of each message about the entity, in the order of the recording. NaN for one that does
    /// not arrive.
    pub messages: Vec<f64>,
}

impl ViewedScript {
    /// Returns what arrives of each entity in a changed script.
    pub fn arrivals(&self, changed: &Arc<Script>) -> Vec<Arrivals> {
        let mut matchers: Vec<Matcher<'_>> = self.entities.iter().map(|_| Matcher::default()).collect();
        for (index, time, update) in self.updates(&self.script) {
            matchers[index].sent.push((update, time));
        }
        if Arc::ptr_eq(changed, &self.script) {
            let all = matchers.into_iter().zip(&self.entities).map(|(matcher, of)| Arrivals {
                positions: of.positions().to_vec(),
                late: of.late.clone(),
                messages: matcher.sent.into_iter().map(|(_, time)| time).collect(),
            });
            return all.collect();
        }
        let mut logs: Vec<Log> = self.entities.iter().map(|_| Log::default()).collect();
        for matcher in &mut matchers {
            matcher.arrived = vec![f64::NAN; matcher.sent.len()];
        }
        for (index, time, update) in self.updates(changed) {
            logs[index].hear(time, update, self.origin);
            matchers[index].arrive(time, update);
        }
        let all = matchers.into_iter().zip(logs).map(|(matcher, log)| {
            let late = gaps(&log.positions).1;
            Arrivals { positions: log.positions, late, messages: matcher.arrived }
        });
        all.collect()
    }

    /// Returns the server's messages about the entities that are shown, with their indices and times.
    fn updates<'a>(&'a self, script: &'a Script) -> impl Iterator<Item = (usize, f64, &'a Update)> {
        script.messages.iter().filter_map(|TimedMessage { time, said }| match said {
            Said::Server(update) => Some((self.index(update.entity()?)?, *time, update)),
            Said::Client(_) => None,
        })
    }
}

/// Finds which message of the recording has arrived.
#[derive(Debug, Default)]
struct Matcher<'a> {
    sent: Vec<(&'a Update, f64)>,
    arrived: Vec<f64>,
    /// Number of messages before the first one that has not arrived.
    complete: usize,
}

/// Largest number of messages that one can overtake.
const MAX_OVERTAKEN: usize = 256;

impl Matcher<'_> {
    fn arrive(&mut self, time: f64, update: &Update) {
        let end = self.sent.len().min(self.complete + MAX_OVERTAKEN);
        let is_it = |index: &usize| self.arrived[*index].is_nan() && self.sent[*index].0 == update;
        if let Some(found) = (self.complete..end).find(is_it) {
            self.arrived[found] = time;
        }
        while self.arrived.get(self.complete).is_some_and(|time| !time.is_nan()) {
            self.complete += 1;
        }
    }
}
