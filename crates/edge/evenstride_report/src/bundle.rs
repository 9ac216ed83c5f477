//! Style and script of the page, each made of small files.
//!
//! The modules in `assets/page` are ES modules, so that editors and Node understand them. A page has one
//! script, because a policy allows scripts by their hash and modules cannot name each other without
//! addresses. Imports are therefore left out, and the modules follow one another. Their top-level names
//! are unique. Comments and indentation are left out too.

use std::sync::OnceLock;

macro_rules! page_files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../assets/page/", $name)))),*]
    };
}

/// The modules, each after those that it uses while it is loaded.
const MODULES: &[(&str, &str)] = page_files![
    "format.js",
    "unpack.js",
    "drawing.js",
    "sentences.js",
    "growth.js",
    "model.js",
    "camera.js",
    "scene.js",
    "words.js",
    "stage_shaders.js",
    "stage_gl.js",
    "stage_paint.js",
    "stage_words.js",
    "stage.js",
    "map_marks.js",
    "map.js",
    "legend.js",
    "gestures.js",
    "pane.js",
    "panes.js",
    "timeaxis.js",
    "timegestures.js",
    "columns.js",
    "transport.js",
    "overview.js",
    "ruler.js",
    "lanepaint.js",
    "lanes.js",
    "plotrange.js",
    "plotseries.js",
    "plotpaint.js",
    "plottable.js",
    "plots.js",
    "time.js",
    "header.js",
    "strip.js",
    "compare.js",
    "moments.js",
    "decisions.js",
    "message.js",
    "inspector.js",
    "layout.js",
    "link.js",
    "keys.js",
    "drop.js",
    "live.js",
    "main.js",
];

/// The styles, in the order of their rules.
const STYLES: &[(&str, &str)] = page_files!["page.css", "panes.css", "time.css"];

/// Returns the script of the page.
pub(crate) fn script() -> &'static str {
    static SCRIPT: OnceLock<String> = OnceLock::new();
    SCRIPT.get_or_init(|| {
        let core = module(&viewer_only(include_str!("../assets/core.js")));
        // The core's own names stay inside a function.
        let core = core.replace("export { initSync, __wbg_init as default };", "");
        let mut script =
            format!("const motionCore = (() => {{\n{core}return {{ start: __wbg_init, Viewer }};\n}})();\n");
        MODULES.iter().for_each(|(_, text)| script.push_str(&module(text)));
        script
    })
}

/// Returns the style sheet of the page.
pub(crate) fn style() -> &'static str {
    static STYLE: OnceLock<String> = OnceLock::new();
    STYLE.get_or_init(|| STYLES.iter().map(|(_, text)| tight(&compact(text))).collect())
}

/// Classes of the core for other pages than ours. [`script`] leaves them out, because every page would carry them.
const UNUSED_CLASSES: &[&str] = &["Replay", "RivalTrack", "Track", "World"];

/// Functions of the core that the page does not call.
const UNUSED_FUNCTIONS: &[&str] = &["function initSync(", "export function version("];

/// Returns the core's script without the classes and functions that the page does not use.
fn viewer_only(core: &str) -> String {
    let mut kept = String::new();
    let mut is_left_out = false;
    for line in core.lines() {
        let begins = |before: &str, after: &str| {
            UNUSED_CLASSES.iter().any(|class| {
                line.strip_prefix(before)
                    .and_then(|rest| rest.strip_prefix(class))
                    .is_some_and(|rest| rest.starts_with(after))
            })
        };
        is_left_out |= begins("export class ", " {")
            || begins("const ", "Finalization = ")
            || UNUSED_FUNCTIONS.iter().any(|function| line.starts_with(function));
        if !is_left_out && !begins("if (Symbol.dispose) ", ".") {
            kept.push_str(line);
            kept.push('\n');
        }
        // A registry of finalizers ends with its only call.
        is_left_out &= line != "}" && !line.ends_with("_free(ptr, 1));");
    }
    kept
}

/// Operators that lose the spaces around them. No string of the page contains one.
const OPERATORS: &[&str] = &[" => ", " === ", " !== ", " && ", " || "];

/// Returns a module without imports and exports.
fn module(text: &str) -> String {
    let mut module = String::new();
    for line in compact(text).lines() {
        let line = line.strip_prefix("export ").filter(|rest| !rest.starts_with('{')).unwrap_or(line);
        if !line.starts_with("import ") {
            module.push_str(&OPERATORS.iter().fold(line.to_owned(), |line, of| line.replace(of, of.trim())));
            module.push('\n');
        }
    }
    module
}

/// Returns a style sheet without the spaces and line ends that mean nothing. Strings stay as they are.
fn tight(style: &str) -> String {
    let mut tight = String::new();
    let mut letters = style.chars().peekable();
    let mut is_string = false;
    while let Some(letter) = letters.next() {
        is_string ^= letter == '"';
        if is_string || !letter.is_whitespace() {
            tight.push(letter);
            continue;
        }
        let after = tight.chars().next_back().is_none_or(|before| "{};:,".contains(before));
        let before = letters.peek().is_none_or(|next| next.is_whitespace() || "{};,".contains(*next));
        if !after && !before {
            tight.push(' ');
        }
    }
    tight
}

/// Returns a text without indentation, empty lines, and comments that have lines of their own.
fn compact(text: &str) -> String {
    let mut compact = String::new();
    let mut is_comment = false;
    for line in text.lines().map(str::trim) {
        is_comment |= line.starts_with("/*");
        if !is_comment && !line.is_empty() && !line.starts_with("//") {
            compact.push_str(line);
            compact.push('\n');
        }
        is_comment &= !line.ends_with("*/");
    }
    compact
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs, path::Path};

    use super::*;

    #[test]
    fn every_file_of_the_page_is_in_it() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/page");
        for entry in fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let known = MODULES.iter().chain(STYLES).any(|(of, _)| *of == name);
            assert!(known || name == "page.html", "{name} is not in the page");
        }
    }

    #[test]
    fn names_of_modules_are_unique() {
        let mut owners: BTreeMap<String, &str> = BTreeMap::new();
        for (file, text) in MODULES {
            for line in text.lines() {
                let line = line.strip_prefix("export ").unwrap_or(line);
                let kinds = ["const ", "let ", "function ", "async function ", "class "];
                let Some(rest) = kinds.iter().find_map(|kind| line.strip_prefix(kind)) else { continue };
                let name: String =
                    rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
                if let Some(other) = owners.insert(name.clone(), file)
                    && !name.is_empty()
                {
                    panic!("{name} is in {other} and in {file}");
                }
            }
        }
        assert!(owners.len() > 20, "{owners:?}");
    }

    #[test]
    fn modules_import_what_exists() {
        for (file, text) in MODULES {
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let (names, from) = line.split_once(" from \"./").unwrap_or_else(|| panic!("{file}: {line}"));
                let from = from.trim_end_matches("\";");
                let (_, source) =
                    MODULES.iter().find(|(of, _)| *of == from).unwrap_or_else(|| panic!("{file}: {line}"));
                let names = names.trim_start_matches("import {").trim_end_matches('}');
                for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                    let kinds = ["const", "function", "async function", "class", "let"];
                    let is_there = kinds.iter().any(|kind| source.contains(&format!("export {kind} {name}")));
                    assert!(is_there, "{file} imports {name}, which {from} does not export");
                }
            }
        }
    }

    #[test]
    fn classes_for_other_pages_are_left_out_whole() {
        let core = viewer_only(include_str!("../assets/core.js"));
        for class in UNUSED_CLASSES {
            assert!(!core.contains(&format!("class {class} ")), "{class}");
        }
        for class in ["Drawing", "ViewTrack", "Viewer"] {
            assert!(core.contains(&format!("export class {class} {{")), "{class}");
        }
        let balance = |open: char, close: char| core.matches(open).count() == core.matches(close).count();
        assert!(balance('{', '}') && balance('(', ')'));
    }

    #[test]
    fn styles_lose_only_spaces_without_meaning() {
        let style = "a :hover, b > c {\n  margin: 0 calc(1px + 2px);\n  grid: \"a: b; c\" 1fr;\n}\n@media (width < 9px) { d { top: 0; } }\n";
        let expected =
            "a :hover,b > c{margin:0 calc(1px + 2px);grid:\"a: b; c\" 1fr;}@media (width < 9px){d{top:0;}}";
        assert_eq!(tight(style), expected);
        assert_eq!(super::style().matches('{').count(), super::style().matches('}').count());
    }

    #[test]
    fn comments_and_imports_are_left_out() {
        let text = "// Why.\nimport { a } from \"./a.js\";\n\nexport function b() {\n  /* c\n   d */\n  return a; // kept\n}\n";
        assert_eq!(module(text), "function b() {\nreturn a; // kept\n}\n");
        assert!(!script().contains("\nimport ") && !script().contains("\nexport "));
    }
}
