//! Scrubbing through scenarios shows what playing through showed, in every profile.

use evenstride::Config;
use evenstride_arena::{scenario, simulate};
use evenstride_replay::{FrameHashes, ReplayOptions, Scrubber};

#[test]
fn playing_on_from_any_key_frame_equals_playing_through() {
    for name in ["melee-sticky", "jump-running", "arrows", "recall", "town-square"] {
        let script = simulate(&scenario(name).unwrap().unwrap(), 5).unwrap().script();
        for config in [Config::RETAIL, Config::SMOOTH, Config::GLIDE] {
            let options = ReplayOptions { config, fps: 30.0, ..ReplayOptions::default() };
            let mut scrubber = Scrubber::new(&script, options).unwrap();
            let mut through = FrameHashes::default();
            while scrubber.advance_frame(&mut through) {}
            let key_frames: Vec<f64> = scrubber.key_frames().collect();
            assert!(key_frames.len() > 3, "{name}: {} key frames", key_frames.len());
            for time in key_frames.into_iter().rev() {
                let mut frames = FrameHashes::default();
                scrubber.seek(time, &mut frames);
                (0..45).for_each(|_| _ = scrubber.advance_frame(&mut frames));
                let from = through.0.partition_point(|(then, _)| *then < time);
                let expected = through.0[from..].iter().zip(&frames.0);
                let differs = expected.into_iter().find(|(one, other)| one != other);
                assert_eq!(differs, None, "{name} from {time}");
                assert!(!frames.0.is_empty() && frames.0.len() <= through.0.len() - from);
            }
        }
    }
}
