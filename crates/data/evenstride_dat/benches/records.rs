//! What records cost, beside copying the same bytes. `cargo bench -p evenstride_dat`

mod shelf;

use divan::{
    Bencher,
    counter::{BytesCount, ItemsCount},
};
use shelf::{Shelf, Work};

const RECORDS: usize = 200;

fn main() {
    divan::main();
}

#[divan::bench(args = [Work::Parse, Work::Motion, Work::Read, Work::Copy])]
fn animations(bencher: Bencher<'_, '_>, work: Work) {
    let mut shelf = Shelf::new(RECORDS, work);
    bencher.counter(BytesCount::new(shelf.bytes.len() * RECORDS)).bench_local(|| shelf.round(work));
}

#[divan::bench(args = [Work::Find, Work::Cached])]
fn lookups(bencher: Bencher<'_, '_>, work: Work) {
    let mut shelf = Shelf::new(RECORDS, work);
    bencher.counter(ItemsCount::new(RECORDS)).bench_local(|| shelf.round(work));
}
