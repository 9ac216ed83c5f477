//! A replay that looks at one entity leaves out messages that cannot affect it.

use evenstride::Config;
use evenstride_arena::{scenario, simulate};
use evenstride_replay::{ColumnRecorder, ReplayOptions, TrackColumns, replay};
use evenstride_types::EntityId;

#[test]
fn leaving_out_unrelated_messages_changes_no_track() {
    for name in ["melee-sticky", "chase-5hz", "flee", "arrows", "recall", "town-square"] {
        let script = simulate(&scenario(name).unwrap().unwrap(), 5).unwrap().script();
        for config in [Config::RETAIL, Config::ACDREAM, Config::GLIDE] {
            for entity in script.entities() {
                let track = |only: Option<EntityId>| -> TrackColumns {
                    let mut recorder = ColumnRecorder::new([entity]);
                    let options = ReplayOptions { config, only, ..ReplayOptions::default() };
                    let _ = replay(&script, &options, &mut recorder);
                    recorder.finish()
                };
                let (one, all) = (track(Some(entity)), track(None));
                let rows = one.len().max(all.len());
                let differs = (0..rows).find(|row| one.row(*row) != all.row(*row));
                let shown = differs.map(|row| (one.row(row), all.row(row)));
                assert!(differs.is_none(), "{name}, {entity}: {shown:#?}");
            }
        }
    }
}
