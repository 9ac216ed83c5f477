//! The peak memory of a test process.

use std::fs;

/// Largest memory that a test of damaged files may ever use, in bytes.
pub const MAX_PEAK_BYTES: u64 = 512 << 20;

/// Prints the peak memory of this process, and checks that it is below [`MAX_PEAK_BYTES`].
///
/// Only Linux reports it. Elsewhere nothing is checked.
///
/// # Panics
///
/// If the process has used more memory, or Linux does not report it.
pub fn assert_peak_memory(what: &str) {
    if !cfg!(target_os = "linux") {
        return;
    }
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = peak_bytes(&status).unwrap();
    println!("{what}: peak memory {:.1} MB", peak as f64 / 1e6);
    assert!(peak < MAX_PEAK_BYTES, "{what}: {peak} bytes of memory, more than {MAX_PEAK_BYTES}");
}

/// Returns the peak memory that `/proc/self/status` states, in bytes.
fn peak_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_from_its_line() {
        let status = "Name:\tx\nVmPeak:\t  200000 kB\nVmHWM:\t    1234 kB\nVmRSS:\t    1000 kB\n";
        assert_eq!(peak_bytes(status), Some(1_234 << 10));
        assert_eq!(peak_bytes("Name:\tx\n"), None);
    }
}
