//! Makes JavaScript of a wasm32 build.
//!
//! ```text
//! evenstride_bindgen BUILT.wasm FOLDER
//! ```
//!
//! The folder gets `evenstride.js`, `evenstride.d.ts` and `evenstride_bg.wasm`.

use std::{env, fs, path::Path};

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [built, folder] = arguments.as_slice() else {
        anyhow::bail!("usage: evenstride_bindgen BUILT.wasm FOLDER")
    };
    let folder = Path::new(folder);
    Bindgen::new()
        .input_path(built)
        .out_name("evenstride")
        .web(true)?
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)?;
    let path = folder.join("evenstride.js");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    fs::write(&path, with_sentences(&text)?)?;
    Ok(())
}

/// The line by which wasm-bindgen throws its own errors.
const THROW: &str = "throw new Error(getStringFromWasm0(arg0, arg1));";

/// Replaces the errors of wasm-bindgen by sentences that say what to do.
fn with_sentences(text: &str) -> Result<String> {
    let found = text.matches(THROW).count();
    ensure!(found == 1, "the JavaScript has {found} lines `{THROW}`, and one was expected");
    let text = text.replace(THROW, "throw new Error(sentence(getStringFromWasm0(arg0, arg1)));");
    Ok(text + SENTENCES)
}

const SENTENCES: &str = r#"
/** Returns the sentence for an error of the glue code. Other errors are sentences already. */
function sentence(error) {
    if (error.startsWith("null pointer passed to rust")) {
        return "this object was freed; make a new one";
    }
    if (error.startsWith("recursive use of an object")) {
        return "poisoned: an earlier call on this object did not return; load the module again";
    }
    return error;
}
"#;
