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
    /// Number of times that it had nothing since the last part.
    silences: u32,
    /// Largest sizes of usual and of large parts, in bytes.
    usual: usize,
    large: usize,
}

impl<'a> Growing<'a> {
    const fn new(rest: &'a [u8], seed: u64) -> Self {
        Self { rest, part: 0, random: seed, silences: 0, usual: 700, large: 100_000 }
    }

    /// Delivers small parts only.
    const fn steadily(rest: &'a [u8]) -> Self {
        Self { rest, part: 0, random: 1, silences: 0, usual: 700, large: 700 }
    }
}

impl Read for Growing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A reader also looks ahead, and waits only if there is still nothing then.
        if self.part == 0 && !self.rest.is_empty() && self.silences < 3 {
            self.silences += 1;
            return Err(ErrorKind::WouldBlock.into());
        }
        if self.part == 0 && !self.rest.is_empty() {
            self.silences = 0;
            self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Some parts end within a header, and some have hundreds of packets.
            self.part = 1
                + (self.random >> 33) as usize % if self.random >> 60 == 0 { self.large } else { self.usual };
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
    watched_from(Growing::new(pcap, seed), config)
}

fn watched_from(source: Growing<'_>, config: Config) -> (Vec<DrawnView>, Vec<WatchEvent>) {
    let options = WatchOptions { replay: options(config), is_capture: true };
    let mut session = Session::new(Watch::new("growing.pcap", options, None));
    read(source, &mut session).unwrap();
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

/// Drawing once stood still until a clock that was set back had caught up, and messages waited in memory.
#[test]
fn drawing_goes_on_with_a_clock_that_was_set() {
    let pcap = simulate(&scenario("chase-5hz").unwrap().unwrap(), 1).unwrap().pcap;
    let total = script(&pcap).span().map(|(first, last)| last - first).unwrap();
    for leap in [86_400.0, -86_400.0, 1e9, 0.0] {
        let options = WatchOptions { replay: options(Config::GLIDE), is_capture: true };
        let mut session = Session::new(Watch::new("growing.pcap", options, None));
        read(Growing::steadily(&with_leap(&pcap, 8.0, leap)), &mut session).unwrap();
        let counts = session.listener.views().next().unwrap().1.counts();
        let heard = counts.all_updates();
        let sent = script(&pcap).messages.iter().filter(|of| is_server(of)).count() as u64;
        assert!(heard > sent * 9 / 10, "{leap}: {heard} of {sent} were drawn");
        assert!(counts.frames as f64 > 55.0 * (total - 3.0), "{leap}: {} frames", counts.frames);
    }
}

/// One packet with a time far ahead once ended the drawing for good.
#[test]
fn a_packet_with_a_wrong_time_loses_nothing() {
    let pcap = simulate(&scenario("chase-5hz").unwrap().unwrap(), 1).unwrap().pcap;
    for (at, leap) in
        [(150, 7_200.0), (151, 86_400.0), (152, 2e7), (153, 600.0), (154, -7_200.0), (155, -5.0)]
    {
        let stray = with_stray(&pcap, at, leap);
        let (views, _) = watched_from(Growing::steadily(&stray), Config::GLIDE);
        let (frames, state, drawn) = replayed(&script(&stray), Config::GLIDE);
        let [view] = views.as_slice() else { panic!("{leap}: {} connections", views.len()) };
        let updates = script(&stray).messages.iter().filter(|of| is_server(of)).count() as u64;
        assert_eq!(view.updates, updates, "{at} {leap}");
        if leap > 3_600.0 {
            // The message waits for the next one, so it is drawn as a replay draws it.
            assert_eq!(
                (view.frames, view.state_hash, view.drawn_hash),
                (frames, state, drawn),
                "{at} {leap}"
            );
        }
    }
}

/// Returns a capture in which the time of one packet is wrong.
fn with_stray(pcap: &[u8], number: usize, leap: f64) -> Vec<u8> {
    let mut stray = pcap.to_vec();
    let mut at = 24;
    for _ in 0..number {
        at += 16 + u32::from_le_bytes(*pcap[at + 8..].first_chunk().unwrap()) as usize;
    }
    let seconds = u32::from_le_bytes(*pcap[at..].first_chunk().unwrap());
    let wrong = (f64::from(seconds) + leap).max(0.0) as u32;
    stray[at..at + 4].copy_from_slice(&wrong.to_le_bytes());
    stray
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
    numbered_clients(0..count, seconds, apart)
}

fn numbered_clients(numbers: std::ops::Range<u16>, seconds: f64, apart: f64) -> Vec<u8> {
    let mut scenario = scenario("walk").unwrap().unwrap();
    scenario.seconds = seconds;
    let pcap = simulate(&scenario, 1).unwrap().pcap;
    let start = numbers.start;
    let one = |client: u16| {
        let mut of_client = pcap[..24].to_vec();
        for (micros, mut record) in records(&pcap) {
            let micros = micros + (f64::from(client - start) * apart * 1e6) as u64;
            record[..4].copy_from_slice(&((micros / 1_000_000) as u32).to_le_bytes());
            record[4..8].copy_from_slice(&((micros % 1_000_000) as u32).to_le_bytes());
            // The client's address is the one that is no server's. It gets another last byte.
            let frame = &mut record[16..];
            let is_server = (9_000..10_014).contains(&u16::from_be_bytes([frame[34], frame[35]]));
            frame[if is_server { 33 } else { 29 }] = 100 + client as u8;
            of_client.extend(record);
        }
        of_client
    };
    merged(&numbers.map(one).collect::<Vec<_>>())
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
    assert!(views.iter().all(|view| !view.is_partial));
}

/// A client that came back after it had made room was once called whole.
#[test]
fn a_client_that_is_drawn_from_its_middle_is_partial() {
    let [early, late] = [2.0, 40.0].map(|seconds| clients(1, seconds, 0.0));
    // Others come while it is silent, and it speaks again when they have left.
    let others = numbered_clients(1..17, 16.0, 0.9);
    let all = merged(&[early, others, since(&late, 30.0)]);
    let (views, _) = watched_from(Growing::steadily(&all), Config::GLIDE);
    assert!(views.iter().any(|view| view.is_partial), "{views:?}");
}

/// Returns the packets of a capture from a time on, in seconds after its first one.
fn since(pcap: &[u8], from: f64) -> Vec<u8> {
    let records = records(pcap);
    let first = records[0].0;
    let late = records.into_iter().filter(|(micros, _)| (micros - first) as f64 >= from * 1e6);
    [pcap[..24].to_vec(), late.flat_map(|(_, record)| record).collect()].concat()
}

fn merged(pcaps: &[Vec<u8>]) -> Vec<u8> {
    let mut all: Vec<_> = pcaps.iter().flat_map(|pcap| records(pcap)).collect();
    all.sort_by_key(|(micros, _)| *micros);
    [pcaps[0][..24].to_vec(), all.into_iter().flat_map(|(_, record)| record).collect()].concat()
}

/// Returns the records of a capture, each with its time in microseconds.
fn records(pcap: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let (mut at, mut records) = (24, Vec::new());
    while at < pcap.len() {
        let word = |place: usize| u32::from_le_bytes(*pcap[place..].first_chunk().unwrap());
        let length = 16 + word(at + 8) as usize;
        let micros = u64::from(word(at)) * 1_000_000 + u64::from(word(at + 4));
        records.push((micros, pcap[at..at + length].to_vec()));
        at += length;
    }
    records
}
