//! Rows of text need no memory of their own.
//!
//! A test binary of its own, because the counting allocator counts everything in the process.

use std::{alloc::System, io};

use evenstride::Config;
use evenstride_replay::{ReplayObserver, ReplayOptions, TrackFormat, TrackWriter, replay, sample};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const RUNNERS: u32 = 20;

struct Ignore;
impl ReplayObserver for Ignore {}

#[test]
fn rows_allocate_nothing() {
    let script = sample::crowd(RUNNERS, 20);
    for config in [Config::RETAIL, Config::SMOOTH, Config::GLIDE] {
        let allocations = |to: f64, watcher: &mut dyn FnMut(&ReplayOptions)| {
            let options = ReplayOptions { config, to, ..ReplayOptions::default() };
            let region = Region::new(ALLOCATOR);
            watcher(&options);
            let change = region.change();
            change.allocations + change.reallocations
        };
        for format in [TrackFormat::Csv, TrackFormat::JsonLines] {
            // The world allocates too, and the difference of both counts is the writer's part.
            let of_writer = |to: f64| {
                let with = allocations(to, &mut |options| {
                    let mut writer = TrackWriter::new(io::sink(), format, []);
                    let _ = replay(&script, options, &mut writer);
                    assert!(writer.finish().unwrap().rows > u64::from(RUNNERS) * 300);
                });
                let without = allocations(to, &mut |options| {
                    let _ = replay(&script, options, &mut Ignore);
                });
                with - without
            };
            // The first seconds have a few allocations per runner, and 9,600 more rows hardly any.
            let (short, long) = (of_writer(12.0), of_writer(20.0));
            assert!(long <= short + 5, "{format:?}: {short}, then {long}");
        }
    }
}
