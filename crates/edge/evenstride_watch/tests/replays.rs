//! What a watch draws is what a replay of the recording draws, whatever the recording looks like.

use std::io::{self, ErrorKind, Read};

use evenstride::Config;
use evenstride_arena::{scenario, simulate};
use evenstride_capture::{PcapWriter, Session, Timeline, read};
use evenstride_moments::MomentFinder;
use evenstride_replay::{DrawnHash, Recorder, ReplayOptions, Script, Stillness, TraceScope, replay};
use evenstride_watch::{DrawnView, Watch, WatchEvent, WatchOptions};

/// A source that delivers parts of random sizes, and has nothing for a while after each.
struct Growing<'a> {
    rest: &'a [u8],
    part: usize,
    random: u64,
}

impl Read for Growing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.part == 0 && !self.rest.is_empty() {
            self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Some parts end within a header, and some have hundreds of packets.
            self.part = 1 + (self.random >> 33) as usize % if self.random >> 60 == 0 { 100_000 } else { 700 };
            return Err(ErrorKind::WouldBlock.into());
        }
        let length = buffer.len().min(self.part).min(self.rest.len());
        buffer[..length].copy_from_slice(&self.rest[..length]);
        self.rest = &self.rest[length..];
        self.part -= length;
        Ok(length)
    }
}

fn options(config: Config) -> ReplayOptions {
    ReplayOptions { config, ..ReplayOptions::default() }
}

/// Watches a capture while it grows. Returns what each connection has become, and what was told.
fn watched(pcap: &[u8], config: Config, seed: u64) -> (Vec<DrawnView>, Vec<WatchEvent>) {
    let options = WatchOptions { replay: options(config), is_capture: true };
    let mut session = Session::new(Watch::new("growing.pcap", options, None));
    read(Growing { rest: pcap, part: 0, random: seed }, &mut session).unwrap();
    session.listener.finish();
    let events = session.listener.take_events();
    let ended = events.iter().filter_map(|event| match event {
        WatchEvent::Ended(_, view) => Some(view.clone()),
        _ => None,
    });
    (ended.collect(), events)
}

fn script(pcap: &[u8]) -> Script {
    let mut session = Session::new(Recorder::new("whole.pcap", Timeline::default()));
    read(pcap, &mut session).unwrap();
    Script::of(vec![(session.listener.finish(None), 0.0)], None)
}

/// Replays the whole capture. Returns frames, state hash and drawn hash.
fn replayed(script: &Script, config: Config) -> (u64, u64, u64) {
    let mut hash = DrawnHash::default();
    let options = ReplayOptions { stillness: Stillness::Stepped, ..options(config) };
    let replayed = replay(script, &options, &mut hash);
    (replayed.frames, replayed.state_hash, hash.finish())
}

fn assert_same(pcap: &[u8], config: Config, seed: u64, what: &str) {
    let (views, _) = watched(pcap, config, seed);
    let [view] = views.as_slice() else { panic!("{what}: {} connections", views.len()) };
    let (frames, state, drawn) = replayed(&script(pcap), config);
    assert_eq!(
        (view.frames, view.state_hash, view.drawn_hash, view.late),
        (frames, state, drawn, 0),
        "{what}"
    );
}

#[test]
fn a_watch_draws_what_a_replay_of_the_recording_draws() {
    for (name, seconds) in
        [("town-square", 40.0), ("chase-5hz", 30.0), ("jump-running", 30.0), ("run-1hz", 30.0)]
    {
        let mut scenario = scenario(name).unwrap().unwrap();
        scenario.seconds = scenario.seconds.min(seconds);
        let pcap = simulate(&scenario, 1).unwrap().pcap;
        for (seed, config) in [Config::GLIDE, Config::SMOOTH, Config::RETAIL].into_iter().enumerate() {
            assert_same(&pcap, config, seed as u64 + 1, name);
        }
    }
}

#[test]
fn every_moment_of_a_replay_is_told_once() {
    let pcap = simulate(&scenario("town-square").unwrap().unwrap(), 3).unwrap().pcap;
    let (_, events) = watched(&pcap, Config::GLIDE, 5);
    let mut told: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            WatchEvent::Moment(_, moment, _) => {
                Some((moment.from.to_bits(), moment.to.to_bits(), moment.entity, moment.kind))
            }
            _ => None,
        })
        .collect();
    let script = script(&pcap);
    let mut finder = MomentFinder::new(script.player);
    let options =
        ReplayOptions { trace: TraceScope::All, stillness: Stillness::Stepped, ..options(Config::GLIDE) };
    let _ = replay(&script, &options, &mut finder);
    let mut found: Vec<_> = finder
        .finish()
        .iter()
        .map(|moment| (moment.from.to_bits(), moment.to.to_bits(), moment.entity, moment.kind))
        .collect();
    told.sort_unstable();
    found.sort_unstable();
    assert!(found.len() > 10, "{}", found.len());
    assert_eq!(told, found);
}

#[test]
fn entities_are_told_as_they_are_heard() {
    let pcap = simulate(&scenario("chase-5hz").unwrap().unwrap(), 1).unwrap().pcap;
    let (_, events) = watched(&pcap, Config::GLIDE, 9);
    let mut entities = Vec::new();
    let mut began = 0;
    for event in &events {
        match event {
            WatchEvent::Began(..) => began += 1,
            WatchEvent::Entity(_, time, entity, name) => {
                assert!(name.is_some() && *time < 5.0, "{entity} at {time}");
                entities.push(*entity);
            }
            _ => {}
        }
    }
    let count = entities.len();
    entities.sort_unstable();
    entities.dedup();
    assert!(count >= 2 && count == entities.len() && began == 1);
}

/// The recorder of a relay never leaps, and those of other programs do.
#[test]
fn a_clock_that_leaps_stops_nothing() {
    let pcap = simulate(&scenario("chase-5hz").unwrap().unwrap(), 1).unwrap().pcap;
    for leap in [86_400.0, -86_400.0, 3.0, -3.0, 0.2, -0.2] {
        let leapt = with_leap(&pcap, 8.0, leap);
        let (views, events) = watched(&leapt, Config::GLIDE, 2);
        // What a replay warns of, a watch tells, too.
        let is_told = events.iter().any(|event| matches!(event, WatchEvent::Fault(_)));
        let mut session = Session::new(Recorder::new("whole.pcap", Timeline::default()));
        read(leapt.as_slice(), &mut session).unwrap();
        assert_eq!(is_told, session.listener.finish(None).fault_count > 0, "{leap}");
        let [view] = views.as_slice() else { panic!("{leap}: {} connections", views.len()) };
        let (frames, ..) = replayed(&script(&leapt), Config::GLIDE);
        // Without the rest of the recording, a leap is taken as it comes. Nothing hangs, and no message is lost.
        assert_eq!(
            view.updates,
            script(&pcap).messages.iter().filter(|of| is_server(of)).count() as u64,
            "{leap}"
        );
        assert!(view.frames < 10 * frames.max(10_000), "{leap}: {} frames", view.frames);
    }
}

fn is_server(message: &evenstride_replay::TimedMessage) -> bool {
    matches!(message.said, evenstride_replay::Said::Server(_))
}

/// Returns a capture in which the clock leaps from a time on, in seconds.
fn with_leap(pcap: &[u8], from: f64, leap: f64) -> Vec<u8> {
    let mut leapt = pcap[..24].to_vec();
    let (mut at, mut first) = (24, None);
    while at < pcap.len() {
        let word = |place: usize| u32::from_le_bytes(*pcap[place..].first_chunk().unwrap());
        let time = f64::from(word(at)) + f64::from(word(at + 4)) / 1e6;
        let first = *first.get_or_insert(time);
        let time = if time - first >= from { (time + leap).max(0.0) } else { time };
        let length = 16 + word(at + 8) as usize;
        let micros = (time * 1e6).round() as u64;
        leapt.extend_from_slice(&((micros / 1_000_000) as u32).to_le_bytes());
        leapt.extend_from_slice(&((micros % 1_000_000) as u32).to_le_bytes());
        leapt.extend_from_slice(&pcap[at + 8..at + length]);
        at += length;
    }
    leapt
}

#[test]
fn a_capture_that_ends_within_a_record_is_drawn_to_its_last_whole_one() {
    let pcap = simulate(&scenario("chase-5hz").unwrap().unwrap(), 1).unwrap().pcap;
    for cut in [pcap.len() - 1, pcap.len() - 17, pcap.len() / 2, pcap.len() / 3 + 5] {
        let (views, events) = watched(&pcap[..cut], Config::GLIDE, cut as u64);
        let (_, state, drawn) = replayed(&script(&pcap[..cut]), Config::GLIDE);
        assert_eq!((views[0].state_hash, views[0].drawn_hash), (state, drawn), "cut at {cut}");
        assert!(events.iter().any(|event| matches!(event, WatchEvent::Fault(_))), "the cut is told");
    }
}

#[test]
fn an_empty_capture_is_watched_to_its_end() {
    let empty = PcapWriter::new(Vec::new()).unwrap().finish().unwrap();
    let (views, events) = watched(&empty, Config::GLIDE, 1);
    assert!(views.is_empty() && events.is_empty(), "{events:?}");
}

/// Returns a capture by several clients, one after the other, all of the same scenario.
fn clients(count: u16, seconds: f64, apart: f64) -> Vec<u8> {
    let mut scenario = scenario("walk").unwrap().unwrap();
    scenario.seconds = seconds;
    let pcap = simulate(&scenario, 1).unwrap().pcap;
    let mut all: Vec<(u64, Vec<u8>)> = Vec::new();
    for client in 0..count {
        let mut at = 24;
        while at < pcap.len() {
            let word = |place: usize| u32::from_le_bytes(*pcap[place..].first_chunk().unwrap());
            let micros = u64::from(word(at)) * 1_000_000 + u64::from(word(at + 4));
            let mut record = pcap[at + 8..at + 16 + word(at + 8) as usize].to_vec();
            // The client's address is the one that is no server's. It gets another last byte.
            let frame = &mut record[8..];
            let is_server = (9_000..10_014).contains(&u16::from_be_bytes([frame[34], frame[35]]));
            frame[if is_server { 33 } else { 29 }] = 100 + client as u8;
            at += 8 + record.len();
            all.push((micros + (f64::from(client) * apart * 1e6) as u64, record));
        }
    }
    all.sort_by_key(|(micros, _)| *micros);
    let mut bytes = pcap[..24].to_vec();
    for (micros, record) in all {
        bytes.extend_from_slice(&((micros / 1_000_000) as u32).to_le_bytes());
        bytes.extend_from_slice(&((micros % 1_000_000) as u32).to_le_bytes());
        bytes.extend_from_slice(&record);
    }
    bytes
}

/// Names are known of all connections, and later clients once got none of them.
#[test]
fn later_clients_know_the_names_that_are_known_already() {
    let (views, events) = watched(&clients(3, 10.0, 4.0), Config::GLIDE, 3);
    assert_eq!(views.len(), 3);
    let named = events.iter().filter_map(|event| match event {
        WatchEvent::Entity(id, _, entity, name) => Some((id.0, *entity, name.clone())),
        _ => None,
    });
    let named: Vec<_> = named.collect();
    assert!(named.len() >= 3 && named.iter().all(|(_, _, name)| name.is_some()), "{named:?}");
}

#[test]
fn clients_that_have_left_make_room_for_others() {
    let (views, events) = watched(&clients(40, 5.0, 1.0), Config::GLIDE, 4);
    assert_eq!(views.len(), 40, "every client is drawn");
    assert!(!events.iter().any(|event| matches!(event, WatchEvent::NoRoom(_))));
    // Forty at the same time are too many, and that is told of some of them.
    let (views, events) = watched(&clients(40, 5.0, 0.01), Config::GLIDE, 4);
    let refused = events.iter().filter(|event| matches!(event, WatchEvent::NoRoom(_))).count();
    assert_eq!((views.len(), refused), (evenstride_watch::MAX_VIEWS, 20));
}
