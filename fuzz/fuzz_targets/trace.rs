//! Any text as a trace: read and run, or refused with a reason; never a panic.

#![no_main]

use evenstride_conformance::start;
use evenstride_trace::{Trace, run_trace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // The fuzzer rarely finds a header by itself: try the text as lines after one, too.
    let with_header =
        format!("{{\"type\":\"header\",\"schema\":1,\"name\":\"x\",\"driver\":\"math_calls\",\"settings\":{{}}}}\n{text}");
    for text in [text, &with_header] {
        if let Ok(trace) = Trace::parse(text) {
            let _ = run_trace(&trace, |_| true, start);
        }
    }
});
