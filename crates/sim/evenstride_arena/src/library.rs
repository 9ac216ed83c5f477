//! The scenarios that come with the program.

use crate::scenario::{Scenario, ScenarioError};

/// A scenario of the library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryEntry {
    /// Short, stable name.
    pub name: &'static str,
    /// Text of the scenario (TOML).
    pub text: &'static str,
}

/// The scenario that runs when none is named.
pub const DEFAULT_SCENARIO: &str = "town-square";

/// Returns the scenario of this name, or `None` if the library has none.
pub fn scenario(name: &str) -> Option<Result<Scenario, ScenarioError>> {
    let entry = LIBRARY.iter().find(|entry| entry.name == name)?;
    Some(Scenario::parse(entry.text))
}

macro_rules! library {
    ($($name:literal,)*) => {
        /// Every scenario, in the order of the acceptance matrix.
        pub const LIBRARY: &[LibraryEntry] =
            &[$(LibraryEntry { name: $name, text: include_str!(concat!("../scenarios/", $name, ".toml")) },)*];
    };
}

library! {
    "stand", "walk", "run-1hz", "back", "strafe", "strafe-run", "turn", "circle",
    "jump-standing", "jump-running", "jump-backward", "slope", "stairs", "indoor", "landblock-crossing",
    "teleport", "recall", "chase-5hz", "flee", "patrol", "melee-sticky", "arrows", "crowd-200",
    "fast-mover", "pause-3s", "client-1fps", "town-square",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_of_the_library_can_be_read() {
        for entry in LIBRARY {
            let read = Scenario::parse(entry.text);
            assert!(read.is_ok(), "{}: {}", entry.name, read.unwrap_err());
        }
        assert!(scenario(DEFAULT_SCENARIO).is_some() && scenario("nothing-like-it").is_none());
    }
}
