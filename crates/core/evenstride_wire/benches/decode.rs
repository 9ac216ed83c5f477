//! What decoding and encoding cost, beside copying the same bytes. `cargo bench -p evenstride_wire`

use divan::{
    Bencher, black_box,
    counter::{BytesCount, ItemsCount},
};
use evenstride_wire::{decode, encode, hash32};

const MESSAGES: usize = 10_000;

/// A position as recorded servers send it for players.
const POSITION: [u8; 44] = [
    0x48, 0xF7, 0, 0, 2, 0, 0, 0x50, 0x34, 0, 0, 0, 0x2A, 0, 0xB4, 0xA9, 0x8F, 0x49, 0xFD, 0x42, 0xD0, 0x64,
    0x14, 0x42, 0x90, 2, 0xBC, 0x42, 0x99, 0xD0, 0x8C, 0x3E, 0xAA, 0x20, 0x76, 0xBF, 0x5A, 0, 1, 0, 0, 0, 0,
    0,
];

fn main() {
    divan::main();
}

fn positions() -> Vec<[u8; 44]> {
    vec![POSITION; MESSAGES]
}

#[divan::bench]
fn decode_positions(bencher: Bencher<'_, '_>) {
    let messages = positions();
    bencher.counter(ItemsCount::new(MESSAGES)).bench_local(|| {
        for message in &messages {
            let _ = black_box(decode(black_box(message)));
        }
    });
}

#[divan::bench]
fn encode_positions(bencher: Bencher<'_, '_>) {
    let message = decode(&POSITION).expect("a recorded message").message;
    let mut out = Vec::new();
    bencher.counter(ItemsCount::new(MESSAGES)).bench_local(|| {
        out.clear();
        (0..MESSAGES).for_each(|_| encode(black_box(&message), &mut out));
    });
}

#[divan::bench]
fn copy_positions(bencher: Bencher<'_, '_>) {
    let messages = positions();
    let mut out = positions();
    bencher.counter(ItemsCount::new(MESSAGES)).bench_local(|| {
        for (to, from) in out.iter_mut().zip(&messages) {
            *to = *black_box(from);
        }
        black_box(&out);
    });
}

#[divan::bench]
fn checksum(bencher: Bencher<'_, '_>) {
    let bytes = vec![0x5A; 1 << 20];
    bencher.counter(BytesCount::new(bytes.len())).bench_local(|| hash32(black_box(&bytes)));
}
