//! Assembles the page as one file: style, script, core, messages and what the program knows of them.

use std::{io::Write as _, sync::Arc, sync::OnceLock};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use evenstride_page::{Part, fill};
use evenstride_replay::{MAX_SCRIPT_BYTES, Script};
use flate2::{Compression, write::DeflateEncoder};
use serde_json::{Value, json};

use crate::{base85, bundle, core::core_wasm_gz};

const HTML: &str = include_str!("../assets/page/page.html");

/// Everything in a page besides its messages.
#[derive(Debug)]
pub(crate) struct Content {
    /// Title of the page.
    pub(crate) title: String,
    /// Facts for the page's script.
    pub(crate) about: Value,
    /// A sentence for browsers that cannot run the core.
    pub(crate) sentence: String,
    /// A table for the same browsers.
    pub(crate) table: Vec<Vec<String>>,
    /// Whether its messages come from the server that the page came from.
    pub(crate) is_live: bool,
    /// What another program drew, as bytes.
    pub(crate) drawn: Option<Vec<u8>>,
}

/// Returns the page.
pub(crate) fn html(content: Content, script: &Arc<Script>) -> String {
    let Content { title, mut about, sentence, table, is_live, drawn } = content;
    let (bytes, note) = bytes_of(script);
    if let Some(note) = note
        && let Some(warnings) = about["warnings"].as_array_mut()
    {
        warnings.push(json!(note));
    }
    let text = |bytes: &[u8]| format!("\"{}\"", packed(bytes));
    let (about, messages) = (about.to_string(), text(&bytes));
    let drawn = drawn.map_or_else(|| "null".to_owned(), |drawn| text(&drawn));
    let mut parts = vec![
        ("title", Part::Text(&title)),
        ("style", Part::Style(bundle::style())),
        ("sentence", Part::Text(&sentence)),
        ("plain", Part::Table(&table)),
        ("about", Part::Json { id: "about", text: &about }),
        ("messages", Part::Json { id: "messages", text: &messages }),
        ("drawn", Part::Json { id: "drawn", text: &drawn }),
        ("core", Part::Wasm { id: "core", packed: core() }),
        ("script", Part::Module(bundle::script())),
    ];
    if is_live {
        parts.push(("live", Part::OwnServer));
    }
    fill(HTML, &parts)
}

/// Returns the core as text.
fn core() -> &'static str {
    static CORE: OnceLock<String> = OnceLock::new();
    CORE.get_or_init(|| base85::encode(core_wasm_gz()))
}

/// Returns a script as bytes. A script that is too large is cut, and a sentence tells it.
fn bytes_of(script: &Arc<Script>) -> (Vec<u8>, Option<String>) {
    let mut script = Arc::clone(script);
    let mut note = None;
    loop {
        match script.to_bytes() {
            Ok(bytes) => return (bytes, note),
            Err(_) if script.messages.is_empty() => return (Vec::new(), note),
            Err(_) => {
                let half = script.messages.len() / 2;
                let script = Arc::make_mut(&mut script);
                script.messages.truncate(half);
                let to = script.span().map_or(0.0, |(_, last)| last);
                script.truth.values_mut().for_each(|truth| truth.retain(|of| of.time <= to));
                note = Some(format!(
                    "The page has only the messages up to {to:.0} s, because more than {} MB of them do not fit. Use --from and --to.",
                    MAX_SCRIPT_BYTES >> 20
                ));
            }
        }
    }
}

/// Returns bytes compressed and in base 64, which needs no escaping. The browser unpacks them itself.
fn packed(bytes: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    // Writing to memory never fails.
    let bytes = encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default();
    STANDARD.encode(bytes)
}
