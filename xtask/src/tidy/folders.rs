//! Layers inside the core: the folders that each folder may use.

use std::{collections::BTreeSet, fmt::Write as _};

use anyhow::Result;

use super::Source;

/// A folder, or a file beside the folders, and those it may use. Leaves come first, and no folder
/// may use a later one.
struct FolderRule {
    name: &'static str,
    what: &'static str,
    may_use: &'static [&'static str],
}

const CORE: &str = "crates/core/evenstride/src/";

/// The one file that compares stamps.
const STAMPS: &str = "inbound/stamps.rs";

const FOLDERS: &[FolderRule] = &[
    FolderRule { name: "config", what: "all switches, and the profiles", may_use: &[] },
    FolderRule { name: "outcome", what: "the types of all answers, with their reasons", may_use: &[] },
    FolderRule {
        name: "surroundings",
        what: "the trait that tells how far a body gets and whether it fits, with three implementations",
        may_use: &[],
    },
    FolderRule {
        name: "clock",
        what: "the gate, which decides when bodies are stepped",
        may_use: &["config"],
    },
    FolderRule {
        name: "storage",
        what: "containers such as pools, keys, ids, deadlines and parked updates, without any rule of the game",
        may_use: &["config"],
    },
    FolderRule {
        name: "journal",
        what: "the types in which steps and messages report happenings, calls and counts",
        may_use: &["outcome"],
    },
    FolderRule {
        name: "motion",
        what: "state and rules of one body's motion, independent of its rows. Route, follow, tether, flight, interpreter, sequences, motion tables, goals",
        may_use: &["config", "journal", "outcome", "storage", "surroundings"],
    },
    FolderRule {
        name: "glide",
        what: "ghost and pose of one body, without the body",
        may_use: &["config", "motion", "storage"],
    },
    FolderRule {
        name: "body",
        what: "the rows of each body, the lists of observers, and `BodyMut`, through which rules change them",
        may_use: &["config", "glide", "journal", "motion", "outcome", "storage"],
    },
    FolderRule {
        name: "moveto",
        what: "the execution of goals, and notices to observers",
        may_use: &["body", "journal", "motion", "outcome", "storage"],
    },
    FolderRule {
        name: "explain",
        what: "events, recorded decisions, and their sentences",
        may_use: &["journal", "motion", "outcome", "storage"],
    },
    FolderRule {
        name: "view",
        what: "read-only views of bodies",
        may_use: &["body", "glide", "journal", "motion"],
    },
    FolderRule {
        name: "world",
        what: "`MotionWorld`, its parts, and `with_body`",
        may_use: &["body", "clock", "config", "explain", "journal", "motion", "outcome", "storage", "view"],
    },
    FolderRule {
        name: "body_id",
        what: "`BodyId`, which names a body in calls, and `BodyError`",
        may_use: &["storage", "world"],
    },
    FolderRule {
        name: "step",
        what: "rounds of steps, the step of one body, contact, placements, and bodies that a host owns",
        may_use: &[
            "body_id",
            "body",
            "clock",
            "config",
            "explain",
            "journal",
            "motion",
            "outcome",
            "storage",
            "surroundings",
            "world",
        ],
    },
    FolderRule {
        name: "inbound",
        what: "the handlers of all messages, with dispatch, stamps, positions, movements, descriptions and holding",
        may_use: &[
            "body",
            "config",
            "explain",
            "journal",
            "motion",
            "outcome",
            "storage",
            "surroundings",
            "world",
        ],
    },
    FolderRule {
        name: "player",
        what: "the local player, with its keys, outgoing messages and corrections",
        may_use: &[
            "body",
            "config",
            "explain",
            "inbound",
            "journal",
            "motion",
            "outcome",
            "surroundings",
            "world",
        ],
    },
    FolderRule {
        name: "drawing",
        what: "the places at which bodies are drawn",
        may_use: &[
            "body",
            "clock",
            "config",
            "glide",
            "inbound",
            "motion",
            "outcome",
            "storage",
            "surroundings",
            "view",
            "world",
        ],
    },
    FolderRule {
        name: "body_ref",
        what: "`BodyRef`, read access to one body",
        may_use: &["body_id", "drawing", "explain", "storage", "view", "world"],
    },
    FolderRule {
        name: "save",
        what: "saving a world as bytes, and restoring it",
        may_use: &[
            "body",
            "clock",
            "config",
            "explain",
            "glide",
            "journal",
            "motion",
            "outcome",
            "storage",
            "surroundings",
            "world",
        ],
    },
    FolderRule {
        name: "generic",
        what: "`PlainWorld`, for other games",
        may_use: &[
            "body",
            "clock",
            "config",
            "drawing",
            "explain",
            "glide",
            "journal",
            "motion",
            "outcome",
            "save",
            "step",
            "storage",
            "surroundings",
            "world",
        ],
    },
    FolderRule {
        name: "sync_test",
        what: "`SyncTest`, which compares a world with a restored copy of itself",
        may_use: &["clock", "generic", "save", "surroundings", "world"],
    },
    FolderRule {
        name: "acdream",
        what: "the list of the choices made by OpenAC, formerly acdream",
        may_use: &[],
    },
    FolderRule {
        name: "deviation",
        what: "the lists of deviations and safety bounds",
        may_use: &["config", "acdream"],
    },
];

/// Files without restrictions: the crate's root, and the private feature's re-exports.
const FREE: &[&str] = &["lib", "probe"];

pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let mut problems = Vec::new();
    for source in sources.iter().filter(|source| source.path.starts_with(CORE)) {
        let inside = &source.path[CORE.len()..];
        let folder = inside.split(['/', '.']).next().unwrap_or_default();
        if FREE.contains(&folder) || inside.ends_with("tests.rs") {
            continue;
        }
        let Some(rule) = FOLDERS.iter().find(|rule| rule.name == folder) else {
            problems.push(format!(
                "{}: a new folder; say in xtask/src/tidy/folders.rs what it may use",
                source.path
            ));
            continue;
        };
        for used in used_by(&source.text) {
            let is_known = FOLDERS.iter().any(|rule| rule.name == used);
            if is_known && used != folder && !rule.may_use.contains(&used.as_str()) {
                problems.push(format!("{}: {folder} must not use {used} (ARCHITECTURE.md)", source.path));
            }
        }
        if inside != STAMPS && source.text.contains(".accept(StampKind") {
            problems.push(format!("{}: stamps are compared in {STAMPS} only", source.path));
        }
    }
    for (number, rule) in FOLDERS.iter().enumerate() {
        let is_before = |used: &&&str| FOLDERS[..number].iter().any(|before| before.name == **used);
        if let Some(used) = rule.may_use.iter().find(|used| !is_before(used)) {
            problems.push(format!("the rules make a cycle: {} uses {used}, which comes after it", rule.name));
        }
    }
    problems
}

/// Returns the folders as a table of ARCHITECTURE.md.
pub(crate) fn table() -> Result<String> {
    let mut text = String::from("| folder or file | what it is | may use |\n|---|---|---|\n");
    for FolderRule { name, what, may_use } in FOLDERS {
        let uses = if may_use.is_empty() { "–".to_owned() } else { may_use.join(", ") };
        writeln!(text, "| `{name}` | {what} | {uses} |")?;
    }
    Ok(text)
}

/// Returns the modules of the crate's root that a file names, except in its own tests.
fn used_by(text: &str) -> BTreeSet<String> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut used = BTreeSet::new();
    for (start, _) in code.match_indices("crate::") {
        let rest = &code[start + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => drop(used.insert(word(rest))),
            Some(group) => names_in(group, &mut used),
        }
    }
    used
}

/// Adds the first word of each item of a group of imports.
fn names_in(group: &str, used: &mut BTreeSet<String>) {
    let (mut depth, mut is_start) = (0usize, true);
    for (place, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => return,
            '}' => depth -= 1,
            ',' if depth == 0 => is_start = true,
            _ if is_start && depth == 0 && !character.is_whitespace() => {
                used.insert(word(&group[place..]));
                is_start = false;
            }
            _ => {}
        }
    }
}

fn word(text: &str) -> String {
    text.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source { path: format!("{CORE}{path}"), text: text.into() }
    }

    #[test]
    fn imports_are_found_however_they_are_written() {
        let text = "use crate::{\n    body::{flags::Flags, rows},\n    storage::pool,\n};\n// crate::world\nlet x = crate::step::y;\n";
        let used: Vec<String> = used_by(text).into_iter().collect();
        assert_eq!(used, ["body", "step", "storage"]);
    }

    #[test]
    fn an_import_against_the_layers_is_named() {
        let problems = check(&[source("motion/route.rs", "use crate::world::MotionWorld;")]);
        assert_eq!(
            problems,
            ["crates/core/evenstride/src/motion/route.rs: motion must not use world (ARCHITECTURE.md)"]
        );
        assert_eq!(check(&[source("motion/route.rs", "use crate::storage::pool::Pool;")]), [""; 0]);
        assert_eq!(check(&[source("newcomer.rs", "")]).len(), 1);
    }

    #[test]
    fn the_rules_themselves_have_no_cycle() {
        assert_eq!(check(&[]), [""; 0]);
    }
}
