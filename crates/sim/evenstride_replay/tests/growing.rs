//! A playback of a capture that is still growing draws the same as a replay of the complete capture.

use evenstride::Config;
use evenstride_capture::{Session, Timeline, read};
use evenstride_replay::{
    Continued, DrawnHash, FrameHashes, Playback, Recorder, ReplayOptions, Replayed, Said, Script, Scrubber,
    Stillness, TAIL_SECS, TimedMessage, replay, sample,
};

const KEPT: &[u8] = include_bytes!("../../../../testdata/captures/first-light.pcap");
const CONFIGS: [Config; 3] = [Config::RETAIL, Config::SMOOTH, Config::GLIDE];

fn first_light() -> Script {
    let mut session = Session::new(Recorder::new("first-light.pcap", Timeline::default()));
    read(KEPT, &mut session).unwrap();
    Script::of(vec![(session.listener.finish(None), 0.0)], None)
}

fn options(config: Config) -> ReplayOptions {
    ReplayOptions { config, stillness: Stillness::Stepped, ..ReplayOptions::default() }
}

/// Returns the beginning of a script, and its rest in parts of this many messages.
fn parts(script: &Script, length: usize) -> Vec<Script> {
    let part = |messages: &[TimedMessage]| Script { messages: messages.to_vec(), ..Script::default() };
    script.messages.chunks(length).map(part).collect()
}

/// Plays parts as they come. The player becomes known with the first message that names it.
fn played(parts: Vec<Script>, config: Config, forgets: bool) -> (Replayed, u64, u32) {
    let mut parts = parts.into_iter().map(|mut part| {
        part.player = part.messages.iter().find_map(|message| match &message.said {
            Said::Server(evenstride_types::update::Update::LocalPlayer(player)) => Some(*player),
            _ => None,
        });
        part
    });
    let mut playback = Playback::new(parts.next().unwrap(), options(config)).unwrap();
    let (mut hash, mut restarts) = (DrawnHash::default(), 0);
    let mut last = None;
    for part in parts.map(Some).chain([None]) {
        // Everything up to the first message of a part has arrived.
        let until = part.as_ref().map(|part| {
            let silent = last.map_or(f64::INFINITY, |last| last + TAIL_SECS);
            (part.messages[0].time - 1e-9).min(silent)
        });
        last = part.as_ref().map(|part| part.messages.last().unwrap().time).or(last);
        let continued = playback.append(part.unwrap_or_default(), until);
        if continued == Continued::BeginsAgain {
            (hash, restarts) = (DrawnHash::default(), restarts + 1);
        }
        while playback.advance_frame(&mut hash) {}
        if forgets {
            playback.forget_heard();
        }
    }
    (playback.finish(), hash.finish(), restarts)
}

#[test]
fn parts_of_any_size_are_drawn_like_the_whole() {
    let script = first_light();
    for config in CONFIGS {
        let mut whole = DrawnHash::default();
        let replayed = replay(&script, &options(config), &mut whole);
        for length in [1, 7, 100, 100_000] {
            let (grown, hash, restarts) = played(parts(&script, length), config, false);
            assert_eq!((grown.state_hash, grown.frames), (replayed.state_hash, replayed.frames), "{length}");
            assert_eq!(hash, whole.finish(), "{length}");
            assert!(restarts <= 2, "{restarts}");
        }
    }
}

#[test]
fn handled_messages_may_be_forgotten() {
    // A crowd without a player, about which nothing is learned later.
    let script = sample::crowd(5, 20);
    for config in CONFIGS {
        let mut whole = DrawnHash::default();
        let replayed = replay(&script, &options(config), &mut whole);
        let (grown, hash, _) = played(parts(&script, 9), config, true);
        assert_eq!((grown.state_hash, hash), (replayed.state_hash, whole.finish()));
    }
}

/// A playback that had forgotten everything once drew its tail twice.
#[test]
fn a_tail_that_is_drawn_is_not_drawn_again_at_the_end() {
    let script = sample::crowd(5, 20);
    let mut whole = DrawnHash::default();
    let replayed = replay(&script, &options(Config::GLIDE), &mut whole);
    let (_, last) = script.span().unwrap();
    let mut playback = Playback::new(script, options(Config::GLIDE)).unwrap();
    let mut hash = DrawnHash::default();
    for until in [Some(last + TAIL_SECS), None] {
        let _ = playback.append(Script::default(), until);
        while playback.advance_frame(&mut hash) {}
        playback.forget_heard();
    }
    assert_eq!(playback.finish().frames, replayed.frames);
    assert_eq!(hash.finish(), whole.finish());
}

#[test]
fn news_of_a_session_are_the_recording() {
    struct Live(Recorder, Script);
    let script = first_light();
    let live = Live(Recorder::new("first-light.pcap", Timeline::default()).live(), Script::default());
    impl evenstride_capture::Listener for Live {
        fn packet(&mut self, time: f64) {
            self.0.packet(time);
        }

        fn message(&mut self, message: &evenstride_capture::CapturedMessage<'_>) {
            self.0.message(message);
            let news = self.0.take_news();
            self.1.append(Script { names: news.names, ..Script::default() });
            news.scripts.into_iter().for_each(|(_, script)| self.1.append(script));
        }

        fn fault(&mut self, fault: evenstride_capture::Fault) {
            self.0.fault(fault);
        }
    }
    let mut session = Session::new(live);
    read(KEPT, &mut session).unwrap();
    let grown = session.listener.1;
    assert_eq!((grown.messages, grown.names), (script.messages, script.names));
    assert_eq!((grown.player, grown.start), (script.player, script.start));
    assert_eq!(grown.truth.keys().collect::<Vec<_>>(), script.truth.keys().collect::<Vec<_>>());
}

#[test]
fn a_scrubber_goes_back_and_on_while_its_script_grows() {
    let script = first_light();
    let mut whole = FrameHashes::default();
    let _ = replay(&script, &options(Config::GLIDE), &mut whole);
    let until = |time: f64| {
        let messages = script.messages.iter().take_while(|of| of.time <= time).cloned().collect();
        Script { player: script.player, messages, ..Script::default() }
    };
    let mut scrubber = Scrubber::new(until(1.0), options(Config::GLIDE)).unwrap();
    for second in 2..40 {
        let end = f64::from(second);
        let _ = scrubber.go_on_with(until(end), Some(end));
        for time in [end - 0.01, end / 2.0, end - 0.01] {
            let mut frames = FrameHashes::default();
            scrubber.seek(time, &mut frames);
            let at = whole.0.partition_point(|(then, _)| *then <= time);
            assert_eq!(frames.0.last(), whole.0.get(at - 1), "{time} of {end}");
        }
    }
}
