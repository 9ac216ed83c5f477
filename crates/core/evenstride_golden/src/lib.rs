//! Fixed workloads whose fingerprint must be the same on every platform.
//!
//! The promise "same inputs, same bits" holds across separate binaries, so no single test process
//! can check it. This crate's tests run each workload natively, and `cargo xtask test` runs it as
//! wasm32. Both must give the pinned value. When behaviour changes on purpose, the constant changes
//! with it and CHANGELOG.md says why.

// Rust counts an exported symbol as unsafe code. There is no unsafe block.
#![expect(unsafe_code, reason = "#[unsafe(no_mangle)] on the wasm exports")]

mod archive;
mod crowd;
mod numbers;
mod outputs;
mod space;
mod world;

pub use archive::archive_hash;
pub use crowd::crowd_hash;
pub use outputs::outputs_hash;
pub use space::space_hash;
pub use world::{acdream_hash, glide_hash, retail_hash, smooth_hash};

/// The fingerprint of [`space_hash`].
pub const SPACE: u64 = 0xF8F2_17D8_B008_EFCF;

/// The fingerprint of [`retail_hash`].
pub const RETAIL: u64 = 0x9C37_8F67_4994_172C;

/// The fingerprint of [`acdream_hash`].
pub const ACDREAM: u64 = 0xD8EC_B4B3_1D1C_B61E;

/// The fingerprint of [`smooth_hash`].
pub const SMOOTH: u64 = 0xB597_788B_F365_42A6;

/// The fingerprint of [`glide_hash`].
pub const GLIDE: u64 = 0x1287_D73A_4C6C_D4E9;

/// The fingerprint of [`crowd_hash`].
pub const CROWD: u64 = 0x5433_AB82_9879_DA07;

/// The fingerprint of [`archive_hash`].
pub const ARCHIVE: u64 = 0xAA30_94E7_41C9_7F6A;

/// The fingerprint of [`outputs_hash`]. Unlike the others, it does not depend on how a world stores its
/// state.
pub const OUTPUTS: u64 = 0xDD35_66E6_6510_C061;

/// A workload, with its wasm export, its function and its pinned fingerprint.
pub struct Workload {
    /// Name of the wasm export.
    pub export: &'static str,
    /// The function that runs the workload natively.
    pub run: fn() -> u64,
    /// The fingerprint that the workload must give on every platform.
    pub pinned: u64,
}

/// Every workload.
pub const WORKLOADS: &[Workload] = &[
    Workload { export: "space_hash", run: space_hash, pinned: SPACE },
    Workload { export: "retail_hash", run: retail_hash, pinned: RETAIL },
    Workload { export: "acdream_hash", run: acdream_hash, pinned: ACDREAM },
    Workload { export: "smooth_hash", run: smooth_hash, pinned: SMOOTH },
    Workload { export: "glide_hash", run: glide_hash, pinned: GLIDE },
    Workload { export: "crowd_hash", run: crowd_hash, pinned: CROWD },
    Workload { export: "outputs_hash", run: outputs_hash, pinned: OUTPUTS },
    Workload { export: "archive_hash", run: archive_hash, pinned: ARCHIVE },
];

#[unsafe(export_name = "space_hash")]
extern "C" fn space_hash_export() -> u64 {
    space_hash()
}

#[unsafe(export_name = "retail_hash")]
extern "C" fn retail_hash_export() -> u64 {
    retail_hash()
}

#[unsafe(export_name = "acdream_hash")]
extern "C" fn acdream_hash_export() -> u64 {
    acdream_hash()
}

#[unsafe(export_name = "smooth_hash")]
extern "C" fn smooth_hash_export() -> u64 {
    smooth_hash()
}

#[unsafe(export_name = "glide_hash")]
extern "C" fn glide_hash_export() -> u64 {
    glide_hash()
}

#[unsafe(export_name = "crowd_hash")]
extern "C" fn crowd_hash_export() -> u64 {
    crowd_hash()
}

#[unsafe(export_name = "outputs_hash")]
extern "C" fn outputs_hash_export() -> u64 {
    outputs_hash()
}

#[unsafe(export_name = "archive_hash")]
extern "C" fn archive_hash_export() -> u64 {
    archive_hash()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workloads_give_their_pinned_fingerprint_here() {
        let wrong: Vec<_> = WORKLOADS
            .iter()
            .map(|workload| (workload, (workload.run)()))
            .filter(|(workload, got)| *got != workload.pinned)
            .map(|(workload, got)| format!("{}: got 0x{got:016X}", workload.export))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
