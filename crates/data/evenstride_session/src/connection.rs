//! What both ends of a session do alike after the handshake.

use evenstride_wire::{Packet, PacketFlags, Section};

use crate::{
    inbox::Inbox,
    outbox::{Marks, Outbox, Outgoing},
};

/// Seconds between two acknowledgements, as in the client and in ACE.
const ACK_SECS: f64 = 2.0;

/// Seconds between two answers to connect responses that are repeated.
const GREET_SECS: f64 = 0.3;

/// Number of packets after which an acknowledgement does not wait for its time.
const ACK_PACKETS: u32 = 128;

/// The reason why a session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// The other end said so.
    Disconnected,
    /// The other end reported an error, by the number of its text.
    Error(u32),
    /// The handshake was not finished in time.
    NoHandshake,
    /// Nothing genuine arrived for too long.
    Silence,
    /// This end closed it.
    Closed,
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Disconnected => f.write_str("the other end ended the session"),
            Self::Error(text) => write!(f, "the other end reported the network error 0x{text:08X}"),
            Self::NoHandshake => f.write_str("the handshake was not finished in time"),
            Self::Silence => f.write_str("nothing arrived for too long"),
            Self::Closed => f.write_str("the session was closed"),
        }
    }
}

/// Differences between the two ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Habits {
    pub(crate) marks: Marks,
    /// Seed of the packets that leave.
    pub(crate) out_seed: u32,
    /// Seed of the packets that arrive.
    pub(crate) in_seed: u32,
    /// Seconds between two requests for missing packets.
    pub(crate) request_every: f64,
    /// Seconds between two packets with the time.
    pub(crate) sync_every: f64,
    /// Whether packets with the time ask for an echo.
    pub(crate) asks_echo: bool,
    /// Seconds without a genuine packet after which the session is over.
    pub(crate) idle_secs: f64,
}

/// One end of an established session.
#[derive(Debug)]
pub(crate) struct Connection {
    habits: Habits,
    pub(crate) outbox: Outbox,
    pub(crate) inbox: Inbox,
    /// Datagrams that wait to be sent.
    pub(crate) out: Vec<Vec<u8>>,
    /// Seconds from a request for an echo to its answer, the newest last.
    pub(crate) round_trip: Option<f64>,
    heard: f64,
    greeted: f64,
    acked: u32,
    next_ack: f64,
    next_sync: f64,
}

impl Connection {
    pub(crate) fn new(now: f64, habits: Habits) -> Self {
        Self {
            habits,
            outbox: Outbox::new(habits.marks, habits.out_seed),
            inbox: Inbox::new(habits.in_seed, habits.request_every),
            out: Vec::new(),
            round_trip: None,
            heard: now,
            greeted: now,
            acked: 1,
            next_ack: now + ACK_SECS,
            next_sync: now,
        }
    }

    pub(crate) fn send(&mut self, message: &Outgoing) {
        self.outbox.push(message);
    }

    /// Processes a packet. Returns its messages, and the reason if it ends the session.
    pub(crate) fn handle(&mut self, now: f64, packet: &Packet<'_>) -> (Vec<Vec<u8>>, Option<Ended>) {
        if !self.inbox.accepts(now, packet) {
            return (Vec::new(), None);
        }
        self.heard = now;
        let mut ended = None;
        for section in &packet.sections {
            match section {
                Section::Ack(sequence) => self.outbox.acknowledge(*sequence),
                Section::RequestRetransmit(sequences) => {
                    let again = self.outbox.again(now, sequences);
                    self.out.extend(again);
                }
                Section::EchoRequest(time) => {
                    let second = (now - f64::from(*time)) as f32;
                    self.outbox.push_section(Section::EchoResponse { echoed: *time, second });
                }
                Section::EchoResponse { echoed, .. } => {
                    self.round_trip = Some((now - f64::from(*echoed)).max(0.0));
                }
                Section::NetErrorDisconnect { string, .. } => ended = Some(Ended::Error(*string)),
                _ => {}
            }
        }
        if packet.header.flags.contains(PacketFlags::DISCONNECT) {
            ended = Some(Ended::Disconnected);
        }
        (self.inbox.messages(now, packet), ended)
    }

    /// Does what time demands: acknowledgements, requests, time and waiting messages.
    pub(crate) fn poll(&mut self, now: f64) -> Option<Ended> {
        if now - self.heard >= self.habits.idle_secs {
            return Some(Ended::Silence);
        }
        if now >= self.next_sync {
            self.next_sync = now + self.habits.sync_every;
            self.outbox.push_section(Section::TimeSync(now));
            if self.habits.asks_echo {
                self.outbox.push_section(Section::EchoRequest(now as f32));
            }
        }
        if let Some(missing) = self.inbox.request(now) {
            self.unnumbered(now, Section::RequestRetransmit(missing));
        }
        let is_behind = self.inbox.contiguous() - self.acked >= ACK_PACKETS;
        if now >= self.next_ack || is_behind {
            self.next_ack = now + ACK_SECS;
            if self.inbox.contiguous() > self.acked {
                self.acked = self.inbox.contiguous();
                self.unnumbered(now, Section::Ack(self.acked));
            }
        }
        self.out.extend(self.outbox.flush(now));
        None
    }

    /// Returns the time of the last genuine packet.
    pub(crate) const fn heard(&self) -> f64 {
        self.heard
    }

    /// Returns the time of the next call of [`Self::poll`] that may do something.
    pub(crate) fn next_due(&self) -> f64 {
        let own = self.next_sync.min(self.next_ack).min(self.heard + self.habits.idle_secs);
        self.inbox.next_request().map_or(own, |request| own.min(request))
    }

    /// Answers a client that has heard nothing yet. The answer tells which packets it has missed.
    pub(crate) fn greet_again(&mut self, now: f64) {
        if now >= self.greeted + GREET_SECS {
            self.greeted = now;
            self.unnumbered(now, Section::Ack(self.inbox.contiguous()));
        }
    }

    /// Tells the other end that the session is over.
    pub(crate) fn disconnect(&mut self, now: f64) {
        self.out.extend(self.outbox.flush(now));
        self.out.push(self.outbox.unnumbered(now, &[], PacketFlags::DISCONNECT));
    }

    fn unnumbered(&mut self, now: f64, section: Section) {
        self.out.push(self.outbox.unnumbered(now, &[section], PacketFlags::empty()));
    }
}
