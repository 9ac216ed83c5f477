//! Any text as a trace: read and run, or refused with a reason; never a panic.

use evenstride_conformance::start;
use evenstride_trace::{Trace, run_trace};

/// Runs any text as a trace.
pub fn trace(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // The fuzzer rarely finds a header by itself: try the text as lines after one, too.
    let with_header = format!(
        "{{\"type\":\"header\",\"schema\":1,\"name\":\"x\",\"driver\":\"math_calls\",\"settings\":{{}}}}\n{text}"
    );
    for text in [text, &with_header] {
        if let Ok(trace) = Trace::parse(text) {
            let _ = run_trace(&trace, |_| true, start);
        }
    }
}
