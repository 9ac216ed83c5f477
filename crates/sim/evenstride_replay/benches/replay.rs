//! How much faster than it happened. `cargo bench -p evenstride_replay`

use std::{io, mem::take};

use divan::{Bencher, counter::ItemsCount};
use evenstride::Config;
use evenstride_replay::{
    ColumnRecorder, ReplayObserver, ReplayOptions, Summary, TrackColumns, TrackFormat, TrackWriter, replay,
    sample,
};

const CREATURES: u32 = 200;
const SECONDS: u32 = 20;

struct Ignore;
impl ReplayObserver for Ignore {}

fn main() {
    divan::main();
}

/// Items are seconds of the recording: thousands of them a second are times real time.
#[divan::bench(args = PROFILES, sample_count = 10)]
fn nothing_written(bencher: Bencher<'_, '_>, profile: Profile) {
    let script = sample::crowd(CREATURES, SECONDS);
    let options = profile.options();
    bencher.counter(ItemsCount::new(SECONDS)).bench_local(|| replay(&script, &options, &mut Ignore));
}

#[divan::bench(args = PROFILES, sample_count = 10)]
fn summed_up(bencher: Bencher<'_, '_>, profile: Profile) {
    let script = sample::crowd(CREATURES, SECONDS);
    let options = profile.options();
    bencher
        .counter(ItemsCount::new(SECONDS))
        .bench_local(|| replay(&script, &options, &mut Summary::new(&script)));
}

#[divan::bench(args = PROFILES, sample_count = 10)]
fn tracks_as_csv(bencher: Bencher<'_, '_>, profile: Profile) {
    write_tracks(bencher, profile, TrackFormat::Csv);
}

#[divan::bench(args = PROFILES, sample_count = 10)]
fn tracks_as_json_lines(bencher: Bencher<'_, '_>, profile: Profile) {
    write_tracks(bencher, profile, TrackFormat::JsonLines);
}

#[divan::bench(args = PROFILES, sample_count = 10)]
fn tracks_as_columns(bencher: Bencher<'_, '_>, profile: Profile) {
    let script = sample::crowd(CREATURES, SECONDS);
    let options = profile.options();
    // The first round fetches memory from the system, and the others use it again.
    let mut columns = TrackColumns::default();
    bencher.counter(ItemsCount::new(SECONDS)).bench_local(|| {
        let mut recorder = ColumnRecorder::reusing(take(&mut columns), []);
        let replayed = replay(&script, &options, &mut recorder);
        columns = recorder.finish();
        replayed
    });
}

fn write_tracks(bencher: Bencher<'_, '_>, profile: Profile, format: TrackFormat) {
    let script = sample::crowd(CREATURES, SECONDS);
    let options = profile.options();
    bencher.counter(ItemsCount::new(SECONDS)).bench_local(|| {
        let mut writer = TrackWriter::new(io::sink(), format, []);
        let replayed = replay(&script, &options, &mut writer);
        (replayed, writer.finish())
    });
}

#[derive(Clone, Copy, Debug)]
enum Profile {
    Smooth,
    Glide,
}

const PROFILES: [Profile; 2] = [Profile::Smooth, Profile::Glide];

impl Profile {
    fn options(self) -> ReplayOptions {
        let config = match self {
            Self::Smooth => Config::SMOOTH,
            Self::Glide => Config::GLIDE,
        };
        ReplayOptions { config, ..ReplayOptions::default() }
    }
}
