//! Steps that take minutes: property tests with more cases, the swarm, and damaged files by the hundred
//! thousand.

use crate::{
    command::{cargo, count_tests, succeed},
    report::Findings,
};

/// A test binary with property tests.
struct Suite {
    package: &'static str,
    test: &'static str,
    /// Number of cases per property. All suites together take about a quarter of an hour on one core.
    cases: &'static str,
    features: &'static str,
}

const SUITES: &[Suite] = &[
    Suite { package: "evenstride", test: "properties", cases: "25600", features: "" },
    Suite { package: "evenstride", test: "worlds", cases: "12800", features: "" },
    Suite { package: "evenstride_conformance", test: "short_steps", cases: "25600", features: "" },
    Suite { package: "evenstride_types", test: "properties", cases: "256000", features: "" },
    Suite { package: "evenstride_types", test: "features", cases: "256000", features: "serde,arbitrary" },
    Suite { package: "evenstride_wire", test: "messages", cases: "256000", features: "" },
    Suite { package: "evenstride_wire", test: "packets", cases: "256000", features: "" },
    Suite { package: "evenstride_session", test: "garbage", cases: "5120", features: "" },
    Suite { package: "evenstride_relay", test: "relaying", cases: "25600", features: "" },
    Suite { package: "evenstride_dat", test: "properties", cases: "25600", features: "" },
];

/// Runs every suite of property tests with many cases.
pub(crate) fn soak() -> Findings {
    let mut findings = Findings::default();
    for Suite { package, test, cases, features } in SUITES {
        println!("-- {package}, {test}: {cases} cases");
        let args = ["test", "--release", "--quiet", "-p", package, "--test", test, "--features", features];
        findings.absorb(count_tests(cargo(&args).env("PROPTEST_CASES", cases)));
    }
    findings
}

/// Plays random hosts and servers against the core for a hundred million steps of bodies.
pub(crate) fn swarm() -> Findings {
    let args = ["run", "--release", "--quiet", "-p", "evenstride_swarm", "--", "--steps", "1e8"];
    Findings::from_result(succeed(&mut cargo(&args)))
}

/// Sends a million datagrams through a relay, with faults, and compares every byte.
pub(crate) fn relay() -> Findings {
    let args = ["test", "--release", "--quiet", "-p", "evenstride_live", "--test", "loopback"];
    count_tests(cargo(&args).env("EVENSTRIDE_RELAY_DATAGRAMS", "1000000"))
}

/// Tests of damaged files, with the variables that set their number.
const DAMAGED: [(&str, &str, &str); 3] = [
    ("evenstride_replay", "damaged", "EVENSTRIDE_DAMAGED_CAPTURES"),
    ("evenstride_dat", "damaged", "EVENSTRIDE_DAMAGED_ARCHIVES"),
    ("evenstride", "damaged_saves", "EVENSTRIDE_DAMAGED_SAVES"),
];

/// Reads a hundred thousand damaged files of each kind. Each test prints its peak memory, and fails if
/// it is too large.
pub(crate) fn damage() -> Findings {
    let mut findings = Findings::default();
    for (package, test, variable) in DAMAGED {
        let args = ["test", "--release", "--quiet", "-p", package, "--test", test, "--", "--nocapture"];
        findings.absorb(count_tests(cargo(&args).env(variable, "100000")));
    }
    findings
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::tidy::sources;

    /// A new suite would otherwise never run with many cases.
    #[test]
    fn every_suite_of_property_tests_is_soaked() {
        let mark = ["proptest", "! {"].concat();
        let sources = sources().unwrap();
        let with_properties = sources.iter().filter(|source| source.text.contains(&mark));
        let found: BTreeSet<(&str, &str)> = with_properties
            .filter_map(|source| {
                let (folder, file) = source.path.split_once("/tests/")?;
                let package = folder.rsplit('/').next()?;
                Some((package, file.split('/').next()?.trim_end_matches(".rs")))
            })
            .collect();
        let soaked: BTreeSet<(&str, &str)> = SUITES.iter().map(|suite| (suite.package, suite.test)).collect();
        assert_eq!(found, soaked);
    }
}
