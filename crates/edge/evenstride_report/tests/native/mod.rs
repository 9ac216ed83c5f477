//! What the program computes of first-light, to be compared with the core in Node and in a browser.

use evenstride::Config;
use evenstride_capture::{Session, Timeline, read};
use evenstride_moments::{MomentFinder, typed_moment};
use evenstride_replay::{
    DrawnHash, Frame, Playback, Recorder, ReplayObserver, ReplayOptions, Script, TraceScope, replay, sample,
};
use evenstride_types::{LandblockId, StateHash};
use serde_json::{Value, json};

/// The landblock from which arrays are measured.
const ORIGIN: (u8, u8) = (0xA9, 0xB4);

pub(crate) fn first_light() -> Script {
    let mut session = Session::new(Recorder::new("first-light.pcap", Timeline::default()));
    read(sample::first_light().unwrap().as_slice(), &mut session).unwrap();
    Script::of(vec![(session.listener.finish(None), 0.0)], None)
}

/// Returns the numbers of the program for each profile.
pub(crate) fn expected(script: &Script) -> Value {
    let profiles = [("RETAIL", Config::RETAIL), ("SMOOTH", Config::SMOOTH), ("GLIDE", Config::GLIDE)];
    let of = |(name, config): (&str, Config)| {
        let options = ReplayOptions { config, ..ReplayOptions::default() };
        let (mut drawn, mut arrays) = (DrawnHash::default(), Arrays(StateHash::new()));
        let mut playback = Playback::new(script, options.clone()).unwrap();
        while playback.advance_frame(&mut (&mut drawn, &mut arrays)) {}
        let mut finder = MomentFinder::new(script.player);
        let _ = replay(script, &ReplayOptions { trace: TraceScope::All, ..options }, &mut finder);
        let moments: Vec<Value> = finder
            .finish()
            .iter()
            .map(|moment| {
                let name = &script.names[&moment.entity];
                typed_moment(moment, Some(name), name)
            })
            .collect();
        json!({
            "profile": name,
            "frames": playback.replayed().frames,
            "state": hex(playback.world().state_hash()),
            "drawing": hex(playback.world().drawing_hash()),
            "drawn": hex(drawn.finish()),
            "arrays": hex(arrays.0.finish()),
            "moments": moments,
        })
    };
    Value::Array(profiles.map(of).into())
}

/// Hashes the bytes of the arrays that JavaScript sees.
struct Arrays(StateHash);

impl ReplayObserver for Arrays {
    fn frame(&mut self, frame: &Frame<'_>) {
        let origin = LandblockId::new(ORIGIN.0, ORIGIN.1).unwrap();
        let (mut ids, mut poses) = (Vec::new(), Vec::new());
        frame.world.drawn_each(frame.now, |drawn| {
            ids.extend(drawn.entity.raw().to_le_bytes());
            let at = drawn.place.pose.origin() + origin.offset_to(drawn.place.cell.landblock());
            let rotation = drawn.place.pose.rotation().to_wxyz();
            at.to_array().iter().chain(&rotation).for_each(|value| poses.extend(value.to_le_bytes()));
        });
        self.0.bytes(&ids);
        self.0.bytes(&poses);
    }
}

pub(crate) fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}
