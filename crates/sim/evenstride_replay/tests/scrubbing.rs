//! Frames that are reached by scrubbing, and scripts that are read from bytes, are the same bit for bit.

use evenstride::Config;
use evenstride_capture::{Session, Timeline, read};
use evenstride_replay::{
    DrawnHash, FrameHashes, Recorder, ReplayOptions, Script, ScriptBytesError, Scrubber, Stillness, replay,
};

const KEPT: &[u8] = include_bytes!("../../../../testdata/captures/first-light.pcap");
const CONFIGS: [Config; 3] = [Config::RETAIL, Config::SMOOTH, Config::GLIDE];

fn first_light() -> Script {
    let mut session = Session::new(Recorder::new("first-light.pcap", Timeline::default()));
    read(KEPT, &mut session).unwrap();
    Script::of(vec![(session.listener.finish(None), 0.0)], None)
}

#[test]
fn playing_on_from_any_key_frame_equals_playing_through() {
    let script = first_light();
    for config in CONFIGS {
        let options = ReplayOptions { config, fps: 60.0, ..ReplayOptions::default() };
        let mut through = FrameHashes::default();
        let stepped = ReplayOptions { stillness: Stillness::Stepped, ..options.clone() };
        let replayed = replay(&script, &stepped, &mut through);
        let mut scrubber = Scrubber::new(&script, options).unwrap();
        while scrubber.advance_frame(&mut ()) {}
        assert_eq!(scrubber.playback().replayed(), replayed);
        let key_frames: Vec<f64> = scrubber.key_frames().collect();
        assert!(key_frames.len() > 50, "{} key frames", key_frames.len());
        for time in key_frames.into_iter().rev() {
            let mut frames = FrameHashes::default();
            scrubber.seek(time, &mut frames);
            // The frame after a key frame is the only one that is played.
            assert_eq!(frames.0.len(), 1);
            (0..90).for_each(|_| _ = scrubber.advance_frame(&mut frames));
            let from = through.0.partition_point(|(then, _)| *then < time);
            let expected: Vec<_> = through.0[from..].iter().take(frames.0.len()).copied().collect();
            assert_eq!(frames.0, expected, "from {time}");
        }
    }
}

#[test]
fn seeking_shows_the_last_frame_that_is_not_later() {
    let script = first_light();
    let mut scrubber = Scrubber::new(&script, ReplayOptions::default()).unwrap();
    let (start, end) = scrubber.playback().span();
    for time in [61.003, 8.0, 8.0, 7.99, 120.9, f64::INFINITY, -5.0, f64::NAN, 33.3] {
        let mut frames = FrameHashes::default();
        scrubber.seek(time, &mut frames);
        let asked = if time.is_nan() { start } else { time.clamp(start, end) };
        let at = scrubber.playback().time();
        assert!(at <= asked && asked < at + 1.001 / 60.0, "{at} for {time}");
        assert_eq!(frames.0.last().unwrap().0, at);
        assert_eq!(scrubber.playback().frame().time, at);
    }
}

#[test]
fn key_frames_stay_within_their_memory() {
    let script = first_light();
    let max_bytes = 40_000;
    let mut scrubber = Scrubber::new(&script, ReplayOptions::default()).unwrap().with_max_bytes(max_bytes);
    let mut through = DrawnHash::default();
    while scrubber.advance_frame(&mut through) {
        assert!(scrubber.key_frame_bytes() <= max_bytes);
    }
    assert!((2..30).contains(&scrubber.key_frames().len()), "{}", scrubber.key_frames().len());
    let hash = scrubber.playback().world().drawing_hash();
    scrubber.seek(40.0, &mut ());
    scrubber.seek(f64::INFINITY, &mut ());
    assert_eq!(scrubber.playback().world().drawing_hash(), hash);
}

#[test]
fn a_script_without_messages_has_no_frames() {
    assert!(Scrubber::new(&Script::default(), ReplayOptions::default()).is_none());
}

#[test]
fn a_script_from_bytes_draws_the_same() {
    let script = first_light();
    let bytes = script.to_bytes().unwrap();
    let same = Script::from_bytes(&bytes).unwrap();
    assert_eq!((same.player, same.start, &same.names), (script.player, script.start, &script.names));
    assert_eq!((&same.messages, &same.truth), (&script.messages, &script.truth));
    let drawn = |script: &Script| {
        let mut hash = DrawnHash::default();
        (replay(script, &ReplayOptions::default(), &mut hash), hash.finish())
    };
    assert_eq!(drawn(&same), drawn(&script));
}

#[test]
fn damaged_scripts_are_rejected() {
    let bytes = first_light().to_bytes().unwrap();
    let error = |bytes: &[u8]| Script::from_bytes(bytes).unwrap_err();
    assert_eq!(error(b""), ScriptBytesError::NotAScript);
    assert_eq!(error(b"EVSCRIPT"), ScriptBytesError::Value { what: "version", offset: 8 });
    let mut newer = bytes.clone();
    newer[8] = 99;
    assert_eq!(error(&newer), ScriptBytesError::Version { found: 99 });
    for at in (20..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert_eq!(error(&damaged), ScriptBytesError::Fingerprint, "byte {at}");
        assert_eq!(error(&bytes[..at]), ScriptBytesError::Fingerprint);
    }
}
