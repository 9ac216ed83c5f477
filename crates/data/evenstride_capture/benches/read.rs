//! What the wire costs, beside copying the same bytes. `cargo bench -p evenstride_capture`

mod traffic;

use divan::{
    Bencher,
    counter::{BytesCount, ItemsCount},
};
use traffic::{Bench, Work};

const MESSAGES: usize = 40_000;

fn main() {
    divan::main();
}

#[divan::bench(args = [Work::Decode, Work::Encode])]
fn messages(bencher: Bencher<'_, '_>, work: Work) {
    let mut bench = Bench::new(MESSAGES);
    bencher.counter(ItemsCount::new(MESSAGES)).bench_local(|| bench.round(work));
}

#[divan::bench(args = [Work::Capture, Work::CaptureDecoded, Work::Copy])]
fn pcap(bencher: Bencher<'_, '_>, work: Work) {
    let mut bench = Bench::new(MESSAGES);
    bencher.counter(BytesCount::new(bench.pcap.len())).bench_local(|| bench.round(work));
}
