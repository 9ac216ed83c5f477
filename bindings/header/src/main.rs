//! Makes the C header of the motion core.
//!
//! ```text
//! evenstride_header CRATE HEADER
//! ```

use std::{env, fmt::Write, fs, path::Path};

use anyhow::{Context, Result};
use cbindgen::{
    Builder, Config, DocumentationLength, DocumentationStyle, EnumConfig, Language, RenameRule, Style,
};

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, header] = arguments.as_slice() else {
        anyhow::bail!("usage: evenstride_header CRATE HEADER")
    };
    let config = Config {
        language: Language::C,
        header: Some(HEAD.to_owned()),
        include_guard: Some("EVENSTRIDE_H".to_owned()),
        cpp_compat: true,
        style: Style::Both,
        usize_is_size_t: true,
        line_length: 100,
        documentation_length: DocumentationLength::Full,
        documentation_style: DocumentationStyle::C99,
        enumeration: EnumConfig {
            rename_variants: RenameRule::QualifiedScreamingSnakeCase,
            ..EnumConfig::default()
        },
        trailer: Some(sizes(Path::new(folder))?),
        ..Config::default()
    };
    let bindings = Builder::new().with_crate(Path::new(folder)).with_config(config).generate();
    let bindings = bindings.with_context(|| format!("{folder} cannot be read"))?;
    bindings.write_to_file(header);
    Ok(())
}

const HEAD: &str = "\
// The motion core of Evenstride for C and C++.
//
// Made of bindings/c by `cargo xtask header`; do not edit. The rules for callers are in
// bindings/c/README.md, and docs/codes.md has the numbers of outcomes and events.";

/// Returns the assertions of sizes for C, from those for Rust.
fn sizes(folder: &Path) -> Result<String> {
    let path = folder.join("src/layout.rs");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let list = text.split_once("sizes! {").and_then(|(_, rest)| rest.split_once('}')).map(|(list, _)| list);
    let mut out = String::from(ASSERT);
    for line in list.context("no list of sizes")?.lines().filter_map(|line| line.trim().strip_suffix(',')) {
        let (name, size) = line.split_once(" = ").with_context(|| format!("`{line}` is not a size"))?;
        writeln!(out, "EV_ASSERT_SIZE({name}, {size});")?;
    }
    Ok(out)
}

const ASSERT: &str = "\
#if defined(__cplusplus)
#define EV_ASSERT_SIZE(type, size) static_assert(sizeof(type) == (size), #type \" has another size\")
#else
#define EV_ASSERT_SIZE(type, size) _Static_assert(sizeof(type) == (size), #type \" has another size\")
#endif

";
