//! A recorded script over a worse network.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use evenstride_capture::{Listener, Session, Timeline};
use evenstride_link::{Link, LinkConfig, Sent};
use evenstride_replay::{Recorder, Said, Script, Tape, TimedMessage};
use evenstride_wire::Message;

use crate::simulate::{NOTICED_SECS, SimulateError};

/// Sends the server's messages of a script over a network, and returns the script that arrives.
///
/// Lost datagrams are requested again, as the protocol does. The client's own messages, names and true
/// places stay as they are.
///
/// ```
/// use evenstride_arena::relinked;
/// use evenstride_link::LinkConfig;
/// use evenstride_replay::sample;
///
/// let script = sample::crowd(3, 5);
/// let late = relinked(&script, LinkConfig::SATELLITE)?;
/// assert_eq!(late.messages.len(), script.messages.len());
/// assert!(late.messages[0].time > script.messages[0].time + 0.2);
/// # Ok::<(), evenstride_arena::SimulateError>(())
/// ```
///
/// # Errors
/// [`SimulateError`] if the network is invalid.
pub fn relinked(script: &Script, config: LinkConfig) -> Result<Script, SimulateError> {
    let mut link = Link::new(config)?;
    let mut tape = Tape::new()?;
    let mut session = Session::new(Recorder::new("relinked", Timeline::default()));
    let start = script.span().map_or(0.0, |(start, _)| start);
    // Second 0 of the session is the script's, even if its first datagram comes late.
    session.listener.packet(0.0);
    let mut again: Vec<Repetition> = Vec::new();
    let resend_secs = 2.0 * config.latency_secs + NOTICED_SECS;
    let send = |link: &mut Link, again: &mut Vec<Repetition>, now: f64, payload: Vec<u8>, tries: u32| {
        // The protocol notices missing datagrams and requests them.
        let is_missing = matches!(link.send(now, payload.clone()), Sent::Lost | Sent::QueueFull);
        if is_missing && tries < MAX_TRIES {
            again.push(Repetition { at: now + resend_secs, payload, tries: tries + 1 });
        }
    };
    let mut rest = script.messages.as_slice();
    loop {
        // The next thing that happens is a message, a repetition or an arrival.
        let message = rest.first().map(|message| message.time - start);
        let repetition = again.first().map(|of| of.at);
        let next = [message, repetition, link.next_arrival()].into_iter().flatten().min_by(f64::total_cmp);
        let Some(now) = next else { break };
        while let Some(arrived) = link.receive(now) {
            session.datagram(arrived.at, SERVER, CLIENT, &arrived.bytes);
        }
        let due = again.partition_point(|of| of.at <= now);
        for Repetition { payload, tries, .. } in again.drain(..due).collect::<Vec<_>>() {
            send(&mut link, &mut again, now, payload, tries);
        }
        let count = rest.iter().take_while(|message| message.time - start <= now).count();
        let (present, later) = rest.split_at(count);
        rest = later;
        let updates: Vec<Message> = present.iter().filter_map(from_server).collect();
        for payload in tape.server_datagrams(&updates) {
            send(&mut link, &mut again, now, payload, 1);
        }
    }
    let mut messages: Vec<TimedMessage> =
        script.messages.iter().filter(|message| from_server(message).is_none()).cloned().collect();
    messages.extend(
        session
            .listener
            .finish(None)
            .messages
            .into_iter()
            .map(|message| TimedMessage { time: message.time + start, said: message.said }),
    );
    messages.sort_by(|one, other| one.time.total_cmp(&other.time));
    Ok(Script { messages, ..script.clone() })
}

/// A datagram that waits to be sent again.
struct Repetition {
    at: f64,
    payload: Vec<u8>,
    /// Number of times that it was sent, including the next one.
    tries: u32,
}

/// Number of times that a datagram is sent. After that, a session would be over.
const MAX_TRIES: u32 = 20;

/// Returns a message of the server, to be sent again.
fn from_server(message: &TimedMessage) -> Option<Message> {
    match &message.said {
        Said::Server(update) => Some(Message::from(update.clone())),
        Said::Client(_) => None,
    }
}

/// Invented addresses of both ends.
const SERVER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 2)), 9_000);
const CLIENT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)), 50_123);

#[cfg(test)]
mod tests {
    use evenstride_replay::{ReplayOptions, replay, sample};

    use super::*;

    #[test]
    fn a_perfect_network_changes_nothing() {
        let script = sample::crowd(5, 10);
        let same = relinked(&script, LinkConfig::PERFECT).unwrap();
        assert_eq!(same.messages, script.messages);
    }

    #[test]
    fn a_network_that_loses_everything_comes_to_an_end() {
        let script = sample::crowd(3, 5);
        let dead = LinkConfig { loss: 1.0, latency_secs: 0.01, ..LinkConfig::PERFECT };
        let nothing = relinked(&script, dead).unwrap();
        let is_client = |message: &TimedMessage| matches!(message.said, Said::Client(_));
        assert!(nothing.messages.iter().all(is_client));
    }

    #[test]
    fn a_bad_network_delays_and_repeats_exactly() {
        let script = sample::crowd(5, 20);
        let bad = |seed| relinked(&script, LinkConfig::AWFUL.seed(seed)).unwrap();
        let (one, same, other) = (bad(1), bad(1), bad(2));
        assert_eq!(one.messages, same.messages);
        assert_ne!(one.messages, other.messages);
        assert!(one.messages.len() >= script.messages.len() * 9 / 10, "lost messages are sent again");
        let hash = |script: &Script| replay(script, &ReplayOptions::default(), &mut ()).state_hash;
        assert_ne!(hash(&one), hash(&script));
    }
}
