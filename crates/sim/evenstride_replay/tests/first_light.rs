//! The project's own capture: made by code, kept as a file, the same bytes everywhere.

use std::num::NonZeroU32;

use evenstride::Config;
use evenstride_capture::{Session, Timeline, Totals, read};
use evenstride_replay::{
    Frame, Recorder, Recording, ReplayObserver, ReplayOptions, Said, Script, ScriptNotice, ScriptOptions,
    ScriptReader, Still, Stillness, Summary, TrackFormat, TrackWriter, fingerprints, first_difference,
    replay, sample,
};

const KEPT: &[u8] = include_bytes!("../../../../testdata/captures/first-light.pcap");

fn recorded(file: &[u8]) -> (Recording, Totals) {
    let mut session = Session::new(Recorder::new("first-light.pcap", Timeline::default()));
    read(file, &mut session).unwrap();
    let totals = session.totals();
    (session.listener.finish(None), totals)
}

#[test]
fn the_kept_file_is_what_the_code_makes() {
    // After a change: cargo run -p evenstride_replay --example first_light -- testdata/captures/first-light.pcap
    assert!(sample::first_light().unwrap() == KEPT);
}

#[test]
fn it_is_a_clean_session_with_everything_in_it() {
    let (recording, totals) = recorded(KEPT);
    assert_eq!((totals.faults, totals.gaps, totals.unfinished), (0, 0, 0));
    assert_eq!((totals.checksums_checked, totals.checksum_failures), (totals.datagrams, 0));
    assert_eq!((recording.player, recording.fault_count), (Some(sample::VESPER), 0));
    let script = Script::of(vec![(recording, 0.0)], None);
    let mut summary = Summary::new(&script);
    let replayed = replay(&script, &ReplayOptions::default(), &mut summary);
    assert_eq!(replayed.seconds, 121.0);
    let of = |entity| summary.entities().into_iter().find(|of| of.entity == entity).unwrap().clone();
    assert_eq!((of(sample::ILSE).jumps, of(sample::ILSE).snaps.get("teleport")), (2, Some(&1)));
    assert_eq!(of(sample::DRUDGE).snaps.get("teleport"), Some(&1), "the first swing");
    // Vesper's own walk: her keys carry her to where she says she is.
    let own = of(sample::VESPER).from_truth;
    // The script begins and ends a walk at once, legs do not.
    assert!(own.len() >= 7 && own.iter().all(|off| *off < 0.3), "{own:?}");
}

#[test]
fn who_recorded_is_told_by_echoes_where_no_message_says_it() {
    let (mut recording, _) = recorded(KEPT);
    recording.messages.retain(|message| {
        !matches!(&message.said, Said::Server(evenstride_types::update::Update::LocalPlayer(_)))
    });
    // Read again as if it had never been there.
    let mut session = Session::new(Recorder::new("lines", Timeline::default()));
    let mut lines = String::new();
    for message in &recording.messages {
        let (dir, encoded) = match &message.said {
            Said::Server(update) => ("s2c", evenstride_wire::Message::Update(update.clone())),
            Said::Client(action) => (
                "c2s",
                evenstride_wire::Message::Action(evenstride_wire::ActionMessage {
                    counter: 1,
                    action: Ok(action.clone()),
                }),
            ),
        };
        let mut bytes = Vec::new();
        evenstride_wire::encode(&encoded, &mut bytes);
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        lines += &format!("{{\"dir\":\"{dir}\",\"t_rel\":{},\"payload_hex\":\"{hex}\"}}\n", message.time);
    }
    read(lines.as_bytes(), &mut session).unwrap();
    assert_eq!(session.listener.finish(None).player, Some(sample::VESPER));
}

#[test]
fn any_two_replays_are_the_same_and_a_different_one_is_noticed() {
    let (recording, _) = recorded(KEPT);
    let mut script = Script::of(vec![(recording, 0.0)], None);
    let options = ReplayOptions::default();
    let (one, other) = (fingerprints(&script, &options), fingerprints(&script, &options));
    assert_eq!(first_difference(&one, &other), None);
    // One message less, in the middle.
    let removed = script.messages.remove(150);
    let differs = first_difference(&one, &fingerprints(&script, &options)).unwrap();
    assert!((removed.time..removed.time + 0.02).contains(&differs), "{differs} for {}", removed.time);
}

#[test]
fn a_recording_that_sleeps_for_a_year_does_not_take_a_year() {
    let (recording, _) = recorded(KEPT);
    let mut script = Script::of(vec![(recording, 0.0)], None);
    for message in script.messages.iter_mut().skip(200) {
        message.time += 365.0 * 86_400.0;
    }
    struct Frames(u64);
    impl ReplayObserver for Frames {
        fn frame(&mut self, _: &evenstride_replay::Frame<'_>) {
            self.0 += 1;
        }
    }
    let mut frames = Frames(0);
    let replayed = replay(&script, &ReplayOptions::default(), &mut frames);
    assert!(frames.0 < 20_000 && replayed.skipped > 3e7, "{} {replayed:?}", frames.0);
}

#[test]
fn clocks_that_go_back_lose_nothing() {
    let line = |time: f64, stamp: u16| {
        format!(
            "{{\"dir\":\"s2c\",\"t_rel\":{time},\"payload_hex\":\"48f7000002000050340000002a00b4a98f49fd42d06414429002bc4299d08c3eaa2076bf5a00{:02x}000000\
             0000\"}}\n",
            stamp
        )
    };
    let text =
        line(10.0, 1) + &line(11.0, 2) + &line(10.99, 3) + &line(3.0, 4) + &line(4.0, 5) + &line(1e10, 6);
    let mut session = Session::new(Recorder::new("lines", Timeline::default()));
    read(text.as_bytes(), &mut session).unwrap();
    let recording = session.listener.finish(None);
    let times: Vec<f64> = recording.messages.iter().map(|message| message.time).collect();
    assert_eq!(times[..5], [10.0, 11.0, 11.0, 11.0, 12.0]);
    assert_eq!(recording.faults[0], "lines: line 4: the clock went back by 8.000 s");
}

#[test]
fn a_readers_error_keeps_what_was_read_before_it() {
    let capture = sample::first_light().unwrap();
    let mut reader = ScriptReader::new(ScriptOptions::default());
    let notices = reader.read("half.pcap", 0.0, |session| {
        read(capture.as_slice(), session).unwrap();
        Err("the cable was pulled")
    });
    assert_eq!(notices.unwrap(), [ScriptNotice::Fault("half.pcap: the cable was pulled".to_owned())]);
    assert_eq!(reader.faults(), 1);
    let (script, _) = reader.finish().unwrap();
    assert_eq!(script.player, Some(sample::VESPER));
    assert!(script.messages.len() > 290);
    let mut reader = ScriptReader::new(ScriptOptions::default());
    let notices = reader.read("none.pcap", 0.0, |_| Err("there is no cable")).unwrap();
    assert!(matches!(notices[..], [ScriptNotice::Unreadable { index: 0, .. }]), "{notices:?}");
}

/// Positions with pauses of a minute, and a few with none, without a local player.
fn pauses() -> Script {
    let mut lines = String::new();
    for (number, time) in [0.0, 0.5, 1.0, 50.0, 50.2, 109.0, 168.5, 400.0, 401.0].into_iter().enumerate() {
        let east = ["8f49fd42", "8f49f642"][number % 2];
        lines += &format!(
            "{{\"dir\":\"s2c\",\"t_rel\":{time},\"payload_hex\":\"48f7000002000050340000002a00b4a9{east}d06414429002bc4299d08c3eaa2076bf5a00{:02x}0000000000\"}}\n",
            number + 1
        );
    }
    let mut session = Session::new(Recorder::new("lines", Timeline::default()));
    read(lines.as_bytes(), &mut session).unwrap();
    Script::of(vec![(session.listener.finish(None), 0.0)], None)
}

#[test]
fn silence_without_motion_is_skipped_with_the_same_result() {
    let script = pauses();
    for config in [Config::GLIDE, Config::SMOOTH, Config::RETAIL] {
        let tracks = |stillness, fps| {
            let options = ReplayOptions { config, fps, stillness, ..ReplayOptions::default() };
            let mut watchers =
                (TrackWriter::new(Vec::new(), TrackFormat::Csv, []), (Summary::new(&script), Calls(0)));
            let replayed = replay(&script, &options, &mut watchers);
            let (tracks, (summary, calls)) = watchers;
            let off = summary.entities()[0].off_when_heard.clone();
            (
                String::from_utf8(tracks.finish().unwrap().out).unwrap(),
                replayed,
                off,
                summary.worst_behind(),
                calls.0,
            )
        };
        for fps in [60.0, 144.0, 7.0] {
            let (together, stepped) = (tracks(Stillness::Together, fps), tracks(Stillness::Stepped, fps));
            let differing = together.0.lines().zip(stepped.0.lines()).find(|(one, other)| one != other);
            assert_eq!(differing, None, "{fps}");
            assert_eq!(
                (together.0.len(), together.1, &together.2, together.3),
                (stepped.0.len(), stepped.1, &stepped.2, stepped.3)
            );
            if config != Config::RETAIL && fps > 10.0 {
                assert!(together.4 * 2 < stepped.4, "{} of {} frames", together.4, stepped.4);
            }
        }
    }
}

#[test]
fn a_sync_test_skips_silence_too_and_changes_nothing() {
    let script = pauses();
    for config in [Config::GLIDE, Config::SMOOTH, Config::RETAIL] {
        let replayed = |sync_test: Option<u32>| {
            let sync_test = sync_test.and_then(NonZeroU32::new);
            let options = ReplayOptions { config, sync_test, ..ReplayOptions::default() };
            replay(&script, &options, &mut Calls(0))
        };
        let alone = replayed(None);
        assert_eq!(alone.sync_test, None);
        for every in [1, 7, 1_000_000] {
            let mut tested = replayed(Some(every));
            let sync = tested.sync_test.take().unwrap();
            assert_eq!(sync.difference, None);
            assert_eq!(sync.restores, 1 + sync.frames / u64::from(every));
            assert_eq!(sync.frames < alone.frames / 2, config != Config::RETAIL, "{sync:?}");
            assert_eq!(tested, alone);
        }
    }
}

/// Counts calls.
struct Calls(u64);

impl ReplayObserver for Calls {
    fn frame(&mut self, _: &Frame<'_>) {
        self.0 += 1;
    }

    fn still(&mut self, _: &Still<'_>) {
        self.0 += 1;
    }
}

#[test]
fn tracks_end_at_their_limit_with_a_whole_row() {
    let script = pauses();
    let mut tracks = TrackWriter::new(Vec::new(), TrackFormat::Csv, []).with_limit(10_000);
    let _ = replay(&script, &ReplayOptions::default(), &mut tracks);
    let tracks = tracks.finish().unwrap();
    let text = String::from_utf8(tracks.out).unwrap();
    assert!((10_000..10_500).contains(&text.len()) && text.ends_with("\"\n"), "{}", text.len());
    assert_eq!(text.lines().count() as u64, tracks.rows + 1);
    assert!(tracks.left_out > 10_000, "{}", tracks.left_out);
}
