//! Fixed workloads whose fingerprint must be the same wherever they run.
//!
//! The promise "same inputs, same bits" spans separate binaries, so no single test process can check it. Each workload here
//! is run natively by this crate's tests and as wasm32 by `cargo xtask test`; both must give the pinned value. When behaviour
//! changes on purpose, the constant changes with it and CHANGELOG.md says why.

// Exporting a symbol is the only thing here that Rust calls unsafe; there is no unsafe block.
#![expect(unsafe_code, reason = "#[unsafe(no_mangle)] on the wasm exports")]

mod space;

pub use space::space_hash;

/// The fingerprint of [`space_hash`].
pub const SPACE: u64 = 0xF8F2_17D8_B008_EFCF;

/// A workload: the name of its wasm export, the function, and the pinned fingerprint.
pub struct Workload {
    /// Name of the wasm export.
    pub export: &'static str,
    /// Runs it here.
    pub run: fn() -> u64,
    /// What it must give.
    pub pinned: u64,
}

/// Every workload.
pub const WORKLOADS: &[Workload] = &[Workload { export: "space_hash", run: space_hash, pinned: SPACE }];

/// [`space_hash`] for a wasm host.
#[unsafe(export_name = "space_hash")]
extern "C" fn space_hash_export() -> u64 {
    space_hash()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workloads_give_their_pinned_fingerprint_here() {
        for workload in WORKLOADS {
            let got = (workload.run)();
            assert_eq!(
                got, workload.pinned,
                "{}: got 0x{got:016X}, pinned 0x{:016X}",
                workload.export, workload.pinned
            );
        }
    }
}
