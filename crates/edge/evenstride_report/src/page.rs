//! Assembles the page as one file.

use std::io::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use evenstride_page::{Part, fill};
use flate2::{Compression, write::DeflateEncoder};

use crate::data::Page;

const HTML: &str = include_str!("../assets/report.html");
const STYLE: &str = include_str!("../assets/report.css");
const SCRIPT: &str = include_str!("../assets/report.js");

/// Returns the page. The browser unpacks the compressed data itself.
pub(crate) fn html(page: &Page) -> String {
    let data = format!("\"{}\"", packed(page));
    let parts = [
        ("title", Part::Text(&page.title)),
        ("style", Part::Style(STYLE)),
        ("data", Part::Json { id: "data", text: &data }),
        ("script", Part::Script(SCRIPT)),
    ];
    fill(HTML, &parts)
}

/// Returns the data, compressed and in base 64, which needs no escaping.
fn packed(page: &Page) -> String {
    let json = serde_json::to_vec(page).unwrap_or_default();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory never fails.
    let bytes = encoder.write_all(&json).and_then(|()| encoder.finish()).unwrap_or_default();
    STANDARD.encode(bytes)
}
