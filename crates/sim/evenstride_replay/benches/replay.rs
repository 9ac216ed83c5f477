//! How much faster than it happened. `cargo bench -p evenstride_replay`

use divan::{Bencher, counter::ItemsCount};
use evenstride_replay::{ReplayObserver, ReplayOptions, Summary, TrackFormat, TrackWriter, replay, sample};

const CREATURES: u32 = 200;
const SECONDS: u32 = 20;

struct Ignore;
impl ReplayObserver for Ignore {}

fn main() {
    divan::main();
}

/// Items are seconds of the recording: thousands of them a second are times real time.
#[divan::bench(sample_count = 10)]
fn nothing_written(bencher: Bencher<'_, '_>) {
    let script = sample::crowd(CREATURES, SECONDS);
    let options = ReplayOptions::default();
    bencher.counter(ItemsCount::new(SECONDS)).bench_local(|| replay(&script, &options, &mut Ignore));
}

#[divan::bench(sample_count = 10)]
fn summed_up(bencher: Bencher<'_, '_>) {
    let script = sample::crowd(CREATURES, SECONDS);
    let options = ReplayOptions::default();
    bencher
        .counter(ItemsCount::new(SECONDS))
        .bench_local(|| replay(&script, &options, &mut Summary::new(&script)));
}

#[divan::bench(args = [TrackFormat::Csv, TrackFormat::JsonLines], sample_count = 3)]
fn tracks(bencher: Bencher<'_, '_>, format: TrackFormat) {
    let script = sample::crowd(CREATURES, SECONDS);
    let options = ReplayOptions::default();
    bencher.counter(ItemsCount::new(SECONDS)).bench_local(|| {
        let mut writer = TrackWriter::new(Vec::with_capacity(1 << 28), format, []);
        let replayed = replay(&script, &options, &mut writer);
        (replayed, writer.finish())
    });
}
