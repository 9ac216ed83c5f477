//! The extension for Godot, as far as it goes without the engine.
//!
//! Debian has only Godot 3, which cannot load it. The library is built and its entry point is looked
//! for. The demo project must name only files and classes that exist.

use std::fs;

use anyhow::{Context, Result, ensure};

use super::{GODOT, check, scene::Scene, target};
use crate::{
    command::{cargo, succeed},
    report::Findings,
    root,
};

/// The function that the engine looks for.
const ENTRY: &str = "gdext_rust_init";

/// The demo project, and the add-on folder in it.
const DEMO: &str = "bindings/godot/demo";
const EXTENSION: &str = "bindings/godot/demo/addons/evenstride/evenstride.gdextension";

/// Lints, tests and builds the extension, and checks the demo project.
pub(crate) fn run() -> Findings {
    let mut findings = check(GODOT, "godot");
    findings.absorb(Findings::from_result(check_library()));
    findings.absorb(Findings::from_result(check_extension()));
    findings.absorb(Findings::from_result(check_demo()));
    findings
}

/// Builds the library and looks for its entry point.
fn check_library() -> Result<()> {
    let build = ["build", "--manifest-path", GODOT, "--locked", "--quiet"];
    succeed(cargo(&build).env("CARGO_TARGET_DIR", target("godot")))?;
    let name = format!("{}evenstride_godot{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = target("godot").join("debug").join(&name);
    let bytes = fs::read(&library).with_context(|| library.display().to_string())?;
    let has_entry = bytes.windows(ENTRY.len()).any(|window| window == ENTRY.as_bytes());
    ensure!(has_entry, "{name} does not export {ENTRY}");
    println!(
        "{name}: {} MB, exports {ENTRY}; it was not loaded, because no engine is here",
        bytes.len() >> 20
    );
    Ok(())
}

/// Checks that the description of the extension names the entry point and a library for this system.
fn check_extension() -> Result<()> {
    let text = fs::read_to_string(root().join(EXTENSION)).context(EXTENSION)?;
    ensure!(text.contains(&format!("entry_symbol = \"{ENTRY}\"")), "{EXTENSION} names no entry {ENTRY}");
    for library in ["libevenstride_godot.so", "evenstride_godot.dll", "libevenstride_godot.dylib"] {
        ensure!(text.contains(library), "{EXTENSION} does not name {library}");
    }
    Ok(())
}

/// Checks that every path in the demo exists, that every class of ours in it is exported, and that its
/// scenes show what they mean to.
fn check_demo() -> Result<()> {
    let demo = root().join(DEMO);
    let source = fs::read_to_string(root().join("bindings/godot/src/body_3d.rs"))?
        + &fs::read_to_string(root().join("bindings/godot/src/body_2d.rs"))?
        + &fs::read_to_string(root().join("bindings/godot/src/world.rs"))?;
    let mut count = 0;
    for file in ["project.godot", "three_d.tscn", "two_d.tscn"] {
        let text = fs::read_to_string(demo.join(file)).with_context(|| format!("{DEMO}/{file}"))?;
        for path in quoted(&text, "res://") {
            ensure!(demo.join(path).exists(), "{DEMO}/{file}: {path} does not exist");
            count += 1;
        }
        for class in quoted(&text, "Remote") {
            let declared = format!("pub struct Remote{class} {{");
            ensure!(source.contains(&declared), "{DEMO}/{file}: no class Remote{class}");
            count += 1;
        }
        let mistakes = Scene::parse(&text).mistakes();
        ensure!(mistakes.is_empty(), "{DEMO}/{file}: {}", mistakes.join("; "));
    }
    ensure!(count > 0, "{DEMO} names nothing");
    Ok(())
}

/// Returns what follows a beginning in each quoted text.
fn quoted<'t>(text: &'t str, beginning: &str) -> impl Iterator<Item = &'t str> {
    text.split('"').skip(1).step_by(2).filter_map(move |quoted| quoted.strip_prefix(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_names_what_exists() {
        check_extension().unwrap();
        check_demo().unwrap();
        assert_eq!(quoted("a \"res://b\" \"c\"", "res://").collect::<Vec<_>>(), ["b"]);
    }
}
