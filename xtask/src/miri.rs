//! Tests of the types, the codec and the archives under Miri, which finds undefined behaviour.

use crate::{
    command::{cargo, count_tests},
    report::Findings,
    tools::ensure_nightly,
};

const CRATES: [&str; 6] = ["-p", "evenstride_types", "-p", "evenstride_wire", "-p", "evenstride_dat"];

/// Optional features of the types, and roots without the assembly that Miri cannot run. The soft
/// roots of `libm` give the same bits.
const FEATURES: &str = "evenstride_types/serde,evenstride_types/arbitrary,libm/force-soft-floats";

/// Inputs per property. Miri is about a thousand times slower, and the same code runs natively with
/// 256.
const CASES: &str = "4";

pub(crate) fn run() -> Findings {
    if let Err(error) = ensure_nightly(&["miri", "rust-src"]) {
        return Findings::one_failure(format!("{error:#}"));
    }
    let mut command = cargo(&["+nightly", "miri", "test", "--locked", "--no-fail-fast"]);
    command.args(CRATES).args(["--features", FEATURES]);
    // The archives' tests read files, and properties look for inputs that failed before.
    command.env("MIRIFLAGS", "-Zmiri-disable-isolation");
    // The same inputs in every run.
    command.env("PROPTEST_CASES", CASES).env("PROPTEST_RNG_SEED", "1");
    count_tests(command.env_remove("RUSTUP_TOOLCHAIN"))
}
